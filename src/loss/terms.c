/*
 * terms.c - what a regression sees of an attribute: a number, standardized by the original and cut
 * at five standard deviations, and its square; of others, and of labels among numbers, the most
 * frequent categories, a term each. The discriminator takes what either table has, a prediction
 * what the one has that it learns from.
 *
 * Cost: a pass over the distinct values, and one over the categories for each term.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "loss/loss.h"

enum { DUMMIES = 16 };

static const double farthest = 5;

static void add_term(tacit__fit_row *out, int32_t term, double value)
{
    if (term > 0) {
        out->terms[out->count] = term;
        out->values[out->count++] = value;
    }
}

void tacit__terms_add(tacit__fit_row *out, const tacit__loss_terms *t, uint32_t category,
                      double number)
{
    add_term(out, t->dummies[category], 1);
    if (t->linear && !isnan(number)) {
        double z = fmin(fmax((number - t->mean) / t->scale, -farthest), farthest);
        add_term(out, t->linear, z);
        add_term(out, t->square, z * z);
    }
}

/* Shares of the records of the tables that are looked at, by category. */
static void add_shares(double *shares, const tacit__loss_frame *frame,
                       const tacit__loss_column *column, unsigned of)
{
    for (int which = 0; which < 2; which++) {
        const tacit__loss_side *side = &column->sides[which];
        if (!(of & 1U << which))
            continue;
        for (uint32_t code = 0; code <= side->missing; code++)
            shares[side->categories[code]] += side->amounts[code] / frame->totals[which];
    }
}

/* The most frequent category that has no term yet, or -1. */
static int64_t most_frequent(const double *shares, const tacit__loss_terms *t, uint32_t from)
{
    int64_t best = -1;
    for (uint32_t i = from; i < t->column->categories; i++)
        if (shares[i] > 0 && !t->dummies[i] && (best < 0 || shares[i] > shares[best]))
            best = i;
    return best;
}

/* Gives the most frequent categories a term each. Of numbers, being one is what labels are
 * compared with; of others the most frequent is, or all that have no term. */
static void choose_dummies(tacit__loss_terms *t, int32_t *count, const double *shares)
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
    for (int i = 0; i < DUMMIES && *count < TACIT__FIT_TERMS; i++) {
        int64_t next = most_frequent(shares, t, from);
        if (next < 0)
            break;
        t->dummies[next] = (*count)++;
    }
}

/* Two different numbers lie on a line: their squares say nothing more. */
static void choose_powers(tacit__loss_terms *t, int32_t *count, unsigned of)
{
    const tacit__loss_side *before = &t->column->sides[0], *after = &t->column->sides[1];
    double variance = before->variance > 0 ? before->variance : after->variance;
    uint32_t numbers = of & TACIT__OF_ORIGINAL ? before->number_count : 0;
    if (of & TACIT__OF_RELEASE && after->number_count > numbers)
        numbers = after->number_count;
    if (!(variance > 0) || numbers < 1 || *count + 2 > TACIT__FIT_TERMS)
        return;
    t->mean = before->mean;
    t->scale = sqrt(variance);
    t->linear = (*count)++;
    if (numbers > 2)
        t->square = (*count)++;
}

tacit_status tacit__terms_choose(tacit__loss_terms *t, int32_t *count,
                                 const tacit__loss_frame *frame, int32_t index, unsigned of,
                                 tacit_error *err)
{
    const tacit__loss_column *column = &frame->columns[index];
    double *shares = tacit__alloc_zeroed(column->categories, sizeof *shares);
    t->dummies = tacit__alloc_zeroed(column->categories, sizeof *t->dummies);
    if (shares && t->dummies) {
        t->column = column;
        add_shares(shares, frame, column, of);
        if (column->out->numeric)
            choose_powers(t, count, of);
        choose_dummies(t, count, shares);
    }
    tacit__free(shares);
    return t->column ? TACIT_OK : tacit__nomem(err);
}
