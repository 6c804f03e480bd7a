/*
 * logistic.c - logistic regression by Newton's method (iteratively reweighted
 * least squares), with a light ridge: where the two kinds can be told apart by
 * a term, its coefficient would grow without end.
 *
 * Rows are cut into a fixed number of stretches, each with sums of its own,
 * which are then added up in order: the result is the same for any number of
 * threads. A row adds to as many entries of the matrix as it has pairs of
 * terms, so the cost is rows times (attributes)^2 for a step, however many
 * categories there are, and terms^3 for solving. A step that makes the fit
 * worse is halved.
 */
#include "loss/logistic.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { STRETCHES = 32, MOST_STEPS = 40, MOST_HALVINGS = 30 };

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

static double predictor(const fit *f, const tacit__fit_row *row)
{
    double eta = f->coefficients[0];
    for (int i = 0; i < row->count; i++)
        eta += f->coefficients[row->terms[i]] * row->values[i];
    return eta;
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

static void add_row(const fit *f, double *sums, const tacit__fit_row *row)
{
    double eta = predictor(f, row), p = 1 / (1 + exp(-eta)), w = row->weight;
    double residual = w * ((row->released ? 1 : 0) - p), curve = w * p * (1 - p);
    double *gradient = sums + GRADIENT, *matrix = gradient + f->terms;
    double log_one_plus = eta > 0 ? eta + log1p(exp(-eta)) : log1p(exp(eta));
    sums[LIKELIHOOD] += w * ((row->released ? eta : 0) - log_one_plus);
    sums[WEIGHT] += w;
    sums[RELEASED] += row->released ? w : 0;
    sums[SQUARES] += w * (p - f->share) * (p - f->share);
    gradient[0] += residual;
    matrix[0] += curve;
    for (int i = 0; i < row->count; i++) {
        gradient[row->terms[i]] += residual * row->values[i];
        add_products(matrix, row, row->terms[i], curve * row->values[i]);
    }
}

static tacit_status add_stretch(void *context, int64_t task, int worker, tacit_error *err)
{
    const fit *f = context;
    double *sums = f->sums + (size_t)task * sums_size(f->terms);
    int64_t from = f->rows->count * task / STRETCHES, to = f->rows->count * (task + 1) / STRETCHES;
    tacit__fit_row row;
    (void)worker;
    (void)err;
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

/* Cholesky's decomposition in place, then the step from the gradient. */
static void solve(fit *f)
{
    int n = f->terms;
    double *a = f->matrix, *x = f->step;
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
    solve(f);
}

/* Goes the step from the best so far, or as much of it as makes the fit no worse. */
static tacit_status go_step(fit *f, double *length, tacit_error *err)
{
    double before = worth(f), part = 1;
    tacit_status status = TACIT_OK;
    *length = 0;
    for (int i = 0; i < f->terms; i++)
        *length = fmax(*length, fabs(f->step[i]));
    for (int halving = 0; halving < MOST_HALVINGS; halving++, part /= 2) {
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
    for (int i = 0; i < MOST_STEPS && length > 1e-6 && status == TACIT_OK; i++) {
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
