/*
 * extend.c - a graph in which further cells are suppressed.
 *
 * A copy with room for them at the end of each vertex's neighbours, so these are not in order any
 * more: components and forests do not mind, tacit__graph_edge does, and is not for such a graph.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "graph/graph.h"

/* One end of an edge that is there already becomes suppressed. */
static void hide_end(tacit__graph *g, int32_t vertex, int32_t there)
{
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1]; e++)
        if (tacit__near(g->near[e]) == there)
            g->near[e] |= TACIT__HIDDEN;
}

/* Where each vertex's neighbours start: one ahead while they are counted. */
static void count_neighbours(tacit__graph *g, const tacit__graph *old, const tacit__places *added)
{
    for (int32_t v = 0; v < g->vertices; v++)
        g->starts[v + 1] = old->starts[v + 1] - old->starts[v];
    for (int32_t k = 0; k < added->count; k++)
        if (tacit__graph_edge(old, added->row[k], old->rows + added->column[k]) < 0) {
            g->starts[added->row[k] + 1]++;
            g->starts[old->rows + added->column[k] + 1]++;
            g->edges++;
            g->hidden++;
        }
    for (int32_t v = 0; v < g->vertices; v++)
        g->starts[v + 1] += g->starts[v];
}

static void write_neighbours(tacit__graph *g, int32_t *filled, const tacit__graph *old,
                             const tacit__places *added)
{
    for (int32_t v = 0; v < g->vertices; v++) {
        int32_t many = old->starts[v + 1] - old->starts[v];
        memcpy(g->near + g->starts[v], old->near + old->starts[v], (size_t)many * sizeof *g->near);
        filled[v] = g->starts[v] + many;
    }
    for (int32_t k = 0; k < added->count; k++) {
        int32_t row = added->row[k], column = old->rows + added->column[k];
        int32_t edge = tacit__graph_edge(old, row, column);
        if (edge < 0) {
            g->near[filled[row]++] = (uint32_t)column | TACIT__HIDDEN | TACIT__BOTH;
            g->near[filled[column]++] = (uint32_t)row | TACIT__HIDDEN | TACIT__BOTH;
        } else {
            g->directed += (old->near[edge] & TACIT__BOTH) != TACIT__BOTH;
            g->hidden++;
            hide_end(g, row, column);
            hide_end(g, column, row);
        }
    }
}

tacit_status tacit__graph_extend(tacit__graph **out, const tacit__graph *graph,
                                 const tacit__places *added, tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    int32_t *filled = tacit__alloc_array(n, sizeof *filled);
    tacit__graph *g = tacit__alloc_zeroed(1, sizeof *g);
    if (g) {
        *g = *graph;
        g->near = NULL;
        g->cell = NULL;
        g->starts = tacit__alloc_zeroed(n + 1, sizeof *g->starts);
    }
    if (g && g->starts) {
        count_neighbours(g, graph, added);
        g->near = tacit__alloc_array(2 * (size_t)g->edges, sizeof *g->near);
    }
    if (!filled || !g || !g->near) {
        tacit__free(filled);
        tacit__graph_free(g);
        return tacit__nomem(err);
    }
    write_neighbours(g, filled, graph, added);
    tacit__free(filled);
    *out = g;
    return TACIT_OK;
}
