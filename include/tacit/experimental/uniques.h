/*
 * uniques.h - who stands out: which records few others share their values with,
 * through which columns, how badly, and which columns and values are to blame.
 *
 * A record is k-unique on a set of columns if at most k records, itself
 * included, have its values there. A prime implicant of a record is such a set
 * that is minimal: on every set with a column fewer more than k records match
 * (k-unique records, KIMAS 2003). At k = 1 these are the minimal sample uniques
 * that SUDA scores.
 *
 *   tacit_distinct_new      the table's distinct combinations of some columns
 *   tacit_uniques_new       every prime implicant of every record
 *   tacit_clusters_new, tacit_contributions_new, tacit_suda_new   what follows from them
 *   tacit_risk_new          risk where the records are a sample of a population
 *   tacit_linked_risk_new   of people with several rows, and of households
 *   tacit_loglinear_risk_of population uniques among the sample's, by a log-linear model
 *   tacit_counted_of        population uniques from published counts, without records
 *   tacit_combinations_new  how many records each small set of columns singles out
 *
 * Everything here counts rows, unless tacit_sample says which repeat. Records are named by their
 * row, from 0; columns by their place in the list that was given, and sets of columns by bits: bit
 * i is the i-th column of that list.
 */
#ifndef TACIT_UNIQUES_H
#define TACIT_UNIQUES_H

#include <tacit/experimental/model.h>
#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_UNIQUES_COLUMNS = 64 }; /* at most */

/* What a missing value matches. */
typedef enum tacit_missing {
    TACIT_MISSING_VALUE = 0, /* other missing values only: missing is a value like any other */
    TACIT_MISSING_ANY        /* every value, on either side: records match on a column unless both
                                have a value there and the values differ. A record's prime
                                implicants then never hold a column that it misses. */
} tacit_missing;

/* The distinct combinations of values in some columns, each with its rows. */
typedef struct tacit_distinct tacit_distinct;

/* The columns are coded; the table must outlive the result. */
tacit_status tacit_distinct_new(tacit_distinct **out, const tacit_table *table,
                                const int32_t *columns, int32_t count, tacit_missing missing,
                                const tacit_run *run, tacit_error *err);
void tacit_distinct_free(tacit_distinct *distinct);

const tacit_table *tacit_distinct_table(const tacit_distinct *distinct);
int32_t tacit_distinct_columns(const tacit_distinct *distinct);
int32_t tacit_distinct_column(const tacit_distinct *distinct, int32_t index); /* of the table */

int64_t tacit_distinct_count(const tacit_distinct *distinct);
int64_t tacit_distinct_of(const tacit_distinct *distinct, int64_t row);

/* The rows of a combination, ascending. */
typedef struct tacit_rows_view {
    const uint32_t *rows;
    int64_t count;
} tacit_rows_view;

tacit_rows_view tacit_distinct_rows(const tacit_distinct *distinct, int64_t combination);

/* What is looked for. */
typedef struct tacit_uniques_options {
    int64_t k;        /* at least 1 */
    int32_t max_size; /* columns in a set, at most; 0: any number */
    size_t memory;    /* bytes that the search and its result may take; 0: TACIT_UNIQUES_MEMORY */
} tacit_uniques_options;

#define TACIT_UNIQUES_MEMORY ((size_t)2 << 30)

/* k = 1, sets of any size, the default memory. */
void tacit_uniques_options_init(tacit_uniques_options *options);

typedef struct tacit_uniques tacit_uniques;

/* A prime implicant of some record. */
typedef struct tacit_unique_set {
    uint64_t columns;
    int64_t records; /* that have its values there, at most k */
} tacit_unique_set;

/* What was found. A search that was stopped has found every set of up to
 * `complete` columns and lists no larger one. */
typedef struct tacit_uniques_summary {
    int64_t rows;
    int64_t k;
    int64_t at_risk;       /* rows with a prime implicant */
    int64_t sets;          /* prime implicants, of all rows together */
    int64_t by_size[65];   /* prime implicants by their number of columns */
    int64_t by_fewest[65]; /* rows at risk by the columns of their smallest one */
    int32_t complete;      /* sets of up to so many columns are all there */
    tacit_status end;      /* TACIT_OK: all that was asked for; TACIT_LIMIT: the memory was not
                              enough for larger sets; TACIT_CANCELLED: the progress callback
                              asked to stop */
} tacit_uniques_summary;

/* Finds all prime implicants. The combinations must outlive the result. A search
 * that runs out of memory or time gives what it has, and summary.end says so;
 * TACIT_LIMIT or TACIT_CANCELLED comes back only where there is nothing to give. */
tacit_status tacit_uniques_new(tacit_uniques **out, const tacit_distinct *distinct,
                               const tacit_uniques_options *options, const tacit_run *run,
                               tacit_error *err);
void tacit_uniques_free(tacit_uniques *uniques);

const tacit_distinct *tacit_uniques_distinct(const tacit_uniques *uniques);
const tacit_uniques_summary *tacit_uniques_summarize(const tacit_uniques *uniques);

/* The prime implicants of a row: the smallest sets first, among those of a size
 * the one with the earliest columns. */
typedef struct tacit_unique_sets_view {
    const tacit_unique_set *sets;
    int64_t count;
} tacit_unique_sets_view;

tacit_unique_sets_view tacit_uniques_of(const tacit_uniques *uniques, int64_t row);

/* The measures of novelty of a row. Zeros where it has no prime implicant. */
typedef struct tacit_unique_measures {
    int32_t fewest; /* columns of its smallest prime implicant */
    int64_t sets;   /* its prime implicants */
    int64_t group;  /* records that share one of them with it, itself included: the fewest */
} tacit_unique_measures;

tacit_unique_measures tacit_uniques_measure(const tacit_uniques *uniques, int64_t row);

typedef enum tacit_unique_rank {
    TACIT_RANK_FEWEST = 0, /* fewest columns first */
    TACIT_RANK_SETS,       /* most prime implicants first */
    TACIT_RANK_GROUP       /* smallest group first */
} tacit_unique_rank;

/* The rows at risk in the order of a measure, equal ones as in the table, into
 * rows with room for summary.at_risk of them. */
tacit_status tacit_uniques_rank(uint32_t *rows, const tacit_uniques *uniques, tacit_unique_rank by,
                                tacit_error *err);

/* Rows by prime implicant, the paper's Table 7: for each set of columns that is
 * one, the rows that it is one of. Sets are in the order of tacit_uniques_of. */
typedef struct tacit_clusters {
    int64_t count;
    uint64_t *columns; /* a set each */
    int64_t *starts;   /* where its rows start in rows; count + 1 entries */
    uint32_t *rows;    /* ascending in each set */
} tacit_clusters;

tacit_status tacit_clusters_new(tacit_clusters **out, const tacit_uniques *uniques,
                                tacit_error *err);
void tacit_clusters_free(tacit_clusters *clusters);

/* What a column, or a value in it, contributes. */
typedef struct tacit_contribution {
    int64_t rows; /* at risk with a prime implicant that holds the column */
    int64_t only; /* of them, those all of whose prime implicants hold it: without
                     the column they would not be at risk */
    int64_t sets; /* prime implicants that hold it */
    double score; /* SUDA score of these, (columns - size)! each */
} tacit_contribution;

typedef struct tacit_contributions {
    double total; /* score of all prime implicants */
    int32_t column_count;
    tacit_contribution *columns; /* a column each */
    tacit_contribution **values; /* a column each: by code, missing last */
} tacit_contributions;

tacit_status tacit_contributions_new(tacit_contributions **out, const tacit_uniques *uniques,
                                     tacit_error *err);
void tacit_contributions_free(tacit_contributions *contributions);

/* How SUDA scores a set of s of m columns. */
typedef enum tacit_suda_kind {
    TACIT_SUDA_ELLIOT = 0, /* (m - s)!, as Elliot and others have it */
    TACIT_SUDA_IHSN        /* (2^(m - s) - 1) s! (m - s)! / m!, as the IHSN's program had it */
} tacit_suda_kind;

/* SUDA scores, and DIS-SUDA scores: the score turned into a probability of
 * disclosure by the sampling fraction (Skinner and Elliot's DIS). Meant for k = 1
 * and sets of any size. */
typedef struct tacit_suda {
    double fraction;
    int64_t count;
    double *scores; /* a combination each; see tacit_distinct_of. 0: not at risk */
    double *dis;    /* the same */
    double total;   /* of the scores of all rows */
    double highest; /* score */
    double highest_dis;
    double file_dis; /* DIS of the file: chance that a unique match is right */
} tacit_suda;

/* fraction: of the population that was sampled, above 0 and at most 1. */
tacit_status tacit_suda_new(tacit_suda **out, const tacit_uniques *uniques, tacit_suda_kind kind,
                            double fraction, tacit_error *err);
void tacit_suda_free(tacit_suda *suda);

/* The share of each column in a row's score, into shares with room for a column
 * each. A set counts for each of its columns, so they sum to more than 1. */
void tacit_suda_shares(double *shares, const tacit_uniques *uniques, tacit_suda_kind kind,
                       int64_t row);

/* The sample, and how risk is computed from it. */
typedef struct tacit_sample {
    const double *weights; /* a row each: people of the population that it stands for; or NULL */
    const bool *repeats;   /* a row each: whether its person has an earlier row of the same values,
                              which is the one that counts; or NULL: every row counts */
    double fraction;       /* without weights: share of the population that was sampled; 1: all */
    bool exact;            /* individual risk of classes of three or more exactly, not by the usual
                              approximation */
    double threshold;      /* of risk, above which a record counts as at risk */
} tacit_sample;

/* Everybody is in the table, the approximation, a threshold of 0.2. */
void tacit_sample_init(tacit_sample *sample);

/* The numbers of a coded column as weights, for tacit_sample; the caller frees
 * them with tacit_weights_free. Errors name the line. */
tacit_status tacit_weights_new(double **out, const tacit_table *table, int32_t column,
                               tacit_error *err);
void tacit_weights_free(double *weights);

/* Which rows repeat a combination of the person whom a coded column names, for
 * tacit_sample; the caller frees it with tacit_repeats_free. A row that names nobody
 * is somebody else's. */
tacit_status tacit_repeats_new(bool **out, const tacit_distinct *distinct, int32_t column,
                               tacit_error *err);
void tacit_repeats_free(bool *repeats);

/* Three ways of attacking, as El Emam has them and ARX names them. */
typedef struct tacit_attacker {
    double records_at_risk; /* share of the records whose risk is above the threshold */
    double highest;         /* risk of any record */
    double success;         /* share of the records that is found on average */
} tacit_attacker;

/* Risk of a sample. Frequencies are of all columns together, by combination. */
typedef struct tacit_risk {
    int64_t rows;      /* that count */
    int64_t classes;   /* distinct combinations */
    int64_t alone;     /* rows that match no other */
    int64_t pairs;     /* rows that match one other */
    double population; /* people in it, by weights or fraction */
    int64_t count;
    int64_t *own;       /* a combination each: its rows that count */
    int64_t *sample;    /* a combination each: rows that match it (f) */
    double *people;     /* a combination each: people that match it, estimated (F) */
    double *individual; /* a combination each: risk of Benedetti and Franconi */
    double expected;    /* re-identifications: the sum of it over all rows */
    double highest;
    tacit_attacker prosecutor; /* knows that the person is in the data */
    tacit_attacker journalist; /* does not know it */
    double marketer;           /* success of one who tries everybody */
    /* People who are unique in the population, estimated; NAN where the model
     * does not fit the data. Missing is a value in them. */
    double pitman, zayatz, snb;
    double dankar;                       /* by the rule of Dankar and others */
    tacit_uniqueness_model dankar_model; /* which the rule chose */
    double skinner; /* chance that a unique match is right (Skinner and Elliot) */
} tacit_risk;

tacit_status tacit_risk_new(tacit_risk **out, const tacit_distinct *distinct,
                            const tacit_sample *sample, const tacit_run *run, tacit_error *err);
void tacit_risk_free(tacit_risk *risk);

/* Share of a population that is unique in it, of which a sample has classes of these sizes, in any
 * order and none of them 0, and is that fraction. 0 where no class has one row; NAN where the model
 * does not fit. */
tacit_status tacit_uniqueness_of(double *share, const uint32_t *sizes, int64_t count,
                                 tacit_uniqueness_model model, double fraction, tacit_error *err);

/* Risk of rows that go together: those of a person, or of a household. Whoever finds one
 * of them has found all, so the unit's risk is 1 minus the product of (1 - risk) over its
 * rows, and each of them has it: sdcMicro's hierarchical risk. */
typedef struct tacit_linked_risk {
    int64_t units;         /* people or households; a row that names none is one of its own */
    int64_t most;          /* rows that count of a unit: the largest number */
    int64_t rows;          /* all of the table's */
    double *risk;          /* a row each: that of its unit */
    double expected;       /* rows re-identified, sum of the risks of those that count */
    double expected_units; /* units with a row re-identified, sum of their risks */
    double highest;
} tacit_linked_risk;

/* Of the individual risks of `risk` by the units of a coded column. `repeats` as given to
 * tacit_risk_new, or NULL. */
tacit_status tacit_linked_risk_new(tacit_linked_risk **out, const tacit_risk *risk,
                                   const tacit_distinct *distinct, const bool *repeats,
                                   int32_t column, tacit_error *err);
void tacit_linked_risk_free(tacit_linked_risk *linked);

/* What the logarithm of how often a combination is expected is the sum of. */
typedef enum tacit_loglinear {
    TACIT_LOGLINEAR_MAIN = 0, /* effects of single values: columns are independent */
    TACIT_LOGLINEAR_PAIRS     /* and of all pairs of values */
} tacit_loglinear;

enum { TACIT_LOGLINEAR_CELLS = 1 << 20 }; /* of the table that pairs are fitted on, at most */

/* Sample uniques by a log-linear model of the population (Skinner and Shlomo 2008). */
typedef struct tacit_loglinear_risk {
    int64_t uniques;           /* rows that match no other */
    double population_uniques; /* of them, expected to match nobody else in the population: tau1 */
    double matches;            /* of them, expected to be matched correctly: tau2 */
    int64_t cells;             /* of the table that was fitted; 0: a closed form */
    int64_t rounds;            /* of fitting */
    double deviation;          /* how far fitted sums were off at the last round, in people */
    bool settled;              /* they were no further off than rounding */
} tacit_loglinear_risk;

/* By the frequencies of `risk`, where missing is a value of its own. TACIT_INVALID where the table
 * would have more than TACIT_LOGLINEAR_CELLS cells. */
tacit_status tacit_loglinear_risk_of(tacit_loglinear_risk *out, const tacit_risk *risk,
                                     const tacit_distinct *distinct, tacit_loglinear model,
                                     const tacit_run *run, tacit_error *err);

/* How many records a set of columns singles out. */
typedef struct tacit_combination {
    uint64_t columns;
    int64_t alone;  /* rows that match no other on them */
    int64_t within; /* rows that at most k match, themselves included */
} tacit_combination;

/* Every set of up to max_size columns, the smallest first, then in the order of
 * columns: the table of Figure 16. */
typedef struct tacit_combinations {
    int64_t rows;
    int64_t k;
    int64_t count;
    tacit_combination *sets;
} tacit_combinations;

enum { TACIT_MAX_COMBINATIONS = 1 << 24 };

/* TACIT_LIMIT where there are more than TACIT_MAX_COMBINATIONS sets. */
tacit_status tacit_combinations_new(tacit_combinations **out, const tacit_distinct *distinct,
                                    int32_t max_size, int64_t k, const tacit_run *run,
                                    tacit_error *err);
void tacit_combinations_free(tacit_combinations *combinations);

/* The same from the prime implicants, which is much faster, for sets of no more
 * than summary.complete columns. Where k is not 1, alone is -1: it is not known. */
tacit_status tacit_combinations_of(tacit_combinations **out, const tacit_uniques *uniques,
                                   int32_t max_size, const tacit_run *run, tacit_error *err);

/* ---- published counts ---- */

#define TACIT_COUNTED_MOST 1e12 /* people of a group, and values */

/* A row is a group of people, such as those of a postcode and an age group. */
typedef struct tacit_counted_case {
    int32_t people; /* column: how many they are; coded */
    int32_t values; /* column, coded: how many values can be told apart in the group, such as the
                       years of its ages; -1: one */
    double times;   /* and times so many, such as 730: days of a year, and sexes; above 0 */
    int64_t k;      /* 1 or more */
} tacit_counted_case;

typedef struct tacit_counted {
    int64_t groups;        /* that have people */
    int64_t unknown;       /* rows without a number, which are left out */
    double people;         /* in all groups */
    int64_t likely_groups; /* of no more people than values */
    double likely;         /* their people: likely unique (Sweeney) */
    double unique;         /* people expected to be alone with their value, all values being as
                              likely as each other */
    double below;          /* expected to have it with at most k - 1 others */
} tacit_counted;

/* TACIT_PARSE, with the line, where a cell is no number. */
tacit_status tacit_counted_of(tacit_counted *out, const tacit_table *table,
                              const tacit_counted_case *c, tacit_error *err);

/* Of a group the people expected to share their value with at most k - 1 others. */
double tacit_counted_alone(double people, double values, int64_t k);

#ifdef __cplusplus
}
#endif
#endif
