/*
 * earlier.c - earlier releases, read from files and from memory. Every column is coded:
 * which of them a later release shares is not known yet.
 */
#define _GNU_SOURCE
#include "earlier.h"

#include <stdlib.h>
#include <string.h>

/* A place for one more, with its name; NULL when out of memory. */
static cli_earlier_release *add(cli_earlier *earlier, const char *name)
{
    if (earlier->count == earlier->room) {
        size_t room = earlier->room ? 2 * earlier->room : 4;
        void *larger = realloc(earlier->releases, room * sizeof *earlier->releases);
        if (!larger)
            return NULL;
        earlier->releases = larger;
        earlier->room = room;
    }
    cli_earlier_release *release = &earlier->releases[earlier->count];
    *release = (cli_earlier_release){.name = strdup(name)};
    if (!release->name)
        return NULL;
    earlier->count++;
    return release;
}

static tacit_status add_file(cli_earlier *earlier, const char *path, cli_session *session)
{
    tacit_csv_options options;
    cli_csv_options(&options, session);
    cli_earlier_release *release = add(earlier, path);
    if (!release)
        return cli_error(&session->error, TACIT_NOMEM, "out of memory");
    release->ordered = true;
    return tacit_table_read(&release->table, path, &options, &session->run, &session->error);
}

tacit_status cli_earlier_read(cli_earlier *earlier, const tacit_policy *policy,
                              cli_session *session)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < policy->previous_count && status == TACIT_OK; i++)
        status = add_file(earlier, policy->previous[i], session);
    return status;
}

tacit_status cli_earlier_add_bytes(cli_earlier *earlier, const char *name, char *bytes, size_t len,
                                   cli_session *session)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    cli_earlier_release *release = add(earlier, name);
    if (!release) {
        tacit_text_free(bytes);
        return cli_error(&session->error, TACIT_NOMEM, "out of memory");
    }
    release->bytes = bytes;
    return tacit_table_read_memory(&release->table, (tacit_strview){bytes, len}, release->name,
                                   &options, &session->run, &session->error);
}

void cli_earlier_drop(cli_earlier *earlier, size_t from)
{
    while (earlier->count > from) {
        cli_earlier_release *release = &earlier->releases[--earlier->count];
        tacit_table_free(release->table);
        tacit_text_free(release->bytes);
        free(release->name);
        *release = (cli_earlier_release){0}; /* another list may share the places */
    }
}

void cli_earlier_clear(cli_earlier *earlier)
{
    cli_earlier_drop(earlier, 0);
    free(earlier->releases);
    *earlier = (cli_earlier){0};
}
