/*
 * keep.h - whether sensitive values that occur so often keep a model.
 */
#ifndef TACIT_RECORDS_MODELS_KEEP_H
#define TACIT_RECORDS_MODELS_KEEP_H

#include "records/models/values.h"

/* What classes are held against for t-closeness: the shares of the whole table,
 * on each level that distances distinguish. Zero-initialized is empty. */
typedef struct tacit__shares {
    int levels;                     /* 1 where all distances are equal */
    double *of[TACIT_MAX_LEVELS];   /* by number on a level, missing the last */
    uint32_t *up[TACIT_MAX_LEVELS]; /* number on a level -> on the next; none for the last */
    double *memory;                 /* that these lie in */
    uint32_t *up_memory;
} tacit__shares;

/* Shares of the column's values, where all distances are equal (hierarchy NULL),
 * or in a hierarchy. */
tacit_status tacit__shares_init(tacit__shares *shares, const tacit__values *values,
                                const tacit_hierarchy *hierarchy, tacit_error *err);
void tacit__shares_clear(tacit__shares *shares);

/* Whether a histogram keeps a model of sensitive values; `shares` where it is
 * about closeness. The tally is for levels above the histogram's own. */
bool tacit__keeps(const tacit_model_bound *bound, const tacit__histogram_view *histogram,
                  const tacit__shares *shares, tacit__model_tally *tally);

/* Whether `rows` rows that cover `people` of the population keep a model of it. */
bool tacit__keeps_population(const tacit_model_bound *bound, int64_t rows, int64_t people);

#endif
