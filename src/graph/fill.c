/*
 * fill.c - trees joined by edges of the complement, which is never made (Kao, Total Protection,
 * step M3).
 *
 * A search over what is not there: each home keeps a list of its rows and one of its columns that
 * were not reached yet. A vertex that is taken up marks its neighbours and goes through the list of
 * the other side: whoever is not marked is joined to it and leaves the list with its whole
 * tree, whoever is marked stays. A vertex that stays costs one of the marked edges, and
 * one that leaves does so once, so all is linear in edges and vertices, though the complement of a
 * sparse graph is not.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "graph/graph.h"

typedef struct search {
    const tacit__graph *graph;
    tacit__groups homes;   /* vertices by home, rows first; the lists are kept in it */
    tacit__groups trees;   /* vertices by the trees there were */
    const int32_t *before; /* a vertex each: its tree then */
    int32_t *now;          /* and the one it is joined to; -1: not reached */
    int32_t *queue;
    int32_t taken, waiting;
    int32_t *marked; /* a vertex each: the last one that marked it */
    int32_t found;
    tacit__places *added;
} search;

tacit_status tacit__places_add(tacit__places *places, int32_t row, int32_t column, tacit_error *err)
{
    size_t needed = (size_t)places->count + 1;
    if (!TACIT__RESERVE(places->row, places->row_capacity, needed) ||
        !TACIT__RESERVE(places->column, places->column_capacity, needed))
        return tacit__nomem(err);
    places->row[places->count] = row;
    places->column[places->count++] = column;
    return TACIT_OK;
}

void tacit__places_clear(tacit__places *places)
{
    tacit__free(places->row);
    tacit__free(places->column);
    *places = (tacit__places){0};
}

/* Takes a whole tree in. */
static void reach(search *s, int32_t tree)
{
    for (int32_t k = s->trees.starts[tree]; k < s->trees.starts[tree + 1]; k++) {
        int32_t vertex = s->trees.members[k];
        s->now[vertex] = s->found;
        s->queue[s->waiting++] = vertex;
    }
}

/* A list of vertices of one side of a home that may be reached yet. */
typedef struct home_side {
    int32_t *vertices;
    int32_t count;
} home_side;

static tacit_status join_others(search *s, int32_t vertex, home_side *others, tacit_error *err)
{
    const tacit__graph *g = s->graph;
    tacit_status status = TACIT_OK;
    int32_t kept = 0;
    if (others->count == 0)
        return TACIT_OK;
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1]; e++)
        s->marked[tacit__near(g->near[e])] = vertex;
    for (int32_t k = 0; k < others->count && status == TACIT_OK; k++) {
        int32_t there = others->vertices[k];
        if (s->now[there] >= 0)
            continue;
        if (s->marked[there] == vertex) {
            others->vertices[kept++] = there;
            continue;
        }
        int32_t row = vertex < g->rows ? vertex : there, column = vertex < g->rows ? there : vertex;
        status = tacit__places_add(s->added, row, column - g->rows, err);
        reach(s, s->before[there]);
    }
    others->count = kept;
    return status;
}

/* A vertex that is not reached yet; -1: none. */
static int32_t unreached(const search *s, home_side *list)
{
    while (list->count > 0 && s->now[list->vertices[list->count - 1]] >= 0)
        list->count--;
    return list->count > 0 ? list->vertices[list->count - 1] : -1;
}

static tacit_status search_home(search *s, int32_t home, tacit_error *err)
{
    int32_t first = s->homes.starts[home], last = s->homes.starts[home + 1], middle = first;
    while (middle < last && s->homes.members[middle] < s->graph->rows)
        middle++;
    home_side rows = {s->homes.members + first, middle - first};
    home_side columns = {s->homes.members + middle, last - middle};
    tacit_status status = TACIT_OK;
    for (int32_t root; status == TACIT_OK; s->found++) {
        root = unreached(s, &rows);
        if (root < 0)
            root = unreached(s, &columns);
        if (root < 0)
            break;
        s->taken = s->waiting = 0;
        reach(s, s->before[root]);
        while (s->taken < s->waiting && status == TACIT_OK) {
            int32_t vertex = s->queue[s->taken++];
            status = join_others(s, vertex, vertex < s->graph->rows ? &columns : &rows, err);
        }
    }
    return status;
}

/* Numbers trees by their first vertices. names has room for as many as there are vertices. */
static void number_trees(int32_t *tree, const int32_t *now, int32_t vertices, int32_t *names)
{
    int32_t next = 0;
    for (int32_t v = 0; v < vertices; v++)
        names[v] = -1;
    for (int32_t v = 0; v < vertices; v++) {
        if (names[now[v]] < 0)
            names[now[v]] = next++;
        tree[v] = names[now[v]];
    }
}

tacit_status tacit__graph_fill(tacit__places *added, int32_t *tree, int32_t *trees,
                               const tacit__graph *graph, const int32_t *home, int32_t homes,
                               tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    search s = {.graph = graph, .before = tree, .added = added};
    s.now = tacit__alloc_array(n, sizeof *s.now);
    s.queue = tacit__alloc_array(n, sizeof *s.queue);
    s.marked = tacit__alloc_array(n, sizeof *s.marked);
    tacit_status status = s.now && s.queue && s.marked ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__groups_init(&s.homes, home, graph->vertices, homes, err);
    if (status == TACIT_OK)
        status = tacit__groups_init(&s.trees, tree, graph->vertices, *trees, err);
    if (status == TACIT_OK)
        for (int32_t v = 0; v < graph->vertices; v++)
            s.now[v] = s.marked[v] = -1;
    for (int32_t h = 0; h < homes && status == TACIT_OK; h++)
        status = search_home(&s, h, err);
    if (status == TACIT_OK) {
        number_trees(tree, s.now, graph->vertices, s.queue);
        *trees = s.found;
    }
    tacit__groups_clear(&s.homes);
    tacit__groups_clear(&s.trees);
    tacit__free(s.now);
    tacit__free(s.queue);
    tacit__free(s.marked);
    return status;
}
