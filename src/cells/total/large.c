/*
 * large.c - total protection of tables that are too large for a search, with cells on their
 * bounds, with costs, or that must be published here and there.
 *
 * Easy problems say most of it. If directions are ignored, what the answer needs is a bound on what
 * any does; and if it protects Q with directions as well, it is the best there is. Else only cells
 * outside Q may be used that are undirected or inside a strong component, where directions do
 * not matter. The others are in the way: they are left out, as if they could not be suppressed; or,
 * if the answer should take one of them then, put into Q, which asks for more than is needed.
 * What comes out is tested; where nothing serves, or cells are taken that must be published, there
 * is no answer.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/total/total.h"

/* The least that a cell may cost that is not suppressed. */
static double cheapest(const tacit_flat_view *table, const tacit__graph *graph)
{
    double least = 1;
    for (int32_t e = 0; table->cost && e < graph->edges; e++)
        if (!(graph->near[e] & TACIT__HIDDEN) && graph->near[e] & TACIT__BOTH)
            least = fmin(least, table->cost[tacit__graph_cell(graph, e)]);
    return least;
}

/* What the cells cost; INFINITY where one must be published, or is suppressed already. */
static double cost_of(const tacit__places *places, const tacit_flat_view *table,
                      const tacit__graph *graph)
{
    double cost = 0;
    for (int32_t k = 0; k < places->count; k++) {
        int32_t edge = tacit__graph_edge(graph, places->row[k], graph->rows + places->column[k]);
        if (edge >= 0 && (!(graph->near[edge] & TACIT__BOTH) || graph->near[edge] & TACIT__HIDDEN))
            return INFINITY;
        cost += edge >= 0 && table->cost ? table->cost[tacit__graph_cell(graph, edge)] : 1;
    }
    return cost;
}

/* Whether Q is protected with these cells suppressed. */
static tacit_status test(bool *kept, const tacit__graph *graph, const tacit__places *places,
                         tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    tacit__graph *extended = NULL;
    int32_t failed = 0;
    int32_t *strong = tacit__alloc_array(n, sizeof *strong);
    int32_t *loose = tacit__alloc_array(n, sizeof *loose);
    tacit_status status = strong && loose ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__graph_extend(&extended, graph, places, err);
    if (status == TACIT_OK)
        status = tacit__total_test(&failed, strong, loose, extended, err);
    *kept = failed < 0;
    tacit__graph_free(extended);
    tacit__free(strong);
    tacit__free(loose);
    return status;
}

/* Cells outside Q between strong components are left out, or put into Q. Edges that do not count
 * stay in the way of step M3. */
static void set_aside(tacit__graph *careful, const int32_t *strong, bool into_q)
{
    for (int32_t v = 0; v < careful->vertices; v++)
        for (int32_t e = careful->starts[v]; e < careful->starts[v + 1]; e++) {
            uint32_t word = careful->near[e];
            if (!(word & TACIT__HIDDEN) || word & TACIT__SECRET ||
                strong[v] == strong[tacit__near(word)])
                continue;
            careful->near[e] = into_q ? word | TACIT__SECRET : word & ~TACIT__HIDDEN;
        }
}

static tacit_status solve_carefully(tacit__places *places, const tacit__graph *graph, bool into_q,
                                    const tacit_run *run, tacit_error *err)
{
    tacit__graph *careful = NULL;
    tacit_total_plan plan = {0};
    int32_t parts, *strong = tacit__alloc_array((size_t)graph->vertices, sizeof *strong);
    tacit_status status = strong ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__graph_strong(strong, &parts, graph, err);
    if (status == TACIT_OK)
        status = tacit__graph_extend(&careful, graph, &(tacit__places){0}, err);
    if (status == TACIT_OK) {
        set_aside(careful, strong, into_q);
        status = tacit__total_count(&plan, places, careful, false, run, err);
    }
    tacit__graph_free(careful);
    tacit__free(strong);
    return status;
}

static tacit_status too_large(const tacit_flat_view *table, tacit_error *err)
{
    return tacit__error(
        err, TACIT_LIMIT,
        "cells on their bounds, that must be published or with costs make this "
        "table a matter of search, for which %d x %d is too large: %d cells at most",
        table->rows, table->columns, TACIT_TOTAL_MIXED);
}

/* A careful answer in place of the last. That there is none says nothing of the table. */
static tacit_status try_carefully(tacit__places *added, const tacit__graph *graph, bool into_q,
                                  const tacit_run *run, tacit_error *err)
{
    tacit_error trouble = {0};
    tacit__places_clear(added);
    tacit_status status = solve_carefully(added, graph, into_q, run, &trouble);
    if (status == TACIT_INFEASIBLE) {
        tacit__places_clear(added);
        return TACIT_OK;
    }
    if (status != TACIT_OK && err)
        *err = trouble;
    return status;
}

tacit_status tacit__total_large(tacit_total_plan *plan, tacit__places *added,
                                const tacit_flat_view *table, const tacit__graph *graph,
                                const tacit_run *run, tacit_error *err)
{
    bool kept = false;
    if (table->rest != TACIT_REST_INSIDE)
        return too_large(table, err);
    tacit_status status = tacit__total_easy(added, table, run, err);
    plan->lower_bound = added->count * cheapest(table, graph);
    for (int attempt = 0; attempt < 3 && status == TACIT_OK && !kept; attempt++) {
        if (attempt)
            status = try_carefully(added, graph, attempt == 2, run, err);
        plan->cost = cost_of(added, table, graph);
        if (status == TACIT_OK && plan->cost < INFINITY)
            status = test(&kept, graph, added, err);
    }
    plan->optimal = plan->cost <= plan->lower_bound;
    return status == TACIT_OK && !kept ? too_large(table, err) : status;
}
