/*
 * case.h - a release inside an engine before its judge: what is asked, and what was found.
 */
#ifndef TACIT_SRC_AUDIT_ENGINES_CASE_H
#define TACIT_SRC_AUDIT_ENGINES_CASE_H

#include <tacit/experimental/audit_engine.h>

#include "base/error.h"

/* Where the rows are in shards, each has a case of its own for them; that of the whole knows the
 * shards, and adds up what is promised of all rows. */
typedef struct engine_case {
    tacit_engine *engine;
    const tacit_engine_promise *promise;
    tacit_engine_verdict *verdict;
    const tacit_run *run;
    tacit_error *err;
    const tacit_engine_shard *shards; /* NULL: none */
    int32_t shard_count;
    tacit_sql sql; /* of the statement in the making */
} engine_case;

#define ADD(c, ...) tacit_sql_add(&(c)->sql, (c)->engine, __VA_ARGS__)

void tacit__engine_problem(engine_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The answer to the statement in the making, a whole number. */
tacit_status tacit__engine_number(int64_t *out, engine_case *c);

/* The same of several in a row. */
tacit_status tacit__engine_numbers(int64_t *out, int32_t count, engine_case *c);

/* FROM the data and what was staged of each of its rows: t and s. */
void tacit__engine_joined(engine_case *c);

/* The attributes of a set, one after the other: the next one from at on, or -1. */
int32_t tacit__engine_next(const tacit_engine_promise *promise, int32_t set, int32_t at);
int32_t tacit__engine_sets(const tacit_engine_promise *promise);

/* What is promised of each row, and what is promised of all: false and a problem where it is not
 * so. */
tacit_status tacit__engine_check_rows(engine_case *c);
tacit_status tacit__engine_check_all(engine_case *c);

/* Classes of a set over all shards, and the fewest of what makes them large. */
tacit_status tacit__engine_smallest(int64_t *classes, int64_t *smallest, engine_case *whole,
                                    int32_t set, tacit_strview by);

#endif
