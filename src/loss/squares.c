/*
 * squares.c - a number predicted by least squares on the terms of the other attributes (terms.c).
 * The number is standardized by the original; a light ridge keeps the equations solvable where
 * terms depend on each other. Cost: the records times the square of the attributes, and terms^3.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "loss/prediction.h"

static const double light_ridge = 0.01;

typedef struct squares {
    const tacit__prediction *p;
    tacit__loss_terms *terms; /* by attribute */
    int32_t term_count;
    double *sums, *matrix; /* of the equations; then the coefficients */
} squares;

static double standardized(const tacit__prediction *p, double number)
{
    const tacit__loss_side *original = &p->target->sides[TACIT__ORIGINAL];
    return (number - original->mean) / sqrt(original->variance);
}

static void learned_row(tacit__fit_row *out, const squares *s, int64_t row)
{
    out->count = 0;
    for (int32_t i = 0; i < s->p->frame->count; i++) {
        const tacit__loss_terms *t = &s->terms[i];
        if (!t->column)
            continue;
        const tacit__loss_side *side = &t->column->sides[s->p->which];
        tacit__terms_add(out, t, tacit__loss_category(side, row),
                         t->linear ? tacit__loss_number(side, row) : NAN);
    }
}

static void held_out_row(tacit__fit_row *out, const squares *s, int64_t row)
{
    out->count = 0;
    for (int32_t i = 0; i < s->p->frame->count; i++) {
        const tacit__loss_terms *t = &s->terms[i];
        if (!t->column)
            continue;
        uint32_t category = tacit__prediction_category(s->p, i, row);
        bool number = t->linear && category < t->column->domain;
        tacit__terms_add(out, t, category,
                         number ? tacit__loss_number(&t->column->sides[TACIT__ORIGINAL], row)
                                : NAN);
    }
}

static tacit_status choose(squares *s, tacit_error *err)
{
    const tacit__prediction *p = s->p;
    tacit_status status = TACIT_OK;
    s->terms = tacit__alloc_zeroed((size_t)p->frame->count, sizeof *s->terms);
    if (!s->terms)
        return tacit__nomem(err);
    for (int32_t i = 0; i < p->frame->count && status == TACIT_OK; i++)
        if (tacit__prediction_uses(p, i))
            status =
                tacit__terms_choose(&s->terms[i], &s->term_count, p->frame, i, 1U << p->which, err);
    return status;
}

static tacit_status solve_equations(squares *s, tacit_error *err)
{
    const tacit__prediction *p = s->p;
    size_t terms = (size_t)s->term_count;
    tacit__fit_row row;
    s->sums = tacit__alloc_zeroed(terms, sizeof *s->sums);
    s->matrix = tacit__alloc_zeroed(terms * (terms + 1) / 2, sizeof *s->matrix);
    if (!s->sums || !s->matrix)
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->train_count; i++) {
        double weight = tacit__loss_weight(p->frame, p->which, p->train[i]);
        double number = tacit__loss_number(&p->target->sides[p->which], p->train[i]);
        learned_row(&row, s, p->train[i]);
        tacit__fit_add(s->sums, s->matrix, &row, weight * standardized(p, number), weight);
    }
    for (size_t i = 1; i < terms; i++)
        s->matrix[i * (i + 3) / 2] += light_ridge;
    tacit__fit_solve(s->sums, s->matrix, s->term_count);
    return TACIT_OK;
}

static double root_mean_square(const squares *s)
{
    const tacit__prediction *p = s->p;
    const tacit__loss_side *original = &p->target->sides[TACIT__ORIGINAL];
    tacit__fit_row row;
    double sum = 0;
    for (int64_t i = 0; i < p->test_count; i++) {
        held_out_row(&row, s, p->test[i]);
        double apart = standardized(p, tacit__loss_number(original, p->test[i])) -
                       tacit__fit_predict(s->sums, &row);
        sum += apart * apart;
    }
    return sqrt(sum / (double)p->test_count * original->variance);
}

tacit_status tacit__least_squares(double *error, const tacit__prediction *p, tacit_error *err)
{
    squares s = {.p = p, .term_count = 1};
    tacit_status status = choose(&s, err);
    if (status == TACIT_OK)
        status = solve_equations(&s, err);
    if (status == TACIT_OK)
        *error = root_mean_square(&s);
    for (int32_t i = 0; s.terms && i < p->frame->count; i++)
        tacit__free(s.terms[i].dummies);
    tacit__free(s.terms);
    tacit__free(s.sums);
    tacit__free(s.matrix);
    return status;
}
