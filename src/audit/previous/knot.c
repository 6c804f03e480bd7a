/*
 * knot.c - the part of the pairs that matching has to decide.
 *
 * A kind with a single kind of partner, which has no other either, is settled: as many of its rows
 * as both have are the same records. So is one without partners. What is left are givers and takers
 * with their own numbers, so that the search for largest matchings costs as much as there is to
 * decide, which in releases with a telling column in common is next to nothing.
 *
 * Cost: two readings of the pairs; 5 bytes a kind, and 12 for each giver and taker.
 */
#include "audit/previous/previous.h"
#include "base/alloc.h"
#include "base/error.h"

/* How many kinds of rows of the release each kind of the earlier one is a partner of: 0, 1 or more.
 */
static uint8_t *count_suitors(const tacit__row_kinds *kinds, const tacit__row_pairs *pairs)
{
    uint8_t *suitors = tacit__alloc_zeroed(kinds->count, sizeof *suitors);
    for (uint32_t i = 0; suitors && i < kinds->count; i++) {
        const uint32_t *partners = tacit__partners(pairs, i);
        for (uint32_t j = 0; j < tacit__partner_count(pairs, i); j++)
            suitors[partners[j]] = suitors[partners[j]] ? 2 : 1;
    }
    return suitors;
}

static bool is_settled(const tacit__row_pairs *pairs, uint32_t kind, const uint8_t *suitors)
{
    uint32_t count = tacit__partner_count(pairs, kind);
    return count == 0 || (count == 1 && suitors[tacit__partners(pairs, kind)[0]] == 1);
}

/* Numbers takers as givers bring them up; a giver each, and one more, gets its first pair. */
static void number_takers(tacit__row_knot *knot)
{
    for (uint32_t i = 0; i < knot->givers; i++) {
        uint32_t kind = knot->giver_kind[i], count = tacit__partner_count(knot->pairs, kind);
        const uint32_t *partners = tacit__partners(knot->pairs, kind);
        knot->first[i + 1] = knot->first[i] + count;
        for (uint32_t j = 0; j < count; j++)
            if (knot->taker_of[partners[j]] == TACIT__SETTLED)
                knot->taker_of[partners[j]] = knot->takers++;
    }
}

static bool fill_knot(tacit__row_knot *knot, const uint8_t *suitors)
{
    uint32_t kinds = knot->kinds->count;
    for (uint32_t i = 0; i < kinds; i++) {
        knot->givers += !is_settled(knot->pairs, i, suitors);
        knot->taker_of[i] = TACIT__SETTLED;
    }
    knot->giver_kind = tacit__alloc_array(knot->givers, sizeof *knot->giver_kind);
    knot->first = tacit__alloc_zeroed((size_t)knot->givers + 1, sizeof *knot->first);
    if (!knot->giver_kind || !knot->first)
        return false;
    for (uint32_t i = 0, at = 0; i < kinds; i++)
        if (!is_settled(knot->pairs, i, suitors))
            knot->giver_kind[at++] = i;
    number_takers(knot);
    knot->taker_kind = tacit__alloc_array(knot->takers, sizeof *knot->taker_kind);
    for (uint32_t i = 0; knot->taker_kind && i < kinds; i++)
        if (knot->taker_of[i] != TACIT__SETTLED)
            knot->taker_kind[knot->taker_of[i]] = i;
    return knot->taker_kind != NULL;
}

tacit_status tacit__row_knot_init(tacit__row_knot *knot, const tacit__row_kinds *kinds,
                                  const tacit__row_pairs *pairs, tacit_error *err)
{
    tacit__row_knot made = {.kinds = kinds, .pairs = pairs};
    uint8_t *suitors = count_suitors(kinds, pairs);
    made.taker_of = tacit__alloc_array(kinds->count, sizeof *made.taker_of);
    bool whole = suitors && made.taker_of && fill_knot(&made, suitors);
    tacit__free(suitors);
    if (!whole) {
        tacit__row_knot_clear(&made);
        return tacit__nomem(err);
    }
    *knot = made;
    return TACIT_OK;
}

void tacit__row_knot_clear(tacit__row_knot *knot)
{
    tacit__free(knot->giver_kind);
    tacit__free(knot->taker_kind);
    tacit__free(knot->taker_of);
    tacit__free(knot->first);
    *knot = (tacit__row_knot){0};
}
