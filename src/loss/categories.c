/*
 * categories.c - one attribute made ready: rows counted by value, numbers read
 * and cut into bins, and a category for every value of both tables.
 *
 * Bins hold about as many of the original's records each and never part equal
 * numbers; where there are no more distinct numbers than bins, each has its
 * own. They meet half way between two numbers of the original, so that a
 * released number that is none of them goes to the nearest, as a recipient who
 * knows the domain would take it. A released label of a numeric attribute that
 * is no number (a range, a star) is a category of its own, as is, of others,
 * a label that the original does not have.
 *
 * Cost: a pass over the rows of each table, and over the distinct values.
 */
#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "loss/loss.h"

static tacit_status count_rows(tacit__loss_frame *frame, int which, tacit__loss_side *side,
                               tacit_error *err)
{
    const tacit_table *table = which == TACIT__ORIGINAL ? frame->c->original : frame->c->release;
    side->codes = tacit_table_codes(table, side->column);
    side->missing = tacit_table_distinct(table, side->column);
    side->amounts = tacit__alloc_zeroed((size_t)side->missing + 1, sizeof *side->amounts);
    side->categories = tacit__alloc_array((size_t)side->missing + 1, sizeof *side->categories);
    if (!side->amounts || !side->categories)
        return tacit__nomem(err);
    for (int64_t row = 0; row < frame->rows[which]; row++)
        side->amounts[tacit_codes_at(side->codes, row)] += tacit__loss_weight(frame, which, row);
    return TACIT_OK;
}

/* ---- bins ---- */

/* Where the run of numbers equal to the i-th ends. */
static uint32_t end_of_equal(const tacit__loss_side *side, uint32_t i)
{
    double number = side->numbers[side->order[i]];
    while (i < side->number_count && side->numbers[side->order[i]] <= number)
        i++;
    return i;
}

static uint32_t distinct_numbers(const tacit__loss_side *side, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < side->number_count && count <= most; i = end_of_equal(side, i))
        count++;
    return count;
}

/* Half way, but below the larger: doubles may have none between them. */
static double between(double low, double high)
{
    double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

static tacit_status cut_bins(tacit__loss_column *column, uint32_t bins, tacit_error *err)
{
    const tacit__loss_side *side = &column->sides[TACIT__ORIGINAL];
    bool each = distinct_numbers(side, bins) <= bins;
    double so_far = 0, closed = 0;
    column->cuts = tacit__alloc_array(bins, sizeof *column->cuts);
    if (!column->cuts)
        return tacit__nomem(err);
    for (uint32_t i = 0, end; i < side->number_count; i = end) {
        end = end_of_equal(side, i);
        for (uint32_t j = i; j < end; j++)
            so_far += side->amounts[side->order[j]];
        double full = floor(so_far * bins / side->rows);
        if (end == side->number_count || (!each && full <= closed))
            continue;
        closed = full;
        assert(column->cut_count < bins);
        column->cuts[column->cut_count++] =
            between(side->numbers[side->order[i]], side->numbers[side->order[end]]);
    }
    column->domain = column->cut_count + 1;
    return TACIT_OK;
}

static uint32_t bin_of(const tacit__loss_column *column, double number)
{
    uint32_t low = 0, high = column->cut_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (number > column->cuts[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- labels ---- */

/* The original's values, by their bytes. */
typedef struct labels {
    const tacit_table *table;
    int32_t column;
    tacit__map map; /* of codes */
} labels;

static uint32_t code_of(const labels *l, tacit_strview text)
{
    uint64_t hash = tacit__hash_bytes(text.bytes, text.len);
    size_t probe = 0;
    uint32_t code;
    while ((code = tacit__map_next(&l->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(tacit_table_value(l->table, l->column, code), text))
            break;
    return code;
}

static bool labels_init(labels *l, const tacit_table *table, int32_t column, uint32_t distinct)
{
    *l = (labels){.table = table, .column = column};
    if (!tacit__map_reserve(&l->map, distinct))
        return false;
    for (uint32_t code = 0; code < distinct; code++) {
        tacit_strview text = tacit_table_value(table, column, code);
        tacit__map_put(&l->map, tacit__hash_bytes(text.bytes, text.len));
    }
    return true;
}

/* ---- categories ---- */

static void original_categories(tacit__loss_column *column)
{
    tacit__loss_side *side = &column->sides[TACIT__ORIGINAL];
    for (uint32_t code = 0; code < side->missing; code++)
        side->categories[code] = column->out->numeric ? bin_of(column, side->numbers[code]) : code;
    if (!column->out->numeric)
        column->domain = side->missing;
    side->categories[side->missing] = column->domain;
    column->categories = column->domain + 1;
}

/* The original's category that a released value is in, or UINT32_MAX. What is opaque says nothing,
 * even where it looks like a value. */
static uint32_t domain_category(const tacit__loss_frame *frame, const tacit__loss_column *column,
                                const labels *known, uint32_t code)
{
    const tacit__loss_side *side = &column->sides[TACIT__RELEASE];
    if (column->out->opaque)
        return UINT32_MAX;
    if (column->out->numeric)
        return isnan(side->numbers[code]) ? UINT32_MAX : bin_of(column, side->numbers[code]);
    return code_of(known, tacit_table_value(frame->c->release, side->column, code));
}

static tacit_status release_categories(tacit__loss_frame *frame, tacit__loss_column *column,
                                       tacit_error *err)
{
    tacit__loss_side *side = &column->sides[TACIT__RELEASE];
    labels known = {0};
    column->first_codes = tacit__alloc_array(side->missing, sizeof *column->first_codes);
    if (!column->first_codes ||
        (!column->out->numeric &&
         !labels_init(&known, frame->c->original, column->sides[0].column, column->domain)))
        return tacit__nomem(err);
    for (uint32_t code = 0; code < side->missing; code++) {
        uint32_t category = domain_category(frame, column, &known, code);
        if (category == UINT32_MAX) {
            category = column->categories++;
            column->first_codes[category - column->domain - 1] = code;
        }
        side->categories[code] = category;
    }
    side->categories[side->missing] = column->domain;
    tacit__map_clear(&known.map);
    return TACIT_OK;
}

/* An attribute that may be numeric is if its original is. */
static tacit_status prepare_side(tacit__loss_frame *frame, tacit__loss_column *column, int which,
                                 tacit_error *err)
{
    tacit__loss_side *side = &column->sides[which];
    tacit_status status = count_rows(frame, which, side, err);
    if (status == TACIT_OK && column->out->numeric)
        status = tacit__loss_numbers(frame, which, side, err);
    column->out->numeric = column->out->numeric && side->numbers;
    return status;
}

tacit_status tacit__loss_prepare(tacit__loss_frame *frame, int32_t index, tacit_error *err)
{
    tacit__loss_column *column = &frame->columns[index];
    tacit_status status = prepare_side(frame, column, TACIT__ORIGINAL, err);
    if (status == TACIT_OK && !column->out->dropped)
        status = prepare_side(frame, column, TACIT__RELEASE, err);
    if (status == TACIT_OK && column->out->numeric)
        status = cut_bins(column, frame->bins, err);
    if (status != TACIT_OK)
        return status;
    original_categories(column);
    column->out->categories = column->domain;
    return column->out->dropped ? TACIT_OK : release_categories(frame, column, err);
}

void tacit__loss_column_clear(tacit__loss_column *column)
{
    for (int which = 0; which < 2; which++) {
        tacit__loss_side *side = &column->sides[which];
        tacit__free(side->amounts);
        tacit__free(side->categories);
        tacit__free(side->numbers);
        tacit__free(side->order);
    }
    tacit__free(column->cuts);
    tacit__free(column->first_codes);
}
