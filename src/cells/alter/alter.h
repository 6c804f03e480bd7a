/*
 * alter.h - one solver a method that changes values, each in a file of its own, and what they
 * share.
 */
#ifndef TACIT_CELLS_ALTER_ALTER_H
#define TACIT_CELLS_ALTER_ALTER_H

#include <tacit/experimental/alter.h>

/* The methods; see tacit_alter_method. */
typedef tacit_status tacit__alter_solve(tacit_altered *out, const tacit_cells *cells,
                                        const tacit_alter_options *options, const tacit_run *run,
                                        tacit_error *err);

tacit__alter_solve tacit__round_nearest, tacit__round_random, tacit__round_controlled,
    tacit__adjust_values, tacit__noisy_counts;

/* What a change of each cell by 1 weighs. */
void tacit__alter_weights(double *weights, const tacit_cells *cells, tacit_alter_weight weight);

/* Nothing known, with room for a value a cell. */
tacit_status tacit__altered_init(tacit_altered *out, const tacit_cells *cells, tacit_error *err);

/* Counts changed cells, and measures the distance, both by the values that are published. A change
 * is more than rounding of the computer's own: a billionth of the value, or of 1. */
tacit_status tacit__altered_measure(tacit_altered *altered, const tacit_cells *cells,
                                    const tacit_alter_options *options, tacit_error *err);

#endif
