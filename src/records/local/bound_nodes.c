/*
 * bound_nodes.c - what any layout of very many classes costs at least.
 *
 * Where there are too many classes to go through their boxes, a few nodes of the lattice
 * are counted. Who has fewer than k people with him on a node's levels can be in no box
 * that lies below it: his box is above the node in some attribute, and the cheapest such
 * step is the least that he costs. One node for a threshold of cost, then: on the highest
 * levels that cost no more by themselves. The thresholds that say most are those where
 * the node has about as many combinations of values as there are rows over k: below,
 * nearly everybody is alone, and above, nearly nobody.
 *
 * Costs one counting of the classes for each node, and a byte a class.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/classes.h"
#include "records/local/bound.h"

enum { MOST_NODES = 8, MOST_COUNTED = 20000000, THRESHOLDS = 4096 };

/* Nodes that have been counted, the floor first. */
typedef struct nodes {
    const tacit__local *local;
    int levels[MOST_NODES][TACIT_MAX_ATTRIBUTES];
    int count;
    uint8_t *alone; /* a class each: bit a node where it has fewer than k people with it */
    double *sums;   /* a task each */
} nodes;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* What levels cost, each once; the thresholds worth looking at are among them. */
static int list_thresholds(double *costs, const tacit__local *local)
{
    int count = 0, kept = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        for (int level = local->floor[a] + 1; level <= local->height[a]; level++)
            costs[count++] = local->level_cost[a][level];
    qsort(costs, (size_t)count, sizeof *costs, ascending);
    for (int i = 0; i < count; i++)
        if (kept == 0 || costs[i] > costs[kept - 1] + 1e-9)
            costs[kept++] = costs[i];
    return kept;
}

/* The node of a threshold; returns its combinations of values. */
static double node_of(int *levels, const tacit__local *local, double threshold)
{
    double combinations = 1;
    for (int32_t a = 0; a < local->attributes; a++) {
        levels[a] = local->floor[a];
        while (levels[a] < local->height[a] &&
               local->level_cost[a][levels[a] + 1] <= threshold + 1e-9)
            levels[a]++;
        combinations *= tacit__distinct_on(local->frame, a, levels[a]);
    }
    return combinations;
}

/* Notes for each class whether it has k people with it on a node's levels. */
static tacit_status count_node(nodes *n, tacit_error *err)
{
    const tacit__local *local = n->local;
    const tacit_classes *base = local->classes;
    const int *levels = n->levels[n->count];
    tacit_classes *rolled = NULL;
    tacit__feed feed = {0};
    uint32_t *group_of = tacit__alloc_array((size_t)base->groups.count, sizeof *group_of);
    tacit_status status =
        group_of ? tacit_classes_roll_up(&rolled, local->frame, base, levels, local->run, err)
                 : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__feed_raised(&feed, &base->groups, local->frame, local->floor, levels, err);
    if (status == TACIT_OK)
        status = tacit__grouping_assign(&rolled->groups, &feed, group_of, local->run, err);
    for (int64_t c = 0; status == TACIT_OK && c < base->groups.count; c++)
        if (tacit_classes_people(rolled, group_of[c]) < local->k)
            n->alone[c] |= (uint8_t)(1u << n->count);
    n->count += status == TACIT_OK;
    tacit__feed_clear(&feed);
    tacit_classes_free(rolled);
    tacit__free(group_of);
    return status;
}

/* The floor, whose classes are known, and nodes around the threshold that matters most,
 * as many as may be counted. */
static tacit_status count_nodes(nodes *n, tacit_error *err)
{
    const tacit__local *local = n->local;
    const tacit_classes *base = local->classes;
    double costs[THRESHOLDS], wanted = (double)base->rows / (double)local->k;
    int most = (int)(MOST_COUNTED / (base->groups.count + 1)), at = 0;
    most = most < 1 ? 1 : most > MOST_NODES - 1 ? MOST_NODES - 1 : most;
    memcpy(n->levels[0], local->floor, sizeof local->floor);
    for (int64_t c = 0; c < base->groups.count; c++)
        n->alone[c] = tacit_classes_people(base, c) < local->k;
    n->count = 1;
    int count = list_thresholds(costs, local);
    while (at < count && node_of(n->levels[1], local, costs[at]) > wanted)
        at++;
    at = at < most / 2 + 1 ? 0 : at - most / 2 - 1;
    for (int i = 0; i < most && at + i < count; i++) {
        node_of(n->levels[n->count], local, costs[at + i]);
        tacit_status status = count_node(n, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

/* What a class must pay that is alone on a node: the cheapest step above it. */
static double cheapest_step(const tacit__local *local, const uint32_t *codes, const int *levels)
{
    double least = -1;
    for (int32_t a = 0; a < local->attributes; a++) {
        if (levels[a] == local->height[a])
            continue;
        double more = local->costs.of[a][levels[a] + 1][local->up[a][levels[a] + 1][codes[a]]] -
                      local->costs.of[a][local->floor[a]][codes[a]];
        least = least < 0 || more < least ? more : least;
    }
    return least < 0 ? 0 : least;
}

/* What a class costs at least. */
static double least_cost(const nodes *n, int64_t class)
{
    const tacit__local *local = n->local;
    uint32_t codes[TACIT_MAX_ATTRIBUTES];
    double cost = 0, most = 0;
    for (int32_t a = 0; a < local->attributes; a++) {
        codes[a] = tacit_classes_code(local->classes, class, a);
        cost += local->costs.of[a][local->floor[a]][codes[a]];
    }
    for (int i = 0; i < n->count; i++) {
        double least = n->alone[class] >> i & 1 ? cheapest_step(local, codes, n->levels[i]) : 0;
        most = least > most ? least : most;
    }
    return cost + most;
}

static tacit_status sum_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    nodes *n = context;
    int64_t count = n->local->classes->groups.count, size = tacit__task_items(count);
    int64_t end = (task + 1) * size < count ? (task + 1) * size : count;
    n->sums[task] = 0;
    for (int64_t c = task * size; c < end; c++)
        n->sums[task] += least_cost(n, c) * n->local->rows[c];
    return TACIT_OK;
}

tacit_status tacit__bound_by_nodes(double *bound, const tacit__local *local, tacit_error *err)
{
    int64_t count = local->classes->groups.count, tasks = tacit__tasks(count);
    nodes n = {.local = local};
    n.alone = tacit__alloc_array((size_t)count, sizeof *n.alone);
    n.sums = tacit__alloc_array((size_t)tasks, sizeof *n.sums);
    tacit_status status = n.alone && n.sums ? count_nodes(&n, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(local->run, "bound", tasks, sum_task, &n, err);
    double sum = 0;
    for (int64_t t = 0; status == TACIT_OK && t < tasks; t++)
        sum += n.sums[t];
    if (status == TACIT_OK)
        *bound = sum;
    tacit__free(n.alone);
    tacit__free(n.sums);
    return status;
}
