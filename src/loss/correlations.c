/*
 * correlations.c - how numbers hang together, before and after: covariances, correlations, and the
 * eigenvalues of the correlations, as sdcMicro's dUtility compares them.
 *
 * A covariance is over the rows in which both attributes are numbers, around each attribute's own
 * mean, so rows that lack another value still count. An attribute whose numbers are all the same in
 * the original, or of which the release has fewer than two, has no part in it; one that is constant
 * only in the release correlates with nothing there.
 *
 * Eigenvalues come from Jacobi's rotations: each makes one pair of entries beside the diagonal
 * zero, and sweeps over all pairs go on until nothing is left there. It converges for every
 * symmetric matrix, quadratically in the end, which takes six to ten sweeps of size^3 steps;
 * matrices of this room have at most 64 rows.
 *
 * Cost: a pass over the rows of each table for every pair of attributes; pairs are done side by
 * side.
 */
#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "loss/loss.h"

enum { MAX_SWEEPS = 60 };

/* Rotates rows and columns p and q so that their entry vanishes. */
static void rotate(double *a, int size, int p, int q)
{
    double off = a[p * size + q];
    if (off == 0) /* exactly: there is nothing to rotate, and nothing to divide by */
        return;
    double theta = (a[q * size + q] - a[p * size + p]) / (2 * off);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < size; k++) {
        double x = a[k * size + p], y = a[k * size + q];
        a[k * size + p] = c * x - s * y;
        a[k * size + q] = s * x + c * y;
    }
    for (int k = 0; k < size; k++) {
        double x = a[p * size + k], y = a[q * size + k];
        a[p * size + k] = c * x - s * y;
        a[q * size + k] = s * x + c * y;
    }
}

static bool is_diagonal(const double *a, int size)
{
    double beside = 0, all = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            all += a[i * size + j] * a[i * size + j];
            beside += i != j ? a[i * size + j] * a[i * size + j] : 0;
        }
    return beside <= 1e-30 * all;
}

void tacit__eigenvalues(double *values, double *matrix, int size)
{
    for (int sweep = 0; sweep < MAX_SWEEPS && !is_diagonal(matrix, size); sweep++)
        for (int p = 0; p < size; p++)
            for (int q = p + 1; q < size; q++)
                rotate(matrix, size, p, q);
    for (int i = 0; i < size; i++) {
        double value = matrix[i * size + i];
        int at = i;
        for (; at > 0 && values[at - 1] < value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

typedef struct matrices {
    const tacit__loss_frame *frame;
    int32_t columns[TACIT_LOSS_CORRELATED];
    int size;
    double *covariances[2];
    double *correlations[2];
} matrices;

static void choose_columns(matrices *m)
{
    for (int32_t i = 0; i < m->frame->count && m->size < TACIT_LOSS_CORRELATED; i++) {
        const tacit__loss_column *column = &m->frame->columns[i];
        if (column->out->numeric && tacit__loss_readable(column) && column->sides[0].variance > 0 &&
            !isnan(column->sides[1].variance))
            m->columns[m->size++] = i;
    }
}

static double covariance(const tacit__loss_frame *frame, int which, const tacit__loss_side *a,
                         const tacit__loss_side *b)
{
    double sum = 0, weight = 0, rows = 0;
    for (int64_t row = 0; row < frame->rows[which]; row++) {
        double x = tacit__loss_number(a, row), y = tacit__loss_number(b, row);
        if (isnan(x) || isnan(y))
            continue;
        double w = tacit__loss_weight(frame, which, row);
        sum += w * (x - a->mean) * (y - b->mean);
        weight += w;
        rows++;
    }
    return rows > 1 && weight > 0 ? sum / weight * (rows / (rows - 1)) : 0;
}

/* The task-th pair of the lower triangle, diagonal included, on each side in turn. */
static tacit_status fill_pair(void *context, int64_t task, int worker, tacit_error *err)
{
    matrices *m = context;
    int which = (int)(task % 2), pair = (int)(task / 2), i = 0;
    (void)worker, (void)err;
    for (; pair > i; i++)
        pair -= i + 1;
    const tacit__loss_side *a = &m->frame->columns[m->columns[i]].sides[which];
    const tacit__loss_side *b = &m->frame->columns[m->columns[pair]].sides[which];
    double value = i == pair ? a->variance : covariance(m->frame, which, a, b);
    double scale = sqrt(a->variance * b->variance), r = i == pair;
    if (i != pair && scale > 0)
        r = fmin(fmax(value / scale, -1), 1);
    m->covariances[which][i * m->size + pair] = m->covariances[which][pair * m->size + i] = value;
    m->correlations[which][i * m->size + pair] = m->correlations[which][pair * m->size + i] = r;
    return TACIT_OK;
}

/* Of an attribute, and of all pairs. */
static void compare_entries(const matrices *m, tacit_loss *out)
{
    double covariances = 0, correlations = 0, pairs = m->size * (m->size - 1) / 2.0;
    for (int i = 0; i < m->size; i++) {
        double sum = 0;
        for (int j = 0; j < m->size; j++) {
            int at = i * m->size + j;
            double scale =
                sqrt(m->covariances[0][i * m->size + i]) * sqrt(m->covariances[0][j * m->size + j]);
            double apart = fabs(m->correlations[1][at] - m->correlations[0][at]);
            sum += apart;
            if (j < i) {
                covariances += fabs(m->covariances[1][at] - m->covariances[0][at]) / scale;
                correlations += apart;
            }
        }
        if (m->size > 1)
            m->frame->columns[m->columns[i]].out->correlation_change = sum / (m->size - 1);
    }
    if (m->size > 1) {
        out->covariance_change = covariances / pairs;
        out->correlation_change = correlations / pairs;
    }
}

/* Uses the correlations up. An eigenvalue of 0, where one attribute follows from others, has
 * nothing to be compared by. */
static void compare_eigenvalues(const matrices *m, tacit_loss *out)
{
    double values[2][TACIT_LOSS_CORRELATED], sum = 0;
    for (int which = 0; which < 2; which++)
        tacit__eigenvalues(values[which], m->correlations[which], m->size);
    out->eigen_first = fabs(values[1][0] - values[0][0]) / values[0][0];
    for (int i = 0; i < m->size; i++)
        sum += values[0][i] > 1e-9 * m->size ? fabs(values[1][i] - values[0][i]) / values[0][i] : 0;
    out->eigen_all = sum;
}

tacit_status tacit__loss_correlations(tacit__loss_frame *frame, tacit_error *err)
{
    matrices m = {.frame = frame};
    tacit_status status = TACIT_OK;
    choose_columns(&m);
    frame->out->correlated = m.size;
    if (m.size < 2)
        return TACIT_OK;
    for (int which = 0; which < 2 && status == TACIT_OK; which++) {
        size_t size = (size_t)m.size * (size_t)m.size;
        m.covariances[which] = tacit__alloc_array(size, sizeof(double));
        m.correlations[which] = tacit__alloc_array(size, sizeof(double));
        status = m.covariances[which] && m.correlations[which] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(frame->run, "comparing correlations",
                                 (int64_t)m.size * (m.size + 1), fill_pair, &m, err);
    if (status == TACIT_OK) {
        compare_entries(&m, frame->out);
        compare_eigenvalues(&m, frame->out);
    }
    for (int which = 0; which < 2; which++) {
        tacit__free(m.covariances[which]);
        tacit__free(m.correlations[which]);
    }
    return status;
}
