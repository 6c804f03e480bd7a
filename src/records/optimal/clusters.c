/*
 * clusters.c - what the exact search works on: boxes, clusters, and prices of people with fines on
 * triples, the duals of the linear program over clusters.
 *
 * Boxes come from the walk of `local`, which visits some of them twice, a larger one with the same
 * members as a smaller one; only the smallest around its members is listed. Linear in the walk.
 *
 * A cluster is fined once for each triple of which it has two members or all three, so fines are
 * found by counting, member by member, how many of a triple have been met.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/optimal/optimal.h"

enum { MAX_BOXES = 1000000, MAX_LISTED_MEMBERS = 30000000, WALK_WORK = 2000000000 };

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
    if (closed->count == MAX_BOXES || members + count > MAX_LISTED_MEMBERS)
        return TACIT_LIMIT;
    if (!TACIT__RESERVE(closed->starts, closed->start_capacity, boxes + 2) ||
        !TACIT__RESERVE_ONE(closed->costs, closed->cost_capacity, boxes) ||
        !TACIT__RESERVE(closed->members, closed->member_capacity, members + count))
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
    if (!TACIT__RESERVE(clusters->starts, clusters->start_capacity, at + 2) ||
        !TACIT__RESERVE_ONE(clusters->costs, clusters->cost_capacity, at) ||
        !TACIT__RESERVE(clusters->shares, clusters->share_capacity, from + count))
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

/* ---- duals ---- */

tacit_status tacit__duals_init(tacit__duals *prices, int32_t members, tacit_error *err)
{
    *prices = (tacit__duals){.members = members};
    prices->of = tacit__alloc_zeroed((size_t)members, sizeof *prices->of);
    prices->first = tacit__alloc_zeroed((size_t)members + 1, sizeof *prices->first);
    if (prices->of && prices->first)
        return TACIT_OK;
    tacit__duals_clear(prices);
    return tacit__nomem(err);
}

void tacit__duals_clear(tacit__duals *prices)
{
    tacit__free(prices->of);
    tacit__free(prices->triples);
    tacit__free(prices->fines);
    tacit__free(prices->first);
    tacit__free(prices->list);
    tacit__free(prices->met);
    *prices = (tacit__duals){0};
}

tacit_status tacit__duals_add(tacit__duals *prices, const tacit__triple *triples, int32_t count,
                              tacit_error *err)
{
    size_t before = (size_t)prices->triple_count, after = before + (size_t)count;
    if (!TACIT__RESERVE(prices->triples, prices->triple_capacity, after) ||
        !TACIT__RESERVE(prices->fines, prices->fine_capacity, after) ||
        !TACIT__RESERVE(prices->list, prices->list_capacity, 3 * after) ||
        !TACIT__RESERVE(prices->met, prices->met_capacity, after))
        return tacit__nomem(err);
    for (size_t t = before; t < after; t++) {
        prices->triples[t] = triples[t - before];
        prices->fines[t] = 0;
        prices->met[t] = 0;
    }
    prices->triple_count += count;
    return TACIT_OK;
}

/* Those of a member begin where its first triple is put; every place has moved on to
 * the next member's when all are there. */
void tacit__duals_list(tacit__duals *prices)
{
    int32_t *first = prices->first;
    memset(first, 0, ((size_t)prices->members + 1) * sizeof *first);
    for (int32_t t = 0; t < prices->triple_count; t++)
        for (int i = 0; prices->fines[t] > 0 && i < 3; i++)
            first[prices->triples[t].member[i] + 1]++;
    for (int32_t m = 0; m < prices->members; m++)
        first[m + 1] += first[m];
    for (int32_t t = 0; t < prices->triple_count; t++)
        for (int i = 0; prices->fines[t] > 0 && i < 3; i++)
            prices->list[first[prices->triples[t].member[i]]++] = t;
    memmove(first + 1, first, (size_t)prices->members * sizeof *first);
    first[0] = 0;
}

double tacit__duals_meet(tacit__duals *prices, uint16_t member)
{
    double fine = 0;
    for (int32_t i = prices->first[member]; i < prices->first[member + 1]; i++)
        if (++prices->met[prices->list[i]] == 2)
            fine += prices->fines[prices->list[i]];
    return fine;
}

void tacit__duals_part(tacit__duals *prices, uint16_t member)
{
    for (int32_t i = prices->first[member]; i < prices->first[member + 1]; i++)
        prices->met[prices->list[i]]--;
}

double tacit__cluster_worth(const tacit__clusters *clusters, int64_t cluster, tacit__duals *prices)
{
    const tacit__share *shares = clusters->shares + clusters->starts[cluster];
    int64_t count = clusters->starts[cluster + 1] - clusters->starts[cluster];
    double worth = -clusters->costs[cluster];
    for (int64_t i = 0; i < count; i++)
        worth += prices->of[shares[i].class_index] * shares[i].people;
    if (worth <= 0 || prices->triple_count == 0)
        return worth;
    for (int64_t i = 0; i < count; i++)
        worth -= tacit__duals_meet(prices, (uint16_t)shares[i].class_index);
    for (int64_t i = 0; i < count; i++)
        tacit__duals_part(prices, (uint16_t)shares[i].class_index);
    return worth;
}
