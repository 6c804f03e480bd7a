/*
 * cover_greedy.c - donors one after the other: by a greedy over boxes, with grown blanks, and
 * better ones in the place of some.
 *
 * The greedy takes the donor that helps the most rows for its cost. The choice is a box and a row
 * of it: one without blanks, of a class in need (it is safe itself then) or of another; or one that
 * has a part of the blanks already. What a box promises at most is known at once, from the rows in
 * it that ask for donors; what its best row gives takes a look at its members. So boxes wait in a
 * heap by their promise, and only the first is looked at; promises only fall, but for donors in a
 * box, which are offered anew. A multicover's greedy, within 1 + ln(rows) of the least cost of
 * strong donors.
 *
 * Where there are too many sets of columns to look at each, blanks of a row are grown column by
 * column. The next column is the one that brings the most rows nearest: a row that differs in d
 * columns still counts 4^-d in each of them. Of the masks on the way the one stays that helps the
 * most rows for its cost; of a few rows, taken by chance, the best becomes a donor. A donor costs a
 * look at every open class for each column of its mask. Whole rows are the end of it: k - 1 of them
 * always do, where limits let them.
 *
 * Improvement: some donors are taken away, what they leave open is covered anew with a little luck,
 * and the better of both stays. Those taken away lie near each other: their proxies share a box of
 * a set chosen by chance. Every class that becomes open offers its boxes; the greedy covers them;
 * then blanks that became needless are filled. Where the cost is higher, all is undone. Chance is a
 * hash of the attempt's number, and effort is counted in classes looked at, so the result depends
 * on nothing but the table.
 */
#include <math.h>

#include "base/alloc.h"
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

void tacit__covering_push(tacit__covering_queue *queue, tacit__covering *cover,
                          tacit__blanks_offer o)
{
    if (TACIT__RESERVE_ONE(queue->offers, queue->room, queue->count))
        tacit__heap_push(queue->offers, &queue->count, &o, sizeof o, before);
    else
        cover->failed = true;
}

tacit__blanks_offer tacit__covering_pop(tacit__covering_queue *queue)
{
    tacit__blanks_offer top;
    tacit__heap_pop(&top, queue->offers, &queue->count, sizeof top, before);
    return top;
}

void tacit__covering_offer(tacit__covering_queue *queue, tacit__covering *cover, uint32_t box)
{
    const tacit__tableau *t = cover->tableau;
    if (box == TACIT__WEAK_BOX || cover->gain[box] == 0)
        return;
    double cost = cover->inside[box] ? cover->least_cell : cover->least[cover->set_of[box]];
    double score = (double)(cover->gain[box] + t->k - 2) / cost * luck(queue, box);
    tacit__covering_push(queue, cover, (tacit__blanks_offer){.score = score, .box = box});
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
static void offer_around(tacit__covering_queue *queue, tacit__covering *cover, uint32_t proxy,
                         uint64_t mask)
{
    for (uint32_t s = 0; s < cover->sets; s++)
        if (mask != cover->masks[s] && (mask & ~cover->masks[s]) == 0)
            tacit__covering_offer(queue, cover, tacit__covering_box(cover, proxy, s));
}

static void make(tacit__covering *cover, tacit__covering_queue *queue, const greedy_move *m,
                 uint32_t box)
{
    uint64_t mask = cover->masks[cover->set_of[box]];
    if (m->donor != TACIT__NONE)
        tacit__covering_change(cover, m->donor, mask);
    else
        tacit__covering_add(cover, m->class_index, m->proxy, mask);
    offer_around(queue, cover, m->proxy, mask);
    tacit__covering_offer(queue, cover, box);
}

tacit_status tacit__covering_greedy(tacit__covering *cover, tacit__covering_queue *queue,
                                    double most, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t open = cover->open;
    for (int64_t turn = 1;
         !cover->failed && cover->open > 0 && queue->count > 0 && cover->cost <= most; turn++) {
        if (turn % GREEDY_ASK_EVERY == 0)
            status = tacit__progress(cover->run, "covering rows", open - cover->open, open, err);
        if (status != TACIT_OK)
            return status;
        tacit__blanks_offer top = tacit__covering_pop(queue);
        greedy_move best = look_in_box(cover, top.box);
        if (best.score <= 0)
            continue;
        tacit__blanks_offer exact = {.score = best.score * luck(queue, top.box), .box = top.box};
        if (queue->count > 0 && before(&queue->offers[0], &exact))
            tacit__covering_push(queue, cover, exact);
        else
            make(cover, queue, &best, top.box);
    }
    return cover->failed ? tacit__nomem(err) : TACIT_OK;
}

/* ---- grown blanks ---- */

enum { CANDIDATES = 4, MAX_FAILURES = 16 };

typedef struct growing {
    tacit__covering *cover;
    uint32_t *open; /* classes in need of donors */
    uint32_t count;
    uint64_t *differ; /* of them: columns in which they differ from the row in hand */
} growing;

/* A row and its blanks. */
typedef struct growth {
    uint32_t need;
    uint64_t mask;
    double score; /* rows helped for the cost */
} growth;

static void list_open(growing *g)
{
    tacit__covering *cover = g->cover;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (tacit__covering_open(cover, g->open[i]) > 0)
            g->open[kept++] = g->open[i];
    g->count = kept;
}

/* The column that brings the most rows nearest for its cost, or -1. */
static int best_column(const growing *g, uint32_t class_index, uint64_t mask)
{
    const tacit__covering *cover = g->cover;
    const tacit__tableau *t = cover->tableau;
    double weight[64] = {0};
    int best = -1;
    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t rest = g->differ[i] & ~mask;
        double w =
            ldexp((double)tacit__covering_open(cover, g->open[i]), -2 * __builtin_popcountll(rest));
        for (; rest; rest &= rest - 1)
            weight[__builtin_ctzll(rest)] += w;
    }
    for (int32_t c = 0; c < t->columns; c++) {
        uint64_t bit = UINT64_C(1) << c;
        weight[c] /= t->costs[(int64_t)class_index * t->columns + c];
        if (!(mask & bit) && weight[c] > 0 && tacit__covering_allows(cover, mask | bit, bit) &&
            (best < 0 || weight[c] > weight[best]))
            best = c;
    }
    return best;
}

/* Rows that a mask helps, but for the donor's own class. */
static double rows_helped(const growing *g, uint64_t mask)
{
    int64_t rows = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->differ[i] && !(g->differ[i] & ~mask))
            rows += tacit__covering_open(g->cover, g->open[i]);
    return (double)rows;
}

static growth grow_mask(growing *g, uint32_t need)
{
    tacit__covering *cover = g->cover;
    const tacit__tableau *t = cover->tableau;
    uint32_t class_index = cover->class_of[need];
    growth best = {.need = need};
    for (uint32_t i = 0; i < g->count; i++)
        g->differ[i] = tacit__tableau_differ(t, class_index, cover->class_of[g->open[i]]);
    uint64_t mask = 0;
    for (int c; (c = best_column(g, class_index, mask)) >= 0;) {
        mask |= UINT64_C(1) << c;
        double score = (rows_helped(g, mask) + (double)tacit__covering_lack(cover, need)) /
                       tacit__tableau_cost(t, class_index, mask);
        if (score > best.score)
            best = (growth){.need = need, .mask = mask, .score = score};
        cover->work += g->count;
    }
    return best;
}

/* One more donor. *helps: something is less open than before. */
/* One more donor; whether something is less open than before. */
static bool grow_one(growing *g, uint64_t turn)
{
    tacit__covering *cover = g->cover;
    growth best = {0};
    for (uint64_t i = 0; i < CANDIDATES; i++) {
        uint32_t need = g->open[tacit__mix(turn * CANDIDATES + i + 1) % g->count];
        growth next = {0};
        if (cover->fresh[need] > 0)
            next = grow_mask(g, need);
        if (next.score > best.score)
            best = next;
    }
    if (!best.mask)
        return false;
    int64_t before = cover->open, sum = 0, after = 0;
    for (uint32_t i = 0; i < g->count; i++)
        sum += tacit__covering_lack(cover, g->open[i]);
    tacit__covering_add(cover, cover->class_of[best.need], best.need, best.mask);
    for (uint32_t i = 0; i < g->count; i++)
        after += tacit__covering_lack(cover, g->open[i]);
    bool helps = after < sum || cover->open < before;
    if (!helps && !cover->failed)
        tacit__covering_undo(cover, cover->change_count - 1);
    return helps;
}

tacit_status tacit__covering_grow(tacit__covering *cover, int64_t work, double most,
                                  tacit_error *err)
{
    growing g = {.cover = cover,
                 .count = cover->needs,
                 .open = tacit__alloc_array(cover->needs, sizeof *g.open),
                 .differ = tacit__alloc_array(cover->needs, sizeof *g.differ)};
    int64_t end = cover->work + work;
    int failures = 0;
    tacit_status status = TACIT_OK;
    cover->failed |= !g.open || !g.differ;
    for (uint32_t i = 0; !cover->failed && i < cover->needs; i++)
        g.open[i] = i;
    cover->noting = true;
    for (uint64_t turn = 0; status == TACIT_OK && !cover->failed && cover->open > 0 &&
                            failures < MAX_FAILURES && cover->work < end && cover->cost < most;
         turn++) {
        list_open(&g);
        status = tacit__progress(cover->run, "growing blanks", (int64_t)cover->needs - g.count,
                                 cover->needs, err);
        if (status == TACIT_OK)
            failures = grow_one(&g, turn) ? 0 : failures + 1;
    }
    cover->noting = false;
    cover->change_count = 0;
    tacit__free(g.open);
    tacit__free(g.differ);
    return cover->failed ? tacit__nomem(err) : status;
}

/* ---- improvement ---- */

enum { MAX_AWAY = 12, IMPROVE_ASK_EVERY = 64 };

typedef struct improving {
    tacit__covering *cover;
    tacit__covering_queue queue;
    uint32_t *seen; /* a box each: attempt that offered it last */
    uint64_t attempt;
} improving;

static uint64_t draw_attempt(const improving *m, uint64_t purpose)
{
    return tacit__mix(m->attempt * 8 + purpose + 1);
}

/* Takes the donors of a proxy away; their places are free. */
static void take_donors(improving *m, uint32_t proxy, uint32_t *left)
{
    tacit__covering *cover = m->cover;
    for (; *left > 0 && cover->first[proxy] != TACIT__NONE; (*left)--)
        tacit__covering_change(cover, cover->first[proxy], 0);
}

static void take_away(improving *m, uint32_t donor)
{
    tacit__covering *cover = m->cover;
    uint32_t set = (uint32_t)(draw_attempt(m, 1) % cover->sets), proxy = cover->donors[donor].proxy,
             left = 2 + (uint32_t)(draw_attempt(m, 2) % (MAX_AWAY - 1));
    tacit__covering_change(cover, donor, 0);
    uint32_t box = proxy == TACIT__NONE ? TACIT__WEAK_BOX : tacit__covering_box(cover, proxy, set);
    if (box == TACIT__WEAK_BOX)
        return;
    uint32_t from = cover->start[box], count = cover->start[box + 1] - from,
             offset = (uint32_t)(draw_attempt(m, 3) % count);
    left--;
    for (uint32_t i = 0; i < count && left > 0; i++) {
        take_donors(m, cover->members[from + (offset + i) % count], &left);
        cover->work++;
    }
}

static void offer_opened(improving *m)
{
    tacit__covering *cover = m->cover;
    m->queue.count = 0;
    for (uint32_t i = 0; i < cover->opened_count; i++) {
        uint32_t need = cover->opened[i];
        if (tacit__covering_open(cover, need) == 0)
            continue;
        cover->work += cover->sets;
        for (uint32_t s = 0; s < cover->sets; s++) {
            uint32_t box = tacit__covering_box(cover, need, s);
            if (m->seen[box] == (uint32_t)m->attempt)
                continue;
            m->seen[box] = (uint32_t)m->attempt;
            tacit__covering_offer(&m->queue, cover, box);
        }
    }
}

static tacit_status attempt(improving *m, uint32_t donor, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    double cost = cover->cost;
    cover->opened_count = 0;
    cover->change_count = 0;
    take_away(m, donor);
    offer_opened(m);
    m->queue.chance = draw_attempt(m, 4) | 1;
    tacit_status status =
        tacit__covering_greedy(cover, &m->queue, cost + cover->least_cell * 2, err);
    for (uint32_t i = cover->change_count; status == TACIT_OK && cover->open == 0 && i-- > 0;)
        tacit__covering_fill(cover, cover->changes[i].donor);
    if (status == TACIT_CANCELLED ||
        (status == TACIT_OK && (cover->open > 0 || cover->cost > cost * (1 + 1e-12)))) {
        tacit__covering_undo(cover, 0);
        cover->cost = cost;
    }
    return cover->failed ? tacit__nomem(err) : status;
}

static tacit_status improve_donors(improving *m, int64_t most, double bound, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    tacit_status status = TACIT_OK;
    int64_t start = cover->work;
    for (m->attempt = 1;
         status == TACIT_OK && cover->work - start < most && cover->cost > bound * (1 + 1e-12);
         m->attempt++) {
        uint32_t donor = (uint32_t)(draw_attempt(m, 0) % cover->donor_count);
        if (m->attempt % IMPROVE_ASK_EVERY == 1)
            status =
                tacit__progress(cover->run, "improving blanks", cover->work - start, most, err);
        if (status == TACIT_OK && cover->donors[donor].mask)
            status = attempt(m, donor, err);
        cover->work++;
    }
    return status;
}

tacit_status tacit__covering_improve(tacit__covering *cover, int64_t work, double bound,
                                     tacit_error *err)
{
    improving m = {.cover = cover, .seen = tacit__alloc_zeroed(cover->boxes, sizeof *m.seen)};
    if (!m.seen)
        return tacit__nomem(err);
    cover->noting = true;
    tacit_status status = TACIT_OK;
    if (cover->donor_count > 0 && cover->sets > 0)
        status = improve_donors(&m, work, bound, err);
    cover->noting = false;
    tacit__free(m.seen);
    tacit__free(m.queue.offers);
    return status;
}
