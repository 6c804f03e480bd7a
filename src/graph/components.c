/*
 * components.c - connected parts of a graph, what is left when they are contracted, sorting by
 * them, and strong components of the suppressed graph, undirected edges counting both ways.
 *
 * Parts by disjoint sets over the rows' side of the graph, which is read once from its start to its
 * end. Nothing is allocated for that but the answer.
 *
 * Where no edge is directed, strong components are the connected parts. Where few are, the parts
 * that undirected edges connect are contracted first, which reads the graph from its start to its
 * end and not here and there. The rest is Tarjan's algorithm with a stack of its own: a vertex is
 * on the path while its neighbours are walked through, which `at` remembers; the path is kept in
 * the stack's other end. Costs three words a vertex besides the answer, and each edge is looked at
 * once from either end.
 */
#include "graph/graph.h"

#include "base/alloc.h"
#include "base/error.h"

void tacit__graph_parts(int32_t *part, int32_t *count, const tacit__graph *graph,
                        const tacit__edge_filter *filter)
{
    tacit__sets_init(part, graph->vertices);
    for (int32_t row = 0; row < graph->rows; row++)
        for (int32_t e = graph->starts[row]; e < graph->starts[row + 1]; e++)
            if (tacit__counts(filter, row, graph->near[e]))
                tacit__sets_join(part, row, tacit__near(graph->near[e]));
    *count = tacit__sets_number(part, graph->vertices);
}

/* Both ends of every edge that counts and joins two parts: their number, or, with near, where
 * each goes. */
static void visit_joints(tacit__graph *joined, const tacit__graph *graph,
                         const tacit__edge_filter *filter, const int32_t *part)
{
    for (int32_t row = 0; row < graph->rows; row++)
        for (int32_t e = graph->starts[row]; e < graph->starts[row + 1]; e++) {
            uint32_t word = graph->near[e];
            int32_t a = part[row], b = part[tacit__near(word)];
            if (a == b || !tacit__counts(filter, row, word))
                continue;
            if (joined->near) {
                joined->near[--joined->starts[a]] = (uint32_t)b | (word & ~TACIT__VERTEX);
                joined->near[--joined->starts[b]] = (uint32_t)a | tacit__turned(word);
            } else {
                joined->edges++;
                joined->starts[a]++;
                joined->starts[b]++;
            }
        }
}

/* The graph whose vertices are parts of another and whose edges are those of its edges that
 * count and join two parts. Several edges may join the same two; no cells are kept. */
static tacit_status contract(tacit__graph **out, const tacit__graph *graph,
                             const tacit__edge_filter *filter, const int32_t *part, int32_t count,
                             tacit_error *err)
{
    tacit__graph *joined = tacit__alloc_zeroed(1, sizeof *joined);
    if (joined) {
        joined->vertices = count;
        joined->starts = tacit__alloc_zeroed((size_t)count + 1, sizeof *joined->starts);
    }
    if (joined && joined->starts) {
        visit_joints(joined, graph, filter, part);
        for (int32_t v = 0; v < count; v++)
            joined->starts[v + 1] += joined->starts[v];
        joined->near = tacit__alloc_array(2 * (size_t)joined->edges, sizeof *joined->near);
    }
    if (!joined || !joined->near) {
        tacit__graph_free(joined);
        return tacit__nomem(err);
    }
    visit_joints(joined, graph, filter, part);
    *out = joined;
    return TACIT_OK;
}

tacit_status tacit__groups_init(tacit__groups *groups, const int32_t *part, int32_t places,
                                int32_t parts, tacit_error *err)
{
    int32_t *starts = tacit__alloc_zeroed((size_t)parts + 1, sizeof *starts);
    int32_t *members = tacit__alloc_array((size_t)places, sizeof *members);
    if (!starts || !members) {
        tacit__free(starts);
        tacit__free(members);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < places; i++)
        starts[part[i]]++;
    for (int32_t p = 0; p < parts; p++)
        starts[p + 1] += starts[p]; /* the end of each part for now */
    for (int32_t i = places - 1; i >= 0; i--)
        members[--starts[part[i]]] = i;
    *groups = (tacit__groups){starts, members};
    return TACIT_OK;
}

void tacit__groups_clear(tacit__groups *groups)
{
    tacit__free(groups->starts);
    tacit__free(groups->members);
    *groups = (tacit__groups){0};
}

/* low[v]: 0 for a vertex not met yet; while it is on the stack, the earliest vertex that it is
 * known to reach, by the order of meeting; DONE - number of its component afterwards. */
typedef struct walk {
    const tacit__graph *graph;
    int32_t *low;
    int32_t *at;
    int32_t *stack; /* finished vertices whose component is open from the left, the path from the
                       right */
    int32_t open, path;
    int32_t met, found;
} walk;

#define DONE INT32_MAX

static void meet(walk *w, int32_t vertex)
{
    w->low[vertex] = ++w->met;
    w->at[vertex] = w->graph->starts[vertex];
    w->stack[--w->path] = vertex;
}

static bool traversable(uint32_t word)
{
    return (word & (TACIT__HIDDEN | TACIT__OUT)) == (TACIT__HIDDEN | TACIT__OUT);
}

/* The next neighbour of a vertex that is not met yet, or -1; those met before may lower its `low`.
 */
static int32_t next_neighbour(walk *w, int32_t vertex)
{
    const tacit__graph *g = w->graph;
    while (w->at[vertex] < g->starts[vertex + 1]) {
        uint32_t word = g->near[w->at[vertex]];
        int32_t there = tacit__near(word);
        if (traversable(word) && !w->low[there])
            return there; /* looked at again when it is done, for its low */
        w->at[vertex]++;
        if (traversable(word) && w->low[there] < w->low[vertex])
            w->low[vertex] = w->low[there];
    }
    return -1;
}

/* A vertex whose low nobody lowered is the first of a component, which is itself and all open
 * vertices that were met after it. */
static void close_component(walk *w, int32_t first, int32_t met)
{
    int32_t number = DONE - w->found++;
    while (w->open > 0 && w->low[w->stack[w->open - 1]] >= met)
        w->low[w->stack[--w->open]] = number;
    w->low[first] = number;
}

/* Walks everything that a vertex reaches. order: when each vertex was met. */
static void walk_from(walk *w, int32_t *order, int32_t root)
{
    meet(w, root);
    order[root] = w->met;
    while (w->path < w->graph->vertices) {
        int32_t vertex = w->stack[w->path], there = next_neighbour(w, vertex);
        if (there >= 0) {
            meet(w, there);
            order[there] = w->met;
            continue;
        }
        w->path++;
        if (w->low[vertex] == order[vertex])
            close_component(w, vertex, order[vertex]);
        else
            w->stack[w->open++] = vertex;
    }
}

/* Components were numbered as they were found: now by their first vertices. names has room for
 * as many. */
static void number_components(int32_t *part, const int32_t *low, int32_t vertices, int32_t *names,
                              int32_t found)
{
    int32_t next = 0;
    for (int32_t i = 0; i < found; i++)
        names[i] = -1;
    for (int32_t v = 0; v < vertices; v++) {
        int32_t *name = &names[DONE - low[v]];
        if (*name < 0)
            *name = next++;
        part[v] = *name;
    }
}

static tacit_status walk_all(int32_t *part, int32_t *count, const tacit__graph *graph,
                             tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    walk w = {.graph = graph, .path = graph->vertices};
    w.low = tacit__alloc_zeroed(n, sizeof *w.low);
    w.at = tacit__alloc_array(n, sizeof *w.at);
    w.stack = tacit__alloc_array(n, sizeof *w.stack);
    bool room = w.low && w.at && w.stack;
    if (room) {
        for (int32_t v = 0; v < graph->vertices; v++)
            if (!w.low[v])
                walk_from(&w, part, v);
        number_components(part, w.low, graph->vertices, w.at, w.found);
        *count = w.found;
    }
    tacit__free(w.low);
    tacit__free(w.at);
    tacit__free(w.stack);
    return room ? TACIT_OK : tacit__nomem(err);
}

/* Parts by undirected edges first, then what directed ones make of them. */
static tacit_status contract_and_walk(int32_t *part, int32_t *count, const tacit__graph *graph,
                                      tacit_error *err)
{
    const uint32_t both = TACIT__HIDDEN | TACIT__BOTH;
    tacit__graph *joined = NULL;
    int32_t parts;
    tacit__graph_parts(part, &parts, graph, &(tacit__edge_filter){both, both, NULL});
    int32_t *strong = tacit__alloc_array((size_t)parts, sizeof *strong);
    tacit_status status = strong ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = contract(&joined, graph, &TACIT__ALL_HIDDEN, part, parts, err);
    if (status == TACIT_OK)
        status = walk_all(strong, count, joined, err);
    for (int32_t v = 0; v < graph->vertices && status == TACIT_OK; v++)
        part[v] = strong[part[v]];
    tacit__graph_free(joined);
    tacit__free(strong);
    return status;
}

tacit_status tacit__graph_strong(int32_t *part, int32_t *count, const tacit__graph *graph,
                                 tacit_error *err)
{
    if (graph->directed > graph->hidden / 2)
        return walk_all(part, count, graph, err);
    if (graph->directed)
        return contract_and_walk(part, count, graph, err);
    tacit__graph_parts(part, count, graph, &TACIT__ALL_HIDDEN);
    return TACIT_OK;
}
