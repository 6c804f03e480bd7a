/*
 * weights.c - what a change of a cell by 1 weighs, or a width of 1: its cost over its value.
 *
 * With the default costs, which are the values, that is 1 for every cell: a distance is then the
 * plain sum of changes, and a loss that of widths. A value smaller than the table's last decimal
 * place, which is 0, counts as a unit of that place; a zero that costs nothing weighs 1 as
 * well. Another hand gets the same sums from docs/cells.md. Linear.
 */
#include <math.h>

#include "cells/cells/inside.h"

enum { MOST_PLACES = 9 };

double tacit__last_unit(const tacit_cells *cells)
{
    int places = cells->decimals ? tacit__decimals_of(cells->value, (size_t)cells->count) : 0;
    return pow(10, -(places < MOST_PLACES ? places : MOST_PLACES));
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
