/*
 * bound.c - what any layout costs at least.
 *
 * Everybody costs as much as the cheapest box that holds him and k people, however
 * others are released: one walk through the boxes finds it for all. Prices make more of it
 * (prices.c). Where there are too many classes or boxes for that, a few nodes of
 * the lattice say less (bound_nodes.c).
 *
 * Where people have several rows, the people of a class are counted, and of several
 * classes their sum, which is never less than the people in them.
 */
#include "records/local/bound.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

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

/* All classes in one group. */
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
    tacit_status status = tacit__price_members(c->prices, c->best, &c->group, &c->walk, err);
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
