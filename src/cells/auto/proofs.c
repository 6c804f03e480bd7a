/*
 * proofs.c - the letters of a pattern and the proofs that it rests on (auto.h): kept, and found by
 * protecting flows (suppress/flow.c) in windows.
 *
 * A proof is kept as long as a cell rests on it. Cells know the proofs that use them, so what is
 * affected when one is published is found without looking at the others. When the last proof that
 * uses a secondary cell is gone it is published.
 *
 * What is proven in a window holds in the table, so programs need not be larger than what a cell
 * hides behind. A cell moves only if in each of its relations another does. So a window grows where
 * it has to: the next cell is the one that gives company to most cells which are alone in a
 * relation, less those relations in which it would be alone itself; of several, the cheapest. In a
 * table of dimensions that closes cuboids before it opens others, which the cells nearest by
 * relations do not: of a cuboid in four dimensions the far corner is four relations away.
 *
 * Flows prefer cells that cost little: they show which of the dear ones are not needed. Where the
 * suppressed cells of a window do not hide a cell a larger one is tried, and then windows of all
 * cells that could be suppressed.
 *
 * Cost: a few programs of some hundred columns for every cell that others' proofs do not cover, and
 * a heap entry for every cell of the relations that a window has a part in. Memory: the cells of
 * all proofs, twice.
 */
#include "cells/auto/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "cells/suppress/flow.h"

tacit_status tacit__cell_list_add(tacit__cell_list *list, int32_t cell, tacit_error *err)
{
    return TACIT__PUSH(list->items, list->room, list->count, cell) ? TACIT_OK : tacit__nomem(err);
}

void tacit__cell_list_clear(tacit__cell_list *list)
{
    tacit__free(list->items);
    *list = (tacit__cell_list){0};
}

/* ---- letters ---- */

static void count_in_rows(tacit__auto *a, int32_t cell, int32_t by)
{
    const tacit__terms *t = &a->terms;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1] && a->may[cell]; k++)
        a->in_row[t->relation[t->list[k]]] += by;
}

void tacit__auto_suppress(tacit__auto *a, int32_t cell)
{
    if (tacit__suppressed(a->status[cell]))
        return;
    a->status[cell] = TACIT_CELL_SECONDARY;
    count_in_rows(a, cell, 1);
}

void tacit__auto_publish(tacit__auto *a, int32_t cell)
{
    if (!tacit__suppressed(a->status[cell]))
        return;
    a->status[cell] = TACIT_CELL_FREE;
    count_in_rows(a, cell, -1);
}

double tacit__auto_cost(const tacit__auto *a)
{
    double cost = 0;
    for (int32_t i = 0; i < a->cells->count; i++)
        cost += tacit__auto_secondary(a, i) ? a->cells->cost[i] : 0;
    return cost;
}

/* ---- proofs ---- */

/* A set of cells that hides one, which rests on it from now on, and no longer on another. */
static tacit_status add_proof(int32_t *out, tacit__auto *a, const tacit__cell_list *cells,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!TACIT__RESERVE_ONE(a->proofs, a->proof_capacity, a->proof_count))
        return tacit__nomem(err);
    tacit__proof *p = &a->proofs[a->proof_count];
    *p = (tacit__proof){.rests = 1};
    p->cells = tacit__alloc_array((size_t)cells->count, sizeof *p->cells);
    if (!p->cells)
        return tacit__nomem(err);
    *out = a->proof_count++;
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++) {
        status = tacit__cell_list_add(&a->users[cells->items[i]], *out, err);
        if (status == TACIT_OK) {
            p->cells[p->count++] = cells->items[i];
            a->uses[cells->items[i]]++;
        }
    }
    if (status != TACIT_OK)
        tacit__auto_leave(a, *out);
    return status;
}

void tacit__auto_leave(tacit__auto *a, int32_t proof)
{
    tacit__proof *p = proof < 0 ? NULL : &a->proofs[proof];
    if (!p || --p->rests > 0)
        return;
    for (int32_t i = 0; i < p->count; i++)
        if (--a->uses[p->cells[i]] == 0 && tacit__auto_secondary(a, p->cells[i]))
            tacit__auto_publish(a, p->cells[i]);
    tacit__free(p->cells);
    p->cells = NULL;
    p->count = 0;
    tacit__cell_list_clear(&p->hidden);
}

/* A set of cells that hides one, which rests on it from now on, and no longer on another. */
static tacit_status rest_on(tacit__auto *a, int32_t cell, int32_t proof, tacit_error *err)
{
    tacit_status status = tacit__cell_list_add(&a->proofs[proof].hidden, cell, err);
    if (status != TACIT_OK)
        return status;
    a->proofs[proof].rests++;
    tacit__auto_leave(a, a->proof_of[cell]);
    a->proof_of[cell] = proof;
    return TACIT_OK;
}

/* Cells that rest on a proof and are not listed yet. */
static tacit_status list_resting(tacit__cell_list *out, tacit__auto *a, int32_t proof,
                                 tacit_error *err)
{
    const tacit__proof *p = &a->proofs[proof];
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < p->hidden.count && status == TACIT_OK; i++) {
        int32_t cell = p->hidden.items[i];
        if (a->proof_of[cell] != proof || a->marked[cell])
            continue;
        status = tacit__cell_list_add(out, cell, err);
        a->marked[cell] = status == TACIT_OK;
    }
    return status;
}

tacit_status tacit__auto_affected(tacit__cell_list *out, tacit__auto *a,
                                  const tacit__cell_list *cells, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < cells->count; i++) {
        tacit__cell_list *users = &a->users[cells->items[i]];
        int32_t kept = 0;
        for (int32_t k = 0; k < users->count; k++) {
            if (a->proofs[users->items[k]].rests == 0)
                continue;
            users->items[kept++] = users->items[k];
            if (status == TACIT_OK)
                status = list_resting(out, a, users->items[k], err);
        }
        users->count = kept;
    }
    for (int32_t i = 0; i < out->count; i++)
        a->marked[out->items[i]] = false;
    return status;
}

/* ---- the whole ---- */

static void forget_proofs(tacit__auto *a)
{
    for (int32_t i = 0; i < a->proof_count; i++) {
        tacit__free(a->proofs[i].cells);
        tacit__cell_list_clear(&a->proofs[i].hidden);
    }
    a->proof_count = 0;
}

void tacit__auto_reset(tacit__auto *a, const char *status)
{
    forget_proofs(a);
    memset(a->in_row, 0, (size_t)a->cells->relations.count * sizeof *a->in_row);
    for (int32_t i = 0; i < a->cells->count; i++) {
        a->proof_of[i] = -1;
        a->uses[i] = a->users[i].count = 0;
        a->status[i] = tacit__suppressed(a->given[i]) ? a->given[i] : status[i];
        count_in_rows(a, i, tacit__suppressed(a->status[i]));
    }
}

void tacit__auto_prune(tacit__auto *a)
{
    for (int32_t i = 0; i < a->cells->count; i++)
        if (a->uses[i] == 0 && tacit__auto_secondary(a, i))
            tacit__auto_publish(a, i);
}

/* ---- setting up ---- */

static tacit_status list_needy(tacit__auto *a, tacit_error *err)
{
    int32_t count = 0;
    for (int32_t i = 0; i < a->cells->count; i++)
        count += tacit__suppressed(a->given[i]);
    tacit__cell_price *list = tacit__alloc_array((size_t)count, sizeof *list);
    tacit_status status = list ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0, at = 0; i < a->cells->count && status == TACIT_OK; i++) {
        if (!tacit__suppressed(a->given[i]))
            continue;
        tacit__need need = tacit__need_of(a->cells, a->given, i, a->largest);
        list[at++] = (tacit__cell_price){fmax(need.spread, fmax(need.up, need.down)), i};
    }
    if (status == TACIT_OK)
        qsort(list, (size_t)count, sizeof *list, tacit__dearest_first);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__cell_list_add(&a->needy, list[i].cell, err);
    tacit__free(list);
    return status;
}

static tacit_status allocate(tacit__auto *a, tacit_error *err)
{
    size_t count = (size_t)a->cells->count, relations = (size_t)a->cells->relations.count;
    a->status = tacit__copy_bytes(a->given, count);
    a->may = tacit__alloc_array(count, sizeof *a->may);
    a->in_row = tacit__alloc_zeroed(relations, sizeof *a->in_row);
    a->proof_of = tacit__alloc_array(count, sizeof *a->proof_of);
    a->uses = tacit__alloc_array(count, sizeof *a->uses);
    a->users = tacit__alloc_zeroed(count, sizeof *a->users);
    a->marked = tacit__alloc_zeroed(count, sizeof *a->marked);
    a->row_count = tacit__alloc_zeroed(relations, sizeof *a->row_count);
    a->number_of = tacit__alloc_array(relations, sizeof *a->number_of);
    for (size_t r = 0; r < relations && a->number_of; r++)
        a->number_of[r] = -1;
    bool ready = a->status && a->may && a->in_row && a->proof_of && a->uses && a->users &&
                 a->marked && a->row_count && a->number_of;
    return ready ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__auto_init(tacit__auto *a, const tacit_cells *cells, const char *status,
                              const tacit_run *run, tacit_error *err)
{
    *a = (tacit__auto){
        .cells = cells, .given = status, .run = run, .largest = tacit__largest_value(cells)};
    tacit_run_init(&a->own);
    tacit__random_init(&a->random, run ? run : &a->own, "auto", 0);
    tacit_status result = allocate(a, err);
    if (result == TACIT_OK)
        result = tacit__terms_init(&a->terms, cells, err);
    if (result == TACIT_OK)
        result = list_needy(a, err);
    if (result != TACIT_OK)
        return result;
    for (int32_t i = 0; i < cells->count; i++)
        a->may[i] = status[i] != TACIT_CELL_FIXED && cells->upper[i] > cells->lower[i];
    tacit__auto_reset(a, status);
    return TACIT_OK;
}

void tacit__auto_clear(tacit__auto *a)
{
    forget_proofs(a);
    for (int32_t i = 0; i < a->cells->count && a->users; i++)
        tacit__cell_list_clear(&a->users[i]);
    tacit__free(a->status);
    tacit__free(a->may);
    tacit__free(a->in_row);
    tacit__free(a->proof_of);
    tacit__free(a->uses);
    tacit__free(a->users);
    tacit__free(a->marked);
    tacit__free(a->row_count);
    tacit__free(a->proofs);
    tacit__cell_list_clear(&a->needy);
    tacit__cell_list_clear(&a->window);
    tacit__terms_clear(&a->terms);
    tacit__free(a->number_of);
}

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

/* Cells of the first window; how much larger the next one is; windows of cells that are not
 * suppressed, the first and the largest. */
enum { FIRST = 150, GROWTH = 6, FREE_FIRST = 600, FREE_MAX = 30000 };

/* What moving a suppressed cell weighs, as a share of its cost. */
#define SUPPRESSED_WEIGHT 1e-2

/* ---- programs ---- */

/* A window as a program, and where flows are put together. */
typedef struct window {
    tacit__auto *a;
    tacit__patch patch;
    tacit__flow *flow;
    bool *chosen;
    double *weights;
    tacit__cell_list moved;
} window;

static void window_clear(window *w)
{
    tacit__flow_free(w->flow);
    tacit__patch_clear(&w->patch);
    tacit__free(w->chosen);
    tacit__free(w->weights);
    tacit__cell_list_clear(&w->moved);
}

static double weight_of(const tacit__auto *a, int32_t cell)
{
    if (tacit__suppressed(a->given[cell]))
        return 0;
    return a->cells->cost[cell] * (tacit__suppressed(a->status[cell]) ? SUPPRESSED_WEIGHT : 1);
}

static tacit_status window_open(window *w, tacit__auto *a, const tacit__cell_list *list,
                                tacit_error *err)
{
    *w = (window){.a = a};
    tacit_status status =
        tacit__patch_of_cells(&w->patch, a->cells, a->status, list->items, list->count, &a->terms,
                              a->number_of, a->largest, err);
    if (status == TACIT_OK)
        status = tacit__flow_new(&w->flow, &w->patch, err);
    if (status != TACIT_OK)
        return status;
    w->chosen = tacit__alloc_array((size_t)list->count, sizeof *w->chosen);
    w->weights = tacit__alloc_array((size_t)list->count, sizeof *w->weights);
    if (!w->chosen || !w->weights)
        return tacit__nomem(err);
    for (int32_t i = 0; i < list->count; i++)
        w->weights[i] = weight_of(a, list->items[i]);
    return TACIT_OK;
}

static bool shown(const window *w, int32_t i)
{
    const tacit__exact_seen *seen = tacit__flow_seen(w->flow);
    const tacit__need *need = &w->patch.need[i];
    double share = 1 - 1e-6;
    return seen->high[i] >= need->up * share && seen->low[i] >= need->down * share &&
           seen->high[i] + seen->low[i] >= need->spread * share;
}

/* The cells that the flows moved are a proof for the one in hand, and for others that have none. */
static tacit_status take_proof(window *w, int32_t in_hand, tacit_error *err)
{
    tacit__auto *a = w->a;
    const tacit__exact_seen *seen = tacit__flow_seen(w->flow);
    int32_t proof = -1;
    tacit_status status = TACIT_OK;
    w->moved.count = 0;
    for (int32_t i = 0; i < w->patch.count && status == TACIT_OK; i++)
        if (i == in_hand || seen->high[i] + seen->low[i] > 0)
            status = tacit__cell_list_add(&w->moved, w->patch.cells[i], err);
    for (int32_t i = 0; i < w->moved.count && status == TACIT_OK; i++)
        tacit__auto_suppress(a, w->moved.items[i]);
    if (status == TACIT_OK)
        status = add_proof(&proof, a, &w->moved, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < w->patch.count && status == TACIT_OK; i++) {
        int32_t cell = w->patch.cells[i];
        bool open = tacit__suppressed(a->given[cell]) && a->proof_of[cell] < 0;
        if (i == in_hand || (open && a->uses[cell] > 0 && shown(w, i)))
            status = rest_on(a, cell, proof, err);
    }
    tacit__auto_leave(a, proof);
    return status;
}

static tacit_status prove_one(bool *found, window *w, int32_t i, tacit_error *err)
{
    tacit__flow_answer answer = {0};
    tacit__flow_forget(w->flow, NULL);
    for (int32_t k = 0; k < w->patch.count; k++)
        w->chosen[k] = false;
    tacit_status status =
        tacit__flow_protect(&answer, w->flow, i, w->chosen, w->weights, w->a->run, err);
    tacit__auto_worked(w->a, &w->patch, answer.iterations);
    *found = answer.found && shown(w, i);
    return status == TACIT_OK && *found ? take_proof(w, i, err) : status;
}

/* ---- proofs of what is suppressed ---- */

/* Tries those that have no proof, in one window around all of them; in the last one until one
 * fails. *last: the window has all that could help. */
static tacit_status try_window(bool *last, tacit__auto *a, const tacit__cell_list *cells,
                               int32_t most, tacit_error *err)
{
    window w = {0};
    int32_t many = 0;
    tacit_status status = TACIT_OK;
    bool found = true, all = *last;
    a->window.count = 0;
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++)
        if (a->proof_of[cells->items[i]] < 0)
            status = tacit__cell_list_add(&a->window, cells->items[i], err);
    many = a->window.count;
    if (status == TACIT_OK)
        status = tacit__auto_grow(&all, a, &a->window, most > many ? most : many, false, err);
    *last |= all;
    if (status == TACIT_OK)
        status = window_open(&w, a, &a->window, err);
    for (int32_t i = 0; i < many && status == TACIT_OK && (found || !*last); i++)
        if (a->proof_of[a->window.items[i]] < 0)
            status = prove_one(&found, &w, i, err);
    window_clear(&w);
    return status;
}

static bool any_open(const tacit__auto *a, const tacit__cell_list *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (a->proof_of[cells->items[i]] < 0)
            return true;
    return false;
}

tacit_status tacit__auto_prove(bool *proven, tacit__auto *a, const tacit__cell_list *cells,
                               int32_t most, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool last = false;
    for (int32_t size = FIRST < most ? FIRST : most; status == TACIT_OK && !last; size *= GROWTH) {
        if (!any_open(a, cells))
            break;
        last = size >= most;
        status = try_window(&last, a, cells, size < most ? size : most, err);
    }
    *proven = status == TACIT_OK && !any_open(a, cells);
    return status;
}

/* ---- more cells ---- */

/* One cell, in windows of all cells that could be suppressed. */
static tacit_status protect_one(bool *found, tacit__auto *a, int32_t cell, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool all = false;
    *found = false;
    for (int32_t size = FREE_FIRST; status == TACIT_OK && !*found && !all && size <= FREE_MAX;
         size *= GROWTH) {
        window w = {0};
        a->window.count = 0;
        status = tacit__cell_list_add(&a->window, cell, err);
        if (status == TACIT_OK)
            status = tacit__auto_grow(&all, a, &a->window, size, true, err);
        if (status == TACIT_OK)
            status = window_open(&w, a, &a->window, err);
        if (status == TACIT_OK)
            status = prove_one(found, &w, 0, err);
        window_clear(&w);
    }
    return status;
}

/* One cell: by those that are suppressed, or by more. */
static tacit_status hide(bool *hidden, tacit__auto *a, int32_t cell, int32_t most, bool more,
                         tacit_error *err)
{
    const tacit__cell_list one = {.items = &cell, .count = 1};
    tacit_status status = TACIT_OK;
    *hidden = a->proof_of[cell] >= 0;
    if (!*hidden && most > 0)
        status = tacit__auto_prove(hidden, a, &one, most, err);
    if (status == TACIT_OK && !*hidden && more)
        status = protect_one(hidden, a, cell, err);
    return status;
}

tacit_status tacit__auto_protect(int32_t *unprotected, tacit__auto *a, int32_t most, bool more,
                                 int64_t enough, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *unprotected = -1;
    for (int32_t i = 0; i < a->needy.count && status == TACIT_OK; i++) {
        bool hidden;
        status = hide(&hidden, a, a->needy.items[i], most, more, err);
        if (status == TACIT_OK && !hidden && *unprotected == -1)
            *unprotected = more ? a->needy.items[i] : TACIT__AUTO_UNFINISHED;
        if (a->work >= enough && i + 1 < a->needy.count)
            *unprotected = TACIT__AUTO_UNFINISHED;
        if (*unprotected == TACIT__AUTO_UNFINISHED)
            break;
        if (status == TACIT_OK)
            status = tacit__progress(a->run, "protecting cells", i + 1, a->needy.count, err);
    }
    return status;
}
