/*
 * summaries.h - files of published frequencies (--summary), for the commands that take them.
 */
#ifndef TACIT_ENGINE_ATTACKS_SUMMARIES_H
#define TACIT_ENGINE_ATTACKS_SUMMARIES_H

#include "engine/job/files.h"

/* TACIT_INVALID if one of them is written over: the command's other files are given. */
tacit_status engine_summaries_check(const engine_session *session, const engine_file *files,
                                    size_t count, tacit_error *err);

/* Whether all can be read twice: none is a pipe. */
bool engine_summaries_are_files(const engine_session *session);

/* The tables, read. All zero is none. */
typedef struct engine_summaries {
    tacit_table **files;
    int32_t count;
} engine_summaries;

tacit_status engine_summaries_read(engine_summaries *summaries, const engine_session *session,
                                   tacit_error *err);
void engine_summaries_clear(engine_summaries *summaries);

#endif
