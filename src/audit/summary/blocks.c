/*
 * blocks.c - the combinations of open classes as variables, the numbers asked for as
 * sums of them, and blocks of variables that have nothing to do with each other; see summary.h.
 *
 * Each variable is part of its class's rows and of an entry of every table. Classes and entries
 * that a variable has in common are in one block (union-find), and blocks are solved one by one.
 */
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

static inline bool nodes_agree(const uint32_t *ends, uint32_t a, uint32_t b)
{
    return tacit__node_holds(ends, a, b) || tacit__node_holds(ends, b, a);
}

/* The combinations that a class of rows can have, one after the other; see summary.h.
 *
 * Depth first over the tables: an entry of the first table that agrees with the class's labels,
 * one of the second that agrees with what is known by then, and so on. What is known in a column
 * is the finest of label and entries, the larger number of their nodes. A table is sorted by its
 * first column, so only entries near the node that is known there are tried. */

tacit_status tacit__combo_walk_init(tacit__combo_walk *walk, tacit__joint *joint, tacit_error *err)
{
    size_t tables = (size_t)joint->table_count;
    *walk = (tacit__combo_walk){.joint = joint};
    walk->at = tacit__alloc_array(tables, sizeof *walk->at);
    walk->end = tacit__alloc_array(tables, sizeof *walk->end);
    walk->nodes = tacit__alloc_array((tables + 1) * (size_t)joint->width, sizeof *walk->nodes);
    if (walk->at && walk->end && walk->nodes)
        return TACIT_OK;
    tacit__combo_walk_clear(walk);
    return tacit__nomem(err);
}

void tacit__combo_walk_clear(tacit__combo_walk *walk)
{
    tacit__free(walk->at);
    tacit__free(walk->end);
    tacit__free(walk->nodes);
    *walk = (tacit__combo_walk){0};
}

static const tacit__summary_table *table_at(const tacit__combo_walk *walk, int32_t depth)
{
    return &walk->joint->scene->tables[walk->joint->tables[depth]];
}

/* Looks up which entries of the table at this depth are to be tried. */
static void open_table(tacit__combo_walk *walk)
{
    const tacit__joint *j = walk->joint;
    const tacit__summary_table *table = table_at(walk, walk->depth);
    const uint32_t *nodes = walk->nodes + (size_t)walk->depth * (size_t)j->width;
    tacit__entries_near(&walk->at[walk->depth], &walk->end[walk->depth], j->scene, table,
                        nodes[j->local[table->columns[0]]]);
    walk->at[walk->depth]--;
}

void tacit__combo_walk_start(tacit__combo_walk *walk, const uint32_t *labels)
{
    memcpy(walk->nodes, labels, (size_t)walk->joint->width * sizeof *labels);
    walk->depth = walk->deepest = 0;
    open_table(walk);
}

/* Whether the entry in hand agrees with what is known; what is known with it goes to the next
 * depth. */
static bool take_entry(tacit__combo_walk *walk)
{
    const tacit__joint *j = walk->joint;
    int32_t depth = walk->depth;
    const tacit__summary_table *table = table_at(walk, depth);
    const uint32_t *entry = tacit__table_entry(table, walk->at[depth]);
    const uint32_t *nodes = walk->nodes + (size_t)depth * (size_t)j->width;
    uint32_t *next = walk->nodes + (size_t)(depth + 1) * (size_t)j->width;
    if (j->left[j->offsets[depth] + walk->at[depth]] == 0)
        return false;
    memcpy(next, nodes, (size_t)j->width * sizeof *next);
    for (int32_t i = 0; i < table->column_count; i++) {
        int32_t column = table->columns[i], local = j->local[column];
        if (!nodes_agree(j->scene->columns[column].ends, nodes[local], entry[i]))
            return false;
        if (entry[i] > next[local])
            next[local] = entry[i];
    }
    return true;
}

bool tacit__combo_walk_ended(const tacit__combo_walk *walk)
{
    return walk->joint->steps >= walk->joint->scene->limits.steps;
}

bool tacit__combo_walk_next(tacit__combo_walk *walk)
{
    if (walk->depth == walk->joint->table_count)
        walk->depth--;
    while (walk->depth >= 0) {
        if (++walk->at[walk->depth] >= walk->end[walk->depth]) {
            walk->depth--;
            continue;
        }
        if (tacit__combo_walk_ended(walk))
            return false;
        walk->joint->steps++;
        if (!take_entry(walk))
            continue;
        if (++walk->depth == walk->joint->table_count)
            return true;
        if (walk->depth > walk->deepest)
            walk->deepest = walk->depth;
        open_table(walk);
    }
    return false;
}

/* ---- variables ---- */

static tacit_status add_variable(tacit__combos *c, const tacit__combo_walk *walk, tacit_error *err)
{
    const tacit__joint *j = c->joint;
    size_t at = (size_t)c->count, tables = (size_t)j->table_count, width = (size_t)j->width;
    if (!TACIT__RESERVE_ONE(c->owner, c->owner_capacity, at) ||
        !TACIT__RESERVE(c->entries, c->entries_capacity, (at + 1) * tables) ||
        !TACIT__RESERVE(c->nodes, c->nodes_capacity, (at + 1) * width))
        return tacit__nomem(err);
    c->owner[at] = c->open;
    for (size_t t = 0; t < tables; t++)
        c->entries[at * tables + t] = j->offsets[t] + (int32_t)walk->at[t];
    memcpy(c->nodes + at * width, tacit__combo_walk_states(walk), width * sizeof *c->nodes);
    c->count++;
    return TACIT_OK;
}

/* All combinations of an open class. full: there would be too many. */
static tacit_status add_class(bool *full, tacit__combos *c, tacit__combo_walk *walk, int32_t index,
                              tacit_error *err)
{
    const tacit__joint *j = c->joint;
    tacit_status status = TACIT_OK;
    c->classes[c->open] = index;
    c->starts[c->open] = c->count;
    tacit__combo_walk_start(walk, j->labels + (size_t)index * (size_t)j->width);
    while (status == TACIT_OK && !*full && tacit__combo_walk_next(walk)) {
        *full = c->count >= j->scene->limits.variables;
        if (!*full)
            status = add_variable(c, walk, err);
    }
    *full |= tacit__combo_walk_ended(walk);
    if (status == TACIT_OK && !*full && c->starts[c->open] == c->count)
        status = tacit__joint_contradiction(j, walk->deepest, err);
    c->starts[++c->open] = c->count;
    return status;
}

static tacit_status add_variables(bool *full, tacit__combos *c, tacit_error *err)
{
    tacit__joint *j = c->joint;
    tacit__combo_walk walk;
    tacit_status status = tacit__combo_walk_init(&walk, j, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t q = 0; q < j->classes && !*full && status == TACIT_OK; q++) {
        if (!j->settled[q])
            status = add_class(full, c, &walk, q, err);
        if (status == TACIT_OK && q % TACIT__BLOCK == 0)
            status = tacit__summary_progress(j->scene->run, q, j->classes, err);
    }
    tacit__combo_walk_clear(&walk);
    return status;
}

/* Who is left in a table must be in a class that is open. */
static tacit_status check_left(const tacit__combos *c, tacit_error *err)
{
    const tacit__joint *j = c->joint;
    size_t cells = (size_t)c->count * (size_t)j->table_count;
    uint8_t *used = tacit__alloc_zeroed((size_t)j->offsets[j->table_count], 1);
    tacit_status status = used ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < cells && used; i++)
        used[c->entries[i]] = 1;
    for (int32_t t = 0; t < j->table_count && status == TACIT_OK; t++)
        for (int32_t e = j->offsets[t]; e < j->offsets[t + 1] && status == TACIT_OK; e++)
            if (j->left[e] > 0 && !used[e])
                status = tacit__joint_contradiction(j, t, err);
    tacit__free(used);
    return status;
}

/* ---- targets ---- */

/* Numbers the states of a column among the variables of an open class, in their order. */
static tacit_status class_targets(tacit__combos *c, int32_t open, int32_t local,
                                  tacit__sorter *sorter, tacit_error *err)
{
    size_t width = (size_t)c->joint->width;
    int32_t first = c->starts[open], count = c->starts[open + 1] - first;
    c->target_starts[(size_t)open * width + (size_t)local] = c->target_count;
    sorter->count = count;
    for (int32_t i = 0; i < count; i++) {
        tacit__sorter_put(sorter, i, c->nodes[(size_t)(first + i) * width + (size_t)local]);
        sorter->values[i] = (uint64_t)(first + i);
    }
    tacit_status status = tacit__sorter_sort(sorter, c->joint->scene->run, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        uint32_t node = (uint32_t)tacit__sorter_key(sorter, i);
        if (i == 0 || node != (uint32_t)tacit__sorter_key(sorter, i - 1))
            c->target_node[c->target_count++] = node;
        c->targets[(size_t)sorter->values[i] * width + (size_t)local] = c->target_count - 1;
    }
    return status;
}

static tacit_status make_targets(tacit__combos *c, tacit_error *err)
{
    size_t width = (size_t)c->joint->width, cells = (size_t)c->count * width;
    tacit_status status = TACIT_OK;
    c->targets = tacit__alloc_array(cells, sizeof *c->targets);
    c->target_node = tacit__alloc_array(cells, sizeof *c->target_node);
    c->target_starts = tacit__alloc_array((size_t)c->open * width + 1, sizeof *c->target_starts);
    if (!c->targets || !c->target_node || !c->target_starts)
        return tacit__nomem(err);
    for (int32_t o = 0; o < c->open && status == TACIT_OK; o++) {
        tacit__sorter sorter = {0};
        status = tacit__sorter_init(&sorter, c->starts[o + 1] - c->starts[o], 32, true, err);
        for (int32_t i = 0; i < c->joint->width && status == TACIT_OK; i++)
            status = class_targets(c, o, i, &sorter, err);
        tacit__sorter_clear(&sorter);
    }
    c->target_starts[(size_t)c->open * width] = c->target_count;
    if (status != TACIT_OK)
        return status;
    c->least = tacit__alloc_zeroed((size_t)c->target_count, sizeof *c->least);
    c->most = tacit__alloc_zeroed((size_t)c->target_count, sizeof *c->most);
    c->possible = tacit__alloc_zeroed((size_t)c->count, sizeof *c->possible);
    return c->least && c->most && c->possible ? TACIT_OK : tacit__nomem(err);
}

/* ---- blocks ---- */

static int32_t root_of(int32_t *up, int32_t item)
{
    while (up[item] != item) {
        up[item] = up[up[item]];
        item = up[item];
    }
    return item;
}

/* Joins classes with entries: items are open classes, then entries. The smaller is the root, so
 * the root of a variable is its block's first class. */
static void join(int32_t *up, const tacit__combos *c)
{
    int32_t tables = c->joint->table_count;
    for (int32_t v = 0; v < c->count; v++)
        for (int32_t t = 0; t < tables; t++) {
            int32_t a = root_of(up, c->owner[v]);
            int32_t b = root_of(up, c->open + c->entries[(size_t)v * (size_t)tables + (size_t)t]);
            if (a < b)
                up[b] = a;
            else
                up[a] = b;
        }
}

/* Numbers the blocks by their first class, and lists the variables of each. */
static void list_blocks(tacit__combos *c, int32_t *up, int32_t *block_of)
{
    for (int32_t o = 0; o < c->open; o++)
        if (root_of(up, o) == o)
            block_of[o] = c->block_count++;
    for (int32_t v = 0; v < c->count; v++)
        c->block_starts[block_of[root_of(up, c->owner[v])] + 1]++;
    for (int32_t b = 0; b < c->block_count; b++)
        c->block_starts[b + 1] += c->block_starts[b];
    for (int32_t v = 0; v < c->count; v++)
        c->block_items[c->block_starts[block_of[root_of(up, c->owner[v])]]++] = v;
    for (int32_t b = c->block_count; b-- > 0;)
        c->block_starts[b + 1] = c->block_starts[b];
    c->block_starts[0] = 0;
}

static tacit_status make_blocks(tacit__combos *c, tacit_error *err)
{
    const tacit__joint *j = c->joint;
    int32_t items = c->open + j->offsets[j->table_count];
    int32_t *up = tacit__alloc_array((size_t)items, sizeof *up);
    int32_t *block_of = tacit__alloc_array((size_t)c->open, sizeof *block_of);
    c->block_starts = tacit__alloc_zeroed((size_t)c->open + 1, sizeof *c->block_starts);
    c->block_items = tacit__alloc_array((size_t)c->count, sizeof *c->block_items);
    bool made = up && block_of && c->block_starts && c->block_items;
    for (int32_t i = 0; i < items && made; i++)
        up[i] = i;
    if (made) {
        join(up, c);
        list_blocks(c, up, block_of);
    }
    tacit__free(up);
    tacit__free(block_of);
    return made ? TACIT_OK : tacit__nomem(err);
}

static tacit_status make_scratch(tacit__combos *c, tacit_error *err)
{
    int32_t items = c->open + c->joint->offsets[c->joint->table_count];
    c->place = tacit__alloc_array((size_t)c->count, sizeof *c->place);
    c->program_rows = tacit__alloc_array((size_t)items, sizeof *c->program_rows);
    c->seen = tacit__alloc_zeroed((size_t)c->target_count, sizeof *c->seen);
    if (!c->place || !c->program_rows || !c->seen)
        return tacit__nomem(err);
    for (int32_t i = 0; i < items; i++)
        c->program_rows[i] = -1;
    return TACIT_OK;
}

tacit_status tacit__combos_init(tacit__combos *combos, tacit__joint *joint, tacit_error *err)
{
    bool full = false;
    size_t classes = (size_t)joint->classes;
    *combos = (tacit__combos){.joint = joint};
    combos->classes = tacit__alloc_array(classes, sizeof *combos->classes);
    combos->starts = tacit__alloc_zeroed(classes + 1, sizeof *combos->starts);
    combos->solved = tacit__alloc_zeroed(classes, sizeof *combos->solved);
    bool made = combos->classes && combos->starts && combos->solved;
    tacit_status status = made ? add_variables(&full, combos, err) : tacit__nomem(err);
    if (status != TACIT_OK || full) {
        combos->open = combos->count = 0;
        return status;
    }
    status = check_left(combos, err);
    if (status == TACIT_OK)
        status = make_targets(combos, err);
    if (status == TACIT_OK)
        status = make_blocks(combos, err);
    if (status == TACIT_OK)
        status = make_scratch(combos, err);
    return status;
}

void tacit__combos_clear(tacit__combos *combos)
{
    tacit__free(combos->classes);
    tacit__free(combos->starts);
    tacit__free(combos->solved);
    tacit__free(combos->owner);
    tacit__free(combos->entries);
    tacit__free(combos->nodes);
    tacit__free(combos->targets);
    tacit__free(combos->target_node);
    tacit__free(combos->target_starts);
    tacit__free(combos->least);
    tacit__free(combos->most);
    tacit__free(combos->possible);
    tacit__free(combos->block_starts);
    tacit__free(combos->block_items);
    tacit__free(combos->place);
    tacit__free(combos->program_rows);
    tacit__free(combos->seen);
    *combos = (tacit__combos){0};
}
