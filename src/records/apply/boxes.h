/*
 * boxes.h - a cell-level solution on the rows.
 */
#ifndef TACIT_RECORDS_APPLY_BOXES_H
#define TACIT_RECORDS_APPLY_BOXES_H

#include <tacit/experimental/records.h>

/* Row -> the box it is released as, into box_of_row with an entry a row. Which
 * rows of a class that leaves in several boxes go where is drawn from the run's
 * seed. */
tacit_status tacit__boxes_assign(uint32_t *box_of_row, const tacit_solution *solution,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err);

/* Fills codes, labels and suppressed rows of an application whose arrays for the
 * attributes are there, a box given for each row. */
tacit_status tacit__boxes_fill(tacit_application *application, const uint32_t *box_of_row,
                               const tacit_solution *solution, const tacit_frame *frame,
                               const tacit_run *run, tacit_error *err);

/* Fills codes, labels and suppressed rows of an application whose arrays for the
 * attributes are there. A row is suppressed whose every value is "*". */
tacit_status tacit__boxes_apply(tacit_application *application, const tacit_solution *solution,
                                const tacit_frame *frame, const tacit_run *run, tacit_error *err);

#endif
