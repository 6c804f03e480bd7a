/*
 * intervals.c - intervals in place of blanks; see intervals.h.
 *
 * Rounding goes outwards, so it is harmless: whoever knows the wider interval knows less, and what
 * a primary cell can be for him only grows. A loss is measured within the bounds of cells, so that
 * open ends count as what everybody knows. All of it is linear.
 */
#include <tacit/experimental/intervals.h>

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/suppress/methods.h"

enum { MAX_DECIMALS = 6 };

/* What is noise of sums, in units of the last decimal; and of the largest weight. */
#define NOISE        1e-6
#define LEAST_WEIGHT 1e-4

tacit_status tacit_intervals_init(tacit_intervals *intervals, const tacit_cells *cells,
                                  tacit_error *err)
{
    size_t count = (size_t)cells->count;
    tacit_intervals made = {.low = tacit__alloc_array(count, sizeof *made.low),
                            .high = tacit__alloc_array(count, sizeof *made.high)};
    if (!made.low || !made.high) {
        tacit_intervals_clear(&made);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < count; i++)
        made.low[i] = made.high[i] = NAN;
    *intervals = made;
    return TACIT_OK;
}

void tacit_intervals_clear(tacit_intervals *intervals)
{
    tacit__free(intervals->low);
    tacit__free(intervals->high);
    *intervals = (tacit_intervals){0};
}

static int decimals_published(const tacit_cells *cells, const char *status)
{
    int most = 0;
    for (int32_t i = 0; cells->decimals && i < cells->count && most < MAX_DECIMALS; i++) {
        int own = tacit__suppressed(status[i]) ? 0 : tacit__decimals_of(&cells->value[i], 1);
        most = own > most ? own : most;
    }
    return most < MAX_DECIMALS ? most : MAX_DECIMALS;
}

/* Noise of sums is no reason to go a unit further; but it grows with the number. */
static double rounded(double end, double scale, bool up)
{
    double scaled = end * scale, noise = fmax(NOISE, 1e-12 * fabs(scaled));
    return (up ? ceil(scaled - noise) : floor(scaled + noise)) / scale;
}

void tacit_intervals_round(tacit_intervals *intervals, const tacit_cells *cells, const char *status)
{
    int places = decimals_published(cells, status ? status : cells->status);
    double scale = pow(10, places);
    for (int32_t i = 0; i < cells->count; i++) {
        if (isfinite(intervals->low[i]))
            intervals->low[i] = rounded(intervals->low[i], scale, false);
        if (isfinite(intervals->high[i]))
            intervals->high[i] = rounded(intervals->high[i], scale, true);
    }
}

/* Whether it is public that no value is negative. */
static bool none_negative(const tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->lower[i] < 0)
            return false;
    return !cells->negative;
}

void tacit__intervals_clip(tacit_intervals *intervals, const tacit_cells *cells)
{
    bool clips = none_negative(cells);
    for (int32_t i = 0; i < cells->count && clips; i++)
        if (intervals->low[i] < 0)
            intervals->low[i] = 0;
}

void tacit__intervals_loosen(tacit_intervals *intervals, const tacit_cells *cells,
                             const char *status)
{
    double unit = pow(10, -decimals_published(cells, status));
    for (int32_t i = 0; i < cells->count; i++) {
        intervals->low[i] -= unit;
        intervals->high[i] += unit;
    }
    tacit_intervals_round(intervals, cells, status);
    tacit__intervals_clip(intervals, cells);
}

/* Cells that must be published have no say in what is large. */
static double largest_weight(const tacit_cells *cells, double unit)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] != TACIT_CELL_FIXED)
            most = fmax(most, tacit__cost_share_of(cells, i, unit));
    return most;
}

static double weight_of(const tacit_cells *cells, int32_t cell, double unit, double most)
{
    return most > 0 ? fmax(tacit__cost_share_of(cells, cell, unit), LEAST_WEIGHT * most) : 1;
}

void tacit_intervals_weights(double *weights, const tacit_cells *cells)
{
    double unit = tacit__last_unit(cells), most = largest_weight(cells, unit);
    for (int32_t i = 0; i < cells->count; i++)
        weights[i] = weight_of(cells, i, unit, most);
}

double tacit_intervals_loss(const tacit_intervals *intervals, const tacit_cells *cells)
{
    double loss = 0, unit = tacit__last_unit(cells), most = largest_weight(cells, unit);
    for (int32_t i = 0; i < cells->count; i++) {
        if (isnan(intervals->low[i]))
            continue;
        double low = fmax(intervals->low[i], cells->lower[i]);
        loss += weight_of(cells, i, unit, most) * (fmin(intervals->high[i], cells->upper[i]) - low);
    }
    return loss;
}

tacit_status tacit_narrowed_init(tacit_narrowed *narrowed, const tacit_cells *cells,
                                 const tacit_intervals *intervals, tacit_error *err)
{
    size_t count = (size_t)cells->count;
    tacit_narrowed made = {.cells = *cells,
                           .lower = tacit__alloc_array(count, sizeof *made.lower),
                           .upper = tacit__alloc_array(count, sizeof *made.upper)};
    if (!made.lower || !made.upper) {
        tacit_narrowed_clear(&made);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        bool published = isnan(intervals->low[i]);
        made.lower[i] = published ? cells->lower[i] : fmax(intervals->low[i], cells->lower[i]);
        made.upper[i] = published ? cells->upper[i] : fmin(intervals->high[i], cells->upper[i]);
    }
    made.cells.lower = made.lower;
    made.cells.upper = made.upper;
    *narrowed = made;
    return TACIT_OK;
}

void tacit_narrowed_clear(tacit_narrowed *narrowed)
{
    tacit__free(narrowed->lower);
    tacit__free(narrowed->upper);
    *narrowed = (tacit_narrowed){0};
}
