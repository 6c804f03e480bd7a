/*
 * discriminator.c - how well released records can be told from original ones:
 * pMSE, the propensity score measure of Woo, Reiter, Oganian and Karr (2009),
 * and its ratio to what is expected of a release drawn from where the original
 * comes from (Snoke, Raab, Nowok, Dibben and Slavkovic 2018).
 *
 * Both tables are stacked and a logistic regression says of each row how likely
 * it is released. Its terms are main effects: a number, standardized by the
 * original and cut at five standard deviations, and its square; of others, and
 * of labels among numbers, the most frequent categories. What the terms do not
 * show (which values go together) is for the margins.
 *
 * Of long tables a part is taken, the same each time: a row from each of as many
 * equal stretches, at a place in it that a hash decides.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "loss/logistic.h"
#include "loss/loss.h"

enum { DUMMIES = 16 };

static const double farthest = 5;

/* The terms of an attribute; 0: none. */
typedef struct terms {
    const tacit__loss_column *column;
    int32_t linear, square;
    double mean, scale;
    int32_t *dummies; /* by category */
} terms;

typedef struct stack {
    const tacit__loss_frame *frame;
    terms *terms;
    int32_t term_count;
    int64_t taken[2]; /* rows of each table */
    double weight;    /* that makes the mean weight of released rows 1 */
} stack;

static int64_t row_at(const stack *s, int which, int64_t i)
{
    int64_t taken = s->taken[which], rows = s->frame->rows[which];
    if (taken == rows)
        return i;
    double within = (double)(tacit__mix((uint64_t)i + 1) >> 11) * 0x1p-53;
    int64_t row = (int64_t)(((double)i + within) * ((double)rows / (double)taken));
    return row < rows ? row : rows - 1;
}

static void add_term(tacit__fit_row *out, int32_t term, double value)
{
    if (term > 0) {
        out->terms[out->count] = term;
        out->values[out->count++] = value;
    }
}

static void stacked_row(tacit__fit_row *out, const void *subject, int64_t i)
{
    const stack *s = subject;
    int which = i < s->taken[0] ? TACIT__ORIGINAL : TACIT__RELEASE;
    int64_t row = row_at(s, which, which == TACIT__ORIGINAL ? i : i - s->taken[0]);
    out->released = which == TACIT__RELEASE;
    out->weight = out->released ? s->weight * tacit__loss_weight(s->frame, which, row) : 1;
    for (int32_t c = 0; c < s->frame->count; c++) {
        const terms *t = &s->terms[c];
        if (!t->column)
            continue;
        const tacit__loss_side *side = &t->column->sides[which];
        add_term(out, t->dummies[tacit__loss_category(side, row)], 1);
        double number = t->linear ? tacit__loss_number(side, row) : NAN;
        if (!isnan(number)) {
            double z = fmin(fmax((number - t->mean) / t->scale, -farthest), farthest);
            add_term(out, t->linear, z);
            add_term(out, t->square, z * z);
        }
    }
}

/* Shares of the records of both tables, by category. */
static void add_shares(double *shares, const tacit__loss_frame *frame,
                       const tacit__loss_column *column)
{
    for (int which = 0; which < 2; which++) {
        const tacit__loss_side *side = &column->sides[which];
        for (uint32_t code = 0; code <= side->missing; code++)
            shares[side->categories[code]] += side->amounts[code] / frame->totals[which];
    }
}

/* The most frequent category that has no term yet, or -1. */
static int64_t most_frequent(const double *shares, const terms *t, uint32_t from)
{
    int64_t best = -1;
    for (uint32_t i = from; i < t->column->categories; i++)
        if (shares[i] > 0 && !t->dummies[i] && (best < 0 || shares[i] > shares[best]))
            best = i;
    return best;
}

/* Gives the most frequent categories a term each. Of numbers, being one is what labels are
 * compared with; of others the most frequent is, or all that have no term. */
static void choose_dummies(stack *s, terms *t, const double *shares)
{
    uint32_t from = t->column->out->numeric ? t->column->domain : 0, there = 0;
    for (uint32_t i = from; i < t->column->categories; i++)
        there += shares[i] > 0;
    int64_t base = -1;
    if (!t->column->out->numeric && there <= DUMMIES + 1) {
        base = most_frequent(shares, t, from);
        if (base >= 0)
            t->dummies[base] = -1;
    }
    for (int i = 0; i < DUMMIES && s->term_count < TACIT__FIT_TERMS; i++) {
        int64_t next = most_frequent(shares, t, from);
        if (next < 0)
            break;
        t->dummies[next] = s->term_count++;
    }
}

/* Two different numbers lie on a line: their squares say nothing more. */
static void choose_powers(stack *s, terms *t)
{
    const tacit__loss_side *before = &t->column->sides[0], *after = &t->column->sides[1];
    double variance = before->variance > 0 ? before->variance : after->variance;
    if (!(variance > 0) || s->term_count + 2 > TACIT__FIT_TERMS)
        return;
    t->mean = before->mean;
    t->scale = sqrt(variance);
    t->linear = s->term_count++;
    if (before->number_count > 2 || after->number_count > 2)
        t->square = s->term_count++;
}

static tacit_status choose_terms(stack *s, int32_t index, tacit_error *err)
{
    const tacit__loss_column *column = &s->frame->columns[index];
    terms *t = &s->terms[index];
    if (!tacit__loss_readable(column))
        return TACIT_OK;
    double *shares = tacit__alloc_zeroed(column->categories, sizeof *shares);
    t->dummies = tacit__alloc_zeroed(column->categories, sizeof *t->dummies);
    if (shares && t->dummies) {
        t->column = column;
        add_shares(shares, s->frame, column);
        if (column->out->numeric)
            choose_powers(s, t);
        choose_dummies(s, t, shares);
    }
    tacit__free(shares);
    return t->column ? TACIT_OK : tacit__nomem(err);
}

/* Both tables give the share of their rows that the limit leaves. */
static void take_rows(stack *s)
{
    const tacit__loss_frame *frame = s->frame;
    double all = (double)frame->rows[0] + (double)frame->rows[1];
    double part = fmin((double)frame->options->fit_rows / all, 1), weight = 0;
    for (int which = 0; which < 2; which++) {
        s->taken[which] =
            part < 1 ? (int64_t)((double)frame->rows[which] * part) : frame->rows[which];
        if (s->taken[which] < 1)
            s->taken[which] = 1;
    }
    for (int64_t i = 0; i < s->taken[1]; i++)
        weight += tacit__loss_weight(frame, TACIT__RELEASE, row_at(s, TACIT__RELEASE, i));
    s->weight = weight > 0 ? (double)s->taken[1] / weight : 0;
}

static void fill_in(const stack *s, tacit_loss *out, double pmse)
{
    double rows = (double)(s->taken[0] + s->taken[1]), c = (double)s->taken[1] / rows;
    out->fit_rows = s->taken[0] + s->taken[1];
    out->fit_sampled = out->fit_rows < s->frame->rows[0] + s->frame->rows[1];
    out->fit_terms = s->term_count;
    out->pmse = pmse;
    out->pmse_share = fmin(pmse / (c * (1 - c)), 1);
    out->pmse_expected = (s->term_count - 1) * (1 - c) * (1 - c) * c / rows;
    out->pmse_ratio = s->term_count > 1 ? pmse / out->pmse_expected : NAN;
}

tacit_status tacit__loss_discriminator(tacit__loss_frame *frame, tacit_error *err)
{
    stack s = {.frame = frame, .term_count = 1};
    tacit_status status = TACIT_OK;
    double pmse = 0;
    if (frame->totals[0] <= 0 || frame->totals[1] <= 0)
        return TACIT_OK;
    s.terms = tacit__alloc_zeroed((size_t)frame->count, sizeof *s.terms);
    if (!s.terms)
        return tacit__nomem(err);
    for (int32_t i = 0; i < frame->count && status == TACIT_OK; i++)
        status = choose_terms(&s, i, err);
    take_rows(&s);
    if (status == TACIT_OK && s.weight > 0)
        status = tacit__fit_pmse(
            &pmse, &(tacit__fit_rows){stacked_row, &s, s.taken[0] + s.taken[1], (int)s.term_count},
            frame->run, err);
    if (status == TACIT_OK && s.weight > 0)
        fill_in(&s, frame->out, pmse);
    for (int32_t i = 0; i < frame->count; i++)
        tacit__free(s.terms[i].dummies);
    tacit__free(s.terms);
    return status;
}
