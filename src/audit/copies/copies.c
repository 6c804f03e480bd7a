/*
 * copies.c - the tests of disclosure for rows that are nobody's (audit_copies.h): replicated
 * uniques, and what keys tell of another column: DiSCO, a share of certain and right attributions
 * (Raab, Nowok and Dibben 2024), and the probability of a right one (CAP; Elliot 2014; Taub et al.
 * 2018).
 *
 * What a row says in some columns becomes a key of 64 bits, as in the judge of masked tables; keys
 * of both tables are sorted and gone through beside each other. Two different rows have the same
 * key in one of 2^64 cases.
 *
 * Cost: a sort of both tables for the keys, one for all columns, and one for each other column.
 */
#include "audit/copies/copies.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum { KEY_BITS = 64 };

/* Both tables by what rows say. */
typedef struct pair {
    tacit__sorter sorters[TACIT__COPIES_BOTH];
} pair;

static uint64_t add_code(uint64_t key, uint32_t code)
{
    return tacit__mix(key ^ code) + UINT64_C(0x9E3779B97F4A7C15);
}

/* By the first columns; values are codes of another, where there is one. */
static tacit_status sort_table(tacit__sorter *sorter, const tacit__copies_scene *s, int table,
                               size_t count, const tacit__copies_column *other, tacit_error *err)
{
    tacit_status status = tacit__sorter_init(sorter, s->rows[table], KEY_BITS, other != NULL, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < s->rows[table]; row++) {
        uint64_t key = 1;
        for (size_t i = 0; i < count; i++)
            key = add_code(key, tacit__copies_code(&s->columns[i], table, row));
        tacit__sorter_put(sorter, row, key);
        if (other)
            sorter->values[row] = tacit__copies_code(other, table, row);
    }
    return tacit__sorter_sort(sorter, s->run, err);
}

static tacit_status sort_both(pair *p, const tacit__copies_scene *s, size_t count,
                              const tacit__copies_column *other, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *p = (pair){0};
    for (int table = 0; status == TACIT_OK && table < TACIT__COPIES_BOTH; table++)
        status = sort_table(&p->sorters[table], s, table, count, other, err);
    return status;
}

static void pair_clear(pair *p)
{
    for (int table = 0; table < TACIT__COPIES_BOTH; table++)
        tacit__sorter_clear(&p->sorters[table]);
}

/* To the next key that the original has: from at to before end in each table. */
static bool next_key(int64_t at[TACIT__COPIES_BOTH], int64_t end[TACIT__COPIES_BOTH], const pair *p)
{
    const tacit__sorter *original = &p->sorters[TACIT__COPIES_ORIGINAL];
    const tacit__sorter *release = &p->sorters[TACIT__COPIES_RELEASE];
    int64_t from = end[TACIT__COPIES_ORIGINAL], to = from, found = end[TACIT__COPIES_RELEASE];
    if (from == original->count)
        return false;
    uint64_t key = tacit__sorter_key(original, from);
    while (to < original->count && tacit__sorter_key(original, to) == key)
        to++;
    while (found < release->count && tacit__sorter_key(release, found) < key)
        found++;
    at[TACIT__COPIES_ORIGINAL] = from;
    end[TACIT__COPIES_ORIGINAL] = to;
    at[TACIT__COPIES_RELEASE] = found;
    while (found < release->count && tacit__sorter_key(release, found) == key)
        found++;
    end[TACIT__COPIES_RELEASE] = found;
    return true;
}

/* ---- replicated uniques ---- */

static tacit_status count_uniques(tacit_copies_uniques *out, const tacit__copies_scene *s,
                                  size_t columns, tacit_error *err)
{
    pair p;
    int64_t at[TACIT__COPIES_BOTH], end[TACIT__COPIES_BOTH] = {0};
    tacit_status status = sort_both(&p, s, columns, NULL, err);
    while (status == TACIT_OK && next_key(at, end, &p)) {
        int64_t released = end[TACIT__COPIES_RELEASE] - at[TACIT__COPIES_RELEASE];
        bool unique = end[TACIT__COPIES_ORIGINAL] - at[TACIT__COPIES_ORIGINAL] == 1;
        out->unique += unique;
        out->replicated += unique ? released : 0;
        out->equal += released;
    }
    pair_clear(&p);
    return status;
}

/* ---- attribution ---- */

/* How often the rows of a stretch have each value: counts are put back to 0 by the same stretch. */
static void tally(int64_t *counts, const tacit__sorter *sorter, int64_t from, int64_t to,
                  int64_t by, uint32_t values)
{
    for (int64_t i = from; i < to; i++)
        if (sorter->values[i] < values)
            counts[sorter->values[i]] += by;
}

/* Whether rows of a stretch all say the same. */
static bool is_one_value(const tacit__sorter *sorter, int64_t from, int64_t to)
{
    for (int64_t i = from + 1; i < to; i++)
        if (sorter->values[i] != sorter->values[from])
            return false;
    return to > from;
}

typedef struct attribution {
    tacit_copies_other *out;
    const tacit__sorter *original, *release;
    int64_t *released, *had; /* of each value, of one key */
    uint32_t values;
} attribution;

/* What the release tells of a row with these keys. */
static void ask_release(const attribution *a, uint64_t value, int64_t count, bool certain)
{
    int64_t right = a->released[value];
    a->out->reached++;
    a->out->right += (double)right / (double)count;
    a->out->certain += certain && right > 0;
    a->out->misled += certain && right == 0;
}

/* What the other rows of the original tell of it. */
static void ask_others(const attribution *a, uint64_t value, int64_t others)
{
    int64_t right = a->had[value] - 1;
    a->out->others_reached++;
    a->out->others_right += (double)right / (double)others;
    a->out->others_certain += right == others;
}

static void take_key(const attribution *a, const int64_t at[TACIT__COPIES_BOTH],
                     const int64_t end[TACIT__COPIES_BOTH])
{
    int64_t from = at[TACIT__COPIES_RELEASE], to = end[TACIT__COPIES_RELEASE];
    int64_t first = at[TACIT__COPIES_ORIGINAL], last = end[TACIT__COPIES_ORIGINAL];
    bool certain = is_one_value(a->release, from, to);
    tally(a->released, a->release, from, to, 1, a->values);
    tally(a->had, a->original, first, last, 1, a->values);
    for (int64_t i = first; i < last; i++) {
        if (to > from)
            ask_release(a, a->original->values[i], to - from, certain);
        if (last - first > 1)
            ask_others(a, a->original->values[i], last - first - 1);
    }
    tally(a->released, a->release, from, to, -1, a->values);
    tally(a->had, a->original, first, last, -1, a->values);
}

/* How often a released row is right of a row of the original, both drawn by chance. */
static double guess(const attribution *a)
{
    double right = 0;
    tally(a->released, a->release, 0, a->release->count, 1, a->values);
    for (int64_t i = 0; i < a->original->count; i++)
        right += (double)a->released[a->original->values[i]];
    tally(a->released, a->release, 0, a->release->count, -1, a->values);
    double pairs = (double)a->original->count * (double)a->release->count;
    return pairs > 0 ? right / pairs : 0;
}

static tacit_status attribute(tacit_copies_other *out, const tacit__copies_scene *s, size_t other,
                              tacit_error *err)
{
    const tacit__copies_column *column = &s->columns[s->key_count + other];
    pair p;
    int64_t at[TACIT__COPIES_BOTH], end[TACIT__COPIES_BOTH] = {0};
    tacit_status status = sort_both(&p, s, s->key_count, column, err);
    attribution a = {out,
                     &p.sorters[TACIT__COPIES_ORIGINAL],
                     &p.sorters[TACIT__COPIES_RELEASE],
                     tacit__alloc_zeroed(column->values, sizeof *a.released),
                     tacit__alloc_zeroed(column->values, sizeof *a.had),
                     column->values};
    out->name = tacit__copy_text(s->c->others[other]);
    if (status == TACIT_OK && (!a.released || !a.had || !out->name))
        status = tacit__nomem(err);
    while (status == TACIT_OK && next_key(at, end, &p))
        take_key(&a, at, end);
    if (status == TACIT_OK)
        out->guess = guess(&a);
    out->right = out->reached ? out->right / (double)out->reached : 0;
    out->others_right = out->others_reached ? out->others_right / (double)out->others_reached : 0;
    tacit__free(a.released);
    tacit__free(a.had);
    pair_clear(&p);
    return status;
}

/* ---- the whole ---- */

void tacit_copies_options_init(tacit_copies_options *options)
{
    *options = (tacit_copies_options){.max_records = 2000, .max_steps = 400000000, .seed = 1};
}

static tacit_status measure(tacit_copies *out, const tacit__copies_scene *s, tacit_error *err)
{
    out->rows = s->rows[TACIT__COPIES_ORIGINAL];
    out->released = s->rows[TACIT__COPIES_RELEASE];
    out->others = tacit__alloc_zeroed(s->c->other_count, sizeof *out->others);
    tacit_status status = out->others ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = count_uniques(&out->keys, s, s->key_count, err);
    if (status == TACIT_OK)
        status = count_uniques(&out->all, s, s->count, err);
    for (size_t i = 0; status == TACIT_OK && i < s->c->other_count; i++) {
        out->other_count = i + 1;
        status = attribute(&out->others[i], s, i, err);
    }
    return status == TACIT_OK ? tacit__copies_nearness(&out->near, s, err) : status;
}

tacit_status tacit_copies_measure(tacit_copies **out, const tacit_copies_case *c,
                                  const tacit_copies_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    if (c->key_count == 0)
        return tacit__error(err, TACIT_INVALID, "copies: an adversary who knows no column");
    tacit_copies *copies = tacit__alloc_zeroed(1, sizeof *copies);
    if (!copies)
        return tacit__nomem(err);
    tacit__copies_scene scene = {.c = c, .options = options, .run = run};
    tacit_status status = tacit__copies_scene_init(&scene, err);
    if (status == TACIT_OK)
        status = measure(copies, &scene, err);
    tacit__copies_scene_clear(&scene);
    if (status == TACIT_OK)
        *out = copies;
    else
        tacit_copies_free(copies);
    return status;
}

void tacit_copies_free(tacit_copies *copies)
{
    if (!copies)
        return;
    for (size_t i = 0; i < copies->other_count; i++)
        tacit__free(copies->others[i].name);
    tacit__free(copies->others);
    tacit__free(copies);
}
