/*
 * walk.c - the combinations that a class of rows can have, one after the other; see
 * summary.h.
 *
 * Depth first over the tables: an entry of the first table that agrees with the class's labels,
 * one of the second that agrees with what is known by then, and so on. What is known in a
 * column is the finest of label and entries, the larger number of their nodes. A table is
 * sorted by its first column, so only entries near the node that is known there are tried.
 */
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"

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
        if (!tacit__nodes_agree(j->scene->columns[column].ends, nodes[local], entry[i]))
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
