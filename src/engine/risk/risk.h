/*
 * risk.h - `tacit risk` at work: its state, which risk.c fills step by step
 * and the files that tell of it only read.
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
    const char *weights_name;
    int32_t weights_column; /* of the table; -1: none */
    int32_t columns[TACIT_UNIQUES_COLUMNS];
    int32_t column_count;
    tacit_missing missing;
    tacit_uniques_options wanted;
    tacit_sample sample;
    double fraction;           /* for DIS */
    const char *fraction_from; /* where it comes from, in words */
    int32_t combined;          /* columns in a set of the table of combinations; 0: no table */
    int rank;                  /* order of --records: a tacit_unique_rank; -1: as in the data */

    tacit_table *table;
    double *weights;
    tacit_distinct *distinct;
    tacit_risk *sampled; /* by classes, as of a sample */
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
extern const char *const engine_rank_names[ENGINE_RANKS];
extern const char *const engine_rank_words[ENGINE_RANKS];

/* Reads the options, or refuses what makes no sense, before the data is read. */
tacit_status engine_risk_plan(engine_risks *risk);

/* The columns that are looked at, once the header is known. */
tacit_status engine_risk_settle(engine_risks *risk, const tacit_table *table);

/* Leaves out columns that name people, where nobody said which columns to look at,
 * once the data has been read. */
tacit_status engine_risk_leave_out(engine_risks *risk);

/* What is shown of rankings and contributions. */
void engine_risk_rank(engine_risks *risk);

tacit_strview engine_risk_column(const engine_risks *risk, int32_t index);

/* Sets of columns of up to this size have all been looked for. */
int32_t engine_risk_complete(const engine_risks *risk);

/* A number of columns, with the word for them. */
typedef struct engine_columns_text {
    char text[24];
} engine_columns_text;
engine_columns_text engine_columns(int32_t count);

/* Names of a set's columns with something between, for people; cut to size. */
const char *engine_risk_set(char *text, size_t size, const engine_risks *risk, uint64_t set,
                            const char *between);

/* Rows, counted from 1, with commas between: the first `most` of count. */
const char *engine_risk_rows(char *text, size_t size, const uint32_t *rows, int64_t count,
                             int most);

double engine_percent(int64_t part, int64_t whole);

/* Which columns are looked at, where nobody said; and how far a search has come that
 * was stopped. */
const char *engine_risk_choice(char *text, size_t size, const engine_risks *risk);
const char *engine_risk_stopped(char *text, size_t size, const engine_risks *risk);

/* Who is at risk, in a sentence. */
const char *engine_risk_sentence(char *text, size_t size, const engine_risks *risk);

typedef void (*engine_line_fn)(void *to, const char *label, const char *text);

/* A line for each measure of risk: a label of one word, and what it says. */
void engine_risk_lines(const engine_risks *risk, engine_line_fn line, void *to);

/* Opens the tables, so that nobody waits for a long search to learn that one cannot
 * be written. */
tacit_status engine_risk_open(engine_risks *risk);

/* The account on the terminal, the tables, and the files of --report and --html. */
void engine_risk_tell(FILE *out, const engine_risks *risk);
extern const engine_reports engine_risk_reports;
tacit_status engine_risk_tables(const engine_risks *risk);
tacit_status engine_risk_report(const engine_risks *risk);

/* Fills the page for people; the subject is a engine_risks. */
void engine_risk_page(tacit_page *page, const void *subject);

/* The option that names a table to write. */
const char *engine_risk_file(int index);

#endif
