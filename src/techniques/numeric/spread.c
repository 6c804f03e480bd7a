/*
 * spread.c - mean and deviation in one pass that loses no digits (Welford), and quantiles (type 7
 * of Hyndman and Fan).
 */
#include "techniques/numeric/spread.h"

#include <math.h>
#include <stdlib.h>

tacit__numeric_spread tacit__spread_of(const tacit__sheet_column *column, int64_t rows)
{
    tacit__numeric_spread s = {0};
    double squares = 0;
    for (int64_t row = 0; row < rows; row++) {
        double number = column->numbers[row], off = number - s.mean;
        if (isnan(number))
            continue;
        s.mean += off / ++s.count;
        squares += off * (number - s.mean);
        s.largest = fabs(number) > s.largest ? fabs(number) : s.largest;
    }
    s.deviation = squares > 0 ? sqrt(squares / (s.count - 1)) : 0;
    return s;
}

static int by_number(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void tacit__sort_numbers(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, by_number);
}

double tacit__quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1), down = floor(at);
    size_t i = (size_t)down;
    return i + 1 < count ? sorted[i] + (at - down) * (sorted[i + 1] - sorted[i]) : sorted[i];
}
