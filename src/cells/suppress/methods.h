/*
 * methods.h - one solver a method, each in a file of its own, and what they share.
 */
#ifndef TACIT_CELLS_SUPPRESS_METHODS_H
#define TACIT_CELLS_SUPPRESS_METHODS_H

#include <tacit/experimental/suppress.h>

/* The methods; see tacit_suppress_method. */
typedef tacit_status tacit__suppress_solve(tacit_pattern *out, const tacit_cells *cells,
                                           const char *status,
                                           const tacit_suppress_options *options,
                                           const tacit_run *run, tacit_error *err);

tacit__suppress_solve tacit__suppress_auto, tacit__suppress_optimal, tacit__hypercube_solve,
    tacit__hitas_solve, tacit__total_solve, tacit__partial_solve;

/* How often the usual work may be done. */
static inline double tacit__work_times(const tacit_suppress_options *options)
{
    return options->work > 0 ? options->work : 1;
}

/* The same for hitas: where contributors or sums are to be seen to, its pattern is a beginning
 * only, and more than half is left for that. */
static inline double tacit__hitas_times(const tacit_suppress_options *options)
{
    return tacit__work_times(options) * (options->singletons || options->sums ? 0.4 : 1);
}

/* So much of the usual work. */
static inline int64_t tacit__work_within(double usual, double times)
{
    return usual * times < 9e18 ? (int64_t)(usual * times) : INT64_MAX;
}

/* How far it may go: work on all subtables, in the units of tacit__work_of, and what the cells that
 * it suppresses cost, of which there are only ever more. times: how often the usual work may be
 * done on subtables before their best so far is taken, which limits no more than how good it is. */
typedef struct tacit__hitas_limits {
    int64_t work;
    double cost;
    double times;
} tacit__hitas_limits;

/* Hitas with limits; *done false: it came to one of them, and the pattern protects nothing. */
tacit_status tacit__hitas_within(tacit_pattern *out, bool *done, const tacit_cells *cells,
                                 const char *status, const tacit__hitas_limits *limits,
                                 const tacit_run *run, tacit_error *err);

/* How far the adversary must be kept from a cell's value: above, below, and both together. */
typedef struct tacit__need {
    double up;
    double down;
    double spread;
} tacit__need;

static inline bool tacit__needs_any(tacit__need need)
{
    return need.up > 0 || need.down > 0 || need.spread > 0;
}

/* The need of a suppressed cell: its protection levels if it is primary; otherwise not to be
 * known exactly, which is a spread of tacit__least_spread. */
tacit__need tacit__need_of(const tacit_cells *cells, const char *status, int32_t cell,
                           double largest);

/* The largest value without sign, which tells noise from numbers. */
double tacit__largest_value(const tacit_cells *cells);

/* A spread that is no rounding: a millionth of the value, or of the table's largest up to a
 * thousandth of a unit. */
double tacit__least_spread(const tacit_cells *cells, int32_t cell, double largest);

static inline bool tacit__suppressed(char status)
{
    return status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY;
}

/* A cell (or demand) and its cost, or its need; and for qsort, the most first. */
typedef struct tacit__cell_price {
    double cost;
    int32_t cell;
} tacit__cell_price;

int tacit__dearest_first(const void *left, const void *right);

/* TACIT_INFEASIBLE, naming a cell for which nothing can be done. */
tacit_status tacit__repair_hopeless(const tacit_cells *cells, int32_t cell, tacit_error *err);

/* Ends of a suppressed cell's interval that tell nothing of values by themselves: none below 0
 * where no value is. */
void tacit__intervals_clip(tacit_intervals *intervals, const tacit_cells *cells);

/* Makes all intervals a unit of the last decimal wider on both sides. */
void tacit__intervals_loosen(tacit_intervals *intervals, const tacit_cells *cells,
                             const char *status);

/* An empty pattern with a copy of the letters to begin with. */
tacit_status tacit__pattern_init(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                 tacit_error *err);

/* What the secondary cells among these letters cost. */
double tacit__cost_given(const tacit_cells *cells, const char *status);

/* Counts secondary cells and their cost. */
void tacit__pattern_finish(tacit_pattern *pattern, const tacit_cells *cells);

#endif
