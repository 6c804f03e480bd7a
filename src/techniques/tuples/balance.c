/*
 * balance.c - a choice of rows that keeps proportions.
 *
 * Every n/m-th row of the order is chosen, from a random start, so that each combination has its
 * share but for less than one row. What this leaves of a column by itself adds up over
 * combinations; it is mended by exchanges of a chosen row for another one, drawn by chance,
 * wherever that lessens the sum of squares, until no value is off by a row or a number of draws in
 * proportion to the rows and values has been made. Linear.
 */
#include "techniques/tuples/balance.h"

#include <math.h>

enum { DRAWS_A_ROW = 16, DRAWS_A_VALUE = 256 };

typedef struct balancing {
    uint32_t *order;
    int64_t rows, count;
    tacit__margin *margins;
    size_t margin_count;
    int64_t wide; /* values that are off by a row or more */
} balancing;

static bool is_wide(double excess)
{
    return fabs(excess) >= 1;
}

static void trade(uint32_t *order, int64_t i, int64_t j)
{
    uint32_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

/* Chosen rows go to the front; which row is where behind them does not matter. */
static void choose_evenly(balancing *b, tacit__random *random)
{
    double step = (double)b->rows / (double)b->count, start = tacit__random_unit(random);
    for (int64_t i = 0; i < b->count; i++) {
        int64_t at = (int64_t)floor(((double)i + start) * step);
        at = at < b->rows ? at : b->rows - 1;
        trade(b->order, i, at < i ? i : at);
    }
}

static void count_excess(balancing *b)
{
    double share = (double)b->count / (double)b->rows;
    for (size_t m = 0; m < b->margin_count; m++) {
        tacit__margin *margin = &b->margins[m];
        for (uint32_t code = 0; code < margin->count; code++)
            margin->excess[code] = 0;
        for (int64_t i = 0; i < b->rows; i++)
            margin->excess[margin->codes[b->order[i]]] += (i < b->count) - share;
        for (uint32_t code = 0; code < margin->count; code++)
            b->wide += is_wide(margin->excess[code]);
    }
}

/* By how much an exchange changes half the sum of squares. */
static double gain(const balancing *b, uint32_t out, uint32_t in)
{
    double change = 0;
    for (size_t m = 0; m < b->margin_count; m++) {
        const tacit__margin *margin = &b->margins[m];
        uint32_t from = margin->codes[out], to = margin->codes[in];
        if (from != to)
            change += margin->excess[to] - margin->excess[from] + 1;
    }
    return -change;
}

static void add(balancing *b, double *excess, double change)
{
    b->wide -= is_wide(*excess);
    *excess += change;
    b->wide += is_wide(*excess);
}

static void exchange(balancing *b, int64_t out, int64_t in)
{
    for (size_t m = 0; m < b->margin_count; m++) {
        tacit__margin *margin = &b->margins[m];
        add(b, &margin->excess[margin->codes[b->order[out]]], -1);
        add(b, &margin->excess[margin->codes[b->order[in]]], 1);
    }
    trade(b->order, out, in);
}

static void mend(balancing *b, tacit__random *random)
{
    int64_t draws = DRAWS_A_ROW * b->count, others = b->rows - b->count;
    for (size_t m = 0; m < b->margin_count; m++)
        draws += DRAWS_A_VALUE * (int64_t)b->margins[m].count;
    for (; draws > 0 && b->wide > 0 && others > 0; draws--) {
        int64_t out = tacit__random_below(random, (uint32_t)b->count);
        int64_t in = b->count + tacit__random_below(random, (uint32_t)others);
        if (gain(b, b->order[out], b->order[in]) > 1e-9)
            exchange(b, out, in);
    }
}

void tacit__balance(uint32_t *order, int64_t rows, int64_t count, tacit__margin *margins,
                    size_t margin_count, tacit__random *random)
{
    balancing b = {order, rows, count, margins, margin_count, 0};
    if (count > 0)
        choose_evenly(&b, random);
    if (rows > 0)
        count_excess(&b);
    if (count > 0)
        mend(&b, random);
}

double tacit__margin_error(const tacit__margin *margin)
{
    double most = 0;
    for (uint32_t code = 0; code < margin->count; code++)
        most = fmax(most, fabs(margin->excess[code]));
    return most;
}
