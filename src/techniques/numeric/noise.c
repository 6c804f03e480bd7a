/*
 * noise.c - additive noise (Figure 17, "additive noise"): random numbers added to numbers, in units
 * of each column's standard deviation.
 *
 * independent: each column by itself. correlated: the noise of a row has the columns' covariance
 * times size squared, so that correlations stay what they were in expectation (Kim, A method for
 * limiting disclosure in microdata based on random noise and transformation, 1986; Tendick, 1991).
 * kept: means and covariances stay, see noise_kept.c.
 *
 * The spread of a column is that of its numbers; covariances are those of the rows that have
 * numbers in all columns. Normal numbers come from the ziggurat, Laplace's by inversion, both from
 * the step's ChaCha streams. Linear in the cells.
 */
#include "techniques/numeric/noise.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

enum { COLUMNS, SIZE, WAY, DISTRIBUTION, RANGE };

enum { INDEPENDENT, CORRELATED, KEPT };

static const char *const WAYS[] = {"independent", "correlated", "kept", NULL};
static const char *const DISTRIBUTIONS[] = {"normal", "laplace", NULL};
static const char *const RANGES[] = {"free", "sign", "keep", NULL};

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns of numbers",
                 .required = true},
    [SIZE] = {.name = "size",
              .sort = TACIT_TECHNIQUE_NUMBER,
              .help = "standard deviation of the noise as a share of the column's",
              .required = true,
              .least = 1e-6,
              .most = 100},
    [WAY] = {.name = "way",
             .sort = TACIT_TECHNIQUE_CHOICE,
             .help =
                 "each column by itself, with the columns' correlations, or such that means and "
                 "covariances stay",
             .choices = WAYS},
    [DISTRIBUTION] = {.name = "distribution",
                      .sort = TACIT_TECHNIQUE_CHOICE,
                      .help = "what the noise is drawn from",
                      .choices = DISTRIBUTIONS},
    [RANGE] = {.name = "range",
               .sort = TACIT_TECHNIQUE_CHOICE,
               .help = "numbers may become any, keep their signs, or stay within the column's "
                       "least and largest",
               .choices = RANGES},
    {.name = NULL},
};

static tacit_status check(const tacit__runner_call *call, tacit_error *err)
{
    if (call->values[WAY].choice == KEPT && call->values[RANGE].choice != TACIT__NOISE_FREE)
        return tacit__call_error(call, &call->values[RANGE], err,
                                 "way: kept moves numbers to where means and covariances stay, so "
                                 "it cannot keep signs or ranges; leave out range");
    if (call->values[WAY].choice != INDEPENDENT &&
        call->values[COLUMNS].text_count > TACIT__MOST_TOGETHER)
        return tacit__call_error(call, &call->values[COLUMNS], err,
                                 "at most %d columns get noise together", TACIT__MOST_TOGETHER);
    return TACIT_OK;
}

/* ---- drawing ---- */

/* Of variance one: the scale is the root of a half. */
static double draw_laplace(tacit__random *random)
{
    double size = -log(tacit__random_positive(random)) * 0.70710678118654752440;
    return tacit__random_word(random) & 1 ? size : -size;
}

void tacit__noise_draw(double *out, int64_t rows, const tacit__noise *noise, tacit__random *random)
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

static double moved(const tacit__noise *noise, size_t i, double number, double by)
{
    switch (noise->range) {
    case TACIT__NOISE_SIGN:
        return number > 0 ? fabs(number + by) : number < 0 ? -fabs(number + by) : number;
    case TACIT__NOISE_KEEP: return within(number + by, noise->lows[i], noise->highs[i]);
    default: return number + by;
    }
}

static int64_t add_to_rows(tacit__noise *noise, int64_t from, int64_t to, const double *by)
{
    int64_t changed = 0;
    for (size_t i = 0; i < noise->count; i++) {
        tacit__sheet_column *column = tacit__noise_column(noise, i);
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

static tacit_status add_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                int worker, tacit_error *err)
{
    tacit__noise *noise = context;
    tacit__random random;
    int64_t changed = 0;
    (void)worker;
    double *drawn = tacit__alloc_array(TACIT__NOISE_ROWS * noise->count, sizeof *drawn);
    if (!drawn)
        return tacit__nomem(err);
    tacit__call_random(&random, noise->call, 0, (uint32_t)stretch);
    for (int64_t row = from; row < to; row += TACIT__NOISE_ROWS) {
        int64_t end = row + TACIT__NOISE_ROWS < to ? row + TACIT__NOISE_ROWS : to;
        tacit__noise_draw(drawn, end - row, noise, &random);
        changed += add_to_rows(noise, row, end, drawn);
    }
    tacit__free(drawn);
    atomic_fetch_add(&noise->changed, changed);
    return TACIT_OK;
}

/* ---- what is known of the columns ---- */

tacit__sheet_column *tacit__noise_column(const tacit__noise *noise, size_t i)
{
    return &noise->sheet->columns[noise->names->columns[i]];
}

static tacit_status too_large(const tacit__noise *noise, size_t i, tacit_error *err)
{
    return tacit__call_error(noise->call, noise->names, err,
                             "the numbers of column %.64s are too large to reckon with",
                             noise->names->texts[i]);
}

/* A column by itself: its spread and ends. One number alone has no spread, and would be released
 * as it is. */
static tacit_status look_at(tacit__noise *noise, size_t i, tacit_error *err)
{
    tacit__moments alone;
    tacit_status status = tacit__moments_init(&alone, noise->sheet, &noise->numbers[i], 1, err);
    if (status != TACIT_OK)
        return status;
    double spread = tacit__moments_spread(&alone, 0);
    if (alone.rows == 1)
        status = tacit__call_error(noise->call, noise->names, err,
                                   "column %.64s has one number only, whose spread is unknown",
                                   noise->names->texts[i]);
    else if (!isfinite(spread))
        status = too_large(noise, i, err);
    noise->spreads[i] = noise->size * spread;
    noise->lows[i] = alone.lows[0];
    noise->highs[i] = alone.highs[0];
    tacit__moments_clear(&alone);
    return status;
}

static int64_t count_incomplete(const tacit__noise *noise)
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
static tacit_status look_together(tacit__noise *noise, tacit__moments *together, tacit_error *err)
{
    tacit_status status =
        tacit__moments_init(together, noise->sheet, noise->numbers, noise->count, err);
    if (status != TACIT_OK)
        return status;
    noise->incomplete = count_incomplete(noise);
    int64_t least = noise->call->values[WAY].choice == KEPT ? 2 * (int64_t)noise->count + 8 : 2;
    if (together->rows < least && together->rows + noise->incomplete > 0)
        return tacit__call_error(noise->call, noise->names, err,
                                 "%lld rows have numbers in all of the columns, which is too few "
                                 "to reckon with: it takes %lld",
                                 (long long)together->rows, (long long)least);
    noise->root = tacit__alloc_array(noise->count * noise->count, sizeof *noise->root);
    if (!noise->root)
        return tacit__nomem(err);
    tacit__moments_root(noise->root, together, NULL);
    return TACIT_OK;
}

static tacit_status prepare(tacit__noise *noise, tacit_error *err)
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
        noise->numbers[i] = tacit__noise_column(noise, i)->numbers;
    return TACIT_OK;
}

/* What differs only in rows that are not complete would get no noise. */
static tacit_status look_for_spread(const tacit__noise *noise, size_t i,
                                    const tacit__moments *together, tacit_error *err)
{
    if (noise->spreads[i] == 0 || tacit__moments_spread(together, i) > 0)
        return TACIT_OK;
    return tacit__call_error(noise->call, noise->names, err,
                             "column %.64s has one value only in the rows with numbers in all of "
                             "the columns",
                             noise->names->texts[i]);
}

/* Each column by itself, unless what is known of all together says it. */
static tacit_status look_at_each(tacit__noise *noise, const tacit__moments *together,
                                 tacit_error *err)
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
        if (!isfinite(tacit__moments_spread(together, i)))
            status = too_large(noise, i, err);
    }
    return status;
}

/* ---- the technique ---- */

static tacit_status add_apart(tacit__noise *noise, tacit_error *err)
{
    tacit_status status = look_at_each(noise, NULL, err);
    if (status == TACIT_OK)
        status = tacit__stretches(noise->sheet, "adding noise", add_stretch, noise, err);
    return status;
}

static tacit_status add_together(tacit__noise *noise, bool kept, tacit_error *err)
{
    tacit__moments together = {0};
    tacit_status status = look_together(noise, &together, err);
    if (status == TACIT_OK)
        status = look_at_each(noise, &together, err);
    if (status == TACIT_OK && kept && together.rows > 0) {
        status = tacit__noise_keep_moments(noise, &together, err);
    } else if (status == TACIT_OK) {
        for (size_t i = 0; i < noise->count * noise->count; i++)
            noise->root[i] *= noise->size;
        status = tacit__stretches(noise->sheet, "adding noise", add_stretch, noise, err);
    }
    tacit__moments_clear(&together);
    return status;
}

/* Columns without negative numbers still have none; of `keep` nothing is claimed, since the ends
 * of a column are somebody's numbers and claims are told. */
static tacit_status claim_signs(const tacit__noise *noise, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < noise->count; i++) {
        tacit__runner_value one = {.texts = noise->names->texts + i, .text_count = 1};
        if (noise->range == TACIT__NOISE_SIGN && noise->lows[i] >= 0)
            status = tacit__claim(
                noise->call, (tacit_kept){.kind = TACIT_KEPT_RANGE, .low = 0, .high = INFINITY},
                &one, NULL, err);
    }
    return status;
}

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    tacit__noise noise = {
        .sheet = sheet,
        .call = call,
        .names = &call->values[COLUMNS],
        .count = call->values[COLUMNS].text_count,
        .size = call->values[SIZE].number,
        .laplace = call->values[DISTRIBUTION].choice == 1,
        .range = (tacit__noise_range)call->values[RANGE].choice,
    };
    int way = call->values[WAY].choice;
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

const tacit_technique tacit__noise_technique = {
    .name = "noise",
    .summary = "random numbers added to numbers",
    .options = OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply, .check = check},
};
