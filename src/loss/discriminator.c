/*
 * discriminator.c - how well released records can be told from original ones: pMSE, the propensity
 * score measure of Woo, Reiter, Oganian and Karr (2009), and its ratio to what is expected of a
 * release drawn from where the original comes from (Snoke, Raab, Nowok, Dibben and Slavkovic 2018).
 *
 * Both tables are stacked and a logistic regression says of each row how likely it is released. Its
 * terms are main effects (terms.c). What they do not show (which values go together) is for the
 * margins.
 *
 * Of long tables a part is taken, the same each time: a row from each of as many equal stretches,
 * at a place in it that a hash decides.
 *
 * The regression is fitted by Newton's method (iteratively reweighted least squares), with a light
 * ridge: where the two kinds can be told apart by a term, its coefficient would grow without end.
 * Rows are cut into a fixed number of stretches, each with sums of its own, which are then added up
 * in order: the result is the same for any number of threads. A row adds to as many entries of the
 * matrix as it has pairs of terms, so the cost is rows times (attributes)^2 for a step, however
 * many categories there are, and terms^3 for solving. A step that makes the fit worse is halved.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "loss/loss.h"

enum { STRETCHES = 32, MAX_STEPS = 40, MAX_HALVINGS = 30 };

static const double ridge = 0.01;

typedef struct fit {
    const tacit__fit_rows *rows;
    const tacit_run *run;
    int terms;
    double share;          /* of the weight, that is released */
    double *coefficients;  /* where the sums are taken */
    double *best;          /* the coefficients so far */
    double *sums;          /* a stretch after the other: see below */
    double *step, *matrix; /* of the equations */
} fit;

/* A stretch: the log-likelihood, weight, weight released, sum of (p - c)^2, then the gradient,
 * then the matrix, lower triangle by rows. */
enum { LIKELIHOOD, WEIGHT, RELEASED, SQUARES, GRADIENT };

static size_t sums_size(int terms)
{
    return (size_t)GRADIENT + (size_t)terms + (size_t)terms * ((size_t)terms + 1) / 2;
}

double tacit__fit_predict(const double *coefficients, const tacit__fit_row *row)
{
    double sum = coefficients[0];
    for (int i = 0; i < row->count; i++)
        sum += coefficients[row->terms[i]] * row->values[i];
    return sum;
}

/* Adds value times the row to a row of the matrix. */
static void add_products(double *matrix, const tacit__fit_row *row, int32_t term, double value)
{
    double *line = matrix + (size_t)term * ((size_t)term + 1) / 2;
    line[0] += value;
    for (int i = 0; i < row->count; i++)
        if (row->terms[i] <= term)
            line[row->terms[i]] += value * row->values[i];
}

void tacit__fit_add(double *sums, double *matrix, const tacit__fit_row *row, double value,
                    double square)
{
    sums[0] += value;
    matrix[0] += square;
    for (int i = 0; i < row->count; i++) {
        sums[row->terms[i]] += value * row->values[i];
        add_products(matrix, row, row->terms[i], square * row->values[i]);
    }
}

static void add_row(const fit *f, double *sums, const tacit__fit_row *row)
{
    double eta = tacit__fit_predict(f->coefficients, row), p = 1 / (1 + exp(-eta)), w = row->weight;
    double residual = w * ((row->released ? 1 : 0) - p), curve = w * p * (1 - p);
    double *gradient = sums + GRADIENT, *matrix = gradient + f->terms;
    double log_one_plus = eta > 0 ? eta + log1p(exp(-eta)) : log1p(exp(eta));
    sums[LIKELIHOOD] += w * ((row->released ? eta : 0) - log_one_plus);
    sums[WEIGHT] += w;
    sums[RELEASED] += row->released ? w : 0;
    sums[SQUARES] += w * (p - f->share) * (p - f->share);
    tacit__fit_add(gradient, matrix, row, residual, curve);
}

static tacit_status add_stretch(void *context, int64_t task, int worker, tacit_error *err)
{
    const fit *f = context;
    double *sums = f->sums + (size_t)task * sums_size(f->terms);
    int64_t from = f->rows->count * task / STRETCHES, to = f->rows->count * (task + 1) / STRETCHES;
    tacit__fit_row row;
    (void)worker, (void)err;
    memset(sums, 0, sums_size(f->terms) * sizeof *sums);
    for (int64_t i = from; i < to; i++) {
        row.count = 0;
        f->rows->row(&row, f->rows->subject, i);
        add_row(f, sums, &row);
    }
    return TACIT_OK;
}

/* Sums at the coefficients; the first stretch has those of all. */
static tacit_status add_up(fit *f, tacit_error *err)
{
    size_t size = sums_size(f->terms);
    tacit_status status =
        tacit__parallel(f->run, "fitting the discriminator", STRETCHES, add_stretch, f, err);
    for (int stretch = 1; stretch < STRETCHES && status == TACIT_OK; stretch++)
        for (size_t i = 0; i < size; i++)
            f->sums[i] += f->sums[(size_t)stretch * size + i];
    return status;
}

/* The log-likelihood less the ridge. */
static double worth(const fit *f)
{
    double squares = 0;
    for (int i = 1; i < f->terms; i++)
        squares += f->coefficients[i] * f->coefficients[i];
    return f->sums[LIKELIHOOD] - ridge * squares / 2;
}

/* By Cholesky's decomposition, in place. */
void tacit__fit_solve(double *x, double *a, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * ((size_t)i + 1) / 2;
        for (int j = 0; j <= i; j++) {
            const double *other = a + (size_t)j * ((size_t)j + 1) / 2;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / other[j];
        }
        for (int k = 0; k < i; k++)
            x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= a[(size_t)k * ((size_t)k + 1) / 2 + (size_t)i] * x[k];
        x[i] /= a[(size_t)i * ((size_t)i + 3) / 2];
    }
}

static void find_step(fit *f)
{
    size_t n = (size_t)f->terms;
    memcpy(f->step, f->sums + GRADIENT, n * sizeof *f->step);
    memcpy(f->matrix, f->sums + GRADIENT + n, n * (n + 1) / 2 * sizeof *f->matrix);
    for (size_t i = 1; i < n; i++) {
        f->step[i] -= ridge * f->coefficients[i];
        f->matrix[i * (i + 3) / 2] += ridge;
    }
    tacit__fit_solve(f->step, f->matrix, f->terms);
}

/* Goes the step from the best so far, or as much of it as makes the fit no worse. */
static tacit_status go_step(fit *f, double *length, tacit_error *err)
{
    double before = worth(f), part = 1;
    tacit_status status = TACIT_OK;
    *length = 0;
    for (int i = 0; i < f->terms; i++)
        *length = fmax(*length, fabs(f->step[i]));
    for (int halving = 0; halving < MAX_HALVINGS; halving++, part /= 2) {
        for (int i = 0; i < f->terms; i++)
            f->coefficients[i] = f->best[i] + part * f->step[i];
        status = add_up(f, err);
        if (status != TACIT_OK || worth(f) >= before - 1e-12 * fabs(before))
            return status;
    }
    memcpy(f->coefficients, f->best, (size_t)f->terms * sizeof *f->best);
    *length = 0;
    return add_up(f, err);
}

/* Starts where nothing can be told: there identical tables end at once. */
static tacit_status start(fit *f, tacit_error *err)
{
    memset(f->coefficients, 0, (size_t)f->terms * sizeof *f->coefficients);
    tacit_status status = add_up(f, err);
    if (status != TACIT_OK)
        return status;
    f->share = f->sums[RELEASED] / f->sums[WEIGHT];
    f->coefficients[0] = log(f->share / (1 - f->share));
    return add_up(f, err);
}

static tacit_status climb(fit *f, tacit_error *err)
{
    tacit_status status = start(f, err);
    double length = 1;
    for (int i = 0; i < MAX_STEPS && length > 1e-6 && status == TACIT_OK; i++) {
        memcpy(f->best, f->coefficients, (size_t)f->terms * sizeof *f->best);
        find_step(f);
        status = go_step(f, &length, err);
    }
    return status;
}

tacit_status tacit__fit_pmse(double *pmse, const tacit__fit_rows *rows, const tacit_run *run,
                             tacit_error *err)
{
    fit f = {.rows = rows, .run = run, .terms = rows->terms, .share = 0.5};
    size_t terms = (size_t)rows->terms;
    tacit_status status = TACIT_OK;
    f.coefficients = tacit__alloc_zeroed(terms, sizeof *f.coefficients);
    f.best = tacit__alloc_zeroed(terms, sizeof *f.best);
    f.step = tacit__alloc_zeroed(terms, sizeof *f.step);
    f.matrix = tacit__alloc_array(terms * (terms + 1) / 2, sizeof *f.matrix);
    f.sums = tacit__alloc_array(STRETCHES * sums_size(f.terms), sizeof *f.sums);
    if (!f.coefficients || !f.best || !f.step || !f.matrix || !f.sums)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = climb(&f, err);
    if (status == TACIT_OK)
        *pmse = f.sums[SQUARES] / f.sums[WEIGHT];
    tacit__free(f.coefficients);
    tacit__free(f.best);
    tacit__free(f.step);
    tacit__free(f.matrix);
    tacit__free(f.sums);
    return status;
}

typedef struct stack {
    const tacit__loss_frame *frame;
    tacit__loss_terms *terms;
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

static void stacked_row(tacit__fit_row *out, const void *subject, int64_t i)
{
    const stack *s = subject;
    int which = i < s->taken[0] ? TACIT__ORIGINAL : TACIT__RELEASE;
    int64_t row = row_at(s, which, which == TACIT__ORIGINAL ? i : i - s->taken[0]);
    out->released = which == TACIT__RELEASE;
    out->weight = out->released ? s->weight * tacit__loss_weight(s->frame, which, row) : 1;
    for (int32_t c = 0; c < s->frame->count; c++) {
        const tacit__loss_terms *t = &s->terms[c];
        if (!t->column)
            continue;
        const tacit__loss_side *side = &t->column->sides[which];
        tacit__terms_add(out, t, tacit__loss_category(side, row),
                         t->linear ? tacit__loss_number(side, row) : NAN);
    }
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
    for (int32_t i = 0; i < frame->count && status == TACIT_OK; i++) {
        if (tacit__loss_readable(&frame->columns[i]))
            status = tacit__terms_choose(&s.terms[i], &s.term_count, frame, i,
                                         TACIT__OF_ORIGINAL | TACIT__OF_RELEASE, err);
    }
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
