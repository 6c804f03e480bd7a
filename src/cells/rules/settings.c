/*
 * settings.c - what is set for every cell: costs, bounds and levels by margin, and the check
 * that they make sense together.
 *
 * Costs follow the usual family x^lambda, log(1 + x) standing for lambda = 0. Bounds are what
 * everybody knows; the default, from 0 to the largest value, is what follows from values
 * that are not negative and a published total. That total itself may be suppressed, and then bounds
 * nothing: it has room for twice its value, and for its levels.
 */
#include <math.h>

#include "base/error.h"
#include "cells/cells/inside.h"

void tacit_cells_spec_init(tacit_cells_spec *spec)
{
    *spec = (tacit_cells_spec){.top = 2, .margin = {.margin = 10, .least = NAN}};
}

static double cost_of(const tacit_cells *cells, int32_t cell, tacit_cost_kind kind)
{
    switch (kind) {
    case TACIT_COST_COUNT: return 1;
    case TACIT_COST_FREQ: return (double)cells->freq[cell];
    case TACIT_COST_COLUMN: return fabs(cells->measure[cell]);
    default: return fabs(cells->value[cell]);
    }
}

tacit_status tacit_cells_set_costs(tacit_cells *cells, tacit_cost_kind kind, double lambda,
                                   tacit_error *err)
{
    if (!(lambda >= 0) || isinf(lambda))
        return tacit__error(err, TACIT_INVALID, "the power of costs must be 0 or more");
    if (kind == TACIT_COST_FREQ && !cells->freq)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "costs by frequency need a column freq");
    if (kind == TACIT_COST_COLUMN && !cells->measure)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "no column was named to take costs from");
    tacit_status status = tacit__cells_known(cells, err);
    for (int32_t i = 0; status == TACIT_OK && i < cells->count; i++) {
        double size = cost_of(cells, i, kind);
        cells->cost[i] = lambda == 0 ? log1p(size) : lambda == 1 ? size : pow(size, lambda);
        if (!isfinite(cells->cost[i]))
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its cost is too large to be a number; use a smaller power");
    }
    return status;
}

static double largest(const tacit_cells *cells)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        most = fmax(most, fabs(cells->value[i]));
        if (cells->gross && cells->negative && !cells->shadow)
            most = fmax(most, cells->gross[i]);
    }
    return most;
}

void tacit_cells_set_bounds(tacit_cells *cells, double q)
{
    double most = largest(cells);
    cells->assumed = !(q > 0);
    for (int32_t i = 0; i < cells->count; i++) {
        double value = cells->value[i], around = fabs(value) * q / 100;
        if (cells->unknown && cells->unknown[i])
            continue;
        double far = fabs(value) < most ? most : 2 * most;
        cells->lower[i] = q > 0 ? value - around : cells->negative ? 0 - far : 0;
        cells->upper[i] = q > 0 ? value + around : far;
    }
}

double tacit__margin_level(const tacit_cells *cells, int32_t cell, const tacit_margin *margin)
{
    double least = isnan(margin->least) ? (cells->counts ? 1 : 0) : margin->least;
    return fmax(least, margin->margin / 100 * fabs(cells->value[cell]));
}

tacit__room tacit__room_for(tacit_cells *cells, int32_t cell, double level)
{
    double value = cells->value[cell];
    if (cells->assumed) {
        cells->upper[cell] = fmax(cells->upper[cell], value + level);
        if (cells->negative)
            cells->lower[cell] = fmin(cells->lower[cell], value - level);
    }
    return (tacit__room){.below = fmax(value - cells->lower[cell], 0),
                         .above = fmax(cells->upper[cell] - value, 0)};
}

void tacit__margin_apply(tacit_cells *cells, int32_t cell, const tacit_margin *margin)
{
    double level = tacit__margin_level(cells, cell, margin);
    tacit__room room = tacit__room_for(cells, cell, level);
    cells->lpl[cell] = fmin(level, room.below);
    cells->upl[cell] = fmin(level, room.above);
}

/* Rounding apart. */
static bool above(double a, double b)
{
    return a > b + TACIT_CELLS_EQUAL * fmax(1, fmax(fabs(a), fabs(b)));
}

tacit_status tacit_cells_check(const tacit_cells *cells, tacit_error *err)
{
    tacit_status status = tacit__cells_known(cells, err);
    for (int32_t i = 0; status == TACIT_OK && i < cells->count; i++) {
        double value = cells->value[i], lower = cells->lower[i], upper = cells->upper[i];
        if (above(lower, value) || above(value, upper))
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its value lies outside its bounds; correct lower or upper");
        if (cells->status[i] != TACIT_CELL_PRIMARY)
            continue;
        if (above(lower, value - cells->lpl[i]) || above(value + cells->upl[i], upper) ||
            above(cells->spl[i], upper - lower))
            return tacit__cell_error(cells, i, TACIT_INFEASIBLE, err,
                                     "its protection levels reach beyond its bounds, so nothing "
                                     "can protect it; lower the levels or widen the bounds");
    }
    return status;
}
