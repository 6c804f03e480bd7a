/*
 * graph.h - the graph of a two-dimensional table, and what is asked of it.
 *
 * Vertices are rows, then columns. Edges are the suppressed cells, and those published ones
 * that differ from the cells the table leaves out. They are kept in compressed rows, once at
 * each end: near[starts[v]] to near[starts[v + 1] - 1] are the neighbours of v, ascending, each a
 * vertex and four flags. Everything that walks the graph reads these words only, so a
 * cell costs 8 bytes, and 4 for its place in the list where that is not in order.
 *
 * Nothing here recurses. All is linear in edges and vertices; disjoint sets may add a
 * logarithm in theory.
 */
#ifndef TACIT_SRC_GRAPH_GRAPH_H
#define TACIT_SRC_GRAPH_GRAPH_H

#include <tacit/experimental/graph.h>

/* A neighbour: its vertex, and of the edge whether it can be traversed to it and from it, is
 * suppressed, and belongs to Q. A published edge that can be traversed in no direction must stay
 * published. */
#define TACIT__VERTEX ((UINT32_C(1) << 28) - 1)
#define TACIT__OUT    (UINT32_C(1) << 28)
#define TACIT__IN     (UINT32_C(1) << 29)
#define TACIT__HIDDEN (UINT32_C(1) << 30)
#define TACIT__SECRET (UINT32_C(1) << 31)
#define TACIT__BOTH   (TACIT__OUT | TACIT__IN)

typedef struct tacit__graph {
    int32_t rows;
    int32_t vertices;
    int32_t edges;    /* suppressed and published */
    int32_t *starts;  /* vertices + 1 */
    uint32_t *near;   /* 2 edges; those of rows come first: edge e is near[e] of its row */
    int32_t *cell;    /* of each edge, in the list; NULL: edge e is cell e */
    int32_t hidden;   /* suppressed edges */
    int32_t secret;   /* of Q */
    int32_t directed; /* suppressed edges that are directed */
    int32_t loose;    /* of these, those not in Q */
    tacit_strview (*name)(const void *named, bool row, int32_t number); /* the table's */
    const void *named;
} tacit__graph;

/* Checks the table and makes its graph. */
tacit_status tacit__graph_new(tacit__graph **out, const tacit_flat_view *table, tacit_error *err);
void tacit__graph_free(tacit__graph *graph);

/* "row 3", or what the table calls it; returns buffer. */
const char *tacit__name_line(char buffer[96], const tacit__graph *graph, int32_t vertex);

/* One neighbour's vertex. */
static inline int32_t tacit__near(uint32_t word)
{
    return (int32_t)(word & TACIT__VERTEX);
}

/* The same edge as its other end has it, but for the vertex. */
static inline uint32_t tacit__turned(uint32_t word)
{
    return (word & (TACIT__HIDDEN | TACIT__SECRET)) | (word & TACIT__OUT ? TACIT__IN : 0) |
           (word & TACIT__IN ? TACIT__OUT : 0);
}

static inline int32_t tacit__graph_cell(const tacit__graph *graph, int32_t edge)
{
    return graph->cell ? graph->cell[edge] : edge;
}

/* The edge between a row and a column (a vertex); -1: there is none. */
int32_t tacit__graph_edge(const tacit__graph *graph, int32_t row, int32_t column);

/* Which edges count: those with (word & mask) == wanted and, where within is given, with both ends
 * in the same part of it. */
typedef struct tacit__edge_filter {
    uint32_t mask, wanted;
    const int32_t *within; /* a vertex each; NULL: all */
} tacit__edge_filter;

/* All suppressed cells; those that are not in Q. */
#define TACIT__ALL_HIDDEN ((tacit__edge_filter){TACIT__HIDDEN, TACIT__HIDDEN, NULL})
#define TACIT__NOT_SECRET ((tacit__edge_filter){TACIT__HIDDEN | TACIT__SECRET, TACIT__HIDDEN, NULL})

static inline bool tacit__counts(const tacit__edge_filter *filter, int32_t vertex, uint32_t word)
{
    return (word & filter->mask) == filter->wanted &&
           (!filter->within || filter->within[vertex] == filter->within[tacit__near(word)]);
}

/* Connected parts of all vertices over the edges that count, whatever their directions,
 * numbered by their first vertices. part has room for every vertex. */
void tacit__graph_parts(int32_t *part, int32_t *count, const tacit__graph *graph,
                        const tacit__edge_filter *filter);

/* Strong components over suppressed edges, numbered by their first vertices. */
tacit_status tacit__graph_strong(int32_t *part, int32_t *count, const tacit__graph *graph,
                                 tacit_error *err);

/* Numbers from 0 to parts - 1 sorted by counting: members[starts[p]] to members[starts[p + 1] - 1]
 * are the places that have part p, ascending. Two arrays that the caller frees. */
typedef struct tacit__groups {
    int32_t *starts; /* parts + 1 */
    int32_t *members;
} tacit__groups;

tacit_status tacit__groups_init(tacit__groups *groups, const int32_t *part, int32_t places,
                                int32_t parts, tacit_error *err);
void tacit__groups_clear(tacit__groups *groups);

/* Cells by row and column, both from 0. Zero-initialized is empty. */
typedef struct tacit__places {
    int32_t count;
    size_t row_capacity, column_capacity;
    int32_t *row, *column;
} tacit__places;

tacit_status tacit__places_add(tacit__places *places, int32_t row, int32_t column,
                               tacit_error *err);
void tacit__places_clear(tacit__places *places);

/* A copy in which these cells are suppressed too: undirected, or as the edge is that they are. */
tacit_status tacit__graph_extend(tacit__graph **out, const tacit__graph *graph,
                                 const tacit__places *added, tacit_error *err);

/* Joins trees by cells that are no edges of the graph, as many as can be within each home, and
 * lists one cell for each joint. tree: a vertex each, numbers below trees; a tree lies in one home.
 * Afterwards tree has the joined ones, numbered by their first vertices, and *trees their number.
 */
tacit_status tacit__graph_fill(tacit__places *added, int32_t *tree, int32_t *trees,
                               const tacit__graph *graph, const int32_t *home, int32_t homes,
                               tacit_error *err);

/* ---- disjoint sets ----
 *
 * The leader of a set is its least member, so that answers do not depend on the order of the
 * unions; finds halve their paths, which keeps m of them below m log n steps even without ranks. */

static inline void tacit__sets_init(int32_t *leader, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        leader[i] = i;
}

static inline int32_t tacit__sets_find(int32_t *leader, int32_t i)
{
    while (leader[i] != i)
        i = leader[i] = leader[leader[i]];
    return i;
}

/* Whether they were apart. */
static inline bool tacit__sets_join(int32_t *leader, int32_t i, int32_t j)
{
    int32_t a = tacit__sets_find(leader, i), b = tacit__sets_find(leader, j);
    if (a == b)
        return false;
    leader[a > b ? a : b] = a < b ? a : b;
    return true;
}

/* Leaders become numbers from 0, by their order; returns how many. */
static inline int32_t tacit__sets_number(int32_t *leader, int32_t count)
{
    int32_t sets = 0;
    for (int32_t i = 0; i < count; i++) /* a leader comes before its members */
        leader[i] = leader[i] == i ? sets++ : leader[leader[i]];
    return sets;
}

#endif
