/*
 * apply.h - a solution on the rows, where it is known already which row leaves in which box.
 */
#ifndef TACIT_RECORDS_APPLY_APPLY_H
#define TACIT_RECORDS_APPLY_APPLY_H

#include <tacit/experimental/records.h>

typedef struct tacit__placed {
    const uint32_t *box_of_row;
    const uint64_t *suppressed; /* bit a row, whatever its highest level is called */
} tacit__placed;

/* tacit_solution_apply with the box of each row given; NULL: they are drawn. */
tacit_status tacit__apply(tacit_application **out, const tacit__placed *placed,
                          const tacit_solution *solution, const tacit_frame *frame,
                          const tacit_apply_options *options, const tacit_run *run,
                          tacit_error *err);

#endif
