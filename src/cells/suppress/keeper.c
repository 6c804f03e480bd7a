/*
 * keeper.c - a pattern that also hides from those who know more, and hides sums; see keeper.h.
 *
 * Demands that the pattern fails (demander.c) are kept by flows over the whole table, and then it
 * does without the cells that it can do without (prune.c), dearest first. What was published again
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
#include "cells/suppress/demander.h"
#include "cells/suppress/prune.h"

enum { MOST_PRUNINGS = 3 };

/* Iterations of the simplex method times cells that are suppressed, for one pruning; and iterations
 * for all of a pattern, which are some five seconds where it is small. */
#define MOST_WORK  4e9
#define MOST_STEPS 1.5e5

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
    int64_t left = tacit__work_within(MOST_STEPS, k->times) - k->pruned;
    pruning.most = tacit__work_within(MOST_WORK / suppressed, k->times);
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
        if (status == TACIT_OK && round < MOST_PRUNINGS)
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
