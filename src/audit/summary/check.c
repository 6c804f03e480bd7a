/*
 * check.c - tables of frequencies by themselves: sorted, without values that hold each
 * other or combinations that stand twice, and of one total; see summary.h.
 *
 * Entries are sorted by their nodes, the first column's first, so that those which agree with a
 * node in the first column stand together: either all under it or, since no value of a table holds
 * another, those of the one value that holds it.
 *
 * Cost: a stable sort a column.
 */
#include <stdio.h>
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"

uint64_t tacit__table_bits(const tacit__summary_table *table)
{
    uint64_t bits = 0;
    for (int32_t i = 0; i < table->column_count; i++)
        bits |= UINT64_C(1) << table->columns[i];
    return bits;
}

int32_t tacit__table_place(const tacit__summary_table *table, int32_t column)
{
    for (int32_t j = 0; j < table->column_count; j++)
        if (table->columns[j] == column)
            return j;
    return -1;
}

/* Sorts places of entries by the nodes of a column, stably. */
static tacit_status sort_by(int64_t *order, const tacit__scene *scene,
                            const tacit__summary_table *table, int32_t column, tacit_error *err)
{
    tacit__sorter sorter = {0};
    uint32_t nodes = scene->columns[table->columns[column]].node_count;
    tacit_status status =
        tacit__sorter_init(&sorter, table->entry_count, tacit__bits_for(nodes), true, err);
    if (status == TACIT_OK) {
        for (int64_t i = 0; i < table->entry_count; i++) {
            tacit__sorter_put(&sorter, i, tacit__table_entry(table, order[i])[column]);
            sorter.values[i] = (uint64_t)order[i];
        }
        status = tacit__sorter_sort(&sorter, scene->run, err);
    }
    for (int64_t i = 0; i < table->entry_count && status == TACIT_OK; i++)
        order[i] = (int64_t)sorter.values[i];
    tacit__sorter_clear(&sorter);
    return status;
}

/* Puts the entries in an order. */
static tacit_status reorder(tacit__summary_table *table, const int64_t *order, tacit_error *err)
{
    size_t width = (size_t)table->column_count, count = (size_t)table->entry_count;
    uint32_t *nodes = tacit__alloc_array(count * width, sizeof *nodes);
    int64_t *counts = tacit__alloc_array(count, sizeof *counts);
    tacit_status status = nodes && counts ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        memcpy(nodes + i * width, tacit__table_entry(table, order[i]), width * sizeof *nodes);
        counts[i] = table->counts[order[i]];
    }
    if (status == TACIT_OK && count) {
        memcpy(table->nodes, nodes, count * width * sizeof *nodes);
        memcpy(table->counts, counts, count * sizeof *counts);
    }
    tacit__free(nodes);
    tacit__free(counts);
    return status;
}

static tacit_status sort_entries(const tacit__scene *scene, tacit__summary_table *table,
                                 tacit_error *err)
{
    int64_t *order = tacit__alloc_array((size_t)table->entry_count, sizeof *order);
    tacit_status status = order ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; i < table->entry_count && order; i++)
        order[i] = i;
    for (int32_t j = table->column_count; j-- > 0 && status == TACIT_OK;)
        status = sort_by(order, scene, table, j, err);
    if (status == TACIT_OK)
        status = reorder(table, order, err);
    tacit__free(order);
    return status;
}

static tacit_status check_twice(const tacit__summary_table *table, tacit_error *err)
{
    size_t width = (size_t)table->column_count * sizeof *table->nodes;
    for (int64_t i = 1; i < table->entry_count; i++)
        if (memcmp(tacit__table_entry(table, i - 1), tacit__table_entry(table, i), width) == 0)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s have a %s twice, however it is written",
                                table->name, table->column_count == 1 ? "value" : "combination");
    return TACIT_OK;
}

/* No value of a column of the table lies within another. */
static tacit_status check_apart(const tacit__scene *scene, const tacit__summary_table *table,
                                int32_t column, tacit_error *err)
{
    const tacit__summary_column *c = &scene->columns[table->columns[column]];
    uint8_t *marks = tacit__alloc_zeroed(c->node_count, 1);
    uint32_t end = 0;
    tacit_status status = marks ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; i < table->entry_count && marks; i++)
        marks[tacit__table_entry(table, i)[column]] = 1;
    for (uint32_t node = 0; node < c->node_count && status == TACIT_OK; node++) {
        if (marks[node] && node < end)
            status = tacit__error(err, TACIT_PARSE,
                                  "the frequencies of %s have two values of %s of which one holds "
                                  "the other; values of a table must exclude each other",
                                  table->name, c->name);
        if (marks[node] && c->ends[node] > end)
            end = c->ends[node];
    }
    tacit__free(marks);
    return status;
}

static tacit_status check_table(int64_t *total, const tacit__scene *scene,
                                tacit__summary_table *table, tacit_error *err)
{
    tacit_status status = sort_entries(scene, table, err);
    if (status == TACIT_OK)
        status = check_twice(table, err);
    for (int32_t j = 0; j < table->column_count && status == TACIT_OK; j++)
        status = check_apart(scene, table, j, err);
    *total = 0;
    for (int64_t i = 0; i < table->entry_count && status == TACIT_OK; i++)
        if (__builtin_add_overflow(*total, table->counts[i], total))
            status = tacit__error(err, TACIT_PARSE, "the frequencies of %s are too large to sum up",
                                  table->name);
    return status;
}

tacit_status tacit__scene_check(tacit__scene *scene, tacit_error *err)
{
    for (int32_t t = 0; t < scene->table_count; t++) {
        int64_t total;
        tacit_status status = check_table(&total, scene, &scene->tables[t], err);
        if (status != TACIT_OK)
            return status;
        if (t > 0 && total != scene->subjects)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s sum to %lld and those of %s to %lld; "
                                "all must be of the same subjects",
                                scene->tables[0].name, (long long)scene->subjects,
                                scene->tables[t].name, (long long)total);
        if (total < scene->rows)
            return tacit__error(err, TACIT_PARSE,
                                "the frequencies of %s sum to %lld, fewer than the %lld rows of "
                                "the release",
                                scene->tables[t].name, (long long)total, (long long)scene->rows);
        scene->subjects = total;
    }
    return TACIT_OK;
}

/* Compares the first nodes of an entry with a prefix. */
static int compare(const uint32_t *entry, const uint32_t *prefix, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        if (entry[j] != prefix[j])
            return entry[j] < prefix[j] ? -1 : 1;
    return 0;
}

/* The first entry whose nodes are not before a prefix. */
static int64_t first_from(const tacit__summary_table *table, const uint32_t *prefix, int32_t count)
{
    int64_t low = 0, high = table->entry_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare(tacit__table_entry(table, middle), prefix, count) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t tacit__entry_holding(const tacit__scene *scene, const tacit__summary_table *table,
                             const uint32_t *nodes)
{
    uint32_t prefix[TACIT_SUMMARY_COLUMNS];
    /* Values of a table exclude each other: column by column, at most one holds the node. */
    for (int32_t j = 0; j < table->column_count; j++) {
        const uint32_t *ends = scene->columns[table->columns[j]].ends;
        prefix[j] = nodes[table->columns[j]];
        int64_t at = first_from(table, prefix, j + 1);
        bool exact =
            at < table->entry_count && compare(tacit__table_entry(table, at), prefix, j + 1) == 0;
        if (exact)
            continue;
        if (at == 0 || compare(tacit__table_entry(table, at - 1), prefix, j) != 0)
            return -1;
        prefix[j] = tacit__table_entry(table, at - 1)[j];
        if (!tacit__node_holds(ends, prefix[j], nodes[table->columns[j]]))
            return -1;
    }
    return first_from(table, prefix, table->column_count);
}

void tacit__entries_near(int64_t *from, int64_t *to, const tacit__scene *scene,
                         const tacit__summary_table *table, uint32_t node)
{
    const uint32_t *ends = scene->columns[table->columns[0]].ends;
    uint32_t first = node, end = ends[node];
    int64_t at = first_from(table, &first, 1);
    bool exact = at < table->entry_count && tacit__table_entry(table, at)[0] == node;
    if (!exact && at > 0 && tacit__node_holds(ends, tacit__table_entry(table, at - 1)[0], node)) {
        first = tacit__table_entry(table, at - 1)[0];
        *from = first_from(table, &first, 1);
        *to = at;
        return;
    }
    *from = at;
    *to = first_from(table, &end, 1);
}
