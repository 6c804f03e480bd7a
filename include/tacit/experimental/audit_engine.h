/*
 * audit_engine.h - the judge of a release that was made inside an engine. It writes statements of
 * its own and sees three tables: the data, the release as it was staged with the key of each row of
 * the data, and the release itself, which has no key. It knows nothing of how they were made.
 */
#ifndef TACIT_AUDIT_ENGINE_H
#define TACIT_AUDIT_ENGINE_H

#include <tacit/experimental/engines.h>
#include <tacit/experimental/hierarchy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A quasi-identifier. Its values as text, empty ones as missing, are the column's in the table. */
typedef struct tacit_engine_attribute {
    tacit_strview name;
    const tacit_table *values;
    int32_t column;
    const tacit_hierarchy *hierarchy; /* bound to it */
} tacit_engine_attribute;

typedef struct tacit_engine_promise {
    tacit_place_name source; /* the data as it was named; original is it, or a copy of it */
    tacit_place_name original, staged, release;
    tacit_strview key; /* the staged column that holds the key of the original's row */
    int64_t k;
    const tacit_engine_attribute *attributes;
    int32_t attribute_count;
    const uint64_t *sets; /* a bit an attribute, in (attribute_count + 63) / 64 words each; NULL:
                             one set of all */
    int32_t set_count;
    tacit_strview person;      /* column of the original that says whose the rows are; empty: each
                                  is somebody's own */
    bool rows_are_people;      /* and that was said, not only assumed */
    const tacit_strview *kept; /* released columns that must say what the original says */
    size_t kept_count;
    const tacit_strview *changed; /* and those that are released under other names for the same
                                     values: pseudonyms */
    size_t changed_count;
    const tacit_strview *gone; /* identifiers that must not be there, or only as pseudonyms */
    size_t gone_count;
    bool shards_hidden; /* nobody who may read the release learns which shard a row is in */
    bool rows_may_go;   /* suppressed rows are left out */
    int64_t max_gone;   /* no more of them than that */
} tacit_engine_promise;

enum { TACIT_ENGINE_PROBLEMS = 16 };

typedef struct tacit_engine_verdict {
    bool holds;
    int64_t rows, released; /* of the data, and of the release */
    int64_t classes;        /* of all quasi-identifiers together */
    int64_t smallest;       /* people in the smallest class of any set */
    int64_t values;         /* pairs of a value and what it was released as, that were checked */
    int problem_count;      /* of those that are listed */
    char problems[TACIT_ENGINE_PROBLEMS][256];
} tacit_engine_verdict;

tacit_status tacit_audit_engine(tacit_engine_verdict *out, tacit_engine *engine,
                                const tacit_engine_promise *promise, const tacit_run *run,
                                tacit_error *err);

/* A shard: its own three tables, which are what a promise's are elsewhere. */
typedef struct tacit_engine_shard {
    tacit_engine *engine;
    tacit_place_name original, staged, release;
} tacit_engine_shard;

/* The same of a release in shards. Each is asked for its own rows, and what is promised of them all
 * is added up at the engine that knows the shards. `smallest` may then be less than the people of
 * the smallest class where people have several rows, never more. */
tacit_status tacit_audit_shards(tacit_engine_verdict *out, const tacit_engine_shard *shards,
                                int32_t count, tacit_engine *engine,
                                const tacit_engine_promise *promise, const tacit_run *run,
                                tacit_error *err);

/* Looks at the shards of a release through that engine, as recipients will: nothing but rows and
 * classes can be seen from there. Adds to the verdict. */
tacit_status tacit_audit_published(tacit_engine_verdict *verdict, tacit_engine *engine,
                                   const tacit_place_name *shards, int32_t count,
                                   const tacit_engine_promise *promise, const tacit_run *run,
                                   tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
