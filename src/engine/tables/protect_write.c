/*
 * protect_write.c - what `tacit protect` writes: the release, the table in full for the data
 * holder, and a pivoted release for people.
 *
 * Everything is written to files that have no name yet and appear together at the end. Before
 * that the release is read back: what stands in it is compared, cell by cell, with what may.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/tables/protect.h"

static const char *shown(const char *target)
{
    return strcmp(target, "-") == 0 ? "standard output" : target;
}

static tacit_cells_csv_options csv_options(const engine_protection *p, bool release)
{
    return (tacit_cells_csv_options){.delimiter = p->delimiter,
                                     .release = release,
                                     .value = p->spec.value,
                                     .intervals = engine_intervals(p),
                                     .published =
                                         p->altering.method ? p->altering.altered.value : NULL};
}

static tacit_status write_table(engine_protection *p, int fd, const char *target, bool release)
{
    tacit_error *err = &p->session->error;
    tacit_cells_csv_options options = csv_options(p, release);
    const tacit_cells *cells = release ? p->released : p->cells;
    if (engine_is_jj(target))
        return tacit_cells_write_jj(fd, shown(target), cells, p->pattern.status, err);
    return tacit_cells_write_csv(fd, shown(target), cells, p->pattern.status, &options, err);
}

static tacit_status write_pivot(engine_protection *p, int fd, const char *target)
{
    const tacit_pivot_options options = {
        .delimiter = p->delimiter, .across = -1, .intervals = engine_intervals(p)};
    return tacit_cells_write_pivot(fd, shown(target), p->released, p->pattern.status, &options,
                                   &p->session->error);
}

tacit_status engine_protect_write(engine_protection *p)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < ENGINE_PROTECT_FILES && status == TACIT_OK; i++) {
        const char *target = p->targets[i];
        if (!target)
            continue;
        status = i == ENGINE_PROTECT_FULL
                     ? tacit_output_new_private(&p->outputs[i], target, &p->session->error)
                     : tacit_output_new(&p->outputs[i], target, &p->session->error);
        if (status != TACIT_OK)
            return status;
        int fd = tacit_output_fd(p->outputs[i]);
        status = i == ENGINE_PROTECT_PIVOT
                     ? write_pivot(p, fd, target)
                     : write_table(p, fd, target, i == ENGINE_PROTECT_RELEASE);
    }
    return status;
}

/* ---- the second check ---- */

static tacit_status check_csv(engine_protection *p)
{
    engine_session *session = p->session;
    const tacit_cells_csv_options written = csv_options(p, true);
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    options.delimiter = written.delimiter ? written.delimiter : ';';
    tacit_status status =
        tacit_table_read_fd(&table, tacit_output_fd(p->outputs[ENGINE_PROTECT_RELEASE]),
                            "the release", &options, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_audit_cells_written(&p->written, p->released, p->pattern.status, table,
                                           &written, &session->run, &session->error);
    tacit_table_free(table);
    return status;
}

static tacit_status check_jj(engine_protection *p)
{
    engine_session *session = p->session;
    tacit_error *err = &session->error;
    char *text = NULL;
    size_t len = 0;
    tacit_cells *cells = NULL;
    tacit_status status = engine_read_all(
        &text, &len, tacit_output_fd(p->outputs[ENGINE_PROTECT_RELEASE]), "the release", err);
    if (status == TACIT_OK)
        status = tacit_cells_parse_jj(&cells, (tacit_strview){text, len}, "the release",
                                      p->spec.tolerance, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_audit_cells_same(&p->written, p->released, p->pattern.status, cells, err);
    tacit_cells_free(cells);
    tacit__free(text);
    return status;
}

static tacit_status refuse(engine_protection *p)
{
    const tacit_cells_written *written = p->written;
    for (int32_t i = 1; i < written->listed; i++)
        engine_warn(p->session, "the second check finds: %s", written->problems[i].message);
    return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                        "the second check refuses the release, and nothing is written: %s",
                        written->problems[0].message);
}

tacit_status engine_protect_check(engine_protection *p)
{
    bool jj = engine_is_jj(p->targets[ENGINE_PROTECT_RELEASE]);
    tacit_status status = jj ? check_jj(p) : check_csv(p);
    if (status == TACIT_OK && p->written->holds)
        status = engine_intervals_check(p);
    return status == TACIT_OK && !p->written->holds ? refuse(p) : status;
}
