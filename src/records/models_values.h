/*
 * models_values.h - how often each value of a sensitive column occurs in each
 * base class, and in groups of classes.
 */
#ifndef TACIT_SRC_RECORDS_MODELS_VALUES_H
#define TACIT_SRC_RECORDS_MODELS_VALUES_H

#include <tacit/records.h>

/* Zero-initialized is empty. The values of class c are pairs starts[c] up to
 * starts[c + 1]. */
typedef struct tacit__values {
    int32_t column;
    uint32_t codes; /* of the column; missing is the last */
    uint32_t *starts;
    uint32_t *codes_of; /* a pair each */
    uint32_t *counts;   /* a pair each: rows of the class that have the value */
    uint32_t *totals;   /* a code each: rows of the table that have it */
} tacit__values;

/* Counts a column; class_of has an entry a row. */
tacit_status tacit__values_init(tacit__values *values, const tacit_frame *frame, int32_t column,
                                const uint32_t *class_of, int64_t classes, const tacit_run *run,
                                tacit_error *err);
void tacit__values_clear(tacit__values *values);

/* Distinct numbers (codes of values, or what they generalize to) and how often
 * each occurs. */
typedef struct tacit__histogram_view {
    const uint32_t *numbers;
    const uint32_t *counts; /* never 0 */
    int64_t distinct;
    int64_t rows; /* sum of the counts */
} tacit__histogram_view;

/* Room for a histogram in the making. */
typedef struct tacit__tally {
    uint32_t *place; /* number -> its place + 1 in the lists; zeros between histograms */
    uint32_t *numbers;
    uint32_t *counts;
} tacit__tally;

tacit_status tacit__tally_init(tacit__tally *tally, size_t numbers, tacit_error *err);
void tacit__tally_clear(tacit__tally *tally);

/* The values of a group of classes; good until the tally is used again. */
tacit__histogram_view tacit__values_gather(const tacit__values *values, tacit__tally *tally,
                                           const uint32_t *members, int64_t count);

/* A histogram with each number replaced by up[number]; the same tally may hold it
 * already. */
tacit__histogram_view tacit__histogram_raise(const tacit__histogram_view *from, const uint32_t *up,
                                             tacit__tally *tally);

#endif
