/*
 * bound.c - what any layout costs at least.
 *
 * Everybody costs as much as the cheapest box that holds him and k people, however others are
 * released: one walk through the boxes finds it for all. Prices make more of it. Where there are
 * too many classes or boxes for that, a few nodes of the lattice and the nearest classes say less.
 *
 * Where people have several rows, the people of a class are counted, and of several classes their
 * sum, which is never less than the people in them.
 *
 * Nodes: a few of the lattice are counted. Who has fewer than k people with him on a node's levels
 * can be in no box that lies below it: his box is above the node in some attribute, and the
 * cheapest such step is the least that he costs. One node for a threshold of cost, then: on the
 * highest levels that cost no more by themselves. The thresholds that say most are those where the
 * node has about as many combinations of values as there are rows over k: below, nearly everybody
 * is alone, and above, nearly nobody.
 *
 * Costs one counting of the classes for each node, and a byte a class.
 *
 * Prices: let everybody pay a price for being released. If in no box with k people or more the k
 * highest prices add up to more than k times its cost, no way to put people into boxes costs less
 * than all prices together: every box that is used has k people, and what they pay does not exceed
 * what it costs. (This is the dual of the linear relaxation of the location problem: minimize the
 * costs of assignments, each box used having k.) The cheapest box of everybody is such a price, but
 * a poor one: somebody whose neighbours all have better company must pay for them to come.
 *
 * Better prices are found as in Lagrangian relaxation: boxes that are worth opening are collected
 * in a pool, and prices go up where no box of the pool is worth opening for somebody and down where
 * several are (subgradient steps; Held, Wolfe and Crowder 1974). Then a walk through all boxes
 * finds others that have become worth opening. The pool is only a guide: in the end one more walk
 * lowers prices until no box at all is worth it, so that the sum is a bound whatever happened
 * before.
 *
 * That last walk: a box whose k highest prices are too high by v lowers the price p of each member
 * by (v - g) / k, where g is how far p is below the k-th highest. Any k members then pay v less in
 * all than those k did. A price may end below 0: somebody who is paid to come makes up for somebody
 * who pays much.
 *
 * Costs a few walks, and time linear in the pool for each step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/vector.h"
#include "records/classes/classes.h"
#include "records/local/group.h"

/* ---- by nodes of the lattice ---- */

enum { MAX_NODES = 8, MAX_COUNTED = 20000000 };

/* Nodes that have been counted, the floor first. */
typedef struct nodes {
    const tacit__local *local;
    int levels[MAX_NODES][TACIT_MAX_ATTRIBUTES];
    int count;
    double *least;  /* a class each: what neighbours make it cost, or 0 */
    uint8_t *alone; /* a class each: bit a node where it has fewer than k people with it */
    double *sums;   /* a task each */
} nodes;

/* What levels cost, each once; the thresholds worth looking at are among them. */
static int list_thresholds(double *costs, const tacit__local *local)
{
    int count = 0, kept = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        for (int level = local->floor[a] + 1; level <= local->height[a]; level++)
            costs[count++] = local->level_cost[a][level];
    qsort(costs, (size_t)count, sizeof *costs, tacit__by_double);
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
    double wanted = (double)base->rows / (double)local->k;
    double *costs = tacit__alloc_array((size_t)local->attributes * TACIT_MAX_LEVELS, sizeof *costs);
    if (!costs)
        return tacit__nomem(err);
    int most = (int)(MAX_COUNTED / (base->groups.count + 1)), at = 0;
    most = most < 1 ? 1 : most > MAX_NODES - 1 ? MAX_NODES - 1 : most;
    memcpy(n->levels[0], local->floor, sizeof local->floor);
    for (int64_t c = 0; c < base->groups.count; c++)
        n->alone[c] = tacit_classes_people(base, c) < local->k;
    n->count = 1;
    int count = list_thresholds(costs, local);
    while (at < count && node_of(n->levels[1], local, costs[at]) > wanted)
        at++;
    at = at < most / 2 + 1 ? 0 : at - most / 2 - 1;
    tacit_status status = TACIT_OK;
    for (int i = 0; status == TACIT_OK && i < most && at + i < count; i++) {
        node_of(n->levels[n->count], local, costs[at + i]);
        status = count_node(n, err);
    }
    tacit__free(costs);
    return status;
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

static double least_class_cost(const nodes *n, int64_t class)
{
    const tacit__local *local = n->local;
    uint32_t codes[TACIT_MAX_ATTRIBUTES];
    double cost = 0, most = 0;
    tacit__classes_codes(codes, local->classes, class);
    for (int32_t a = 0; a < local->attributes; a++)
        cost += local->costs.of[a][local->floor[a]][codes[a]];
    for (int i = 0; i < n->count; i++) {
        double least = n->alone[class] >> i & 1 ? cheapest_step(local, codes, n->levels[i]) : 0;
        most = least > most ? least : most;
    }
    return fmax(cost + most, n->least[class]);
}

static tacit_status sum_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    nodes *n = context;
    int64_t count = n->local->classes->groups.count, size = tacit__task_items(count);
    int64_t end = (task + 1) * size < count ? (task + 1) * size : count;
    n->sums[task] = 0;
    for (int64_t c = task * size; c < end; c++)
        n->sums[task] += least_class_cost(n, c) * n->local->rows[c];
    return TACIT_OK;
}

tacit_status tacit__bound_by_nodes(double *bound, const tacit__local *local, tacit_error *err)
{
    int64_t count = local->classes->groups.count, tasks = tacit__tasks(count);
    nodes n = {.local = local};
    n.alone = tacit__alloc_array((size_t)count, sizeof *n.alone);
    n.sums = tacit__alloc_array((size_t)tasks, sizeof *n.sums);
    n.least = tacit__alloc_zeroed((size_t)count, sizeof *n.least);
    tacit_status status = n.alone && n.sums && n.least ? count_nodes(&n, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__neighbour_costs(n.least, local, err);
    if (status == TACIT_OK)
        status = tacit__parallel(local->run, "bound", tasks, sum_task, &n, err);
    double sum = 0;
    for (int64_t t = 0; status == TACIT_OK && t < tasks; t++)
        sum += n.sums[t];
    if (status == TACIT_OK)
        *bound = sum;
    tacit__free(n.alone);
    tacit__free(n.sums);
    tacit__free(n.least);
    return status;
}

/* ---- by prices ---- */

enum { ROUNDS = 8, STEPS = 30, POOL_PEOPLE = 4, POOL_MEMBERS = 16 };

static const double START = 1.3;    /* of the cheapest box */
static const double WORTH = 1e-7;   /* what a box must gain to be collected */
static const double MOMENTUM = 0.6; /* of the last step's direction */
static const double STRIDE = 0.2;   /* of the way to the goal */
static const double GOAL = 1.05;    /* of the best sum of this round */

/* A box of the pool; those of its members that matter. */
typedef struct pooled {
    double cost;
    uint64_t name;
    int64_t from; /* in the list of members */
    int32_t count;
} pooled;

typedef struct market {
    const tacit__local_group *group;
    tacit__walk *walk;
    int64_t k;
    double *prices;
    double *worst;    /* a member each: the most that a box gains in which it counts */
    uint32_t *guilty; /* that box, in the pool */
    double *slope;    /* how many of its people are not in a box yet */
    double *direction;
    uint16_t *list;
    pooled *pool;
    uint16_t *members;
    int64_t pool_count, pool_before, member_count;
    size_t pool_capacity, member_capacity;
    tacit__numbering names; /* of the boxes in the pool */
} market;

/* Units of a member that are among the k highest, `left` being looked for. */
static int64_t units(const market *m, uint16_t member, int64_t left)
{
    int64_t people = m->group->members[member].people;
    return people < left ? people : left;
}

/* Sum of the k highest prices of a list in descending order; *last is the k-th. */
static double highest(const market *m, const uint16_t *list, int64_t count, double *last)
{
    double sum = 0;
    int64_t left = m->k, i = 0;
    for (; i < count && left > 0; i++) {
        int64_t people = units(m, list[i], left);
        sum += (double)people * m->prices[list[i]];
        left -= people;
    }
    *last = m->prices[list[i - 1]];
    return sum;
}

/* The box that the walk is at, for which a member stands. Two boxes may have one name: then the
 * pool goes without one of them. */
static uint64_t name_of(const market *m, uint16_t member)
{
    uint64_t name = 1;
    for (int32_t d = 0; d < m->group->axes; d++) {
        int r = m->walk->rung[d];
        name = tacit__mix(name + (uint64_t)r * TACIT__GROUP_MEMBERS +
                          m->group->axis[d].rung[r].value[member]);
    }
    return name;
}

static tacit_status list_names(market *m, tacit_error *err)
{
    tacit__numbering_empty(&m->names);
    for (int64_t b = 0; b < m->pool_count; b++)
        if (tacit__numbering_add(&m->names, m->pool[b].name) == TACIT__NONE)
            return tacit__nomem(err);
    return TACIT_OK;
}

/* Puts a box into the pool with its first members, as many as could come to count. */
static tacit_status collect_box(market *m, const uint16_t *list, int64_t count, double cost)
{
    int64_t people = 0, taken = 0;
    while (taken < count && (people < POOL_PEOPLE * m->k || taken < POOL_MEMBERS))
        people += m->group->members[list[taken++]].people;
    if (!TACIT__RESERVE_ONE(m->pool, m->pool_capacity, m->pool_count) ||
        !TACIT__RESERVE(m->members, m->member_capacity, m->member_count + taken))
        return TACIT_NOMEM;
    memcpy(m->members + m->member_count, list, (size_t)taken * sizeof *list);
    m->pool[m->pool_count++] = (pooled){cost, name_of(m, list[0]), m->member_count, (int32_t)taken};
    m->member_count += taken;
    return TACIT_OK;
}

/* Collects a box if it gains more than any other for one of its k. */
static double enter_worth(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                          int32_t depth, double cost)
{
    market *m = context;
    double last, sum = highest(m, list, count, &last), gain = sum - (double)m->k * cost;
    bool any = false;
    if (depth == m->group->axes && gain > WORTH &&
        tacit__numbering_find(&m->names, name_of(m, list[0])) == TACIT__NONE) {
        for (int64_t i = 0; i < count && m->prices[list[i]] >= last; i++)
            if (gain > m->worst[list[i]]) {
                m->worst[list[i]] = gain;
                m->guilty[list[i]] = (uint32_t)m->pool_count;
                any = true;
            }
        if (any)
            walk->status = collect_box(m, list, count, cost);
    }
    return (sum - WORTH) / (double)m->k;
}

/* Notes how much lower the prices of a box have to be. */
static double enter_excess(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                           int32_t depth, double cost)
{
    market *m = context;
    (void)walk;
    double last, sum = highest(m, list, count, &last), excess = sum - (double)m->k * cost;
    for (int64_t i = 0; depth == m->group->axes && i < count; i++) {
        double price = m->prices[list[i]], gap = price < last ? last - price : 0;
        if (gap >= excess)
            break; /* prices descend */
        double lower = (excess - gap) / (double)m->k;
        if (lower > m->worst[list[i]])
            m->worst[list[i]] = lower;
    }
    return sum / (double)m->k;
}

static tacit_status sort_members(market *m, tacit_error *err)
{
    tacit__local_ranked *order = tacit__alloc_array((size_t)m->group->count, sizeof *order);
    if (!order)
        return tacit__nomem(err);
    for (int32_t i = 0; i < m->group->count; i++)
        order[i] = (tacit__local_ranked){-m->prices[i], (uint32_t)i};
    tacit__local_rank(order, m->group->count);
    for (int32_t i = 0; i < m->group->count; i++)
        m->list[i] = (uint16_t)order[i].index;
    tacit__free(order);
    return TACIT_OK;
}

static tacit_status survey(market *m, tacit__walk_enter enter, tacit_error *err)
{
    tacit_status status = sort_members(m, err);
    if (status != TACIT_OK)
        return status;
    memset(m->worst, 0, (size_t)m->group->count * sizeof *m->worst);
    m->walk->enter = enter;
    m->walk->context = m;
    return tacit__walk_boxes(m->walk, m->list, m->group->count, err);
}

/* Of the boxes just collected, only those stay that gain most for one of their k. */
static void sift_pool(market *m)
{
    int64_t kept = m->pool_before;
    for (int64_t b = m->pool_before; b < m->pool_count; b++) {
        const uint16_t *list = m->members + m->pool[b].from;
        bool guilty = false;
        for (int32_t i = 0; i < m->pool[b].count; i++)
            guilty |= m->worst[list[i]] > 0 && m->guilty[list[i]] == (uint32_t)b;
        if (guilty)
            m->pool[kept++] = m->pool[b];
    }
    m->pool_count = m->pool_before = kept;
}

/* Brings a box's members into descending order of prices, which they nearly are in. */
static void reorder(const market *m, uint16_t *list, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        uint16_t member = list[i];
        double price = m->prices[member];
        int32_t j = i;
        for (; j > 0 && m->prices[list[j - 1]] < price; j--)
            list[j] = list[j - 1];
        list[j] = member;
    }
}

/* Opens a box if it is worth it: then its people are in it, and the sum is less by what
 * it gains. */
static double open_pooled(market *m, const pooled *box)
{
    uint16_t *list = m->members + box->from;
    double last, gain = 0;
    reorder(m, list, box->count);
    if (highest(m, list, box->count, &last) <= (double)m->k * box->cost)
        return 0;
    int64_t left = m->k;
    for (int32_t i = 0; i < box->count; i++) {
        bool pays = m->prices[list[i]] > box->cost;
        int64_t people = pays ? m->group->members[list[i]].people : units(m, list[i], left);
        if (people <= 0)
            break;
        m->slope[list[i]] -= (double)people;
        gain += (double)people * (m->prices[list[i]] - box->cost);
        left = left > people ? left - people : 0;
    }
    return gain;
}

/* The sum that the prices are worth with the boxes of the pool, and its slope. */
static double evaluate(market *m)
{
    double sum = 0;
    for (int32_t i = 0; i < m->group->count; i++) {
        m->slope[i] = m->group->members[i].people;
        sum += m->slope[i] * m->prices[i];
    }
    for (int64_t b = 0; b < m->pool_count; b++)
        sum -= open_pooled(m, &m->pool[b]);
    return sum;
}

static void take_step(market *m, double distance)
{
    double norm = 0;
    for (int32_t i = 0; i < m->group->count; i++) {
        m->direction[i] = MOMENTUM * m->direction[i] + m->slope[i];
        norm += m->direction[i] * m->direction[i];
    }
    for (int32_t i = 0; norm > 0 && i < m->group->count; i++) {
        double price = m->prices[i] + distance / norm * m->direction[i];
        m->prices[i] = price > 0 ? price : 0;
    }
}

static void bargain(market *m)
{
    double best = 0;
    for (int step = 0; step < STEPS; step++) {
        double sum = evaluate(m);
        best = sum > best ? sum : best;
        take_step(m, STRIDE * (GOAL * best - sum));
    }
}

static void market_clear(market *m)
{
    tacit__free(m->worst);
    tacit__free(m->guilty);
    tacit__free(m->slope);
    tacit__free(m->direction);
    tacit__free(m->list);
    tacit__free(m->pool);
    tacit__free(m->members);
    tacit__numbering_clear(&m->names);
}

static tacit_status market_init(market *m, const double *least, tacit_error *err)
{
    size_t count = (size_t)m->group->count;
    m->worst = tacit__alloc_array(count, sizeof *m->worst);
    m->guilty = tacit__alloc_array(count, sizeof *m->guilty);
    m->slope = tacit__alloc_array(count, sizeof *m->slope);
    m->direction = tacit__alloc_zeroed(count, sizeof *m->direction);
    m->list = tacit__alloc_array(count, sizeof *m->list);
    if (!m->worst || !m->guilty || !m->slope || !m->direction || !m->list)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        m->prices[i] = START * least[i];
    return TACIT_OK;
}

/* Finds prices, then lowers them until no box is worth opening. The last walk takes
 * about as long as the one before it, and there must be room for it. */
static tacit_status trade(market *m, tacit_error *err)
{
    int64_t room = m->walk->limit, last = 0;
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK && round < ROUNDS && room > 3 * last; round++) {
        status = list_names(m, err);
        if (status == TACIT_OK)
            status = survey(m, enter_worth, err);
        if (status != TACIT_OK)
            return status;
        sift_pool(m);
        bargain(m);
        last = m->walk->work;
        room -= last;
    }
    status = survey(m, enter_excess, err);
    for (int32_t i = 0; status == TACIT_OK && i < m->group->count; i++)
        m->prices[i] -= m->worst[i];
    return status;
}

/* Prices of a group's members such that no box is worth opening, found from the least that each of
 * them costs; their sum over rows is a bound. TACIT_LIMIT where the walk's limit is too low. */
static tacit_status price_members(double *prices, const double *least,
                                  const tacit__local_group *group, tacit__walk *walk,
                                  tacit_error *err)
{
    market m = {.group = group, .walk = walk, .k = walk->k, .prices = prices};
    tacit_status status = market_init(&m, least, err);
    if (status == TACIT_OK)
        status = trade(&m, err);
    market_clear(&m);
    return status;
}

/* ---- by the cheapest box ---- */

enum { CHEAPEST_WORK = 300000000, PRICES_WORK = 180000000 };

/* What each class costs at least, above the group's base. */
typedef struct cheapest {
    const tacit__local *local;
    tacit__local_group group;
    tacit__walk walk;
    uint32_t *people;
    uint16_t *list;
    double *best;
    double *prices;
} cheapest;

/* A box is of interest while it is cheaper for somebody than his best. */
static double enter_cheaper(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                            int32_t depth, double cost)
{
    cheapest *c = context;
    double below = tacit__walk_below(walk, c->best, list, count, depth, cost);
    for (int64_t i = 0; depth == c->group.axes && i < count; i++)
        c->best[list[i]] = cost < c->best[list[i]] ? cost : c->best[list[i]];
    return below;
}

static tacit_status allocate(cheapest *c, tacit_error *err)
{
    size_t count = (size_t)c->local->classes->groups.count;
    c->people = tacit__alloc_array(count, sizeof *c->people);
    c->list = tacit__alloc_array(count, sizeof *c->list);
    c->best = tacit__alloc_array(count, sizeof *c->best);
    c->prices = tacit__alloc_array(count, sizeof *c->prices);
    if (!c->people || !c->list || !c->best || !c->prices)
        return tacit__nomem(err);
    return tacit__group_init(&c->group, c->local, err);
}

static tacit_status gather(cheapest *c, tacit_error *err)
{
    tacit_status status = allocate(c, err);
    int64_t count = c->local->classes->groups.count;
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        c->people[i] = (uint32_t)tacit_classes_people(c->local->classes, i);
        c->list[i] = (uint16_t)i;
        c->best[i] = INFINITY;
        status = tacit__group_add(&c->group, (tacit__share){(uint32_t)i, c->people[i]}, err);
    }
    if (status == TACIT_OK)
        status = tacit__group_close(&c->group, err);
    c->walk.group = &c->group;
    c->walk.people = c->people;
    c->walk.k = c->local->k;
    c->walk.run = c->local->run;
    c->walk.phase = "bound";
    return status;
}

static double over_rows(const cheapest *c, const double *costs)
{
    double sum = c->group.base * (double)c->local->classes->rows;
    for (int64_t i = 0; i < c->local->classes->groups.count; i++)
        sum += costs[i] * c->local->rows[i];
    return sum;
}

/* The cheapest box of each class, and what it costs all rows. */
static tacit_status find_cheapest(double *bound, cheapest *c, tacit_error *err)
{
    tacit_status status = gather(c, err);
    if (status != TACIT_OK)
        return status;
    c->walk.enter = enter_cheaper;
    c->walk.context = c;
    c->walk.limit = CHEAPEST_WORK;
    status = tacit__walk_boxes(&c->walk, c->list, c->group.count, err);
    if (status == TACIT_OK)
        *bound = over_rows(c, c->best);
    return status;
}

/* Prices are for tables where rows are people, and for costs that begin at the same. */
static tacit_status raise_by_prices(double *bound, cheapest *c, tacit_error *err)
{
    if (c->local->frame->person >= 0 || c->group.rest)
        return TACIT_OK;
    c->walk.limit = PRICES_WORK;
    tacit_status status = price_members(c->prices, c->best, &c->group, &c->walk, err);
    double priced = status == TACIT_OK ? over_rows(c, c->prices) : 0;
    *bound = priced > *bound ? priced : *bound;
    return status == TACIT_LIMIT ? TACIT_OK : status;
}

tacit_status tacit__local_bound(double *bound, int64_t *boxes, const tacit__local *local,
                                tacit_error *err)
{
    cheapest c = {.local = local};
    *bound = NAN;
    tacit_status status = TACIT_LIMIT;
    if (local->classes->groups.count <= TACIT__GROUP_MEMBERS)
        status = find_cheapest(bound, &c, err);
    if (status == TACIT_OK)
        status = raise_by_prices(bound, &c, err);
    else if (status == TACIT_LIMIT)
        status = tacit__bound_by_nodes(bound, local, err);
    *boxes = c.walk.boxes;
    tacit__group_clear(&c.group);
    tacit__walk_clear(&c.walk);
    tacit__free(c.people);
    tacit__free(c.list);
    tacit__free(c.best);
    tacit__free(c.prices);
    return status;
}
