/*
 * summaries.c - the files of --summary: none is written over, and all are read as what they are,
 * whatever the data's delimiter is.
 */
#include "engine/attacks/summaries.h"
#include "base/alloc.h"

#include "base/error.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 16 }; /* of a command, beside these */

static bool is_summary(const engine_given *given)
{
    return strcmp(given->setting->name, "summary") == 0;
}

tacit_status engine_summaries_check(const engine_session *session, const engine_file *files,
                                    size_t count, tacit_error *err)
{
    const engine_settings *settings = session->settings;
    engine_file all[MOST_FILES + 1];
    tacit_status status = TACIT_OK;
    size_t used = 1;
    for (size_t i = 0; i < count && used <= MOST_FILES; i++)
        if (files[i].written)
            all[used++] = files[i];
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (is_summary(&settings->given[i])) {
            all[0] = (engine_file){settings->given[i].value, "--summary", false};
            status = engine_files_check(all, used, err);
        }
    return status;
}

bool engine_summaries_are_files(const engine_session *session)
{
    const engine_settings *settings = session->settings;
    bool all = true;
    for (size_t i = 0; i < settings->given_count; i++)
        if (is_summary(&settings->given[i]))
            all &= engine_is_file(settings->given[i].value);
    return all;
}

tacit_status engine_summaries_read(engine_summaries *summaries, const engine_session *session,
                                   tacit_error *err)
{
    const engine_settings *settings = session->settings;
    tacit_csv_options options;
    tacit_status status = TACIT_OK;
    tacit_csv_options_init(&options);
    summaries->files = tacit__alloc_zeroed(settings->given_count + 1, sizeof *summaries->files);
    if (!summaries->files)
        return tacit__nomem(err);
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++) {
        if (!is_summary(&settings->given[i]))
            continue;
        status = tacit_table_read(&summaries->files[summaries->count], settings->given[i].value,
                                  &options, &session->run, err);
        summaries->count += status == TACIT_OK;
    }
    return status;
}

void engine_summaries_clear(engine_summaries *summaries)
{
    for (int32_t i = 0; i < summaries->count; i++)
        tacit_table_free(summaries->files[i]);
    tacit__free(summaries->files);
    *summaries = (engine_summaries){0};
}
