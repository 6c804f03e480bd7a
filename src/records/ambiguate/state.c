/*
 * state.c - rows with their blanks and how many rows each agrees with, kept while blanks come and
 * go (state.h; 2.1 of the paper, where alpha is counted in a matrix); and, where k is promised both
 * ways, who fits a released row and how many rows each person fits.
 *
 * A change looks at those that agree with the row when it has the blanks of before and of after:
 * all others agree with it neither way. Rows of one class agree whatever their blanks are, so among
 * them nothing changes, and an item that rows move to has the alpha of the one they left plus what
 * was gained and less what was lost.
 *
 * Fits: for each set of blanks that is asked for, the classes are put together by what they are
 * outside of it (kinds.h); such a list is kept until there are too many of them. A list costs a
 * look at every class, and 4 bytes each; a change or a question the classes of one box.
 */
#include "records/ambiguate/state.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* ---- who fits what ---- */

enum { MAX_KEPT = 1 << 25 }; /* classes in all lists */

struct tacit__fits {
    const tacit__tableau *tableau; /* borrowed */
    const tacit__packed *packed;   /* the same */
    int64_t *rows;                 /* a class each: rows that its people fit */
    tacit__numbering masks;        /* of the lists */
    tacit__lookup *boxes;          /* a list each */
    size_t room;
};

static void clear_lists(tacit__fits *fits)
{
    for (size_t i = 0; i < fits->masks.count; i++)
        tacit__lookup_clear(&fits->boxes[i]);
    tacit__numbering_empty(&fits->masks);
}

static void fits_free(tacit__fits *fits)
{
    if (!fits)
        return;
    clear_lists(fits);
    tacit__free(fits->rows);
    tacit__free(fits->boxes);
    tacit__numbering_clear(&fits->masks);
    tacit__free(fits);
}

/* Of a tableau without blanks; both must outlive it. */
static tacit_status fits_new(tacit__fits **out, const tacit__tableau *tableau,
                             const tacit__packed *packed, tacit_error *err)
{
    tacit__fits *fits = tacit__alloc_zeroed(1, sizeof *fits);
    if (!fits)
        return tacit__nomem(err);
    fits->tableau = tableau;
    fits->packed = packed;
    fits->rows = tacit__alloc_array((size_t)tableau->classes, sizeof *fits->rows);
    if (!fits->rows) {
        fits_free(fits);
        return tacit__nomem(err);
    }
    for (int64_t i = 0; i < tableau->classes; i++)
        fits->rows[i] = tableau->counts[i];
    *out = fits;
    return TACIT_OK;
}

/* Room for one more list; where too many are kept, all go. */
static tacit_status reserve_list(tacit__fits *fits, tacit_error *err)
{
    size_t classes = (size_t)fits->tableau->classes + 1, lists = fits->masks.count;
    if (lists > 0 && lists >= MAX_KEPT / classes)
        clear_lists(fits);
    if (!TACIT__RESERVE_ONE(fits->boxes, fits->room, fits->masks.count) ||
        !tacit__numbering_reserve(&fits->masks, (size_t)fits->masks.count + 1))
        return tacit__nomem(err);
    return TACIT_OK;
}

/* Puts all classes into a list, each group with its people. */
static tacit_status fill_list(tacit__lookup *boxes, const tacit__fits *fits, uint64_t mask,
                              tacit_error *err)
{
    const tacit__tableau *t = fits->tableau;
    uint64_t sieve[TACIT__PACKED_WORDS];
    tacit__packed_sieve(sieve, fits->packed, ~mask);
    tacit_status status = tacit__lookup_init(boxes, fits->packed, sieve, t->classes, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        status = tacit__lookup_add(boxes, (uint32_t)i, err);
        if (status == TACIT_OK)
            tacit__lookup_find(boxes, (uint32_t)i)->rows += t->counts[i];
    }
    if (status != TACIT_OK)
        tacit__lookup_clear(boxes);
    return status;
}

/* The classes by what they are outside some columns, each group with its people. Valid until
 * the next call. */
static tacit_status fits_boxes(const tacit__lookup **out, tacit__fits *fits, uint64_t mask,
                               tacit_error *err)
{
    uint32_t at = tacit__numbering_find(&fits->masks, mask);
    if (at == TACIT__NONE) {
        tacit_status status = reserve_list(fits, err);
        if (status == TACIT_OK)
            status = fill_list(&fits->boxes[fits->masks.count], fits, mask, err);
        if (status != TACIT_OK)
            return status;
        at = tacit__numbering_add(&fits->masks, mask);
    }
    *out = &fits->boxes[at];
    return TACIT_OK;
}

/* Counts that so many rows of a class had the blanks of `before` and have those of `after`;
 * `boxes` are those of both together. */
static void fits_change(tacit__fits *fits, const tacit__lookup *boxes, uint32_t class_index,
                        uint64_t before, uint64_t after, int64_t rows)
{
    const tacit__lookup_group *group = tacit__lookup_find(boxes, class_index);
    for (uint32_t p = group->first; p != TACIT__NONE; p = boxes->next[p]) {
        uint64_t differ = tacit__tableau_differ(fits->tableau, class_index, p);
        fits->rows[p] += rows * ((int)!(differ & ~after) - (int)!(differ & ~before));
    }
}

tacit_status tacit__fits_spare(int64_t *rows, tacit__fits *fits, uint32_t class_index,
                               uint64_t mask, int32_t column, int64_t wanted, tacit_error *err)
{
    const tacit__tableau *t = fits->tableau;
    const tacit__lookup *boxes;
    tacit_status status = fits_boxes(&boxes, fits, mask, err);
    if (status != TACIT_OK)
        return status;
    const tacit__lookup_group *group = tacit__lookup_find(boxes, class_index);
    uint32_t own = tacit__tableau_codes(t, class_index)[column];
    int64_t people = 0, most = wanted;
    for (uint32_t p = group->first; p != TACIT__NONE && most > 0; p = boxes->next[p]) {
        if (tacit__tableau_codes(t, p)[column] == own)
            people += t->counts[p];
        else if (fits->rows[p] - t->k < most)
            most = fits->rows[p] - t->k;
    }
    *rows = most > 0 && people >= t->k ? most : 0;
    return TACIT_OK;
}

tacit_status tacit__fits_people(int64_t *people, tacit__fits *fits, uint32_t class_index,
                                uint64_t mask, tacit_error *err)
{
    const tacit__lookup *boxes;
    tacit_status status = TACIT_OK;
    if (!mask) {
        *people = fits->tableau->counts[class_index];
        return TACIT_OK;
    }
    status = fits_boxes(&boxes, fits, mask, err);
    if (status == TACIT_OK)
        *people = tacit__lookup_find(boxes, class_index)->rows;
    return status;
}

int64_t tacit__fits_least_rows(const tacit__fits *fits)
{
    int64_t least = fits->tableau->classes > 0 ? INT64_MAX : 0;
    for (int64_t i = 0; i < fits->tableau->classes; i++)
        least = fits->rows[i] < least ? fits->rows[i] : least;
    return least;
}

/* ---- items ---- */

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

static tacit_status count_fits(tacit__state *state, tacit_error *err)
{
    if (!state->tableau->both)
        return TACIT_OK;
    tacit_status status = fits_new(&state->fits, state->tableau, &state->packed, err);
    for (size_t i = (size_t)state->tableau->classes; status == TACIT_OK && i < state->count; i++) {
        const tacit__item *item = &state->items[i];
        const tacit__lookup *boxes;
        status = fits_boxes(&boxes, state->fits, item->mask, err);
        if (status == TACIT_OK)
            fits_change(state->fits, boxes, item->class_index, 0, item->mask, item->rows);
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
    fits_free(state->fits);
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
        status = fits_boxes(&boxes, state->fits, state->items[from].mask | mask, err);
    if (status == TACIT_OK && mask != state->items[from].mask)
        status = recount(&gained, state, &state->items[from], rows, mask, err);
    if (status != TACIT_OK)
        return status;
    if (state->fits)
        fits_change(state->fits, boxes, state->items[from].class_index, state->items[from].mask,
                    mask, rows);
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
