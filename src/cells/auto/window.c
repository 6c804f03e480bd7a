/*
 * window.c - the cells of a window: those with which the cells in hand are likely to move.
 *
 * A cell moves only if in each of its relations another does. So a window grows where it has to:
 * the next cell is the one that gives company to most cells which are alone in a relation, less
 * those relations in which it would be alone itself; of several, the cheapest. In a table of
 * dimensions that closes cuboids before it opens others, which the cells nearest by relations do
 * not: of a cuboid in four dimensions the far corner is four relations away.
 *
 * Cost: a heap entry for every cell of the relations that the window has a part in.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/vector.h"
#include "cells/auto/auto.h"

/* A cell that may be next. */
typedef struct entry {
    int32_t score;
    int32_t cell;
    double cost;
} entry;

typedef struct growing {
    tacit__auto *a;
    bool free;
    entry *heap;
    size_t count, room;
} growing;

static bool before(const void *a, const void *b)
{
    const entry *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score;
    if (left->cost != right->cost)
        return left->cost < right->cost;
    return left->cell < right->cell;
}

static tacit_status push(growing *g, entry new, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(g->heap, g->room, g->count))
        return tacit__nomem(err);
    tacit__heap_push(g->heap, &g->count, &new, sizeof new, before);
    return TACIT_OK;
}

static entry pop(growing *g)
{
    entry top;
    tacit__heap_pop(&top, g->heap, &g->count, sizeof top, before);
    return top;
}

static bool belongs(const growing *g, int32_t cell)
{
    const tacit__auto *a = g->a;
    char letter = a->status[cell];
    return a->may[cell] && !a->marked[cell] &&
           (tacit__suppressed(letter) || (g->free && letter == TACIT_CELL_FREE));
}

/* Relations that a cell would close, less those that it would open. */
static int32_t score_of(const tacit__auto *a, int32_t cell)
{
    const tacit__terms *t = &a->terms;
    int32_t score = 0;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1]; k++) {
        int32_t here = a->row_count[t->relation[t->list[k]]];
        score += (here == 1) - (here == 0);
    }
    return score;
}

static entry entry_of(const growing *g, int32_t cell)
{
    const tacit__auto *a = g->a;
    bool anyway = tacit__suppressed(a->given[cell]);
    return (entry){score_of(a, cell), cell, anyway ? 0 : a->cells->cost[cell]};
}

/* The cells of a relation that has just got its first one. */
static tacit_status offer(growing *g, int32_t row, tacit_error *err)
{
    const tacit_relations *r = &g->a->cells->relations;
    tacit_status status = TACIT_OK;
    for (int64_t j = r->starts[row]; j < r->starts[row + 1] && status == TACIT_OK; j++)
        if (belongs(g, r->items[j]))
            status = push(g, entry_of(g, r->items[j]), err);
    return status;
}

static tacit_status enter(growing *g, int32_t cell, tacit_error *err)
{
    tacit__auto *a = g->a;
    const tacit__terms *t = &a->terms;
    tacit_status status = TACIT_OK;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1]; k++)
        a->row_count[t->relation[t->list[k]]]++;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1] && status == TACIT_OK; k++)
        if (a->row_count[t->relation[t->list[k]]] == 1)
            status = offer(g, t->relation[t->list[k]], err);
    return status;
}

static void forget(tacit__auto *a, const tacit__cell_list *list)
{
    const tacit__terms *t = &a->terms;
    for (int32_t i = 0; i < list->count; i++) {
        int32_t cell = list->items[i];
        a->marked[cell] = false;
        for (int32_t k = t->starts[cell]; k < t->starts[cell + 1]; k++)
            a->row_count[t->relation[t->list[k]]] = 0;
    }
}

/* What an entry says of a cell may have changed since: then it has to wait its turn. */
static tacit_status take_next(growing *g, tacit__cell_list *list, tacit_error *err)
{
    tacit__auto *a = g->a;
    entry top = pop(g);
    if (a->marked[top.cell])
        return TACIT_OK;
    entry now = entry_of(g, top.cell);
    if (now.score < top.score)
        return push(g, now, err);
    a->marked[top.cell] = true;
    tacit_status status = tacit__cell_list_add(list, top.cell, err);
    return status == TACIT_OK ? enter(g, top.cell, err) : status;
}

tacit_status tacit__auto_grow(bool *all, tacit__auto *a, tacit__cell_list *list, int32_t most,
                              bool free, tacit_error *err)
{
    growing g = {.a = a, .free = free};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < list->count; i++)
        a->marked[list->items[i]] = true;
    for (int32_t i = 0; i < list->count && status == TACIT_OK; i++)
        status = enter(&g, list->items[i], err);
    while (status == TACIT_OK && g.count > 0 && list->count < most)
        status = take_next(&g, list, err);
    *all = g.count == 0;
    forget(a, list);
    tacit__free(g.heap);
    return status;
}
