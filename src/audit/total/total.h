/*
 * total.h - the parts of the total protection audit (audit_total.h).
 *
 * The judge makes a graph of its own of the list of cells and walks it with searches of its own. Of
 * what the methods work with (src/graph) it uses nothing but the list (tacit/experimental/graph.h).
 */
#ifndef TACIT_AUDIT_TOTAL_TOTAL_H
#define TACIT_AUDIT_TOTAL_TOTAL_H

#include <tacit/experimental/audit_total.h>

/* ---- net.c: the suppressed cells as a graph ---- */

/* A neighbour: its vertex, whether the edge can be traversed to it and from it, and whether it
 * belongs to Q. */
#define TACIT__NET_VERTEX ((UINT32_C(1) << 28) - 1)
#define TACIT__NET_OUT    (UINT32_C(1) << 28)
#define TACIT__NET_IN     (UINT32_C(1) << 29)
#define TACIT__NET_SECRET (UINT32_C(1) << 30)

/* Vertices are rows, then columns; edges are the suppressed cells, and nothing else is kept. The
 * neighbours of v are near[starts[v]] to near[starts[v + 1] - 1], ascending. */
typedef struct tacit__net {
    int32_t rows;
    int32_t vertices;
    int32_t edges;
    int32_t secret;   /* of Q */
    int32_t directed; /* that can be traversed one way only */
    int32_t *starts;  /* vertices + 1 */
    uint32_t *near;   /* 2 edges, those of rows first: edge e is near[e] of its row */
    int32_t *cell;    /* of each edge, in the list; NULL: edge e is cell e */
} tacit__net;

/* Checks the list and makes its net. */
tacit_status tacit__net_new(tacit__net **out, const tacit_flat_view *table, tacit_error *err);
void tacit__net_free(tacit__net *net);

static inline int32_t tacit__net_near(uint32_t word)
{
    return (int32_t)(word & TACIT__NET_VERTEX);
}

/* The edge between a row and a column (a vertex), which there must be. */
int32_t tacit__net_edge(const tacit__net *net, int32_t row, int32_t column);

/* Which edges count: those with (word & mask) == wanted and, where within is given, with both ends
 * in the same part of it. */
typedef struct tacit__net_filter {
    uint32_t mask, wanted;
    const int32_t *within; /* a vertex each; NULL: all */
} tacit__net_filter;

static inline bool tacit__net_counts(const tacit__net_filter *filter, int32_t vertex, uint32_t word)
{
    return (word & filter->mask) == filter->wanted &&
           (!filter->within || filter->within[vertex] == filter->within[tacit__net_near(word)]);
}

/* The net whose vertices are parts of another and whose edges are those of its edges that count
 * and join two parts. Several edges may join the same two; no cells are kept. */
tacit_status tacit__net_contract(tacit__net **out, const tacit__net *net,
                                 const tacit__net_filter *filter, const int32_t *part,
                                 int32_t count, tacit_error *err);

/* Vertices by the part they have: members[starts[p]] to members[starts[p + 1] - 1], ascending. */
typedef struct tacit__net_groups {
    int32_t *starts; /* parts + 1 */
    int32_t *members;
} tacit__net_groups;

tacit_status tacit__net_groups_init(tacit__net_groups *groups, const int32_t *part,
                                    int32_t vertices, int32_t parts, tacit_error *err);
void tacit__net_groups_clear(tacit__net_groups *groups);

/* ---- what can be reached from where ---- */

/* Connected parts over the edges that count, whatever their directions, numbered by their first
 * vertices. part has room for every vertex. */
tacit_status tacit__net_parts(int32_t *part, int32_t *count, const tacit__net *net,
                              const tacit__net_filter *filter, tacit_error *err);

typedef struct tacit__net_numbers {
    int32_t strong, connected;
} tacit__net_numbers;

/* Strong components over all edges, numbered likewise, and, unless connected is NULL, connected
 * parts. */
tacit_status tacit__net_strong(int32_t *strong, tacit__net_numbers *count, int32_t *connected,
                               const tacit__net *net, tacit_error *err);

/* ---- cuts ---- */

/* A depth-first forest over the edges that count, by the order in which vertices were met: i is
 * the i-th of them. The edges between a subtree and what else is in its tree are a minimal cut, for
 * both sides are connected; one for each tree edge, and all cuts are combinations of these. */
typedef struct tacit__cuts {
    int32_t count;   /* vertices */
    int32_t *vertex; /* the i-th */
    int32_t *number; /* a vertex's i */
    int32_t *parent; /* the i-th's, as a number; -1: a root */
    int32_t *last;   /* end of its subtree, exclusive */
    int32_t *size;   /* edges of the cut; 1: a bridge; 0: a root */
} tacit__cuts;

tacit_status tacit__cuts_new(tacit__cuts **out, const tacit__net *net,
                             const tacit__net_filter *filter, tacit_error *err);
void tacit__cuts_free(tacit__cuts *cuts);

/* ---- the audit ---- */

/* A table as the audit sees it. */
typedef struct tacit__total {
    const tacit_flat_view *table;
    tacit__net *net;
    int32_t *strong; /* a vertex each: its strong component */
    int32_t strong_count;
    int32_t *loose; /* a vertex each: its part of the component when Q is taken out */
    int32_t loose_count;
    tacit__cuts *cuts; /* of the strong components; NULL: not asked for */
} tacit__total;

/* Edges inside strong components. */
static inline tacit__net_filter tacit__inside(const tacit__total *total)
{
    return (tacit__net_filter){.within = total->strong};
}

/* Cells that are known by themselves, ascending: those between strong components, and their
 * bridges. Needs the cuts. The caller frees *cells. */
tacit_status tacit__known_cells(int32_t **cells, int32_t *count, const tacit__total *total,
                                tacit_error *err);

#endif
