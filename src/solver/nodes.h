/*
 * nodes.h - the open nodes of a search for integers.
 *
 * A node is its parent with one column's bounds made tighter. Nodes live until
 * they have been looked at and all below them have gone.
 */
#ifndef TACIT_SRC_SOLVER_NODES_H
#define TACIT_SRC_SOLVER_NODES_H

#include <tacit/base.h>

typedef struct tacit__node {
    struct tacit__node *parent; /* NULL for the root */
    int32_t held;               /* by whoever looks at it or opened it, and by its children */
    int32_t column;             /* -1 for the root */
    double lower, upper;        /* of that column */
    double bound;               /* nothing below costs less */
    bool up;                    /* the column was rounded up, */
    double fraction;            /* by so much */
    int64_t number;             /* in the order of making */
    unsigned char *basis;       /* to start from, or NULL */
} tacit__node;

/* Zero-initialized is empty. */
typedef struct tacit__nodes {
    tacit__node **heap; /* a heap: the lowest bound first, then the youngest */
    size_t count, room;
    int64_t made;
    size_t basis_bytes; /* of one */
    size_t bases;       /* kept */
} tacit__nodes;

/* A node below parent, with a copy of the basis where there is room for it; NULL
 * when memory runs out. */
tacit__node *tacit__nodes_grow(tacit__nodes *nodes, tacit__node *parent,
                               const unsigned char *basis);

/* Opens a node; false when memory runs out. */
bool tacit__nodes_push(tacit__nodes *nodes, tacit__node *node);

/* The node of lowest bound, or NULL. */
tacit__node *tacit__nodes_pop(tacit__nodes *nodes);

/* A node that was looked at; it goes once all below it have gone. */
void tacit__nodes_release(tacit__nodes *nodes, tacit__node *node);

/* The lowest bound of an open node; INFINITY: there is none. */
double tacit__nodes_bound(const tacit__nodes *nodes);
void tacit__nodes_clear(tacit__nodes *nodes);

#endif
