/*
 * exact.c - the cheapest pattern that protects a patch (Fischetti and Salazar 2001).
 *
 *     minimize  sum of cost_i x_i,  x_i 0 or 1,  such that the adversary's programs leave every
 *     suppressed cell as much room as it needs
 *
 * The second half stands for more inequalities than could be written down. So the program starts
 * without any; its solution is shown to the adversary (adversary.c), who answers with those it
 * breaks, until it breaks none (node.c). What is fractional then is branched on
 * (tree.c), with inequalities found on the way valid everywhere.
 *
 * A pattern to begin with is given, or comes from flows (suppress/flow.c), one for each need,
 * trimmed of what is not needed. It decides what need not be looked at.
 *
 * Limits are on simplex iterations and nodes, so results do not depend on the clock. When one
 * is reached, or the run is cancelled, the best pattern so far is given, which protects all the
 * same.
 */
#include "cells/exact/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/suppress/trim.h"

/* Of costs, from the solver. */
#define ROUNDING 1e-4

double tacit__exact_column_cost(const tacit__exact_search *s, int32_t column)
{
    const tacit__chooser *m = &s->chooser;
    return s->patch->cost[m->cell_of[column]] / m->scale + m->little;
}

static double cost_of(const tacit__exact_search *s, const bool *chosen)
{
    double cost = 0;
    for (int32_t c = 0; c < s->chooser.columns; c++)
        cost += chosen[s->chooser.cell_of[c]] ? tacit__exact_column_cost(s, c) : 0;
    return cost;
}

bool tacit__exact_too_dear(const tacit__exact_search *s, double cost)
{
    const tacit__chooser *m = &s->chooser;
    double gap = m->step > 0 ? 0.9 * m->little : 1e-9 * (1 + s->best_cost);
    return cost > s->best_cost - gap;
}

bool tacit__exact_exhausted(const tacit__exact_search *s)
{
    return s->result->iterations * tacit__patch_size(s->patch) >= s->limits->work ||
           s->result->nodes >= s->limits->nodes;
}

/* ---- patterns ---- */

/* How many needs the suppressed cells leave to be met; what they show is known from now on. */
static tacit_status count_failed(int32_t *failed, tacit__exact_search *s, tacit_error *err)
{
    int64_t *iterations = &s->result->iterations;
    tacit__question question = {.pattern = s->whole, .slack = TACIT__SLACK_WHOLE};
    for (int32_t i = 0; i < s->patch->count; i++)
        s->whole[i] = s->patch->suppressed[i];
    tacit_status status = tacit__adversary_sweep(iterations, s->adversary, &question, s->run, err);
    if (status != TACIT_OK)
        return status;
    tacit__seen_copy(&s->known, tacit__adversary_seen(s->adversary), s->patch);
    question.known = &s->known;
    status = tacit__adversary_ask(failed, iterations, s->adversary, &question, s->run, err);
    tacit__seen_copy(&s->known, tacit__adversary_seen(s->adversary), s->patch);
    return status;
}

void tacit__exact_keep(tacit__exact_search *s)
{
    double cost = cost_of(s, s->trial);
    if (cost >= s->best_cost)
        return;
    s->best_cost = cost;
    s->result->cost = 0;
    for (int32_t i = 0; i < s->patch->count; i++) {
        s->best[i] = s->trial[i];
        s->result->cost += s->best[i] && !s->patch->suppressed[i] ? s->patch->cost[i] : 0;
    }
}

/* Costs are those of the chooser; where they are whole numbers, so is what a pattern costs. */
void tacit__exact_bound(tacit__exact_search *s, double cost)
{
    const tacit__chooser *m = &s->chooser;
    double bound = fmin(cost, s->best_cost) - m->little * m->columns;
    if (m->step > 0)
        bound = ceil(bound - ROUNDING);
    s->result->bound = fmax(s->result->bound, bound * m->scale);
}

/* Sorts a list and takes its cells over. */
static void put_in_order(int32_t *cells, tacit__cell_price *list, int32_t count)
{
    qsort(list, (size_t)count, sizeof *list, tacit__dearest_first);
    for (int32_t k = 0; k < count; k++)
        cells[k] = list[k].cell;
}

static tacit_status order_columns(tacit__exact_search *s, const double *weights, tacit_error *err)
{
    const tacit__chooser *m = &s->chooser;
    tacit__cell_price *list = tacit__alloc_array((size_t)m->columns, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t c = 0; c < m->columns; c++)
        list[c] = (tacit__cell_price){weights[m->cell_of[c]], m->cell_of[c]};
    put_in_order(s->cell_order, list, m->columns);
    tacit__free(list);
    return TACIT_OK;
}

/* As long as there is work left. Whenever it is stopped, what is left of the trial protects. */
tacit_status tacit__exact_trim(tacit__exact_search *s, const double *weights, tacit_error *err)
{
    tacit__trimming trimming = {.patch = s->patch,
                                .adversary = s->adversary,
                                .known = &s->known,
                                .order = s->cell_order,
                                .count = s->chooser.columns,
                                .slack = TACIT__SLACK_WHOLE,
                                .iterations = s->result->iterations,
                                .most = s->limits->work / tacit__patch_size(s->patch)};
    tacit_status status = order_columns(s, weights, err);
    if (status == TACIT_OK)
        status = tacit__trim(s->trial, &trimming, s->run, err);
    s->result->iterations = trimming.iterations;
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        tacit__exact_keep(s);
    return status;
}

tacit_status tacit__exact_hide(bool *hidden, tacit__exact_search *s, int32_t wish,
                               const double *weights, tacit_error *err)
{
    tacit__flow_answer answer = {.found = true};
    tacit_status status = TACIT_OK;
    if (tacit__needs_any(tacit__patch_need(s->patch, wish)))
        status = tacit__flow_protect(&answer, s->flow, wish, s->trial, weights, s->run, err);
    s->result->iterations += answer.iterations;
    *hidden = answer.found;
    return status;
}

/* What the pattern to begin with shows of cells. */
static tacit_status look_at_start(tacit__exact_search *s, tacit_error *err)
{
    int32_t failed;
    int64_t *iterations = &s->result->iterations;
    tacit__question question = {
        .pattern = s->whole, .slack = TACIT__SLACK_WHOLE, .known = &s->known};
    for (int32_t i = 0; i < s->patch->count; i++)
        s->whole[i] = s->trial[i];
    tacit_status status = tacit__adversary_sweep(iterations, s->adversary, &question, s->run, err);
    if (status != TACIT_OK)
        return status;
    tacit__seen_copy(&s->shown, tacit__adversary_seen(s->adversary), s->patch);
    question.known = &s->shown;
    return tacit__adversary_ask(&failed, iterations, s->adversary, &question, s->run, err);
}

static void give_up(tacit__exact_search *s, int32_t wish)
{
    tacit__patch *p = s->patch;
    tacit__demand *demand = wish < p->count ? NULL : &p->demands.list[wish - p->count];
    *(demand ? &demand->need : &p->need[wish]) = (tacit__need){0};
    if (s->result->unprotected < 0)
        s->result->unprotected = demand ? demand->terms->cell : wish;
}

/* A flow for every need that the trial does not meet. What has none is given up. */
static tacit_status try_flows(tacit__exact_search *s, tacit_error *err)
{
    tacit__patch *p = s->patch;
    tacit_status status = TACIT_OK;
    for (int32_t k = 0; k < s->needy_count && status == TACIT_OK; k++) {
        int32_t i = s->needy[k];
        bool hidden = true;
        status = tacit__exact_hide(&hidden, s, i, p->cost, err);
        if (!hidden)
            give_up(s, i);
    }
    return status;
}

/* ---- setting up ---- */

static tacit_status order_needy(tacit__exact_search *s, tacit_error *err)
{
    const tacit__patch *p = s->patch;
    tacit__cell_price *list = tacit__alloc_array((size_t)tacit__patch_wishes(p), sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t i = 0; i < tacit__patch_wishes(p); i++) {
        tacit__need need = tacit__patch_need(p, i);
        if (i >= p->count || p->suppressed[i])
            list[s->needy_count++] =
                (tacit__cell_price){fmax(need.spread, fmax(need.up, need.down)), i};
    }
    put_in_order(s->needy, list, s->needy_count);
    tacit__free(list);
    return TACIT_OK;
}

static tacit_status allocate(tacit__exact_search *s, tacit_error *err)
{
    size_t count = (size_t)s->patch->count;
    s->best = tacit__alloc_array(count, sizeof *s->best);
    s->trial = tacit__alloc_array(count, sizeof *s->trial);
    s->cell_order = tacit__alloc_array(count, sizeof *s->cell_order);
    s->needy = tacit__alloc_array((size_t)tacit__patch_wishes(s->patch), sizeof *s->needy);
    s->whole = tacit__alloc_array(count, sizeof *s->whole);
    s->hot = tacit__alloc_zeroed((size_t)tacit__patch_wishes(s->patch), sizeof *s->hot);
    if (!s->hot || !s->best || !s->trial || !s->cell_order || !s->needy || !s->whole)
        return tacit__nomem(err);
    tacit_status status = tacit__seen_init(&s->known, s->patch, err);
    return status == TACIT_OK ? tacit__seen_init(&s->shown, s->patch, err) : status;
}

static tacit_status begin(tacit__exact_search *s, tacit_error *err)
{
    tacit_status status = tacit__flow_new(&s->flow, s->patch, err);
    if (status == TACIT_OK)
        status = tacit__chooser_init(&s->chooser, s->patch, err);
    if (status == TACIT_OK)
        status = order_needy(s, err);
    return status;
}

/* A pattern to be bettered. One that is given and protects is not rough: whoever made it has seen
 * to it that nothing in it is for nothing. */
static tacit_status find_start(tacit__exact_search *s, tacit_error *err)
{
    const bool *given = s->limits->start;
    size_t size = (size_t)s->patch->count * sizeof *s->trial;
    tacit_status status = TACIT_OK;
    s->best_cost = INFINITY;
    memcpy(s->trial, given ? given : s->patch->suppressed, size);
    tacit__flow_forget(s->flow, &s->known);
    if (given)
        status = look_at_start(s, err);
    if (status == TACIT_OK && given)
        tacit__flow_forget(s->flow, tacit__adversary_seen(s->adversary));
    if (status == TACIT_OK)
        status = try_flows(s, err);
    s->rough = !given || memcmp(s->trial, given, size) != 0;
    if (status == TACIT_OK)
        tacit__exact_keep(s);
    return status;
}

static void end(tacit__exact_search *s)
{
    tacit__chooser_clear(&s->chooser);
    tacit__adversary_free(s->adversary);
    tacit__flow_free(s->flow);
    tacit__seen_clear(&s->known);
    tacit__seen_clear(&s->shown);
    tacit__free(s->best);
    tacit__free(s->trial);
    tacit__free(s->cell_order);
    tacit__free(s->needy);
    tacit__free(s->whole);
    tacit__free(s->hot);
}

/* Nothing to do where the suppressed cells protect each other already. */
static tacit_status solve(tacit__exact_search *s, tacit_error *err)
{
    int32_t failed = 0;
    tacit_status status = allocate(s, err);
    if (status == TACIT_OK)
        status = tacit__adversary_new(&s->adversary, s->patch, err);
    if (status == TACIT_OK)
        status = count_failed(&failed, s, err);
    if (status != TACIT_OK || failed == 0) {
        s->result->proven = true;
        if (s->best)
            memcpy(s->best, s->patch->suppressed, (size_t)s->patch->count * sizeof *s->best);
        return status;
    }
    status = begin(s, err);
    if (status == TACIT_OK)
        status = find_start(s, err);
    if (status == TACIT_OK)
        status = tacit__exact_tree(s, err);
    s->result->stopped = status == TACIT_CANCELLED && isfinite(s->best_cost);
    return s->result->stopped ? TACIT_OK : status;
}

tacit_status tacit__exact_solve(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                                const tacit__exact_limits *limits, const tacit_run *run,
                                tacit_error *err)
{
    tacit__exact_search s = {.patch = patch, .limits = limits, .run = run, .result = result};
    *result = (tacit__exact_result){.unprotected = -1};
    tacit_status status = solve(&s, err);
    if (status == TACIT_OK) {
        memcpy(chosen, s.best, (size_t)patch->count * sizeof *chosen);
        result->cuts = s.chooser.cuts;
        result->bound = result->proven ? result->cost : fmin(result->bound, result->cost);
    }
    end(&s);
    return status;
}
