/*
 * keep.h - whether sensitive values that occur so often keep a model.
 */
#ifndef TACIT_RECORDS_MODELS_KEEP_H
#define TACIT_RECORDS_MODELS_KEEP_H

#include <tacit/experimental/records.h>

/* How often each value of a sensitive column occurs in each
 * base class, and in groups of classes. */

/* A value, by its code or by the number of what it generalizes to, and how often
 * it occurs: never 0 times. */
typedef struct tacit__occurrence {
    uint32_t number;
    uint32_t count;
} tacit__occurrence;

/* Zero-initialized is empty. The values of class c are entries starts[c] up to
 * starts[c + 1]. */
typedef struct tacit__values {
    int32_t column;
    int grid;            /* of models.c; -1: values are as they are */
    tacit_spread spread; /* of the numbers, on a grid */
    uint32_t codes;      /* of the column; missing is the last. On a grid, its stretches */
    uint32_t places;     /* in order: how many of these are numbers, the first ones, ascending */
    double *numbers;     /* a place each; NULL where values are in no order */
    uint32_t *starts;
    tacit__occurrence *entries;
    uint32_t *totals; /* a code each: rows of the table that have it */
} tacit__values;

/* Counts a column; class_of has an entry a row. */
tacit_status tacit__values_init(tacit__values *values, const tacit_frame *frame, int32_t column,
                                const uint32_t *class_of, int64_t classes, const tacit_run *run,
                                tacit_error *err);
void tacit__values_clear(tacit__values *values);

/* Puts map[code] in the place of every code; there are `count` such numbers. */
tacit_status tacit__values_recode(tacit__values *values, const uint32_t *map, uint32_t count,
                                  int64_t classes, tacit_error *err);

/* The values of a group of rows, each once. */
typedef struct tacit__histogram_view {
    const tacit__occurrence *entries;
    int64_t distinct;
    int64_t rows; /* sum of the counts */
} tacit__histogram_view;

/* Room for a histogram in the making. */
typedef struct tacit__model_tally {
    uint32_t *place; /* number -> its place + 1 in the entries; zeros between histograms */
    tacit__occurrence *entries;
} tacit__model_tally;

tacit_status tacit__model_tally_init(tacit__model_tally *tally, size_t numbers, tacit_error *err);
void tacit__model_tally_clear(tacit__model_tally *tally);

/* The values of a group of classes; good until the tally is used again. */
tacit__histogram_view tacit__values_gather(const tacit__values *values, tacit__model_tally *tally,
                                           const uint32_t *members, int64_t count);

/* ---- */

/* What classes are held against for t-closeness: the shares of the whole table,
 * on each level that distances distinguish. Zero-initialized is empty. */
typedef struct tacit__models_shares {
    int levels;                      /* 1 where all distances are equal */
    double *of[TACIT_MAX_LEVELS];    /* by number on a level, missing the last */
    size_t counts[TACIT_MAX_LEVELS]; /* of these */
    uint32_t *up[TACIT_MAX_LEVELS];  /* number on a level -> on the next; none for the last */
    uint32_t values;                 /* of the lowest level that the table has */
    double *up_to;                   /* in order: the share of numbers up to each place */
    double *sums;                    /* of those before each place, and of all */
    double *memory;                  /* that these lie in */
    uint32_t *up_memory;
} tacit__models_shares;

/* Shares of the column's values, where all distances are equal (hierarchy NULL),
 * or in a hierarchy. */
tacit_status tacit__shares_init(tacit__models_shares *shares, const tacit__values *values,
                                const tacit_hierarchy *hierarchy, tacit_error *err);
void tacit__shares_clear(tacit__models_shares *shares);

/* Whether a histogram of these values keeps a model; `shares` where it compares with the table.
 * The tally is for levels above the histogram's own. */
bool tacit__keeps(const tacit_model_bound *bound, const tacit__histogram_view *histogram,
                  const tacit__values *values, const tacit__models_shares *shares,
                  tacit__model_tally *tally);

/* By how much a value may grow under a bound on likeness, in times of its share. */
double tacit__allowed_gain(const tacit_model_bound *bound, double share);

/* Fewer rows than that break a model of values, whatever theirs are (least.c). */
int64_t tacit__least_rows(const tacit_model_bound *bound, const tacit__models_shares *shares);

/* Whether `rows` rows that cover `people` of the population keep a model of it. */
bool tacit__keeps_population(const tacit_model_bound *bound, int64_t rows, int64_t people);

#endif
