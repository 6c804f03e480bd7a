/*
 * repair.c - a pattern in which Q is protected, from any pattern in which it is not.
 *
 * For a cell of Q that fails the test, between row u and column v, the cheapest way from u to v is
 * suppressed over cells outside Q that connect both ends both ways: undirected, or inside one
 * strong component already. Then u and v are in one strong component and connected in it without Q,
 * and will stay so, whatever else is suppressed. Where there is no such way, cheapest ways in the
 * cells' own directions from u to v and back are suppressed: they make one component of all
 * they touch, in which the first kind of way may be found next. Where that changes nothing, all
 * offers are suppressed.
 *
 * Ways by Dijkstra's algorithm in the square of the lines; as many as there are parts to join.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/total/model.h"

typedef struct ways {
    tacit__model *model;
    double *distance; /* a vertex each */
    int32_t *from;    /* the entry of near that it was reached by; -1: none */
    bool *done;
    bool blind; /* both ways at once, instead of the cells' directions */
} ways;

/* Whether an edge can be gone along, and what that costs. */
static double price(const ways *w, int32_t vertex, int32_t entry)
{
    const tacit__model *m = w->model;
    uint32_t word = m->graph->near[entry];
    int32_t edge = entry < m->twin[entry] ? entry : m->twin[entry];
    bool open = word & TACIT__OUT;
    if (w->blind)
        open = !(word & TACIT__SECRET) && ((word & TACIT__BOTH) == TACIT__BOTH ||
                                           m->strong[vertex] == m->strong[tacit__near(word)]);
    return !open ? INFINITY : word & TACIT__HIDDEN ? 0 : m->cost[edge];
}

static int32_t nearest(const ways *w)
{
    int32_t best = -1;
    for (int32_t v = 0; v < w->model->graph->vertices; v++)
        if (!w->done[v] && w->distance[v] < INFINITY &&
            (best < 0 || w->distance[v] < w->distance[best]))
            best = v;
    return best;
}

static void spread(ways *w, int32_t start, int32_t end)
{
    const tacit__graph *g = w->model->graph;
    for (int32_t v = 0; v < g->vertices; v++) {
        w->distance[v] = v == start ? 0 : INFINITY;
        w->from[v] = -1;
        w->done[v] = false;
    }
    for (int32_t v = start; v >= 0 && v != end; v = nearest(w)) {
        w->done[v] = true;
        for (int32_t e = g->starts[v]; e < g->starts[v + 1]; e++) {
            int32_t there = tacit__near(g->near[e]);
            double distance = w->distance[v] + price(w, v, e);
            if (distance < w->distance[there]) {
                w->distance[there] = distance;
                w->from[there] = e;
            }
        }
    }
}

/* Suppresses the cheapest way; how many cells of it were published. */
static int32_t take_way(ways *w, int32_t start, int32_t end)
{
    tacit__model *m = w->model;
    int32_t taken = 0;
    spread(w, start, end);
    for (int32_t v = end; v != start && w->from[v] >= 0;) {
        int32_t entry = w->from[v], twin = m->twin[entry], edge = entry < twin ? entry : twin;
        taken += !tacit__model_hidden(m, edge);
        tacit__model_set(m, edge, true);
        v = tacit__near(m->graph->near[twin]);
    }
    return taken;
}

static tacit_status repair(bool *kept, ways *w, const tacit_run *run, tacit_error *err)
{
    tacit__model *m = w->model;
    tacit_status status = tacit__model_test(kept, m, err);
    for (int64_t round = 0; status == TACIT_OK && !*kept; round++) {
        int32_t row = m->row[m->failed], column = tacit__near(m->graph->near[m->failed]);
        w->blind = true;
        int32_t taken = take_way(w, row, column);
        w->blind = false;
        if (taken == 0)
            taken = take_way(w, row, column) + take_way(w, column, row);
        if (taken == 0) {
            tacit__model_set_all(m, true);
            return tacit__model_test(kept, m, err);
        }
        status = tacit__progress(run, "total protection: repair", round, 0, err);
        if (status == TACIT_OK)
            status = tacit__model_test(kept, m, err);
    }
    return status;
}

tacit_status tacit__model_repair(bool *kept, tacit__model *model, const tacit_run *run,
                                 tacit_error *err)
{
    size_t n = (size_t)model->graph->vertices;
    ways w = {.model = model};
    w.distance = tacit__alloc_array(n, sizeof *w.distance);
    w.from = tacit__alloc_array(n, sizeof *w.from);
    w.done = tacit__alloc_array(n, sizeof *w.done);
    tacit_status status = TACIT_NOMEM;
    if (w.distance && w.from && w.done)
        status = repair(kept, &w, run, err);
    else
        tacit__nomem(err);
    tacit__free(w.distance);
    tacit__free(w.from);
    tacit__free(w.done);
    return status;
}

/* An edge and what it costs, for sorting. */
typedef struct priced {
    double cost;
    int32_t edge;
} priced;

static int dearest_first(const void *left, const void *right)
{
    const priced *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->edge < b->edge ? 1 : -1;
}

tacit_status tacit__model_prune(tacit__model *model, int32_t block, tacit_error *err)
{
    size_t n = (size_t)model->offers;
    priced *list = tacit__alloc_array(n, sizeof *list);
    int32_t *edges = tacit__alloc_array(n, sizeof *edges);
    tacit_status status = list && edges ? TACIT_OK : tacit__nomem(err);
    int32_t count = 0;
    for (int32_t i = 0; i < model->offers && status == TACIT_OK; i++)
        if (tacit__model_hidden(model, model->offer[i]))
            list[count++] = (priced){model->cost[model->offer[i]], model->offer[i]};
    if (status == TACIT_OK) {
        qsort(list, (size_t)count, sizeof *list, dearest_first);
        for (int32_t k = 0; k < count; k++)
            edges[k] = list[k].edge;
        status = tacit__model_squeeze(model, edges, &count, block, false, true, err);
    }
    tacit__free(list);
    tacit__free(edges);
    return status;
}
