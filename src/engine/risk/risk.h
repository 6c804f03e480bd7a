/*
 * risk.h - `tacit risk` at work: its state, which risk.c fills step by step and facts.c, files.c
 * and drawings.c only read.
 *
 * Nothing here shows a value of the data, but for the file of --values, which was
 * asked for. Records are named by their row, counted from 1.
 */
#ifndef TACIT_ENGINE_RISK_RISK_H
#define TACIT_ENGINE_RISK_RISK_H

#include "engine/job/csv.h"
#include "engine/job/files.h"
#include "engine/job/session.h"

enum {
    ENGINE_FIRST = 10, /* of a ranking, those that are shown */
    ENGINE_RANKS = TACIT_RANK_GROUP + 1,
    ENGINE_RISK_STEPS = 3,
    ENGINE_RISK_FILES = 5 /* tables that may be asked for */
};

/* Columns that say something of the rows, and are not looked at themselves. */
typedef enum engine_risk_aside {
    ENGINE_RISK_WEIGHTS, /* people of the population that a row stands for */
    ENGINE_RISK_PERSON,  /* whose the row is */
    ENGINE_RISK_HOUSEHOLD,
    ENGINE_RISK_ASIDES
} engine_risk_aside;

/* The items with the smallest keys; of equal ones those that were offered first. */
typedef struct engine_first {
    uint32_t items[ENGINE_FIRST];
    int64_t keys[ENGINE_FIRST];
    int count;
} engine_first;

typedef struct engine_risks {
    engine_session *session;
    const char *data; /* the file of the records */
    tacit_policy *policy;
    bool settled;       /* the columns are known and checked */
    bool all_columns;   /* nobody said which: all but those that seem to name people */
    char left_out[256]; /* the names of these; empty: none */
    const char *aside_names[ENGINE_RISK_ASIDES]; /* NULL: none */
    int32_t asides[ENGINE_RISK_ASIDES];          /* columns of the table; -1: none */
    int32_t columns[TACIT_UNIQUES_COLUMNS];
    int32_t column_count;
    tacit_missing missing;
    tacit_uniques_options wanted;
    tacit_sample sample;
    double fraction;           /* for DIS */
    const char *fraction_from; /* where it comes from, in words */
    int32_t combined;          /* columns in a set of the table of combinations; 0: no table */
    int model;                 /* of population uniques: a tacit_loglinear; -1: none */
    int rank;                  /* order of --records: a tacit_unique_rank; -1: as in the data */

    tacit_table *table;
    double *weights;
    tacit_distinct *distinct;
    bool *repeats;       /* a row each, where a column says whose the rows are */
    tacit_risk *sampled; /* by classes, as of a sample */
    tacit_linked_risk *linked[ENGINE_RISK_ASIDES]; /* of people and households; NULL: not asked */
    tacit_loglinear_risk modelled;                 /* where a model is wanted */
    tacit_uniques *uniques;
    const tacit_uniques_summary *summary;
    tacit_suda *suda;
    tacit_contributions *contributions;
    tacit_clusters *clusters;
    tacit_combinations *combinations; /* NULL: no table */
    const char *stopped;              /* by what, where the search was; NULL: it was not */

    int64_t above;                            /* records whose individual risk is above the
                                                 threshold */
    engine_first rows[ENGINE_RANKS];          /* rows by each measure, from 0 */
    engine_first largest;                     /* clusters of most records */
    engine_first best[TACIT_UNIQUES_COLUMNS]; /* by size - 1: combinations of most records */
    int32_t order[TACIT_UNIQUES_COLUMNS];     /* columns, the most contributing first */
    double shares[TACIT_UNIQUES_COLUMNS];     /* of the score of all sets, a column each */
    double seconds[ENGINE_RISK_STEPS];
    engine_csv *tables[ENGINE_RISK_FILES]; /* NULL: not asked for */
} engine_risks;

extern const char *const engine_risk_steps[ENGINE_RISK_STEPS];
/* Reads the options, or refuses what makes no sense, before the data is read. */
tacit_status engine_risk_plan(engine_risks *risk);

/* The columns that are looked at, once the header is known. */
tacit_status engine_risk_settle(engine_risks *risk, const tacit_table *table);

/* Leaves out columns that name people, where nobody said which columns to look at,
 * once the data has been read. */
tacit_status engine_risk_leave_out(engine_risks *risk);

/* Opens the tables, so that nobody waits for a long search to learn that one cannot be written;
 * and writes them. */
tacit_status engine_risk_open(engine_risks *risk);
tacit_status engine_risk_tables(const engine_risks *risk);

/* The option that names a table to write. */
const char *engine_risk_file(int index);

/* The facts; the subject is an engine_risks. */
extern const engine_reports engine_risk_reports;

/* How far a search has come that was stopped; cut to size, returns text. */
const char *engine_risk_stopped(char *text, size_t size, const engine_risks *risk);

/* The option that names a column aside. */
const char *engine_risk_aside_option(int aside);

/* The name of the log-linear model. */
const char *engine_risk_model(const engine_risks *risk);

tacit_strview engine_risk_column(const engine_risks *risk, int32_t index);

/* Sets of columns of up to this size have all been looked for. */
int32_t engine_risk_complete(const engine_risks *risk);

/* Names of a set's columns with something between, for people; cut to size. */
const char *engine_risk_set(char *text, size_t size, const engine_risks *risk, uint64_t set,
                            const char *between);

double engine_percent(int64_t part, int64_t whole);

/* The charts of the page. */
void engine_risk_draw_sizes(tacit_page *page, const void *subject);
void engine_risk_draw_contributions(tacit_page *page, const void *subject);
void engine_risk_draw_combinations(tacit_page *page, const void *subject);

#endif
