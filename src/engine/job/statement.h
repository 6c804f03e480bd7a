/*
 * statement.h - what recipients are told of a release (--statement): a file beside it, as Markdown
 * or JSON by its ending. Facts of the data holder's report never get into it: it is filled by
 * functions of its own, which say everything that is in it.
 */
#ifndef TACIT_ENGINE_JOB_STATEMENT_H
#define TACIT_ENGINE_JOB_STATEMENT_H

#include "engine/job/files.h"

/* Refuses names that end neither in .md nor in .json. */
tacit_status engine_statement_check(const engine_settings *settings, tacit_error *err);

/* Adds the statement, where it is asked for, to the files of the job that appear. It is
 * made before the release appears, so that what hinders it hinders the release. */
tacit_status engine_statement(engine_session *session, const engine_reports *statement,
                              const void *subject);

/* A sentence in the list of that name. */
void engine_statement_say(tacit_report *report, const char *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The terms of Figure 116, to agree to. */
void engine_statement_terms(tacit_report *report);

#endif
