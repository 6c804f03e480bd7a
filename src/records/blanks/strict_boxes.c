/*
 * strict_boxes.c - masks of blanks, and the boxes of rows that are the same beyond
 * them.
 *
 * Masks are listed by size as far as limits and memory go, and the largest of all where it is
 * allowed, so that there is a place for every row. Each costs a pass over the classes. A row
 * costs at least what it does in its cheapest box that could have k rows, which is a
 * bound; where some row has no such box, nothing keeps k.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/ambiguate/sets.h"
#include "records/blanks/strict.h"

enum { MOST_MASKS = 5000, MOST_ENTRIES = 50000000 };

/* ---- masks ---- */

static tacit_status add_mask(tacit__strict *s, uint64_t mask, tacit_error *err)
{
    return TACIT__PUSH(s->masks, s->mask_room, s->mask_count, mask) ? TACIT_OK : tacit__nomem(err);
}

static tacit_status list_masks(tacit__strict *s, tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    double room = fmin(MOST_MASKS, MOST_ENTRIES / (double)t->classes);
    int32_t size = 0;
    tacit_status status = add_mask(s, 0, err);
    for (size = 1; status == TACIT_OK && size <= t->most_row && size < t->columns; size++) {
        if ((double)s->mask_count + tacit__count_sets(t->columns, size) > room)
            break;
        for (uint64_t mask = tacit__first_set(size); status == TACIT_OK && mask;
             mask = tacit__next_set(mask, t->columns))
            status = add_mask(s, mask, err);
    }
    s->every = size > t->most_row || size >= t->columns;
    return status == TACIT_OK && t->most_row >= t->columns
               ? add_mask(s, tacit__first_set(t->columns), err)
               : status;
}

/* ---- boxes ---- */

static uint64_t hash_of(const tacit__tableau *t, int64_t class_index, uint64_t mask)
{
    const uint32_t *codes = tacit__tableau_codes(t, class_index);
    uint64_t hash = mask;
    for (int32_t c = 0; c < t->columns; c++)
        if (!(mask >> c & 1))
            hash = tacit__mix(hash + codes[c] + 1);
    return hash;
}

/* Finds the boxes of a mask; slots, of which there are size + 1, hold a class of each: a table of
 * its own, for that is what a class is compared with, and a number of the box would not give it. */
static tacit_status find_mask_boxes(tacit__strict *s, int64_t m, uint32_t *slots, uint64_t size,
                                    tacit_error *err)
{
    const tacit__tableau *t = s->tableau;
    uint32_t *box_of = s->box_of + tacit__strict_at(s, m, 0);
    memset(slots, 0xff, (size + 1) * sizeof *slots);
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t at = hash_of(t, i, s->masks[m]) & size;
        while (slots[at] != TACIT__NONE && tacit__tableau_differ(t, i, slots[at]) & ~s->masks[m])
            at = (at + 1) & size;
        if (slots[at] == TACIT__NONE) {
            if (!TACIT__RESERVE_ONE(s->total, s->total_room, s->box_count))
                return tacit__nomem(err);
            slots[at] = (uint32_t)i;
            box_of[i] = (uint32_t)s->box_count;
            s->total[s->box_count++] = 0;
        }
        box_of[i] = box_of[slots[at]];
        s->total[box_of[i]] += t->counts[i];
    }
    return TACIT_OK;
}

static tacit_status list_boxes(tacit__strict *s, tacit_error *err)
{
    uint64_t size = 1;
    while (size < 2 * (uint64_t)s->tableau->classes)
        size *= 2;
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    tacit_status status = slots ? TACIT_OK : tacit__nomem(err);
    for (int64_t m = 0; status == TACIT_OK && m < s->mask_count; m++) {
        status = tacit__progress(s->run, "ambiguate", m, s->mask_count, err);
        if (status == TACIT_OK)
            status = find_mask_boxes(s, m, slots, size - 1, err);
    }
    tacit__free(slots);
    return status;
}

/* ---- the bound ---- */

/* What a row of a class costs at least; with masks that are not listed, a blank. */
static double cheapest(const tacit__strict *s, int64_t class_index)
{
    const tacit__tableau *t = s->tableau;
    double least = INFINITY;
    for (int64_t m = 0; m < s->mask_count; m++)
        if (s->total[s->box_of[tacit__strict_at(s, m, class_index)]] >= t->k)
            least = fmin(least, tacit__tableau_cost(t, class_index, s->masks[m]));
    if (!s->every)
        for (int32_t c = 0; c < t->columns; c++)
            least = fmin(least, t->costs[class_index * t->columns + c]);
    return least;
}

static void find_box_bound(tacit__strict *s)
{
    const tacit__tableau *t = s->tableau;
    s->bound = 0;
    for (int64_t i = 0; i < t->classes; i++)
        s->bound += (double)t->counts[i] * cheapest(s, i);
}

tacit_status tacit__strict_init(tacit__strict *s, const tacit__tableau *t, const tacit_run *run,
                                tacit_error *err)
{
    *s = (tacit__strict){.tableau = t, .run = run};
    tacit_status status = list_masks(s, err);
    size_t entries = (size_t)s->mask_count * (size_t)t->classes;
    if (status == TACIT_OK) {
        s->box_of = tacit__alloc_array(entries, sizeof *s->box_of);
        s->take = tacit__alloc_zeroed(entries, sizeof *s->take);
        status = s->box_of && s->take ? list_boxes(s, err) : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        s->used = tacit__alloc_zeroed((size_t)s->box_count, sizeof *s->used);
        status = s->used ? TACIT_OK : tacit__nomem(err);
    }
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        s->take[i] = (uint32_t)t->counts[i];
        s->used[s->box_of[i]] = t->counts[i];
    }
    if (status == TACIT_OK)
        find_box_bound(s);
    else
        tacit__strict_clear(s);
    return status;
}

void tacit__strict_clear(tacit__strict *s)
{
    tacit__free(s->masks);
    tacit__free(s->box_of);
    tacit__free(s->total);
    tacit__free(s->take);
    tacit__free(s->used);
    *s = (tacit__strict){0};
}

/* ---- rows in boxes ---- */

static void count_blanks(tacit__strict *s, int64_t m, int64_t rows)
{
    for (uint64_t left = s->masks[m]; left; left &= left - 1)
        s->column[__builtin_ctzll(left)] += rows;
}

void tacit__strict_move(tacit__strict *s, int64_t class_index, int64_t from, int64_t to,
                        int64_t rows)
{
    int64_t source = tacit__strict_at(s, from, class_index);
    int64_t target = tacit__strict_at(s, to, class_index);
    s->take[source] -= (uint32_t)rows;
    s->take[target] += (uint32_t)rows;
    s->used[s->box_of[source]] -= rows;
    s->used[s->box_of[target]] += rows;
    count_blanks(s, from, -rows);
    count_blanks(s, to, rows);
}

bool tacit__strict_room(const tacit__strict *s, int64_t m, int64_t rows)
{
    for (uint64_t left = s->masks[m]; left; left &= left - 1)
        if (s->column[__builtin_ctzll(left)] + rows > s->tableau->most_column)
            return false;
    return true;
}

int64_t tacit__strict_mask(const tacit__strict *s, uint64_t mask)
{
    for (int64_t m = 0; m < s->mask_count; m++)
        if (s->masks[m] == mask)
            return m;
    return -1;
}

void tacit__strict_take(tacit__strict *s, const tacit__blanking *plan)
{
    for (int64_t b = 0; b < plan->count; b++) {
        const tacit__blank *blank = &plan->blanks[b];
        int64_t m = tacit__strict_mask(s, blank->mask);
        if (m > 0 && tacit__strict_room(s, m, blank->rows))
            tacit__strict_move(s, blank->class_index, 0, m, blank->rows);
    }
    for (int64_t m = 1; m < s->mask_count; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            int64_t at = tacit__strict_at(s, m, i);
            if (s->take[at] > 0 && s->used[s->box_of[at]] < s->tableau->k)
                tacit__strict_move(s, i, m, 0, s->take[at]);
        }
}

bool tacit__strict_wasteful(const tacit__strict *s, int64_t m, int64_t i)
{
    int64_t total = s->total[s->box_of[tacit__strict_at(s, m, i)]];
    for (uint64_t left = s->masks[m]; left; left &= left - 1) {
        int64_t less = tacit__strict_mask(s, s->masks[m] & ~(left & -left));
        if (less >= 0 && s->total[s->box_of[tacit__strict_at(s, less, i)]] == total)
            return true;
    }
    return false;
}

void tacit__strict_place(tacit__strict *s, const int32_t *column_of, const double *values)
{
    int64_t classes = s->tableau->classes;
    for (int64_t i = 0; i < classes; i++)
        for (int64_t m = 1; m < s->mask_count; m++)
            tacit__strict_move(s, i, m, 0, s->take[tacit__strict_at(s, m, i)]);
    for (int64_t i = 0; i < classes; i++)
        for (int64_t m = 1; m < s->mask_count; m++) {
            int32_t column = column_of[tacit__strict_at(s, m, i)];
            if (column >= 0)
                tacit__strict_move(s, i, 0, m, llround(values[column]));
        }
}

bool tacit__strict_keeps(const tacit__strict *s)
{
    for (int32_t c = 0; c < s->tableau->columns; c++)
        if (s->column[c] > s->tableau->most_column)
            return false;
    for (int64_t b = 0; b < s->box_count; b++)
        if (s->used[b] > 0 && s->used[b] < s->tableau->k)
            return false;
    return true;
}

double tacit__strict_cost(const tacit__strict *s)
{
    double cost = 0;
    for (int64_t m = 1; m < s->mask_count; m++)
        for (int64_t i = 0; i < s->tableau->classes; i++) {
            uint32_t rows = s->take[tacit__strict_at(s, m, i)];
            if (rows > 0)
                cost += rows * tacit__tableau_cost(s->tableau, i, s->masks[m]);
        }
    return cost;
}

tacit_status tacit__strict_write(tacit__blanking *plan, const tacit__strict *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t m = 1; status == TACIT_OK && m < s->mask_count; m++)
        for (int64_t i = 0; status == TACIT_OK && i < s->tableau->classes; i++) {
            uint32_t rows = s->take[tacit__strict_at(s, m, i)];
            if (rows > 0)
                status = tacit__blanking_add(
                    plan, (tacit__blank){(uint32_t)i, rows, s->masks[m], 0}, err);
        }
    tacit__blanking_tidy(plan);
    double cost = tacit__strict_cost(s);
    plan->proven = s->bound >= cost - 1e-6 * (1 + cost);
    plan->bound = plan->proven ? cost : fmax(s->bound, 0);
    return status;
}
