/*
 * methods.c - the table of methods that suppress cells, and what all of them share.
 */
#include "cells/suppress/methods.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Below the first of these a spread is what rounding leaves. */
#define SPREAD_SHARE 1e-6
#define SPREAD_MOST  1e-3

static const tacit_suppress_method METHODS[] = {
    {"auto", "the best of several starts, made better over the whole table (the default)", false,
     tacit__suppress_auto},
    {"hypercube", "the cheapest cuboid around every suppressed cell: quick, suppresses more", false,
     tacit__hypercube_solve},
    {"hitas", "every subtable at the least cost, from the top of the hierarchies down", false,
     tacit__hitas_solve},
    {"optimal", "the whole table at the least cost, with proof", false, tacit__suppress_optimal},
    {"total",
     "two dimensions: nothing is known about primary cells, not even a sum (not intervals)", true,
     tacit__total_solve},
    {"partial", "the whole table with intervals in place of blanks, as narrow as levels allow",
     false, tacit__partial_solve},
    {NULL, NULL, false, NULL},
};

const tacit_suppress_method *tacit_suppress_methods(void)
{
    return METHODS;
}

const tacit_suppress_method *tacit_suppress_method_find(const char *name)
{
    for (const tacit_suppress_method *method = METHODS; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

double tacit__largest_value(const tacit_cells *cells)
{
    double largest = 0;
    for (int32_t i = 0; i < cells->count; i++)
        largest = fmax(largest, fabs(cells->value[i]));
    return largest;
}

double tacit__least_spread(const tacit_cells *cells, int32_t cell, double largest)
{
    double least = fmin(SPREAD_MOST, SPREAD_SHARE * largest);
    return fmax(SPREAD_SHARE * fabs(cells->value[cell]), least);
}

tacit__need tacit__need_of(const tacit_cells *cells, const char *status, int32_t cell,
                           double largest)
{
    tacit__need need = {.spread = tacit__least_spread(cells, cell, largest)};
    if (status[cell] == TACIT_CELL_PRIMARY) {
        need.up = cells->upl[cell];
        need.down = cells->lpl[cell];
        need.spread = fmax(need.spread, cells->spl[cell]);
    }
    return need;
}

int tacit__dearest_first(const void *left, const void *right)
{
    const tacit__cell_price *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

tacit_status tacit__pattern_init(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                 tacit_error *err)
{
    *out = (tacit_pattern){.lower_bound = NAN, .unprotected = -1};
    out->status = tacit__copy_bytes(status, (size_t)cells->count);
    return out->status ? TACIT_OK : tacit__nomem(err);
}

double tacit__cost_given(const tacit_cells *cells, const char *status)
{
    double cost = 0;
    for (int32_t i = 0; i < cells->count; i++)
        cost += status[i] == TACIT_CELL_SECONDARY ? cells->cost[i] : 0;
    return cost;
}

void tacit__pattern_finish(tacit_pattern *pattern, const tacit_cells *cells)
{
    pattern->secondary = 0;
    pattern->cost = tacit__cost_given(cells, pattern->status);
    for (int32_t i = 0; i < cells->count; i++)
        pattern->secondary += pattern->status[i] == TACIT_CELL_SECONDARY;
}

void tacit_pattern_clear(tacit_pattern *pattern)
{
    tacit__free(pattern->status);
    tacit__free(pattern->rivals);
    pattern->status = pattern->rivals = NULL;
    pattern->rival_count = 0;
    tacit_intervals_clear(&pattern->intervals);
}
