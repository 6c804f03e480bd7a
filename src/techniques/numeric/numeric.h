/*
 * numeric.h - columns as numbers: spreads, ranks, and normal numbers by the million.
 */

#ifndef TACIT_TECHNIQUES_NUMERIC_NUMERIC_H
#define TACIT_TECHNIQUES_NUMERIC_NUMERIC_H

#include "base/random.h"
#include "base/sort.h"
#include "techniques/runner/technique.h"
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

/* How many of the sheet's rows have a number. */
int64_t tacit__rank_count(const tacit__sheet *sheet, const double *numbers);

/* The number of a rank, from 0, among those of a column in ascending order; there are more than
 * rank. */
tacit_status tacit__rank_find(double *out, const tacit__sheet *sheet, const double *numbers,
                              int64_t rank, tacit_error *err);

/* The order of two texts' bytes, as memcmp says it. */
int tacit__compare_texts(tacit_strview a, tacit_strview b);

enum { TACIT__NORMAL_LAYERS = 256 };

/* Layers of equal area under the normal curve. */
typedef struct tacit__normal {
    double ends[TACIT__NORMAL_LAYERS + 1]; /* right ends, from the lowest layer up */
    double inner[TACIT__NORMAL_LAYERS];    /* share of a layer that lies under the one above */
} tacit__normal;

void tacit__normal_init(tacit__normal *normal);

double tacit__normal_draw(const tacit__normal *normal, tacit__random *random);

#endif
