/*
 * summaries.h - files of published frequencies (--summary), for the commands that take them.
 */
#ifndef TACIT_CLI_SUMMARIES_H
#define TACIT_CLI_SUMMARIES_H

#include "files.h"

/* TACIT_INVALID if one of them is written over: the command's other files are given. */
tacit_status cli_summaries_check(const cli_session *session, const cli_file *files, size_t count,
                                 tacit_error *err);

/* Whether all can be read twice: none is a pipe. */
bool cli_summaries_are_files(const cli_session *session);

/* The tables, read. All zero is none. */
typedef struct cli_summaries {
    tacit_table **files;
    int32_t count;
} cli_summaries;

tacit_status cli_summaries_read(cli_summaries *summaries, const cli_session *session,
                                tacit_error *err);
void cli_summaries_clear(cli_summaries *summaries);

#endif
