/*
 * signs.c - a way for every primary cell, up or down, and better ones.
 *
 * To begin with, cells are taken by what their move weighs, each goes the way that leaves the sums
 * of its relations less out of balance, and then single cells turn round while that helps. That
 * takes no program and is a good guess, since what is out of balance other cells must make up for.
 *
 * The program with these ways says what the best table with them costs, and its duals what
 * another unit of each move would: where a turn should pay by that, cells turn, first all of them,
 * then half as many, down to one at a time; what does not help is taken back. The duals
 * promise no less than a turn brings, so cells for which they promise nothing are left alone.
 *
 * Where no table has the ways of the guess, the program with all ways open is pulled to them. Cells
 * that end up between their sides are sent to the nearer one and pulled harder, until none is left:
 * a feasibility pump (Fischetti, Glover and Lodi 2005) whose force grows in place of random turns.
 *
 * Cost: a program a try, from where the last one ended, as long as WORK allows.
 */
#include "cells/adjust/adjust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Iterations times columns. */
#define WORK INT64_C(50000000)
enum { PASSES = 20, PUMPS = 40 };

/* A cell is at the end of its gap, as a share of it. */
#define AT_END 1e-6

/* What pulls a cell to an end: to begin with, times this while it is at neither, and at most. */
#define FORCE      10
#define MORE_FORCE 1.5
#define MOST_FORCE 1e5

/* A turn must bring this much of the distance. */
#define WORTH 1e-9

typedef struct turner {
    tacit__adjust *adjust;
    tacit__adjust_nearest *nearest;
    tacit_cell_uses *uses;
    double *balance; /* by relation */
    int32_t *order;  /* movers */
    double *promise; /* by mover: what a turn brings by the duals */
    int8_t *ways;
    bool fits; /* some table, in fractions perhaps, has the ways in hand */
} turner;

/* ---- the guess ---- */

static double coefficient(const tacit_relations *all, int32_t relation, int32_t cell)
{
    int64_t j = all->starts[relation];
    while (all->items[j] != cell)
        j++;
    return all->coefs[j];
}

/* Adds a move of the cell to its relations; returns how much less they are out of balance. */
static double lean(turner *t, int32_t cell, double move)
{
    const tacit_relations *all = &t->adjust->cells->relations;
    double less = 0;
    for (int64_t u = t->uses->starts[cell]; u < t->uses->starts[cell + 1]; u++) {
        int32_t r = t->uses->relations[u];
        double before = fabs(t->balance[r]);
        t->balance[r] += move * coefficient(all, r, cell);
        less += before - fabs(t->balance[r]);
    }
    return less;
}

static double move_of(const tacit__mover *m, int way)
{
    return way > 0 ? m->up : -m->down;
}

static int better_way(turner *t, const tacit__mover *m)
{
    if (!tacit__can_go(m, 1) || !tacit__can_go(m, -1))
        return tacit__can_go(m, 1) ? 1 : -1;
    double weight = t->adjust->weight[m->cell] > 0 ? 1 : 0;
    double up = lean(t, m->cell, m->up) - weight * m->up;
    lean(t, m->cell, -m->up);
    double down = lean(t, m->cell, -m->down) - weight * m->down;
    lean(t, m->cell, m->down);
    return up >= down ? 1 : -1;
}

typedef struct weighed {
    double key;
    int32_t mover;
} weighed;

/* Largest first; those alike in the order of cells. */
static int by_key(const void *left, const void *right)
{
    const weighed *a = left, *b = right;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return (a->mover > b->mover) - (a->mover < b->mover);
}

/* Fills in order: movers with a key above 0 by it; returns how many. */
static tacit_status sort_movers(int32_t *count, turner *t, const double *keys, tacit_error *err)
{
    int32_t n = 0;
    weighed *list = tacit__alloc_array((size_t)t->adjust->count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t k = 0; k < t->adjust->count; k++)
        if (keys[k] > 0)
            list[n++] = (weighed){keys[k], k};
    qsort(list, (size_t)n, sizeof *list, by_key);
    for (int32_t i = 0; i < n; i++)
        t->order[i] = list[i].mover;
    *count = n;
    tacit__free(list);
    return TACIT_OK;
}

static tacit_status guess(turner *t, tacit_error *err)
{
    tacit__adjust *a = t->adjust;
    int32_t count;
    for (int32_t k = 0; k < a->count; k++)
        t->promise[k] = 1e-300 + a->movers[k].up + a->movers[k].down;
    tacit_status status = sort_movers(&count, t, t->promise, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        const tacit__mover *m = &a->movers[t->order[i]];
        t->ways[t->order[i]] = (int8_t)better_way(t, m);
        lean(t, m->cell, move_of(m, t->ways[t->order[i]]));
    }
    bool turned = true;
    for (int pass = 0; pass < PASSES && turned && status == TACIT_OK; pass++) {
        turned = false;
        for (int32_t k = 0; k < a->count; k++) {
            const tacit__mover *m = &a->movers[k];
            int before = t->ways[k];
            lean(t, m->cell, -move_of(m, before));
            t->ways[k] = (int8_t)better_way(t, m);
            lean(t, m->cell, move_of(m, t->ways[k]));
            turned |= t->ways[k] != before;
        }
    }
    return status;
}

/* ---- programs ---- */

/* Solves with the ways in hand, in whole numbers where they must be. */
static tacit_status solve(turner *t, tacit_error *err)
{
    tacit__adjust *a = t->adjust;
    tacit_status status = tacit__adjust_solve(a, t->ways, err);
    t->fits = status == TACIT_OK && a->found;
    if (status == TACIT_OK && a->found && !a->fits && a->bound < t->nearest->distance)
        status = tacit__adjust_whole(a, err);
    return status;
}

static bool is_better(const turner *t)
{
    const tacit__adjust *a = t->adjust;
    return a->found && a->fits &&
           a->distance < t->nearest->distance - WORTH * fmax(1, t->nearest->distance);
}

/* ---- ways that go together ---- */

typedef struct pump {
    double *parts, *force; /* by mover */
    int8_t *open;          /* all of them */
} pump;

static tacit_status pump_new(pump *p, int32_t count, tacit_error *err)
{
    size_t n = (size_t)count;
    p->parts = tacit__alloc_array(n, sizeof *p->parts);
    p->force = tacit__alloc_array(n, sizeof *p->force);
    p->open = tacit__alloc_zeroed(n, sizeof *p->open);
    if (!p->parts || !p->force || !p->open)
        return tacit__nomem(err);
    for (int32_t k = 0; k < count; k++)
        p->force[k] = FORCE;
    return TACIT_OK;
}

static void pump_clear(pump *p)
{
    tacit__free(p->parts);
    tacit__free(p->force);
    tacit__free(p->open);
}

/* Sends cells to the end that they are nearer to, and with more force those that are at neither;
 * returns how many. */
static int32_t send(turner *t, pump *p)
{
    int32_t between = 0;
    for (int32_t k = 0; k < t->adjust->count; k++) {
        const tacit__mover *m = &t->adjust->movers[k];
        int way = p->parts[k] >= 0.5 ? 1 : -1;
        t->ways[k] = (int8_t)(tacit__can_go(m, way) ? way : -way);
        if (tacit__only_way(m) == TACIT__OPEN && fmin(p->parts[k], 1 - p->parts[k]) > AT_END) {
            p->force[k] = fmin(MORE_FORCE * p->force[k], MOST_FORCE);
            between++;
        }
    }
    return between;
}

/* Pulls until all cells are at ends. */
static tacit_status bring_together(turner *t, tacit_error *err)
{
    tacit__adjust *a = t->adjust;
    bool go = true;
    int32_t between = INT32_MAX;
    pump p = {0};
    tacit_status status = pump_new(&p, a->count, err);
    if (status == TACIT_OK)
        status = tacit__adjust_solve(a, p.open, err);
    for (int round = 0; round < PUMPS && go && status == TACIT_OK; round++) {
        status = tacit__adjust_pull(p.parts, a, t->ways, p.force, err);
        if (status == TACIT_OK && a->found)
            between = send(t, &p);
        go = a->found && between > 0;
    }
    if (status == TACIT_OK && between == 0)
        status = solve(t, err);
    pump_clear(&p);
    return status;
}

/* ---- turning ---- */

/* What turning each cell brings by the duals, 0 where nothing or it cannot turn. */
static void fill_promises(turner *t)
{
    const tacit__adjust *a = t->adjust;
    for (int32_t k = 0; k < a->count; k++) {
        const tacit__mover *m = &a->movers[k];
        double brings = t->ways[k] * a->slope[k] * (m->up + m->down);
        bool can = tacit__can_go(m, -t->ways[k]);
        t->promise[k] = can && brings > WORTH * fmax(1, a->distance) ? brings : 0;
    }
}

static void turn(turner *t, int32_t first, int32_t count)
{
    for (int32_t i = first; i < first + count; i++)
        t->ways[t->order[i]] = (int8_t)-t->ways[t->order[i]];
}

static bool may_try(const turner *t)
{
    return t->adjust->work < WORK;
}

/* Turns pieces of the list, so many at a time; whether one of them helped. */
static tacit_status turn_pieces(bool *helped, turner *t, int32_t count, int32_t size,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t at = 0; at < count && !*helped && may_try(t) && status == TACIT_OK; at += size) {
        int32_t many = count - at < size ? count - at : size;
        turn(t, at, many);
        status = solve(t, err);
        *helped = status == TACIT_OK && is_better(t);
        if (*helped)
            tacit__nearest_take(t->nearest, t->adjust);
        else
            turn(t, at, many);
    }
    return status;
}

static tacit_status improve(turner *t, tacit_error *err)
{
    int32_t count = 0, size = INT32_MAX;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && may_try(t)) {
        bool helped = false;
        status = tacit__adjust_solve(t->adjust, t->ways, err); /* for its duals */
        if (status != TACIT_OK || !t->adjust->found)
            break;
        fill_promises(t);
        status = sort_movers(&count, t, t->promise, err);
        if (status != TACIT_OK || count == 0)
            break;
        size = size < count ? size : count;
        while (status == TACIT_OK && !helped && size >= 1 && may_try(t)) {
            status = turn_pieces(&helped, t, size > 1 ? size : count, size, err);
            if (!helped)
                size /= 2;
        }
        if (!helped)
            break;
    }
    return status;
}

/* ---- the whole ---- */

static tacit_status turner_new(turner *t, tacit_error *err)
{
    const tacit_cells *cells = t->adjust->cells;
    size_t n = (size_t)t->adjust->count;
    t->balance = tacit__alloc_zeroed((size_t)cells->relations.count, sizeof *t->balance);
    t->order = tacit__alloc_array(n, sizeof *t->order);
    t->promise = tacit__alloc_array(n, sizeof *t->promise);
    t->ways = tacit__alloc_zeroed(n, sizeof *t->ways);
    if (!t->balance || !t->order || !t->promise || !t->ways)
        return tacit__nomem(err);
    return tacit_cell_uses_new(&t->uses, cells, err);
}

static void turner_clear(turner *t)
{
    tacit__free(t->balance);
    tacit__free(t->order);
    tacit__free(t->promise);
    tacit__free(t->ways);
    tacit_cell_uses_free(t->uses);
}

tacit_status tacit__adjust_signs(tacit__adjust_nearest *nearest, tacit__adjust *adjust,
                                 tacit_error *err)
{
    turner t = {.adjust = adjust, .nearest = nearest};
    tacit_status status = turner_new(&t, err);
    if (status == TACIT_OK)
        status = guess(&t, err);
    if (status == TACIT_OK)
        status = solve(&t, err);
    if (status == TACIT_OK && !t.fits)
        status = bring_together(&t, err);
    if (status == TACIT_OK) {
        tacit__nearest_take(nearest, adjust);
        if (nearest->found)
            status = improve(&t, err);
    }
    turner_clear(&t);
    return status;
}
