/*
 * decimals.c - sums of decimals with no more decimals than what was added.
 *
 * 0.1 + 0.2 is 0.30000000000000004 in doubles, and a table that says so looks wrong. Where all
 * numbers have at most nine decimals, a sum of them has no more, and rounding it to so many gives
 * the double nearest to the true sum as long as that many digits fit into one. A pass over
 * the numbers.
 */
#include <math.h>

#include "cells/cells/inside.h"

enum { MOST_PLACES = 9 };

static const double SCALES[MOST_PLACES + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

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
        while (places <= MOST_PLACES && isfinite(numbers[i]) &&
               rounded(numbers[i], places) != numbers[i])
            places++;
        if (places > MOST_PLACES)
            return TACIT__ANY_DECIMALS;
    }
    return places;
}

void tacit__round_to(double *numbers, size_t count, int places)
{
    if (places > MOST_PLACES)
        return;
    for (size_t i = 0; i < count; i++)
        numbers[i] = rounded(numbers[i], places);
}
