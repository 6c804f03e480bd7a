/*
 * rows.c - whole rows: their entropy before and after, and how many are
 * released with every attribute in its category.
 *
 * A row is known by a hash of its categories; two different rows have the same
 * one once in 2^64. Only attributes that a recipient can read count. A pass
 * over each table, side by side; long tables are gone through once for every
 * four million rows, so that the counts of different rows need a few hundred
 * megabytes at most.
 */
#include <math.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "loss/loss.h"

enum { PART_ROWS = 1 << 22 };

static uint64_t row_key(const tacit__loss_frame *frame, int which, int64_t row)
{
    uint64_t key = 0;
    for (int32_t i = 0; i < frame->count; i++)
        if (tacit__loss_readable(&frame->columns[i]))
            key = tacit__mix(key + tacit__loss_category(&frame->columns[i].sides[which], row) + 1);
    return key >> 1; /* no key is UINT64_MAX */
}

/* Its part of the entropy of all. */
static double entropy_of_rows(const tacit__loss_tally *tally, double total)
{
    double bits = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        double share = tally->amounts[i][0] / total;
        if (share > 0)
            bits -= share * log2(share);
    }
    return bits;
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

/* Adds the bits of the rows whose keys fall into one of so many parts. */
static tacit_status add_part(double *bits, const tacit__loss_frame *frame, int which, uint64_t part,
                             uint64_t parts, tacit_error *err)
{
    tacit__loss_tally tally;
    bool kept = tacit__tally_init(&tally, UINT64_MAX);
    for (int64_t row = 0; row < frame->rows[which] && kept; row++) {
        uint64_t key = row_key(frame, which, row);
        if (parts == 1 || key % parts == part)
            kept = tacit__tally_add(&tally, key, 0, tacit__loss_weight(frame, which, row));
    }
    if (kept && frame->totals[which] > 0)
        *bits += entropy_of_rows(&tally, frame->totals[which]);
    tacit__tally_clear(&tally);
    return kept ? TACIT_OK : tacit__nomem(err);
}

static void count_intact(tacit__loss_frame *frame)
{
    int64_t intact = 0;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE]; row++)
        intact += is_intact(frame, row);
    if (frame->out->rows > 0)
        frame->out->intact = (double)intact / (double)frame->out->rows;
}

/* The entropy of each table, and what is intact, side by side. */
static tacit_status measure_part(void *context, int64_t task, int worker, tacit_error *err)
{
    tacit__loss_frame *frame = context;
    tacit_status status = TACIT_OK;
    int which = (int)task;
    double bits = 0;
    (void)worker;
    if (task == 2) {
        count_intact(frame);
        return TACIT_OK;
    }
    uint64_t parts = 1 + (uint64_t)frame->rows[which] / PART_ROWS;
    for (uint64_t part = 0; part < parts && status == TACIT_OK; part++)
        status = add_part(&bits, frame, which, part, parts, err);
    *(which == TACIT__ORIGINAL ? &frame->out->joint_original : &frame->out->joint_release) =
        fmax(bits, 0);
    return status;
}

tacit_status tacit__loss_rows(tacit__loss_frame *frame, tacit_error *err)
{
    bool any = false;
    for (int32_t i = 0; i < frame->count; i++)
        any |= tacit__loss_readable(&frame->columns[i]);
    return any ? tacit__parallel(frame->run, NULL, 3, measure_part, frame, err) : TACIT_OK;
}
