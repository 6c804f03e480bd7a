/*
 * keeper.c - a pattern that also hides from those who know more, and hides sums; see keeper.h.
 *
 * Demands that the pattern fails (demander.c) are kept by flows over the whole table, and then it
 * does without the cells that it can do without, dearest first. What was published again
 * may fail demands that were kept before, so it goes on like that; after some rounds nothing is
 * published any more and the pattern only grows, which comes to an end: a demand that is kept stays
 * kept.
 *
 * Cost: that of the demander, a flow a demand that fails, and some for every secondary cell, up to
 * limits on the work, for one pruning and for all. What they leave out is suppressed for nothing,
 * no more.
 */
#include "cells/suppress/keeper.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact/patch.h"
#include "cells/suppress/flow.h"

/* A pattern without what it can do without, by flows: for whole tables.
 *
 * The same as trim.c with other witnesses: tables from flows, which move as few cells as will do
 * (exact/witnesses.c), where an adversary's programs move as far as they can and much besides. So a
 * cell that is tried is in the way of few needs. Worth it where there are many needs: on
 * hier100x100 with singletons trimming takes 20 s and this less than one.
 *
 * Things to be shown are the suppressed cells of the patch and its demands (wishes). Programs are
 * over chosen cells only. */

/* What to publish again, if it can be. */
typedef struct tacit__pruning {
    const int32_t *order; /* cells of the patch, in this order */
    int32_t count;
    int64_t iterations; /* of the simplex method, so far; */
    int64_t most;       /* and when to leave it at that */
} tacit__pruning;

/* By how much, as a share, a need may be missed. */
#define SLACK 1e-6

typedef struct pruning_work {
    const tacit__patch *patch;
    const tacit_run *run;
    tacit__pruning *pruning;
    tacit__patch part; /* chosen cells; its demands are the wishes */
    tacit__flow *flow;
    tacit__witnesses witnesses;
    int32_t *number; /* a cell of the patch each: its number there; -1: none */
    int32_t *wishes; /* a demand of the part each: the wish of the patch that it is */
    bool lost;       /* there is one that nothing moves */
    bool *all;
    double *ones;
    int32_t wish; /* that a flow is for */
} pruning_work;

/* ---- setting up ---- */

/* A wish of the patch as a demand, with its numbers. */
static tacit__demand wish_of(const tacit__patch *patch, tacit__demand_term *own, int32_t wish)
{
    *own = (tacit__demand_term){wish, 1};
    return wish < patch->count ? (tacit__demand){patch->need[wish], own, 1, NULL, 0}
                               : patch->demands.list[wish - patch->count];
}

/* Lists what is to be shown, and adds it to the part's demands. */
static tacit_status list_wishes(pruning_work *w, tacit_error *err)
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

static tacit_status take_witness(void *context, const double *values, double unit, double noise,
                                 tacit_error *err)
{
    pruning_work *w = context;
    const tacit__demand *wish = &w->part.demands.list[w->wish];
    double moved = 0;
    for (int32_t t = 0; t < wish->term_count; t++)
        moved += wish->terms[t].weight * values[wish->terms[t].cell] * unit;
    return tacit__witnesses_take(&w->witnesses, w->wish, &w->part, values, unit, noise, moved, err);
}

static tacit_status pruning_init(pruning_work *w, tacit_error *err)
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

static tacit_status show(bool *found, pruning_work *w, int32_t wish, tacit_error *err)
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
static tacit_status show_all(bool *found, pruning_work *w, int32_t but, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *found = !w->lost;
    for (int32_t k = 0; k < w->part.demands.count && status == TACIT_OK && *found; k++) {
        tacit__demand_term own;
        tacit__demand wish = wish_of(w->patch, &own, w->wishes[k]);
        if (!tacit__witnesses_show(&w->witnesses, k, &wish, but, SLACK))
            status = show(found, w, k, err);
    }
    return status;
}

/* A cell that is published has no room. */
static tacit_status try_cell(bool *chosen, pruning_work *w, int32_t cell, tacit_error *err)
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
        tacit__witnesses_without(&w->witnesses, cell);
    } else {
        w->part.up[number] = up;
        w->part.down[number] = down;
    }
    return status;
}

/* ---- the whole ---- */

static tacit_status begin_pruning(bool *found, pruning_work *w, const bool *chosen,
                                  tacit_error *err)
{
    tacit_status status = tacit__patch_of_chosen(&w->part, w->patch, chosen, err);
    if (status == TACIT_OK)
        status = pruning_init(w, err);
    if (status == TACIT_OK)
        status = list_wishes(w, err);
    if (status == TACIT_OK)
        status = tacit__witnesses_init(&w->witnesses, w->part.demands.count, err);
    if (status == TACIT_OK)
        status = tacit__flow_new(&w->flow, &w->part, err);
    if (status != TACIT_OK)
        return status;
    tacit__flow_tell(w->flow, take_witness, w);
    return show_all(found, w, -1, err);
}

/* Takes cells out of `chosen` without which every need of the patch's suppressed cells and every
 * demand is met as with them. Nothing where one is not met anyway. */
static tacit_status tacit__prune(bool *chosen, tacit__pruning *pruning, const tacit__patch *patch,
                                 const tacit_run *run, tacit_error *err)
{
    pruning_work w = {.patch = patch, .run = run, .pruning = pruning};
    bool found = false;
    tacit_status status = begin_pruning(&found, &w, chosen, err);
    for (int32_t k = 0; k < pruning->count && status == TACIT_OK && found; k++)
        if (chosen[pruning->order[k]] && pruning->iterations < pruning->most)
            status = try_cell(chosen, &w, pruning->order[k], err);
    tacit__flow_free(w.flow);
    tacit__witnesses_clear(&w.witnesses);
    tacit__patch_clear(&w.part);
    tacit__free(w.number);
    tacit__free(w.wishes);
    tacit__free(w.all);
    tacit__free(w.ones);
    return status;
}

/* ---- */

enum { MAX_PRUNINGS = 3 };

/* Iterations of the simplex method times cells that are suppressed, for one pruning; and iterations
 * for all of a pattern, which are some five seconds where it is small. */
#define MAX_WORK  4e9
#define MAX_STEPS 1.5e5

struct tacit__keeper {
    tacit__patch *patch;
    tacit__demander *demander;
    tacit__flow *flow; /* NULL: was not needed yet */
    int32_t *order;    /* secondary cells, dearest first */
    int64_t iterations;
    double times;   /* how often the usual work may be done */
    int64_t pruned; /* iterations of prunings, for the pattern in hand */
};

tacit_status tacit__keeper_new(tacit__keeper **out, tacit__patch *patch, const tacit_cells *cells,
                               const char *status, const tacit_suppress_options *options,
                               tacit_error *err)
{
    tacit__demander *demander;
    *out = NULL;
    tacit_status done = tacit__demander_new(&demander, cells, status, options, err);
    if (done != TACIT_OK || !demander)
        return done;
    size_t count = (size_t)patch->count;
    tacit__keeper *k = tacit__alloc_zeroed(1, sizeof *k);
    if (!k) {
        tacit__demander_free(demander);
        return tacit__nomem(err);
    }
    *k = (tacit__keeper){.patch = patch,
                         .demander = demander,
                         .order = tacit__alloc_array(count, sizeof *k->order),
                         .times = tacit__work_times(options)};
    if (k->order) {
        *out = k;
        return TACIT_OK;
    }
    tacit__keeper_free(k);
    return tacit__nomem(err);
}

void tacit__keeper_free(tacit__keeper *keeper)
{
    if (!keeper)
        return;
    tacit__demander_free(keeper->demander);
    tacit__flow_free(keeper->flow);
    tacit__free(keeper->order);
    tacit__free(keeper);
}

static tacit_status grow(bool *chosen, tacit__keeper *k, int32_t last, const tacit_run *run,
                         tacit_error *err)
{
    tacit_status status = k->flow ? TACIT_OK : tacit__flow_new(&k->flow, k->patch, err);
    if (status != TACIT_OK)
        return status;
    return tacit__demander_grow(chosen, &k->iterations, k->demander, k->patch, k->flow, last, run,
                                err);
}

/* ---- what can be published again ---- */

/* Puts secondary cells in order; *count of them. */
static tacit_status order_secondary(int32_t *count, tacit__keeper *k, const bool *chosen,
                                    tacit_error *err)
{
    const tacit__patch *p = k->patch;
    tacit__cell_price *list = tacit__alloc_array((size_t)p->count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    *count = 0;
    for (int32_t i = 0; i < p->count; i++)
        if (chosen[i] && !p->suppressed[i])
            list[(*count)++] = (tacit__cell_price){p->cost[i], i};
    if (*count > 0)
        qsort(list, (size_t)*count, sizeof *list, tacit__dearest_first);
    for (int32_t i = 0; i < *count; i++)
        k->order[i] = list[i].cell;
    tacit__free(list);
    return TACIT_OK;
}

static tacit_status prune(bool *chosen, tacit__keeper *k, const tacit_run *run, tacit_error *err)
{
    tacit__pruning pruning = {.order = k->order};
    int32_t suppressed = 1;
    for (int32_t i = 0; i < k->patch->count; i++)
        suppressed += chosen[i];
    int64_t left = tacit__work_within(MAX_STEPS, k->times) - k->pruned;
    pruning.most = tacit__work_within(MAX_WORK / suppressed, k->times);
    pruning.most = left < pruning.most ? left : pruning.most;
    if (left <= 0)
        return TACIT_OK;
    tacit_status status = order_secondary(&pruning.count, k, chosen, err);
    if (status == TACIT_OK)
        status = tacit__prune(chosen, &pruning, k->patch, run, err);
    k->pruned += pruning.iterations;
    return status;
}

/* ---- the whole ---- */

/* All demands that there are, which earlier patterns failed, are looked at with the new ones. */
tacit_status tacit__keeper_complete(bool *chosen, bool *changed, tacit__keeper *keeper,
                                    const tacit_run *run, tacit_error *err)
{
    tacit__keeper *k = keeper;
    int32_t added = 0;
    tacit_status status = TACIT_OK;
    *changed = false;
    k->pruned = 0;
    for (int round = 0; status == TACIT_OK; round++) {
        status =
            tacit__demander_find(&added, &k->iterations, k->demander, k->patch, chosen, run, err);
        if (status != TACIT_OK || added == 0)
            break;
        *changed = true;
        status = grow(chosen, k, added, run, err);
        if (status == TACIT_OK && round < MAX_PRUNINGS)
            status = prune(chosen, k, run, err);
    }
    return status;
}

void tacit__pattern_take(tacit_pattern *pattern, const char *status, const bool *chosen,
                         int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        pattern->status[i] =
            chosen[i] && !tacit__suppressed(status[i]) ? TACIT_CELL_SECONDARY : status[i];
}

void tacit__pattern_give(bool *chosen, const tacit_pattern *pattern, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        chosen[i] = tacit__suppressed(pattern->status[i]);
}

tacit_status tacit__keeper_repair(bool *changed, tacit_pattern *pattern, const tacit_cells *cells,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__patch patch = {0};
    tacit__keeper *keeper = NULL;
    bool *chosen = NULL;
    tacit_status status = TACIT_OK;
    *changed = false;
    if (!options->singletons && !options->sums)
        return TACIT_OK;
    status = tacit__patch_of_all(&patch, cells, cells->status, tacit__largest_value(cells), err);
    if (status == TACIT_OK)
        status = tacit__keeper_new(&keeper, &patch, cells, cells->status, options, err);
    if (status == TACIT_OK) {
        chosen = tacit__alloc_array((size_t)cells->count, sizeof *chosen);
        status = chosen ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        tacit__pattern_give(chosen, pattern, cells->count);
        status = tacit__keeper_complete(chosen, changed, keeper, run, err);
    }
    if (status == TACIT_OK && *changed)
        tacit__pattern_take(pattern, cells->status, chosen, cells->count);
    tacit__keeper_free(keeper);
    tacit__patch_clear(&patch);
    tacit__free(chosen);
    return status;
}
