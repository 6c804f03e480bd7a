/*
 * price.c - which clusters are worth opening at given prices.
 *
 * In a box, a cluster gains each person's price less what a row of the box costs, and
 * loses the fines of the triples of which it has two. Without fines the best cluster is
 * plain: everybody who gains, and of the others those who lose least until there are k. With
 * fines it is looked for: members in descending order of gain are taken one after
 * the other, and what is left of the list bounds what can still be gained. The same search lists
 * all clusters that are worth more than a given amount.
 *
 * Linear in the boxes' members, and in the steps of the searches, which are few where few
 * triples have fines: a search that takes too many is given up, and its plain bound kept.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/optimal/optimal.h"

enum {
    BOX_STEPS = 200000,     /* of a search for the best cluster of a box */
    MAX_LISTED = 300000,    /* clusters */
    LIST_STEPS = 200000000, /* of the search for them, */
    LIST_TRIES = 6,         /* which asks for less where that is not enough */
    ASK_EVERY = 256         /* boxes */
};

typedef struct seeker seeker;

struct seeker {
    const tacit__problem *problem;
    tacit__duals *prices;
    double box_cost;
    uint16_t *members; /* of the box, in descending order of prices */
    int64_t count;
    double *gains;        /* the same */
    tacit__share *chosen; /* the cluster that is being put together */
    int64_t chosen_count;
    int64_t max_people;    /* of a cluster */
    bool larger;           /* clusters of more than k who lose are of interest too */
    double above;          /* what a cluster must be worth more than */
    int64_t steps, budget; /* of this search */
    tacit_status status;
    void (*offer)(seeker *s, double worth);
    void *context;
};

static int64_t people_at(const seeker *s, int64_t at)
{
    return s->problem->local->people[s->members[at]];
}

/* What a cluster that has `people` and is worth `worth` can be worth at most with somebody from
 * `at` on; -INFINITY: there are not k. */
static double most_worth(seeker *s, int64_t at, int64_t people, double worth)
{
    int64_t need = s->problem->local->k - people, i = at;
    if (s->larger && need <= 0 && s->gains[at] <= 0)
        return worth + s->gains[at];
    for (; i < s->count && (need > 0 || s->gains[i] > 0); i++) {
        int64_t here = people_at(s, i);
        if (s->gains[i] <= 0 && here > need)
            here = need;
        worth += (double)here * s->gains[i];
        need -= here;
    }
    s->steps += i - at + 1;
    return need > 0 ? -INFINITY : worth;
}

static void extend(seeker *s, int64_t at, int64_t people, double worth);

/* With some of the people of a member. */
static void take_member(seeker *s, int64_t at, int64_t people, double worth)
{
    int64_t room = s->max_people - people, most = people_at(s, at);
    double fine = tacit__duals_meet(s->prices, s->members[at]);
    most = most < room ? most : room;
    s->chosen_count++;
    for (int64_t taken = most; taken > 0 && s->status == TACIT_OK; taken--) {
        double now = worth + (double)taken * s->gains[at] - fine;
        s->chosen[s->chosen_count - 1] = (tacit__share){s->members[at], (uint32_t)taken};
        if (people + taken >= s->problem->local->k && now > s->above)
            s->offer(s, now);
        extend(s, at + 1, people + taken, now);
    }
    s->chosen_count--;
    tacit__duals_part(s->prices, s->members[at]);
}

/* Tries everybody from `at` on as the next in the cluster. */
static void extend(seeker *s, int64_t at, int64_t people, double worth)
{
    for (; at < s->count && people < s->max_people && s->status == TACIT_OK; at++) {
        if (most_worth(s, at, people, worth) <= s->above)
            return;
        if (s->steps > s->budget)
            s->status = TACIT_LIMIT;
        take_member(s, at, people, worth);
    }
}

/* Sorts a box's members, which nearly are in order since the last time. */
static void go_to_box(seeker *s, int64_t box)
{
    const tacit__closed *closed = &s->problem->closed;
    uint16_t *members = s->members = closed->members + closed->starts[box];
    const double *price = s->prices->of;
    s->count = closed->starts[box + 1] - closed->starts[box];
    s->box_cost = closed->costs[box];
    for (int64_t i = 1; i < s->count; i++) {
        uint16_t member = members[i];
        int64_t j = i;
        for (; j > 0 && (price[members[j - 1]] < price[member] ||
                         (price[members[j - 1]] == price[member] && members[j - 1] > member));
             j--)
            members[j] = members[j - 1];
        members[j] = member;
    }
    for (int64_t i = 0; i < s->count; i++)
        s->gains[i] = price[members[i]] - s->box_cost;
}

static tacit_status seeker_init(seeker *s, tacit__problem *problem, tacit__duals *prices,
                                tacit_error *err)
{
    size_t members = (size_t)prices->members;
    *s = (seeker){.problem = problem, .prices = prices};
    s->gains = tacit__alloc_array(members, sizeof *s->gains);
    s->chosen = tacit__alloc_array(members, sizeof *s->chosen);
    return s->gains && s->chosen ? TACIT_OK : tacit__nomem(err);
}

static void seeker_clear(seeker *s)
{
    tacit__free(s->gains);
    tacit__free(s->chosen);
}

static int by_member(const void *a, const void *b)
{
    const tacit__share *x = a, *y = b;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

/* Notes some people of the box as a cluster; they are sorted. */
static tacit_status note_cluster(tacit__priced *out, const seeker *s, tacit__share *shares,
                                 int64_t count, double worth)
{
    qsort(shares, (size_t)count, sizeof *shares, by_member);
    if (!TACIT__RESERVE_ONE(out->worth, out->worth_capacity, out->clusters.count))
        return TACIT_NOMEM;
    out->worth[out->clusters.count] = worth;
    return tacit__clusters_add(&out->clusters, shares, count,
                               s->box_cost * (double)tacit__shares_people(shares, count), NULL);
}

void tacit__priced_clear(tacit__priced *priced)
{
    tacit__clusters_clear(&priced->clusters);
    tacit__free(priced->worth);
    *priced = (tacit__priced){0};
}

/* ---- the best cluster of each box ---- */

typedef struct best {
    tacit__share *shares;
    int64_t count;
} best;

static void offer_best(seeker *s, double worth)
{
    best *b = s->context;
    s->above = worth;
    b->count = s->chosen_count;
    memcpy(b->shares, s->chosen, (size_t)s->chosen_count * sizeof *s->chosen);
}

/* The best cluster of a box, unless it is worth nothing. */
static tacit_status price_box(tacit__pricing *out, seeker *s, tacit_error *err)
{
    best *b = s->context;
    double plain = most_worth(s, 0, 0, 0);
    if (plain <= TACIT__CLUSTER_WORTH)
        return TACIT_OK;
    s->above = TACIT__CLUSTER_WORTH;
    s->steps = 0;
    s->status = TACIT_OK;
    b->count = 0;
    extend(s, 0, 0, 0);
    double most = s->status == TACIT_OK ? s->above : plain;
    out->most = most > out->most ? most : out->most;
    out->sum += most;
    if (b->count > 0 && note_cluster(&out->found, s, b->shares, b->count, s->above) != TACIT_OK)
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__price_boxes(tacit__pricing *out, tacit__problem *problem, tacit__duals *prices,
                                tacit_error *err)
{
    seeker s;
    best b = {.shares = tacit__alloc_array((size_t)prices->members, sizeof *b.shares)};
    tacit_status status = seeker_init(&s, problem, prices, err);
    if (status == TACIT_OK && !b.shares)
        status = tacit__nomem(err);
    s.offer = offer_best;
    s.context = &b;
    s.budget = BOX_STEPS;
    s.max_people = INT64_MAX;
    out->found.clusters.count = 0;
    out->most = TACIT__CLUSTER_WORTH;
    out->sum = TACIT__CLUSTER_WORTH * (double)problem->closed.count;
    for (int64_t box = 0; status == TACIT_OK && box < problem->closed.count; box++) {
        go_to_box(&s, box);
        status = price_box(out, &s, err);
        if (status == TACIT_OK && box % ASK_EVERY == 0)
            status = tacit__progress(problem->local->run, "prices", box, 0, err);
    }
    tacit__free(b.shares);
    seeker_clear(&s);
    return status;
}

/* ---- all clusters that are worth something ---- */

typedef struct list {
    tacit__priced pool;
    tacit__share *sorted;
    uint16_t *members;
} list;

/* Keeps those worth most, in descending order: `kept` of them, or fewer where that many are
 * worth the same. *next is what the first of the others is worth. */
static tacit_status keep_best(list *l, int64_t kept, double *next)
{
    int64_t count = l->pool.clusters.count;
    tacit__clusters *all = &l->pool.clusters, kept_ones = {0};
    tacit__ranked_cluster *order = tacit__alloc_array((size_t)count + 1, sizeof *order);
    if (!order)
        return TACIT_NOMEM;
    for (int64_t i = 0; i < count; i++)
        order[i] = (tacit__ranked_cluster){l->pool.worth[i], i};
    tacit__rank_clusters(order, count);
    while (kept > 0 && kept < count && order[kept - 1].value == order[kept].value)
        kept--;
    if (kept < count)
        *next = order[kept].value;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < kept; i++) {
        int64_t c = order[i].cluster, from = all->starts[c];
        l->pool.worth[i] = order[i].value;
        status = tacit__clusters_add(&kept_ones, all->shares + from, all->starts[c + 1] - from,
                                     all->costs[c], NULL);
    }
    tacit__clusters_clear(all);
    *all = kept_ones;
    tacit__free(order);
    return status;
}

/* Whether this box is the smallest around the cluster: otherwise it is listed there. */
static bool belongs_here(const seeker *s, list *l)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    for (int64_t i = 0; i < s->chosen_count; i++)
        l->members[i] = (uint16_t)s->chosen[i].class_index;
    double cost = tacit__group_span(levels, &s->problem->group, l->members, s->chosen_count);
    return cost >= s->box_cost - 1e-12;
}

static void offer_all(seeker *s, double worth)
{
    list *l = s->context;
    if (!belongs_here(s, l))
        return;
    if (l->pool.clusters.count == MAX_LISTED)
        s->status = keep_best(l, MAX_LISTED / 2, &s->above);
    if (s->status != TACIT_OK || worth <= s->above)
        return;
    memcpy(l->sorted, s->chosen, (size_t)s->chosen_count * sizeof *s->chosen);
    s->status = note_cluster(&l->pool, s, l->sorted, s->chosen_count, worth);
}

static tacit_status list_all(seeker *s, list *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t box = 0; status == TACIT_OK && box < s->problem->closed.count; box++) {
        go_to_box(s, box);
        extend(s, 0, 0, 0);
        status = s->status == TACIT_NOMEM ? tacit__nomem(err) : s->status;
        if (status == TACIT_OK && box % ASK_EVERY == 0)
            status =
                tacit__progress(s->problem->local->run, "clusters", l->pool.clusters.count, 0, err);
    }
    return status;
}

/* Lists them all, within the steps that are granted. */
static tacit_status list_within(seeker *s, list *l, double gap, tacit_error *err)
{
    s->above = -gap;
    s->steps = 0;
    s->status = TACIT_OK;
    l->pool.clusters.count = 0;
    tacit_status status = list_all(s, l, err);
    if (status == TACIT_OK && keep_best(l, l->pool.clusters.count, &s->above) != TACIT_OK)
        status = tacit__nomem(err);
    return status;
}

tacit_status tacit__price_pool(tacit__priced *out, double *gap, tacit__problem *problem,
                               tacit__duals *prices, tacit_error *err)
{
    seeker s;
    list l = {.sorted = tacit__alloc_array((size_t)prices->members, sizeof *l.sorted),
              .members = tacit__alloc_array((size_t)prices->members, sizeof *l.members)};
    tacit_status status = seeker_init(&s, problem, prices, err);
    if (status == TACIT_OK && (!l.sorted || !l.members))
        status = tacit__nomem(err);
    s.offer = offer_all;
    s.context = &l;
    s.budget = LIST_STEPS;
    s.max_people = 2 * problem->local->k - 1;
    s.larger = true;
    if (status == TACIT_OK)
        status = list_within(&s, &l, *gap, err);
    for (int tries = 0; status == TACIT_LIMIT && tries < LIST_TRIES; tries++)
        status = list_within(&s, &l, *gap /= 2, err);
    if (status == TACIT_OK)
        *out = l.pool;
    else
        tacit__priced_clear(&l.pool);
    *gap = -s.above;
    tacit__free(l.sorted);
    tacit__free(l.members);
    seeker_clear(&s);
    return status;
}
