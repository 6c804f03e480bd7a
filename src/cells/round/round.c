/*
 * round.c - values as multiples of a base, and every cell rounded by itself: to its nearest
 * multiple, or up or down by chance.
 *
 * Numbers of multiples are whole and below 2^50 in size, so sums of them are exact and relations
 * hold or do not. A value that is off a multiple by no more than a billionth of a base is at it:
 * decimals are not exact in a computer. 16 bytes a cell; linear.
 *
 * Conventional rounding: a value halfway between two multiples goes to the one further from 0, so
 * that a table and the same with all signs changed are rounded alike. Nothing is nearer, and sums
 * need not add up: parts that are all rounded down leave their total behind.
 *
 * Random rounding: a value a share p of a base above a multiple goes up with probability p and down
 * with 1 - p; multiples stay. Its expectation is the value, to 2^-53 of a base. Every cell is drawn
 * for itself, as the field does it, so sums need not add up; a cell that several tables share is
 * one cell and is drawn once. The random numbers come from the run's seed in streams of a fixed
 * number of cells, so they do not depend on threads. Who knows the seed knows which values went up:
 * a release needs one that nobody can guess.
 */
#include "cells/round/round.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "cells/alter/alter.h"

enum { MAX_DECIMALS = 9, NAME_BYTES = 256 };

#define MAX_MULTIPLES 0x1p50

/* What sums of decimals are off by, of their size; but no more of a base. */
#define NOISE     1e-13
#define NOISE_MAX 1e-3

/* ---- the base ---- */

static tacit_status base_init(tacit__base *out, double base, tacit_error *err)
{
    double scale = 1;
    if (!(base > 0) || !(base < MAX_MULTIPLES))
        return tacit__error(err, TACIT_INVALID, "the base to round to must be above 0");
    for (int i = 0; i <= MAX_DECIMALS; i++, scale *= 10) {
        double whole = nearbyint(base * scale);
        if (whole > 0 && whole / scale == base) {
            *out = (tacit__base){whole, scale};
            return TACIT_OK;
        }
    }
    return tacit__error(err, TACIT_INVALID, "the base to round to has more than %d decimals",
                        MAX_DECIMALS);
}

/* How much a base is, and so many of it. */
static double base_size(const tacit__base *base)
{
    return base->whole / base->scale;
}

/* How much a base is, and so many of it. */
static double base_times(const tacit__base *base, double number)
{
    return number * base->whole / base->scale;
}

/* ---- values between multiples ---- */

/* Remainders of whole numbers are exact, whatever their size. */
static void split(tacit__multiples *m, int32_t cell)
{
    double whole = m->base.whole, scaled = m->cells->value[cell] * m->base.scale;
    double rest = fmod(scaled, whole);
    double noise = fmin(NOISE_MAX * whole, NOISE * fabs(scaled) + TACIT_CELLS_EQUAL * whole);
    if (rest < 0)
        rest += whole;
    double low = nearbyint((scaled - rest) / whole);
    bool at_next = rest >= whole - noise;
    m->low[cell] = at_next ? low + 1 : low;
    m->part[cell] = at_next || rest <= noise ? 0 : rest / whole;
}

tacit_status tacit__multiples_init(tacit__multiples *multiples, const tacit_cells *cells,
                                   double base, tacit_error *err)
{
    tacit__multiples m = {.cells = cells};
    char name[NAME_BYTES];
    tacit_status status = base_init(&m.base, base, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < cells->count; i++)
        if (!(fabs(cells->value[i]) / base < MAX_MULTIPLES))
            return tacit__error(err, TACIT_INVALID,
                                "%.255s: its value is too large to be rounded to this base",
                                tacit_cells_describe(cells, i, name, sizeof name));
    m.low = tacit__alloc_array((size_t)cells->count, sizeof *m.low);
    m.part = tacit__alloc_array((size_t)cells->count, sizeof *m.part);
    if (!m.low || !m.part) {
        tacit__multiples_clear(&m);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < cells->count; i++)
        split(&m, i);
    *multiples = m;
    return TACIT_OK;
}

void tacit__multiples_clear(tacit__multiples *multiples)
{
    tacit__free(multiples->low);
    tacit__free(multiples->part);
}

/* ---- what was made of them ---- */

static int32_t broken_relations(const tacit__multiples *m, const double *number)
{
    const tacit_relations *relations = &m->cells->relations;
    int32_t broken = 0;
    for (int32_t r = 0; r < relations->count; r++) {
        double rhs = relations->rhs[r] * m->base.scale / m->base.whole;
        double sum = -rhs, size = fabs(rhs);
        for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++) {
            double term = relations->coefs[j] * number[relations->items[j]];
            sum += term;
            size += fabs(term);
        }
        broken += fabs(sum) > TACIT_CELLS_EQUAL * fmax(1, size);
    }
    return broken;
}

tacit_status tacit__multiples_finish(tacit_altered *out, const tacit__multiples *multiples,
                                     const double *number, const tacit_alter_options *options,
                                     tacit_error *err)
{
    const tacit_cells *cells = multiples->cells;
    double size = base_size(&multiples->base);
    tacit_altered altered;
    tacit_status status = tacit__altered_init(&altered, cells, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < cells->count; i++) {
        altered.value[i] = base_times(&multiples->base, number[i]);
        double moved = fabs(altered.value[i] - cells->value[i]);
        altered.far += moved > size * (0.5 + NOISE_MAX);
    }
    altered.broken = broken_relations(multiples, number);
    const tacit_alter_options plain = {.weight = options->weight};
    status = tacit__altered_measure(&altered, cells, &plain, err);
    if (status == TACIT_OK)
        *out = altered;
    else
        tacit_altered_clear(&altered);
    return status;
}

static double nearest(double low, double part)
{
    bool up = low < 0 ? part > 0.5 : part >= 0.5;
    return low + (up ? 1 : 0);
}

tacit_status tacit__round_nearest(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__multiples multiples = {0};
    tacit_altered altered;
    (void)run;
    tacit_status status = tacit__multiples_init(&multiples, cells, options->base, err);
    if (status != TACIT_OK)
        return status;
    double *number = tacit__alloc_array((size_t)cells->count, sizeof *number);
    for (int32_t i = 0; number && i < cells->count; i++)
        number[i] = nearest(multiples.low[i], multiples.part[i]);
    status = number ? tacit__multiples_finish(&altered, &multiples, number, options, err)
                    : tacit__nomem(err);
    if (status == TACIT_OK) {
        altered.lower_bound = altered.distance;
        altered.proven = true;
        altered.reach = options->base / 2;
        *out = altered;
    }
    tacit__free(number);
    tacit__multiples_clear(&multiples);
    return status;
}

enum { CELLS_A_STREAM = 1 << 16 };

typedef struct drawing {
    const tacit__multiples *multiples;
    const tacit_run *run;
    double *number;
} drawing;

/* From 0 to less than 1, in steps of 2^-53. */
static double uniform(tacit__random *random)
{
    uint64_t high = tacit__random_word(random) >> 5, low = tacit__random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

/* Every cell takes its number, also one that stays: what a value is must not move the others'. */
static tacit_status draw_stream(void *context, int64_t task, int worker, tacit_error *err)
{
    const drawing *d = context;
    const tacit__multiples *m = d->multiples;
    int64_t first = task * CELLS_A_STREAM, end = first + CELLS_A_STREAM;
    tacit__random random;
    (void)worker, (void)err;
    tacit__random_init(&random, d->run, "rnd", (uint32_t)task);
    for (int64_t i = first; i < end && i < m->cells->count; i++)
        d->number[i] = m->low[i] + (uniform(&random) < m->part[i] ? 1 : 0);
    return TACIT_OK;
}

static tacit_status draw(double *number, const tacit__multiples *multiples, const tacit_run *run,
                         tacit_error *err)
{
    drawing d = {.multiples = multiples, .run = run, .number = number};
    int64_t streams = ((int64_t)multiples->cells->count + CELLS_A_STREAM - 1) / CELLS_A_STREAM;
    return tacit__parallel(run, "rounding", streams, draw_stream, &d, err);
}

tacit_status tacit__round_random(tacit_altered *out, const tacit_cells *cells,
                                 const tacit_alter_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__multiples multiples = {0};
    tacit_altered altered;
    tacit_status status = tacit__multiples_init(&multiples, cells, options->base, err);
    if (status != TACIT_OK)
        return status;
    double *number = tacit__alloc_array((size_t)cells->count, sizeof *number);
    status = number ? draw(number, &multiples, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__multiples_finish(&altered, &multiples, number, options, err);
    if (status == TACIT_OK) {
        altered.reach = options->base;
        altered.within = true;
        *out = altered;
    }
    tacit__free(number);
    tacit__multiples_clear(&multiples);
    return status;
}
