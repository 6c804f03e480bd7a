/*
 * local_pack.c - packing a group of shares into boxes, the cheapest boxes first.
 *
 * Each member looks for the cheapest box that holds it and k people of those who are left.
 * In ascending order of cost, boxes whose members want them and are k people are
 * opened; then those who are left look again, among themselves. The cheapest box of
 * all is wanted by everybody in it, so each round opens one at least, and in
 * practice most. Fewer than k who are left in the end join the boxes where they
 * cost least. Who comes last pays most; so, for a change, one of those with
 * the dearest boxes can be served first, with the company that loses least by it.
 *
 * A round is one walk through the boxes (local_walk.c), in which every member's best so
 * far rules out what costs more. Then each box is shrunk to its members.
 */
#include "records/local_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"

/* Costs that differ by no more are equal. */
static const double TIE = 1e-12;

tacit_status tacit__packer_init(tacit__packer *packer, const tacit__local *local, tacit_error *err)
{
    *packer = (tacit__packer){.local = local};
    tacit_status status = tacit__group_init(&packer->group, local, err);
    if (status == TACIT_OK && local->models)
        status = tacit__models_scratch_new(&packer->scratch, local->models, err);
    if (status != TACIT_OK)
        tacit__packer_clear(packer);
    return status;
}

void tacit__packer_clear(tacit__packer *packer)
{
    tacit__group_clear(&packer->group);
    tacit__walk_clear(&packer->walk);
    tacit__models_scratch_free(packer->scratch);
    tacit__free(packer->best);
    tacit__free(packer->want);
    tacit__free(packer->left);
    tacit__free(packer->placed);
    tacit__free(packer->list);
    tacit__free(packer->wanting);
    tacit__free(packer->bests);
    tacit__free(packer->chosen);
    tacit__free(packer->classes);
    tacit__free(packer->offers);
    tacit__free(packer->offer_rungs);
    tacit__free(packer->order);
    tacit__free(packer->placings);
    tacit__free(packer->boxes);
    tacit__free(packer->box_rungs);
    *packer = (tacit__packer){0};
}

/* A new block in place of an old one, whose content does not matter. */
static bool renew(void **block, size_t count, size_t size)
{
    tacit__free(*block);
    *block = tacit__alloc_array(count, size);
    return *block;
}

static tacit_status make_room(tacit__packer *p, tacit_error *err)
{
    size_t count = (size_t)p->group.count, words = tacit__bitset_words(p->group.count);
    if (count <= p->member_room)
        return TACIT_OK;
    p->member_room = 0;
    if (!renew((void **)&p->best, count, sizeof *p->best) ||
        !renew((void **)&p->want, count, sizeof *p->want) ||
        !renew((void **)&p->left, count, sizeof *p->left) ||
        !renew((void **)&p->placed, words, sizeof *p->placed) ||
        !renew((void **)&p->list, count, sizeof *p->list) ||
        !renew((void **)&p->wanting, count, sizeof *p->wanting) ||
        !renew((void **)&p->bests, count, sizeof *p->bests) ||
        !renew((void **)&p->chosen, count, sizeof *p->chosen) ||
        !renew((void **)&p->classes, count, sizeof *p->classes))
        return tacit__nomem(err);
    p->member_room = count;
    return TACIT_OK;
}

/* Remembers the box that the walk is at. */
static tacit_status add_offer(tacit__packer *p, double cost)
{
    size_t count = (size_t)p->offer_count, axes = (size_t)p->group.axes;
    if (!tacit__reserve((void **)&p->offers, &p->offer_room, count + 1, sizeof *p->offers) ||
        !tacit__reserve((void **)&p->offer_rungs, &p->offer_rung_room, (count + 1) * axes, 1))
        return TACIT_NOMEM;
    p->offers[count] = (tacit__offer){.cost = cost};
    if (axes > 0)
        memcpy(p->offer_rungs + count * axes, p->walk.rung, axes);
    p->offer_count++;
    return TACIT_OK;
}

/* A box is of interest while it is cheaper for somebody than his best. */
static double enter(void *context, tacit__walk *walk, const uint16_t *list, int64_t count,
                    int32_t depth, double cost)
{
    tacit__packer *p = context;
    const double *rest = tacit__group_behind(&p->group, depth);
    double below = 0;
    for (int64_t i = 0; i < count; i++) {
        double most = p->best[list[i]] - (rest ? rest[list[i]] : 0);
        below = most > below ? most : below;
    }
    if (cost >= below || depth < p->group.axes)
        return below;
    walk->status = add_offer(p, cost);
    for (int64_t i = 0; walk->status == TACIT_OK && i < count; i++)
        if (cost < p->best[list[i]]) {
            p->best[list[i]] = cost;
            p->want[list[i]] = (uint32_t)p->offer_count - 1;
        }
    return below;
}

/* Members that are left look for their best boxes. */
static tacit_status look(tacit__packer *p, tacit_error *err)
{
    p->offer_count = 0;
    for (int64_t i = 0; i < p->list_count; i++)
        p->best[p->list[i]] = INFINITY;
    p->walk.group = &p->group;
    p->walk.people = p->left;
    p->walk.k = p->local->k;
    p->walk.enter = enter;
    p->walk.context = p;
    p->walk.limit = p->limit - p->work;
    tacit_status status = tacit__walk_boxes(&p->walk, p->list, p->list_count, err);
    p->work += p->walk.work;
    return status == TACIT_NOMEM ? tacit__nomem(err) : status;
}

static int by_key(const void *a, const void *b)
{
    const tacit__ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Lists who wants each offer, and everybody by what his costs. */
static void list_wanting(tacit__packer *p)
{
    uint32_t at = 0;
    for (int64_t i = 0; i < p->list_count; i++) {
        uint16_t member = p->list[i];
        tacit__offer *offer = &p->offers[p->want[member]];
        p->bests[i] = (tacit__ranked){p->best[member], member};
        offer->wanted++;
        offer->key += offer->cost - (p->group.rest ? p->group.rest[member] : 0);
    }
    for (int64_t o = 0; o < p->offer_count; o++) {
        p->offers[o].from = at;
        at += p->offers[o].wanted;
    }
    for (int64_t i = 0; i < p->list_count; i++)
        p->wanting[p->offers[p->want[p->list[i]]].from++] = p->list[i];
    for (int64_t o = 0; o < p->offer_count; o++)
        p->offers[o].from -= p->offers[o].wanted;
    qsort(p->bests, (size_t)p->list_count, sizeof *p->bests, by_key);
}

/* The first of the members by cost whose best costs no less. */
static int64_t first_of_cost(const tacit__packer *p, double cost)
{
    int64_t low = 0, high = p->list_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (p->bests[middle].key < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Offers in ascending order of what they cost their members above the least that
 * these must pay. */
static tacit_status rank_offers(tacit__packer *p, tacit_error *err)
{
    list_wanting(p);
    if (!tacit__reserve((void **)&p->order, &p->order_room, (size_t)p->offer_count,
                        sizeof *p->order))
        return tacit__nomem(err);
    p->order_count = 0;
    for (int64_t o = 0; o < p->offer_count; o++)
        if (p->offers[o].wanted > 0)
            p->order[p->order_count++] =
                (tacit__ranked){p->offers[o].key / p->offers[o].wanted, (uint32_t)o};
    qsort(p->order, (size_t)p->order_count, sizeof *p->order, by_key);
    return TACIT_OK;
}

/* Whether an offer holds a member, as it holds another. */
static bool holds(const tacit__packer *p, uint32_t offer, uint16_t other, uint16_t member)
{
    const uint8_t *rungs = p->offer_rungs + (size_t)offer * (size_t)p->group.axes;
    for (int32_t d = p->group.axes - 1; d >= 0; d--) {
        const uint16_t *value = p->group.axis[d].rung[rungs[d]].value;
        if (value[member] != value[other])
            return false;
    }
    return true;
}

/* Chooses who wants an offer and, where these are too few, others for whom it is as good as
 * what they want. Returns the people. */
static int64_t choose(tacit__packer *p, uint32_t o)
{
    const tacit__offer *offer = &p->offers[o];
    int64_t people = 0;
    p->chosen_count = 0;
    for (uint32_t i = offer->from; i < offer->from + offer->wanted; i++)
        if (!tacit__bit_get(p->placed, p->wanting[i])) {
            p->chosen[p->chosen_count++] = p->wanting[i];
            people += p->left[p->wanting[i]];
        }
    p->eager = p->chosen_count;
    if (p->chosen_count == 0 || people >= p->local->k)
        return people;
    for (int64_t i = first_of_cost(p, offer->cost - TIE);
         people < p->local->k && i < p->list_count && p->bests[i].key <= offer->cost; i++) {
        uint16_t member = (uint16_t)p->bests[i].index;
        if (p->want[member] == o || p->left[member] == 0 || !holds(p, o, p->chosen[0], member))
            continue;
        p->chosen[p->chosen_count++] = member;
        people += p->left[member];
    }
    return people;
}

/* Chooses a member and those who lose least by going with it where it wants. Returns the
 * people. */
static int64_t choose_for(tacit__packer *p, uint16_t member)
{
    uint32_t o = p->want[member];
    int64_t people = p->left[member];
    p->chosen[0] = member;
    p->chosen_count = p->eager = 1;
    for (int64_t i = p->list_count - 1; people < p->local->k && i >= 0; i--) {
        uint16_t other = (uint16_t)p->bests[i].index;
        if (other == member || p->bests[i].key > p->offers[o].cost || p->left[other] == 0 ||
            !holds(p, o, member, other))
            continue;
        p->chosen[p->chosen_count++] = other;
        people += p->left[other];
    }
    return people;
}

static tacit_status open_box(tacit__packer *p, uint16_t first, tacit_error *err)
{
    size_t count = (size_t)p->box_count, axes = (size_t)p->group.axes;
    if (!tacit__reserve((void **)&p->boxes, &p->box_room, count + 1, sizeof *p->boxes) ||
        !tacit__reserve((void **)&p->box_rungs, &p->box_rung_room, (count + 1) * axes, 1))
        return tacit__nomem(err);
    p->boxes[count] = (tacit__new_box){.first = first};
    if (axes > 0)
        memset(p->box_rungs + count * axes, 0, axes);
    p->box_count++;
    return TACIT_OK;
}

/* Puts people of a member into a box, which grows around it. */
static tacit_status place(tacit__packer *p, uint16_t member, uint32_t people, uint32_t box,
                          tacit_error *err)
{
    tacit__share share = {p->group.members[member].class_index, people};
    uint8_t *rungs = p->box_rungs + (size_t)box * (size_t)p->group.axes;
    if (!tacit__reserve((void **)&p->placings, &p->placing_room, (size_t)p->placing_count + 1,
                        sizeof *p->placings))
        return tacit__nomem(err);
    p->placings[p->placing_count++] = (tacit__placing){box, people, member};
    p->boxes[box].placings++;
    p->boxes[box].rows += tacit__share_rows(p->local, share);
    for (int32_t d = 0; d < p->group.axes; d++) {
        const tacit__rung *rung = p->group.axis[d].rung;
        while (rung[rungs[d]].value[member] != rung[rungs[d]].value[p->boxes[box].first])
            rungs[d]++;
    }
    p->left[member] -= people;
    if (p->left[member] == 0)
        tacit__bit_set(p->placed, member);
    return TACIT_OK;
}

/* The box around the members chosen keeps the models. */
static tacit_status ask_models(bool *keeps, tacit__packer *p, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    tacit__group_span(levels, &p->group, p->chosen, p->chosen_count);
    for (int64_t i = 0; i < p->chosen_count; i++)
        p->classes[i] = p->group.members[p->chosen[i]].class_index;
    for (int32_t a = 0; a < p->local->attributes; a++)
        numbers[a] = tacit__local_number(p->local, p->classes[0], a, levels[a]);
    return tacit__models_hold_in(keeps, p->local->models, p->scratch, p->classes, p->chosen_count,
                                 levels, numbers, err);
}

/* Opens a box for the members chosen, who are `people`, if these are enough. The eager come
 * with all of theirs, others only with as many as it needs. */
static tacit_status open_for_chosen(tacit__packer *p, int64_t people, tacit_error *err)
{
    bool keeps = people >= p->local->k;
    int64_t missing = p->local->k;
    tacit_status status = TACIT_OK;
    if (keeps && p->local->models)
        status = ask_models(&keeps, p, err);
    if (status != TACIT_OK || !keeps)
        return status;
    status = open_box(p, p->chosen[0], err);
    for (int64_t i = 0; status == TACIT_OK && i < p->chosen_count; i++) {
        uint32_t some = p->left[p->chosen[i]];
        if (i >= p->eager && !p->local->whole && some > missing)
            some = (uint32_t)missing;
        status = place(p, p->chosen[i], some, (uint32_t)p->box_count - 1, err);
        missing = missing > some ? missing - some : 0;
    }
    return status;
}

/* Lists the members that are left; returns their people. */
static int64_t list_left(tacit__packer *p)
{
    int64_t people = 0;
    p->list_count = 0;
    for (int32_t i = 0; i < p->group.count; i++)
        if (!tacit__bit_get(p->placed, i)) {
            p->list[p->list_count++] = (uint16_t)i;
            people += p->left[i];
        }
    return people;
}

/* Serves one of the hardest to place before all others. */
static tacit_status serve_hardest(tacit__packer *p, tacit_error *err)
{
    if (p->hardest < 0 || list_left(p) < p->local->k || p->hardest >= p->list_count)
        return TACIT_OK;
    tacit_status status = look(p, err);
    if (status == TACIT_OK)
        status = rank_offers(p, err);
    if (status != TACIT_OK)
        return status;
    uint16_t member = (uint16_t)p->bests[p->list_count - 1 - p->hardest].index;
    return open_for_chosen(p, choose_for(p, member), err);
}

/* Opens boxes round after round until nobody is left who could be in one. */
static tacit_status open_boxes(tacit__packer *p, tacit_error *err)
{
    tacit_status status = serve_hardest(p, err);
    for (int64_t before = -1;
         status == TACIT_OK && list_left(p) >= p->local->k && p->box_count > before;) {
        before = p->box_count;
        status = look(p, err);
        if (status == TACIT_OK)
            status = rank_offers(p, err);
        for (int64_t i = 0; status == TACIT_OK && i < p->order_count; i++)
            status = open_for_chosen(p, choose(p, p->order[i].index), err);
    }
    return status;
}

/* What a row of a box costs, with one more member in it or (-1) without. */
static double box_cost(const tacit__packer *p, int64_t box, int32_t member)
{
    const uint8_t *rungs = p->box_rungs + (size_t)box * (size_t)p->group.axes;
    double cost = p->group.base;
    for (int32_t d = 0; d < p->group.axes; d++) {
        const tacit__rung *rung = &p->group.axis[d].rung[rungs[d]];
        uint16_t first = p->boxes[box].first;
        while (member >= 0 && rung->value[member] != rung->value[first])
            rung++;
        cost += rung->cost[rung->value[first]];
    }
    return cost;
}

/* Puts the members that are left where they cost least. */
static tacit_status join_boxes(tacit__packer *p, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < p->list_count; i++) {
        uint16_t member = p->list[i];
        double rows = tacit__share_rows(
            p->local, (tacit__share){p->group.members[member].class_index, p->left[member]});
        double least = INFINITY;
        int64_t best = 0;
        for (int64_t b = 0; b < p->box_count; b++) {
            double more = (p->boxes[b].rows + rows) * box_cost(p, b, member) -
                          p->boxes[b].rows * box_cost(p, b, -1);
            if (more < least) {
                least = more;
                best = b;
            }
        }
        status = place(p, member, p->left[member], (uint32_t)best, err);
        tacit__bit_set(p->placed, member);
    }
    return status;
}

/* Sorts the placings by box. */
static tacit_status sort_placings(tacit__packer *p, tacit_error *err)
{
    tacit__placing *sorted = tacit__alloc_array((size_t)p->placing_count, sizeof *sorted);
    uint32_t at = 0;
    if (!sorted)
        return tacit__nomem(err);
    for (int64_t b = 0; b < p->box_count; b++) {
        uint32_t count = p->boxes[b].placings;
        p->boxes[b].placings = at;
        at += count;
    }
    for (int64_t i = 0; i < p->placing_count; i++)
        sorted[p->boxes[p->placings[i].box].placings++] = p->placings[i];
    tacit__free(p->placings);
    p->placings = sorted;
    p->placing_room = (size_t)p->placing_count;
    return TACIT_OK;
}

/* Whether the boxes keep the models, now that some have been joined. */
static tacit_status ask_again(bool *keeps, tacit__packer *p, tacit_error *err)
{
    int64_t at = 0;
    for (int64_t b = 0; *keeps && b < p->box_count; b++) {
        p->chosen_count = 0;
        for (; at < p->placing_count && p->placings[at].box == b; at++)
            p->chosen[p->chosen_count++] = p->placings[at].member;
        tacit_status status = ask_models(keeps, p, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static void start_over(tacit__packer *p)
{
    p->work = 0;
    p->box_count = 0;
    p->placing_count = 0;
    memset(p->placed, 0, tacit__bitset_words(p->group.count) * sizeof *p->placed);
    for (int32_t i = 0; i < p->group.count; i++)
        p->left[i] = p->group.members[i].people;
}

tacit_status tacit__pack(bool *packed, double *cost, tacit__packer *packer, tacit_error *err)
{
    *packed = false;
    tacit_status status = make_room(packer, err);
    if (status != TACIT_OK)
        return status;
    start_over(packer);
    status = open_boxes(packer, err);
    if (status == TACIT_LIMIT || (status == TACIT_OK && packer->box_count == 0))
        return TACIT_OK;
    bool joins = packer->list_count > 0, keeps = true;
    if (status == TACIT_OK)
        status = join_boxes(packer, err);
    if (status == TACIT_OK)
        status = sort_placings(packer, err);
    if (status == TACIT_OK && joins && packer->local->models)
        status = ask_again(&keeps, packer, err);
    *cost = 0;
    for (int64_t b = 0; b < packer->box_count; b++)
        *cost += packer->boxes[b].rows * box_cost(packer, b, -1);
    *packed = status == TACIT_OK && keeps;
    return status;
}

tacit_status tacit__pack_give(tacit__layout *out, tacit__packer *packer, tacit_error *err)
{
    const tacit__group *group = &packer->group;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; a < packer->local->attributes; a++)
        levels[a] = (uint8_t)packer->local->floor[a];
    for (int64_t i = 0; status == TACIT_OK && i < packer->placing_count; i++) {
        const tacit__placing *placing = &packer->placings[i];
        const uint8_t *rungs = packer->box_rungs + (size_t)placing->box * (size_t)group->axes;
        for (int32_t d = 0; d < group->axes; d++)
            levels[group->axis[d].attribute] = group->axis[d].rung[rungs[d]].level;
        if (i == 0 || placing[-1].box != placing->box)
            status = tacit__layout_open(out, levels, packer->local->attributes, err);
        if (status == TACIT_OK)
            status = tacit__layout_add(
                out, (tacit__share){group->members[placing->member].class_index, placing->people},
                err);
    }
    return status;
}
