/*
 * clusters.c - rows by prime implicant, Table 7 of the paper on k-unique records.
 *
 * Sets are numbered as they are met, in a table of open addresses, and put in
 * order; then rows are dealt to them in the order of the table, so that they
 * ascend. Time linear in the prime implicants of all rows, and n log n in the
 * different ones; memory 4 bytes for each of the former.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "uniques/uniques.h"

/* The different sets: slots hold their number plus one. */
typedef struct set_table {
    uint64_t *sets;
    int64_t *rows; /* a set each */
    size_t count, sets_room, rows_room;
    uint32_t *slots;
    size_t slot_count; /* a power of two */
} set_table;

static uint32_t *find_slot(const set_table *t, uint64_t set)
{
    size_t at = tacit__mix(set) & (t->slot_count - 1);
    while (t->slots[at] && t->sets[t->slots[at] - 1] != set)
        at = (at + 1) & (t->slot_count - 1);
    return &t->slots[at];
}

/* Fills the slots anew. */
static bool set_slots(set_table *t, size_t slot_count)
{
    tacit__free(t->slots);
    t->slots = tacit__alloc_zeroed(slot_count, sizeof *t->slots);
    t->slot_count = slot_count;
    for (size_t i = 0; t->slots && i < t->count; i++)
        *find_slot(t, t->sets[i]) = (uint32_t)(i + 1);
    return t->slots != NULL;
}

static bool add_rows(set_table *t, uint64_t set, int64_t rows)
{
    void *sets = t->sets, *counts = t->rows;
    if (t->count * 2 >= t->slot_count && !set_slots(t, t->slot_count ? t->slot_count * 2 : 64))
        return false;
    uint32_t *slot = find_slot(t, set);
    if (*slot) {
        t->rows[*slot - 1] += rows;
        return true;
    }
    bool fits = tacit__reserve(&sets, &t->sets_room, t->count + 1, sizeof *t->sets);
    t->sets = sets;
    fits = fits && tacit__reserve(&counts, &t->rows_room, t->count + 1, sizeof *t->rows);
    t->rows = counts;
    if (!fits)
        return false;
    t->sets[t->count] = set;
    t->rows[t->count++] = rows;
    *slot = (uint32_t)t->count;
    return true;
}

static bool count_sets(set_table *t, const tacit_uniques *uniques)
{
    for (uint32_t i = 0; i < uniques->distinct->count; i++) {
        tacit_unique_sets_view view = tacit__uniques_sets(uniques, i);
        for (int64_t j = 0; j < view.count; j++)
            if (!add_rows(t, view.sets[j].columns, tacit__distinct_size(uniques->distinct, i)))
                return false;
    }
    return true;
}

static int in_order(const void *left, const void *right)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return tacit__set_before(a, b) ? -1 : a != b;
}

/* Puts the sets in order and their rows where they start. */
static bool lay_out(tacit_clusters *out, set_table *t)
{
    int64_t at = 0;
    memcpy(out->columns, t->sets, t->count * sizeof *t->sets);
    qsort(out->columns, t->count, sizeof *out->columns, in_order);
    for (size_t i = 0; i < t->count; i++) {
        out->starts[i] = at;
        at += t->rows[*find_slot(t, out->columns[i]) - 1];
    }
    out->starts[t->count] = at;
    memcpy(t->sets, out->columns, t->count * sizeof *t->sets);
    return set_slots(t, t->slot_count);
}

/* Deals rows; the table's counts say where the next one of a set goes. */
static void deal(tacit_clusters *out, set_table *t, const tacit_uniques *uniques)
{
    memcpy(t->rows, out->starts, t->count * sizeof *t->rows);
    for (uint32_t row = 0; row < uniques->distinct->rows; row++) {
        tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
        for (int64_t j = 0; j < view.count; j++)
            out->rows[t->rows[*find_slot(t, view.sets[j].columns) - 1]++] = row;
    }
}

void tacit_clusters_free(tacit_clusters *clusters)
{
    if (!clusters)
        return;
    tacit__free(clusters->columns);
    tacit__free(clusters->starts);
    tacit__free(clusters->rows);
    tacit__free(clusters);
}

static bool fill(tacit_clusters *out, set_table *t, const tacit_uniques *uniques)
{
    if (!count_sets(t, uniques))
        return false;
    out->count = (int64_t)t->count;
    out->columns = tacit__alloc_array(t->count, sizeof *out->columns);
    out->starts = tacit__alloc_array(t->count + 1, sizeof *out->starts);
    out->rows = tacit__alloc_array((size_t)uniques->summary.sets, sizeof *out->rows);
    if (!out->columns || !out->starts || !out->rows)
        return false;
    out->starts[0] = 0;
    if (t->count && !lay_out(out, t))
        return false;
    if (t->count)
        deal(out, t, uniques);
    return true;
}

tacit_status tacit_clusters_new(tacit_clusters **out, const tacit_uniques *uniques,
                                tacit_error *err)
{
    set_table table = {0};
    tacit_clusters *clusters = tacit__alloc_zeroed(1, sizeof *clusters);
    bool filled = clusters && fill(clusters, &table, uniques);
    tacit__free(table.sets);
    tacit__free(table.rows);
    tacit__free(table.slots);
    if (!filled) {
        tacit_clusters_free(clusters);
        return tacit__nomem(err);
    }
    *out = clusters;
    return TACIT_OK;
}
