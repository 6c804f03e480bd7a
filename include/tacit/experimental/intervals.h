/*
 * intervals.h - what is published of suppressed cells in place of blanks: an interval each.
 *
 * Two kinds of them. Of a suppressed cell anybody can work out how low and how high it can be
 * (tacit_audit_public): printing that says nothing that the release does not say already. Or
 * the intervals are what is chosen in place of letters (Fischetti and Salazar 2003, the method
 * `partial`): then they are all that hides a cell, and the audit takes them for known.
 */
#ifndef TACIT_INTERVALS_H
#define TACIT_INTERVALS_H

#include <tacit/experimental/cells.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Owned arrays; cleared with tacit_intervals_clear. All cells are published. */
tacit_status tacit_intervals_init(tacit_intervals *intervals, const tacit_cells *cells,
                                  tacit_error *err);
void tacit_intervals_clear(tacit_intervals *intervals);

/* Rounds ends outwards to as many decimals as published values have, six at most. status: the
 * letters; NULL: the cells' own. */
void tacit_intervals_round(tacit_intervals *intervals, const tacit_cells *cells,
                           const char *status);

/* What a unit of an interval's width costs: the cell's cost over its value's size (of a zero: a
 * unit of the last decimal place that values have; 1 where that costs nothing), which is 1 with the
 * default costs, but no less than a ten-thousandth of the table's largest. */
void tacit_intervals_weights(double *weights, const tacit_cells *cells);

/* The sum of weights times widths, as far as intervals are within the cells' bounds. */
double tacit_intervals_loss(const tacit_intervals *intervals, const tacit_cells *cells);

/* The cells as somebody knows them who knows the intervals too: a view whose bounds are the
 * narrower of both. Borrows the cells; cleared with tacit_narrowed_clear. */
typedef struct tacit_narrowed {
    tacit_cells cells;
    double *lower, *upper;
} tacit_narrowed;

tacit_status tacit_narrowed_init(tacit_narrowed *narrowed, const tacit_cells *cells,
                                 const tacit_intervals *intervals, tacit_error *err);
void tacit_narrowed_clear(tacit_narrowed *narrowed);

#ifdef __cplusplus
}
#endif
#endif
