/*
 * items.c - the cells of set-valued columns cut into items, and the items bound to their
 * hierarchies.
 *
 * The items of a column's distinct cells become a table of their own, one a line, which gives them
 * codes and is what a hierarchy is bound to. All values of all levels then are nodes of one forest.
 * A value that stands above a single one of the same name is the same node. `*`, the suppressed
 * level, is none: an item of which nothing is to be said is left out.
 *
 * Cost: linear in the distinct cells; their text once more, and 4 bytes an item.
 */
#include "records/itemsets/itemsets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vector.h"

static tacit_strview trimmed(tacit_strview text)
{
    while (text.len && strchr(" \t", text.bytes[0])) {
        text.bytes++;
        text.len--;
    }
    while (text.len && strchr(" \t", text.bytes[text.len - 1]))
        text.len--;
    return text;
}

/* The next item of a cell, which goes on behind it; false at its end. */
static bool next_item(tacit_strview *item, tacit_strview *cell, tacit_strview separator)
{
    while (cell->len > 0) {
        const char *end = memmem(cell->bytes, cell->len, separator.bytes, separator.len);
        size_t len = end ? (size_t)(end - cell->bytes) : cell->len;
        size_t used = end ? len + separator.len : len;
        *item = trimmed((tacit_strview){cell->bytes, len});
        *cell = (tacit_strview){cell->bytes + used, cell->len - used};
        if (item->len > 0)
            return true;
    }
    return false;
}

static void add_line(tacit__strbuf *out, tacit_strview item)
{
    const char *quote;
    tacit__strbuf_add(out, "\"", 1);
    while (item.len > 0 && (quote = memchr(item.bytes, '"', item.len))) {
        size_t len = (size_t)(quote - item.bytes) + 1;
        tacit__strbuf_add(out, item.bytes, len);
        tacit__strbuf_add(out, "\"", 1);
        item = (tacit_strview){item.bytes + len, item.len - len};
    }
    tacit__strbuf_add(out, item.bytes, item.len);
    tacit__strbuf_add(out, "\"\n", 2);
}

/* All items of all distinct cells, one a line, and where those of each cell start. */
static tacit_status list_items(tacit__item_column *column, const tacit_itemset_column *asked,
                               const tacit_table *table, tacit_error *err)
{
    tacit_strview separator = tacit_strview_of(asked->separator), item;
    uint32_t cells = tacit_table_distinct(table, asked->column);
    tacit__strbuf text = {0};
    size_t count = 0;
    column->start = tacit__alloc_array((size_t)cells + 2, sizeof *column->start);
    if (!column->start)
        return tacit__nomem(err);
    tacit__strbuf_text(&text, "items\n");
    for (uint32_t code = 0; code < cells; code++) {
        tacit_strview cell = tacit_table_value(table, asked->column, code);
        column->start[code] = count;
        for (; next_item(&item, &cell, separator); count++)
            add_line(&text, item);
    }
    column->start[cells] = column->start[cells + 1] = count;
    column->text = text.bytes;
    return text.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status code_items(tacit__item_column *column, tacit_strview name, const tacit_run *run,
                               tacit_error *err)
{
    tacit_csv_options options;
    char title[96];
    snprintf(title, sizeof title, "the items of \"%.*s\"", name.len < 64 ? (int)name.len : 64,
             name.bytes);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.encoding = TACIT_ENCODING_UTF8;
    return tacit_table_read_memory(&column->table, tacit_strview_of(column->text), title, &options,
                                   run, err);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Each cell's items as nodes, each once. */
static tacit_status gather_items(tacit__item_column *column, uint32_t cells, tacit_error *err)
{
    tacit_codes_view codes = tacit_table_codes(column->table, 0);
    size_t from = 0, used = 0;
    column->items = tacit__alloc_array(column->start[cells] + 1, sizeof *column->items);
    if (!column->items)
        return tacit__nomem(err);
    for (uint32_t code = 0; code <= cells; code++) {
        size_t to = column->start[code + 1], begin = used;
        uint32_t *items = column->items + from;
        for (size_t i = from; i < to; i++)
            column->items[i] = column->first + tacit_codes_at(codes, (int64_t)i);
        qsort(items, to - from, sizeof *items, ascending);
        for (size_t i = from; i < to; i++)
            if (used == begin || column->items[used - 1] != column->items[i])
                column->items[used++] = column->items[i];
        column->start[code] = begin;
        from = to;
    }
    column->start[cells + 1] = used;
    return TACIT_OK;
}

/* ---- nodes ---- */

static bool reserve_nodes(tacit__item_world *world, size_t count)
{
    size_t capacity[4] = {world->capacity, world->capacity, world->capacity, world->capacity};
    bool all = TACIT__RESERVE(world->parent, capacity[0], count) &&
               TACIT__RESERVE(world->loss, capacity[1], count) &&
               TACIT__RESERVE(world->labels, capacity[2], count) &&
               TACIT__RESERVE(world->keeps, capacity[3], count);
    if (all)
        world->capacity = count;
    return all;
}

/* What can be written as an item and read as the same. */
static tacit_status check_label(tacit_strview label, const tacit_itemset_column *asked,
                                tacit_strview name, tacit_error *err)
{
    const char *problem = NULL;
    if (label.len == 0)
        problem = "is empty";
    else if (memmem(label.bytes, label.len, asked->separator, strlen(asked->separator)))
        problem = "has the separator of items in it";
    else if (trimmed(label).len != label.len)
        problem = "begins or ends with a blank";
    if (!problem)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "column \"%.*s\": a label of the hierarchy %s: an item could not be read "
                        "back; change the label%s",
                        name.len < 64 ? (int)name.len : 64, name.bytes, problem,
                        label.len > 0 ? ", or items" : "");
}

static tacit_status add_node(uint32_t *node, tacit__item_world *world, tacit_strview label,
                             double loss, bool keeps, tacit_error *err)
{
    if (world->count == world->capacity &&
        !reserve_nodes(world, world->capacity + world->capacity / 2 + 64))
        return tacit__nomem(err);
    *node = world->count++;
    world->parent[*node] = TACIT__NO_NODE;
    world->loss[*node] = loss;
    world->labels[*node] = label;
    world->keeps[*node] = keeps;
    return TACIT_OK;
}

/* What lies on one level, by the level's numbers: its node, and the first of those under it, which
 * may be alone. */
typedef struct rung {
    uint32_t *node, *under;
    bool *several;
} rung;

static void rung_clear(rung *r)
{
    tacit__free(r->node);
    tacit__free(r->under);
    tacit__free(r->several);
}

static tacit_status rung_init(rung *r, const tacit_hierarchy *hierarchy, int level,
                              const uint32_t *below, uint32_t items, tacit_error *err)
{
    size_t count = (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
    const uint32_t *map = tacit_hierarchy_map(hierarchy, level);
    r->node = tacit__alloc_array(count, sizeof *r->node);
    r->under = tacit__alloc_array(count, sizeof *r->under);
    r->several = tacit__alloc_zeroed(count, sizeof *r->several);
    if (!r->node || !r->under || !r->several)
        return tacit__nomem(err);
    memset(r->under, 0xff, count * sizeof *r->under);
    for (uint32_t i = 0; i < items; i++)
        if (r->under[map[i]] == TACIT__NO_NODE)
            r->under[map[i]] = below[i];
        else
            r->several[map[i]] |= r->under[map[i]] != below[i];
    return TACIT_OK;
}

static tacit_status add_label(rung *r, uint32_t number, tacit__item_world *world, int32_t at,
                              int level, tacit_error *err)
{
    const tacit_itemset_column *asked = &world->asked->columns[at];
    const tacit_hierarchy *hierarchy = world->columns[at].hierarchy;
    tacit_strview label = tacit_hierarchy_label(hierarchy, level, number);
    double leaves = tacit_hierarchy_leaves_under(hierarchy, level, number);
    r->node[number] = r->under[number];
    if (r->under[number] == TACIT__NO_NODE ||
        tacit_strview_equal(label, tacit_hierarchy_suppressed()))
        return TACIT_OK;
    if (!r->several[number] && tacit_strview_equal(label, world->labels[r->under[number]]))
        return TACIT_OK;
    tacit_status status =
        check_label(label, asked, tacit_table_name(world->asked->table, asked->column), err);
    double loss = leaves > 1 ? leaves / tacit_hierarchy_leaves(hierarchy) : 0;
    return status == TACIT_OK
               ? add_node(&r->node[number], world, label, loss, asked->keeps_all, err)
               : status;
}

/* The nodes of one level, above those that items have come to. */
static tacit_status add_level(uint32_t *nodes, tacit__item_world *world, int32_t at, int level,
                              tacit_error *err)
{
    const tacit__item_column *column = &world->columns[at];
    const uint32_t *map = tacit_hierarchy_map(column->hierarchy, level);
    rung r = {0};
    tacit_status status = rung_init(&r, column->hierarchy, level, nodes, column->count, err);
    for (uint32_t n = 0; status == TACIT_OK && n < tacit_hierarchy_count(column->hierarchy, level);
         n++)
        status = add_label(&r, n, world, at, level, err);
    for (uint32_t i = 0; status == TACIT_OK && i < column->count; i++) {
        bool suppressed = tacit_strview_equal(
            tacit_hierarchy_label(column->hierarchy, level, map[i]), tacit_hierarchy_suppressed());
        if (suppressed || r.node[map[i]] == nodes[i])
            continue;
        world->parent[nodes[i]] = r.node[map[i]];
        nodes[i] = r.node[map[i]];
    }
    rung_clear(&r);
    return status;
}

static tacit_status add_nodes(tacit__item_world *world, int32_t at, tacit_error *err)
{
    tacit__item_column *column = &world->columns[at];
    const tacit_itemset_column *asked = &world->asked->columns[at];
    tacit_strview name = tacit_table_name(world->asked->table, asked->column);
    uint32_t *nodes = tacit__alloc_array((size_t)column->count + 1, sizeof *nodes);
    tacit_status status = nodes ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < column->count; i++) {
        tacit_strview label = tacit_table_value(column->table, 0, i);
        status = check_label(label, asked, name, err);
        if (status == TACIT_OK)
            status = add_node(&nodes[i], world, label, 0, asked->keeps_all, err);
    }
    for (int level = 1; status == TACIT_OK && level <= tacit_hierarchy_height(column->hierarchy);
         level++)
        status = add_level(nodes, world, at, level, err);
    tacit__free(nodes);
    return status;
}

static tacit_status read_column(tacit__item_world *world, int32_t at, const tacit_run *run,
                                tacit_error *err)
{
    const tacit_itemsets *asked = world->asked;
    const tacit_itemset_column *wanted = &asked->columns[at];
    tacit__item_column *column = &world->columns[at];
    column->first = world->count;
    tacit_status status = list_items(column, wanted, asked->table, err);
    if (status == TACIT_OK)
        status = code_items(column, tacit_table_name(asked->table, wanted->column), run, err);
    if (status != TACIT_OK)
        return status;
    column->count = tacit_table_distinct(column->table, 0);
    status = gather_items(column, tacit_table_distinct(asked->table, wanted->column), err);
    if (status != TACIT_OK || column->count == 0)
        return status;
    tacit_hierarchy_spec spec = *wanted->hierarchy;
    spec.no_suppression = false; /* without it a column of items without a hierarchy has none */
    status = tacit_hierarchy_new(&column->hierarchy, &spec, column->table, 0, err);
    return status == TACIT_OK ? add_nodes(world, at, err) : status;
}

tacit_status tacit__items_init(tacit__item_world *world, const tacit_itemsets *asked,
                               const tacit_run *run, tacit_error *err)
{
    *world = (tacit__item_world){.asked = asked};
    world->columns = tacit__alloc_zeroed((size_t)asked->column_count + 1, sizeof *world->columns);
    tacit_status status = world->columns && reserve_nodes(world, 64) ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < asked->column_count && status == TACIT_OK; i++)
        status = read_column(world, i, run, err);
    return status;
}

void tacit__items_clear(tacit__item_world *world)
{
    for (int32_t i = 0; world->columns && i < world->asked->column_count; i++) {
        tacit__item_column *column = &world->columns[i];
        tacit_hierarchy_free(column->hierarchy);
        tacit_table_free(column->table);
        tacit__free(column->text);
        tacit__free(column->start);
        tacit__free(column->items);
    }
    tacit__free(world->columns);
    tacit__free(world->parent);
    tacit__free(world->loss);
    tacit__free(world->labels);
    tacit__free(world->keeps);
}
