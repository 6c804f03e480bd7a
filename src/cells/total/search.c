/*
 * search.c - total protection where cells are directed, must be published, or have costs.
 *
 * Without directions and costs, and with every published cell free, the problem is easy
 * (count.c). What that needs is a bound on what this needs: so many cells at least,
 * which cost no less than the cheapest so many. And its answer is where the first attempt starts,
 * repaired and pruned; others start from nothing and, on small tables, from everything. The best
 * goes to the integer programs (exact.c), which prove it or improve on it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/total/model.h"
#include "cells/total/total.h"

/* Offers up to which everything is pruned, and up to which there is a program. */
enum { MOST_PRUNED = 2000, MOST_PROGRAM = 10000 };

typedef struct quest {
    tacit__model model;
    tacit__places easy; /* the answer to the easy problem */
    tacit__best best;
    const tacit_run *run;
} quest;

/* ---- the bound ---- */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* What so many offers cost at least, and whether costs are whole numbers. */
static tacit_status find_bound(quest *q, bool *whole, tacit_error *err)
{
    const tacit__model *m = &q->model;
    double *costs = tacit__alloc_array((size_t)m->offers, sizeof *costs);
    if (!costs)
        return tacit__nomem(err);
    *whole = true;
    for (int32_t i = 0; i < m->offers; i++) {
        costs[i] = m->cost[m->offer[i]];
        *whole &= costs[i] == floor(costs[i]) && costs[i] < 1e9;
    }
    qsort(costs, (size_t)m->offers, sizeof *costs, ascending);
    q->best.bound = 0;
    for (int32_t i = 0; i < m->offers && i < q->easy.count; i++)
        q->best.bound += costs[i];
    tacit__free(costs);
    return TACIT_OK;
}

/* ---- attempts ---- */

static tacit_status no_solution(const tacit__model *m, tacit_error *err)
{
    int32_t row = m->row[m->failed], column = tacit__near(m->graph->near[m->failed]);
    bool known = m->strong[row] != m->strong[column];
    char first[96], second[96];
    return tacit__error(err, TACIT_INFEASIBLE,
                        "nothing can be suppressed that protects all cells: %s %s and %s "
                        "stays known even if all cells are suppressed that may be",
                        known ? "the cell of" : "a sum of protected cells with that of",
                        tacit__name_line(first, m->graph, row),
                        tacit__name_line(second, m->graph, column));
}

/* From the easy answer, or from nothing. */
static tacit_status attempt(quest *q, bool from_easy, tacit_error *err)
{
    tacit__model *m = &q->model;
    bool kept = false;
    tacit__model_set_all(m, false);
    for (int32_t k = 0; from_easy && k < q->easy.count; k++) {
        int32_t edge =
            tacit__graph_edge(m->graph, q->easy.row[k], m->graph->rows + q->easy.column[k]);
        if (edge >= 0)
            tacit__model_set(m, edge, true);
    }
    tacit_status status = tacit__model_repair(&kept, m, q->run, err);
    if (status == TACIT_OK)
        status = tacit__model_prune(m, 1, err);
    if (status == TACIT_OK)
        tacit__best_offer(&q->best, m);
    return status;
}

static tacit_status attempt_all(quest *q, tacit_error *err)
{
    tacit__model_set_all(&q->model, true);
    tacit_status status = tacit__model_prune(&q->model, q->model.offers / 2, err);
    if (status == TACIT_OK)
        tacit__best_offer(&q->best, &q->model);
    return status;
}

static tacit_status improve(quest *q, bool quick, bool whole, tacit_error *err)
{
    tacit_status status = attempt(q, true, err);
    if (status == TACIT_OK)
        status = attempt(q, false, err);
    if (status == TACIT_OK && q->model.offers <= MOST_PRUNED)
        status = attempt_all(q, err);
    if (status == TACIT_OK && !quick && q->model.offers <= MOST_PROGRAM)
        status = tacit__model_exact(&q->best, &q->model, whole, q->run, err);
    return status;
}

/* The first answer is everything, if that protects Q. */
static tacit_status start(quest *q, bool *whole, tacit_error *err)
{
    tacit__model *m = &q->model;
    bool kept = false;
    q->best.cost = INFINITY;
    q->best.taken = tacit__alloc_array((size_t)m->offers, sizeof *q->best.taken);
    if (!q->best.taken)
        return tacit__nomem(err);
    tacit__model_set_all(m, true);
    tacit_status status = tacit__model_test(&kept, m, err);
    if (status == TACIT_OK && !kept)
        return no_solution(m, err);
    tacit__best_offer(&q->best, m);
    return status == TACIT_OK ? find_bound(q, whole, err) : status;
}

static tacit_status conclude(tacit_total_plan *plan, tacit__places *added, const quest *q,
                             tacit_error *err)
{
    const tacit__model *m = &q->model;
    tacit_status status = TACIT_OK;
    plan->cost = q->best.cost;
    plan->lower_bound = fmin(q->best.bound, q->best.cost);
    plan->optimal = plan->cost - plan->lower_bound <= 1e-9 * fmax(1, plan->cost);
    for (int32_t i = 0; i < m->offers && status == TACIT_OK; i++)
        if (q->best.taken[i])
            status =
                tacit__places_add(added, m->row[m->offer[i]],
                                  tacit__near(m->graph->near[m->offer[i]]) - m->graph->rows, err);
    return status;
}

tacit_status tacit__total_search(tacit_total_plan *plan, tacit__places *added,
                                 const tacit_flat_view *table, const tacit_total_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    quest q = {.run = run};
    bool whole = false;
    tacit_error stop = {0};
    tacit_status status = tacit__total_easy(&q.easy, table, run, err);
    if (status == TACIT_OK)
        status = tacit__model_init(&q.model, table, err);
    if (status == TACIT_OK)
        status = start(&q, &whole, err);
    if (status == TACIT_OK) {
        status = improve(&q, options->quick, whole, &stop);
        plan->stopped = status == TACIT_CANCELLED;
        if (plan->stopped)
            status = TACIT_OK;
        else if (status != TACIT_OK && err)
            *err = stop;
    }
    if (status == TACIT_OK)
        status = conclude(plan, added, &q, err);
    tacit__model_clear(&q.model);
    tacit__places_clear(&q.easy);
    tacit__free(q.best.taken);
    return status;
}
