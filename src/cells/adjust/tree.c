/*
 * tree.c - branch and bound over the ways of primary cells.
 *
 * A node is a set of decisions; its program's value bounds all tables that keep them. The open
 * node with the lowest bound comes first. A solution with every cell on a side is a table; else
 * the cell that is deepest in its gap, by what that weighs, is decided either way.
 *
 * Where all is decided but changes are no whole numbers, an integer program settles it, or leaves
 * the bound as it is.
 *
 * Memory: a byte a primary cell for every open node.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/vector.h"
#include "cells/adjust/adjust.h"

/* A node's table must be nearer than the best by so much of its distance. */
#define NEARER 1e-9

typedef struct node {
    double bound;
    int64_t number; /* among nodes of one bound the youngest is first */
    int8_t *ways;
} node;

typedef struct tree {
    tacit__adjust *adjust;
    tacit__adjust_nearest *nearest;
    node *heap;
    size_t count, room;
    int64_t made;
    double missed; /* the lowest bound of what could not be settled */
} tree;

/* ---- the heap ---- */

static bool is_before(const void *left, const void *right)
{
    const node *a = left, *b = right;
    return a->bound != b->bound ? a->bound < b->bound : a->number > b->number;
}

static tacit_status push(tree *t, double bound, const int8_t *ways, tacit_error *err)
{
    size_t n = (size_t)t->adjust->count;
    node fresh = {.bound = bound, .number = t->made++, .ways = tacit__alloc(n)};
    if (!fresh.ways || !TACIT__RESERVE_ONE(t->heap, t->room, t->count)) {
        tacit__free(fresh.ways);
        return tacit__nomem(err);
    }
    memcpy(fresh.ways, ways, n);
    tacit__heap_push(t->heap, &t->count, &fresh, sizeof fresh, is_before);
    return TACIT_OK;
}

static node pop(tree *t)
{
    node first;
    tacit__heap_pop(&first, t->heap, &t->count, sizeof first, is_before);
    return first;
}

/* ---- nodes ---- */

static bool is_worth(const tree *t, double bound)
{
    double distance = t->nearest->distance; /* infinite while there is no table */
    return t->nearest->found ? bound < distance - NEARER * fmax(1, distance) : bound < distance;
}

/* The open cell that is deepest in its gap; any other open one if none is; -1: none is open. */
static int32_t deepest(const tacit__adjust *a, const int8_t *ways)
{
    int32_t found = -1;
    double most = -1;
    for (int32_t k = 0; k < a->count; k++) {
        const tacit__mover *m = &a->movers[k];
        double change = a->change[m->cell];
        double depth = a->weight[m->cell] * fmax(0, fmin(m->up - change, change + m->down));
        if (ways[k] == TACIT__OPEN && depth > most) {
            most = depth;
            found = k;
        }
    }
    return found;
}

static void miss(tree *t, double bound)
{
    t->missed = fmin(t->missed, bound);
}

/* All is decided: a table, or what whole numbers make of it. */
static tacit_status settle(tree *t, double bound, tacit_error *err)
{
    tacit__adjust *a = t->adjust;
    tacit_status status = tacit__adjust_whole(a, err);
    if (status != TACIT_OK)
        return status;
    tacit__nearest_take(t->nearest, a);
    if (is_worth(t, fmax(bound, a->bound)) && !a->proven)
        miss(t, fmax(bound, a->bound));
    return TACIT_OK;
}

static tacit_status branch(tree *t, int8_t *ways, int32_t mover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    double bound = t->adjust->bound;
    for (int way = -1; way <= 1 && status == TACIT_OK; way += 2)
        if (tacit__can_go(&t->adjust->movers[mover], way)) {
            ways[mover] = (int8_t)way;
            status = push(t, bound, ways, err);
        }
    return status;
}

static tacit_status visit(tree *t, node *n, tacit_error *err)
{
    tacit__adjust *a = t->adjust;
    tacit_status status = tacit__adjust_solve(a, n->ways, err);
    if (status != TACIT_OK)
        return status;
    if (!a->found) {
        if (!a->proven)
            miss(t, n->bound);
        return TACIT_OK;
    }
    a->bound = fmax(a->bound, n->bound);
    if (a->fits)
        tacit__nearest_take(t->nearest, a);
    if (!is_worth(t, a->bound))
        return TACIT_OK;
    int32_t mover = deepest(a, n->ways);
    return mover < 0 ? settle(t, a->bound, err) : branch(t, n->ways, mover, err);
}

/* ---- the whole ---- */

static void conclude(tree *t)
{
    tacit__adjust_nearest *nearest = t->nearest;
    double bound = t->count > 0 ? fmin(t->missed, t->heap[0].bound) : t->missed;
    nearest->bound = fmax(nearest->bound, fmin(bound, nearest->distance));
    nearest->proven = !is_worth(t, bound);
}

tacit_status tacit__adjust_tree(tacit__adjust_nearest *nearest, tacit__adjust *adjust,
                                int64_t limit, tacit_error *err)
{
    tree t = {.adjust = adjust, .nearest = nearest, .missed = INFINITY};
    int8_t *none = tacit__alloc_zeroed((size_t)adjust->count, sizeof *none);
    tacit_status status = none ? push(&t, 0, none, err) : tacit__nomem(err);
    int64_t before = adjust->work;
    while (status == TACIT_OK && t.count > 0 && is_worth(&t, t.heap[0].bound) &&
           adjust->work - before <= limit) {
        node n = pop(&t);
        status = visit(&t, &n, err);
        if (status != TACIT_OK)
            miss(&t, n.bound);
        tacit__free(n.ways);
    }
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        conclude(&t);
    while (t.count > 0)
        tacit__free(t.heap[--t.count].ways);
    tacit__free(t.heap);
    tacit__free(none);
    return status;
}
