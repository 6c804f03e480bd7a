/*
 * table_intervals.c - what anybody can tell of suppressed cells from a release alone, in words
 * that may be published with it.
 *
 * The audit of a table takes every cell's bounds for known. Bounds often come from the values
 * themselves: by default the largest value is the upper bound of all, a level widens that of a
 * confidential total to its value and the level, and bounds within some percent have the value in
 * the middle. An interval that ends at such a bound gives the value away, be it the bound of
 * another cell. With values that are not negative and published grand totals the default bounds
 * say nothing that does not follow from the relations, and the audit's intervals are the
 * public's. Otherwise a second audit is made that knows the relations, what is published and, if
 * so, that no value is negative; ends may then be open.
 *
 * Ends are rounded outwards to the decimals of what is published.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/tables/tables.h"

enum { MAX_DECIMALS = 6, NUMBER_BYTES = 64 };

/* Noise of sums, in units of the last decimal. */
static const double NOISE = 1e-4;

/* ---- what is known ---- */

static bool none_negative(const tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->lower[i] < 0)
            return false;
    return !cells->negative;
}

static bool totals_published(const tacit_cells *cells, const char *status)
{
    for (int32_t t = 0; t < cells->table_count; t++) {
        const tacit_cells_table *table = &cells->tables[t];
        int64_t place = 0;
        for (int32_t i = 0; i < table->dimension_count; i++)
            place +=
                cells->dimensions[table->dimensions[i]].trees[0].root * (int64_t)table->strides[i];
        if (engine_is_suppressed(status[table->cells ? table->cells[place] : (int32_t)place]))
            return false;
    }
    return cells->table_count > 0;
}

/* Whether the bounds follow from the release. */
static bool bounds_are_public(const tacit_cells *cells, const char *status)
{
    return cells->assumed && none_negative(cells) && totals_published(cells, status);
}

/* The same cells, of which nothing is known but, if so, that they are not negative. Arrays are
 * the caller's. */
static tacit_cells without_bounds(const tacit_cells *cells, double *lower, double *upper,
                                  bool not_negative)
{
    tacit_cells bare = *cells;
    for (int32_t i = 0; i < cells->count; i++) {
        lower[i] = not_negative ? 0 : -INFINITY;
        upper[i] = INFINITY;
    }
    bare.lower = lower;
    bare.upper = upper;
    return bare;
}

static void audit_again(engine_table_intervals *intervals, const tacit_cells *cells,
                        const char *status)
{
    size_t count = (size_t)cells->count + 1;
    double *lower = tacit__alloc(count * sizeof *lower),
           *upper = tacit__alloc(count * sizeof *upper);
    tacit_run run;
    tacit_run_init(&run);
    if (lower && upper) {
        tacit_cells bare = without_bounds(cells, lower, upper, intervals->not_negative);
        if (tacit_audit_cells(&intervals->own, &bare, status, NULL, &run, NULL) == TACIT_OK)
            intervals->audit = intervals->own;
    }
    tacit__free(lower);
    tacit__free(upper);
}

/* ---- numbers ---- */

static int decimals_of(double value, int least)
{
    int decimals = least;
    for (double scaled = value * pow(10, least);
         decimals < MAX_DECIMALS && fabs(scaled - round(scaled)) > NOISE; scaled *= 10)
        decimals++;
    return decimals;
}

int engine_table_decimals(const tacit_cells *cells, const char *status)
{
    int decimals = 0;
    for (int32_t i = 0; cells->decimals && i < cells->count; i++)
        if (!engine_is_suppressed(status[i]))
            decimals = decimals_of(cells->value[i], decimals);
    return decimals;
}

const char *engine_table_value(char *buffer, size_t size, const engine_table_intervals *intervals,
                               double value)
{
    return tacit_number_text(buffer, size, value, intervals->decimals);
}

static const char *end_text(char *buffer, size_t size, const engine_table_intervals *intervals,
                            double end, bool up)
{
    double scale = pow(10, intervals->decimals), scaled = end * scale;
    scaled = up ? ceil(scaled - NOISE) : floor(scaled + NOISE);
    return engine_table_value(buffer, size, intervals, scaled / scale);
}

/* ---- words ---- */

static int compare_cell(const void *key, const void *item)
{
    int32_t cell = *(const int32_t *)key, other = ((const tacit_cell_finding *)item)->cell;
    return cell < other ? -1 : cell > other;
}

static const char *print_interval(char *buffer, size_t size,
                                  const engine_table_intervals *intervals,
                                  const tacit_cell_finding *f)
{
    char low[NUMBER_BYTES], high[NUMBER_BYTES];
    bool from = isfinite(f->low), to = isfinite(f->high);
    end_text(low, sizeof low, intervals, f->low, false);
    end_text(high, sizeof high, intervals, f->high, true);
    if (f->disclosed)
        snprintf(buffer, size, "anybody can work out its value");
    else if (from && to)
        snprintf(buffer, size, "anybody can tell that it is between %s and %s", low, high);
    else if (from)
        snprintf(buffer, size, "anybody can tell that it is %s or more", low);
    else if (to)
        snprintf(buffer, size, "anybody can tell that it is %s or less", high);
    else
        snprintf(buffer, size, "nothing is known about it");
    return buffer;
}

const char *engine_table_interval(char *buffer, size_t size,
                                  const engine_table_intervals *intervals, int32_t cell)
{
    const tacit_cells_audit *audit = intervals->audit;
    const tacit_cell_finding *f = audit ? bsearch(&cell, audit->cells, (size_t)audit->cell_count,
                                                  sizeof *audit->cells, compare_cell)
                                        : NULL;
    if (!f || f->unknown)
        snprintf(buffer, size, "what can be worked out about it was not computed");
    else
        print_interval(buffer, size, intervals, f);
    return buffer;
}

void engine_table_intervals_init(engine_table_intervals *intervals, const tacit_cells *cells,
                                 const char *status, const tacit_cells_audit *audit)
{
    status = status ? status : cells->status;
    *intervals = (engine_table_intervals){.decimals = engine_table_decimals(cells, status),
                                          .not_negative = none_negative(cells)};
    if (audit && bounds_are_public(cells, status))
        intervals->audit = audit;
    else
        audit_again(intervals, cells, status);
}

void engine_table_intervals_clear(engine_table_intervals *intervals)
{
    tacit_cells_audit_free(intervals->own);
    *intervals = (engine_table_intervals){0};
}
