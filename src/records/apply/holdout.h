/*
 * holdout.h - boxes laid out on rows that are held out; holdout.c says why.
 */
#ifndef TACIT_RECORDS_APPLY_HOLDOUT_H
#define TACIT_RECORDS_APPLY_HOLDOUT_H

#include "records/local/local.h"

/* One row of so many times k is held out. */
enum { TACIT__HOLDOUT_ONE_OF = 6 };

/* The release of a cell-level method that resists who knows it (options.resist_minimality). */
tacit_status tacit__holdout_solve(tacit_solution **out, const tacit_frame *frame,
                                  const tacit_records_options *options, const tacit_run *run,
                                  tacit_error *err);

/* The layout that rows held out make, `drawn` of each class; what is left out is in the box of
 * everything. It depends on the other rows by who lies in which box only. */
tacit_status tacit__holdout_layout(tacit__local_layout *out, const tacit__local *local,
                                   const uint32_t *drawn, tacit_error *err);

#endif
