/*
 * nodes.c - a heap of open nodes, and their memory; see nodes.h.
 */
#include "solver/nodes.h"

#include <math.h>

#include "base/alloc.h"

static bool comes_before(const tacit__open_node *a, const tacit__open_node *b)
{
    return a->bound < b->bound || (a->bound == b->bound && a->number > b->number);
}

tacit__open_node *tacit__nodes_grow(tacit__nodes *nodes, tacit__open_node *parent)
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

bool tacit__nodes_push(tacit__nodes *nodes, tacit__open_node *node)
{
    if (!tacit__reserve((void **)&nodes->heap, &nodes->room, nodes->count + 1, sizeof *nodes->heap))
        return false;
    size_t at = nodes->count++;
    for (; at > 0 && comes_before(node, nodes->heap[(at - 1) / 2]); at = (at - 1) / 2)
        nodes->heap[at] = nodes->heap[(at - 1) / 2];
    nodes->heap[at] = node;
    return true;
}

tacit__open_node *tacit__nodes_pop(tacit__nodes *nodes)
{
    if (nodes->count == 0)
        return NULL;
    tacit__open_node *first = nodes->heap[0], *last = nodes->heap[--nodes->count];
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < nodes->count; at = child) {
        if (child + 1 < nodes->count && comes_before(nodes->heap[child + 1], nodes->heap[child]))
            child++;
        if (!comes_before(nodes->heap[child], last))
            break;
        nodes->heap[at] = nodes->heap[child];
    }
    nodes->heap[at] = last;
    return first;
}

double tacit__nodes_bound(const tacit__nodes *nodes)
{
    return nodes->count ? nodes->heap[0]->bound : INFINITY;
}

void tacit__nodes_clear(tacit__nodes *nodes)
{
    while (nodes->count > 0)
        tacit__nodes_release(nodes->heap[--nodes->count]);
    tacit__free(nodes->heap);
    *nodes = (tacit__nodes){.decision_bytes = nodes->decision_bytes};
}
