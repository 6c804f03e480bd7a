/*
 * noise.c - additive noise (Figure 17, "additive noise"): random numbers added to numbers, in units
 * of each column's standard deviation.
 *
 * independent: each column by itself. correlated: the noise of a row has the columns' covariance
 * times size squared, so that correlations stay what they were in expectation (Kim, A method for
 * limiting disclosure in microdata based on random noise and transformation, 1986; Tendick, 1991).
 *
 * kept: means and covariances stay. Correlated noise is added, then the sum is shifted and
 * stretched linearly such that the sample means and covariances are again those that were (Kim,
 * 1986, and Tendick and Matloff, A modified random perturbation method for database security, 1994,
 * do so in expectation; here it is done with the moments of the very sample, so that nothing is
 * left but what writing with the columns' decimals takes). With X of mean m and covariance S = L
 * L', Y = X + size L z has a mean n and a covariance of root K; released is m + L K^-1 (Y - n).
 * Rows without all numbers are shifted and stretched column by column; then nothing is claimed. It
 * takes rows x columns numbers of memory beside the sheet.
 *
 * The spread of a column is that of its numbers; covariances are those of the rows that have
 * numbers in all columns. They take two passes over the rows on all cores: sums, then products of
 * what is left without the means. The rows are cut into blocks by their number alone, and sums of
 * blocks are added in order, so that the last bit does not depend on threads. Normal numbers come
 * from the ziggurat, Laplace's by inversion, both from the step's ChaCha streams. Linear in the
 * cells, but for covariances, which are linear in the cells times the columns.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

/* Columns that are looked at together, at most. */
enum { MAX_TOGETHER = 256 };

/* Of the rows in which every column has a number; matrices are row after row. */
typedef struct moments {
    size_t count; /* of columns */
    int64_t rows; /* complete ones */
    double *means, *lows, *highs;
    double *covariance; /* divided by rows - 1; exactly 0 for columns of one value */
} moments;

typedef enum noise_range { RANGE_FREE, RANGE_SIGN, RANGE_KEEP } noise_range;

/* Noise is drawn row by row, a standard number for each column, and stretched. */
typedef struct noise_step {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    const tacit__runner_value *names;
    size_t count;
    const double **numbers; /* of each column, as they are */
    double *spreads;        /* standard deviations of the noise; with a root not used */
    double *root;           /* of the covariance of the noise; NULL: columns are independent */
    double *lows, *highs;   /* of each column */
    double size;
    bool laplace;
    tacit__normal normal;
    noise_range range;
    double **sums; /* of each column: numbers with noise; NULL: the cells are changed at once */
    int64_t incomplete; /* rows with some numbers of the columns, not all */
    atomic_int_fast64_t changed;
} noise_step;

/* Fills out, rows x columns, with noise for rows of one stretch after another. */
enum { ROWS_AT_ONCE = 64 };

enum { MAX_BLOCKS = 256 };

typedef struct summing {
    const double *const *numbers;
    moments *moments;
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
    double left[MAX_TOGETHER];
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
    moments *m = s->moments;
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
    moments *m = s->moments;
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

static void clear_moments(moments *m)
{
    tacit__free(m->means);
    tacit__free(m->lows);
    tacit__free(m->highs);
    tacit__free(m->covariance);
    *m = (moments){0};
}

/* numbers has the sheet's rows for each column, NAN where there is none. */
static tacit_status init_moments(moments *m, const tacit__sheet *sheet,
                                 const double *const *numbers, size_t count, tacit_error *err)
{
    summing s = {.numbers = numbers, .moments = m, .rows = sheet->rows};
    int64_t stretches = (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    s.block = (stretches + MAX_BLOCKS - 1) / MAX_BLOCKS * TACIT__STRETCH;
    s.blocks = s.block ? (sheet->rows + s.block - 1) / s.block : 0;
    s.width = count * (count + 1) / 2;
    *m = (moments){.count = count};
    m->means = tacit__alloc_zeroed(count, sizeof *m->means);
    m->lows = tacit__alloc_zeroed(count, sizeof *m->lows);
    m->highs = tacit__alloc_zeroed(count, sizeof *m->highs);
    m->covariance = tacit__alloc_zeroed(count * count, sizeof *m->covariance);
    tacit_status status = TACIT_OK;
    if (!m->means || !m->lows || !m->highs || !m->covariance)
        status = tacit__nomem(err);
    else
        status = sum_up(&s, sheet->run, err);
    tacit__free(s.complete);
    tacit__free(s.lows);
    tacit__free(s.highs);
    tacit__free(s.sums);
    if (status != TACIT_OK)
        clear_moments(m);
    return status;
}

static double spread_of(const moments *m, size_t column)
{
    return sqrt(m->covariance[column * m->count + column]);
}

/* ---- roots ---- */

/* What is left of a column's variance after those before it, below this share: nothing. */
static const double DETERMINED = 1e-10;

/* The lower triangle L with L L' = covariance (Cholesky). A column that the ones before it
 * determine gets 0 on the diagonal; `like`, where not NULL, is a root that says which do. */
static void find_root(double *root, const moments *m, const double *like)
{
    size_t n = m->count;
    for (size_t i = 0; i < n * n; i++)
        root[i] = 0;
    for (size_t i = 0; i < n; i++) {
        double variance = m->covariance[i * n + i], left = variance;
        for (size_t j = 0; j < i; j++) {
            double sum = m->covariance[i * n + j];
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
static void matrix_between(double *matrix, const double *to, const double *from, size_t count,
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

enum { NOISE_COLUMNS, NOISE_SIZE, NOISE_WAY, NOISE_DISTRIBUTION, NOISE_RANGE };

enum { INDEPENDENT, CORRELATED, KEPT };

static const char *const NOISE_WAYS[] = {"independent", "correlated", "kept", NULL};
static const char *const DISTRIBUTIONS[] = {"normal", "laplace", NULL};
static const char *const RANGES[] = {"free", "sign", "keep", NULL};

static const tacit_technique_option NOISE_OPTIONS[] = {
    [NOISE_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of numbers",
                       .required = true},
    [NOISE_SIZE] = {"size", TACIT_TECHNIQUE_NUMBER,
                    .help = "standard deviation of the noise as a share of the column's",
                    .required = true, .least = 1e-6, .most = 100},
    [NOISE_WAY] =
        {"way", TACIT_TECHNIQUE_CHOICE,
         .help = "each column by itself, with the columns' correlations, or such that means and "
                 "covariances stay",
         .choices = NOISE_WAYS},
    [NOISE_DISTRIBUTION] = {"distribution", TACIT_TECHNIQUE_CHOICE,
                            .help = "what the noise is drawn from", .choices = DISTRIBUTIONS},
    [NOISE_RANGE] = {"range", TACIT_TECHNIQUE_CHOICE,
                     .help =
                         "numbers may become any, keep their signs, or stay within the column's "
                         "least and largest",
                     .choices = RANGES},
    {.name = NULL},
};

static tacit_status check_noise(const tacit__runner_call *call, tacit_error *err)
{
    if (call->values[NOISE_WAY].choice == KEPT && call->values[NOISE_RANGE].choice != RANGE_FREE)
        return tacit__call_error(call, &call->values[NOISE_RANGE], err,
                                 "way: kept moves numbers to where means and covariances stay, so "
                                 "it cannot keep signs or ranges; leave out range");
    if (call->values[NOISE_WAY].choice != INDEPENDENT &&
        call->values[NOISE_COLUMNS].text_count > MAX_TOGETHER)
        return tacit__call_error(call, &call->values[NOISE_COLUMNS], err,
                                 "at most %d columns get noise together", MAX_TOGETHER);
    return TACIT_OK;
}

/* ---- drawing ---- */

static tacit__sheet_column *column_of(const noise_step *noise, size_t i)
{
    return &noise->sheet->columns[noise->names->columns[i]];
}

/* Of variance one: the scale is the root of a half. */
static double draw_laplace(tacit__random *random)
{
    double size = -log(tacit__random_positive(random)) * 0.70710678118654752440;
    return tacit__random_word(random) & 1 ? size : -size;
}

static void draw_noise(double *out, int64_t rows, const noise_step *noise, tacit__random *random)
{
    size_t count = noise->count;
    for (size_t i = 0; i < (size_t)rows * count; i++)
        out[i] = noise->laplace ? draw_laplace(random) : tacit__normal_draw(&noise->normal, random);
    for (int64_t row = 0; row < rows; row++, out += count)
        for (size_t i = count; i-- > 0;) { /* from the last, which needs those before it */
            if (!noise->root) {
                out[i] *= noise->spreads[i];
                continue;
            }
            const double *of = noise->root + i * count;
            double sum = 0;
            for (size_t j = 0; j <= i; j++)
                sum += of[j] * out[j];
            out[i] = sum;
        }
}

/* ---- adding ---- */

/* Beyond an end it is turned back, as in a mirror: nothing piles up there. */
static double within(double number, double low, double high)
{
    if (number >= low && number <= high)
        return number;
    double width = high - low, beyond = fmod(number - low, 2 * width);
    if (!(width > 0))
        return low;
    beyond = beyond < 0 ? beyond + 2 * width : beyond;
    return beyond > width ? high - (beyond - width) : low + beyond;
}

static double moved(const noise_step *noise, size_t i, double number, double by)
{
    switch (noise->range) {
    case RANGE_SIGN:
        return number > 0 ? fabs(number + by) : number < 0 ? -fabs(number + by) : number;
    case RANGE_KEEP: return within(number + by, noise->lows[i], noise->highs[i]);
    default: return number + by;
    }
}

static int64_t add_to_rows(noise_step *noise, int64_t from, int64_t to, const double *by)
{
    int64_t changed = 0;
    for (size_t i = 0; i < noise->count; i++) {
        tacit__sheet_column *column = column_of(noise, i);
        for (int64_t row = from; row < to; row++) {
            double number = column->numbers[row];
            if (isnan(number) || noise->lows[i] == noise->highs[i])
                continue;
            double sum = moved(noise, i, number, by[(size_t)(row - from) * noise->count + i]);
            changed += tacit__cell_put_number(column, row, sum);
        }
    }
    return changed;
}

static void sum_rows(const noise_step *noise, int64_t from, int64_t to, const double *by)
{
    for (size_t i = 0; i < noise->count; i++)
        for (int64_t row = from; row < to; row++)
            noise->sums[i][row] =
                noise->numbers[i][row] + noise->size * by[(size_t)(row - from) * noise->count + i];
}

static tacit_status add_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                int worker, tacit_error *err)
{
    noise_step *noise = context;
    tacit__random random;
    int64_t changed = 0;
    (void)worker;
    double *drawn = tacit__alloc_array(ROWS_AT_ONCE * noise->count, sizeof *drawn);
    if (!drawn)
        return tacit__nomem(err);
    tacit__call_random(&random, noise->call, 0, (uint32_t)stretch);
    for (int64_t row = from; row < to; row += ROWS_AT_ONCE) {
        int64_t end = row + ROWS_AT_ONCE < to ? row + ROWS_AT_ONCE : to;
        draw_noise(drawn, end - row, noise, &random);
        if (noise->sums)
            sum_rows(noise, row, end, drawn);
        else
            changed += add_to_rows(noise, row, end, drawn);
    }
    tacit__free(drawn);
    atomic_fetch_add(&noise->changed, changed);
    return TACIT_OK;
}

/* ---- what is known of the columns ---- */

static tacit_status too_large(const noise_step *noise, size_t i, tacit_error *err)
{
    return tacit__call_error(noise->call, noise->names, err,
                             "the numbers of column %.64s are too large to reckon with",
                             noise->names->texts[i]);
}

/* A column by itself: its spread and ends. One number alone has no spread, and would be released
 * as it is. */
static tacit_status look_at(noise_step *noise, size_t i, tacit_error *err)
{
    moments alone;
    tacit_status status = init_moments(&alone, noise->sheet, &noise->numbers[i], 1, err);
    if (status != TACIT_OK)
        return status;
    double spread = spread_of(&alone, 0);
    if (alone.rows == 1)
        status = tacit__call_error(noise->call, noise->names, err,
                                   "column %.64s has one number only, whose spread is unknown",
                                   noise->names->texts[i]);
    else if (!isfinite(spread))
        status = too_large(noise, i, err);
    noise->spreads[i] = noise->size * spread;
    noise->lows[i] = alone.lows[0];
    noise->highs[i] = alone.highs[0];
    clear_moments(&alone);
    return status;
}

static int64_t count_incomplete(const noise_step *noise)
{
    int64_t found = 0;
    for (int64_t row = 0; row < noise->sheet->rows; row++) {
        size_t numbers = 0;
        for (size_t i = 0; i < noise->count; i++)
            numbers += isnan(noise->numbers[i][row]) ? 0 : 1;
        found += numbers > 0 && numbers < noise->count;
    }
    return found;
}

/* The columns together: the root of their covariance. */
static tacit_status look_together(noise_step *noise, moments *together, tacit_error *err)
{
    tacit_status status = init_moments(together, noise->sheet, noise->numbers, noise->count, err);
    if (status != TACIT_OK)
        return status;
    noise->incomplete = count_incomplete(noise);
    int64_t least =
        noise->call->values[NOISE_WAY].choice == KEPT ? 2 * (int64_t)noise->count + 8 : 2;
    if (together->rows < least && together->rows + noise->incomplete > 0)
        return tacit__call_error(noise->call, noise->names, err,
                                 "%lld rows have numbers in all of the columns, which is too few "
                                 "to reckon with: it takes %lld",
                                 (long long)together->rows, (long long)least);
    noise->root = tacit__alloc_array(noise->count * noise->count, sizeof *noise->root);
    if (!noise->root)
        return tacit__nomem(err);
    find_root(noise->root, together, NULL);
    return TACIT_OK;
}

static tacit_status prepare(noise_step *noise, tacit_error *err)
{
    tacit_status status = tacit__call_numbers(noise->sheet, noise->call, noise->names, err);
    if (status != TACIT_OK)
        return status;
    noise->numbers = tacit__alloc_array(noise->count, sizeof *noise->numbers);
    noise->spreads = tacit__alloc_array(noise->count, sizeof *noise->spreads);
    noise->lows = tacit__alloc_array(noise->count, sizeof *noise->lows);
    noise->highs = tacit__alloc_array(noise->count, sizeof *noise->highs);
    if (!noise->numbers || !noise->spreads || !noise->lows || !noise->highs)
        return tacit__nomem(err);
    for (size_t i = 0; i < noise->count; i++)
        noise->numbers[i] = column_of(noise, i)->numbers;
    return TACIT_OK;
}

/* What differs only in rows that are not complete would get no noise. */
static tacit_status look_for_spread(const noise_step *noise, size_t i, const moments *together,
                                    tacit_error *err)
{
    if (noise->spreads[i] == 0 || spread_of(together, i) > 0)
        return TACIT_OK;
    return tacit__call_error(noise->call, noise->names, err,
                             "column %.64s has one value only in the rows with numbers in all of "
                             "the columns",
                             noise->names->texts[i]);
}

/* Each column by itself, unless what is known of all together says it. */
static tacit_status look_at_each(noise_step *noise, const moments *together, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < noise->count; i++) {
        if (!together || noise->incomplete > 0) {
            status = look_at(noise, i, err);
            if (status == TACIT_OK && together)
                status = look_for_spread(noise, i, together, err);
            continue;
        }
        noise->lows[i] = together->lows[i];
        noise->highs[i] = together->highs[i];
        if (!isfinite(spread_of(together, i)))
            status = too_large(noise, i, err);
    }
    return status;
}

/* ---- means and covariances kept ---- */

typedef struct keeping {
    noise_step *noise;
    const moments *before;
    moments after;  /* with noise, before it is moved back */
    double *matrix; /* moves them back */
    double *ratios; /* of the standard deviations before to those with noise */
} keeping;

static double moved_back(const keeping *k, size_t i, int64_t row, bool whole)
{
    size_t count = k->noise->count;
    double left = k->noise->sums[i][row] - k->after.means[i];
    if (!whole)
        return k->before->means[i] + left * spread_of(k->before, i) / spread_of(&k->after, i);
    double sum = k->before->means[i];
    for (size_t j = 0; j <= i; j++)
        sum += k->matrix[i * count + j] * (k->noise->sums[j][row] - k->after.means[j]);
    return sum;
}

static tacit_status move_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    const keeping *k = context;
    noise_step *noise = k->noise;
    int64_t changed = 0;
    (void)stretch, (void)worker, (void)err;
    for (int64_t row = from; row < to; row++) {
        bool whole = true;
        for (size_t i = 0; i < noise->count; i++)
            whole = whole && !isnan(k->noise->sums[i][row]);
        for (size_t i = 0; i < noise->count; i++)
            if (!isnan(k->noise->sums[i][row]) && k->ratios[i] > 0)
                changed +=
                    tacit__cell_put_number(column_of(noise, i), row, moved_back(k, i, row, whole));
    }
    atomic_fetch_add(&noise->changed, changed);
    return TACIT_OK;
}

/* Writing moves a number by half a unit of the last decimal at most, that is a mean by as much and
 * a covariance by what two such errors can do to it, in units of standard deviations. The rest is
 * for the arithmetic. */
static double written_loss(const keeping *k)
{
    double most = 0, rows = (double)k->before->rows;
    for (size_t i = 0; i < k->noise->count; i++) {
        double spread = spread_of(k->before, i);
        double half = 0.5 * pow(10, -column_of(k->noise, i)->decimals);
        if (spread > 0)
            most = fmax(most, half / spread * sqrt(rows / (rows - 1)));
    }
    return 2 * most + most * most + 1e-8;
}

static tacit_status move_back(keeping *k, tacit_error *err)
{
    noise_step *noise = k->noise;
    size_t count = noise->count;
    double *root = tacit__alloc_array(count * count, sizeof *root);
    double *scratch = tacit__alloc_array(count, sizeof *scratch);
    tacit_status status = root && scratch ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (size_t i = 0; i < count; i++) {
            double spread = spread_of(k->before, i);
            k->ratios[i] = spread > 0 ? spread / spread_of(&k->after, i) : 0;
        }
        find_root(root, &k->after, noise->root);
        matrix_between(k->matrix, noise->root, root, count, scratch);
        status = tacit__stretches(noise->sheet, "adding noise", move_stretch, k, err);
    }
    tacit__free(root);
    tacit__free(scratch);
    return status;
}

/* Adds noise such that means and covariances stay, and claims it. root is that of the columns'
 * covariance, not yet that of the noise. */
static tacit_status add_keeping_moments(noise_step *noise, const moments *before, tacit_error *err)
{
    size_t count = noise->count;
    keeping k = {.noise = noise, .before = before};
    noise->sums = tacit__alloc_zeroed(count, sizeof *noise->sums);
    k.matrix = tacit__alloc_array(count * count, sizeof *k.matrix);
    k.ratios = tacit__alloc_array(count, sizeof *k.ratios);
    tacit_status status = noise->sums && k.matrix && k.ratios ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        noise->sums[i] = tacit__alloc_array((size_t)noise->sheet->rows, sizeof **noise->sums);
        status = noise->sums[i] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__stretches(noise->sheet, "drawing noise", add_stretch, noise, err);
    if (status == TACIT_OK)
        status =
            init_moments(&k.after, noise->sheet, (const double *const *)noise->sums, count, err);
    if (status == TACIT_OK)
        status = move_back(&k, err);
    if (status == TACIT_OK && noise->incomplete == 0)
        status = tacit__claim(noise->call,
                              (tacit_kept){.kind = TACIT_KEPT_MOMENTS, .amount = written_loss(&k)},
                              noise->names, NULL, err);
    for (size_t i = 0; noise->sums && i < count; i++)
        tacit__free(noise->sums[i]);
    tacit__free(noise->sums);
    tacit__free(k.matrix);
    tacit__free(k.ratios);
    clear_moments(&k.after);
    return status;
}

/* ---- the technique ---- */

static tacit_status add_apart(noise_step *noise, tacit_error *err)
{
    tacit_status status = look_at_each(noise, NULL, err);
    if (status == TACIT_OK)
        status = tacit__stretches(noise->sheet, "adding noise", add_stretch, noise, err);
    return status;
}

static tacit_status add_together(noise_step *noise, bool kept, tacit_error *err)
{
    moments together = {0};
    tacit_status status = look_together(noise, &together, err);
    if (status == TACIT_OK)
        status = look_at_each(noise, &together, err);
    if (status == TACIT_OK && kept && together.rows > 0) {
        status = add_keeping_moments(noise, &together, err);
    } else if (status == TACIT_OK) {
        for (size_t i = 0; i < noise->count * noise->count; i++)
            noise->root[i] *= noise->size;
        status = tacit__stretches(noise->sheet, "adding noise", add_stretch, noise, err);
    }
    clear_moments(&together);
    return status;
}

/* Columns without negative numbers still have none; of `keep` nothing is claimed, since the ends
 * of a column are somebody's numbers and claims are told. */
static tacit_status claim_signs(const noise_step *noise, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < noise->count; i++) {
        tacit__runner_value one = {.texts = noise->names->texts + i, .text_count = 1};
        if (noise->range == RANGE_SIGN && noise->lows[i] >= 0)
            status = tacit__claim(
                noise->call, (tacit_kept){.kind = TACIT_KEPT_RANGE, .low = 0, .high = INFINITY},
                &one, NULL, err);
    }
    return status;
}

static tacit_status apply_noise(tacit__sheet *sheet, const tacit__runner_call *call,
                                tacit_error *err)
{
    noise_step noise = {
        .sheet = sheet,
        .call = call,
        .names = &call->values[NOISE_COLUMNS],
        .count = call->values[NOISE_COLUMNS].text_count,
        .size = call->values[NOISE_SIZE].number,
        .laplace = call->values[NOISE_DISTRIBUTION].choice == 1,
        .range = (noise_range)call->values[NOISE_RANGE].choice,
    };
    int way = call->values[NOISE_WAY].choice;
    tacit__normal_init(&noise.normal);
    tacit_status status = prepare(&noise, err);
    if (status == TACIT_OK)
        status =
            way == INDEPENDENT ? add_apart(&noise, err) : add_together(&noise, way == KEPT, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)noise.changed, err);
    if (status == TACIT_OK && way != INDEPENDENT)
        status = tacit__note(call, "rows_incomplete", (double)noise.incomplete, err);
    if (status == TACIT_OK)
        status = claim_signs(&noise, err);
    tacit__free(noise.numbers);
    tacit__free(noise.spreads);
    tacit__free(noise.root);
    tacit__free(noise.lows);
    tacit__free(noise.highs);
    return status;
}

const tacit_technique tacit__technique_noise = {
    .name = "noise",
    .summary = "random numbers added to numbers",
    .effect = "single numbers are not those of the data; unless the noise was made to keep them, "
              "variances are too large and correlations too weak",
    .options = NOISE_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_noise, .check = check_noise},
};
