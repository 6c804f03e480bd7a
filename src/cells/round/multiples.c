/*
 * multiples.c - values as multiples of a base.
 *
 * Numbers of multiples are whole and below 2^50 in size, so sums of them are exact and relations
 * hold or do not. A value that is off a multiple by no more than a billionth of a base is at it:
 * decimals are not exact in a computer. 16 bytes a cell; linear.
 */
#include "cells/round/multiples.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/alter/alter.h"

enum { MOST_DECIMALS = 9, NAME_BYTES = 256 };

#define MOST_MULTIPLES 0x1p50

/* What sums of decimals are off by, of their size; but no more of a base. */
#define NOISE      1e-13
#define NOISE_MOST 1e-3

/* ---- the base ---- */

static tacit_status base_init(tacit__base *out, double base, tacit_error *err)
{
    double scale = 1;
    if (!(base > 0) || !(base < MOST_MULTIPLES))
        return tacit__error(err, TACIT_INVALID, "the base to round to must be above 0");
    for (int i = 0; i <= MOST_DECIMALS; i++, scale *= 10) {
        double whole = nearbyint(base * scale);
        if (whole > 0 && whole / scale == base) {
            *out = (tacit__base){whole, scale};
            return TACIT_OK;
        }
    }
    return tacit__error(err, TACIT_INVALID, "the base to round to has more than %d decimals",
                        MOST_DECIMALS);
}

double tacit__base_size(const tacit__base *base)
{
    return base->whole / base->scale;
}

double tacit__base_times(const tacit__base *base, double number)
{
    return number * base->whole / base->scale;
}

/* ---- values between multiples ---- */

/* Remainders of whole numbers are exact, whatever their size. */
static void split(tacit__multiples *m, int32_t cell)
{
    double whole = m->base.whole, scaled = m->cells->value[cell] * m->base.scale;
    double rest = fmod(scaled, whole);
    double noise = fmin(NOISE_MOST * whole, NOISE * fabs(scaled) + TACIT_CELLS_EQUAL * whole);
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
        if (!(fabs(cells->value[i]) / base < MOST_MULTIPLES))
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
    double size = tacit__base_size(&multiples->base);
    tacit_altered altered;
    tacit_status status = tacit__altered_init(&altered, cells, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < cells->count; i++) {
        altered.value[i] = tacit__base_times(&multiples->base, number[i]);
        double moved = fabs(altered.value[i] - cells->value[i]);
        altered.far += moved > size * (0.5 + NOISE_MOST);
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
