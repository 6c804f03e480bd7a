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

typedef struct engine_inplace {
    engine_session *session;
    engine_release release; /* policy, promise, frame, solution; its table holds combinations */
    engine_ledger ledger;   /* none */
    tacit_engine *engine;
    tacit_place_name target;
    tacit_engine_columns columns; /* of the data */
    tacit__strbuf text;           /* the combinations as CSV */
    uint32_t *repeats;            /* rows of each */
    int64_t rows;                 /* of all */
    int64_t combinations;
    bool needs_codes; /* what a row is released as depends on its class, not on its values alone */
    bool drawn;       /* and of some classes on the row, which is drawn */
    char made[40];    /* what the release is called before it appears */
    tacit_engine_attribute attributes[TACIT_MAX_QUASI];
    tacit_strview *kept, *changed, *gone; /* names of columns; borrowed */
    size_t kept_count, changed_count, gone_count;
    tacit_engine_verdict verdict;
} engine_inplace;

/* Whether a job of that input is done inside an engine. */
bool engine_is_inplace(const engine_settings *settings);

/* Refuses what cannot be done inside an engine. */
tacit_status engine_inplace_check(const engine_inplace *in);

/* Connects, checks the policy against the table, and counts its combinations. */
tacit_status engine_inplace_read(engine_inplace *in);

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
