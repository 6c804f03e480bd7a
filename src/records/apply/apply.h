/*
 * apply.h - a solution on the rows: which are suppressed, what they are released as, in which
 * order.
 */
#ifndef TACIT_RECORDS_APPLY_APPLY_H
#define TACIT_RECORDS_APPLY_APPLY_H

#include <tacit/base.h>
#include <tacit/experimental/previous.h>
#include <tacit/experimental/records.h>

/* Sets the bits of suppressed rows in `suppressed`, which is all zeros before. */
tacit_status tacit__mark_suppressed(uint64_t *suppressed, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err);

/* Row -> the box it is released as, into box_of_row with an entry a row. Which
 * rows of a class that leaves in several boxes go where is drawn from the run's
 * seed. */
tacit_status tacit__boxes_assign(uint32_t *box_of_row, const tacit_solution *solution,
                                 const tacit_frame *frame, const tacit_run *run, tacit_error *err);

/* A uniformly random order of the rows whose bit in left_out (NULL: none) is
 * not set; `kept` is their number. The caller frees *out. */
tacit_status tacit__shuffle(uint32_t **out, int64_t rows, const uint64_t *left_out, int64_t kept,
                            const tacit_run *run, tacit_error *err);

typedef struct tacit__placed {
    const uint32_t *box_of_row;
    const uint64_t *suppressed; /* bit a row, whatever its highest level is called */
} tacit__placed;

/* tacit_solution_apply with the box of each row given; NULL: they are drawn. */
tacit_status tacit__apply(tacit_application **out, const tacit__placed *placed,
                          const tacit_solution *solution, const tacit_frame *frame,
                          const tacit_apply_options *options, const tacit_run *run,
                          tacit_error *err);

/* Every row as it is. */
tacit_status tacit__rowwise_new(tacit_rowwise **out, int64_t rows, int32_t attributes,
                                tacit_error *err);

static inline uint8_t *tacit__rowwise_at(const tacit_rowwise *rowwise, int64_t row)
{
    return rowwise->levels + row * rowwise->attributes;
}

/* The box that each row leaves in; boxes are numbered as they are met. */
tacit_status tacit__rowwise_boxes(uint32_t *box_of_row, int64_t *count,
                                  const tacit_rowwise *rowwise, const tacit_frame *frame,
                                  tacit_error *err);

/* Every cell of a row on its highest level, and the row among the suppressed ones. */
void tacit__rowwise_suppress(tacit_rowwise *rowwise, int64_t row, const tacit_frame *frame);

#endif
