/*
 * finer.c - the minimality attack on releases of whole columns (audit_finer.h).
 *
 * Classes and the groups of a finer release are runs of the rows sorted by both. Whether a group
 * of n can break a model is asked of the worst n values that its class has: the most frequent ones
 * first, which leaves the fewest values, the least entropy, the largest share and the shortest
 * tail. Closeness is not bounded so; any group that is not its whole class can break it. A whole
 * class keeps what the release keeps. Groups that can break a promise are more than those that did,
 * so that one that is left alone did.
 *
 * Not used: what follows from several finer releases together, and how likely each group is.
 *
 * Cost: a sort of the rows for each attribute that is generalized, and of each class's values.
 */
#include <tacit/experimental/audit_finer.h>

#include <stdlib.h>
#include <string.h>

#include "audit/models/models.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort.h"

enum { MAX_ROWS = 1 << 18, GRIDS = 2 };

/* A row by its class and its group in the finer release. */
typedef struct sorted_row {
    uint64_t class, group;
    uint32_t row;
} sorted_row;

/* A model on a column, or on one grid of its numbers. */
typedef struct ask {
    const tacit_promise_model *model;
    tacit_codes_view codes;
    uint32_t *near; /* NULL: values are as they are */
    tacit__whole whole;
    tacit__models_spread spread;
    uint32_t *held;  /* codes of the class in hand */
    int64_t *counts; /* of its values, descending */
    int64_t count;
} ask;

typedef struct attack {
    const tacit_promise *promise;
    const tacit_table *original, *release;
    const int *floors;
    tacit_hierarchy *hierarchies[TACIT__MAX_PROMISED];
    tacit_codes_view codes[TACIT__MAX_PROMISED];
    int levels[TACIT__MAX_PROMISED];
    int64_t rows;
    sorted_row *sorted;
    ask *asks;
    int32_t ask_count;
} attack;

/* ---- the release's levels ---- */

/* Whether the labels of a level are just those that the release has. */
static bool is_level(const tacit_hierarchy *h, int level, const attack *t,
                     const tacit__words *words, int32_t ground)
{
    uint32_t count = tacit_hierarchy_count(h, level), i = 0;
    uint32_t distinct = tacit_table_distinct(t->original, ground);
    bool stays = tacit_table_has_missing(t->original, ground) &&
                 tacit_hierarchy_map(h, level)[distinct] == count;
    while (i < count &&
           tacit__words_find(words, tacit_hierarchy_label(h, level, i)) != TACIT__NOWHERE)
        i++;
    return i == count && tacit_table_distinct(words->table, words->column) == count &&
           stays == (words->missing != TACIT__NOWHERE);
}

/* Binds an attribute; *level is -1 where the release is not on one level. */
static tacit_status bind(attack *t, int32_t a, tacit_error *err)
{
    const tacit_promise_attribute *attribute = &t->promise->attributes[a];
    int32_t ground = tacit_table_find(t->original, tacit_strview_of(attribute->name));
    int32_t column = tacit_table_find(t->release, tacit_strview_of(attribute->name));
    tacit__words words = {0};
    if (ground < 0 || column < 0)
        return tacit__error(err, TACIT_INVALID, "an attribute is missing in a table");
    tacit_status status =
        tacit_hierarchy_new(&t->hierarchies[a], attribute->hierarchy, t->original, ground, err);
    if (status == TACIT_OK)
        status = tacit__words_init(&words, t->release, column, err);
    if (status != TACIT_OK)
        return status;
    int height = tacit_hierarchy_height(t->hierarchies[a]), level = 0;
    while (level <= height && !is_level(t->hierarchies[a], level, t, &words, ground))
        level++;
    t->levels[a] = level <= height ? level : -1;
    t->codes[a] = tacit_table_codes(t->original, ground);
    tacit__words_clear(&words);
    return TACIT_OK;
}

/* ---- models ---- */

static tacit_status ask_init(ask *q, const attack *t, const tacit_promise_model *model, int grid,
                             tacit_error *err)
{
    int32_t column = tacit_table_find(t->original, tacit_strview_of(model->column));
    if (column < 0 || !tacit_table_is_coded(t->original, column))
        return tacit__error(err, TACIT_INVALID, "a sensitive column is not there, or not coded");
    q->model = model;
    q->codes = tacit_table_codes(t->original, column);
    q->whole.values = tacit_table_distinct(t->original, column) + 1;
    q->held = tacit__alloc_array((size_t)t->rows, sizeof *q->held);
    q->counts = tacit__alloc_array(q->whole.values, sizeof *q->counts);
    if (!q->held || !q->counts || !tacit__spread_init(&q->spread, &q->whole))
        return tacit__nomem(err);
    if (grid < 0)
        return TACIT_OK;
    double reach = tacit__near_reach(t->original, column, model->spread);
    return tacit__near_codes(&q->near, t->original, column, reach, grid, err);
}

static void ask_clear(ask *q)
{
    tacit__free(q->near);
    tacit__free(q->held);
    tacit__free(q->counts);
    tacit__spread_clear(&q->spread);
    tacit__whole_clear(&q->whole);
}

static tacit_status prepare_asks(attack *t, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    t->asks = tacit__alloc_zeroed((size_t)t->promise->model_count * GRIDS, sizeof *t->asks);
    if (!t->asks)
        return tacit__nomem(err);
    for (int32_t i = 0; i < t->promise->model_count && status == TACIT_OK; i++) {
        const tacit_promise_model *model = &t->promise->models[i];
        bool near = tacit_model_counts_values(model->bound.kind) && model->spread.amount > 0;
        for (int grid = near ? 0 : -1; grid < (near ? GRIDS : 0) && status == TACIT_OK; grid++)
            status = ask_init(&t->asks[t->ask_count++], t, model, grid, err);
    }
    return status;
}

/* ---- one class ---- */

static int most_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* How often the class has each of its values. */
static void count_class(ask *q, const sorted_row *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = tacit_codes_at(q->codes, rows[i].row);
        q->held[i] = q->near ? q->near[code] : code;
    }
    qsort(q->held, (size_t)count, sizeof *q->held, tacit__by_uint32);
    q->count = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || q->held[i] != q->held[i - 1])
            q->counts[q->count++] = 0;
        q->counts[q->count - 1]++;
    }
    qsort(q->counts, (size_t)q->count, sizeof *q->counts, most_first);
}

/* Whether some n rows of the class break the model. */
static bool can_break(ask *q, int64_t n)
{
    int64_t left = n;
    if (!tacit_model_counts_values(q->model->bound.kind))
        return true;
    q->spread.count = 0;
    q->spread.rows = 0;
    for (int64_t i = 0; i < q->count && left > 0; i++) {
        int64_t part = q->counts[i] < left ? q->counts[i] : left;
        tacit__spread_add(&q->spread, (uint32_t)i, part);
        left -= part;
    }
    return !tacit__spread_measure(&q->spread, &q->whole, &q->model->bound).holds;
}

/* Whether n rows that break the model all have one value, and which one is plain. */
static bool tells_value(const ask *q, int64_t n)
{
    return q->model->bound.kind == TACIT_MODEL_DISTINCT && q->model->bound.bound <= 2 &&
           q->counts[0] >= n && (q->count == 1 || q->counts[1] < n);
}

/* What is known of a finer release so far. */
typedef struct tally {
    int64_t smallest; /* group */
    int64_t candidates, rows;
    bool told; /* the last candidate's value is plain, whichever model it breaks */
} tally;

static void judge_group(tally *out, attack *t, int64_t n)
{
    bool breaks = false, told = true;
    for (int32_t i = 0; i < t->ask_count; i++)
        if (can_break(&t->asks[i], n)) {
            breaks = true;
            told = told && tells_value(&t->asks[i], n);
        }
    if (!breaks)
        return;
    out->candidates++;
    out->rows += n;
    out->told = told;
}

static void judge_class(tally *out, attack *t, const sorted_row *rows, int64_t count)
{
    bool whole = rows[0].group == rows[count - 1].group;
    if (!whole)
        for (int32_t i = 0; i < t->ask_count; i++)
            count_class(&t->asks[i], rows, count);
    for (int64_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && rows[to].group == rows[from].group;)
            to++;
        out->smallest = to - from < out->smallest ? to - from : out->smallest;
        if (!whole)
            judge_group(out, t, to - from);
    }
}

/* ---- one finer release ---- */

static uint64_t key_of(const attack *t, int64_t row, int32_t finer)
{
    uint32_t key[TACIT__MAX_PROMISED];
    int32_t count = t->promise->attribute_count;
    for (int32_t a = 0; a < count; a++)
        key[a] = tacit_hierarchy_map(t->hierarchies[a],
                                     t->levels[a] - (a == finer))[tacit_codes_at(t->codes[a], row)];
    return tacit__hash_bytes128((const char *)key, (size_t)count * sizeof *key).low;
}

static int by_group(const void *a, const void *b)
{
    const sorted_row *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static tally judge_finer(attack *t, int32_t attribute)
{
    tally found = {.smallest = t->rows};
    for (int64_t i = 0; i < t->rows; i++)
        t->sorted[i] = (sorted_row){key_of(t, i, -1), key_of(t, i, attribute), (uint32_t)i};
    qsort(t->sorted, (size_t)t->rows, sizeof *t->sorted, by_group);
    for (int64_t from = 0, to; from < t->rows; from = to) {
        for (to = from + 1; to < t->rows && t->sorted[to].class == t->sorted[from].class;)
            to++;
        judge_class(&found, t, t->sorted + from, to - from);
    }
    return found;
}

/* Keeps the finer release with the fewest groups that can be the one. */
static void note(tacit_finer *out, const tally *found, int32_t attribute)
{
    out->refused++;
    out->impossible += found->candidates == 0;
    if (found->candidates == 0 || (out->attribute >= 0 && found->candidates >= out->candidates))
        return;
    out->attribute = attribute;
    out->candidates = found->candidates;
    out->candidate_rows = found->rows;
    out->exposed_rows = found->candidates == 1 ? found->rows : 0;
    out->certain_rows = found->candidates == 1 && found->told ? found->rows : 0;
}

/* ---- before and after ---- */

static void clear(attack *t)
{
    for (int32_t a = 0; a < t->promise->attribute_count; a++)
        tacit_hierarchy_free(t->hierarchies[a]);
    for (int32_t i = 0; t->asks && i < t->ask_count; i++)
        ask_clear(&t->asks[i]);
    tacit__free(t->asks);
    tacit__free(t->sorted);
}

/* Whether the attack is one on such a release at all. */
static bool applies(const tacit_promise *promise, const tacit_evidence *evidence)
{
    bool population = false;
    for (int32_t i = 0; i < promise->model_count; i++)
        population |= !promise->models[i].column;
    return evidence->original && promise->model_count > 0 && !population && !promise->person &&
           promise->set_count <= 1 && promise->attribute_count <= TACIT__MAX_PROMISED &&
           tacit_table_rows(evidence->original) <= MAX_ROWS &&
           tacit_table_rows(evidence->original) == tacit_table_rows(evidence->release);
}

tacit_status tacit_audit_finer(tacit_finer *out, const tacit_promise *promise,
                               const tacit_evidence *evidence, const int *floors,
                               const tacit_run *run, tacit_error *err)
{
    attack t = {.promise = promise,
                .original = evidence->original,
                .release = evidence->release,
                .floors = floors};
    tacit_finer found = {.attribute = -1, .asked = applies(promise, evidence)};
    tacit_status status = TACIT_OK;
    (void)run;
    t.rows = found.asked ? tacit_table_rows(t.original) : 0;
    for (int32_t a = 0; found.asked && a < promise->attribute_count && status == TACIT_OK; a++) {
        status = bind(&t, a, err);
        found.asked = t.levels[a] >= 0;
    }
    if (status == TACIT_OK && found.asked)
        status = prepare_asks(&t, err);
    if (status == TACIT_OK && found.asked)
        t.sorted = tacit__alloc_array((size_t)t.rows, sizeof *t.sorted);
    if (status == TACIT_OK && found.asked && !t.sorted)
        status = tacit__nomem(err);
    for (int32_t a = 0; found.asked && status == TACIT_OK && a < promise->attribute_count; a++) {
        if (t.levels[a] <= (floors ? floors[a] : 0))
            continue;
        tally one = judge_finer(&t, a);
        if (one.smallest >= promise->k)
            note(&found, &one, a);
    }
    clear(&t);
    if (status == TACIT_OK)
        *out = found;
    return status;
}
