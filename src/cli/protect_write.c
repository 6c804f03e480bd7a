/*
 * protect_write.c - what `tacit protect` writes: the release, the table in full for the data
 * holder, and a pivoted release for people.
 *
 * Everything is written to files that have no name yet and appear together at the end.
 */
#define _GNU_SOURCE
#include <string.h>

#include "protect.h"

static const char *shown(const char *target)
{
    return strcmp(target, "-") == 0 ? "standard output" : target;
}

static tacit_cells_csv_options csv_options(const cli_protection *p, bool release)
{
    return (tacit_cells_csv_options){
        .delimiter = p->delimiter, .release = release, .value = p->spec.value};
}

static tacit_status write_table(cli_protection *p, int fd, const char *target, bool release)
{
    tacit_error *err = &p->session->error;
    tacit_cells_csv_options options = csv_options(p, release);
    if (cli_is_jj(target))
        return tacit_cells_write_jj(fd, shown(target), p->cells, p->pattern.status, err);
    return tacit_cells_write_csv(fd, shown(target), p->cells, p->pattern.status, &options, err);
}

static tacit_status write_pivot(cli_protection *p, int fd, const char *target)
{
    const tacit_pivot_options options = {.delimiter = p->delimiter, .across = -1};
    return tacit_cells_write_pivot(fd, shown(target), p->cells, p->pattern.status, &options,
                                   &p->session->error);
}

tacit_status cli_protect_write(cli_protection *p)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < CLI_PROTECT_FILES && status == TACIT_OK; i++) {
        const char *target = p->targets[i];
        if (!target)
            continue;
        status = tacit_output_new(&p->outputs[i], target, &p->session->error);
        if (status != TACIT_OK)
            return status;
        int fd = tacit_output_fd(p->outputs[i]);
        status = i == CLI_PROTECT_PIVOT ? write_pivot(p, fd, target)
                                        : write_table(p, fd, target, i == CLI_PROTECT_RELEASE);
    }
    return status;
}
