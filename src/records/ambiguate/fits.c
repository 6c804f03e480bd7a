/*
 * fits.c - who fits a released row, and how many rows each person fits
 * (fits.h).
 *
 * For each set of blanks that is asked for, the classes are put together by what they are
 * outside of it (lookup.h); such a list is kept until there are too many of them.
 * A list costs a look at every class, and 4 bytes each; a change or a question the classes of
 * one box.
 */
#include "records/ambiguate/fits.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum { MOST_KEPT = 1 << 25 }; /* classes in all lists */

struct tacit__fits {
    const tacit__tableau *tableau; /* borrowed */
    const tacit__packed *packed;   /* the same */
    int64_t *rows;                 /* a class each: rows that its people fit */
    tacit__numbering masks;        /* of the lists */
    tacit__lookup *boxes;          /* a list each */
    size_t room;
};

tacit_status tacit__fits_new(tacit__fits **out, const tacit__tableau *tableau,
                             const tacit__packed *packed, tacit_error *err)
{
    tacit__fits *fits = tacit__alloc_zeroed(1, sizeof *fits);
    if (!fits)
        return tacit__nomem(err);
    fits->tableau = tableau;
    fits->packed = packed;
    fits->rows = tacit__alloc_array((size_t)tableau->classes, sizeof *fits->rows);
    if (!fits->rows) {
        tacit__fits_free(fits);
        return tacit__nomem(err);
    }
    for (int64_t i = 0; i < tableau->classes; i++)
        fits->rows[i] = tableau->counts[i];
    *out = fits;
    return TACIT_OK;
}

static void clear_lists(tacit__fits *fits)
{
    for (size_t i = 0; i < fits->masks.count; i++)
        tacit__lookup_clear(&fits->boxes[i]);
    tacit__numbering_empty(&fits->masks);
}

void tacit__fits_free(tacit__fits *fits)
{
    if (!fits)
        return;
    clear_lists(fits);
    tacit__free(fits->rows);
    tacit__free(fits->boxes);
    tacit__numbering_clear(&fits->masks);
    tacit__free(fits);
}

/* Room for one more list; where too many are kept, all go. */
static tacit_status reserve_list(tacit__fits *fits, tacit_error *err)
{
    size_t classes = (size_t)fits->tableau->classes + 1, lists = fits->masks.count;
    if (lists > 0 && lists >= MOST_KEPT / classes)
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

tacit_status tacit__fits_boxes(const tacit__lookup **out, tacit__fits *fits, uint64_t mask,
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

void tacit__fits_change(tacit__fits *fits, const tacit__lookup *boxes, uint32_t class_index,
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
    tacit_status status = tacit__fits_boxes(&boxes, fits, mask, err);
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
    status = tacit__fits_boxes(&boxes, fits, mask, err);
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
