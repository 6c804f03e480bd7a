/*
 * feed.c - what a grouping is made from: rows of the table on given levels,
 * or groups made before, raised to higher levels or seen through fewer columns.
 */
#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/classes/grouping.h"

/* Codes of a column; missing is one past the last value. */
static uint64_t code_count(const tacit_table *table, int32_t column)
{
    return (uint64_t)tacit_table_distinct(table, column) + 1;
}

uint32_t tacit__distinct_on(const tacit_frame *frame, int32_t attribute, int level)
{
    const tacit_attribute *a = &frame->attributes[attribute];
    uint32_t count = tacit_hierarchy_count(a->hierarchy, level);
    uint32_t missing = tacit_table_distinct(frame->table, a->column);
    if (tacit_table_has_missing(frame->table, a->column) &&
        tacit_hierarchy_map(a->hierarchy, level)[missing] >= count)
        count++;
    return count > 0 ? count : 1; /* an empty column, too, takes up a place */
}

/* Whether a value's number on that level is its code, missing included. */
static bool is_identity(const tacit_frame *frame, const tacit_attribute *a, int level)
{
    uint32_t missing = tacit_table_distinct(frame->table, a->column);
    return level == 0 && (!tacit_table_has_missing(frame->table, a->column) ||
                          tacit_hierarchy_map(a->hierarchy, 0)[missing] == missing);
}

void tacit__feed_rows(tacit__feed *feed, const tacit_frame *frame, const int *levels, bool person)
{
    *feed = (tacit__feed){.count = tacit_table_rows(frame->table),
                          .columns = frame->attribute_count + (person ? 1 : 0)};
    for (int32_t i = 0; i < frame->attribute_count; i++) {
        const tacit_attribute *a = &frame->attributes[i];
        feed->column[i] = (tacit__feed_column){
            .codes = tacit_table_codes(frame->table, a->column),
            .map = is_identity(frame, a, levels[i]) ? NULL
                                                    : tacit_hierarchy_map(a->hierarchy, levels[i]),
            .entries = code_count(frame->table, a->column),
            .domain = tacit__distinct_on(frame, i, levels[i])};
    }
    if (person)
        feed->column[frame->attribute_count] =
            (tacit__feed_column){.codes = tacit_table_codes(frame->table, frame->person),
                                 .entries = code_count(frame->table, frame->person),
                                 .domain = code_count(frame->table, frame->person)};
}

/* Numbers of level `from` -> numbers of level `to`, by way of the values that
 * have them. */
static tacit_status make_map(tacit__feed_column *column, const tacit_frame *frame,
                             int32_t attribute, int from, int to, tacit_error *err)
{
    const tacit_attribute *a = &frame->attributes[attribute];
    const uint32_t *low = tacit_hierarchy_map(a->hierarchy, from);
    const uint32_t *high = tacit_hierarchy_map(a->hierarchy, to);
    uint64_t codes = code_count(frame->table, a->column);
    if (!tacit_table_has_missing(frame->table, a->column))
        codes--;
    column->owned = tacit__alloc_zeroed(column->entries, sizeof *column->owned);
    if (!column->owned)
        return tacit__nomem(err);
    for (uint64_t code = 0; code < codes; code++)
        column->owned[low[code]] = high[code];
    column->map = column->owned;
    return TACIT_OK;
}

tacit_status tacit__feed_raised(tacit__feed *feed, const tacit__grouping *grouping,
                                const tacit_frame *frame, const int *from, const int *to,
                                tacit_error *err)
{
    tacit__feed_projected(feed, grouping, UINT64_MAX, frame->attribute_count, true);
    for (int32_t i = 0; i < frame->attribute_count; i++) {
        assert(from[i] <= to[i]);
        if (from[i] == to[i])
            continue;
        tacit_status status = make_map(&feed->column[i], frame, i, from[i], to[i], err);
        if (status != TACIT_OK) {
            tacit__feed_clear(feed);
            return status;
        }
        feed->column[i].domain = tacit__distinct_on(frame, i, to[i]);
    }
    return TACIT_OK;
}

void tacit__feed_projected(tacit__feed *feed, const tacit__grouping *grouping, uint64_t columns,
                           int32_t attributes, bool last)
{
    int32_t all = grouping->coder.columns;
    *feed = (tacit__feed){.count = grouping->count, .from = grouping};
    feed->columns = last ? all : attributes;
    for (int32_t i = 0; i < feed->columns; i++) {
        bool counts = i >= attributes || (columns >> i & 1);
        feed->column[i] = (tacit__feed_column){.entries = grouping->coder.domain[i],
                                               .domain = counts ? grouping->coder.domain[i] : 1};
    }
}
