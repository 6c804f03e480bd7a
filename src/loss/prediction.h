/*
 * prediction.h - a model of one attribute by the others, learned from one of the tables and tried
 * on records of the original that it was not shown.
 */
#ifndef TACIT_LOSS_PREDICTION_H
#define TACIT_LOSS_PREDICTION_H

#include "loss/loss.h"

typedef struct tacit__prediction {
    const tacit__loss_frame *frame;
    const tacit__loss_column *target;
    int which;      /* the table that is learned from */
    int64_t *train; /* rows of it that have the target */
    int64_t train_count;
    const int64_t *test; /* rows of the original that have it, all held out */
    int64_t test_count;
    uint32_t **read; /* by attribute and code of the original: the category that such a value has
                        in the release; NULL where that is not learned from */
} tacit__prediction;

/* Whether an attribute is learned from: all of the original, of the release what can be read. */
static inline bool tacit__prediction_uses(const tacit__prediction *p, int32_t attribute)
{
    const tacit__loss_column *column = &p->frame->columns[attribute];
    return column != p->target && (p->which == TACIT__ORIGINAL || tacit__loss_readable(column));
}

/* The category of a held-out record, in the terms of the table that was learned from. */
static inline uint32_t tacit__prediction_category(const tacit__prediction *p, int32_t attribute,
                                                  int64_t row)
{
    const tacit__loss_side *original = &p->frame->columns[attribute].sides[TACIT__ORIGINAL];
    return p->which == TACIT__ORIGINAL ? tacit__loss_category(original, row)
                                       : p->read[attribute][tacit_codes_at(original->codes, row)];
}

/* Whether a record of the original is held out, a third of them, or taken at all, where that is a
 * share of them. Rows that are made up follow the original's. */
bool tacit__held_out(uint64_t seed, int64_t row);
bool tacit__is_taken(uint64_t seed, int64_t row, double share);

/* There are rows to learn from and to be tried on. Accuracy: the share that is right; error: the
 * root of the mean square. */
tacit_status tacit__bayes(double *accuracy, const tacit__prediction *p, tacit_error *err);
tacit_status tacit__least_squares(double *error, const tacit__prediction *p, tacit_error *err);

#endif
