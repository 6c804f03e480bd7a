/*
 * inplace.h - a release that is made inside the engine that holds the data: its state, which the
 * steps of inplace.c fill in their order.
 *
 * What leaves the engine are the distinct combinations of quasi-identifiers with their numbers, the
 * people of each where the policy names them, the values of identifiers that get pseudonyms, and a
 * sample of columns that the policy does not name, to see whether they name people. Rows stay.
 */
#ifndef TACIT_ENGINE_INPLACE_INPLACE_H
#define TACIT_ENGINE_INPLACE_INPLACE_H

#include <tacit/experimental/audit_engine.h>

#include "engine/records/release.h"

typedef struct engine_inplace engine_inplace;

/* Where rows lie, and where their release is made: the engine, or a shard of the table. What is
 * done at several sites is done at the same time, so each has a run and an error of its own. */
typedef struct engine_site {
    engine_inplace *in;
    tacit_engine *engine;
    tacit_place_name data, made; /* the release is called so before it appears */
    const tacit_run *run;
    tacit_error *err;
    int64_t *shares; /* rows at the site of each part; NULL: all */
} engine_site;

/* What some rows of a class are released as; -1: as the levels say. */
typedef struct engine_part {
    int64_t class, outcome, rows;
} engine_part;

struct engine_inplace {
    engine_session *session;
    engine_release release; /* policy, promise, frame, solution; its table holds combinations */
    engine_ledger ledger;   /* none */
    tacit_engine *engine;
    tacit_shards shards; /* none where the table is in one piece */
    engine_site *sites;  /* one, or one a shard */
    int32_t site_count;
    struct gathered *gathered; /* while it is counted: what each site has said */
    tacit_place_name target;
    tacit_engine_columns columns; /* of the data */
    tacit__strbuf text;           /* the combinations as CSV */
    uint32_t *repeats;            /* rows of each */
    int64_t rows;                 /* of all */
    int64_t combinations;
    bool needs_codes; /* what a row is released as depends on its class, not on its values alone */
    engine_part *parts; /* of classes whose rows have several outcomes, which are drawn */
    size_t part_count;
    tacit_place_name made; /* what the release is called before it appears */
    tacit_engine_attribute attributes[TACIT_MAX_QUASI];
    tacit_strview *kept, *changed, *gone; /* names of columns; borrowed */
    size_t kept_count, changed_count, gone_count;
    tacit_engine_verdict verdict;
};

/* Whether a job of that input is done inside an engine. */
bool engine_is_inplace(const engine_settings *settings);

/* Refuses what cannot be done inside an engine. */
tacit_status engine_inplace_check(const engine_inplace *in);

/* Connects, checks the policy against the table, and counts its combinations. */
tacit_status engine_inplace_read(engine_inplace *in);

/* The sites of the table that the engine is connected to. */
tacit_status engine_sites_open(engine_inplace *in);
void engine_sites_clear(engine_inplace *in);

/* Has each keep its rows as they are, told apart by a key. */
tacit_status engine_sites_hold(engine_inplace *in);

/* Does something at each site, at all at once; the error is that of the first that failed. */
tacit_status engine_sites_each(engine_inplace *in, tacit_status (*what)(engine_site *site));

/* How many rows of each part are at which site: first each site says how many rows it has of each
 * class (an answer of class and rows), then they are divided by draws from the seed, so that each
 * row of a class is as likely as any other to have an outcome. */
tacit_status engine_sites_shares(engine_inplace *in);
tacit_status engine_site_take_count(void *site, const tacit_strview *cells, int32_t count,
                                    tacit_error *err);
tacit_status engine_sites_divide(engine_inplace *in);

/* Makes the release of the solution under a name that is not the target's yet. */
tacit_status engine_inplace_make(engine_inplace *in);

/* What becomes of a column of the data, in the order of the table. */
tacit_replace engine_inplace_fate(const engine_inplace *in, tacit_strview name);

extern const engine_reports engine_inplace_reports;
extern const struct engine_kind engine_inplace_kind;

/* What the tables of the run are called. */
#define ENGINE_STAGED     "tacit staged"
#define ENGINE_STAGED_KEY "tacit key"

#endif
