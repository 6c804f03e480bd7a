/*
 * cover_donors.c - rows with blanks: what a class in need has of them, and what
 * changes when they change.
 *
 * A change visits the classes in need of a box, which a list of boxes has or a scan of all
 * classes in need finds. A class whose rows begin or cease to ask for donors adds to or
 * takes from the gain of every box it is in: a step for each set of columns.
 */
#include "base/error.h"
#include "base/vector.h"
#include "records/blanks/cover.h"

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

/* Rows of a class rely more or less, or have more or fewer donors. */
static tacit_status settle_need(tacit__covering *cover, uint32_t need, int64_t relying,
                                int64_t covered, tacit_error *err)
{
    int64_t before = tacit__covering_open(cover, need);
    cover->relying[need] += relying;
    cover->covered[need] += covered;
    int64_t more = tacit__covering_open(cover, need) - before;
    cover->work++;
    if (more == 0)
        return TACIT_OK;
    const uint32_t *box = cover->box_of + (size_t)need * cover->sets;
    for (uint32_t s = 0; s < cover->sets; s++)
        cover->gain[box[s]] += more;
    cover->open += more;
    cover->work += cover->sets;
    if (more < 0 || before > 0)
        return TACIT_OK;
    return TACIT__PUSH(cover->opened, cover->opened_room, cover->opened_count, need)
               ? TACIT_OK
               : tacit__nomem(err);
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
static tacit_status cover_members(tacit__covering *cover, const tacit__donor *donor,
                                  const uint32_t *members, uint32_t count, uint64_t fewer,
                                  int64_t more, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < count; i++) {
        uint32_t class_index = cover->class_of[members[i]];
        if (members[i] != donor->need &&
            (!fewer || !tacit__covering_agree(cover, donor->class_index, class_index, fewer)))
            status = settle_need(cover, members[i], 0, more, err);
    }
    return status;
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
static tacit_status settle_own(tacit__covering *cover, const tacit__donor *donor, uint64_t before,
                               uint64_t after, tacit_error *err)
{
    count_donor_rows(cover, donor, before, after);
    if (donor->need == TACIT__NONE)
        return TACIT_OK;
    int64_t relied = !before || !is_strong(cover, donor->need, before),
            relies = !after || !is_strong(cover, donor->need, after);
    return settle_need(cover, donor->need, relies - relied, 0, err);
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
static tacit_status note_change(tacit__covering *cover, uint32_t index, tacit_error *err)
{
    if (!TACIT__RESERVE(cover->free_places, cover->free_room, cover->donor_count))
        return tacit__nomem(err);
    if (!cover->noting)
        return TACIT_OK;
    return TACIT__PUSH(cover->changes, cover->change_room, cover->change_count,
                       (tacit__donor_change){.donor = index, .before = cover->donors[index]})
               ? TACIT_OK
               : tacit__nomem(err);
}

/* Gives a donor its blanks; where it had none it is not yet linked. */
static tacit_status set_donor_mask(tacit__covering *cover, uint32_t index, uint64_t mask,
                                   tacit_error *err)
{
    tacit__donor *donor = &cover->donors[index];
    uint64_t before = donor->mask, larger = before | mask, smaller = before & mask;
    const uint32_t *members;
    if (before == mask)
        return TACIT_OK;
    if (cover->pairing) {
        count_donor_rows(cover, donor, before, mask);
        replace_blanks(cover, donor, mask);
        return TACIT_OK;
    }
    if (before)
        link_donor(cover, index, false);
    uint32_t count = find_members(&members, cover, donor, larger);
    cover->work += count;
    tacit_status status =
        cover_members(cover, donor, members, count, smaller, mask == larger ? 1 : -1, err);
    if (status == TACIT_OK)
        status = settle_own(cover, donor, before, mask, err);
    if (mask && mask == smaller)
        find_proxy(cover, donor, members, count, mask);
    replace_blanks(cover, donor, mask);
    if (mask)
        link_donor(cover, index, true);
    else
        cover->free_places[cover->free_count++] = index;
    return status;
}

tacit_status tacit__covering_add(tacit__covering *cover, uint32_t class_index, uint32_t proxy,
                                 uint64_t mask, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(cover->donors, cover->donor_room, cover->donor_count))
        return tacit__nomem(err);
    uint32_t need = cover->need_of[class_index], index = cover->donor_count;
    bool again = cover->free_count > 0;
    if (again)
        index = cover->free_places[cover->free_count - 1];
    else
        cover->donors[cover->donor_count++] = (tacit__donor){0};
    tacit_status status = note_change(cover, index, err);
    if (status != TACIT_OK)
        return status;
    cover->free_count -= again;
    cover->donors[index] = (tacit__donor){
        .class_index = class_index, .need = need, .proxy = need != TACIT__NONE ? need : proxy};
    return set_donor_mask(cover, index, mask, err);
}

tacit_status tacit__covering_change(tacit__covering *cover, uint32_t donor, uint64_t mask,
                                    tacit_error *err)
{
    tacit_status status = note_change(cover, donor, err);
    return status == TACIT_OK ? set_donor_mask(cover, donor, mask, err) : status;
}

/* Places that became free since are free in the order in which they are taken here. */
tacit_status tacit__covering_undo(tacit__covering *cover, uint32_t keep, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && cover->change_count > keep) {
        const tacit__donor_change *change = &cover->changes[--cover->change_count];
        tacit__donor *donor = &cover->donors[change->donor];
        uint64_t mask = change->before.mask;
        if (!donor->mask) {
            *donor = change->before;
            donor->mask = 0;
            cover->free_count--;
        }
        status = set_donor_mask(cover, change->donor, mask, err);
    }
    return status;
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

tacit_status tacit__covering_fill(tacit__covering *cover, uint32_t index, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    const tacit__donor *donor = &cover->donors[index];
    uint64_t tried = 0;
    if (donor->mask && may_fill(cover, donor, 0))
        return tacit__covering_change(cover, index, 0, err);
    while (donor->mask & ~tried) {
        const double *costs = t->costs + (int64_t)donor->class_index * t->columns;
        int dearest = -1;
        for (uint64_t left = donor->mask & ~tried; left; left &= left - 1)
            if (dearest < 0 || costs[__builtin_ctzll(left)] > costs[dearest])
                dearest = __builtin_ctzll(left);
        uint64_t mask = donor->mask & ~(UINT64_C(1) << dearest);
        tried |= UINT64_C(1) << dearest;
        if (!mask || !may_fill(cover, donor, mask))
            continue;
        tacit_status status = tacit__covering_change(cover, index, mask, err);
        if (status != TACIT_OK)
            return status;
        donor = &cover->donors[index];
    }
    return TACIT_OK;
}

tacit_status tacit__covering_fill_all(tacit__covering *cover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < cover->donor_count; i++)
        status = tacit__covering_fill(cover, i, err);
    return status;
}

tacit_status tacit__covering_lend(tacit__covering *cover, uint32_t need, int64_t donors,
                                  tacit_error *err)
{
    return settle_need(cover, need, 0, donors, err);
}
