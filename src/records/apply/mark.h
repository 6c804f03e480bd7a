/*
 * mark.h - from suppressed classes to suppressed rows.
 */
#ifndef TACIT_RECORDS_APPLY_MARK_H
#define TACIT_RECORDS_APPLY_MARK_H

#include <tacit/experimental/records.h>

/* Sets the bits of suppressed rows in `suppressed`, which is all zeros before. */
tacit_status tacit__mark_suppressed(uint64_t *suppressed, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err);

#endif
