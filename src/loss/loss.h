/*
 * loss.h - the inside of measuring, for the files of this room: attributes as
 * the measures see them.
 *
 * Every value of both tables gets a category. The first `domain` are the
 * original's: its values or, of numbers, bins. Then comes missing, then each
 * released label that is none of these. Whatever is counted is counted over
 * categories; what needs numbers looks them up by code.
 */
#ifndef TACIT_SRC_LOSS_LOSS_H
#define TACIT_SRC_LOSS_LOSS_H

#include <tacit/experimental/loss.h>

enum { TACIT__ORIGINAL = 0, TACIT__RELEASE = 1 };

/* A column of one of the tables. Arrays are by code; missing has the last one. */
typedef struct tacit__loss_side {
    int32_t column; /* -1: the release has none */
    uint32_t missing;
    tacit_codes_view codes;
    double *amounts;      /* rows, or weight of them */
    uint32_t *categories; /* NULL: the column is not there */
    double *numbers;      /* NAN: no number; NULL: the attribute is not numeric */
    uint32_t *order;      /* codes that are numbers, by size */
    uint32_t number_count;
    double rows;     /* that are numbers */
    double mean;     /* of these */
    double variance; /* NAN where there are fewer than two */
} tacit__loss_side;

typedef struct tacit__loss_column {
    tacit_loss_attribute *out;
    tacit__loss_side sides[2];
    double *cuts; /* between bins: a number above the i-th is above bin i */
    uint32_t cut_count;
    uint32_t domain;
    uint32_t categories;
    uint32_t *first_codes; /* of the release, by category less domain + 1: a code with the label */
} tacit__loss_column;

typedef struct tacit__loss_frame {
    const tacit_loss_case *c;
    const tacit_loss_options *options;
    const tacit_run *run;
    tacit_loss *out;
    tacit__loss_column *columns;
    int32_t count;
    int64_t rows[2];
    double totals[2]; /* rows of the original, weight of the release */
    uint32_t bins;    /* that so many rows allow */
} tacit__loss_frame;

static inline uint32_t tacit__loss_category(const tacit__loss_side *side, int64_t row)
{
    return side->categories[tacit_codes_at(side->codes, row)];
}

static inline double tacit__loss_number(const tacit__loss_side *side, int64_t row)
{
    return side->numbers[tacit_codes_at(side->codes, row)];
}

static inline uint32_t tacit__loss_origin(const tacit__loss_frame *frame, int64_t row)
{
    return frame->c->origin ? frame->c->origin[row] : (uint32_t)row;
}

static inline double tacit__loss_weight(const tacit__loss_frame *frame, int side, int64_t row)
{
    return side == TACIT__RELEASE && frame->c->weights ? frame->c->weights[row] : 1;
}

/* Whether the recipient has the column and can read it. */
static inline bool tacit__loss_readable(const tacit__loss_column *column)
{
    return !column->out->dropped && !column->out->opaque;
}

/* The steps, in this order; each fills in its part of frame->out. */

/* Counts, numbers, bins and categories of one attribute. */
tacit_status tacit__loss_prepare(tacit__loss_frame *frame, int32_t column, tacit_error *err);
void tacit__loss_column_clear(tacit__loss_column *column);

/* Entropy and mutual information of one attribute. */
tacit_status tacit__loss_information(tacit__loss_frame *frame, int32_t column, tacit_error *err);

/* Distances, moments and ranks of one numeric attribute. */
tacit_status tacit__loss_distances(tacit__loss_frame *frame, int32_t column, tacit_error *err);

/* Bars of before and after of one attribute. */
tacit_status tacit__loss_bars(tacit__loss_frame *frame, int32_t column, tacit_error *err);

/* Over all attributes. */
tacit_status tacit__loss_rows(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_correlations(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_margins(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_discriminator(tacit__loss_frame *frame, tacit_error *err);

#endif
