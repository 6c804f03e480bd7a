/*
 * uniques.c - prime implicants of every record, and the measures of novelty that
 * follow from them (k-unique records, KIMAS 2003, sections 3 and 4).
 *
 * The paper takes a checksum of every record on each of the 2^m sets of columns
 * and compares the sets of a record with each other. Here groups of records are
 * refined (seek.h), so the cost follows the groups and the sets that are found.
 *
 * Clusters are rows by prime implicant (Table 7). Sets are numbered as they are met, and put in
 * order; then rows are dealt to them in the order of the table, so that they ascend. Time linear in
 * the prime implicants of all rows, and n log n in the different ones; memory 4 bytes for each of
 * the former.
 */
#include "uniques/uniques.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { FIND_BYTES = sizeof(tacit__find) + sizeof(tacit_unique_set) + 1 };

/* Cells that a search may look at before it goes size by size: a second's worth,
 * more for larger tables, twenty seconds' at most. Real data need a tenth of it. */
static int64_t budget_for(const tacit__ground *ground)
{
    double cells = (double)ground->items * ground->columns;
    return (int64_t)fmin(1e8 + 100 * cells, 2e9);
}

void tacit_uniques_options_init(tacit_uniques_options *options)
{
    *options = (tacit_uniques_options){.k = 1};
}

void tacit_uniques_free(tacit_uniques *uniques)
{
    if (!uniques)
        return;
    tacit__primes_clear(&uniques->primes);
    tacit__free(uniques);
}

static void summarize(tacit_uniques *uniques)
{
    tacit_uniques_summary *s = &uniques->summary;
    for (uint32_t i = 0; i < uniques->distinct->count; i++) {
        tacit_unique_sets_view view = tacit__uniques_sets(uniques, i);
        int64_t rows = tacit__distinct_size(uniques->distinct, i);
        for (int64_t j = 0; j < view.count; j++)
            s->by_size[__builtin_popcountll(view.sets[j].columns)] += rows;
        if (!view.count)
            continue;
        s->at_risk += rows;
        s->sets += rows * view.count;
        s->by_fewest[__builtin_popcountll(view.sets[0].columns)] += rows;
    }
}

/* Where there are no more than k rows, the set of no columns is the prime
 * implicant of each. */
static tacit_status find_none(tacit__uniques_found *found, const tacit_distinct *distinct,
                              tacit_error *err)
{
    for (uint32_t i = 0; i < distinct->count; i++)
        if (!tacit__found_add(found, 0, 0, (tacit__find){.item = i, .records = distinct->rows}))
            return tacit__nomem(err);
    return TACIT_OK;
}

/* Bytes that the search needs besides what it finds. */
static size_t fixed_bytes(const tacit__ground *ground)
{
    size_t item = 5 * sizeof *ground->cells * (size_t)ground->columns + 32;
    return ground->items * item + 16 * (size_t)ground->values;
}

static tacit_status find_primes(tacit_uniques *uniques, const tacit__ground *ground,
                                const tacit_uniques_options *options, const tacit_run *run,
                                tacit_error *err)
{
    size_t memory = options->memory ? options->memory : TACIT_UNIQUES_MEMORY;
    size_t fixed = fixed_bytes(ground), spare = memory > fixed ? memory - fixed : 0;
    int bound = options->max_size && options->max_size < ground->columns ? options->max_size
                                                                         : ground->columns;
    tacit__uniques_found found;
    tacit__uniques_reach reach = {.complete = ground->columns};
    tacit_status status =
        tacit__found_init(&found, tacit__threads(run), spare / FIND_BYTES, bound, err);
    if (status == TACIT_OK && ground->k >= ground->distinct->rows)
        status = find_none(&found, ground->distinct, err);
    else if (status == TACIT_OK)
        status = tacit__search(&reach, ground, &found, budget_for(ground), run, err);
    if (status == TACIT_OK)
        status = tacit__primes_init(&uniques->primes, &found, ground, run, err);
    tacit__found_clear(&found);
    uniques->summary.complete = reach.complete;
    uniques->summary.end = reach.end;
    return status;
}

tacit_status tacit_uniques_new(tacit_uniques **out, const tacit_distinct *distinct,
                               const tacit_uniques_options *options, const tacit_run *run,
                               tacit_error *err)
{
    if (options->k < 1)
        return tacit__error(err, TACIT_INVALID, "k is %lld; it must be at least 1",
                            (long long)options->k);
    if (options->max_size < 0)
        return tacit__error(err, TACIT_INVALID,
                            "sets of up to %d columns; at least 1, or 0 for all",
                            options->max_size);
    tacit__ground ground;
    tacit_status status = tacit__ground_init(&ground, distinct, options->k, run, err);
    if (status != TACIT_OK)
        return status;
    tacit_uniques *uniques = tacit__alloc_zeroed(1, sizeof *uniques);
    if (uniques) {
        uniques->distinct = distinct;
        uniques->summary.rows = distinct->rows;
        uniques->summary.k = options->k;
        status = find_primes(uniques, &ground, options, run, err);
    } else {
        status = tacit__nomem(err);
    }
    tacit__ground_clear(&ground);
    if (status != TACIT_OK) {
        tacit_uniques_free(uniques);
        return status;
    }
    summarize(uniques);
    *out = uniques;
    return TACIT_OK;
}

const tacit_distinct *tacit_uniques_distinct(const tacit_uniques *uniques)
{
    return uniques->distinct;
}

const tacit_uniques_summary *tacit_uniques_summarize(const tacit_uniques *uniques)
{
    return &uniques->summary;
}

tacit_unique_sets_view tacit_uniques_of(const tacit_uniques *uniques, int64_t row)
{
    return tacit__uniques_sets(uniques, (uint32_t)tacit_distinct_of(uniques->distinct, row));
}

static tacit_unique_measures measures_of(tacit_unique_sets_view view)
{
    tacit_unique_measures measures = {.sets = view.count};
    for (int64_t i = 0; i < view.count; i++)
        if (i == 0 || view.sets[i].records < measures.group)
            measures.group = view.sets[i].records;
    if (view.count)
        measures.fewest = __builtin_popcountll(view.sets[0].columns);
    return measures;
}

tacit_unique_measures tacit_uniques_measure(const tacit_uniques *uniques, int64_t row)
{
    return measures_of(tacit_uniques_of(uniques, row));
}

/* A row, and what it is ranked by, ascending. */
typedef struct ranked {
    int64_t key;
    uint32_t row;
} ranked;

static int by_key(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int64_t key_of(const tacit_unique_measures *measures, tacit_unique_rank by)
{
    switch (by) {
    case TACIT_RANK_FEWEST: return measures->fewest;
    case TACIT_RANK_SETS: return -measures->sets;
    case TACIT_RANK_GROUP: return measures->group;
    }
    assert(false);
    return 0;
}

tacit_status tacit_uniques_rank(uint32_t *rows, const tacit_uniques *uniques, tacit_unique_rank by,
                                tacit_error *err)
{
    size_t at_risk = (size_t)uniques->summary.at_risk, count = 0;
    ranked *order = tacit__alloc_array(at_risk, sizeof *order);
    if (!order)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < uniques->distinct->count; i++) {
        tacit_unique_measures measures = measures_of(tacit__uniques_sets(uniques, i));
        tacit_rows_view members = tacit_distinct_rows(uniques->distinct, i);
        for (int64_t j = 0; measures.sets && j < members.count; j++)
            order[count++] = (ranked){.key = key_of(&measures, by), .row = members.rows[j]};
    }
    qsort(order, count, sizeof *order, by_key);
    for (size_t i = 0; i < count; i++)
        rows[i] = order[i].row;
    tacit__free(order);
    return TACIT_OK;
}

/* The different sets. */
typedef struct set_table {
    tacit__numbering sets;
    int64_t *rows; /* a set each */
    size_t rows_capacity;
} set_table;

static bool add_rows(set_table *t, uint64_t set, int64_t rows)
{
    uint32_t before = t->sets.count, number = tacit__numbering_add(&t->sets, set);
    if (number == TACIT__NONE || !TACIT__RESERVE(t->rows, t->rows_capacity, t->sets.count))
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

/* Whether set a comes before set b: the smaller one, or of one size that with the
 * first column in which they differ. */
static bool is_before(uint64_t a, uint64_t b)
{
    int sizes = __builtin_popcountll(a) - __builtin_popcountll(b);
    uint64_t differ = a ^ b;
    return sizes ? sizes < 0 : (a & differ & (~differ + 1)) != 0;
}

static int by_size_and_columns(const void *left, const void *right)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return is_before(a, b) ? -1 : a != b;
}

/* Puts the sets in order, numbers them by it, and their rows where they start. */
static void lay_out_clusters(tacit_clusters *out, set_table *t)
{
    size_t count = t->sets.count;
    int64_t at = 0;
    memcpy(out->columns, t->sets.keys, count * sizeof *out->columns);
    qsort(out->columns, count, sizeof *out->columns, by_size_and_columns);
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
static void deal_rows(tacit_clusters *out, set_table *t, const tacit_uniques *uniques)
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

static bool fill_clusters(tacit_clusters *out, set_table *t, const tacit_uniques *uniques)
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
        lay_out_clusters(out, t);
        deal_rows(out, t, uniques);
    }
    return true;
}

tacit_status tacit_clusters_new(tacit_clusters **out, const tacit_uniques *uniques,
                                tacit_error *err)
{
    set_table table = {0};
    tacit_clusters *clusters = tacit__alloc_zeroed(1, sizeof *clusters);
    bool filled = clusters && fill_clusters(clusters, &table, uniques);
    tacit__numbering_clear(&table.sets);
    tacit__free(table.rows);
    if (!filled) {
        tacit_clusters_free(clusters);
        return tacit__nomem(err);
    }
    *out = clusters;
    return TACIT_OK;
}
