/*
 * earlier.c - earlier releases, read from files and from memory. Every column is coded:
 * which of them a later release shares is not known yet.
 */
#include "engine/ledger/earlier.h"
#include "base/alloc.h"

#include "base/error.h"
#include "base/vector.h"

/* A place for one more, with its name; NULL when out of memory. */
static engine_earlier_release *add(engine_earlier *earlier, const char *name)
{
    engine_earlier_release release = {.name = tacit__copy_text(name)};
    if (release.name && TACIT__PUSH(earlier->releases, earlier->capacity, earlier->count, release))
        return &earlier->releases[earlier->count - 1];
    tacit__free(release.name);
    return NULL;
}

static tacit_status add_file(engine_earlier *earlier, const char *path, engine_session *session)
{
    tacit_csv_options options;
    engine_csv_options(&options, session);
    engine_earlier_release *release = add(earlier, path);
    if (!release)
        return tacit__nomem(&session->error);
    release->ordered = true;
    return tacit_table_read(&release->table, path, &options, &session->run, &session->error);
}

tacit_status engine_earlier_read(engine_earlier *earlier, const tacit_policy *policy,
                                 engine_session *session)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < policy->previous_count && status == TACIT_OK; i++)
        status = add_file(earlier, policy->previous[i], session);
    return status;
}

tacit_status engine_earlier_add_bytes(engine_earlier *earlier, const char *name, char *bytes,
                                      size_t len, engine_session *session)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    engine_earlier_release *release = add(earlier, name);
    if (!release) {
        tacit_text_free(bytes);
        return tacit__nomem(&session->error);
    }
    release->bytes = bytes;
    return tacit_table_read_memory(&release->table, (tacit_strview){bytes, len}, release->name,
                                   &options, &session->run, &session->error);
}

void engine_earlier_drop(engine_earlier *earlier, size_t from)
{
    while (earlier->count > from) {
        engine_earlier_release *release = &earlier->releases[--earlier->count];
        tacit_table_free(release->table);
        tacit_text_free(release->bytes);
        tacit__free(release->name);
        *release = (engine_earlier_release){0}; /* another list may share the places */
    }
}

void engine_earlier_clear(engine_earlier *earlier)
{
    engine_earlier_drop(earlier, 0);
    tacit__free(earlier->releases);
    *earlier = (engine_earlier){0};
}
