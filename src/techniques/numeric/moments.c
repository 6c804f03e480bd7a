/*
 * moments.c - means and covariances of columns of numbers, and roots of covariances.
 *
 * Two passes over the rows on all cores: sums, then products of what is left without the means. The
 * rows are cut into blocks by their number alone, and sums of blocks are added in order, so that
 * the last bit does not depend on threads. A pass costs rows x columns, the second times columns.
 */
#include "techniques/numeric/moments.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { MOST_BLOCKS = 256 };

typedef struct summing {
    const double *const *numbers;
    tacit__moments *moments;
    int64_t rows, block, blocks;
    int64_t *complete; /* rows of each block */
    double *sums;      /* of each block, width each */
    double *lows, *highs;
    size_t width;
} summing;

static bool is_complete(const summing *s, int64_t row)
{
    for (size_t i = 0; i < s->moments->count; i++)
        if (isnan(s->numbers[i][row]))
            return false;
    return true;
}

static tacit_status add_values(void *context, int64_t task, int worker, tacit_error *err)
{
    const summing *s = context;
    size_t count = s->moments->count, at = (size_t)task * count;
    int64_t from = task * s->block, to = from + s->block;
    (void)worker, (void)err;
    for (size_t i = 0; i < count; i++) {
        s->lows[at + i] = INFINITY;
        s->highs[at + i] = -INFINITY;
    }
    for (int64_t row = from; row < to && row < s->rows; row++) {
        if (!is_complete(s, row))
            continue;
        s->complete[task]++;
        for (size_t i = 0; i < count; i++) {
            double number = s->numbers[i][row];
            s->sums[at + i] += number;
            s->lows[at + i] = number < s->lows[at + i] ? number : s->lows[at + i];
            s->highs[at + i] = number > s->highs[at + i] ? number : s->highs[at + i];
        }
    }
    return TACIT_OK;
}

static tacit_status add_products(void *context, int64_t task, int worker, tacit_error *err)
{
    const summing *s = context;
    size_t count = s->moments->count;
    double *sums = s->sums + (size_t)task * s->width;
    double left[TACIT__MOST_TOGETHER];
    int64_t from = task * s->block, to = from + s->block;
    (void)worker, (void)err;
    for (int64_t row = from; row < to && row < s->rows; row++) {
        if (!is_complete(s, row))
            continue;
        double *sum = sums;
        for (size_t i = 0; i < count; i++) {
            left[i] = s->numbers[i][row] - s->moments->means[i];
            for (size_t j = 0; j <= i; j++)
                *sum++ += left[i] * left[j];
        }
    }
    return TACIT_OK;
}

static void finish_means(const summing *s)
{
    tacit__moments *m = s->moments;
    for (int64_t b = 0; b < s->blocks; b++)
        m->rows += s->complete[b];
    for (size_t i = 0; i < m->count; i++) {
        double sum = 0;
        m->lows[i] = INFINITY;
        m->highs[i] = -INFINITY;
        for (int64_t b = 0; b < s->blocks; b++) {
            size_t at = (size_t)b * m->count + i;
            sum += s->sums[at];
            m->lows[i] = fmin(m->lows[i], s->lows[at]);
            m->highs[i] = fmax(m->highs[i], s->highs[at]);
        }
        m->means[i] = m->lows[i] == m->highs[i] ? m->lows[i] : sum / (double)m->rows;
    }
}

static void finish_products(const summing *s)
{
    tacit__moments *m = s->moments;
    for (size_t i = 0, at = 0; i < m->count; i++)
        for (size_t j = 0; j <= i; j++, at++) {
            double sum = 0;
            for (int64_t b = 0; b < s->blocks; b++)
                sum += s->sums[(size_t)b * s->width + at];
            sum = m->rows > 1 ? sum / (double)(m->rows - 1) : 0;
            m->covariance[i * m->count + j] = m->covariance[j * m->count + i] = sum;
        }
}

static tacit_status sum_up(summing *s, const tacit_run *run, tacit_error *err)
{
    size_t count = s->moments->count, blocks = (size_t)s->blocks;
    s->complete = tacit__alloc_zeroed(blocks, sizeof *s->complete);
    s->lows = tacit__alloc_array(blocks * count, sizeof *s->lows);
    s->highs = tacit__alloc_array(blocks * count, sizeof *s->highs);
    s->sums = tacit__alloc_zeroed(blocks * s->width, sizeof *s->sums);
    if (!s->complete || !s->lows || !s->highs || !s->sums)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(run, "summing up", s->blocks, add_values, s, err);
    if (status != TACIT_OK)
        return status;
    finish_means(s);
    for (size_t i = 0; i < blocks * s->width; i++)
        s->sums[i] = 0;
    status = tacit__parallel(run, "summing up", s->blocks, add_products, s, err);
    if (status == TACIT_OK)
        finish_products(s);
    return status;
}

tacit_status tacit__moments_init(tacit__moments *moments, const tacit__sheet *sheet,
                                 const double *const *numbers, size_t count, tacit_error *err)
{
    summing s = {.numbers = numbers, .moments = moments, .rows = sheet->rows};
    int64_t stretches = (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    s.block = (stretches + MOST_BLOCKS - 1) / MOST_BLOCKS * TACIT__STRETCH;
    s.blocks = s.block ? (sheet->rows + s.block - 1) / s.block : 0;
    s.width = count * (count + 1) / 2;
    *moments = (tacit__moments){.count = count};
    moments->means = tacit__alloc_zeroed(count, sizeof *moments->means);
    moments->lows = tacit__alloc_zeroed(count, sizeof *moments->lows);
    moments->highs = tacit__alloc_zeroed(count, sizeof *moments->highs);
    moments->covariance = tacit__alloc_zeroed(count * count, sizeof *moments->covariance);
    tacit_status status = TACIT_OK;
    if (!moments->means || !moments->lows || !moments->highs || !moments->covariance)
        status = tacit__nomem(err);
    else
        status = sum_up(&s, sheet->run, err);
    tacit__free(s.complete);
    tacit__free(s.lows);
    tacit__free(s.highs);
    tacit__free(s.sums);
    if (status != TACIT_OK)
        tacit__moments_clear(moments);
    return status;
}

void tacit__moments_clear(tacit__moments *moments)
{
    tacit__free(moments->means);
    tacit__free(moments->lows);
    tacit__free(moments->highs);
    tacit__free(moments->covariance);
    *moments = (tacit__moments){0};
}

double tacit__moments_spread(const tacit__moments *moments, size_t column)
{
    return sqrt(moments->covariance[column * moments->count + column]);
}

/* ---- roots ---- */

/* What is left of a column's variance after those before it, below this share: nothing. */
static const double DETERMINED = 1e-10;

void tacit__moments_root(double *root, const tacit__moments *moments, const double *like)
{
    size_t n = moments->count;
    for (size_t i = 0; i < n * n; i++)
        root[i] = 0;
    for (size_t i = 0; i < n; i++) {
        double variance = moments->covariance[i * n + i], left = variance;
        for (size_t j = 0; j < i; j++) {
            double sum = moments->covariance[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= root[i * n + k] * root[j * n + k];
            root[i * n + j] = root[j * n + j] > 0 ? sum / root[j * n + j] : 0;
            left -= root[i * n + j] * root[i * n + j];
        }
        bool free = like ? like[i * n + i] > 0 && left > 0 : left > DETERMINED * variance;
        root[i * n + i] = free ? sqrt(left) : 0;
    }
}

/* Column after column of from^-1, by substitution, then times to. */
void tacit__roots_between(double *matrix, const double *to, const double *from, size_t count,
                          double *scratch)
{
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < count; i++) {
            double sum = i == c;
            for (size_t j = c; j < i; j++)
                sum -= from[i * count + j] * scratch[j];
            scratch[i] = i >= c && from[i * count + i] > 0 ? sum / from[i * count + i] : 0;
        }
        for (size_t i = 0; i < count; i++) {
            matrix[i * count + c] = 0;
            for (size_t j = c; j <= i; j++)
                matrix[i * count + c] += to[i * count + j] * scratch[j];
        }
    }
}
