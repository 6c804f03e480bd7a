/*
 * noise.c - the method dp: counts of people with noise from the discrete Laplace distribution,
 * under which what is published says little of any one person: epsilon-differential privacy.
 *
 * Noise is added to every ground cell of the declared codes, empty ones too, and totals are the
 * sums of what came out. A person is counted once in a cell, and in no more than `most` cells
 * (records_read.c sees to that), so a person who comes or goes changes the ground cells by `most`
 * altogether. With noise x of probability proportional to exp(-|x| epsilon / most) in each, any
 * outcome is at most exp(epsilon) times as likely with the person as without. Sums, and whatever
 * else is made of the noisy cells, change nothing about that.
 *
 * Noise only on the ground makes ground cells as good as they can be, and totals of n of them worse
 * by the root of n. The other way, a share of epsilon for every level and least squares (Hay and
 * others 2010), is better for totals of many cells only, and costs whole numbers;
 * docs/methods/dp.md has what was measured.
 *
 * Linear in the cells; 8 bytes each.
 */
#include "cells/noise/noise.h"

#include <math.h>

#include "base/error.h"
#include "cells/alter/alter.h"
#include "cells/cells/inside.h"

/* Whole numbers below this are doubles. */
static const double LARGEST_COUNT = 9007199254740992;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* epsilon / most. */
static tacit__decay decay_of(const tacit_alter_options *options)
{
    uint64_t num = (uint64_t)options->epsilon;
    uint64_t den = (uint64_t)TACIT_EPSILON_UNIT * (uint64_t)options->most;
    uint64_t divisor = common_divisor(num, den);
    return (tacit__decay){num / divisor, den / divisor};
}

static tacit_status check_request(const tacit_cells *cells, const tacit_alter_options *options,
                                  tacit_error *err)
{
    if (options->epsilon < 1 || options->epsilon > TACIT_MAX_EPSILON)
        return tacit__error(err, TACIT_INVALID, "epsilon must be above 0 and at most %d",
                            TACIT_MAX_EPSILON / TACIT_EPSILON_UNIT);
    if (options->most < 1 || options->most > TACIT_MAX_MOST)
        return tacit__error(err, TACIT_INVALID, "a person is counted in 1 to %d cells",
                            TACIT_MAX_MOST);
    if (cells->bounded != options->most || cells->table_count != 1)
        return tacit__error(err, TACIT_INVALID,
                            "the method dp takes a single table that was made from records, with "
                            "every person counted in at most %d cells",
                            (int)options->most);
    return TACIT_OK;
}

/* Whether a cell has no parts in any dimension. */
static bool is_ground(const tacit_cells *cells, int32_t cell)
{
    int32_t codes[TACIT_MAX_DIMENSIONS];
    tacit_cells_codes(codes, cells, cell);
    for (int32_t d = 0; d < cells->dimension_count; d++)
        if (cells->dimensions[d].definition[codes[d]] >= 0)
            return false;
    return true;
}

/* Cells are drawn for in their order: what each gets depends on the seed and its place alone. */
static void add_noise(double *value, const tacit_cells *cells, const tacit_alter_options *options,
                      const tacit_run *run)
{
    tacit__random random;
    tacit__decay decay = decay_of(options);
    tacit__random_init(&random, run, "dpno", 0);
    for (int32_t i = 0; i < cells->count; i++)
        value[i] = is_ground(cells, i)
                       ? cells->value[i] + (double)tacit__discrete_laplace(&random, decay)
                       : 0;
}

/* Sums are exact where the sizes of all ground cells add up to less than what doubles count. */
static bool can_be_summed(const double *value, int32_t count)
{
    double size = 0;
    for (int32_t i = 0; i < count; i++)
        size += fabs(value[i]);
    return size < LARGEST_COUNT;
}

tacit_status tacit__noisy_counts(tacit_altered *out, const tacit_cells *cells,
                                 const tacit_alter_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit_altered altered = {0};
    tacit_status status = check_request(cells, options, err);
    if (status == TACIT_OK)
        status = tacit__altered_init(&altered, cells, err);
    if (status != TACIT_OK)
        return status;
    add_noise(altered.value, cells, options, run);
    if (!can_be_summed(altered.value, cells->count))
        status = tacit__error(err, TACIT_LIMIT,
                              "counts and noise are too large to be added up; "
                              "use a larger epsilon");
    tacit__sum_up(altered.value, cells);
    if (status == TACIT_OK)
        status = tacit__altered_measure(&altered, cells, options, err);
    if (status == TACIT_OK)
        *out = altered;
    else
        tacit_altered_clear(&altered);
    return status;
}
