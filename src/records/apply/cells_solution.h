/*
 * cells_solution.h - what solutions with boxes have in common.
 */
#ifndef TACIT_RECORDS_APPLY_CELLS_SOLUTION_H
#define TACIT_RECORDS_APPLY_CELLS_SOLUTION_H

#include "records/apply/box_list.h"

/* A solution of the classes' levels with room for a box of each class and for
 * `parts` parts; no classes, boxes or parts are in it yet. */
tacit_status tacit__cells_solution_new(tacit_solution **out, const tacit_frame *frame,
                                       const tacit_classes *classes, int64_t parts,
                                       tacit_error *err);

/* Orders the parts, joins those of a class that leave in one box, and drops those
 * that leave in the box of the rest. */
void tacit__cells_tidy_parts(tacit_boxes *boxes);

#endif
