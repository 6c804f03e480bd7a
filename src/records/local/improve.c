/*
 * improve.c - a layout made better, window by window.
 *
 * A window is a few boxes close to each other (windows.c). Its people are packed anew, and the new
 * boxes are taken unless they cost more: those that cost the same are a new start for later rounds.
 * Which boxes come to lie in one window changes from round to round; and so does what
 * packing prefers, because within a window costs of attributes are weighed by chance, and who is
 * served first is drawn, too. Windows do not share boxes, so all of them are looked at in parallel,
 * and a round's result does not depend on threads.
 *
 * The first round is different: its windows are as large as groups can be, in the order in which
 * the boxes were found, and nothing is left to chance.
 *
 * Linear in the classes for each round, times what a walk through a window takes.
 */
#include "records/local/improve.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/local/improve.h"

/* Packing a group of shares into boxes, the cheapest boxes first.
 *
 * Everybody looks for his best box (offers.c). In ascending order of cost, boxes whose members want
 * them and are k people are opened; then those who are left look again, among themselves. The
 * cheapest box of all is wanted by everybody in it, so each round opens one at least, and in
 * practice most. Fewer than k who are left in the end join the boxes where they cost least. Who
 * comes last pays most; so, for a change, one of those with the dearest boxes can be served first,
 * with the company that loses least by it. Boxes are shrunk to their members.
 *
 * Costs a walk through the boxes for each round. */

/* People of a member in a new box. */
typedef struct tacit__placing {
    uint32_t box;
    uint32_t people;
    uint16_t member;
} tacit__placing;

/* A new box, which is the smallest around its members. */
typedef struct new_box {
    double rows;
    uint32_t placings;
    uint16_t first; /* member */
} new_box;

/* A worker's room. */
typedef struct tacit__packer {
    const tacit__local *local;
    const tacit__whose *whose;
    tacit__local_group group;
    tacit__offers offers;
    tacit__models_scratch *scratch; /* where there are models */
    uint32_t *classes;              /* of the members chosen, for the models */
    size_t class_capacity;
    int64_t hardest; /* who is served first: 0 the member whose best costs most, 1 the next ...;
                        -1: nobody */

    tacit__placing *placings;
    new_box *boxes;
    uint8_t *box_rungs; /* an axis each */
    int64_t placing_count, box_count;
    size_t placing_capacity, box_capacity, box_rung_capacity;
} tacit__packer;

static void packer_clear(tacit__packer *packer);

static tacit_status packer_init(tacit__packer *packer, const tacit__local *local, tacit_error *err)
{
    *packer = (tacit__packer){.local = local};
    tacit_status status = tacit__group_init(&packer->group, local, err);
    if (status == TACIT_OK && local->models)
        status = tacit__models_scratch_new(&packer->scratch, local->models, err);
    if (status != TACIT_OK)
        packer_clear(packer);
    return status;
}

static void packer_clear(tacit__packer *packer)
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
    if (!TACIT__RESERVE_ONE(p->boxes, p->box_capacity, count) ||
        !tacit__reserve((void **)&p->box_rungs, &p->box_rung_capacity, (count + 1) * axes, 1))
        return tacit__nomem(err);
    p->boxes[count] = (new_box){.first = first};
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
    if (!TACIT__PUSH(p->placings, p->placing_capacity, p->placing_count,
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
static tacit_status ask_box_models(bool *keeps, tacit__packer *p, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    tacit__group_span(levels, &p->group, p->offers.chosen, p->offers.chosen_count);
    if (!TACIT__RESERVE(p->classes, p->class_capacity, p->offers.chosen_count))
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
        status = ask_box_models(&keeps, p, err);
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

static tacit_status join_boxes(tacit__packer *p, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < p->offers.list_count; i++) {
        uint16_t member = p->offers.list[i];
        status = place(p, member, p->offers.left[member], cheapest_box(p, member), err);
    }
    return status;
}

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
    p->placing_capacity = (size_t)p->placing_count;
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
        tacit_status status = ask_box_models(keeps, p, err);
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

/* Packs the packer's group, which is closed; *packed is false where that could not be done, for
 * instance within the limit of its offers. *cost is the sum over rows. */
static tacit_status pack(bool *packed, double *cost, tacit__packer *packer, tacit_error *err)
{
    bool keeps = false;
    *packed = false;
    *cost = 0;
    packer->box_count = packer->placing_count = 0;
    tacit_status status = tacit__offers_start(&packer->offers, &packer->group, packer->whose, err);
    if (status == TACIT_OK)
        status = make_boxes(&keeps, packer, err);
    for (int64_t b = 0; b < packer->box_count; b++)
        *cost += packer->boxes[b].rows * box_cost(packer, b, -1);
    *packed = status == TACIT_OK && keeps;
    return status;
}

static tacit_status pack_give(tacit__local_layout *out, const tacit__packer *packer,
                              tacit_error *err)
{
    const tacit__local_group *group = &packer->group;
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

/* ---- */

enum {
    BATCH = 16,          /* windows that one task looks at, unless they are large */
    WAVE = 64,           /* batches after which work is added up ... */
    LARGE_WAVE = 4,      /* and of large windows */
    WORK_A_SHARE = 10000 /* members that walks may look at for each share of a window */
};

/* What became of a batch of windows. */
typedef struct batch {
    tacit__local_layout layout;
    double saved;
    int64_t work;
    bool changed;
    bool done;
} batch;

typedef struct turn {
    const tacit__local *local;
    uint64_t seed; /* 0: windows are large, and nothing is left to chance */
    tacit__windows windows;
    int64_t batch_size; /* windows */
    batch *batches;
    int64_t batch_count;
    int64_t first;          /* batch of the wave */
    tacit__packer *packers; /* a worker each */
} turn;

static double least_group_cost(const tacit__local_group *group)
{
    double least = group->base * group->rows;
    for (int32_t i = 0; group->rest && i < group->count; i++)
        least += group->rest[i] * tacit__share_rows(group->local, group->members[i]);
    return least;
}

/* What packing prefers in a window: costs are weighed, and in two of three windows one of
 * the four hardest to place is served first. */
static void draw_taste(tacit__packer *packer, double *weights, const turn *r, int64_t window)
{
    uint64_t state = tacit__mix(r->seed) + (uint64_t)window;
    packer->hardest = -1;
    packer->offers.walk.weights = NULL;
    if (r->seed == 0)
        return;
    for (int32_t a = 0; a < r->local->attributes; a++)
        weights[a] = 0.5 + tacit__draw_share(&state);
    packer->offers.walk.weights = weights;
    int64_t drawn = (int64_t)(tacit__draw(&state) % 6);
    packer->hardest = drawn < 4 ? drawn : -1;
}

/* Packs the group of a window anew if it could cost less than it does. */
static tacit_status pack_anew(bool *better, double *cost, tacit__packer *packer, const turn *r,
                              int64_t window, double old, tacit_error *err)
{
    double weights[TACIT_MAX_ATTRIBUTES], tie = 1e-9 * packer->group.rows;
    *better = false;
    packer->offers.work = 0;
    if (old <= least_group_cost(&packer->group) + tie)
        return TACIT_OK;
    draw_taste(packer, weights, r, window);
    packer->offers.limit = (int64_t)WORK_A_SHARE * packer->group.count;
    tacit_status status = pack(better, cost, packer, err);
    *better &= *cost <= old * (1 + 1e-13);
    return status;
}

/* Looks at a window; its boxes, new or old, go to the batch. */
static tacit_status look_at(batch *out, tacit__packer *packer, const turn *r, int64_t window,
                            tacit_error *err)
{
    double old = tacit__windows_cost(&r->windows, window), cost = 0;
    bool better = false;
    if (old < 0)
        return tacit__windows_keep(&out->layout, &r->windows, window, err);
    tacit_status status = tacit__windows_gather(&packer->group, &r->windows, window, err);
    if (status == TACIT_OK)
        status = pack_anew(&better, &cost, packer, r, window, old, err);
    if (status != TACIT_OK)
        return status;
    out->work += packer->offers.work;
    if (!better)
        return tacit__windows_keep(&out->layout, &r->windows, window, err);
    out->saved += cost < old - 1e-9 * packer->group.rows ? old - cost : 0;
    out->changed = true;
    return pack_give(&out->layout, packer, err);
}

static tacit_status batch_task(void *context, int64_t task, int worker, tacit_error *err)
{
    turn *r = context;
    int64_t index = r->first + task, from = index * r->batch_size, to = from + r->batch_size;
    batch *out = &r->batches[index];
    tacit_status status = TACIT_OK;
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->windows.count; w++)
        status = look_at(out, &r->packers[worker], r, w, err);
    out->done = status == TACIT_OK;
    return status;
}

static tacit_status turn_init(turn *r, const tacit__local_layout *layout, tacit_error *err)
{
    tacit_status status = tacit__windows_init(&r->windows, r->local, layout, r->seed, err);
    if (status != TACIT_OK)
        return status;
    r->batch_size = r->seed ? BATCH : 1;
    int64_t batches = (r->windows.count + r->batch_size - 1) / r->batch_size;
    r->batches = tacit__alloc_zeroed((size_t)batches, sizeof *r->batches);
    if (!r->batches)
        return tacit__nomem(err);
    r->batch_count = batches;
    return TACIT_OK;
}

static void turn_clear(turn *r)
{
    for (int64_t b = 0; b < r->batch_count; b++)
        tacit__layout_clear(&r->batches[b].layout);
    tacit__windows_clear(&r->windows);
    tacit__free(r->batches);
}

/* Looks at the windows, a wave at a time, while there is work left. */
static tacit_status look_at_all(turn *r, tacit__improving *improving, tacit_error *err)
{
    int64_t usual = improving->limit == INT64_MAX ? INT64_MAX : r->seed ? WAVE : LARGE_WAVE;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && r->first < r->batch_count && improving->work < improving->limit) {
        int64_t left = r->batch_count - r->first, wave = left < usual ? left : usual;
        status = tacit__parallel(r->local->run, "improving", wave, batch_task, r, err);
        for (int64_t i = 0; i < wave; i++)
            improving->work += r->batches[r->first + i].work;
        r->first += wave;
    }
    improving->boxes = 0;
    for (int w = 0; w < improving->workers; w++)
        improving->boxes += improving->packers[w].offers.walk.boxes;
    return status;
}

/* Leaves a batch that was not finished as it was. */
static tacit_status keep_batch(turn *r, int64_t index, tacit_error *err)
{
    batch *b = &r->batches[index];
    tacit_status status = TACIT_OK;
    tacit__layout_clear(&b->layout);
    b->saved = 0;
    int64_t from = index * r->batch_size, to = from + r->batch_size;
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->windows.count; w++)
        status = tacit__windows_keep(&b->layout, &r->windows, w, err);
    return status;
}

static tacit_status join_batches(tacit__local_layout *layout, turn *r, tacit_error *err)
{
    tacit__local_layout joined = {0};
    tacit_status status = TACIT_OK;
    for (int64_t b = 0; status == TACIT_OK && b < r->batch_count; b++) {
        if (!r->batches[b].done)
            status = keep_batch(r, b, err);
        if (status == TACIT_OK)
            status =
                tacit__layout_append(&joined, &r->batches[b].layout, r->local->attributes, err);
        tacit__layout_clear(&r->batches[b].layout);
    }
    if (status != TACIT_OK) {
        tacit__layout_clear(&joined);
        return status;
    }
    tacit__layout_clear(layout);
    *layout = joined;
    return TACIT_OK;
}

/* Whether anything was saved, and whether anything is different. */
static void sum_up(bool *better, bool *changed, const turn *r)
{
    *better = *changed = false;
    for (int64_t b = 0; b < r->batch_count; b++) {
        *better |= r->batches[b].done && r->batches[b].saved > 0;
        *changed |= r->batches[b].done && r->batches[b].changed;
    }
}

tacit_status tacit__improving_init(tacit__improving *improving, const tacit__local *local,
                                   tacit_error *err)
{
    int workers = tacit__threads(local->run);
    tacit__improving i = {.local = local, .limit = INT64_MAX};
    i.packers = tacit__alloc_zeroed((size_t)workers, sizeof *i.packers);
    tacit_status status = i.packers ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && i.workers < workers) {
        tacit__packer *packer = &i.packers[i.workers];
        status = packer_init(packer, local, err);
        packer->whose = &improving->whose;
        packer->offers.walk.run = local->run;
        packer->offers.walk.phase = "packing";
        i.workers += status == TACIT_OK;
    }
    if (status == TACIT_OK)
        *improving = i;
    else
        tacit__improving_clear(&i);
    return status;
}

void tacit__improving_clear(tacit__improving *improving)
{
    for (int w = 0; w < improving->workers; w++)
        packer_clear(&improving->packers[w]);
    tacit__free(improving->packers);
    tacit__free(improving->whose.starts);
    tacit__free(improving->whose.person);
    *improving = (tacit__improving){0};
}

/* Lists who is in which class, where that is not its rows. */
static tacit_status find_whose(tacit__whose *whose, const tacit__local *local, tacit_error *err)
{
    const tacit_frame *frame = local->frame;
    tacit__lists pairs = {0};
    if (frame->person < 0 || whose->starts)
        return TACIT_OK;
    tacit_status status = tacit__classes_pairs(&pairs, local->classes, local->run, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0; i < pairs.starts[local->classes->groups.count]; i++)
        pairs.list[i] = tacit__pair_person(local->classes, pairs.list[i]);
    *whose =
        (tacit__whose){.starts = pairs.starts,
                       .person = pairs.list,
                       .persons = (size_t)tacit_table_distinct(frame->table, frame->person) + 1};
    return TACIT_OK;
}

tacit_status tacit__local_improve(tacit__local_layout *layout, tacit__improving *improving,
                                  tacit_error *err)
{
    turn r = {.local = improving->local,
              .seed = (uint64_t)improving->rounds,
              .packers = improving->packers};
    tacit_error stop = {0};
    tacit_status status = find_whose(&improving->whose, improving->local, err), kept = TACIT_OK;
    if (status == TACIT_OK)
        status = turn_init(&r, layout, err);
    if (status == TACIT_OK)
        status = look_at_all(&r, improving, &stop);
    bool better, changed;
    sum_up(&better, &changed, &r);
    if ((status == TACIT_OK || status == TACIT_CANCELLED) && changed)
        kept = join_batches(layout, &r, err);
    turn_clear(&r);
    improving->rounds++;
    improving->stale = better ? 0 : improving->stale + 1;
    if (kept == TACIT_OK && err && err->status == TACIT_OK)
        *err = stop;
    return kept != TACIT_OK ? kept : status;
}
