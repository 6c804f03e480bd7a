/*
 * nodes.h - the open nodes of a search by branch and bound, this room's own and
 * others' over it.
 *
 * A node is its parent and one decision, which is the searcher's affair. Nodes live
 * until they have been looked at and all below them have gone.
 */
#ifndef TACIT_SRC_SOLVER_NODES_H
#define TACIT_SRC_SOLVER_NODES_H

#include <stdalign.h>

#include <tacit/base.h>

typedef struct tacit__open_node {
    struct tacit__open_node *parent; /* NULL for the root */
    int64_t held;                    /* by whoever looks at it or opened it, and by its children */
    int64_t number;                  /* in the order of making */
    double bound;                    /* nothing below costs less; its parent's to begin with */
    alignas(max_align_t) unsigned char decision[]; /* all zeros to begin with */
} tacit__open_node;

/* Zero-initialized but for the bytes of a decision is empty. */
typedef struct tacit__solver_nodes {
    size_t decision_bytes;
    tacit__open_node **heap; /* the lowest bound first, then the youngest */
    size_t count, room;
    int64_t made;
} tacit__solver_nodes;

/* A node below parent; NULL when memory runs out. */
tacit__open_node *tacit__nodes_grow(tacit__solver_nodes *nodes, tacit__open_node *parent);

/* Opens a node; false when memory runs out. */
bool tacit__nodes_push(tacit__solver_nodes *nodes, tacit__open_node *node);

/* The open node of lowest bound, or NULL. */
tacit__open_node *tacit__nodes_pop(tacit__solver_nodes *nodes);

/* Lets go of a node; it is freed once all below it have gone. NULL is no node. */
void tacit__nodes_release(tacit__open_node *node);

/* The lowest bound of an open node; INFINITY: there is none. */
double tacit__nodes_bound(const tacit__solver_nodes *nodes);

/* Lets go of all that are open. */
void tacit__nodes_clear(tacit__solver_nodes *nodes);

#endif
