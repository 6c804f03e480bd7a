/*
 * values.c - histograms of sensitive values.
 *
 * Rows are grouped once by class and value together (classes/grouping.h); the pairs that
 * occur, at most one a row and usually far fewer, are then put in the order of
 * their classes. A group of classes is gathered by adding up its members' pairs
 * in an array with a cell a number, of which only those touched are cleaned
 * afterwards: linear in the pairs, whatever the number of values. A single
 * class needs no gathering, its pairs are the histogram.
 *
 * Eight bytes a pair and four a class stay; twelve a row are needed on the way.
 */
#include "records/models/keep.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/grouping.h"

/* Counts (class, value) over the rows; both are numbers, so any keys fit. */
static tacit_status group_rows(tacit__grouping *pairs, const tacit_frame *frame, int32_t column,
                               const uint32_t *class_of, int64_t classes, const tacit_run *run,
                               tacit_error *err)
{
    uint64_t codes = (uint64_t)tacit_table_distinct(frame->table, column) + 1;
    uint64_t domain = classes > 0 ? (uint64_t)classes : 1;
    tacit__feed feed = {.count = tacit_table_rows(frame->table), .columns = 2};
    feed.column[0] =
        (tacit__feed_column){.codes = {class_of, 4}, .entries = domain, .domain = domain};
    feed.column[1] = (tacit__feed_column){
        .codes = tacit_table_codes(frame->table, column), .entries = codes, .domain = codes};
    return tacit__grouping_init(pairs, &feed, false, run, err);
}

/* Takes keys apart: class in the upper half, value in the lower. Done before the
 * pairs are sorted, where memory is waited for and divisions would hold that up. */
static void split_keys(tacit__grouping *pairs)
{
    uint64_t codes = pairs->coder.domain[1];
    for (int64_t i = 0; i < pairs->count; i++) {
        uint64_t key = pairs->keys[i];
        pairs->keys[i] = key / codes << 32 | key % codes;
    }
}

/* Puts the pairs in the order of their classes. starts has two entries more than
 * classes: the second of a class is where its next pair goes, and in the end
 * where the next class begins. */
static void sort_pairs(tacit__values *values, const tacit__grouping *pairs, int64_t classes)
{
    uint32_t *next = values->starts + 1;
    for (int64_t i = 0; i < pairs->count; i++)
        next[(pairs->keys[i] >> 32) + 1]++;
    for (int64_t c = 0; c < classes; c++)
        next[c + 1] += next[c];
    for (int64_t i = 0; i < pairs->count; i++) {
        uint32_t code = (uint32_t)pairs->keys[i];
        values->entries[next[pairs->keys[i] >> 32]++] =
            (tacit__occurrence){.number = code, .count = pairs->rows[i]};
        values->totals[code] += pairs->rows[i];
    }
}

tacit_status tacit__values_init(tacit__values *values, const tacit_frame *frame, int32_t column,
                                const uint32_t *class_of, int64_t classes, const tacit_run *run,
                                tacit_error *err)
{
    tacit__grouping pairs = {0};
    tacit_status status = group_rows(&pairs, frame, column, class_of, classes, run, err);
    if (status != TACIT_OK)
        return status;
    tacit__values made = {
        .column = column, .grid = -1, .codes = tacit_table_distinct(frame->table, column) + 1};
    made.starts = tacit__alloc_zeroed((size_t)classes + 2, sizeof *made.starts);
    made.entries = tacit__alloc_array((size_t)pairs.count, sizeof *made.entries);
    made.totals = tacit__alloc_zeroed(made.codes, sizeof *made.totals);
    if (made.starts && made.entries && made.totals) {
        split_keys(&pairs);
        sort_pairs(&made, &pairs, classes);
        *values = made;
    } else {
        tacit__values_clear(&made);
        status = tacit__nomem(err);
    }
    tacit__grouping_clear(&pairs);
    return status;
}

void tacit__values_clear(tacit__values *values)
{
    tacit__free(values->starts);
    tacit__free(values->entries);
    tacit__free(values->totals);
    *values = (tacit__values){0};
}

tacit_status tacit__model_tally_init(tacit__model_tally *tally, size_t numbers, tacit_error *err)
{
    tacit__model_tally made = {.place = tacit__alloc_zeroed(numbers, sizeof *made.place),
                               .entries = tacit__alloc_array(numbers, sizeof *made.entries)};
    if (!made.place || !made.entries) {
        tacit__model_tally_clear(&made);
        return tacit__nomem(err);
    }
    *tally = made;
    return TACIT_OK;
}

void tacit__model_tally_clear(tacit__model_tally *tally)
{
    tacit__free(tally->place);
    tacit__free(tally->entries);
    *tally = (tacit__model_tally){0};
}

static inline void add(tacit__model_tally *tally, int64_t *distinct, tacit__occurrence more)
{
    uint32_t *place = &tally->place[more.number];
    if (*place) {
        tally->entries[*place - 1].count += more.count;
        return;
    }
    tally->entries[*distinct] = more;
    *place = (uint32_t)++ * distinct;
}

static tacit__histogram_view finish(tacit__model_tally *tally, int64_t distinct, int64_t rows)
{
    for (int64_t i = 0; i < distinct; i++)
        tally->place[tally->entries[i].number] = 0;
    return (tacit__histogram_view){tally->entries, distinct, rows};
}

static tacit__histogram_view view_class(const tacit__values *values, uint32_t class)
{
    uint32_t from = values->starts[class], end = values->starts[class + 1];
    tacit__histogram_view view = {values->entries + from, end - from, 0};
    for (int64_t i = 0; i < view.distinct; i++)
        view.rows += view.entries[i].count;
    return view;
}

tacit__histogram_view tacit__values_gather(const tacit__values *values, tacit__model_tally *tally,
                                           const uint32_t *members, int64_t count)
{
    int64_t distinct = 0, rows = 0;
    if (count == 1)
        return view_class(values, members[0]);
    for (int64_t m = 0; m < count; m++)
        for (uint32_t i = values->starts[members[m]]; i < values->starts[members[m] + 1]; i++) {
            add(tally, &distinct, values->entries[i]);
            rows += values->entries[i].count;
        }
    return finish(tally, distinct, rows);
}

/* In place: what is added never lies behind what is read. */
tacit__histogram_view tacit__histogram_raise(const tacit__histogram_view *from, const uint32_t *up,
                                             tacit__model_tally *tally)
{
    int64_t distinct = 0;
    for (int64_t i = 0; i < from->distinct; i++) {
        tacit__occurrence next = from->entries[i];
        add(tally, &distinct, (tacit__occurrence){.number = up[next.number], .count = next.count});
    }
    return finish(tally, distinct, from->rows);
}

/* In place as well: a class gets no more entries than it had. */
tacit_status tacit__values_recode(tacit__values *values, const uint32_t *map, uint32_t count,
                                  int64_t classes, tacit_error *err)
{
    tacit__model_tally tally = {0};
    uint32_t *totals = tacit__alloc_zeroed(count, sizeof *totals), at = 0, from = 0;
    tacit_status status = totals ? tacit__model_tally_init(&tally, count, err) : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__free(totals);
        return status;
    }
    for (int64_t c = 0; c < classes; c++) {
        uint32_t end = values->starts[c + 1];
        tacit__histogram_view class = {values->entries + from, end - from, 0};
        class = tacit__histogram_raise(&class, map, &tally);
        memcpy(values->entries + at, class.entries,
               (size_t) class.distinct * sizeof *class.entries);
        values->starts[c] = at;
        at += (uint32_t) class.distinct;
        from = end;
    }
    values->starts[classes] = at;
    for (uint32_t code = 0; code < values->codes; code++)
        totals[map[code]] += values->totals[code];
    tacit__model_tally_clear(&tally);
    tacit__free(values->totals);
    values->totals = totals;
    values->codes = count;
    return TACIT_OK;
}
