/*
 * numbers.c - the values of a column as numbers, in their order, and how far they have moved: IL1s
 * of Domingo-Ferrer and Torra in sdcMicro's form, means, variances and ranks.
 *
 * Each distinct value is read once, and they are sorted in linear time (base/sort.h). Means and
 * variances are sums over distinct values in this order, so they are the same however the rows are
 * ordered or spread over threads.
 *
 * Distances and ranks are over the records whose number was released as a number; means and
 * variances are each table's own, weighted where the release is. Ranks come from counting by value,
 * in two passes over the rows.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/sort.h"
#include "loss/loss.h"

static bool is_padded(tacit_strview text)
{
    size_t at = text.len && (text.bytes[0] == '-' || text.bytes[0] == '+');
    return text.len >= at + 2 && text.bytes[at] == '0' && text.bytes[at + 1] >= '0' &&
           text.bytes[at + 1] <= '9';
}

/* Reads the values; returns whether all are numbers and there is one. */
static bool read_values(tacit__loss_side *side, const tacit_table *table, bool stop)
{
    bool all = side->missing > 0;
    for (uint32_t code = 0; code < side->missing && (all || !stop); code++) {
        tacit_strview text = tacit_table_value(table, side->column, code);
        side->numbers[code] = tacit__decimal_read(text) + 0.0; /* a zero has no sign */
        all = all && !isnan(side->numbers[code]) && !is_padded(text);
    }
    side->numbers[side->missing] = NAN;
    return all;
}

static tacit_status order_numbers(tacit__loss_side *side, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t count = 0;
    tacit__ranked *items = tacit__alloc_array(side->missing, sizeof *items);
    tacit__ranked *room = tacit__alloc_array(side->missing, sizeof *room);
    side->order = tacit__alloc_array(side->missing, sizeof *side->order);
    if (!items || !room || !side->order) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    for (uint32_t code = 0; code < side->missing; code++)
        if (!isnan(side->numbers[code]))
            items[count++] = (tacit__ranked){tacit__rank_of_number(side->numbers[code]), code};
    tacit__rank_sort(items, room, count);
    for (uint32_t i = 0; i < count; i++)
        side->order[i] = items[i].row;
    side->number_count = count;

cleanup:
    tacit__free(items);
    tacit__free(room);
    return status;
}

/* Rows that are numbers; amounts say it where rows have no weights. */
static double count_number_rows(const tacit__loss_frame *frame, int which,
                                const tacit__loss_side *side)
{
    double count = 0;
    if (which == TACIT__RELEASE && frame->c->weights) {
        for (int64_t row = 0; row < frame->rows[which]; row++)
            count += !isnan(tacit__loss_number(side, row));
        return count;
    }
    for (uint32_t i = 0; i < side->number_count; i++)
        count += side->amounts[side->order[i]];
    return count;
}

static void find_moments(tacit__loss_side *side)
{
    double weight = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < side->number_count; i++) {
        double amount = side->amounts[side->order[i]];
        weight += amount;
        sum += amount * side->numbers[side->order[i]];
    }
    side->mean = weight > 0 ? sum / weight : NAN;
    for (uint32_t i = 0; i < side->number_count; i++) {
        double apart = side->numbers[side->order[i]] - side->mean;
        squares += side->amounts[side->order[i]] * apart * apart;
    }
    side->variance =
        side->rows > 1 && weight > 0 ? squares / weight * (side->rows / (side->rows - 1)) : NAN;
}

tacit_status tacit__loss_numbers(tacit__loss_frame *frame, int which, tacit__loss_side *side,
                                 tacit_error *err)
{
    const tacit_table *table = which == TACIT__ORIGINAL ? frame->c->original : frame->c->release;
    side->numbers = tacit__alloc_array((size_t)side->missing + 1, sizeof *side->numbers);
    if (!side->numbers)
        return tacit__nomem(err);
    bool original = which == TACIT__ORIGINAL;
    if (!read_values(side, table, original) && original) {
        tacit__free(side->numbers);
        side->numbers = NULL;
        return TACIT_OK;
    }
    tacit_status status = order_numbers(side, err);
    if (status != TACIT_OK)
        return status;
    side->rows = count_number_rows(frame, which, side);
    find_moments(side);
    return TACIT_OK;
}

void tacit__mid_ranks(double *ranks, const tacit__loss_side *side, const double *amounts)
{
    double before = 0;
    for (uint32_t i = 0; i < side->number_count;) {
        double number = side->numbers[side->order[i]], here = 0;
        uint32_t end = i;
        for (; end < side->number_count && side->numbers[side->order[end]] <= number; end++)
            here += amounts[side->order[end]];
        for (; i < end; i++)
            ranks[side->order[i]] = before + (here + 1) / 2;
        before += here;
    }
}

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
