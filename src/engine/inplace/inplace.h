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
    char name[72];
    tacit_engine_names leftovers; /* of runs that were killed; while sites are opened */
    const tacit_run *run;
    tacit_error *err;
    int64_t *shares; /* rows at the site of each part; NULL: all */
} engine_site;

/* What some rows of a class are released as; -1: as the levels say. */
typedef struct engine_part {
    int64_t class, outcome, rows;
} engine_part;

/* Attributes of classes in place; and combinations that are fetched unless told otherwise. */
enum { ENGINE_TALLIED = 64, ENGINE_FETCHED_UP_TO = 1000000 };

/* Classes that are counted in the engine and stay there (tallies.c). */
typedef struct engine_tallies {
    tacit_elsewhere there;
    uint32_t *ground[ENGINE_TALLIED]; /* rows of each value */
} engine_tallies;

struct engine_inplace {
    engine_session *session;
    engine_release release; /* policy, promise, frame, solution; its table holds combinations */
    engine_ledger ledger;   /* none */
    tacit_engine *engine;
    tacit_shards shards; /* none where the table is in one piece */
    engine_site *sites;  /* one, or one a shard */
    int32_t site_count;
    tacit_sql shape;              /* answers the released columns, each of its type */
    tacit_engine_names published; /* shards of releases that there were before */
    struct gathered *gathered;    /* while it is counted: what each site has said */
    tacit_place_name target;
    tacit_engine_columns columns; /* of the data */
    tacit__strbuf text;           /* the combinations as CSV */
    uint32_t *repeats;            /* rows of each */
    int64_t rows;                 /* of all */
    int64_t combinations;
    bool commits; /* the release of shards was asked to appear */
    bool stays;   /* combinations do not leave the engine */
    engine_tallies tallies;
    bool needs_codes; /* what a row is released as depends on its class, not on its values alone */
    engine_part *parts; /* of classes whose rows have several outcomes, which are drawn */
    size_t part_count;
    char start[40]; /* what names of releases start with that have not appeared */
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

/* A release of shards appears: at each of them under its own name, then as the target. */
tacit_status engine_sites_publish(engine_inplace *in);

/* Does something at each site, at all at once; the error is that of the first that failed. */
tacit_status engine_sites_each(engine_inplace *in, tacit_status (*what)(engine_site *site));

/* How many rows of each part are at which site: first each site says how many rows it has of each
 * class (an answer of class and rows), then they are divided by draws from the seed, so that each
 * row of a class is as likely as any other to have an outcome. */
tacit_status engine_sites_shares(engine_inplace *in);
tacit_status engine_site_take_count(void *site, const tacit_strview *cells, int32_t count,
                                    tacit_error *err);
tacit_status engine_sites_divide(engine_inplace *in);

/* ---- classes in place ---- */

/* Whether combinations stay: as --classes says, or by their number. */
tacit_status engine_tallies_choose(engine_inplace *in);

/* The values of each attribute with their numbers of rows; then, with hierarchies, the combinations
 * in the engine; what is suppressed, as the table of classes; and what that is worth. */
tacit_status engine_tallies_read(engine_inplace *in);
tacit_status engine_tallies_count(engine_inplace *in);
tacit_status engine_tallies_classes(engine_inplace *in);
tacit_status engine_tallies_measure(engine_inplace *in);
void engine_tallies_clear(engine_inplace *in);

/* ---- */

/* A table that was read from a text with commas, which outlives it. */
tacit_status engine_inplace_text(tacit_table **out, const tacit__strbuf *text, bool header_only,
                                 engine_inplace *in);
void engine_inplace_cell(tacit__strbuf *text, tacit_strview cell, bool first);

/* The whole number that a cell of an answer says; -1: none. */
int64_t engine_cell_number(tacit_strview cell);

/* A quasi-identifier's name, and the level that the solution's classes have it on. */
tacit_strview engine_quasi_name(const engine_inplace *in, int32_t i);
int engine_quasi_level(const engine_inplace *in, int32_t i);

/* Rows into a table of the run. */
typedef struct engine_loading {
    const engine_site *site;
    tacit_strview *cells;
    char (*digits)[24]; /* a cell each */
} engine_loading;

void engine_loading_number(engine_loading *l, int32_t at, int64_t number);
tacit_status engine_loading_row(engine_loading *l, int32_t count);

/* Makes a table and loads its rows, which `fill` puts out. Columns are cleared. No two rows have
 * the same key, a column's name, which may be NULL. */
tacit_status engine_site_load(const engine_site *site, const char *name, tacit_sql *columns,
                              const char *key, tacit_status (*fill)(engine_loading *l, int which),
                              int which, int32_t cells);

/* Makes the release of the solution under a name that is not the target's yet. */
tacit_status engine_inplace_make(engine_inplace *in);

/* What values were released as, for the data holder, as a file beside the release (mapping.c). */
tacit_status engine_inplace_mapping(engine_inplace *in);

/* The judge's look at shards of the release that are about to appear. */
tacit_status engine_inplace_look(engine_inplace *in, const tacit_place_name *shards);

/* What becomes of a column of the data, in the order of the table. */
tacit_replace engine_inplace_fate(const engine_inplace *in, tacit_strview name);

extern const engine_reports engine_inplace_reports;
extern const struct engine_kind engine_inplace_kind;

/* What the tables of the run are called. */
#define ENGINE_STAGED     "tacit staged"
#define ENGINE_STAGED_KEY "tacit key"

#endif
