/*
 * release_previous.h - a release that withstands being joined with earlier ones: the part of
 * `tacit anonymize` that takes the place of the search where there are some.
 */
#ifndef TACIT_ENGINE_RECORDS_RELEASE_PREVIOUS_H
#define TACIT_ENGINE_RECORDS_RELEASE_PREVIOUS_H

#include "engine/attacks/attack.h"

struct engine_release;

enum { ENGINE_WAY_COLUMNS, ENGINE_WAY_GENERALIZE, ENGINE_WAYS };

/* What came of one way. */
typedef struct engine_way {
    bool found;
    double cost;   /* on the scale of both */
    char why[256]; /* not found: why not */
} engine_way;

/* NULL in a release without earlier ones. */
typedef struct engine_previous {
    char **names; /* columns of the data that earlier releases show */
    size_t name_count;
    struct engine_release *wide; /* the release with every shared column as a quasi-identifier */
    int32_t places[TACIT_MAX_QUASI];      /* an attribute of the release each: of the wide one */
    int32_t wide_places[TACIT_MAX_QUASI]; /* the other way round, -1 for the columns that joined */
    tacit_previous **matched;             /* an earlier release each */
    size_t count;
    int64_t added; /* rows that no earlier release has */
    engine_way ways[ENGINE_WAYS];
    int chosen;  /* -1: not yet */
    bool hidden; /* by columns: those that joined are suppressed altogether */
} engine_previous;

/* Reads the earlier releases that the policy names, and refuses what cannot be done with any. */
tacit_status engine_previous_open(struct engine_release *release);

/* The same for what a ledger has recalled, once the data is read. */
tacit_status engine_previous_recalled(struct engine_release *release);
void engine_previous_clear(struct engine_release *release);

/* The columns that earlier releases show and the data has. header may be NULL. */
void engine_previous_needs(engine_needs *needs, const tacit_table *header,
                           const struct engine_release *release);

/* Matches the earlier releases to the data, with all columns that they share with it. */
tacit_status engine_previous_match(struct engine_release *release);

/* The search: both ways, and the one that loses less. */
tacit_status engine_previous_search(struct engine_release *release);

/* The release that is made: the given one, or the one with more columns in its
 * quasi-identifier. */
struct engine_release *engine_previous_made(struct engine_release *release);

/* Goes on with the columns where a release that generalizes earlier ones was refused with that
 * status, and says whether there is anything to go on with. */
bool engine_previous_fall_back(struct engine_release *release, tacit_status status);

/* By which way the release withstands being joined with earlier ones, what either way costs, and
 * how many rows are new; nothing without earlier releases. */
void engine_previous_facts(tacit_report *report, const struct engine_release *release);

#endif
