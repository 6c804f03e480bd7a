/*
 * loss.h - the inside of measuring, for the files of this room: attributes as the measures see
 * them, and what measures share.
 *
 * Every value of both tables gets a category. The first `domain` are the original's: its values or,
 * of numbers, bins. Then comes missing, then each released label that is none of these. Whatever is
 * counted is counted over categories; what needs numbers looks them up by code.
 *
 * Tallies are amounts by key, on two sides: cells of a two-way table, whole rows. Keys below a
 * stated bound that is small are places in an array; others are hashed, in a table that grows. Sums
 * are in the order of adding and the cells are gone through in an order that follows from it, so
 * results are the same wherever they are computed.
 */
#ifndef TACIT_LOSS_LOSS_H
#define TACIT_LOSS_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tacit/base.h>
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

/* Estimates by sampling weights of one attribute; nothing where there are no weights. */
tacit_status tacit__loss_estimate(tacit__loss_frame *frame, int32_t column, tacit_error *err);

/* Bars of before and after of one attribute. */
tacit_status tacit__loss_bars(tacit__loss_frame *frame, int32_t column, tacit_error *err);

/* Over all attributes. */
tacit_status tacit__loss_rows(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_correlations(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_margins(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_discriminator(tacit__loss_frame *frame, tacit_error *err);
tacit_status tacit__loss_prediction(tacit__loss_frame *frame, tacit_error *err);

/* Sampling weights checked and added up; then, in the end, what is said of all attributes. */
tacit_status tacit__loss_population(tacit__loss_frame *frame, tacit_error *err);
void tacit__loss_estimates_sum_up(tacit_loss *loss);

/* Eigenvalues of a symmetric matrix of size * size finite numbers, the largest first, into values.
 * The matrix is used up. */
void tacit__eigenvalues(double *values, double *matrix, int size);

enum { TACIT__FIT_TERMS = 256 };

/* A row: its terms that are not 0, the constant not among them. */
typedef struct tacit__fit_row {
    bool released; /* what is to be told */
    double weight;
    int count;
    int32_t terms[TACIT__FIT_TERMS]; /* from 1: the constant is term 0 */
    double values[TACIT__FIT_TERMS];
} tacit__fit_row;

typedef struct tacit__fit_rows {
    /* Sets count 0 to begin with; called from several threads. */
    void (*row)(tacit__fit_row *out, const void *subject, int64_t row);
    const void *subject;
    int64_t count;
    int terms; /* the constant included, up to TACIT__FIT_TERMS */
} tacit__fit_rows;

/* Adds value times the row to sums, and square times its products to the lower triangle of a
 * matrix, by rows. */
void tacit__fit_add(double *sums, double *matrix, const tacit__fit_row *row, double value,
                    double square);

/* Solves the equations of such a matrix, which is used up; x has the right side, then the
 * solution. */
void tacit__fit_solve(double *x, double *matrix, int terms);
double tacit__fit_predict(const double *coefficients, const tacit__fit_row *row);

/* The terms of an attribute; 0: none. */
typedef struct tacit__loss_terms {
    const tacit__loss_column *column; /* NULL: it has none at all */
    int32_t linear, square;
    double mean, scale;
    int32_t *dummies; /* by category */
} tacit__loss_terms;

enum { TACIT__OF_ORIGINAL = 1 << TACIT__ORIGINAL, TACIT__OF_RELEASE = 1 << TACIT__RELEASE };

/* Chooses terms for what the given tables have, numbered from count on. The caller frees dummies.
 */
tacit_status tacit__terms_choose(tacit__loss_terms *terms, int32_t *count,
                                 const tacit__loss_frame *frame, int32_t column, unsigned of,
                                 tacit_error *err);
void tacit__terms_add(tacit__fit_row *out, const tacit__loss_terms *terms, uint32_t category,
                      double number);

/* Fits the probability of being released, and gives the mean of (p - c)^2, c the share that is
 * released; both kinds of rows are there. */
tacit_status tacit__fit_pmse(double *pmse, const tacit__fit_rows *rows, const tacit_run *run,
                             tacit_error *err);

/* Fills in numbers, order and moments of a side whose amounts are there. Of the original only where
 * every value is a number and there is one: else numbers stays NULL. A number that is padded with
 * zeros ("02138") is a code and none. */
tacit_status tacit__loss_numbers(tacit__loss_frame *frame, int which, tacit__loss_side *side,
                                 tacit_error *err);

/* Ranks by code of those among `amounts` rows that are numbers, from 1; equal ones share the mean
 * of their ranks. */
void tacit__mid_ranks(double *ranks, const tacit__loss_side *side, const double *amounts);

typedef struct tacit__loss_tally {
    uint64_t *keys; /* NULL: cells are in the order of their keys */
    double (*amounts)[2];
    size_t capacity;
    size_t used; /* of hashed ones */
} tacit__loss_tally;

/* Keys are below bound, and none is UINT64_MAX. False: no memory. */
bool tacit__tally_init(tacit__loss_tally *tally, uint64_t bound);
void tacit__tally_clear(tacit__loss_tally *tally);

/* The cell of a hashed key, made where it is new; NULL: no memory. */
double *tacit__tally_hashed(tacit__loss_tally *tally, uint64_t key);

static inline bool tacit__tally_add(tacit__loss_tally *tally, uint64_t key, int side, double amount)
{
    double *cell = tally->keys ? tacit__tally_hashed(tally, key) : tally->amounts[key];
    if (cell)
        cell[side] += amount;
    return cell;
}

/* The key of the i-th of `capacity` cells, those that nothing was added to among them. */
static inline uint64_t tacit__tally_key(const tacit__loss_tally *tally, size_t i)
{
    return tally->keys ? tally->keys[i] : i;
}

#endif
