/*
 * state.c - rows with their blanks and how many rows each agrees with, kept while
 * blanks come and go (state.h; 2.1 of the paper, where alpha is counted in a matrix).
 *
 * A change looks at those that agree with the row when it has the blanks of before and of
 * after: all others agree with it neither way. Rows of one class agree whatever their blanks
 * are, so among them nothing changes, and an item that rows move to has the alpha of the one
 * they left plus what was gained and less what was lost.
 */
#include "records/ambiguate/state.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/ambiguate/fits.h"
#include "records/ambiguate/kinds.h"

struct tacit__state {
    const tacit__tableau *tableau; /* borrowed */
    tacit__packed packed;
    tacit__kinds kinds;
    tacit__fits *fits; /* where k is promised both ways; NULL otherwise */
    tacit__item *items;
    size_t count, room;
    tacit__map blanked; /* items with blanks, which follow those without, by class and blanks */
};

static uint64_t hash_item(uint32_t class_index, uint64_t mask, uint64_t fixed)
{
    return tacit__mix(tacit__mix(tacit__mix(mask) + class_index) + fixed);
}

/* The item with blanks, or TACIT__NONE. */
static uint32_t find_blanked(const tacit__state *state, uint32_t class_index, uint64_t mask,
                             uint64_t fixed)
{
    const tacit__item *blanked = state->items + state->tableau->classes;
    uint64_t hash = hash_item(class_index, mask, fixed);
    size_t probe = 0;
    uint32_t i;
    while ((i = tacit__map_next(&state->blanked, hash, &probe)) != TACIT__NONE)
        if (blanked[i].class_index == class_index && blanked[i].mask == mask &&
            blanked[i].fixed == fixed)
            return (uint32_t)state->tableau->classes + i;
    return TACIT__NONE;
}

static tacit_status add_item(uint32_t *out, tacit__state *state, uint32_t class_index,
                             uint64_t mask, uint64_t fixed, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(state->items, state->room, state->count) ||
        !tacit__map_reserve(&state->blanked, state->blanked.count + 1))
        return tacit__nomem(err);
    tacit_status status = tacit__kinds_add(&state->kinds, class_index, mask, err);
    if (status != TACIT_OK)
        return status;
    *out = (uint32_t)state->count;
    tacit__map_put(&state->blanked, hash_item(class_index, mask, fixed));
    state->items[state->count++] =
        (tacit__item){.class_index = class_index, .mask = mask, .fixed = fixed};
    return TACIT_OK;
}

/* The item that rows of a class with these blanks are in; it is made where there is none. */
static tacit_status find_item(uint32_t *out, tacit__state *state, uint32_t class_index,
                              uint64_t mask, uint64_t fixed, tacit_error *err)
{
    *out = mask ? find_blanked(state, class_index, mask, fixed) : class_index;
    if (*out == TACIT__NONE)
        return add_item(out, state, class_index, mask, fixed, err);
    return tacit__kinds_wake(&state->kinds, *out, class_index, mask, err);
}

/* First to the one that may have none yet: without rows it could be put to sleep. */
static void move_rows(tacit__state *state, uint32_t from, uint32_t to, int64_t rows)
{
    state->items[to].rows += rows;
    state->items[from].rows -= rows;
    tacit__kinds_rows(&state->kinds, to, rows);
    tacit__kinds_rows(&state->kinds, from, -rows);
}

/* All rows without blanks. */
static tacit_status start_items(tacit__state *state, tacit_error *err)
{
    size_t classes = (size_t)state->tableau->classes;
    if (!TACIT__RESERVE(state->items, state->room, classes))
        return tacit__nomem(err);
    state->count = classes;
    for (size_t i = 0; i < classes; i++) {
        int64_t rows = state->tableau->counts[i];
        state->items[i] = (tacit__item){.class_index = (uint32_t)i, .rows = rows};
        tacit__kinds_rows(&state->kinds, (uint32_t)i, rows);
    }
    return TACIT_OK;
}

static tacit_status place_blanks(tacit__state *state, const tacit__blanking *plan, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t b = 0; status == TACIT_OK && plan && b < plan->count; b++) {
        const tacit__blank *blank = &plan->blanks[b];
        uint32_t to;
        if (!blank->mask || blank->rows == 0)
            continue;
        status = find_item(&to, state, blank->class_index, blank->mask, blank->fixed, err);
        if (status == TACIT_OK) {
            assert(blank->rows <= state->items[blank->class_index].rows);
            move_rows(state, blank->class_index, to, blank->rows);
        }
    }
    return status;
}

static tacit_status count_alpha(tacit__state *state, const tacit_run *run, tacit_error *err)
{
    int64_t *alpha = tacit__alloc_array(state->count, sizeof *alpha);
    if (!alpha)
        return tacit__nomem(err);
    tacit_status status = tacit__kinds_count(alpha, &state->kinds, run, err);
    for (size_t i = 0; status == TACIT_OK && i < state->count; i++)
        state->items[i].alpha = alpha[i];
    tacit__free(alpha);
    return status;
}

/* Who fits what, where that is promised. */
static tacit_status count_fits(tacit__state *state, tacit_error *err)
{
    if (!state->tableau->both)
        return TACIT_OK;
    tacit_status status = tacit__fits_new(&state->fits, state->tableau, &state->packed, err);
    for (size_t i = (size_t)state->tableau->classes; status == TACIT_OK && i < state->count; i++) {
        const tacit__item *item = &state->items[i];
        const tacit__lookup *boxes;
        status = tacit__fits_boxes(&boxes, state->fits, item->mask, err);
        if (status == TACIT_OK)
            tacit__fits_change(state->fits, boxes, item->class_index, 0, item->mask, item->rows);
    }
    return status;
}

tacit_status tacit__state_new(tacit__state **out, const tacit__tableau *tableau,
                              const tacit__blanking *plan, const tacit_run *run, tacit_error *err)
{
    tacit__state *state = tacit__alloc_zeroed(1, sizeof *state);
    if (!state)
        return tacit__nomem(err);
    state->tableau = tableau;
    tacit_status status = tacit__packed_init(&state->packed, tableau, err);
    if (status == TACIT_OK)
        status = tacit__kinds_init(&state->kinds, &state->packed, tableau->classes, err);
    if (status == TACIT_OK)
        status = start_items(state, err);
    if (status == TACIT_OK)
        status = place_blanks(state, plan, err);
    if (status == TACIT_OK)
        status = count_alpha(state, run, err);
    if (status == TACIT_OK)
        status = count_fits(state, err);
    if (status == TACIT_OK)
        *out = state;
    else
        tacit__state_free(state);
    return status;
}

void tacit__state_free(tacit__state *state)
{
    if (!state)
        return;
    tacit__kinds_clear(&state->kinds);
    tacit__fits_free(state->fits);
    tacit__packed_clear(&state->packed);
    tacit__free(state->items);
    tacit__map_clear(&state->blanked);
    tacit__free(state);
}

int64_t tacit__state_count(const tacit__state *state)
{
    return (int64_t)state->count;
}

const tacit__item *tacit__state_item(const tacit__state *state, int64_t index)
{
    return &state->items[index];
}

const tacit__tableau *tacit__state_tableau(const tacit__state *state)
{
    return state->tableau;
}

tacit_status tacit__state_look(const uint32_t **found, int64_t *count, tacit__state *state,
                               uint32_t class_index, uint64_t mask, tacit_error *err)
{
    tacit_status status = tacit__kinds_look(&state->kinds, class_index, mask, err);
    if (status == TACIT_OK) {
        *found = state->kinds.found;
        *count = state->kinds.found_count;
    }
    return status;
}

/* Changes alpha of all that agree with a row only before or only after; *gained is the rows
 * that it agrees with more. */
static tacit_status recount(int64_t *gained, tacit__state *state, const tacit__item *from,
                            int64_t rows, uint64_t mask, tacit_error *err)
{
    tacit__kinds *kinds = &state->kinds;
    uint64_t before[TACIT__PACKED_WORDS], after[TACIT__PACKED_WORDS];
    uint32_t class_index = from->class_index;
    tacit_status status = tacit__kinds_look(kinds, class_index, from->mask | mask, err);
    if (status != TACIT_OK)
        return status;
    tacit__packed_sieve(before, &state->packed, ~from->mask);
    tacit__packed_sieve(after, &state->packed, ~mask);
    *gained = 0;
    for (int64_t i = 0; i < kinds->found_count; i++) {
        uint32_t other = kinds->found[i];
        int more = (int)tacit__kinds_agree(kinds, other, class_index, after) -
                   (int)tacit__kinds_agree(kinds, other, class_index, before);
        state->items[other].alpha += more * rows;
        *gained += more * state->items[other].rows;
    }
    return TACIT_OK;
}

tacit_status tacit__state_change(int64_t *to, tacit__state *state, int64_t index, int64_t rows,
                                 uint64_t mask, uint64_t fixed, tacit_error *err)
{
    uint32_t from = (uint32_t)index, target;
    int64_t gained = 0;
    const tacit__lookup *boxes = NULL;
    assert(rows >= 1 && rows <= state->items[from].rows && !(fixed & ~mask));
    tacit_status status =
        find_item(&target, state, state->items[from].class_index, mask, fixed, err);
    if (status == TACIT_OK && state->fits)
        status = tacit__fits_boxes(&boxes, state->fits, state->items[from].mask | mask, err);
    if (status == TACIT_OK && mask != state->items[from].mask)
        status = recount(&gained, state, &state->items[from], rows, mask, err);
    if (status != TACIT_OK)
        return status;
    if (state->fits)
        tacit__fits_change(state->fits, boxes, state->items[from].class_index,
                           state->items[from].mask, mask, rows);
    if (state->items[target].rows == 0)
        state->items[target].alpha = state->items[from].alpha + gained;
    if (target != from)
        move_rows(state, from, target, rows);
    *to = target;
    return TACIT_OK;
}

tacit__fits *tacit__state_fits(tacit__state *state)
{
    return state->fits;
}

void tacit__state_sum(tacit__state_sums *sums, const tacit__state *state)
{
    int64_t rows = state->tableau->rows, total = 0;
    *sums = (tacit__state_sums){.least = rows > 0 ? INT64_MAX : 0};
    for (size_t i = 0; i < state->count; i++) {
        const tacit__item *item = &state->items[i];
        if (item->rows == 0)
            continue;
        sums->least = item->alpha < sums->least ? item->alpha : sums->least;
        sums->below += item->alpha < state->tableau->k ? item->rows : 0;
        sums->rows += item->mask ? item->rows : 0;
        sums->cells += item->rows * __builtin_popcountll(item->mask);
        sums->cost +=
            (double)item->rows * tacit__tableau_cost(state->tableau, item->class_index, item->mask);
        total += item->rows * item->alpha;
        for (uint64_t left = item->mask; left; left &= left - 1)
            sums->column[__builtin_ctzll(left)] += item->rows;
    }
    sums->mean = rows > 0 ? (double)total / (double)rows : 0;
}

tacit_status tacit__state_plan(tacit__blanking *plan, const tacit__state *state, tacit_error *err)
{
    tacit__blanking made = {0};
    tacit_status status = TACIT_OK;
    for (size_t i = (size_t)state->tableau->classes; status == TACIT_OK && i < state->count; i++) {
        const tacit__item *item = &state->items[i];
        if (item->rows > 0)
            status = tacit__blanking_add(
                &made, (tacit__blank){item->class_index, item->rows, item->mask, item->fixed}, err);
    }
    if (status != TACIT_OK) {
        tacit__blanking_clear(&made);
        return status;
    }
    tacit__blanking_tidy(&made);
    tacit__free(plan->blanks);
    plan->blanks = made.blanks;
    plan->count = made.count;
    plan->room = made.room;
    return TACIT_OK;
}
