/*
 * pack.c - packing a group of shares into boxes, the cheapest boxes first.
 *
 * Everybody looks for his best box (offers.c). In ascending order of cost, boxes
 * whose members want them and are k people are opened; then those who are left look
 * again, among themselves. The cheapest box of all is wanted by everybody in it, so each
 * round opens one at least, and in practice most. Fewer than k who are left in the end join
 * the boxes where they cost least. Who comes last pays most; so, for a change, one
 * of those with the dearest boxes can be served first, with the company that loses least
 * by it. Boxes are shrunk to their members.
 *
 * Costs a walk through the boxes for each round.
 */
#include "records/local/pack.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"

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
    tacit__offers_clear(&packer->offers);
    tacit__models_scratch_free(packer->scratch);
    tacit__free(packer->classes);
    tacit__free(packer->placings);
    tacit__free(packer->boxes);
    tacit__free(packer->box_rungs);
    *packer = (tacit__packer){0};
}

static tacit_status open_box(tacit__packer *p, uint16_t first, tacit_error *err)
{
    size_t count = (size_t)p->box_count, axes = (size_t)p->group.axes;
    if (!TACIT__RESERVE_ONE(p->boxes, p->box_room, count) ||
        !tacit__reserve((void **)&p->box_rungs, &p->box_rung_room, (count + 1) * axes, 1))
        return tacit__nomem(err);
    p->boxes[count] = (tacit__new_box){.first = first};
    if (axes > 0)
        memset(p->box_rungs + count * axes, 0, axes);
    p->box_count++;
    return TACIT_OK;
}

/* Puts people of a member into a box, which grows around it. */
static tacit_status place(tacit__packer *p, uint16_t member, uint32_t people, int64_t box,
                          tacit_error *err)
{
    tacit__share share = {p->group.members[member].class_index, people};
    uint8_t *rungs = p->box_rungs + (size_t)box * (size_t)p->group.axes;
    if (!TACIT__PUSH(p->placings, p->placing_room, p->placing_count,
                     (tacit__placing){(uint32_t)box, people, member}))
        return tacit__nomem(err);
    p->boxes[box].placings++;
    p->boxes[box].rows += tacit__share_rows(p->local, share);
    for (int32_t d = 0; d < p->group.axes; d++) {
        const tacit__rung *rung = p->group.axis[d].rung;
        while (rung[rungs[d]].value[member] != rung[rungs[d]].value[p->boxes[box].first])
            rungs[d]++;
    }
    p->offers.left[member] -= people;
    if (p->offers.left[member] == 0)
        tacit__bit_set(p->offers.placed, member);
    return TACIT_OK;
}

/* The box around the members chosen keeps the models. */
static tacit_status ask_models(bool *keeps, tacit__packer *p, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    tacit__group_span(levels, &p->group, p->offers.chosen, p->offers.chosen_count);
    if (!TACIT__RESERVE(p->classes, p->class_room, p->offers.chosen_count))
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->offers.chosen_count; i++)
        p->classes[i] = p->group.members[p->offers.chosen[i]].class_index;
    for (int32_t a = 0; a < p->local->attributes; a++)
        numbers[a] = tacit__local_number(p->local, p->classes[0], a, levels[a]);
    return tacit__models_hold_in(keeps, p->local->models, p->scratch, p->classes,
                                 p->offers.chosen_count, levels, numbers, err);
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
    status = open_box(p, p->offers.chosen[0], err);
    for (int64_t i = 0; status == TACIT_OK && i < p->offers.chosen_count; i++) {
        uint32_t some = p->offers.left[p->offers.chosen[i]];
        if (i >= p->offers.eager && !p->local->whole && some > missing)
            some = (uint32_t)missing;
        status = place(p, p->offers.chosen[i], some, p->box_count - 1, err);
        missing = missing > some ? missing - some : 0;
    }
    return status;
}

/* Serves one of the hardest to place before all others. */
static tacit_status serve_hardest(tacit__packer *p, tacit_error *err)
{
    if (p->hardest < 0 || tacit__offers_list(&p->offers) < p->local->k ||
        p->hardest >= p->offers.list_count)
        return TACIT_OK;
    tacit_status status = tacit__offers_find(&p->offers, err);
    if (status != TACIT_OK)
        return status;
    return open_for_chosen(p, tacit__offers_choose_hardest(&p->offers, p->hardest), err);
}

/* Opens boxes round after round until nobody is left who could be in one. */
static tacit_status open_boxes(tacit__packer *p, tacit_error *err)
{
    tacit_status status = serve_hardest(p, err);
    for (int64_t before = -1; status == TACIT_OK && tacit__offers_list(&p->offers) >= p->local->k &&
                              p->box_count > before;) {
        before = p->box_count;
        status = tacit__offers_find(&p->offers, err);
        for (int64_t i = 0; status == TACIT_OK && i < p->offers.order_count; i++)
            status = open_for_chosen(p, tacit__offers_choose(&p->offers, i), err);
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

/* The box where what is left of a member costs least. */
static int64_t cheapest_box(const tacit__packer *p, uint16_t member)
{
    double least = INFINITY,
           rows = tacit__share_rows(p->local, (tacit__share){p->group.members[member].class_index,
                                                             p->offers.left[member]});
    int64_t best = 0;
    for (int64_t b = 0; b < p->box_count; b++) {
        double more = (p->boxes[b].rows + rows) * box_cost(p, b, member) -
                      p->boxes[b].rows * box_cost(p, b, -1);
        if (more < least) {
            least = more;
            best = b;
        }
    }
    return best;
}

/* Puts the members that are left where they cost least. */
static tacit_status join_boxes(tacit__packer *p, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < p->offers.list_count; i++) {
        uint16_t member = p->offers.list[i];
        status = place(p, member, p->offers.left[member], cheapest_box(p, member), err);
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
        p->offers.chosen_count = 0;
        for (; at < p->placing_count && p->placings[at].box == b; at++)
            p->offers.chosen[p->offers.chosen_count++] = p->placings[at].member;
        tacit_status status = ask_models(keeps, p, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

/* Boxes for everybody of the group; *keeps is false where that cannot be done. */
static tacit_status make_boxes(bool *keeps, tacit__packer *p, tacit_error *err)
{
    tacit_status status = open_boxes(p, err);
    if (status != TACIT_OK || p->box_count == 0) {
        *keeps = false;
        return status == TACIT_LIMIT ? TACIT_OK : status;
    }
    bool joins = p->offers.list_count > 0;
    status = join_boxes(p, err);
    if (status == TACIT_OK)
        status = sort_placings(p, err);
    *keeps = true;
    if (status == TACIT_OK && joins && p->local->models)
        status = ask_again(keeps, p, err);
    return status;
}

tacit_status tacit__pack(bool *packed, double *cost, tacit__packer *packer, tacit_error *err)
{
    bool keeps = false;
    *packed = false;
    *cost = 0;
    packer->box_count = packer->placing_count = 0;
    tacit_status status = tacit__offers_start(&packer->offers, &packer->group, err);
    if (status == TACIT_OK)
        status = make_boxes(&keeps, packer, err);
    for (int64_t b = 0; b < packer->box_count; b++)
        *cost += packer->boxes[b].rows * box_cost(packer, b, -1);
    *packed = status == TACIT_OK && keeps;
    return status;
}

tacit_status tacit__pack_give(tacit__layout *out, const tacit__packer *packer, tacit_error *err)
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
