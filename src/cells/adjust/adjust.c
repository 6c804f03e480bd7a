/*
 * adjust.c - controlled tabular adjustment: primary cells are published beyond their levels, the
 * others as they are or as near as sums allow (Dandekar and Cox 2002; Castro 2006).
 *
 * Which way each primary cell goes is the hard part.
 *
 *   1. A guess: cells are taken by what their move weighs, each goes the way that leaves the sums
 *      of its relations less out of balance, and then single cells turn round while that helps.
 *      That takes no program; what is out of balance other cells must make up for.
 *   2. The program with these ways (program.c) says what the best table with them costs, and its
 *      duals what another unit of each move would: where a turn should pay by that, cells turn,
 *      first all of them, then half as many, down to one at a time; what does not help is taken
 *      back. The duals promise no less than a turn brings, so cells for which they promise nothing
 *      are left alone. Where no table has the ways of the guess, the program with all ways open is
 *      pulled to them. Cells that end up between their sides are sent to the nearer one and pulled
 *      harder, until none is left: a feasibility pump (Fischetti, Glover and Lodi 2005) whose force
 *      grows in place of random turns.
 *   3. Branch and bound over ways proves that nothing is nearer, or ends after TREE_WORK with a
 *      bound. The open node with the lowest bound comes first. A solution with every cell on a side
 *      is a table; else the cell that is deepest in its gap, by what that weighs, is decided either
 *      way. Where all is decided but changes are no whole numbers, an integer program settles it,
 *      or leaves the bound as it is.
 *
 * Limits are on the simplex method's work, so results do not depend on the clock. A run that is
 * stopped leaves its best table.
 *
 * Cells that must be published and zeros stay; values stay within their bounds and multiples of
 * the unit that all of them are multiples of, mostly 1: in two dimensions that asks for nothing
 * more. Only where no table in whole units was found within the limits fractions are published.
 *
 * Memory: a byte a primary cell for every open node of the tree.
 */
#include "cells/adjust/adjust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "solver/nodes.h"

/* Iterations times columns. */
#define WORK INT64_C(50000000)
enum { PASSES = 20, PUMPS = 40 };

/* A cell is at the end of its gap, as a share of it. */
#define AT_END 1e-6

/* What pulls a cell to an end: to begin with, times this while it is at neither, and at most. */
#define FORCE      10
#define MORE_FORCE 1.5
#define MAX_FORCE  1e5

/* A turn must bring this much of the distance. */
#define WORTH 1e-9

/* The nearest table so far. */
typedef struct nearest_table {
    bool found;
    double distance;
    double *change;
    int8_t *ways;
    double bound; /* of all tables */
    bool proven;  /* nothing is nearer; or, if none was found, there is none */
} nearest_table;

typedef struct turner {
    tacit__adjust *adjust;
    nearest_table *nearest;
    tacit_cell_uses *uses;
    double *balance; /* by relation */
    int32_t *order;  /* movers */
    double *promise; /* by mover: what a turn brings by the duals */
    int8_t *ways;
    bool fits; /* some table, in fractions perhaps, has the ways in hand */
} turner;

/* Takes the last solution if it is nearer. */
static void nearest_take(nearest_table *nearest, const tacit__adjust *adjust)
{
    if (!adjust->found || !adjust->fits || adjust->distance >= nearest->distance)
        return;
    nearest->found = true;
    nearest->distance = adjust->distance;
    memcpy(nearest->change, adjust->change, (size_t)adjust->cells->count * sizeof *nearest->change);
    memcpy(nearest->ways, adjust->ways, (size_t)adjust->count * sizeof *nearest->ways);
}

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
            p->force[k] = fmin(MORE_FORCE * p->force[k], MAX_FORCE);
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
            nearest_take(t->nearest, t->adjust);
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

/* Ways that balance each other, made better while single changes, or many at once, help. */
static tacit_status find_ways(nearest_table *nearest, tacit__adjust *adjust, tacit_error *err)
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
        nearest_take(nearest, adjust);
        if (nearest->found)
            status = improve(&t, err);
    }
    turner_clear(&t);
    return status;
}

/* A node's table must be nearer than the best by so much of its distance. */
#define NEARER 1e-9

/* A node's decision is a way for each mover. */
typedef struct tree {
    tacit__adjust *adjust;
    nearest_table *nearest;
    tacit__solver_nodes open;
    double missed; /* the lowest bound of what could not be settled */
} tree;

static int8_t *ways_of(tacit__open_node *node)
{
    return (int8_t *)node->decision;
}

/* ways NULL: all are open. */
static tacit_status push(tree *t, double bound, const int8_t *ways, tacit_error *err)
{
    tacit__open_node *node = tacit__nodes_grow(&t->open, NULL);
    if (!node)
        return tacit__nomem(err);
    node->bound = bound;
    if (ways)
        memcpy(node->decision, ways, (size_t)t->adjust->count);
    if (tacit__nodes_push(&t->open, node))
        return TACIT_OK;
    tacit__nodes_release(node);
    return tacit__nomem(err);
}

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
    nearest_take(t->nearest, a);
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

static tacit_status visit(tree *t, tacit__open_node *n, tacit_error *err)
{
    int8_t *ways = ways_of(n);
    tacit__adjust *a = t->adjust;
    tacit_status status = tacit__adjust_solve(a, ways, err);
    if (status != TACIT_OK)
        return status;
    if (!a->found) {
        if (!a->proven)
            miss(t, n->bound);
        return TACIT_OK;
    }
    a->bound = fmax(a->bound, n->bound);
    if (a->fits)
        nearest_take(t->nearest, a);
    if (!is_worth(t, a->bound))
        return TACIT_OK;
    int32_t mover = deepest(a, ways);
    return mover < 0 ? settle(t, a->bound, err) : branch(t, ways, mover, err);
}

/* ---- the whole ---- */

static void conclude(tree *t)
{
    nearest_table *nearest = t->nearest;
    double bound = fmin(t->missed, tacit__nodes_bound(&t->open));
    nearest->bound = fmax(nearest->bound, fmin(bound, nearest->distance));
    nearest->proven = !is_worth(t, bound);
}

/* Branch and bound over ways until all is proven or the work exceeds the limit. */
static tacit_status search_tree(nearest_table *nearest, tacit__adjust *adjust, int64_t limit,
                                tacit_error *err)
{
    tree t = {.adjust = adjust,
              .nearest = nearest,
              .open = {.decision_bytes = (size_t)adjust->count},
              .missed = INFINITY};
    tacit_status status = push(&t, 0, NULL, err);
    int64_t before = adjust->work;
    while (status == TACIT_OK && is_worth(&t, tacit__nodes_bound(&t.open)) &&
           adjust->work - before <= limit) {
        tacit__open_node *n = tacit__nodes_pop(&t.open);
        status = visit(&t, n, err);
        if (status != TACIT_OK)
            miss(&t, n->bound);
        tacit__nodes_release(n);
    }
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        conclude(&t);
    tacit__nodes_clear(&t.open);
    return status;
}

/* Iterations times columns. */
#define TREE_WORK INT64_C(50000000)
#define NAME_WORK INT64_C(20000000)

/* ---- no table ---- */

/* A primary cell that cannot go either way though all others may stay; the first if each can. */
static tacit_status name_infeasible(tacit__adjust *a, bool proven, bool barred, tacit_error *err)
{
    int32_t cell = a->movers[0].cell;
    bool stuck = false;
    int64_t most = a->work + NAME_WORK;
    int8_t *ways = tacit__alloc_zeroed((size_t)a->count, sizeof *ways);
    tacit_status status = ways ? TACIT_OK : tacit__nomem(err);
    for (int32_t k = 0; k < a->count && !stuck && a->work < most && status == TACIT_OK; k++) {
        bool can = false;
        for (int way = -1; way <= 1 && !can && status == TACIT_OK; way += 2) {
            ways[k] = (int8_t)way;
            if (tacit__can_go(&a->movers[k], way))
                status = tacit__adjust_solve(a, ways, err);
            can = status == TACIT_OK && tacit__can_go(&a->movers[k], way) && !a->proven;
        }
        ways[k] = TACIT__OPEN;
        stuck = status == TACIT_OK && !can;
        cell = stuck ? a->movers[k].cell : cell;
    }
    tacit__free(ways);
    if (status != TACIT_OK)
        return status;
    char name[160];
    const tacit_cells *cells = a->cells;
    tacit_cells_describe(cells, cell, name, sizeof name);
    int64_t line = cells->line ? cells->line[cell] : 0;
    if (barred)
        return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                               "no table was found in which all primary cells, %s among them, "
                               "are moved by their levels and sums do not tell which way",
                               name);
    if (stuck)
        return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                               "cell %s cannot be moved by its levels: zeros and cells that must "
                               "be published leave nothing to make up for it",
                               name);
    return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                           "%s in which all primary cells, %s among them, are moved by their "
                           "levels, with zeros and cells that must be published unchanged",
                           proven ? "there is no table" : "no table was found", name);
}

/* ---- the search ---- */

/* The program with all ways open, while it starts from nothing, which is where it is quick: a bound
 * on all tables, whole or not. */
static tacit_status find_bound(nearest_table *nearest, tacit__adjust *a, tacit_error *err)
{
    tacit_status status = tacit__adjust_solve(a, nearest->ways, err);
    if (status == TACIT_OK && a->found)
        nearest->bound = fmax(0, a->bound);
    if (status == TACIT_OK && !a->found)
        nearest->proven = a->proven;
    return status;
}

static tacit_status search(nearest_table *nearest, tacit__adjust *a, bool barred, tacit_error *err)
{
    tacit_status status = find_bound(nearest, a, err);
    double bound = nearest->bound;
    if (status == TACIT_OK && !nearest->proven)
        status = find_ways(nearest, a, err);
    if (status == TACIT_OK && !nearest->proven)
        status = search_tree(nearest, a, TREE_WORK, err);
    if (status == TACIT_OK && !nearest->found && !nearest->proven && a->whole) {
        a->whole = false;
        nearest->bound = bound;
        status = find_ways(nearest, a, err);
    }
    if (status == TACIT_OK && !nearest->found)
        status = name_infeasible(a, nearest->proven, barred, err);
    return status;
}

/* Whoever stops the search gets what there is. */
static bool was_stopped(tacit_status status, const nearest_table *nearest, tacit_error *err)
{
    if (status != TACIT_CANCELLED || !nearest->found)
        return false;
    if (err)
        *err = (tacit_error){0};
    return true;
}

/* ---- the result ---- */

/* In units where values are whole numbers of them, so that 0.1 and 0.2 are 0.3. */
static double published(const tacit__adjust *a, int32_t cell, double change)
{
    double value = a->cells->value[cell];
    if (change == 0)
        return value;
    double per_unit = nearbyint(1 / a->unit);
    return a->whole ? (nearbyint(value * per_unit) + change) / per_unit : value + a->unit * change;
}

static tacit_status fill(tacit_altered *out, const tacit__adjust *a, const nearest_table *nearest,
                         const tacit_alter_options *options, tacit_error *err)
{
    for (int32_t i = 0; i < a->cells->count; i++)
        out->value[i] = published(a, i, nearest->change[i]);
    tacit_status status = tacit__altered_measure(out, a->cells, options, err);
    out->lower_bound = fmin(nearest->bound, out->distance);
    out->proven = nearest->proven;
    return status;
}

static tacit_status adjust_all(tacit_altered *out, tacit__adjust *a, nearest_table *nearest,
                               const tacit_alter_options *options, tacit_error *err)
{
    size_t count = (size_t)a->cells->count;
    nearest->change = tacit__alloc_zeroed(count, sizeof *nearest->change);
    nearest->ways = tacit__alloc_zeroed((size_t)a->count, sizeof *nearest->ways);
    if (!nearest->change || !nearest->ways)
        return tacit__nomem(err);
    tacit_status status = search(nearest, a, options->barred != NULL, err);
    if (was_stopped(status, nearest, err)) {
        out->stopped = true;
        status = TACIT_OK;
    }
    return status == TACIT_OK ? fill(out, a, nearest, options, err) : status;
}

tacit_status tacit__adjust_values(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__adjust adjust = {0};
    nearest_table nearest = {.distance = INFINITY};
    tacit_altered altered = {0};
    tacit_status status = tacit__altered_init(&altered, cells, err);
    if (status == TACIT_OK)
        status = tacit__adjust_init(&adjust, cells, options, run, err);
    if (status == TACIT_OK)
        status = adjust_all(&altered, &adjust, &nearest, options, err);
    tacit__adjust_clear(&adjust);
    tacit__free(nearest.change);
    tacit__free(nearest.ways);
    if (status == TACIT_OK)
        *out = altered;
    else
        tacit_altered_clear(&altered);
    return status;
}
