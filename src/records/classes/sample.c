/*
 * sample.c - some rows of a frame's table, at equal steps, for a first look at what a method would
 * do: the same columns and codes, so that the frame's hierarchies fit.
 *
 * Every row is as likely to be in it as any other, and the same rows are taken each time. Groups
 * are smaller in a sample, so a release of it keeps less than one of all rows. Costs its rows, and
 * the values of the coded columns.
 */
#include "records/classes/classes.h"

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_part.h"

tacit_status tacit_frame_sample(tacit_table **out, const tacit_frame *frame, int64_t rows,
                                tacit_error *err)
{
    int64_t all = tacit_table_rows(frame->table), count = rows < all ? rows : all;
    uint32_t *list = tacit__alloc_array((size_t)count + 1, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++)
        list[i] = (uint32_t)((uint64_t)i * (uint64_t)all / (uint64_t)count); /* below 2^48 */
    tacit_status status = tacit__table_part(out, frame->table, list, count, err);
    tacit__free(list);
    return status;
}
