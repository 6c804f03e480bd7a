/*
 * offers.c - the boxes that the members of a group want.
 *
 * Each member looks for the cheapest box that holds it and k people of those who are left. People
 * with rows in several classes count once in a box: those of its members are gone through until k
 * are met.
 * One walk through the boxes (group.c) finds it for all: every member's best so far
 * rules out what costs more. The boxes found are offers; one is the better, the less it
 * costs those who want it above what they must pay anyhow.
 *
 * Costs the walk, and sorting members and offers; going through people costs as walking does.
 */
#include "records/local/improve.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"

/* Costs that differ by no more are equal. */
static const double TIE = 1e-12;

void tacit__offers_clear(tacit__offers *offers)
{
    tacit__walk_clear(&offers->walk);
    void *blocks[] = {offers->left,  offers->placed,  offers->list,   offers->best,
                      offers->want,  offers->wanting, offers->bests,  offers->all,
                      offers->rungs, offers->order,   offers->chosen, offers->met};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tacit__free(blocks[i]);
    *offers = (tacit__offers){0};
}

/* A new block in place of an old one, whose content does not matter. */
static bool renew(void **block, size_t count, size_t size)
{
    tacit__free(*block);
    *block = tacit__alloc_array(count, size);
    return *block;
}

static tacit_status reserve_members(tacit__offers *o, size_t count, tacit_error *err)
{
    if (count <= o->member_capacity)
        return TACIT_OK;
    o->member_capacity = 0;
    if (!renew((void **)&o->left, count, sizeof *o->left) ||
        !renew((void **)&o->placed, tacit__bitset_words((int64_t)count), sizeof *o->placed) ||
        !renew((void **)&o->list, count, sizeof *o->list) ||
        !renew((void **)&o->best, count, sizeof *o->best) ||
        !renew((void **)&o->want, count, sizeof *o->want) ||
        !renew((void **)&o->wanting, count, sizeof *o->wanting) ||
        !renew((void **)&o->bests, count, sizeof *o->bests) ||
        !renew((void **)&o->chosen, count, sizeof *o->chosen))
        return tacit__nomem(err);
    o->member_capacity = count;
    return TACIT_OK;
}

/* Whom countings have met; all forgotten before numbers come again. */
static tacit_status reserve_people(tacit__offers *o, tacit_error *err)
{
    if (!o->met && o->whose->starts) {
        o->met = tacit__alloc_zeroed(o->whose->persons, sizeof *o->met);
        if (!o->met)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

/* Nobody has been met. */
static void count_anew(tacit__offers *o)
{
    if (o->met && ++o->counts == UINT32_MAX) {
        memset(o->met, 0, o->whose->persons * sizeof *o->met);
        o->counts = 1;
    }
}

/* People of a member whom this counting has not met. */
static int64_t count_met(tacit__offers *o, uint16_t member)
{
    uint32_t class_index = o->group->members[member].class_index;
    int64_t people = 0;
    if (!o->met)
        return o->left[member];
    for (int64_t i = o->whose->starts[class_index]; i < o->whose->starts[class_index + 1]; i++) {
        uint32_t *last = &o->met[o->whose->person[i]];
        people += *last != o->counts;
        *last = o->counts;
    }
    return people;
}

/* Whether members are k people. What the walk adds up is never less. */
static bool are_enough(tacit__offers *o, tacit__walk *walk, const uint16_t *list, int64_t count)
{
    int64_t people = 0, i = 0;
    if (!o->met)
        return true;
    count_anew(o);
    while (i < count && people < o->k)
        people += count_met(o, list[i++]);
    walk->work += i;
    return people >= o->k;
}

tacit_status tacit__offers_start(tacit__offers *offers, const tacit__local_group *group,
                                 const tacit__whose *whose, tacit_error *err)
{
    offers->whose = whose;
    tacit_status status = reserve_members(offers, (size_t)group->count, err);
    if (status == TACIT_OK)
        status = reserve_people(offers, err);
    if (status != TACIT_OK)
        return status;
    offers->group = group;
    offers->k = group->local->k;
    offers->work = 0;
    memset(offers->placed, 0, tacit__bitset_words(group->count) * sizeof *offers->placed);
    for (int32_t i = 0; i < group->count; i++)
        offers->left[i] = group->members[i].people;
    return TACIT_OK;
}

int64_t tacit__offers_list(tacit__offers *offers)
{
    int64_t people = 0;
    offers->list_count = 0;
    for (int32_t i = 0; i < offers->group->count; i++)
        if (!tacit__bit_get(offers->placed, i)) {
            offers->list[offers->list_count++] = (uint16_t)i;
            people += offers->left[i];
        }
    return people;
}

/* Remembers the box that the walk is at. */
static tacit_status add_offer(tacit__offers *o, double cost)
{
    size_t count = (size_t)o->count, axes = (size_t)o->group->axes;
    if (!TACIT__RESERVE_ONE(o->all, o->room, count) ||
        !tacit__reserve((void **)&o->rungs, &o->rung_capacity, (count + 1) * axes, 1))
        return TACIT_NOMEM;
    o->all[count] = (tacit__local_offer){.cost = cost};
    if (axes > 0)
        memcpy(o->rungs + count * axes, o->walk.rung, axes);
    o->count++;
    return TACIT_OK;
}

/* A box is of interest while it holds k people and is cheaper for somebody than his best. */
static double enter_offer(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                          int32_t depth, double cost)
{
    tacit__offers *o = context;
    double below = tacit__walk_below(walk, o->best, list, count, depth, cost);
    if (cost < below && !are_enough(o, walk, list, count))
        return 0;
    if (cost >= below || depth < o->group->axes)
        return below;
    walk->status = add_offer(o, cost);
    for (int64_t i = 0; walk->status == TACIT_OK && i < count; i++)
        if (cost < o->best[list[i]]) {
            o->best[list[i]] = cost;
            o->want[list[i]] = (uint32_t)o->count - 1;
        }
    return below;
}

/* Members that are left look for their best boxes. */
static tacit_status look(tacit__offers *o, tacit_error *err)
{
    o->count = 0;
    for (int64_t i = 0; i < o->list_count; i++)
        o->best[o->list[i]] = INFINITY;
    o->walk.group = o->group;
    o->walk.people = o->left;
    o->walk.k = o->k;
    o->walk.enter = enter_offer;
    o->walk.context = o;
    o->walk.hurried = true; /* adult by entropy: 0.244 instead of 0.256 for the same work */
    o->walk.limit = o->limit - o->work;
    tacit_status status = tacit__walk_boxes(&o->walk, o->list, o->list_count, err);
    o->work += o->walk.work;
    return status;
}

/* Lists who wants each offer, and everybody by what his costs. */
static void list_wanting(tacit__offers *o)
{
    uint32_t at = 0;
    for (int64_t i = 0; i < o->list_count; i++) {
        uint16_t member = o->list[i];
        tacit__local_offer *offer = &o->all[o->want[member]];
        o->bests[i] = (tacit__local_ranked){o->best[member], member};
        offer->wanted++;
        offer->excess += offer->cost - (o->group->rest ? o->group->rest[member] : 0);
    }
    for (int64_t i = 0; i < o->count; i++) {
        o->all[i].from = at;
        at += o->all[i].wanted;
    }
    for (int64_t i = 0; i < o->list_count; i++)
        o->wanting[o->all[o->want[o->list[i]]].from++] = o->list[i];
    for (int64_t i = 0; i < o->count; i++)
        o->all[i].from -= o->all[i].wanted;
    tacit__local_rank(o->bests, o->list_count);
}

/* Offers that are wanted, in ascending order of their mean excess. */
static tacit_status rank(tacit__offers *o, tacit_error *err)
{
    list_wanting(o);
    if (!TACIT__RESERVE(o->order, o->order_capacity, o->count))
        return tacit__nomem(err);
    o->order_count = 0;
    for (int64_t i = 0; i < o->count; i++)
        if (o->all[i].wanted > 0)
            o->order[o->order_count++] =
                (tacit__local_ranked){o->all[i].excess / o->all[i].wanted, (uint32_t)i};
    tacit__local_rank(o->order, o->order_count);
    return TACIT_OK;
}

tacit_status tacit__offers_find(tacit__offers *offers, tacit_error *err)
{
    tacit_status status = look(offers, err);
    return status == TACIT_OK ? rank(offers, err) : status;
}

/* Whether an offer holds a member, as it holds another. */
static bool holds(const tacit__offers *o, uint32_t offer, uint16_t other, uint16_t member)
{
    const uint8_t *rungs = o->rungs + (size_t)offer * (size_t)o->group->axes;
    for (int32_t d = o->group->axes - 1; d >= 0; d--) {
        const uint16_t *value = o->group->axis[d].rung[rungs[d]].value;
        if (value[member] != value[other])
            return false;
    }
    return true;
}

/* The first of the members by cost whose best costs no less. */
static int64_t first_of_cost(const tacit__offers *o, double cost)
{
    int64_t low = 0, high = o->list_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (o->bests[middle].key < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Chooses a member, and says how many people have been chosen with it. */
static int64_t take(tacit__offers *o, uint16_t member, int64_t people)
{
    o->chosen[o->chosen_count++] = member;
    return people + count_met(o, member);
}

int64_t tacit__offers_choose(tacit__offers *offers, int64_t place)
{
    tacit__offers *o = offers;
    uint32_t index = o->order[place].index;
    const tacit__local_offer *offer = &o->all[index];
    int64_t people = 0;
    o->chosen_count = 0;
    count_anew(o);
    for (uint32_t i = offer->from; i < offer->from + offer->wanted; i++)
        if (!tacit__bit_get(o->placed, o->wanting[i]))
            people = take(o, o->wanting[i], people);
    o->eager = o->chosen_count;
    if (o->chosen_count == 0)
        return 0;
    for (int64_t i = first_of_cost(o, offer->cost - TIE);
         people < o->k && i < o->list_count && o->bests[i].key <= offer->cost; i++) {
        uint16_t member = (uint16_t)o->bests[i].index;
        if (o->want[member] != index && o->left[member] > 0 &&
            holds(o, index, o->chosen[0], member))
            people = take(o, member, people);
    }
    return people;
}

int64_t tacit__offers_choose_hardest(tacit__offers *offers, int64_t hardest)
{
    tacit__offers *o = offers;
    uint16_t first = (uint16_t)o->bests[o->list_count - 1 - hardest].index;
    uint32_t index = o->want[first];
    o->chosen_count = 0;
    count_anew(o);
    int64_t people = take(o, first, 0);
    o->eager = 1;
    for (int64_t i = o->list_count - 1; people < o->k && i >= 0; i--) {
        uint16_t member = (uint16_t)o->bests[i].index;
        if (member != first && o->bests[i].key <= o->all[index].cost && o->left[member] > 0 &&
            holds(o, index, first, member))
            people = take(o, member, people);
    }
    return people;
}
