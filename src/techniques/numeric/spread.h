/*
 * spread.h - how numbers are spread: mean, deviation, quantiles.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_SPREAD_H
#define TACIT_TECHNIQUES_NUMERIC_SPREAD_H

#include "techniques/sheet/sheet.h"

typedef struct tacit__numeric_spread {
    double count; /* of numbers that are there */
    double mean;
    double deviation; /* with count - 1; 0 where all are equal */
    double largest;   /* without its sign */
} tacit__numeric_spread;

/* Of a column that has numbers, in the order of its rows. */
tacit__numeric_spread tacit__spread_of(const tacit__sheet_column *column, int64_t rows);

void tacit__sort_numbers(double *numbers, size_t count);

/* Of sorted numbers, at least one: between the two around it in proportion; 0.5 is the median. */
double tacit__quantile(const double *sorted, size_t count, double share);

#endif
