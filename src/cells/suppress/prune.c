/*
 * prune.c - a pattern without what it can do without, by flows; see prune.h.
 *
 * The same as trim.c with other witnesses: tables from flows, which move as few cells as will do
 * (exact/shelf.c), where an adversary's programs move as far as they can and much besides. So a
 * cell that is tried is in the way of few needs. Worth it where there are many needs: on
 * hier100x100 with singletons trimming takes 20 s and this less than one.
 *
 * Things to be shown are the suppressed cells of the patch and its demands (wishes). Programs are
 * over chosen cells only.
 */
#include "cells/suppress/prune.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact/shelf.h"
#include "cells/suppress/flow.h"

/* By how much, as a share, a need may be missed. */
#define SLACK 1e-6

typedef struct work {
    const tacit__patch *patch;
    const tacit_run *run;
    tacit__pruning *pruning;
    tacit__patch part; /* chosen cells; its demands are the wishes */
    tacit__flow *flow;
    tacit__shelf shelf;
    int32_t *number; /* a cell of the patch each: its number there; -1: none */
    int32_t *wishes; /* a demand of the part each: the wish of the patch that it is */
    bool lost;       /* there is one that nothing moves */
    bool *all;
    double *ones;
    int32_t wish; /* that a flow is for */
} work;

/* ---- setting up ---- */

/* A wish of the patch as a demand, with its numbers. */
static tacit__demand wish_of(const tacit__patch *patch, tacit__demand_term *own, int32_t wish)
{
    *own = (tacit__demand_term){wish, 1};
    return wish < patch->count ? (tacit__demand){patch->need[wish], own, 1, NULL, 0}
                               : patch->demands.list[wish - patch->count];
}

/* Lists what is to be shown, and adds it to the part's demands. */
static tacit_status list_wishes(work *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit__patch_wishes(w->patch) && status == TACIT_OK; i++) {
        tacit__demand_term own;
        tacit__demand wish = wish_of(w->patch, &own, i);
        int32_t before = w->part.demands.count;
        if (!tacit__needs_any(wish.need) || (i < w->patch->count && !w->patch->suppressed[i]))
            continue;
        status = tacit__demands_add_numbered(&w->part.demands, &wish, w->number, err);
        if (w->part.demands.count > before)
            w->wishes[before] = i;
        else
            w->lost = true;
    }
    return status;
}

static tacit_status take(void *context, const double *values, double unit, double noise,
                         tacit_error *err)
{
    work *w = context;
    const tacit__demand *wish = &w->part.demands.list[w->wish];
    double moved = 0;
    for (int32_t t = 0; t < wish->term_count; t++)
        moved += wish->terms[t].weight * values[wish->terms[t].cell] * unit;
    return tacit__shelf_take(&w->shelf, w->wish, &w->part, values, unit, noise, moved, err);
}

static tacit_status allocate(work *w, tacit_error *err)
{
    size_t count = (size_t)w->part.count, wishes = (size_t)tacit__patch_wishes(w->patch);
    w->number = tacit__alloc_array((size_t)w->patch->count, sizeof *w->number);
    w->wishes = tacit__alloc_array(wishes, sizeof *w->wishes);
    w->all = tacit__alloc_array(count, sizeof *w->all);
    w->ones = tacit__alloc_array(count, sizeof *w->ones);
    if (!w->number || !w->wishes || !w->all || !w->ones)
        return tacit__nomem(err);
    for (int32_t i = 0; i < w->patch->count; i++)
        w->number[i] = -1;
    for (int32_t i = 0; i < w->part.count; i++) {
        w->number[w->part.cells[i]] = i;
        w->all[i] = true;
        w->ones[i] = 1;
    }
    return TACIT_OK;
}

/* ---- one wish, and one cell ---- */

static tacit_status show(bool *found, work *w, int32_t wish, tacit_error *err)
{
    tacit__flow_answer answer = {0};
    w->wish = wish;
    tacit__flow_forget(w->flow, NULL);
    tacit_status status =
        tacit__flow_protect(&answer, w->flow, w->part.count + wish, w->all, w->ones, w->run, err);
    w->pruning->iterations += answer.iterations;
    *found = answer.found;
    return status;
}

/* Whether all wishes are shown without a cell (-1: with all), by new tables where need be. */
static tacit_status show_all(bool *found, work *w, int32_t but, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *found = !w->lost;
    for (int32_t k = 0; k < w->part.demands.count && status == TACIT_OK && *found; k++) {
        tacit__demand_term own;
        tacit__demand wish = wish_of(w->patch, &own, w->wishes[k]);
        if (!tacit__shelf_shows(&w->shelf, k, &wish, but, SLACK))
            status = show(found, w, k, err);
    }
    return status;
}

/* A cell that is published has no room. */
static tacit_status try_cell(bool *chosen, work *w, int32_t cell, tacit_error *err)
{
    int32_t number = w->number[cell];
    bool found = false;
    if (number < 0) {
        chosen[cell] = false;
        return TACIT_OK;
    }
    double up = w->part.up[number], down = w->part.down[number];
    w->part.up[number] = w->part.down[number] = 0;
    tacit_status status = show_all(&found, w, cell, err);
    if (status == TACIT_OK && found) {
        chosen[cell] = false;
        tacit__shelf_without(&w->shelf, cell);
    } else {
        w->part.up[number] = up;
        w->part.down[number] = down;
    }
    return status;
}

/* ---- the whole ---- */

static tacit_status begin(bool *found, work *w, const bool *chosen, tacit_error *err)
{
    tacit_status status = tacit__patch_of_chosen(&w->part, w->patch, chosen, err);
    if (status == TACIT_OK)
        status = allocate(w, err);
    if (status == TACIT_OK)
        status = list_wishes(w, err);
    if (status == TACIT_OK)
        status = tacit__shelf_init(&w->shelf, w->part.demands.count, err);
    if (status == TACIT_OK)
        status = tacit__flow_new(&w->flow, &w->part, err);
    if (status != TACIT_OK)
        return status;
    tacit__flow_tell(w->flow, take, w);
    return show_all(found, w, -1, err);
}

tacit_status tacit__prune(bool *chosen, tacit__pruning *pruning, const tacit__patch *patch,
                          const tacit_run *run, tacit_error *err)
{
    work w = {.patch = patch, .run = run, .pruning = pruning};
    bool found = false;
    tacit_status status = begin(&found, &w, chosen, err);
    for (int32_t k = 0; k < pruning->count && status == TACIT_OK && found; k++)
        if (chosen[pruning->order[k]] && pruning->iterations < pruning->most)
            status = try_cell(chosen, &w, pruning->order[k], err);
    tacit__flow_free(w.flow);
    tacit__shelf_clear(&w.shelf);
    tacit__patch_clear(&w.part);
    tacit__free(w.number);
    tacit__free(w.wishes);
    tacit__free(w.all);
    tacit__free(w.ones);
    return status;
}
