/*
 * nodes.c - a heap of open nodes, and their memory; see nodes.h.
 */
#include "solver/nodes.h"

#include <math.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/vector.h"

static bool comes_before(const void *left, const void *right)
{
    const tacit__open_node *a = *(tacit__open_node *const *)left,
                           *b = *(tacit__open_node *const *)right;
    return a->bound < b->bound || (a->bound == b->bound && a->number > b->number);
}

tacit__open_node *tacit__nodes_grow(tacit__solver_nodes *nodes, tacit__open_node *parent)
{
    tacit__open_node *node = tacit__alloc_zeroed(1, sizeof *node + nodes->decision_bytes);
    if (!node)
        return NULL;
    node->parent = parent;
    node->number = nodes->made++;
    node->bound = parent ? parent->bound : -INFINITY;
    node->held = 1;
    if (parent)
        parent->held++;
    return node;
}

void tacit__nodes_release(tacit__open_node *node)
{
    while (node && --node->held == 0) {
        tacit__open_node *parent = node->parent;
        tacit__free(node);
        node = parent;
    }
}

bool tacit__nodes_push(tacit__solver_nodes *nodes, tacit__open_node *node)
{
    if (!TACIT__RESERVE_ONE(nodes->heap, nodes->room, nodes->count))
        return false;
    tacit__heap_push(nodes->heap, &nodes->count, &node, sizeof node, comes_before);
    return true;
}

tacit__open_node *tacit__nodes_pop(tacit__solver_nodes *nodes)
{
    if (nodes->count == 0)
        return NULL;
    tacit__open_node *first;
    tacit__heap_pop(&first, nodes->heap, &nodes->count, sizeof first, comes_before);
    return first;
}

double tacit__nodes_bound(const tacit__solver_nodes *nodes)
{
    return nodes->count ? nodes->heap[0]->bound : INFINITY;
}

void tacit__nodes_clear(tacit__solver_nodes *nodes)
{
    while (nodes->count > 0)
        tacit__nodes_release(nodes->heap[--nodes->count]);
    tacit__free(nodes->heap);
    *nodes = (tacit__solver_nodes){.decision_bytes = nodes->decision_bytes};
}
