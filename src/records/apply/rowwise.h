/*
 * rowwise.h - a release row by row, inside the room.
 */
#ifndef TACIT_RECORDS_APPLY_ROWWISE_H
#define TACIT_RECORDS_APPLY_ROWWISE_H

#include <tacit/experimental/previous.h>

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
