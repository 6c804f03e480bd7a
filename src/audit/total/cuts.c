/*
 * cuts.c - a depth-first forest and the size of the cut below each of its edges.
 *
 * An edge outside a depth-first forest goes from a vertex to one above it. So the edges that leave
 * the subtree of v are those that go up from it, less those that come up to it: counting
 * every edge +1 at its lower end and -1 at its upper one, and summing over subtrees,
 * gives all sizes in one pass against the order of meeting. A cut of one edge is a bridge.
 */
#include "audit/total/total.h"
#include "base/alloc.h"
#include "base/error.h"

static void meet(tacit__cuts *c, int32_t *at, const tacit__net *g, int32_t vertex, int32_t parent)
{
    c->number[vertex] = c->count;
    c->vertex[c->count] = vertex;
    c->parent[c->count] = parent;
    c->size[c->count++] = 0;
    at[vertex] = g->starts[vertex];
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1]; e++)
        __builtin_prefetch(&c->number[tacit__net_near(g->near[e])]);
}

/* The next neighbour that is not met yet, or -1. Those met before it are the upper ends of edges.
 */
static int32_t next_neighbour(tacit__cuts *c, int32_t *at, const tacit__net *g,
                              const tacit__net_filter *filter, int32_t i)
{
    int32_t vertex = c->vertex[i];
    for (; at[vertex] < g->starts[vertex + 1]; at[vertex]++) {
        uint32_t word = g->near[at[vertex]];
        int32_t there = c->number[tacit__net_near(word)];
        if (there >= i || !tacit__net_counts(filter, vertex, word))
            continue;
        if (there < 0)
            return tacit__net_near(word);
        c->size[i]++;
        c->size[there]--;
    }
    return -1;
}

static void walk_from(tacit__cuts *c, int32_t *at, const tacit__net *g,
                      const tacit__net_filter *filter, int32_t root)
{
    int32_t i = c->count;
    meet(c, at, g, root, -1);
    while (i >= 0) {
        int32_t there = next_neighbour(c, at, g, filter, i);
        if (there >= 0) {
            meet(c, at, g, there, i);
            i = c->count - 1;
        } else {
            c->last[i] = c->count;
            i = c->parent[i];
        }
    }
}

static void sum_sizes(tacit__cuts *c)
{
    for (int32_t i = c->count - 1; i >= 0; i--)
        if (c->parent[i] >= 0)
            c->size[c->parent[i]] += c->size[i];
}

tacit_status tacit__cuts_new(tacit__cuts **out, const tacit__net *net,
                             const tacit__net_filter *filter, tacit_error *err)
{
    size_t n = (size_t)net->vertices;
    tacit__cuts *c = tacit__alloc_zeroed(1, sizeof *c);
    int32_t *at = tacit__alloc_array(n, sizeof *at);
    if (c) {
        c->vertex = tacit__alloc_array(n, sizeof *c->vertex);
        c->number = tacit__alloc_array(n, sizeof *c->number);
        c->parent = tacit__alloc_array(n, sizeof *c->parent);
        c->last = tacit__alloc_array(n, sizeof *c->last);
        c->size = tacit__alloc_array(n, sizeof *c->size);
    }
    if (!at || !c || !c->vertex || !c->number || !c->parent || !c->last || !c->size) {
        tacit__free(at);
        tacit__cuts_free(c);
        return tacit__nomem(err);
    }
    for (int32_t v = 0; v < net->vertices; v++)
        c->number[v] = -1;
    for (int32_t v = 0; v < net->vertices; v++)
        if (c->number[v] < 0)
            walk_from(c, at, net, filter, v);
    sum_sizes(c);
    tacit__free(at);
    *out = c;
    return TACIT_OK;
}

void tacit__cuts_free(tacit__cuts *cuts)
{
    if (!cuts)
        return;
    tacit__free(cuts->vertex);
    tacit__free(cuts->number);
    tacit__free(cuts->parent);
    tacit__free(cuts->last);
    tacit__free(cuts->size);
    tacit__free(cuts);
}
