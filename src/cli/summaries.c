/*
 * summaries.c - the files of --summary: none is written over, and all are read as what they are,
 * whatever the data's delimiter is.
 */
#define _GNU_SOURCE
#include "summaries.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 16 }; /* of a command, beside these */

static bool is_summary(const cli_given *given)
{
    return strcmp(given->option->name, "summary") == 0;
}

tacit_status cli_summaries_check(const cli_session *session, const cli_file *files, size_t count,
                                 tacit_error *err)
{
    const cli_arguments *arguments = session->arguments;
    cli_file all[MOST_FILES + 1];
    tacit_status status = TACIT_OK;
    size_t used = 1;
    for (size_t i = 0; i < count && used <= MOST_FILES; i++)
        if (files[i].written)
            all[used++] = files[i];
    for (size_t i = 0; i < arguments->given_count && status == TACIT_OK; i++)
        if (is_summary(&arguments->given[i])) {
            all[0] = (cli_file){arguments->given[i].value, "--summary", false};
            status = cli_files_check(all, used, err);
        }
    return status;
}

bool cli_summaries_are_files(const cli_session *session)
{
    const cli_arguments *arguments = session->arguments;
    bool all = true;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (is_summary(&arguments->given[i]))
            all &= cli_is_file(arguments->given[i].value);
    return all;
}

tacit_status cli_summaries_read(cli_summaries *summaries, const cli_session *session,
                                tacit_error *err)
{
    const cli_arguments *arguments = session->arguments;
    tacit_csv_options options;
    tacit_status status = TACIT_OK;
    tacit_csv_options_init(&options);
    summaries->files = calloc(arguments->given_count + 1, sizeof *summaries->files);
    if (!summaries->files)
        return cli_error(err, TACIT_NOMEM, "out of memory");
    for (size_t i = 0; i < arguments->given_count && status == TACIT_OK; i++) {
        if (!is_summary(&arguments->given[i]))
            continue;
        status = tacit_table_read(&summaries->files[summaries->count], arguments->given[i].value,
                                  &options, &session->run, err);
        summaries->count += status == TACIT_OK;
    }
    return status;
}

void cli_summaries_clear(cli_summaries *summaries)
{
    for (int32_t i = 0; i < summaries->count; i++)
        tacit_table_free(summaries->files[i]);
    free(summaries->files);
    *summaries = (cli_summaries){0};
}
