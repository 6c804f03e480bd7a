/*
 * clusters.c - rows by prime implicant, Table 7 of the paper on k-unique records.
 *
 * Sets are numbered as they are met, and put in
 * order; then rows are dealt to them in the order of the table, so that they
 * ascend. Time linear in the prime implicants of all rows, and n log n in the
 * different ones; memory 4 bytes for each of the former.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vector.h"
#include "uniques/uniques.h"

/* The different sets. */
typedef struct set_table {
    tacit__numbering sets;
    int64_t *rows; /* a set each */
    size_t rows_room;
} set_table;

static bool add_rows(set_table *t, uint64_t set, int64_t rows)
{
    uint32_t before = t->sets.count, number = tacit__numbering_add(&t->sets, set);
    if (number == TACIT__NONE || !TACIT__RESERVE(t->rows, t->rows_room, t->sets.count))
        return false;
    t->rows[number] = number < before ? t->rows[number] + rows : rows;
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

/* Puts the sets in order, numbers them by it, and their rows where they start. */
static void lay_out(tacit_clusters *out, set_table *t)
{
    size_t count = t->sets.count;
    int64_t at = 0;
    memcpy(out->columns, t->sets.keys, count * sizeof *out->columns);
    qsort(out->columns, count, sizeof *out->columns, in_order);
    for (size_t i = 0; i < count; i++) {
        out->starts[i] = at;
        at += t->rows[tacit__numbering_find(&t->sets, out->columns[i])];
    }
    out->starts[count] = at;
    tacit__numbering_empty(&t->sets);
    for (size_t i = 0; i < count; i++)
        tacit__numbering_add(&t->sets, out->columns[i]); /* there is room */
}

/* Deals rows; the table's counts say where the next one of a set goes. */
static void deal(tacit_clusters *out, set_table *t, const tacit_uniques *uniques)
{
    memcpy(t->rows, out->starts, t->sets.count * sizeof *t->rows);
    for (uint32_t row = 0; row < uniques->distinct->rows; row++) {
        tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
        for (int64_t j = 0; j < view.count; j++)
            out->rows[t->rows[tacit__numbering_find(&t->sets, view.sets[j].columns)]++] = row;
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
    size_t count = t->sets.count;
    out->count = (int64_t)count;
    out->columns = tacit__alloc_array(count, sizeof *out->columns);
    out->starts = tacit__alloc_array(count + 1, sizeof *out->starts);
    out->rows = tacit__alloc_array((size_t)uniques->summary.sets, sizeof *out->rows);
    if (!out->columns || !out->starts || !out->rows)
        return false;
    out->starts[0] = 0;
    if (count) {
        lay_out(out, t);
        deal(out, t, uniques);
    }
    return true;
}

tacit_status tacit_clusters_new(tacit_clusters **out, const tacit_uniques *uniques,
                                tacit_error *err)
{
    set_table table = {0};
    tacit_clusters *clusters = tacit__alloc_zeroed(1, sizeof *clusters);
    bool filled = clusters && fill(clusters, &table, uniques);
    tacit__numbering_clear(&table.sets);
    tacit__free(table.rows);
    if (!filled) {
        tacit_clusters_free(clusters);
        return tacit__nomem(err);
    }
    *out = clusters;
    return TACIT_OK;
}
