/*
 * alter.h - one solver a method that changes values, each in a file of its own, and what they
 * share.
 */
#ifndef TACIT_SRC_CELLS_ALTER_H
#define TACIT_SRC_CELLS_ALTER_H

#include <tacit/alter.h>

tacit_status tacit__round_nearest(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err);

tacit_status tacit__round_random(tacit_altered *out, const tacit_cells *cells,
                                 const tacit_alter_options *options, const tacit_run *run,
                                 tacit_error *err);

tacit_status tacit__round_controlled(tacit_altered *out, const tacit_cells *cells,
                                     const tacit_alter_options *options, const tacit_run *run,
                                     tacit_error *err);
tacit_status tacit__adjust_values(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err);

/* What a change of the cell by 1 weighs. */
double tacit__alter_weight_of(const tacit_cells *cells, tacit_alter_weight weight, int32_t cell);

/* Nothing known, with room for a value a cell. */
tacit_status tacit__altered_init(tacit_altered *out, const tacit_cells *cells, tacit_error *err);

/* Counts changed cells. A change is more than rounding of the computer's own: a billionth of the
 * value, or of 1. */
void tacit__altered_count(tacit_altered *altered, const tacit_cells *cells);

#endif
