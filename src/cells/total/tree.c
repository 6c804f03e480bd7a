/*
 * tree.c - total protection at least cost where all rows and columns hang together (Kao,
 * Total Protection, section 6).
 *
 * Where the suppressed graph connects all rows and columns, every answer connects them without Q,
 * so the cheapest is a spanning tree of least cost over what is left: suppressed cells outside Q
 * for nothing, then published ones. Kruskal's algorithm: listed cells of a cost below 1, the cells
 * that are not listed, which all cost 1 and are never looked at one by one (fill.c), and the
 * others, by their costs.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/total/total.h"
#include "graph/graph.h"

/* A published cell that is listed and may be suppressed. */
typedef struct offer {
    double cost;
    int32_t row, column; /* vertices */
} offer;

static int cheapest_first(const void *left, const void *right)
{
    const offer *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static int32_t list_offers(offer *offers, const tacit_flat_view *table, const tacit__graph *g)
{
    int32_t count = 0;
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++) {
            double cost = table->cost ? table->cost[tacit__graph_cell(g, e)] : 1;
            if (!(g->near[e] & TACIT__HIDDEN) && g->near[e] & TACIT__BOTH)
                offers[count++] = (offer){cost, row, tacit__near(g->near[e])};
        }
    qsort(offers, (size_t)count, sizeof *offers, cheapest_first);
    return count;
}

/* Takes offers up to a cost that join what is apart. */
static tacit_status take_offers(tacit_total_plan *plan, tacit__places *added, int32_t *leader,
                                const offer **next, const offer *end, double most,
                                const tacit__graph *g, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (; *next < end && (*next)->cost <= most && status == TACIT_OK; (*next)++)
        if (tacit__sets_join(leader, (*next)->row, (*next)->column)) {
            plan->cost += (*next)->cost;
            status = tacit__places_add(added, (*next)->row, (*next)->column - g->rows, err);
        }
    return status;
}

/* The cells that are not listed join what they can; leaders again afterwards. scratch: a vertex
 * each. */
static tacit_status take_rest(tacit_total_plan *plan, tacit__places *added, int32_t *leader,
                              int32_t *scratch, const tacit__graph *g, tacit_error *err)
{
    int32_t before = added->count, trees = tacit__sets_number(leader, g->vertices);
    for (int32_t v = 0; v < g->vertices; v++)
        scratch[v] = 0;
    tacit_status status = tacit__graph_fill(added, leader, &trees, g, scratch, 1, err);
    if (status != TACIT_OK)
        return status;
    plan->cost += added->count - before;
    for (int32_t v = g->vertices - 1; v >= 0; v--)
        scratch[leader[v]] = v; /* the first vertex of each tree */
    for (int32_t v = 0; v < g->vertices; v++)
        leader[v] = scratch[leader[v]];
    return TACIT_OK;
}

/* An error that names a part that could not be joined to the first vertex, if there is one. */
static tacit_status check_spanned(int32_t *leader, const tacit__graph *g, tacit_error *err)
{
    int32_t apart = -1, row = -1, column = -1;
    char name[256];
    for (int32_t v = g->vertices - 1; v > 0; v--)
        if (tacit__sets_find(leader, v) != 0)
            apart = tacit__sets_find(leader, v);
    if (apart < 0)
        return TACIT_OK;
    for (int32_t v = g->vertices - 1; v >= 0; v--)
        if (tacit__sets_find(leader, v) == apart)
            *(v < g->rows ? &row : &column) = v;
    return tacit__error(
        err, TACIT_INFEASIBLE,
        "nothing can be suppressed that protects all cells: those between %s and the "
        "rest are to be protected all of them, or must be published",
        tacit__name_part(name, g, row, column));
}

static tacit_status span(tacit_total_plan *plan, tacit__places *added, const tacit_flat_view *table,
                         const tacit__graph *g, offer *offers, int32_t *leader, int32_t *scratch,
                         tacit_error *err)
{
    const offer *next = offers, *end = offers + list_offers(offers, table, g);
    tacit__sets_init(leader, g->vertices);
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++)
            if (tacit__counts(&TACIT__NOT_SECRET, row, g->near[e]))
                tacit__sets_join(leader, row, tacit__near(g->near[e]));
    tacit_status status = take_offers(plan, added, leader, &next, end, 1, g, err);
    if (status == TACIT_OK && table->rest == TACIT_REST_INSIDE)
        status = take_rest(plan, added, leader, scratch, g, err);
    if (status == TACIT_OK)
        status = take_offers(plan, added, leader, &next, end, INFINITY, g, err);
    if (status == TACIT_OK)
        status = check_spanned(leader, g, err);
    return status;
}

tacit_status tacit__total_tree(tacit_total_plan *plan, tacit__places *added,
                               const tacit_flat_view *table, const tacit__graph *graph,
                               tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    offer *offers = tacit__alloc_array((size_t)(graph->edges - graph->hidden), sizeof *offers);
    int32_t *leader = tacit__alloc_array(n, sizeof *leader);
    int32_t *scratch = tacit__alloc_array(n, sizeof *scratch);
    tacit_status status = TACIT_NOMEM;
    if (offers && leader && scratch)
        status = span(plan, added, table, graph, offers, leader, scratch, err);
    else
        tacit__nomem(err);
    plan->lower_bound = plan->cost;
    tacit__free(offers);
    tacit__free(leader);
    tacit__free(scratch);
    return status;
}
