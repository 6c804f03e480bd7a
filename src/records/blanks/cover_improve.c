/*
 * cover_improve.c - better donors: some are taken away, what they leave open is
 * covered anew with a little luck, and the better of both stays.
 *
 * Those taken away lie near each other: their proxies share a box of a set chosen by
 * chance. Every class that becomes open offers its boxes; the greedy covers them; then
 * blanks that became needless are filled. Where the cost is higher, all is undone. Chance is
 * a hash of the attempt's number, and effort is counted in classes looked at, so the result
 * depends on nothing but the table.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/blanks/cover.h"

enum { MOST_AWAY = 12, IMPROVE_ASK_EVERY = 64 };

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
static tacit_status take_donors(improving *m, uint32_t proxy, uint32_t *left, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && *left > 0 && cover->first[proxy] != TACIT__NONE) {
        (*left)--;
        status = tacit__covering_change(cover, cover->first[proxy], 0, err);
    }
    return status;
}

static tacit_status take_away(improving *m, uint32_t donor, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    uint32_t set = (uint32_t)(draw_attempt(m, 1) % cover->sets), proxy = cover->donors[donor].proxy,
             left = 2 + (uint32_t)(draw_attempt(m, 2) % (MOST_AWAY - 1));
    tacit_status status = tacit__covering_change(cover, donor, 0, err);
    uint32_t box = proxy == TACIT__NONE ? TACIT__WEAK_BOX : tacit__covering_box(cover, proxy, set);
    if (box == TACIT__WEAK_BOX)
        return status;
    uint32_t from = cover->start[box], count = cover->start[box + 1] - from,
             offset = (uint32_t)(draw_attempt(m, 3) % count);
    left--;
    for (uint32_t i = 0; status == TACIT_OK && i < count && left > 0; i++) {
        status = take_donors(m, cover->members[from + (offset + i) % count], &left, err);
        cover->work++;
    }
    return status;
}

static tacit_status offer_opened(improving *m, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    tacit_status status = TACIT_OK;
    m->queue.count = 0;
    for (uint32_t i = 0; i < cover->opened_count; i++) {
        uint32_t need = cover->opened[i];
        if (tacit__covering_open(cover, need) == 0)
            continue;
        cover->work += cover->sets;
        for (uint32_t s = 0; status == TACIT_OK && s < cover->sets; s++) {
            uint32_t box = tacit__covering_box(cover, need, s);
            if (m->seen[box] == (uint32_t)m->attempt)
                continue;
            m->seen[box] = (uint32_t)m->attempt;
            status = tacit__covering_offer(&m->queue, cover, box, err);
        }
    }
    return status;
}

/* Fills what became needless in the donors that changed. */
static tacit_status fill_changed(tacit__covering *cover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = cover->change_count; status == TACIT_OK && i-- > 0;)
        status = tacit__covering_fill(cover, cover->changes[i].donor, err);
    return status;
}

static tacit_status attempt(improving *m, uint32_t donor, tacit_error *err)
{
    tacit__covering *cover = m->cover;
    double cost = cover->cost;
    cover->opened_count = 0;
    cover->change_count = 0;
    tacit_status status = take_away(m, donor, err);
    if (status == TACIT_OK)
        status = offer_opened(m, err);
    m->queue.chance = draw_attempt(m, 4) | 1;
    if (status == TACIT_OK)
        status = tacit__covering_greedy(cover, &m->queue, cost + cover->least_cell * 2, err);
    if (status == TACIT_OK && cover->open == 0)
        status = fill_changed(cover, err);
    bool stopped = status == TACIT_CANCELLED;
    if (stopped || (status == TACIT_OK && (cover->open > 0 || cover->cost > cost * (1 + 1e-12)))) {
        status = tacit__covering_undo(cover, 0, err);
        cover->cost = cost;
    }
    return status == TACIT_OK && stopped ? TACIT_CANCELLED : status;
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
