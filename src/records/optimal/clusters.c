/*
 * clusters.c - boxes and clusters: the lists that the exact search works on.
 *
 * Boxes come from the walk of `local`, which visits some of them twice, a larger
 * one with the same members as a smaller one; only the smallest around its members
 * is listed. Linear in the walk.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/local/walk.h"
#include "records/optimal/optimal.h"

enum { MOST_BOXES = 1000000, MAX_LISTED_MEMBERS = 30000000, WALK_WORK = 2000000000 };

/* ---- boxes ---- */

typedef struct listing {
    tacit__closed *closed;
    const tacit__local_group *group;
} listing;

/* Whether no smaller box holds the members of the box that the walk is at. */
static bool is_smallest(const listing *l, const tacit__walk *walk, const uint16_t *list,
                        int64_t count)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit__group_span(levels, l->group, list, count);
    for (int32_t d = 0; d < l->group->axes; d++) {
        const tacit__axis *axis = &l->group->axis[d];
        if (levels[axis->attribute] != axis->rung[walk->rung[d]].level)
            return false;
    }
    return true;
}

static tacit_status list_box(tacit__closed *closed, const uint16_t *list, int64_t count,
                             double cost)
{
    size_t boxes = (size_t)closed->count;
    int64_t members = boxes > 0 ? closed->starts[boxes] : 0;
    if (closed->count == MOST_BOXES || members + count > MAX_LISTED_MEMBERS)
        return TACIT_LIMIT;
    if (!TACIT__RESERVE(closed->starts, closed->start_room, boxes + 2) ||
        !TACIT__RESERVE_ONE(closed->costs, closed->cost_room, boxes) ||
        !TACIT__RESERVE(closed->members, closed->member_room, members + count))
        return TACIT_NOMEM;
    memcpy(closed->members + members, list, (size_t)count * sizeof *list);
    closed->starts[boxes] = members;
    closed->starts[boxes + 1] = members + count;
    closed->costs[boxes] = cost;
    closed->count++;
    return TACIT_OK;
}

/* Every box is of interest. */
static double enter(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                    int32_t depth, double cost)
{
    listing *l = context;
    if (depth == l->group->axes && is_smallest(l, walk, list, count))
        walk->status = list_box(l->closed, list, count, cost + l->group->base);
    return INFINITY;
}

tacit_status tacit__closed_init(tacit__closed *closed, int64_t *boxes,
                                const tacit__local_group *group, tacit_error *err)
{
    listing l = {closed, group};
    tacit__walk walk = {.group = group,
                        .people = group->local->people,
                        .k = group->local->k,
                        .enter = enter,
                        .context = &l,
                        .run = group->local->run,
                        .phase = "boxes",
                        .limit = WALK_WORK};
    *closed = (tacit__closed){0};
    uint16_t *list = tacit__alloc_array((size_t)group->count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t i = 0; i < group->count; i++)
        list[i] = (uint16_t)i;
    tacit_status status = tacit__walk_boxes(&walk, list, group->count, err);
    *boxes += walk.boxes;
    tacit__free(list);
    tacit__walk_clear(&walk);
    if (status != TACIT_OK)
        tacit__closed_clear(closed);
    return status == TACIT_NOMEM ? tacit__nomem(err) : status;
}

void tacit__closed_clear(tacit__closed *closed)
{
    tacit__free(closed->starts);
    tacit__free(closed->members);
    tacit__free(closed->costs);
    *closed = (tacit__closed){0};
}

/* ---- clusters ---- */

tacit_status tacit__clusters_add(tacit__clusters *clusters, const tacit__share *shares,
                                 int64_t count, double cost, tacit_error *err)
{
    size_t at = (size_t)clusters->count;
    int64_t from = at > 0 ? clusters->starts[at] : 0;
    if (!TACIT__RESERVE(clusters->starts, clusters->start_room, at + 2) ||
        !TACIT__RESERVE_ONE(clusters->costs, clusters->cost_room, at) ||
        !TACIT__RESERVE(clusters->shares, clusters->share_room, from + count))
        return tacit__nomem(err);
    memcpy(clusters->shares + from, shares, (size_t)count * sizeof *shares);
    clusters->starts[at] = from;
    clusters->starts[at + 1] = from + count;
    clusters->costs[at] = cost;
    clusters->count++;
    return TACIT_OK;
}

void tacit__clusters_clear(tacit__clusters *clusters)
{
    tacit__free(clusters->starts);
    tacit__free(clusters->shares);
    tacit__free(clusters->costs);
    *clusters = (tacit__clusters){0};
}

static int by_value(const void *a, const void *b)
{
    const tacit__ranked_cluster *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->cluster < y->cluster ? -1 : x->cluster > y->cluster;
}

void tacit__rank_clusters(tacit__ranked_cluster *order, int64_t count)
{
    if (count > 0)
        qsort(order, (size_t)count, sizeof *order, by_value);
}

int64_t tacit__shares_people(const tacit__share *shares, int64_t count)
{
    int64_t people = 0;
    for (int64_t i = 0; i < count; i++)
        people += shares[i].people;
    return people;
}

uint32_t tacit__cluster_people(const tacit__clusters *clusters, int64_t cluster, uint16_t member)
{
    for (int64_t i = clusters->starts[cluster]; i < clusters->starts[cluster + 1]; i++)
        if (clusters->shares[i].class_index == member)
            return clusters->shares[i].people;
    return 0;
}
