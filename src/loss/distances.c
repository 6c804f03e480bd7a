/*
 * distances.c - how far the numbers of an attribute have moved: IL1s of
 * Domingo-Ferrer and Torra in sdcMicro's form, means, variances and ranks.
 *
 * Distances and ranks are over the records whose number was released as a
 * number; means and variances are each table's own, weighted where the release
 * is. Ranks come from counting by value, in two passes over the rows.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "loss/loss.h"
#include "loss/numbers.h"

/* The codes of a released row and of its origin where both are numbers. */
static bool both_numbers(const tacit__loss_frame *frame, const tacit__loss_column *column,
                         int64_t row, uint32_t *codes)
{
    const tacit__loss_side *sides = column->sides;
    uint32_t origin = tacit__loss_origin(frame, row);
    if (origin == TACIT_LOSS_MADE_UP)
        return false;
    codes[0] = tacit_codes_at(sides[0].codes, origin);
    codes[1] = tacit_codes_at(sides[1].codes, row);
    return codes[0] != sides[0].missing && !isnan(sides[1].numbers[codes[1]]);
}

/* Sums the distances, and counts what is compared by code. */
static double add_distances(const tacit__loss_frame *frame, const tacit__loss_column *column,
                            double *const *counts)
{
    const tacit__loss_side *sides = column->sides;
    double sum = 0;
    int64_t had = 0;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE]; row++) {
        uint32_t codes[2], origin = tacit__loss_origin(frame, row);
        had += origin != TACIT_LOSS_MADE_UP &&
               tacit_codes_at(sides[0].codes, origin) != sides[0].missing;
        if (!both_numbers(frame, column, row, codes))
            continue;
        sum += fabs(sides[0].numbers[codes[0]] - sides[1].numbers[codes[1]]);
        counts[0][codes[0]]++;
        counts[1][codes[1]]++;
        column->out->compared++;
    }
    column->out->no_numbers = had - column->out->compared;
    return sum;
}

static double mean_rank_change(const tacit__loss_frame *frame, const tacit__loss_column *column,
                               double *const *ranks)
{
    double sum = 0, compared = (double)column->out->compared;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE]; row++) {
        uint32_t codes[2];
        if (both_numbers(frame, column, row, codes))
            sum += fabs(ranks[0][codes[0]] - ranks[1][codes[1]]);
    }
    return sum / compared / compared;
}

static void compare_moments(const tacit__loss_column *column)
{
    const tacit__loss_side *before = &column->sides[0], *after = &column->sides[1];
    tacit_loss_attribute *out = column->out;
    double change = after->mean - before->mean;
    if (fabs(before->mean) > 0)
        out->mean_change = change / fabs(before->mean);
    if (before->variance > 0) {
        out->mean_shift = change / sqrt(before->variance);
        out->variance_change = after->variance / before->variance - 1;
    }
}

/* Where all of the original's numbers are the same, there is nothing to scale by: what has not
 * moved is 0 in any case. */
static double scaled(double sum, const tacit__loss_column *column)
{
    double variance = column->sides[0].variance;
    if (variance > 0)
        return sum / (double)column->out->compared / sqrt(2 * variance);
    return sum > 0 ? NAN : 0;
}

tacit_status tacit__loss_distances(tacit__loss_frame *frame, int32_t index, tacit_error *err)
{
    const tacit__loss_column *column = &frame->columns[index];
    double *counts[2] = {NULL, NULL}, *ranks[2] = {NULL, NULL};
    tacit_status status = TACIT_OK;
    if (!column->out->numeric || !tacit__loss_readable(column))
        return TACIT_OK;
    for (int which = 0; which < 2 && status == TACIT_OK; which++) {
        size_t size = (size_t)column->sides[which].missing + 1;
        counts[which] = tacit__alloc_zeroed(size, sizeof(double));
        ranks[which] = tacit__alloc_zeroed(size, sizeof(double));
        status = counts[which] && ranks[which] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        double sum = add_distances(frame, column, counts);
        for (int which = 0; which < 2; which++)
            tacit__mid_ranks(ranks[which], &column->sides[which], counts[which]);
        compare_moments(column);
        if (column->out->compared > 0) {
            column->out->il1s = scaled(sum, column);
            column->out->rank_change = mean_rank_change(frame, column, ranks);
        }
    }
    for (int which = 0; which < 2; which++) {
        tacit__free(counts[which]);
        tacit__free(ranks[which]);
    }
    return status;
}
