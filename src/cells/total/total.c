/*
 * total.c - total protection: which way to take, the plan in its order (total.h), and total
 * protection as a method of tables: of a table of two dimensions, what it takes that nothing at
 * all is known about its primary cells (Kao). Its promise is about what is known exactly, not about
 * intervals, so nothing is repaired after it: suppressing more never tells more, but the fewest
 * would not stay the fewest.
 *
 * A table is easy (count.c) where nothing that an answer could use is directed: no published cell,
 * listed or not, and no suppressed one outside Q.
 *
 * Least cost where all rows and columns hang together (Kao, section 6): where the suppressed graph
 * connects all rows and columns, every answer connects them without Q, so the cheapest is a
 * spanning tree of least cost over what is left: suppressed cells outside Q for nothing, then
 * published ones. Kruskal's algorithm: listed cells of a cost below 1, the cells that are not
 * listed, which all cost 1 and are never looked at one by one (graph/fill.c), and the others, by
 * their costs.
 *
 * Tables that are too large for a search (search.c), with cells on their bounds, with costs, or
 * that must be published here and there: easy problems say most of it. If directions are ignored,
 * what the answer needs is a bound on what any does; and if it protects Q with directions as well,
 * it is the best there is. Else only cells outside Q may be used that are undirected or inside a
 * strong component, where directions do not matter. The others are in the way: they are left out,
 * as if they could not be suppressed; or, if the answer should take one of them then, put into Q,
 * which asks for more than is needed. What comes out is tested; where nothing serves, or cells are
 * taken that must be published, there is no answer.
 */
#include "cells/total/total.h"

#include <math.h>
#include <stdlib.h>

#include <tacit/experimental/total.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/suppress/methods.h"
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

static int32_t list_tree_offers(offer *offers, const tacit_flat_view *table, const tacit__graph *g)
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
    return tacit__error(err, TACIT_INFEASIBLE,
                        "no suppression protects all cells: those between %s and the rest must all "
                        "be protected, or must be published",
                        tacit__name_part(name, g, row, column));
}

static tacit_status span(tacit_total_plan *plan, tacit__places *added, const tacit_flat_view *table,
                         const tacit__graph *g, offer *offers, int32_t *leader, int32_t *scratch,
                         tacit_error *err)
{
    const offer *next = offers, *end = offers + list_tree_offers(offers, table, g);
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

/* The cheapest spanning tree, where the suppressed cells connect all rows and columns and no edge
 * that could be used is directed. */
static tacit_status solve_tree(tacit_total_plan *plan, tacit__places *added,
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
        status = solve_tree(plan, added, table, graph, err);
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

/* Suppresses what the plan adds. Ground cells are listed row by row. */
static void take_plan(tacit_pattern *pattern, const tacit_flat_table *flat,
                      const tacit_total_plan *plan)
{
    for (int32_t k = 0; k < plan->count; k++)
        pattern->status[flat->cells[plan->row[k] * flat->view.columns + plan->column[k]]] =
            TACIT_CELL_SECONDARY;
}

tacit_status tacit__total_solve(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, const tacit_run *run,
                                tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit_flat_table *flat = NULL;
    tacit_total_plan plan = {0};
    tacit_status result = tacit__pattern_init(&pattern, cells, status, err);
    if (result == TACIT_OK)
        result = tacit_flat_from_cells(&flat, cells, status, options->total_costs, err);
    if (result == TACIT_OK)
        result = tacit_total_protect(&plan, &flat->view, &options->total, run, err);
    if (result == TACIT_OK) {
        take_plan(&pattern, flat, &plan);
        tacit__pattern_finish(&pattern, cells);
        pattern.added = plan.count;
        pattern.added_cost = plan.cost;
        pattern.lower_bound = plan.lower_bound;
        pattern.proven = plan.optimal;
        pattern.stopped = plan.stopped;
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    tacit_total_plan_clear(&plan);
    tacit_flat_table_free(flat);
    return result;
}
