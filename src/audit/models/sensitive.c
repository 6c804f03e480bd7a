/*
 * sensitive.c - the values of a sensitive column in every class.
 *
 * The rows are sorted by class and value (class_values.c), and each class is measured by each
 * model (spread.c).
 *
 * The whole table, which closeness compares with, is the release, suppressed rows
 * included. Where rows were left out as announced it is the original, and then
 * the rows left out are a class as well: what the original has of each value
 * and the release has not. That needs no correspondence of rows, since carried
 * cells are checked elsewhere.
 *
 * Cost: a sort of the rows for each column and quasi-identifier.
 */
#include "audit/models/models.h"

#include <stdlib.h>

#include "audit/models/class_values.h"
#include "audit/models/near.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { SCAN_BLOCK = 1 << 18 };

static const tacit_promise_model *model_of(const tacit__sensitive *s, int index)
{
    return &s->judge->promise->models[s->models[index]];
}

/* ---- the column and the whole table ---- */

static int64_t *count_codes(const tacit_table *table, int32_t column)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t *counts =
        tacit__alloc_zeroed((size_t)tacit_table_distinct(table, column) + 1, sizeof *counts);
    for (int64_t row = 0; counts && row < tacit_table_rows(table); row++)
        counts[tacit_codes_at(codes, row)]++;
    return counts;
}

/* The column of that name, coded; otherwise -1 and a finding. */
static int32_t find_column(tacit__judge *judge, const tacit_table *table, const char *name)
{
    bool released = table == judge->release;
    int32_t column = tacit_table_find(table, tacit_strview_of(name));
    const char *problem = NULL;
    if (column < 0)
        problem = released ? "it is not in the release" : "it is not in the original";
    else if (!tacit_table_is_coded(table, column))
        problem = released ? "it is not coded in the release" : "it is not coded in the original";
    if (!problem)
        return column;
    tacit__cannot_judge(judge, name, problem);
    return -1;
}

/* Where each of the release's values is in the original. */
static tacit_status find_images(tacit__sensitive *s, const char *name, tacit_error *err)
{
    tacit__judge *judge = s->judge;
    uint32_t distinct = tacit_table_distinct(judge->release, s->column);
    tacit__words words = {0};
    tacit_status status = tacit__words_init(&words, judge->original, s->source, err);
    if (status != TACIT_OK)
        return status;
    s->image = tacit__alloc_array((size_t)distinct + 1, sizeof *s->image);
    if (!s->image) {
        tacit__words_clear(&words);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code < distinct && s->judgeable; code++) {
        s->image[code] =
            tacit__words_find(&words, tacit_table_value(judge->release, s->column, code));
        s->judgeable = s->image[code] != TACIT__NOWHERE;
    }
    s->image[distinct] = words.missing;
    if (tacit_table_has_missing(judge->release, s->column) && words.missing == TACIT__NOWHERE)
        s->judgeable = false;
    if (!s->judgeable)
        tacit__cannot_judge(judge, name, "the release has values that the original has not");
    tacit__words_clear(&words);
    return TACIT_OK;
}

static tacit_status bind_tree(tacit__sensitive *s, tacit__rows_place place, tacit_error *err)
{
    const tacit_promise_model *model = model_of(s, 0);
    if (!model->hierarchy)
        return TACIT_OK;
    tacit_error reason = {0};
    tacit_status status =
        tacit_hierarchy_new(&s->whole.tree, model->hierarchy, place.table, place.column, &reason);
    if (status == TACIT_OK)
        return tacit__whole_climb(&s->whole, err);
    s->judgeable = false;
    return tacit__unbound(s->judge, model->column, status, &reason, err);
}

static tacit_status count_whole(tacit__sensitive *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    tacit__rows_place place = {judge->release, s->column};
    if (s->source >= 0)
        place = (tacit__rows_place){judge->original, s->source};
    s->whole.values = tacit_table_distinct(place.table, place.column) + 1;
    s->whole.total = tacit_table_rows(place.table);
    s->whole.rows = count_codes(place.table, place.column);
    if (!s->whole.rows)
        return tacit__nomem(err);
    return bind_tree(s, place, err);
}

/* Puts the values of the whole table, and those of the release in it, on the grid. */
static tacit_status put_on_grid(tacit__sensitive *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    const tacit_table *table = s->source >= 0 ? judge->original : judge->release;
    int32_t column = s->source >= 0 ? s->source : s->column;
    uint32_t *near = NULL;
    int64_t *rows = tacit__alloc_zeroed(s->whole.values, sizeof *rows);
    double reach = tacit__near_reach(table, column, model_of(s, 0)->spread);
    tacit_status status =
        rows ? tacit__near_codes(&near, table, column, reach, s->grid, err) : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__free(rows);
        return status;
    }
    for (uint32_t code = 0; code < s->whole.values; code++)
        rows[near[code]] += s->whole.rows[code];
    tacit__free(s->whole.rows);
    s->whole.rows = rows;
    if (!s->image) {
        s->image = near;
        return TACIT_OK;
    }
    for (uint32_t code = 0; code <= tacit_table_distinct(judge->release, s->column); code++)
        if (s->image[code] != TACIT__NOWHERE)
            s->image[code] = near[s->image[code]];
    tacit__free(near);
    return TACIT_OK;
}

tacit_status tacit__sensitive_init(tacit__sensitive *s, tacit__judge *judge, tacit_error *err)
{
    s->judge = judge;
    s->source = -1;
    const char *name = model_of(s, 0)->column;
    s->column = find_column(judge, judge->release, name);
    if (s->column < 0)
        return TACIT_OK;
    if (tacit__rows_dropped(judge)) {
        s->source = find_column(judge, judge->original, name);
        if (s->source < 0)
            return TACIT_OK;
    }
    s->judgeable = true;
    tacit_status status = s->source >= 0 ? find_images(s, name, err) : TACIT_OK;
    if (status == TACIT_OK && s->judgeable)
        status = count_whole(s, err);
    if (status == TACIT_OK && s->judgeable && s->grid >= 0)
        status = put_on_grid(s, err);
    return status;
}

void tacit__sensitive_clear(tacit__sensitive *s)
{
    tacit__free(s->image);
    tacit__whole_clear(&s->whole);
}

/* ---- classes ---- */

typedef struct scan {
    const tacit__sensitive *sensitive;
    const tacit__partition *partition;
    tacit__class_values values;
    tacit__models_spread *spreads; /* a worker each */
    tacit__standing *standings;    /* a model each for every block */
} scan;

static uint32_t whole_code(const tacit__sensitive *s, uint32_t code)
{
    return s->image ? s->image[code] : code;
}

static void measure(tacit__standing *standings, const tacit__sensitive *s,
                    tacit__models_spread *spread, int64_t first)
{
    for (int i = 0; i < s->count; i++) {
        const tacit_model_bound *model = &model_of(s, i)->bound;
        tacit__models_measured found = tacit__spread_measure(spread, &s->whole, model);
        tacit__standing_add(&standings[i], model, found, spread->rows, first);
    }
}

static int by_code(const void *a, const void *b)
{
    const tacit__portion *x = a, *y = b;
    return (x->code > y->code) - (x->code < y->code);
}

/* Values of one stretch are one portion. */
static void join_portions(tacit__models_spread *spread)
{
    uint32_t kept = 0;
    qsort(spread->portions, spread->count, sizeof *spread->portions, by_code);
    for (uint32_t i = 1; i < spread->count; i++) {
        if (spread->portions[i].code == spread->portions[kept].code)
            spread->portions[kept].rows += spread->portions[i].rows;
        else
            spread->portions[++kept] = spread->portions[i];
    }
    spread->count = spread->count ? kept + 1 : 0;
}

/* Reads the class that starts at a place of the sorted keys; returns its end. */
static int64_t read_class(const scan *n, int64_t from, tacit__models_spread *spread)
{
    int64_t class = tacit__class_at(&n->values, from), at = from;
    spread->count = 0;
    spread->rows = 0;
    while (at < n->values.keys.rows && tacit__class_at(&n->values, at) == class) {
        int64_t end = tacit__class_value_end(&n->values, at);
        uint32_t code = tacit__class_code_at(&n->values, at);
        tacit__spread_add(spread, whole_code(n->sensitive, code), end - at);
        at = end;
    }
    if (n->sensitive->grid >= 0)
        join_portions(spread);
    return at;
}

/* Measures the classes that start in a block of sorted keys. */
static tacit_status scan_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)err;
    scan *n = context;
    tacit__models_spread *spread = &n->spreads[worker];
    tacit__standing *standings = &n->standings[block * n->sensitive->count];
    int64_t at = block * SCAN_BLOCK, end = at + SCAN_BLOCK;
    int64_t rows = n->values.keys.rows;
    while (at > 0 && at < end && at < rows &&
           tacit__class_at(&n->values, at) == tacit__class_at(&n->values, at - 1))
        at++;
    while (at < end && at < rows) {
        int64_t first = n->partition->first[tacit__class_at(&n->values, at)];
        at = read_class(n, at, spread);
        measure(standings, n->sensitive, spread, first);
    }
    return TACIT_OK;
}

static bool scan_prepare(scan *n, int64_t blocks, int workers)
{
    size_t standings = (size_t)blocks * (size_t)n->sensitive->count;
    n->standings = tacit__alloc_zeroed(standings, sizeof *n->standings);
    n->spreads = tacit__alloc_zeroed((size_t)workers, sizeof *n->spreads);
    for (int i = 0; n->spreads && i < workers; i++)
        if (!tacit__spread_init(&n->spreads[i], &n->sensitive->whole))
            return false;
    return n->standings && n->spreads;
}

static void scan_clear(scan *n, int workers)
{
    for (int i = 0; n->spreads && i < workers; i++)
        tacit__spread_clear(&n->spreads[i]);
    tacit__free(n->spreads);
    tacit__free(n->standings);
    tacit__class_values_clear(&n->values);
}

tacit_status tacit__sensitive_classes(tacit__standing *standings, const tacit__sensitive *s,
                                      const tacit__partition *partition, tacit_error *err)
{
    scan n = {.sensitive = s, .partition = partition};
    int workers = tacit__threads(s->judge->run);
    int64_t blocks = (tacit_table_rows(s->judge->release) + SCAN_BLOCK - 1) / SCAN_BLOCK;
    tacit_status status = tacit__class_values_init(&n.values, s->judge->release, s->column,
                                                   partition, s->judge->run, err);
    if (status == TACIT_OK && !scan_prepare(&n, blocks, workers))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(s->judge->run, "judging models", blocks, scan_block, &n, err);
    for (int64_t i = 0; status == TACIT_OK && i < blocks * s->count; i++)
        tacit__standing_join(&standings[i % s->count], &model_of(s, (int)(i % s->count))->bound,
                             &n.standings[i]);
    scan_clear(&n, workers);
    return status;
}

/* ---- rows that are together for another reason ---- */

/* Measures a class of which only the counts of its values are known. */
static tacit_status measure_counts(tacit__standing *standings, const tacit__sensitive *s,
                                   const int64_t *counts, int64_t first, tacit_error *err)
{
    tacit__models_spread spread = {0};
    bool ready = tacit__spread_init(&spread, &s->whole);
    for (uint32_t code = 0; ready && code < s->whole.values; code++)
        if (counts[code] > 0)
            tacit__spread_add(&spread, code, counts[code]);
    if (ready && spread.rows > 0)
        measure(standings, s, &spread, first);
    tacit__spread_clear(&spread);
    return ready ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__sensitive_suppressed(tacit__standing *standings, const tacit__sensitive *s,
                                         tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    int64_t rows = tacit_table_rows(judge->release), first = rows;
    tacit_codes_view codes = tacit_table_codes(judge->release, s->column);
    int64_t *counts = tacit__alloc_zeroed(s->whole.values, sizeof *counts);
    if (!counts)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++) {
        if (!tacit__bit_get(judge->suppressed, row))
            continue;
        counts[whole_code(s, tacit_codes_at(codes, row))]++;
        first = first < row ? first : row;
    }
    tacit_status status = measure_counts(standings, s, counts, first, err);
    tacit__free(counts);
    return status;
}

/* What the original has of each value and the release has not; false where that
 * cannot be. */
static bool subtract_released(int64_t *counts, const tacit__sensitive *s, const int64_t *released)
{
    bool possible = true;
    for (uint32_t code = 0; code < s->whole.values; code++)
        counts[code] = s->whole.rows[code];
    for (uint32_t code = 0; code <= tacit_table_distinct(s->judge->release, s->column); code++) {
        if (released[code] == 0)
            continue;
        int64_t *left = &counts[whole_code(s, code)];
        *left -= released[code];
        possible = possible && *left >= 0;
    }
    return possible;
}

tacit_status tacit__sensitive_dropped(tacit__standing *standings, const tacit__sensitive *s,
                                      tacit_error *err)
{
    if (s->source < 0)
        return TACIT_OK;
    tacit__judge *judge = s->judge;
    int64_t *released = count_codes(judge->release, s->column);
    int64_t *counts = tacit__alloc_array(s->whole.values, sizeof *counts);
    tacit_status status = released && counts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && !subtract_released(counts, s, released))
        tacit__cannot_judge(judge, model_of(s, 0)->column,
                            "the release has more of some values than the original");
    else if (status == TACIT_OK)
        status = measure_counts(standings, s, counts, 0, err);
    tacit__free(released);
    tacit__free(counts);
    return status;
}
