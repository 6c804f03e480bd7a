/*
 * noise_kept.c - noise under which means and covariances stay: correlated noise is added, then the
 * sum is shifted and stretched linearly such that the sample means and covariances are again those
 * that were (Kim, 1986, and Tendick and Matloff, A modified random perturbation method for database
 * security, 1994, do so in expectation; here it is done with the moments of the very sample, so
 * that nothing is left but what writing with the columns' decimals takes).
 *
 * With X of mean m and covariance S = L L', Y = X + size L z has a mean n and a covariance of root
 * K; released is m + L K^-1 (Y - n). Rows without all numbers are shifted and stretched column by
 * column; then nothing is claimed. It takes rows x columns numbers of memory beside the sheet.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/numeric/noise.h"

typedef struct keeping {
    tacit__noise *noise;
    const tacit__moments *before;
    tacit__moments after; /* with noise, before it is moved back */
    double **sums;        /* of each column: numbers with noise */
    double *matrix;       /* moves them back */
    double *ratios;       /* of the standard deviations before to those with noise */
} keeping;

static tacit_status add_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                int worker, tacit_error *err)
{
    const keeping *k = context;
    const tacit__noise *noise = k->noise;
    tacit__random random;
    double *drawn = tacit__alloc_array(TACIT__NOISE_ROWS * noise->count, sizeof *drawn);
    (void)worker;
    if (!drawn)
        return tacit__nomem(err);
    tacit__call_random(&random, noise->call, 0, (uint32_t)stretch);
    for (int64_t row = from; row < to; row += TACIT__NOISE_ROWS) {
        int64_t end = row + TACIT__NOISE_ROWS < to ? row + TACIT__NOISE_ROWS : to;
        tacit__noise_draw(drawn, end - row, noise, &random);
        for (size_t i = 0; i < noise->count; i++)
            for (int64_t at = row; at < end; at++)
                k->sums[i][at] = noise->numbers[i][at] +
                                 noise->size * drawn[(size_t)(at - row) * noise->count + i];
    }
    tacit__free(drawn);
    return TACIT_OK;
}

/* ---- moving back ---- */

static double moved(const keeping *k, size_t i, int64_t row, bool whole)
{
    size_t count = k->noise->count;
    double left = k->sums[i][row] - k->after.means[i];
    if (!whole)
        return k->before->means[i] +
               left * tacit__moments_spread(k->before, i) / tacit__moments_spread(&k->after, i);
    double sum = k->before->means[i];
    for (size_t j = 0; j <= i; j++)
        sum += k->matrix[i * count + j] * (k->sums[j][row] - k->after.means[j]);
    return sum;
}

static tacit_status move_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    const keeping *k = context;
    tacit__noise *noise = k->noise;
    int64_t changed = 0;
    (void)stretch, (void)worker, (void)err;
    for (int64_t row = from; row < to; row++) {
        bool whole = true;
        for (size_t i = 0; i < noise->count; i++)
            whole = whole && !isnan(k->sums[i][row]);
        for (size_t i = 0; i < noise->count; i++)
            if (!isnan(k->sums[i][row]) && k->ratios[i] > 0)
                changed += tacit__cell_put_number(tacit__noise_column(noise, i), row,
                                                  moved(k, i, row, whole));
    }
    atomic_fetch_add(&noise->changed, changed);
    return TACIT_OK;
}

/* ---- what is claimed ---- */

/* Writing moves a number by half a unit of the last decimal at most, that is a mean by as much and
 * a covariance by what two such errors can do to it, in units of standard deviations. The rest is
 * for the arithmetic. */
static double written_loss(const keeping *k)
{
    double most = 0, rows = (double)k->before->rows;
    for (size_t i = 0; i < k->noise->count; i++) {
        double spread = tacit__moments_spread(k->before, i);
        double half = 0.5 * pow(10, -tacit__noise_column(k->noise, i)->decimals);
        if (spread > 0)
            most = fmax(most, half / spread * sqrt(rows / (rows - 1)));
    }
    return 2 * most + most * most + 1e-8;
}

static tacit_status move_all(keeping *k, tacit_error *err)
{
    tacit__noise *noise = k->noise;
    size_t count = noise->count;
    double *root = tacit__alloc_array(count * count, sizeof *root);
    double *scratch = tacit__alloc_array(count, sizeof *scratch);
    tacit_status status = root && scratch ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (size_t i = 0; i < count; i++) {
            double spread = tacit__moments_spread(k->before, i);
            k->ratios[i] = spread > 0 ? spread / tacit__moments_spread(&k->after, i) : 0;
        }
        tacit__moments_root(root, &k->after, noise->root);
        tacit__roots_between(k->matrix, noise->root, root, count, scratch);
        status = tacit__stretches(noise->sheet, "adding noise", move_stretch, k, err);
    }
    tacit__free(root);
    tacit__free(scratch);
    return status;
}

tacit_status tacit__noise_keep_moments(tacit__noise *noise, const tacit__moments *before,
                                       tacit_error *err)
{
    size_t count = noise->count;
    keeping k = {.noise = noise, .before = before};
    k.sums = tacit__alloc_zeroed(count, sizeof *k.sums);
    k.matrix = tacit__alloc_array(count * count, sizeof *k.matrix);
    k.ratios = tacit__alloc_array(count, sizeof *k.ratios);
    tacit_status status = k.sums && k.matrix && k.ratios ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        k.sums[i] = tacit__alloc_array((size_t)noise->sheet->rows, sizeof **k.sums);
        status = k.sums[i] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__stretches(noise->sheet, "drawing noise", add_stretch, &k, err);
    if (status == TACIT_OK)
        status =
            tacit__moments_init(&k.after, noise->sheet, (const double *const *)k.sums, count, err);
    if (status == TACIT_OK)
        status = move_all(&k, err);
    if (status == TACIT_OK && noise->incomplete == 0)
        status = tacit__claim(noise->call,
                              (tacit_kept){.kind = TACIT_KEPT_MOMENTS, .amount = written_loss(&k)},
                              noise->names, NULL, err);
    for (size_t i = 0; k.sums && i < count; i++)
        tacit__free(k.sums[i]);
    tacit__free(k.sums);
    tacit__free(k.matrix);
    tacit__free(k.ratios);
    tacit__moments_clear(&k.after);
    return status;
}
