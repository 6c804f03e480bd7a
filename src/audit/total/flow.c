/*
 * flow.c - few rows, or few columns, that are all that connects two parts of a component.
 *
 * Menger: two columns are connected by more than k ways that share no row, or k rows part
 * them. Columns are never removed here, so the first column of a component is on some side of any
 * cut, and it is enough to look for ways from it to each of the others: k + 1 searches at most
 * for each, over ways found before that may be rerouted. With rows and columns the other
 * way round likewise. Columns with more than k rows in common need no search.
 *
 * Costs k times the cells for every column, at worst.
 */
#include <string.h>

#include "audit/total/total.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* A way goes from hub to hub through gates, each of which it uses up. A search meets a gate at
 * its entrance (node v) or its exit (node v + vertices). */
typedef struct flow {
    const tacit__net *net;
    int32_t *from, *to; /* a gate each: the hubs before and after it on a way; -1: free */
    int32_t *parent;    /* a node each: where the search came from; -1: not met */
    int32_t *queue;
    int32_t first, count;
} flow;

static void meet(flow *f, int32_t node, int32_t parent)
{
    if (f->parent[node] < 0) {
        f->parent[node] = parent;
        f->queue[f->count++] = node;
    }
}

static void leave_hub(flow *f, int32_t hub)
{
    const tacit__net *g = f->net;
    for (int32_t e = g->starts[hub]; e < g->starts[hub + 1]; e++) {
        int32_t gate = tacit__net_near(g->near[e]);
        meet(f, gate, hub);
        if (f->to[gate] == hub)
            meet(f, gate + g->vertices, hub); /* back along a way */
    }
}

static void leave_entrance(flow *f, int32_t gate)
{
    if (f->from[gate] < 0)
        meet(f, gate + f->net->vertices, gate);
    else
        meet(f, f->from[gate], gate);
}

static void leave_exit(flow *f, int32_t gate)
{
    const tacit__net *g = f->net;
    if (f->from[gate] >= 0)
        meet(f, gate, gate + g->vertices);
    for (int32_t e = g->starts[gate]; e < g->starts[gate + 1]; e++)
        meet(f, tacit__net_near(g->near[e]), gate + g->vertices);
}

static bool is_gate(const flow *f, int32_t vertex, bool rows)
{
    return (vertex < f->net->rows) == rows;
}

/* Whether there is one more way. */
static bool search(flow *f, int32_t start, int32_t end, bool rows)
{
    int32_t n = f->net->vertices;
    memset(f->parent, -1, 2 * (size_t)n * sizeof *f->parent);
    f->first = f->count = 0;
    meet(f, start, start);
    while (f->first < f->count && f->parent[end] < 0) {
        int32_t node = f->queue[f->first++];
        if (node >= n)
            leave_exit(f, node - n);
        else if (is_gate(f, node, rows))
            leave_entrance(f, node);
        else
            leave_hub(f, node);
    }
    return f->parent[end] >= 0;
}

/* Takes the way found, from its end: gates get the hubs that it comes from and goes to. */
static void take(flow *f, int32_t start, int32_t end, bool rows)
{
    int32_t n = f->net->vertices;
    for (int32_t node = end; node != start;) {
        int32_t before = f->parent[node];
        if (before >= n && node < n && !is_gate(f, node, rows))
            f->to[before - n] = node;
        else if (before >= n) /* in at the exit, out at the entrance: given up */
            f->to[node] = f->from[node] = -1;
        else if (node < n && is_gate(f, node, rows))
            f->from[node] = before;
        node = before;
    }
}

/* Whether two hubs have more than k gates in common; marked is scratch. */
static bool close_together(flow *f, int32_t a, int32_t b, int32_t k)
{
    const tacit__net *g = f->net;
    int32_t common = 0;
    for (int32_t i = g->starts[a], j = g->starts[b];
         i < g->starts[a + 1] && j < g->starts[b + 1];) {
        int32_t u = tacit__net_near(g->near[i]), v = tacit__net_near(g->near[j]);
        common += u == v;
        i += u <= v;
        j += v <= u;
    }
    return common > k;
}

/* The gates that part two hubs, if k are enough. */
static void part(int32_t *cut, int32_t *count, flow *f, int32_t a, int32_t b, bool rows, int32_t k)
{
    const tacit__net *g = f->net;
    int32_t ways = 0;
    if (close_together(f, a, b, k))
        return;
    for (int32_t v = 0; v < g->vertices; v++)
        f->from[v] = f->to[v] = -1;
    while (ways <= k && search(f, a, b, rows)) {
        take(f, a, b, rows);
        ways++;
    }
    for (int32_t v = 0; v < g->vertices && ways <= k; v++)
        if (is_gate(f, v, rows) && f->parent[v] >= 0 && f->parent[v + g->vertices] < 0)
            cut[(*count)++] = v;
}

tacit_status tacit__separate(int32_t *cut, int32_t *count, const tacit__net *net,
                             const int32_t *component, bool rows, int32_t k, const tacit_run *run,
                             tacit_error *err)
{
    size_t n = (size_t)net->vertices;
    flow f = {.net = net};
    int32_t *hub = tacit__alloc_array(n, sizeof *hub); /* the first of each component */
    f.from = tacit__alloc_array(n, sizeof *f.from);
    f.to = tacit__alloc_array(n, sizeof *f.to);
    f.parent = tacit__alloc_array(2 * n, sizeof *f.parent);
    f.queue = tacit__alloc_array(2 * n, sizeof *f.queue);
    tacit_status status = TACIT_OK;
    if (!hub || !f.from || !f.to || !f.parent || !f.queue)
        status = tacit__nomem(err);
    *count = 0;
    for (int32_t v = 0; v < net->vertices && status == TACIT_OK; v++)
        hub[v] = -1;
    for (int32_t v = 0; v < net->vertices && status == TACIT_OK && *count == 0; v++) {
        if (is_gate(&f, v, rows))
            continue;
        if (hub[component[v]] < 0)
            hub[component[v]] = v;
        else
            part(cut, count, &f, hub[component[v]], v, rows, k);
        status = tacit__progress(run, "levels: ways", v, net->vertices, err);
    }
    tacit__free(hub);
    tacit__free(f.from);
    tacit__free(f.to);
    tacit__free(f.parent);
    tacit__free(f.queue);
    return status;
}
