/*
 * sums.c - what rounding does to sums of decimals, and what a change of a cell weighs. A pass over
 * the numbers each.
 *
 * Decimals: 0.1 + 0.2 is 0.30000000000000004 in doubles, and a table that says so looks wrong.
 * Where all numbers have at most nine decimals, a sum of them has no more, and rounding it to so
 * many gives the double nearest to the true sum as long as that many digits fit into one.
 *
 * Weights: a change of a cell by 1, or a width of 1, weighs its cost over its value. With the
 * default costs, which are the values, that is 1 for every cell: a distance is then the plain sum
 * of changes, and a loss that of widths. A value smaller than the table's last decimal place, which
 * is 0, counts as a unit of that place; a zero that costs nothing weighs 1 as well. Another hand
 * gets the same sums from docs/cells.md.
 *
 * Two sums are taken for equal where they differ by no more than the tolerance asked for and
 * what decimals in doubles round to, TACIT_CELLS_EQUAL of the sizes that went into them.
 */
#include "cells/cells/inside.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/strbuf.h"

enum { MAX_PLACES = 9 };

static const double SCALES[MAX_PLACES + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

/* Whole numbers below this are doubles. */
static const double LARGEST_WHOLE = 9007199254740992;

static double rounded(double number, int places)
{
    double scaled = number * SCALES[places];
    return fabs(scaled) < LARGEST_WHOLE ? round(scaled) / SCALES[places] : number;
}

int tacit__decimals_of(const double *numbers, size_t count)
{
    int places = 0;
    for (size_t i = 0; i < count; i++) {
        while (places <= MAX_PLACES && isfinite(numbers[i]) &&
               rounded(numbers[i], places) != numbers[i])
            places++;
        if (places > MAX_PLACES)
            return TACIT__ANY_DECIMALS;
    }
    return places;
}

void tacit__round_to(double *numbers, size_t count, int places)
{
    if (places > MAX_PLACES)
        return;
    for (size_t i = 0; i < count; i++)
        numbers[i] = rounded(numbers[i], places);
}

double tacit__last_unit(const tacit_cells *cells)
{
    int places = cells->decimals ? tacit__decimals_of(cells->value, (size_t)cells->count) : 0;
    return pow(10, -(places < MAX_PLACES ? places : MAX_PLACES));
}

double tacit__share_of(const tacit_cells *cells, int32_t cell, double unit)
{
    return 1 / fmax(fabs(cells->value[cell]), unit);
}

double tacit__cost_share_of(const tacit_cells *cells, int32_t cell, double unit)
{
    if (cells->value[cell] == 0 && cells->cost[cell] == 0)
        return 1;
    return cells->cost[cell] / fmax(fabs(cells->value[cell]), unit);
}

enum { LISTED = 5, DIGITS = 6 };

/* Sums that overflow are as far off as can be said. */
tacit__off tacit__off_of(double by, int64_t line)
{
    return (tacit__off){.by = isfinite(by) ? fabs(by) : DBL_MAX, .line = line};
}

bool tacit__within(double difference, double size, double tolerance)
{
    return isfinite(difference) && isfinite(size) &&
           fabs(difference) <= tolerance + TACIT_CELLS_EQUAL * fmax(1, size);
}

static int worst_first(const void *left, const void *right)
{
    const tacit__off *a = left, *b = right;
    if (a->by != b->by)
        return a->by > b->by ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

tacit_status tacit__off_error(tacit__off *off, int64_t count, const char *file, const char *what,
                              tacit_error *err)
{
    tacit__strbuf list = {0};
    qsort(off, (size_t)count, sizeof *off, worst_first);
    for (int64_t i = 0; i < count && i < LISTED; i++) {
        char by[TACIT__DECIMAL_SIZE];
        double scale = pow(10, DIGITS - ceil(log10(off[i].by)));
        tacit__decimal_write(by, round(off[i].by * scale) / scale);
        tacit__strbuf_format(&list, "%sline %lld by %s", i ? ", " : "", (long long)off[i].line, by);
    }
    tacit_status status =
        list.failed
            ? tacit__nomem(err)
            : tacit__error_at(err, TACIT_PARSE, file, off[0].line, 0,
                              "%s (%lld), worst first: %s%s; correct them or allow a tolerance",
                              what, (long long)count, list.bytes, count > LISTED ? ", ..." : "");
    tacit__strbuf_clear(&list);
    return status;
}
