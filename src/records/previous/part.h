/*
 * part.h - some rows of the data, each from where it starts, given to a method.
 */
#ifndef TACIT_RECORDS_PREVIOUS_PART_H
#define TACIT_RECORDS_PREVIOUS_PART_H

#include "records/apply/rowwise.h"

/* What every part is made from. */
typedef struct tacit__origin {
    const tacit_frame *frame;
    const uint8_t *starts; /* row by row, an attribute each: the level it starts from */
    const tacit_method *method;
    const tacit_records_options *options;
    const tacit_run *run;
} tacit__origin;

/* Solves the listed rows by themselves and writes what comes out into `out`, which is of all
 * rows. TACIT_INFEASIBLE where the method finds nothing. */
tacit_status tacit__part_solve(tacit_rowwise *out, const tacit__origin *origin,
                               const uint32_t *rows, int64_t count, int64_t most_suppressed,
                               tacit_error *err);

#endif
