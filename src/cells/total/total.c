/*
 * total.c - total protection: which way to take, and the plan in its order (total.h).
 *
 * A table is easy where nothing that an answer could use is directed: no published cell, listed or
 * not, and no suppressed one outside Q.
 */
#include "cells/total/total.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

void tacit_total_plan_clear(tacit_total_plan *plan)
{
    tacit__free(plan->row);
    tacit__free(plan->column);
    *plan = (tacit_total_plan){0};
}

/* Published edges that can be traversed in one direction only. */
static bool has_directed_published(const tacit__graph *g)
{
    for (int32_t e = 0; e < g->edges; e++) {
        uint32_t ways = g->near[e] & TACIT__BOTH;
        if (!(g->near[e] & TACIT__HIDDEN) && ways && ways != TACIT__BOTH)
            return true;
    }
    return false;
}

static bool is_connected(int32_t *scratch, const tacit__graph *g)
{
    int32_t parts;
    tacit__graph_parts(scratch, &parts, g, &TACIT__ALL_HIDDEN);
    return parts <= 1;
}

tacit_status tacit__total_test(int32_t *failed, int32_t *strong, int32_t *loose,
                               const tacit__graph *graph, tacit_error *err)
{
    int32_t parts;
    tacit__edge_filter filter = TACIT__NOT_SECRET;
    tacit_status status = tacit__graph_strong(strong, &parts, graph, err);
    if (status != TACIT_OK)
        return status;
    filter.within = strong;
    tacit__graph_parts(loose, &parts, graph, &filter);
    *failed = -1;
    for (int32_t row = 0; row < graph->rows && *failed < 0; row++)
        for (int32_t e = graph->starts[row]; e < graph->starts[row + 1] && *failed < 0; e++)
            if (graph->near[e] & TACIT__SECRET && loose[row] != loose[tacit__near(graph->near[e])])
                *failed = e;
    return TACIT_OK;
}

static tacit_status choose(tacit_total_way *way, const tacit_flat_view *table,
                           const tacit__graph *g, tacit_error *err)
{
    size_t n = (size_t)g->vertices;
    int32_t *strong = tacit__alloc_array(n, sizeof *strong);
    int32_t *loose = tacit__alloc_array(n, sizeof *loose);
    int32_t failed = -1;
    bool easy = g->loose == 0 && table->rest != TACIT_REST_LOWER && !has_directed_published(g);
    tacit_status status =
        strong && loose ? tacit__total_test(&failed, strong, loose, g, err) : tacit__nomem(err);
    if (status == TACIT_OK && failed < 0)
        *way = TACIT_TOTAL_NOTHING;
    else if (status == TACIT_OK && easy && table->rest == TACIT_REST_INSIDE &&
             g->edges == g->hidden)
        *way = TACIT_TOTAL_COUNT;
    else if (status == TACIT_OK)
        *way = easy && is_connected(loose, g) ? TACIT_TOTAL_TREE : TACIT_TOTAL_SEARCH;
    tacit__free(strong);
    tacit__free(loose);
    return status;
}

/* The places by row and column, in two passes of counting. */
static tacit_status sort_places(tacit_total_plan *plan, const tacit__places *added, int32_t rows,
                                int32_t columns, tacit_error *err)
{
    tacit__groups by_column = {0}, by_row = {0};
    size_t n = (size_t)added->count;
    int32_t *row = tacit__alloc_array(n, sizeof *row);
    plan->row = tacit__alloc_array(n, sizeof *plan->row);
    plan->column = tacit__alloc_array(n, sizeof *plan->column);
    tacit_status status = row && plan->row && plan->column ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__groups_init(&by_column, added->column, added->count, columns, err);
    if (status == TACIT_OK) {
        for (size_t k = 0; k < n; k++)
            row[k] = added->row[by_column.members[k]];
        status = tacit__groups_init(&by_row, row, added->count, rows, err);
    }
    for (size_t k = 0; k < n && status == TACIT_OK; k++) {
        int32_t place = by_column.members[by_row.members[k]];
        plan->row[k] = added->row[place];
        plan->column[k] = added->column[place];
    }
    plan->count = added->count;
    tacit__groups_clear(&by_column);
    tacit__groups_clear(&by_row);
    tacit__free(row);
    return status;
}

static tacit_status go(tacit_total_plan *plan, tacit__places *added, const tacit_flat_view *table,
                       const tacit__graph *graph, const tacit_total_options *options,
                       const tacit_run *run, tacit_error *err)
{
    int64_t cells = (int64_t)table->rows * table->columns;
    tacit_status status = TACIT_OK;
    plan->optimal = true;
    if (plan->way == TACIT_TOTAL_COUNT) {
        status = tacit__total_count(plan, added, graph, options->as_published, run, err);
        plan->cost = added->count;
        plan->lower_bound += added->count;
        plan->optimal = plan->lower_bound == plan->cost;
    } else if (plan->way == TACIT_TOTAL_TREE) {
        status = tacit__total_tree(plan, added, table, graph, err);
    } else if (plan->way == TACIT_TOTAL_SEARCH && cells > TACIT_TOTAL_MIXED) {
        status = tacit__total_large(plan, added, table, graph, run, err);
    } else if (plan->way == TACIT_TOTAL_SEARCH) {
        status = tacit__total_search(plan, added, table, options, run, err);
    }
    return status;
}

tacit_status tacit_total_protect(tacit_total_plan *out, const tacit_flat_view *table,
                                 const tacit_total_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    static const tacit_total_options defaults = {0};
    tacit_total_plan plan = {0};
    tacit__places added = {0};
    tacit__graph *graph = NULL;
    tacit_status status = tacit__graph_new(&graph, table, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "total protection: graph", 0, 3, err);
    if (status == TACIT_OK)
        status = choose(&plan.way, table, graph, err);
    if (status == TACIT_OK)
        status = go(&plan, &added, table, graph, options ? options : &defaults, run, err);
    if (status == TACIT_OK)
        status = sort_places(&plan, &added, table->rows, table->columns, err);
    tacit__graph_free(graph);
    tacit__places_clear(&added);
    if (status == TACIT_OK)
        *out = plan;
    else
        tacit_total_plan_clear(&plan);
    return status;
}
