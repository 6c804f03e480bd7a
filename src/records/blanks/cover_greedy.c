/*
 * cover_greedy.c - donors one after the other, each the one that helps the most
 * rows for its cost.
 *
 * The choice is a box and a row of it: one without blanks, of a class in need (it is safe
 * itself then) or of another; or one that has a part of the blanks already. What a box
 * promises at most is known at once, from the rows in it that ask for donors; what its
 * best row gives takes a look at its members. So boxes wait in a heap by their promise, and only
 * the first is looked at; promises only fall, but for donors in a box, which are offered
 * anew. A multicover's greedy, within 1 + ln(rows) of the least cost of strong donors.
 */
#include "base/error.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/cover.h"

enum { GREEDY_ASK_EVERY = 4096 };

/* What can be done in a box. */
typedef struct greedy_move {
    double score; /* 0: nothing */
    uint32_t class_index;
    uint32_t proxy;
    uint32_t donor; /* one that gets more blanks, or TACIT__NONE */
} greedy_move;

static bool before(const void *left, const void *right)
{
    const tacit__blanks_offer *a = left, *b = right;
    return a->score > b->score || (a->score >= b->score && a->box < b->box);
}

/* A little less than 1, by chance. */
static double luck(const tacit__covering_queue *queue, uint32_t box)
{
    if (!queue->chance)
        return 1;
    return 1 - 0.25 * (double)(tacit__mix(queue->chance + box) >> 40) / (1 << 24);
}

tacit_status tacit__covering_push(tacit__covering_queue *queue, tacit__blanks_offer o,
                                  tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(queue->offers, queue->room, queue->count))
        return tacit__nomem(err);
    tacit__heap_push(queue->offers, &queue->count, &o, sizeof o, before);
    return TACIT_OK;
}

tacit__blanks_offer tacit__covering_pop(tacit__covering_queue *queue)
{
    tacit__blanks_offer top;
    tacit__heap_pop(&top, queue->offers, &queue->count, sizeof top, before);
    return top;
}

tacit_status tacit__covering_offer(tacit__covering_queue *queue, const tacit__covering *cover,
                                   uint32_t box, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    if (box == TACIT__WEAK_BOX || cover->gain[box] == 0)
        return TACIT_OK;
    double cost = cover->inside[box] ? cover->least_cell : cover->least[cover->set_of[box]];
    tacit__blanks_offer o = {
        .score = (double)(cover->gain[box] + t->k - 2) / cost * luck(queue, box), .box = box};
    return tacit__covering_push(queue, o, err);
}

/* What blanks count: their cost, but for prices. */
static double price(const tacit__covering *cover, uint32_t class_index, uint64_t mask)
{
    const tacit__tableau *t = cover->tableau;
    double sum = 0;
    if (t->unit && !cover->priced)
        return __builtin_popcountll(mask);
    for (; mask; mask &= mask - 1) {
        int c = __builtin_ctzll(mask);
        sum += t->costs[(int64_t)class_index * t->columns + c] * cover->price[c];
    }
    return sum;
}

static void take_better(greedy_move *best, double gain, double cost, greedy_move other)
{
    other.score = gain / cost;
    if (other.score > best->score)
        *best = other;
}

/* A donor in the box that has a part of the blanks: those it covers already gain nothing. */
static void look_at_donor(greedy_move *best, const tacit__covering *cover, uint32_t box,
                          uint32_t index)
{
    const tacit__donor *donor = &cover->donors[index];
    uint64_t mask = cover->masks[cover->set_of[box]];
    if (donor->mask == mask || (donor->mask & ~mask) ||
        !tacit__covering_allows(cover, mask, mask & ~donor->mask))
        return;
    uint32_t set = tacit__covering_set(cover, donor->mask), had = TACIT__WEAK_BOX;
    if (set != TACIT__NONE)
        had = tacit__covering_box(cover, donor->proxy, set);
    if (had == TACIT__WEAK_BOX)
        return;
    take_better(
        best, (double)(cover->gain[box] - cover->gain[had]),
        price(cover, donor->class_index, mask & ~donor->mask),
        (greedy_move){.class_index = donor->class_index, .proxy = donor->proxy, .donor = index});
}

/* The best that a row of the box can do. */
static greedy_move look_in_box(tacit__covering *cover, uint32_t box)
{
    const tacit__tableau *t = cover->tableau;
    uint64_t mask = cover->masks[cover->set_of[box]];
    bool allowed = tacit__covering_allows(cover, mask, mask);
    double gain = (double)cover->gain[box];
    uint32_t outside = cover->outside[box], from = cover->start[box], to = cover->start[box + 1];
    greedy_move best = {.donor = TACIT__NONE};
    if (gain <= 0)
        return best;
    for (uint32_t m = from; m < to; m++) {
        uint32_t need = cover->members[m], class_index = cover->class_of[need];
        int64_t open = tacit__covering_open(cover, need);
        if (allowed && cover->fresh[need] > 0)
            take_better(
                &best,
                gain - (double)open + (open > 0 ? (double)tacit__covering_lack(cover, need) : 0),
                price(cover, class_index, mask),
                (greedy_move){.class_index = class_index, .proxy = need, .donor = TACIT__NONE});
        for (uint32_t d = cover->inside[box] ? cover->first[need] : TACIT__NONE; d != TACIT__NONE;
             d = cover->donors[d].next)
            look_at_donor(&best, cover, box, d);
    }
    cover->work += to - from;
    if (allowed && outside != TACIT__NONE && cover->taken[outside] < t->counts[outside])
        take_better(&best, gain, price(cover, outside, mask),
                    (greedy_move){.class_index = outside,
                                  .proxy = cover->members[from],
                                  .donor = TACIT__NONE});
    return best;
}

/* Boxes that a donor is in with some of its blanks promise more now. */
static tacit_status offer_around(tacit__covering_queue *queue, const tacit__covering *cover,
                                 uint32_t proxy, uint64_t mask, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t s = 0; status == TACIT_OK && s < cover->sets; s++)
        if (mask != cover->masks[s] && (mask & ~cover->masks[s]) == 0)
            status = tacit__covering_offer(queue, cover, tacit__covering_box(cover, proxy, s), err);
    return status;
}

static tacit_status make(tacit__covering *cover, tacit__covering_queue *queue, const greedy_move *m,
                         uint32_t box, tacit_error *err)
{
    uint64_t mask = cover->masks[cover->set_of[box]];
    tacit_status status = m->donor != TACIT__NONE
                              ? tacit__covering_change(cover, m->donor, mask, err)
                              : tacit__covering_add(cover, m->class_index, m->proxy, mask, err);
    if (status == TACIT_OK)
        status = offer_around(queue, cover, m->proxy, mask, err);
    return status == TACIT_OK ? tacit__covering_offer(queue, cover, box, err) : status;
}

tacit_status tacit__covering_greedy(tacit__covering *cover, tacit__covering_queue *queue,
                                    double most, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t open = cover->open;
    for (int64_t turn = 1;
         status == TACIT_OK && cover->open > 0 && queue->count > 0 && cover->cost <= most; turn++) {
        if (turn % GREEDY_ASK_EVERY == 0)
            status = tacit__progress(cover->run, "covering rows", open - cover->open, open, err);
        if (status != TACIT_OK)
            break;
        tacit__blanks_offer top = tacit__covering_pop(queue);
        greedy_move best = look_in_box(cover, top.box);
        if (best.score <= 0)
            continue;
        tacit__blanks_offer exact = {.score = best.score * luck(queue, top.box), .box = top.box};
        if (queue->count > 0 && before(&queue->offers[0], &exact))
            status = tacit__covering_push(queue, exact, err);
        else
            status = make(cover, queue, &best, top.box, err);
    }
    return status;
}
