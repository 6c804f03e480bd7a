/*
 * items.c - what is promised of columns whose cells are sets of items.
 *
 * The release is read as a recipient would: its cells are cut at the separator, and what km
 * promises is counted on the items that they have then (known.c). An item may not stand in a cell
 * twice, because how often it does tells people apart, and no column may link the rows of a person.
 *
 * With the original, each item of a row must be one of the original's in that row, or generalize
 * one: nothing is made up. What was left out nobody sees; it breaks no promise.
 *
 * Cost: the text of distinct cells once more, 4 bytes for each item of them, and a sort of the rows
 * for each column that is compared.
 */
#include "audit/items/items.h"

#include <stdlib.h>
#include <string.h>

#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"

/* ---- cells ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* An item as a line of CSV; nothing of one that is blank. */
static size_t add_item(tacit__strbuf *text, const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (from < to && is_blank(to[-1]))
        to--;
    if (from == to)
        return 0;
    tacit__strbuf_add(text, "\"", 1);
    for (; from < to; from++)
        tacit__strbuf_add(text, *from == '"' ? "\"\"" : from, *from == '"' ? 2 : 1);
    tacit__strbuf_add(text, "\"\n", 2);
    return 1;
}

static size_t add_items(tacit__strbuf *text, tacit_strview cell, const char *separator)
{
    const char *from = cell.bytes, *end = cell.bytes + cell.len;
    size_t width = strlen(separator), count = 0;
    for (const char *at = from; at < end;) {
        if ((size_t)(end - at) < width || memcmp(at, separator, width) != 0) {
            at++;
            continue;
        }
        count += add_item(text, from, at);
        from = at += width;
    }
    return count + add_item(text, from, end);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts a cell; says whether an item is in it twice. */
static bool sort_cell(uint32_t *items, size_t count)
{
    bool twice = false;
    qsort(items, count, sizeof *items, ascending);
    for (size_t i = 1; i < count; i++)
        twice |= items[i] == items[i - 1];
    return twice;
}

static tacit_status code_cells(tacit__item_cells *cells, uint32_t codes, const tacit_run *run,
                               tacit_error *err)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.encoding = TACIT_ENCODING_UTF8;
    tacit_status status = tacit_table_read_memory(&cells->table, tacit_strview_of(cells->text),
                                                  "the items", &options, run, err);
    if (status != TACIT_OK)
        return status;
    tacit_codes_view view = tacit_table_codes(cells->table, 0);
    cells->count = tacit_table_distinct(cells->table, 0);
    cells->items = tacit__alloc_array(cells->start[codes + 1] + 1, sizeof *cells->items);
    if (!cells->items)
        return tacit__nomem(err);
    for (size_t i = 0; i < cells->start[codes + 1]; i++)
        cells->items[i] = tacit_codes_at(view, (int64_t)i);
    for (uint32_t c = 0; c < codes; c++)
        cells->twice[c] =
            sort_cell(cells->items + cells->start[c], cells->start[c + 1] - cells->start[c]);
    return TACIT_OK;
}

tacit_status tacit__item_cells_init(tacit__item_cells *cells, const tacit_table *table,
                                    int32_t column, const char *separator, const tacit_run *run,
                                    tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(table, column);
    tacit__strbuf text = {0};
    size_t count = 0;
    cells->start = tacit__alloc_array((size_t)codes + 2, sizeof *cells->start);
    cells->twice = tacit__alloc_zeroed((size_t)codes + 1, sizeof *cells->twice);
    if (!cells->start || !cells->twice)
        return tacit__nomem(err);
    tacit__strbuf_text(&text, "items\n");
    for (uint32_t c = 0; c < codes; c++) {
        cells->start[c] = count;
        count += add_items(&text, tacit_table_value(table, column, c), separator);
    }
    cells->start[codes] = cells->start[codes + 1] = count; /* missing: none */
    cells->text = text.bytes;
    return text.failed ? tacit__nomem(err) : code_cells(cells, codes, run, err);
}

void tacit__item_cells_clear(tacit__item_cells *cells)
{
    tacit_table_free(cells->table);
    tacit__free(cells->text);
    tacit__free(cells->start);
    tacit__free(cells->items);
    tacit__free(cells->twice);
    *cells = (tacit__item_cells){0};
}

/* ---- the original ---- */

/* A column of items beside that of the original. */
typedef struct compared {
    tacit__judge *judge;
    const tacit_promise_items *promise;
    int32_t released, known; /* columns */
    const tacit__item_cells *cells;
    tacit__item_cells original;
    tacit__ladder ladder;
    uint64_t *allowed; /* an item of the release each: the last cell of which it may be one */
} compared;

/* Marks what the items of a cell of the original may be in the release. */
static void allow(compared *c, uint32_t code, uint64_t mark)
{
    for (size_t i = c->original.start[code]; i < c->original.start[code + 1]; i++)
        for (int level = 0; level <= c->ladder.height; level++) {
            uint32_t item = tacit__image(&c->ladder, level, c->original.items[i]);
            if (item != TACIT__NOWHERE)
                c->allowed[item] = mark;
        }
}

static bool is_allowed(const compared *c, uint32_t code, uint64_t mark)
{
    for (size_t i = c->cells->start[code]; i < c->cells->start[code + 1]; i++)
        if (c->allowed[c->cells->items[i]] != mark)
            return false;
    return true;
}

static void tell_made_up(const compared *c, tacit__judge_tally bad)
{
    if (bad.count > 0)
        tacit__find(c->judge, TACIT_FINDING_VALUE, bad.first + 1, bad.count,
                    "cells of \"%s\" with an item that generalizes none of the original's: %lld; "
                    "the first is in row %lld (line %lld)",
                    tacit__show(tacit_strview_of(c->promise->column)).text, (long long)bad.count,
                    (long long)(bad.first + 1),
                    (long long)tacit_table_line(c->judge->release, bad.first));
}

/* Row by row: pairs of cells, each looked at once. */
static tacit_status compare_rows(compared *c, tacit_error *err)
{
    tacit__judge *judge = c->judge;
    int64_t rows = tacit_table_rows(judge->release);
    tacit_codes_view released = tacit_table_codes(judge->release, c->released);
    tacit_codes_view known = tacit_table_codes(judge->original, c->known);
    int bits = tacit__bits_for(tacit__code_max(judge->release, c->released));
    tacit__sorter sorter = {0};
    tacit__judge_tally bad = {0};
    tacit_status status = tacit__sorter_init(
        &sorter, rows, bits + tacit__bits_for(tacit__code_max(judge->original, c->known)), true,
        err);
    for (int64_t row = 0; row < rows && status == TACIT_OK; row++) {
        uint64_t code = tacit_codes_at(known, tacit__behind(judge, row));
        tacit__sorter_put(&sorter, row, code << bits | tacit_codes_at(released, row));
        sorter.values[row] = (uint64_t)row;
    }
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&sorter, judge->run, err);
    bool fits = true;
    for (int64_t i = 0; i < rows && status == TACIT_OK; i++) {
        uint64_t key = tacit__sorter_key(&sorter, i), code = key >> bits;
        bool fresh = i == 0 || tacit__sorter_key(&sorter, i - 1) >> bits != code;
        if (fresh)
            allow(c, (uint32_t)code, code + 1);
        if (fresh || tacit__sorter_key(&sorter, i - 1) != key)
            fits = is_allowed(c, (uint32_t)(key & ((UINT64_C(1) << bits) - 1)), code + 1);
        if (!fits)
            tacit__tally_add(&bad, (int64_t)sorter.values[i]);
    }
    tacit__sorter_clear(&sorter);
    tell_made_up(c, bad);
    return status;
}

/* Without a correspondence: with the items of all rows. */
static void compare_all(compared *c)
{
    tacit__judge *judge = c->judge;
    tacit_codes_view released = tacit_table_codes(judge->release, c->released);
    tacit__judge_tally bad = {0};
    for (uint32_t code = 0; code < tacit_table_distinct(judge->original, c->known); code++)
        allow(c, code, 1);
    for (int64_t row = 0; row < tacit_table_rows(judge->release); row++)
        if (!is_allowed(c, tacit_codes_at(released, row), 1))
            tacit__tally_add(&bad, row);
    tell_made_up(c, bad);
}

static tacit_status compare(compared *c, tacit_error *err)
{
    tacit__judge *judge = c->judge;
    tacit_status status = tacit__item_cells_init(&c->original, judge->original, c->known,
                                                 c->promise->separator, judge->run, err);
    c->allowed = tacit__alloc_zeroed((size_t)c->cells->count + 1, sizeof *c->allowed);
    if (status == TACIT_OK && !c->allowed)
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    if (c->original.count > 0) {
        tacit_error reason = {0};
        tacit_hierarchy_spec spec = *c->promise->hierarchy;
        spec.no_suppression = false;
        status = tacit__ladder_init(&c->ladder, &spec, (tacit__rows_place){c->original.table, 0},
                                    (tacit__rows_place){c->cells->table, 0}, &reason);
        if (status != TACIT_OK)
            return tacit__unbound(judge, c->promise->column, status, &reason, err);
    }
    if (judge->corresponds)
        return compare_rows(c, err);
    compare_all(c);
    return TACIT_OK;
}

static tacit_status compare_column(tacit__judge *judge, const tacit__item_release *release,
                                   int32_t at, tacit_error *err)
{
    const tacit_promise_items *promise = &judge->promise->items[at];
    compared c = {.judge = judge,
                  .promise = promise,
                  .released = release->columns[at],
                  .known = judge->original ? tacit_table_find(judge->original,
                                                              tacit_strview_of(promise->column))
                                           : -1,
                  .cells = &release->cells[at]};
    if (c.known < 0)
        return TACIT_OK;
    tacit_status status = compare(&c, err);
    tacit__ladder_clear(&c.ladder);
    tacit__item_cells_clear(&c.original);
    tacit__free(c.allowed);
    return status;
}

/* ---- the release ---- */

/* Rows of one person would be known together; which column tells that has been found out before
 * (judge/trails.c). */
static void judge_links(tacit__judge *judge)
{
    const tacit_trail_verdict *trails = &judge->verdict->trails;
    if (trails->checked)
        tacit__find(judge, TACIT_FINDING_ITEMS, 0, tacit_table_rows(judge->release),
                    "column \"%s\" links the rows of a person, whose items are then known "
                    "together, which km does not allow for",
                    tacit__show(judge->columns[trails->column].name).text);
}

static void judge_twice(tacit__judge *judge, const tacit__item_release *release, int32_t at)
{
    tacit_codes_view codes = tacit_table_codes(release->table, release->columns[at]);
    tacit__judge_tally bad = {0};
    for (int64_t row = 0; row < tacit_table_rows(release->table); row++)
        if (release->cells[at].twice[tacit_codes_at(codes, row)])
            tacit__tally_add(&bad, row);
    if (bad.count > 0)
        tacit__find(judge, TACIT_FINDING_ITEMS, bad.first + 1, bad.count,
                    "cells of \"%s\" with an item twice, and how often tells people apart: %lld; "
                    "the first is in row %lld (line %lld)",
                    tacit__show(tacit_strview_of(judge->promise->items[at].column)).text,
                    (long long)bad.count, (long long)(bad.first + 1),
                    (long long)tacit_table_line(judge->release, bad.first));
}

static tacit_status read_columns(tacit__item_release *release, tacit__judge *judge,
                                 tacit_error *err)
{
    const tacit_promise *promise = judge->promise;
    size_t count = (size_t)promise->items_count;
    release->columns = tacit__alloc_zeroed(count, sizeof *release->columns);
    release->cells = tacit__alloc_zeroed(count, sizeof *release->cells);
    if (!release->columns || !release->cells)
        return tacit__nomem(err);
    release->count = promise->items_count;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < promise->items_count && status == TACIT_OK; i++) {
        release->columns[i] =
            tacit_table_find(judge->release, tacit_strview_of(promise->items[i].column));
        if (release->columns[i] < 0)
            continue; /* which has been found */
        status = tacit__item_cells_init(&release->cells[i], judge->release, release->columns[i],
                                        promise->items[i].separator, judge->run, err);
        if (status == TACIT_OK)
            judge_twice(judge, release, i);
        if (status == TACIT_OK)
            status = compare_column(judge, release, i, err);
    }
    return status;
}

static tacit_status judge_set(tacit__judge *judge, const tacit__item_release *release,
                              const uint64_t *set, tacit_error *err)
{
    const tacit__partition *classes = NULL;
    int32_t columns[TACIT__MAX_PROMISED], count = 0;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (tacit__set_has(set, a))
            columns[count++] = judge->attribute[a];
    tacit_status status =
        tacit__groups_get(&classes, judge->groups, judge->release, columns, count, judge->run, err);
    return status == TACIT_OK ? tacit__items_known(judge, release, classes, err) : status;
}

tacit_status tacit__judge_items(tacit__judge *judge, tacit_error *err)
{
    tacit__item_release release = {.table = judge->release};
    if (judge->promise->items_count == 0)
        return TACIT_OK;
    judge->verdict->items.checked = true;
    judge_links(judge);
    tacit_status status = read_columns(&release, judge, err);
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_set(judge, &release, tacit__set_of(judge, i), err);
    for (int32_t i = 0; i < release.count; i++)
        tacit__item_cells_clear(&release.cells[i]);
    tacit__free(release.columns);
    tacit__free(release.cells);
    return status;
}
