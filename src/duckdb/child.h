/*
 * child.h - work in a process of its own, for libraries of others that read what strangers made:
 * whatever becomes of it there, this process goes on.
 */
#ifndef TACIT_SRC_DUCKDB_CHILD_H
#define TACIT_SRC_DUCKDB_CHILD_H

#include "base/error.h"
#include "base/strbuf.h"

/* Adds an answer; or says what is wrong. What else it changes in memory is lost. */
typedef tacit_status (*tacit__child_fn)(void *context, tacit__strbuf *answer, tacit_error *err);

/* Does work in a process of its own, with no more memory than the machine has. It ends with this
 * one, and when the run is to stop. Its answer may be anything: who started it checks it.
 * TACIT_PARSE with `died` as the message if the process ended without one. */
tacit_status tacit__child_run(tacit__strbuf *answer, tacit__child_fn work, void *context,
                              const char *died, const tacit_run *run, tacit_error *err);

#endif
