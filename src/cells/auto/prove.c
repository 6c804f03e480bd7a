/*
 * prove.c - proofs that cells are hidden, found by protecting flows (suppress/flow.c) in windows
 * (window.c). What is proven in a window holds in the table,
 * so programs need not be larger than what a cell hides behind.
 *
 * Flows prefer cells that cost little: they show which of the dear ones are not needed. Where the
 * suppressed cells of a window do not hide a cell a larger one is tried, and then windows of all
 * cells that could be suppressed.
 *
 * Cost: a few programs of some hundred columns for every cell that others' proofs do not cover.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/auto/auto.h"
#include "cells/suppress/flow.h"

/* Cells of the first window; how much larger the next one is; windows of cells that are not
 * suppressed, the first and the largest. */
enum { FIRST = 150, GROWTH = 6, FREE_FIRST = 600, FREE_MOST = 30000 };

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
                              &a->numbers, a->largest, err);
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
static tacit_status take(window *w, int32_t in_hand, tacit_error *err)
{
    tacit__auto *a = w->a;
    const tacit__exact_seen *seen = tacit__flow_seen(w->flow);
    int32_t proof;
    tacit_status status = TACIT_OK;
    w->moved.count = 0;
    for (int32_t i = 0; i < w->patch.count && status == TACIT_OK; i++)
        if (i == in_hand || seen->high[i] + seen->low[i] > 0)
            status = tacit__cell_list_add(&w->moved, w->patch.cells[i], err);
    for (int32_t i = 0; i < w->moved.count && status == TACIT_OK; i++)
        tacit__auto_suppress(a, w->moved.items[i]);
    if (status == TACIT_OK)
        status = tacit__auto_add_proof(&proof, a, &w->moved, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < w->patch.count && status == TACIT_OK; i++) {
        int32_t cell = w->patch.cells[i];
        bool open = tacit__suppressed(a->given[cell]) && a->proof_of[cell] < 0;
        if (i == in_hand || (open && a->uses[cell] > 0 && shown(w, i)))
            status = tacit__auto_rest(a, cell, proof, err);
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
    return status == TACIT_OK && *found ? take(w, i, err) : status;
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
    for (int32_t size = FREE_FIRST; status == TACIT_OK && !*found && !all && size <= FREE_MOST;
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
