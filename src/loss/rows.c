/*
 * rows.c - whole rows: their entropy before and after, and how many are
 * released with every attribute in its category.
 *
 * A row is known by a hash of its categories; two different rows have the same
 * one once in 2^64. Only attributes that a recipient can read count. A pass
 * over each table; the two are done side by side.
 */
#include <math.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "loss/loss.h"
#include "loss/tally.h"

static uint64_t row_key(const tacit__loss_frame *frame, int which, int64_t row)
{
    uint64_t key = 0;
    for (int32_t i = 0; i < frame->count; i++)
        if (tacit__loss_readable(&frame->columns[i]))
            key = tacit__mix(key + tacit__loss_category(&frame->columns[i].sides[which], row) + 1);
    return key & ~(UINT64_C(1) << 63); /* no key is UINT64_MAX */
}

static double entropy_of(const tacit__tally *tally, double total)
{
    double bits = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        double share = tally->amounts[i][0] / total;
        if (share > 0)
            bits -= share * log2(share);
    }
    return fmax(bits, 0);
}

static bool is_intact(const tacit__loss_frame *frame, int64_t row)
{
    uint32_t origin = tacit__loss_origin(frame, row);
    bool intact = origin != TACIT_LOSS_MADE_UP;
    for (int32_t i = 0; i < frame->count && intact; i++) {
        const tacit__loss_column *column = &frame->columns[i];
        if (tacit__loss_readable(column))
            intact = tacit__loss_category(&column->sides[0], origin) ==
                     tacit__loss_category(&column->sides[1], row);
    }
    return intact;
}

static tacit_status measure_side(void *context, int64_t task, int worker, tacit_error *err)
{
    tacit__loss_frame *frame = context;
    int which = (int)task;
    tacit__tally tally;
    tacit_status status = TACIT_OK;
    (void)worker;
    if (!tacit__tally_init(&tally, UINT64_MAX))
        return tacit__nomem(err);
    for (int64_t row = 0; row < frame->rows[which] && status == TACIT_OK; row++)
        if (!tacit__tally_add(&tally, row_key(frame, which, row), 0,
                              tacit__loss_weight(frame, which, row)))
            status = tacit__nomem(err);
    double bits = frame->totals[which] > 0 ? entropy_of(&tally, frame->totals[which]) : 0;
    if (which == TACIT__ORIGINAL)
        frame->out->joint_original = bits;
    else
        frame->out->joint_release = bits;
    tacit__tally_clear(&tally);
    return status;
}

tacit_status tacit__loss_rows(tacit__loss_frame *frame, tacit_error *err)
{
    int64_t intact = 0;
    bool any = false;
    for (int32_t i = 0; i < frame->count; i++)
        any |= tacit__loss_readable(&frame->columns[i]);
    if (!any)
        return TACIT_OK;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE]; row++)
        intact += is_intact(frame, row);
    if (frame->out->rows > 0)
        frame->out->intact = (double)intact / (double)frame->out->rows;
    return tacit__parallel(frame->run, NULL, 2, measure_side, frame, err);
}
