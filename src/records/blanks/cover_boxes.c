/*
 * cover_boxes.c - which classes are in need, the boxes that hold them, and rows with blanks: what a
 * class in need has of them, and what changes when they change.
 *
 * For every set of columns a hash of the classes in need finds their boxes, and a pass over all
 * classes the rows of each box and its cheapest class that is not in need. Boxes of fewer than k
 * rows are of no use and count as one. Sets are taken by size, all of a size together, as long as
 * they cost no more than limits below; a set costs a look at each class, and some forty bytes for
 * each class in need. Sets are independent tasks.
 *
 * A change of a donor visits the classes in need of a box, which a list of boxes has or a scan of
 * all classes in need finds. A class whose rows begin or cease to ask for donors adds to or takes
 * from the gain of every box it is in: a step for each set of columns.
 */
#include "records/blanks/cover.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* What sets may cost: classes in need of all sets (fewer where that is a part of the sets only,
 * or whole rows will do: there is less to win), and looks at classes. */
enum {
    MAX_SETS = 1 << 14,
    MAX_MEMBERS = 1 << 26,
    MAX_OF_PART = 1 << 25,
    MAX_IF_WHOLE = 1 << 23,
    MAX_BOX_LOOKS = 1 << 29,
    MAX_NOTED = 1 << 24
};

/* One set while its boxes are made. */
typedef struct boxes {
    uint64_t sieve[TACIT__PACKED_WORDS]; /* the columns that count */
    uint32_t count;
    uint32_t *slots; /* box of a hash, or TACIT__NONE: not a map, for a class is hashed, looked for
                        and added in one go, a fifteenth of the method's time */
    uint64_t room;
    uint32_t *sample; /* a class of each box */
    uint32_t *size;   /* classes in need */
    int64_t *rows;
    uint32_t *outside;
} boxes;

typedef struct making {
    tacit__covering *cover;
    boxes *sets;
} making;

static void clear_boxes(boxes *b)
{
    tacit__free(b->slots);
    tacit__free(b->sample);
    tacit__free(b->size);
    tacit__free(b->rows);
    tacit__free(b->outside);
}

static tacit_status find_needs(tacit__covering *cover, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    size_t classes = (size_t)t->classes, needs = 0;
    for (int64_t i = 0; i < t->classes; i++)
        needs += t->counts[i] < t->k;
    cover->need_of = tacit__alloc_array(classes, sizeof *cover->need_of);
    cover->taken = tacit__alloc_zeroed(classes, sizeof *cover->taken);
    cover->class_of = tacit__alloc_array(needs, sizeof *cover->class_of);
    cover->relying = tacit__alloc_array(needs, sizeof *cover->relying);
    cover->fresh = tacit__alloc_array(needs, sizeof *cover->fresh);
    cover->covered = tacit__alloc_zeroed(needs, sizeof *cover->covered);
    cover->first = tacit__alloc_array(needs, sizeof *cover->first);
    cover->share = tacit__alloc_array(needs, sizeof *cover->share);
    cover->scanned = tacit__alloc_array(needs, sizeof *cover->scanned);
    if (!cover->need_of || !cover->taken || !cover->class_of || !cover->relying || !cover->fresh ||
        !cover->covered || !cover->first || !cover->share || !cover->scanned)
        return tacit__nomem(err);
    for (int64_t i = 0; i < t->classes; i++) {
        uint32_t need = cover->needs;
        cover->need_of[i] = TACIT__NONE;
        if (t->counts[i] >= t->k)
            continue;
        cover->need_of[i] = cover->needs++;
        cover->class_of[need] = (uint32_t)i;
        cover->relying[need] = cover->fresh[need] = t->counts[i];
        cover->first[need] = TACIT__NONE;
        cover->share[need] = HUGE_VAL;
        cover->open += t->counts[i];
    }
    return TACIT_OK;
}

static tacit_status find_least_costs(tacit__covering *cover, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    cover->least_cost = tacit__alloc_array((size_t)t->columns, sizeof *cover->least_cost);
    if (!cover->least_cost)
        return tacit__nomem(err);
    for (int32_t c = 0; c < t->columns; c++)
        cover->least_cost[c] = t->costs[c];
    for (int64_t i = 1; !t->unit && i < t->classes; i++)
        for (int32_t c = 0; c < t->columns; c++)
            if (t->costs[i * t->columns + c] < cover->least_cost[c])
                cover->least_cost[c] = t->costs[i * t->columns + c];
    cover->least_cell = cover->least_cost[0];
    for (int32_t c = 1; c < t->columns; c++)
        if (cover->least_cost[c] < cover->least_cell)
            cover->least_cell = cover->least_cost[c];
    return TACIT_OK;
}

/* Sets of `size` of the columns, or more than MAX_SETS where there are. */
static uint64_t count_sets(int32_t columns, int32_t size)
{
    double sets = tacit__count_sets(columns, size);
    return sets > MAX_SETS ? MAX_SETS + 1 : (uint64_t)(sets + 0.5);
}

/* All sets that limits allow, or more than MAX_SETS. */
static uint64_t count_all(const tacit__tableau *t)
{
    uint64_t all = 0;
    for (int32_t size = 1; size <= t->most_row; size++)
        all += count_sets(t->columns, size);
    return all;
}

static uint64_t max_sets(const tacit__covering *cover)
{
    const tacit__tableau *t = cover->tableau;
    bool all = count_all(t) <= MAX_MEMBERS / (cover->needs + UINT64_C(1));
    uint64_t most = MAX_SETS, members = all ? MAX_MEMBERS : MAX_OF_PART;
    if (tacit__covering_whole(t))
        members = MAX_IF_WHOLE;
    if (cover->needs > 0 && members / cover->needs < most)
        most = members / cover->needs;
    if (MAX_BOX_LOOKS / (uint64_t)t->classes < most)
        most = MAX_BOX_LOOKS / (uint64_t)t->classes;
    return most;
}

/* Sets of all sizes that can be afforded; of pairs also a part. */
static uint64_t choose_count(const tacit__covering *cover)
{
    const tacit__tableau *t = cover->tableau;
    uint64_t most = max_sets(cover), sets = 0;
    for (int32_t size = 1; cover->needs > 0 && size <= t->most_row; size++) {
        uint64_t more = sets + count_sets(t->columns, size);
        if (more > most)
            return size <= 2 ? most : sets;
        sets = more;
    }
    return sets;
}

static void note_set(tacit__covering *cover, uint64_t mask)
{
    uint32_t set = tacit__numbering_add(&cover->numbers, mask);
    cover->sets = cover->numbers.count;
    cover->least[set] = 0;
    for (uint64_t left = mask; left; left &= left - 1)
        cover->least[set] += cover->least_cost[__builtin_ctzll(left)];
}

/* Notes so many sets, by size and then by the ranks of their columns. */
static void note_sets(tacit__covering *cover, uint64_t count)
{
    int32_t ranked[64], columns = cover->tableau->columns;
    tacit__tableau_rank(ranked, cover->tableau,
                        tacit__first_set(columns)); /* blanks there bring the most rows together */
    for (int32_t size = 1; cover->sets < count; size++)
        for (uint64_t ranks = tacit__first_set(size); ranks && cover->sets < count;
             ranks = tacit__next_set(ranks, columns)) {
            uint64_t mask = 0;
            for (uint64_t left = ranks; left; left &= left - 1)
                mask |= UINT64_C(1) << ranked[__builtin_ctzll(left)];
            note_set(cover, mask);
        }
}

static tacit_status choose_sets(tacit__covering *cover, tacit_error *err)
{
    uint64_t sets = choose_count(cover);
    cover->complete = sets == count_all(cover->tableau);
    cover->least = tacit__alloc_array(sets, sizeof *cover->least);
    if (!cover->least || !tacit__numbering_reserve(&cover->numbers, sets))
        return tacit__nomem(err);
    cover->masks = cover->numbers.keys;
    note_sets(cover, sets);
    return TACIT_OK;
}

/* The slot where the box of a class is, or would be. */
static uint64_t slot_of(const boxes *b, const tacit__covering *cover, uint32_t class_index)
{
    const tacit__packed *packed = &cover->packed;
    const uint64_t *bits = tacit__packed_bits(packed, class_index);
    uint64_t hash = tacit__packed_hash(bits, b->sieve, packed->words);
    for (uint64_t slot = hash & (b->room - 1);; slot = (slot + 1) & (b->room - 1)) {
        uint32_t box = b->slots[slot];
        if (box == TACIT__NONE ||
            tacit__packed_agree(bits, tacit__packed_bits(packed, b->sample[box]), b->sieve,
                                packed->words))
            return slot;
    }
}

static tacit_status start_boxes(boxes *b, const tacit__covering *cover, uint64_t mask,
                                tacit_error *err)
{
    tacit__packed_sieve(b->sieve, &cover->packed, ~mask);
    for (b->room = 4; b->room < 2 * (uint64_t)cover->needs; b->room *= 2)
        ;
    b->slots = tacit__alloc_array(b->room, sizeof *b->slots);
    b->sample = tacit__alloc_array(cover->needs, sizeof *b->sample);
    b->size = tacit__alloc_zeroed(cover->needs, sizeof *b->size);
    if (!b->slots || !b->sample || !b->size)
        return tacit__nomem(err);
    memset(b->slots, 0xFF, b->room * sizeof *b->slots);
    return TACIT_OK;
}

/* Whether a class is a better one to take rows without need from. */
static bool better_outside(const tacit__tableau *t, uint64_t mask, uint32_t a, uint32_t b)
{
    if (b == TACIT__NONE)
        return true;
    double x = t->unit ? 0 : tacit__tableau_cost(t, a, mask),
           y = t->unit ? 0 : tacit__tableau_cost(t, b, mask);
    return x < y || (x <= y && t->counts[a] > t->counts[b]);
}

/* Rows of the boxes, and what is outside of need in them. */
static tacit_status count_box_rows(boxes *b, const tacit__covering *cover, uint32_t set,
                                   tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    b->rows = tacit__alloc_zeroed(b->count, sizeof *b->rows);
    b->outside = tacit__alloc_array(b->count, sizeof *b->outside);
    if (!b->rows || !b->outside)
        return tacit__nomem(err);
    memset(b->outside, 0xFF, b->count * sizeof *b->outside);
    for (int64_t i = 0; i < t->classes; i++) {
        uint32_t class_index = (uint32_t)i, need = cover->need_of[i];
        uint32_t box = need != TACIT__NONE ? tacit__covering_box(cover, need, set)
                                           : b->slots[slot_of(b, cover, class_index)];
        if (box == TACIT__NONE)
            continue;
        b->rows[box] += t->counts[i];
        if (need == TACIT__NONE &&
            better_outside(t, cover->masks[set], class_index, b->outside[box]))
            b->outside[box] = class_index;
    }
    return TACIT_OK;
}

/* Only boxes of k rows stay, numbered from 0; of the others the rows are noted downwards from
 * TACIT__NONE. */
static void drop_weak(boxes *b, const tacit__covering *cover, uint32_t set)
{
    uint32_t kept = 0, *number = b->sample; /* which is not needed any more */
    for (uint32_t i = 0; i < b->count; i++) {
        number[i] = TACIT__NONE - (uint32_t)(b->rows[i] < MAX_NOTED ? b->rows[i] : MAX_NOTED);
        if (b->rows[i] < cover->tableau->k)
            continue;
        b->rows[kept] = b->rows[i];
        b->size[kept] = b->size[i];
        b->outside[kept] = b->outside[i];
        number[i] = kept++;
    }
    b->count = kept;
    for (uint32_t i = 0; i < cover->needs; i++) {
        uint32_t *of = &cover->box_of[(size_t)i * cover->sets + set];
        *of = number[*of];
    }
}

/* A task: the boxes of a set. */
static tacit_status make_boxes(void *context, int64_t task, int worker, tacit_error *err)
{
    making *m = context;
    tacit__covering *cover = m->cover;
    boxes *b = &m->sets[task];
    (void)worker;
    tacit_status status = start_boxes(b, cover, cover->masks[task], err);
    for (uint32_t i = 0; status == TACIT_OK && i < cover->needs; i++) {
        uint64_t slot = slot_of(b, cover, cover->class_of[i]);
        if (b->slots[slot] == TACIT__NONE) {
            b->sample[b->count] = cover->class_of[i];
            b->slots[slot] = b->count++;
        }
        b->size[b->slots[slot]]++;
        cover->box_of[(size_t)i * cover->sets + (size_t)task] = b->slots[slot];
    }
    if (status == TACIT_OK)
        status = count_box_rows(b, cover, (uint32_t)task, err);
    if (status == TACIT_OK)
        drop_weak(b, cover, (uint32_t)task);
    tacit__free(b->slots);
    tacit__free(b->sample);
    b->slots = b->sample = NULL;
    return status;
}

static tacit_status allocate_boxes(tacit__covering *cover, const boxes *sets, tacit_error *err)
{
    size_t members = 0;
    cover->boxes = 1;
    for (uint32_t s = 0; s < cover->sets; s++) {
        cover->boxes += sets[s].count;
        for (uint32_t b = 0; b < sets[s].count; b++)
            members += sets[s].size[b];
    }
    size_t count = cover->boxes;
    cover->set_of = tacit__alloc_array(count, sizeof *cover->set_of);
    cover->start = tacit__alloc_array(count + 1, sizeof *cover->start);
    cover->members = tacit__alloc_array(members, sizeof *cover->members);
    cover->rows = tacit__alloc_array(count, sizeof *cover->rows);
    cover->outside = tacit__alloc_array(count, sizeof *cover->outside);
    cover->gain = tacit__alloc_zeroed(count, sizeof *cover->gain);
    cover->inside = tacit__alloc_zeroed(count, sizeof *cover->inside);
    if (cover->set_of && cover->start && cover->members && cover->rows && cover->outside &&
        cover->gain && cover->inside)
        return TACIT_OK;
    return tacit__nomem(err);
}

/* The classes in need of the boxes of a set, the first of which is `first`. */
static void join_members(tacit__covering *cover, const boxes *set, uint32_t index, uint32_t first)
{
    for (uint32_t i = 0; i < cover->needs; i++) {
        uint32_t *of = &cover->box_of[(size_t)i * cover->sets + index];
        if (*of >= TACIT__NONE - MAX_NOTED) {
            double rows = (double)(TACIT__NONE - *of) + (double)cover->tableau->k - 2;
            cover->share[i] = fmin(cover->share[i], cover->least[index] / rows);
            *of = TACIT__WEAK_BOX;
            continue;
        }
        cover->members[set->size[*of]++] = i;
        *of += first;
        cover->gain[*of] += cover->relying[i];
    }
}

static tacit_status join_boxes(tacit__covering *cover, const boxes *sets, tacit_error *err)
{
    tacit_status status = allocate_boxes(cover, sets, err);
    if (status != TACIT_OK)
        return status;
    uint32_t box = TACIT__WEAK_BOX + 1, at = 0;
    cover->set_of[TACIT__WEAK_BOX] = cover->start[TACIT__WEAK_BOX] = 0;
    cover->rows[TACIT__WEAK_BOX] = 0;
    cover->outside[TACIT__WEAK_BOX] = TACIT__NONE;
    for (uint32_t s = 0; s < cover->sets; s++) {
        uint32_t first = box;
        for (uint32_t b = 0; b < sets[s].count; b++, box++) {
            cover->set_of[box] = s;
            cover->start[box] = at;
            cover->rows[box] = sets[s].rows[b];
            cover->outside[box] = sets[s].outside[b];
            at += sets[s].size[b];
            sets[s].size[b] = cover->start[box];
        }
        join_members(cover, &sets[s], s, first);
    }
    cover->start[box] = at;
    return TACIT_OK;
}

static tacit_status find_cover_boxes(tacit__covering *cover, tacit_error *err)
{
    making m = {.cover = cover, .sets = tacit__alloc_zeroed(cover->sets, sizeof *m.sets)};
    cover->box_of = tacit__alloc_array((size_t)cover->needs * cover->sets, sizeof *cover->box_of);
    if (!m.sets || !cover->box_of) {
        tacit__free(m.sets);
        return tacit__nomem(err);
    }
    tacit_status status =
        tacit__parallel(cover->run, "finding boxes", cover->sets, make_boxes, &m, err);
    if (status == TACIT_OK)
        status = join_boxes(cover, m.sets, err);
    for (uint32_t s = 0; s < cover->sets; s++)
        clear_boxes(&m.sets[s]);
    tacit__free(m.sets);
    return status;
}

tacit_status tacit__covering_init(tacit__covering *cover, const tacit__tableau *tableau,
                                  const tacit_run *run, tacit_error *err)
{
    *cover = (tacit__covering){.tableau = tableau, .run = run};
    for (int32_t c = 0; c < tableau->columns; c++)
        cover->price[c] = 1;
    tacit_status status = tacit__packed_init(&cover->packed, tableau, err);
    if (status == TACIT_OK)
        status = find_needs(cover, err);
    if (status == TACIT_OK)
        status = find_least_costs(cover, err);
    if (status == TACIT_OK)
        status = choose_sets(cover, err);
    if (status == TACIT_OK)
        status = find_cover_boxes(cover, err);
    if (status != TACIT_OK)
        tacit__covering_clear(cover);
    return status;
}

void tacit__covering_clear(tacit__covering *cover)
{
    void *blocks[] = {cover->least_cost, cover->class_of, cover->need_of,     cover->relying,
                      cover->fresh,      cover->covered,  cover->first,       cover->share,
                      cover->least,      cover->box_of,   cover->set_of,      cover->start,
                      cover->members,    cover->rows,     cover->outside,     cover->gain,
                      cover->inside,     cover->donors,   cover->free_places, cover->taken,
                      cover->scanned,    cover->opened,   cover->changes};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tacit__free(blocks[i]);
    tacit__numbering_clear(&cover->numbers);
    tacit__packed_clear(&cover->packed);
    tacit__near_clear(&cover->near);
    *cover = (tacit__covering){0};
}

/* ---- donors ---- */

bool tacit__covering_allows(const tacit__covering *cover, uint64_t mask, uint64_t added)
{
    const tacit__tableau *t = cover->tableau;
    if (__builtin_popcountll(mask) > t->most_row)
        return false;
    for (; added; added &= added - 1)
        if (cover->used[__builtin_ctzll(added)] >= t->most_column)
            return false;
    return true;
}

void tacit__covering_settle(tacit__covering *cover, uint32_t need, int64_t relying, int64_t covered)
{
    int64_t before = tacit__covering_open(cover, need);
    cover->relying[need] += relying;
    cover->covered[need] += covered;
    int64_t more = tacit__covering_open(cover, need) - before;
    cover->work++;
    if (more == 0)
        return;
    const uint32_t *box = cover->box_of + (size_t)need * cover->sets;
    for (uint32_t s = 0; s < cover->sets; s++)
        cover->gain[box[s]] += more;
    cover->open += more;
    cover->work += cover->sets;
    if (more > 0 && before <= 0)
        cover->failed |=
            !TACIT__PUSH(cover->opened, cover->opened_capacity, cover->opened_count, need);
}

/* Classes in need of the box of a donor with some mask, its own among them. */
static uint32_t find_members(const uint32_t **members, tacit__covering *cover,
                             const tacit__donor *donor, uint64_t mask)
{
    uint32_t set = tacit__covering_set(cover, mask), count = 0, box = TACIT__WEAK_BOX;
    if (set != TACIT__NONE && donor->proxy != TACIT__NONE)
        box = tacit__covering_box(cover, donor->proxy, set);
    if (box != TACIT__WEAK_BOX) {
        *members = cover->members + cover->start[box];
        return cover->start[box + 1] - cover->start[box];
    }
    for (uint32_t i = 0; i < cover->needs; i++)
        if (tacit__covering_agree(cover, donor->class_index, cover->class_of[i], mask))
            cover->scanned[count++] = i;
    cover->work += cover->needs;
    *members = cover->scanned;
    return count;
}

/* Whether k rows differ from a class only in columns of a mask. */
static bool is_strong(tacit__covering *cover, uint32_t need, uint64_t mask)
{
    const tacit__tableau *t = cover->tableau;
    uint32_t set = tacit__covering_set(cover, mask);
    if (set != TACIT__NONE)
        return tacit__covering_box(cover, need, set) != TACIT__WEAK_BOX;
    int64_t rows = 0;
    for (int64_t i = 0; i < t->classes && rows < t->k; i++)
        if (tacit__covering_agree(cover, cover->class_of[need], (uint32_t)i, mask))
            rows += t->counts[i];
    cover->work += t->classes;
    return rows >= t->k;
}

/* Notes a donor among those of its proxy and in the sets that have its blanks and more, or
 * takes it out. */
static void link_donor(tacit__covering *cover, uint32_t index, bool in)
{
    tacit__donor *donor = &cover->donors[index];
    if (donor->proxy == TACIT__NONE)
        return;
    uint32_t *at = &cover->first[donor->proxy];
    if (in) {
        donor->next = *at;
        *at = index;
    } else {
        while (*at != index)
            at = &cover->donors[*at].next;
        *at = donor->next;
    }
    for (uint32_t s = 0; s < cover->sets; s++)
        if (donor->mask != cover->masks[s] && (donor->mask & ~cover->masks[s]) == 0)
            cover->inside[tacit__covering_box(cover, donor->proxy, s)] += in ? 1 : UINT32_MAX;
}

/* A donor keeps a class of its box for a proxy when it has fewer blanks; where no class in
 * need is left there, none. */
static void find_proxy(tacit__covering *cover, tacit__donor *donor, const uint32_t *members,
                       uint32_t count, uint64_t mask)
{
    if (donor->need != TACIT__NONE ||
        (donor->proxy != TACIT__NONE &&
         tacit__covering_agree(cover, donor->class_index, cover->class_of[donor->proxy], mask)))
        return;
    donor->proxy = TACIT__NONE;
    for (uint32_t i = 0; i < count && donor->proxy == TACIT__NONE; i++)
        if (tacit__covering_agree(cover, donor->class_index, cover->class_of[members[i]], mask))
            donor->proxy = members[i];
}

/* The classes that a donor covers with one mask and not with the other. */
static void cover_members(tacit__covering *cover, const tacit__donor *donor,
                          const uint32_t *members, uint32_t count, uint64_t fewer, int64_t more)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t class_index = cover->class_of[members[i]];
        if (members[i] != donor->need &&
            (!fewer || !tacit__covering_agree(cover, donor->class_index, class_index, fewer)))
            tacit__covering_settle(cover, members[i], 0, more);
    }
}

/* The rows of a donor's class that are donors, and those that are not. */
static void count_donor_rows(tacit__covering *cover, const tacit__donor *donor, uint64_t before,
                             uint64_t after)
{
    cover->taken[donor->class_index] += !before ? 1 : 0;
    cover->taken[donor->class_index] -= !after ? 1 : 0;
    if (donor->need != TACIT__NONE)
        cover->fresh[donor->need] += !after - !before;
}

/* What a change means for the donor's own class. */
static void settle_own(tacit__covering *cover, const tacit__donor *donor, uint64_t before,
                       uint64_t after)
{
    count_donor_rows(cover, donor, before, after);
    if (donor->need == TACIT__NONE)
        return;
    int64_t relied = !before || !is_strong(cover, donor->need, before),
            relies = !after || !is_strong(cover, donor->need, after);
    tacit__covering_settle(cover, donor->need, relies - relied, 0);
}

static void count_donor_blanks(tacit__covering *cover, const tacit__donor *donor, uint64_t mask,
                               int sign)
{
    cover->cost += sign * tacit__tableau_cost(cover->tableau, donor->class_index, mask);
    for (; mask; mask &= mask - 1)
        cover->used[__builtin_ctzll(mask)] += sign;
}

static void replace_blanks(tacit__covering *cover, tacit__donor *donor, uint64_t mask)
{
    count_donor_blanks(cover, donor, mask & ~donor->mask, 1);
    count_donor_blanks(cover, donor, donor->mask & ~mask, -1);
    donor->mask = mask;
}

/* Room for all that a change appends to, before anything is touched. */
/* Room for all that a change appends to, before anything is touched; false where there is none. */
static bool note_change(tacit__covering *cover, uint32_t index)
{
    cover->failed |=
        !TACIT__RESERVE(cover->free_places, cover->free_capacity, cover->donor_count) ||
        (cover->noting &&
         !TACIT__PUSH(cover->changes, cover->change_capacity, cover->change_count,
                      (tacit__donor_change){.donor = index, .before = cover->donors[index]}));
    return !cover->failed;
}

/* Gives a donor its blanks; where it had none it is not yet linked. */
static void set_donor_mask(tacit__covering *cover, uint32_t index, uint64_t mask)
{
    tacit__donor *donor = &cover->donors[index];
    uint64_t before = donor->mask, larger = before | mask, smaller = before & mask;
    const uint32_t *members;
    if (before == mask)
        return;
    if (cover->pairing) {
        count_donor_rows(cover, donor, before, mask);
        replace_blanks(cover, donor, mask);
        return;
    }
    if (before)
        link_donor(cover, index, false);
    uint32_t count = find_members(&members, cover, donor, larger);
    cover->work += count;
    cover_members(cover, donor, members, count, smaller, mask == larger ? 1 : -1);
    settle_own(cover, donor, before, mask);
    if (mask && mask == smaller)
        find_proxy(cover, donor, members, count, mask);
    replace_blanks(cover, donor, mask);
    if (mask)
        link_donor(cover, index, true);
    else
        cover->free_places[cover->free_count++] = index;
}

void tacit__covering_add(tacit__covering *cover, uint32_t class_index, uint32_t proxy,
                         uint64_t mask)
{
    cover->failed |= !TACIT__RESERVE_ONE(cover->donors, cover->donor_capacity, cover->donor_count);
    if (cover->failed)
        return;
    uint32_t need = cover->need_of[class_index], index = cover->donor_count;
    bool again = cover->free_count > 0;
    if (again)
        index = cover->free_places[cover->free_count - 1];
    else
        cover->donors[cover->donor_count++] = (tacit__donor){0};
    if (!note_change(cover, index))
        return;
    cover->free_count -= again;
    cover->donors[index] = (tacit__donor){
        .class_index = class_index, .need = need, .proxy = need != TACIT__NONE ? need : proxy};
    set_donor_mask(cover, index, mask);
}

void tacit__covering_change(tacit__covering *cover, uint32_t donor, uint64_t mask)
{
    if (note_change(cover, donor))
        set_donor_mask(cover, donor, mask);
}

/* Places that became free since are free in the order in which they are taken here. */
void tacit__covering_undo(tacit__covering *cover, uint32_t keep)
{
    while (cover->change_count > keep) {
        const tacit__donor_change *change = &cover->changes[--cover->change_count];
        tacit__donor *donor = &cover->donors[change->donor];
        uint64_t mask = change->before.mask;
        if (!donor->mask) {
            *donor = change->before;
            donor->mask = 0;
            cover->free_count--;
        }
        set_donor_mask(cover, change->donor, mask);
    }
}

/* Whether nothing becomes open where a donor has fewer blanks. */
static bool may_fill(tacit__covering *cover, const tacit__donor *donor, uint64_t mask)
{
    const uint32_t *members;
    uint32_t count = find_members(&members, cover, donor, donor->mask);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t need = members[i], class_index = cover->class_of[need];
        cover->work++;
        if (need != donor->need && cover->relying[need] > 0 &&
            cover->tableau->counts[class_index] + cover->covered[need] <= cover->tableau->k &&
            (!mask || !tacit__covering_agree(cover, donor->class_index, class_index, mask)))
            return false;
    }
    return donor->need == TACIT__NONE || tacit__covering_lack(cover, donor->need) == 0 ||
           (mask && is_strong(cover, donor->need, mask));
}

void tacit__covering_fill(tacit__covering *cover, uint32_t index)
{
    const tacit__tableau *t = cover->tableau;
    const tacit__donor *donor = &cover->donors[index];
    uint64_t tried = 0;
    if (donor->mask && may_fill(cover, donor, 0)) {
        tacit__covering_change(cover, index, 0);
        return;
    }
    while (donor->mask & ~tried) {
        const double *costs = t->costs + (int64_t)donor->class_index * t->columns;
        int dearest = -1;
        for (uint64_t left = donor->mask & ~tried; left; left &= left - 1)
            if (dearest < 0 || costs[__builtin_ctzll(left)] > costs[dearest])
                dearest = __builtin_ctzll(left);
        uint64_t mask = donor->mask & ~(UINT64_C(1) << dearest);
        tried |= UINT64_C(1) << dearest;
        if (mask && may_fill(cover, donor, mask))
            tacit__covering_change(cover, index, mask);
    }
}

tacit_status tacit__covering_fill_all(tacit__covering *cover, tacit_error *err)
{
    for (uint32_t i = 0; i < cover->donor_count; i++)
        tacit__covering_fill(cover, i);
    return cover->failed ? tacit__nomem(err) : TACIT_OK;
}
