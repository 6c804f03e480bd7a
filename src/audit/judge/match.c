/*
 * match.c - rows neither lost nor made up, when nobody says which is which.
 *
 * Carried cells: those of the release, row by row together, must be among those
 * of the original, as a multiset.
 *
 * Whole rows: where each attribute is on one level, apart from rows suppressed
 * as a whole, the original generalized to those levels must contain the
 * release's other rows, attributes and carried cells together, as a multiset.
 * Both conditions together are exact: what is left of the original's carried
 * cells, once those of matched rows are taken away, is what the suppressed rows
 * must draw from, and that is the first condition. A release that is not on one
 * level for each attribute (or has labels that values of the original also get
 * on other levels) is only held to the carried cells and to Hall's condition
 * for each attribute; rows_matched then says whether rows still match.
 *
 * Rows are compared by 128-bit hashes, sorted by one half. Cost: a reading of
 * both tables for each of the two conditions, 48 bytes a row.
 */
#include <string.h>

#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/strbuf.h"

/* Hall's condition on a hierarchy.
 *
 * Without a correspondence, a column of the release is possible if its cells
 * can be assigned to different cells of the original that they generalize. The
 * cells of the original under the values of a hierarchy are nested or disjoint,
 * so Hall's theorem asks only this: for every value of the hierarchy, no more
 * cells of the release are that value or lie below it than the original has
 * cells under it. Cells of rows that are suppressed as a whole go anywhere.
 *
 * Going up from the ground, cells beyond what a value can hold are counted once
 * and not passed on: their sum is the number of cells that must be left over.
 *
 * A label that stands on several levels is placed on the lowest value that
 * covers all its places, so that nothing possible is refused.
 *
 * Cost: a pass over the rows for each attribute, and one over its values. */

typedef struct tacit__hall {
    tacit__judge_tally unknown; /* cells whose value is on no rung of the ladder */
    int64_t excess;  /* cells that find no cell of the original, as others have taken them */
    int level;       /* one that all values are on, or -1 */
    bool only_level; /* and no value of the original becomes any of them elsewhere only */
} tacit__hall;

/* Where a label of the release is on the ladder. */
typedef struct rung {
    int level; /* -1: nowhere */
    uint32_t number;
} rung;

typedef struct hall_work {
    const tacit__ladder *ladder;
    uint32_t codes;    /* of the release, missing among them */
    int64_t *released; /* cells by code of the release, suppressed rows left out */
    rung *rungs;       /* by code of the release */
    int64_t *here;     /* cells of the release at or below a level's values */
    int64_t *above;    /* the same, one level up */
    int64_t *known;    /* cells by code of the original */
    int64_t *room;     /* cells of the original under a level's values */
    int64_t *room_above;
} hall_work;

static rung raise(const tacit__ladder *ladder, rung r, int level)
{
    for (; r.level < level; r.level++)
        r.number = ladder->parents[r.level][r.number];
    return r;
}

/* The lowest value that covers both; on the top level there is one at most. */
static rung cover(const tacit__ladder *ladder, rung a, rung b)
{
    int level = a.level > b.level ? a.level : b.level;
    for (;; level++) {
        a = raise(ladder, a, level);
        b = raise(ladder, b, level);
        if (a.number == b.number || level == ladder->height)
            return b;
    }
}

static uint32_t numbers_on(const tacit__ladder *ladder, int level)
{
    return tacit_hierarchy_count(ladder->hierarchy, level) + 1; /* missing too */
}

/* Whether anything of the original can have a number. The one for missing is
 * nobody's where missing has become a value. */
static bool is_used(const tacit__ladder *ladder, int level, uint32_t number)
{
    if (number == tacit_hierarchy_count(ladder->hierarchy, level))
        return tacit_hierarchy_map(ladder->hierarchy, level)[ladder->ground] == number;
    return level == ladder->height || ladder->parents[level][number] != TACIT__NOWHERE;
}

static void place_labels(hall_work *w)
{
    for (uint32_t code = 0; code < w->codes; code++)
        w->rungs[code].level = -1;
    for (int level = 0; level <= w->ladder->height; level++) {
        for (uint32_t i = 0; i < numbers_on(w->ladder, level); i++) {
            uint32_t code = w->ladder->codes[level][i];
            if (code == TACIT__NOWHERE || !is_used(w->ladder, level, i))
                continue;
            rung here = {level, i};
            rung *known = &w->rungs[code];
            *known = known->level < 0 ? here : cover(w->ladder, *known, here);
        }
    }
}

static void count_released(hall_work *w, const tacit__judge *judge, int32_t column,
                           tacit__judge_tally *unknown)
{
    tacit_codes_view codes = tacit_table_codes(judge->release, column);
    for (int64_t i = 0; i < tacit_table_rows(judge->release); i++) {
        if (tacit__bit_get(judge->suppressed, i))
            continue;
        uint32_t code = tacit_codes_at(codes, i);
        w->released[code]++;
        if (w->rungs[code].level < 0)
            tacit__tally_add(unknown, i);
    }
}

static void count_original(hall_work *w, const tacit__judge *judge, int32_t column)
{
    tacit_codes_view codes = tacit_table_codes(judge->original, column);
    const uint32_t *ground = tacit_hierarchy_map(w->ladder->hierarchy, 0);
    for (int64_t i = 0; i < tacit_table_rows(judge->original); i++)
        w->known[tacit_codes_at(codes, i)]++;
    for (uint32_t i = 0; i <= w->ladder->ground; i++)
        w->room[ground[i]] += w->known[i];
}

static void swap(int64_t **a, int64_t **b)
{
    int64_t *t = *a;
    *a = *b;
    *b = t;
}

/* Passes on what a level's values hold, and returns what they cannot hold. */
static int64_t climb(hall_work *w, int level)
{
    int64_t excess = 0;
    uint32_t count = numbers_on(w->ladder, level);
    bool top = level == w->ladder->height;
    for (uint32_t i = 0; !top && i < numbers_on(w->ladder, level + 1); i++)
        w->above[i] = w->room_above[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t over = w->here[i] > w->room[i] ? w->here[i] - w->room[i] : 0;
        excess += over;
        if (top || !is_used(w->ladder, level, i))
            continue;
        uint32_t parent = w->ladder->parents[level][i];
        w->above[parent] += w->here[i] - over;
        w->room_above[parent] += w->room[i];
    }
    swap(&w->here, &w->above);
    swap(&w->room, &w->room_above);
    return excess;
}

static int64_t count_excess(hall_work *w)
{
    int64_t excess = 0;
    for (int level = 0; level <= w->ladder->height; level++) {
        for (uint32_t code = 0; code < w->codes; code++)
            if (w->rungs[code].level == level)
                w->here[w->rungs[code].number] += w->released[code];
        excess += climb(w, level);
    }
    return excess;
}

/* Whether every released value stands on a level. */
static bool all_stand_on(hall_work *w, int level)
{
    for (uint32_t code = 0; code < w->codes; code++)
        w->rungs[code].level = -1;
    for (uint32_t i = 0; i < numbers_on(w->ladder, level); i++)
        if (w->ladder->codes[level][i] != TACIT__NOWHERE && is_used(w->ladder, level, i))
            w->rungs[w->ladder->codes[level][i]].level = level;
    for (uint32_t code = 0; code < w->codes; code++)
        if (w->released[code] && w->rungs[code].level != level)
            return false;
    return true;
}

/* Whether nothing in the original becomes a released value on other levels
 * without becoming it on this one, so that this level explains all there is. */
static bool explains_all(const hall_work *w, int level)
{
    for (uint32_t value = 0; value <= w->ladder->ground; value++) {
        if (!w->known[value])
            continue;
        uint32_t here = tacit__image(w->ladder, level, value);
        for (int other = 0; other <= w->ladder->height; other++) {
            uint32_t code = tacit__image(w->ladder, other, value);
            if (code != TACIT__NOWHERE && code != here && w->released[code])
                return false;
        }
    }
    return true;
}

/* The level that all released values are on; the highest, since what a label
 * covers grows on the way up, but one that explains all before any other. */
static void find_level(hall_work *w, tacit__hall *hall)
{
    for (int level = w->ladder->height; level >= 0 && !hall->only_level; level--) {
        if (!all_stand_on(w, level))
            continue;
        hall->only_level = explains_all(w, level);
        if (hall->level < 0 || hall->only_level)
            hall->level = level;
    }
}

static size_t widest_level(const tacit__ladder *ladder)
{
    size_t widest = 0;
    for (int level = 0; level <= ladder->height; level++)
        if (numbers_on(ladder, level) > widest)
            widest = numbers_on(ladder, level);
    return widest;
}

typedef struct hall_job {
    tacit__judge *judge;
    const tacit__ladder *ladders;
    tacit__hall *out;
} hall_job;

static tacit_status check_attribute(void *context, int64_t attribute, int worker, tacit_error *err)
{
    (void)worker;
    const hall_job *job = context;
    const tacit__judge *judge = job->judge;
    hall_work w = {.ladder = &job->ladders[attribute]};
    size_t widest = widest_level(w.ladder);
    w.codes = tacit_table_distinct(judge->release, judge->attribute[attribute]) + 1;
    w.released = tacit__alloc_zeroed(w.codes, sizeof *w.released);
    w.rungs = tacit__alloc_zeroed(w.codes, sizeof *w.rungs);
    w.here = tacit__alloc_zeroed(widest, sizeof *w.here);
    w.above = tacit__alloc_zeroed(widest, sizeof *w.above);
    w.known = tacit__alloc_zeroed((size_t)w.ladder->ground + 1, sizeof *w.known);
    w.room = tacit__alloc_zeroed(widest, sizeof *w.room);
    w.room_above = tacit__alloc_zeroed(widest, sizeof *w.room_above);
    bool whole = w.released && w.rungs && w.here && w.above && w.known && w.room && w.room_above;
    if (whole) {
        tacit__hall hall = {.level = -1};
        place_labels(&w);
        count_released(&w, judge, judge->attribute[attribute], &hall.unknown);
        count_original(&w, judge, judge->ground[attribute]);
        hall.excess = count_excess(&w);
        find_level(&w, &hall);
        job->out[attribute] = hall;
    }
    tacit__free(w.released);
    tacit__free(w.rungs);
    tacit__free(w.here);
    tacit__free(w.above);
    tacit__free(w.known);
    tacit__free(w.room);
    tacit__free(w.room_above);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* One for each promised attribute, into out. */
static tacit_status hall_check(tacit__hall *out, tacit__judge *judge, const tacit__ladder *ladders,
                               tacit_error *err)
{
    hall_job job = {.judge = judge, .ladders = ladders, .out = out};
    return tacit__parallel(judge->run, "judging values", judge->promise->attribute_count,
                           check_attribute, &job, err);
}

/* ---- */

/* What one worker needs to turn rows into hashes. */
typedef struct bench {
    tacit_strview *cells;
    tacit__cell_buffer buffer;
    tacit__strbuf text;
    bool out_of_memory;
} bench;

/* How rows of one of the tables become hashes. */
typedef struct row_hashing {
    const tacit__judge *judge;
    const tacit_table *table;
    const tacit__ladder *ladders; /* of the original where attributes count, else NULL */
    const tacit__hall *halls;     /* with the level of each attribute; NULL: carried cells only */
    int64_t rows;
    tacit__sorter *out;
    bench *benches;
} row_hashing;

/* The attribute's code in the words of the release. */
static uint32_t released_code(const row_hashing *h, int32_t attribute, int64_t row)
{
    const tacit__judge *judge = h->judge;
    if (h->table == judge->release)
        return tacit_codes_at(tacit_table_codes(judge->release, judge->attribute[attribute]), row);
    uint32_t code =
        tacit_codes_at(tacit_table_codes(judge->original, judge->ground[attribute]), row);
    return tacit__image(&h->ladders[attribute], h->halls[attribute].level, code);
}

static void add_cell(bench *b, tacit_strview raw)
{
    tacit_strview text = tacit__cell_says(raw, &b->buffer);
    uint64_t len = text.len; /* ahead of the text, so that cells cannot run into each other */
    tacit__strbuf_add(&b->text, (const char *)&len, sizeof len);
    tacit__strbuf_add(&b->text, text.bytes ? text.bytes : "", text.len);
    b->out_of_memory |= !text.bytes;
}

static tacit__hash128 hash_row(const row_hashing *h, bench *b, int64_t row)
{
    const tacit__judge *judge = h->judge;
    b->text.len = 0;
    for (int32_t a = 0; h->halls && a < judge->promise->attribute_count; a++) {
        uint32_t code = released_code(h, a, row);
        tacit__strbuf_add(&b->text, (const char *)&code, sizeof code);
    }
    tacit_table_row(h->table, row, b->cells);
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++)
        if (judge->columns[i].role == TACIT__CARRIED)
            add_cell(b, b->cells[h->table == judge->release ? i : judge->columns[i].source]);
    b->out_of_memory |= b->text.failed;
    return tacit__hash_bytes128(b->text.bytes ? b->text.bytes : "", b->text.len);
}

static tacit_status hash_rows_of_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const row_hashing *h = context;
    bench *b = &h->benches[worker];
    for (int64_t i = block * TACIT__BLOCK; i < tacit__block_end(block, h->rows); i++) {
        tacit__hash128 hash = hash_row(h, b, i);
        h->out->keys[i] = hash.low;
        h->out->values[i] = hash.high;
    }
    return b->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

/* Leaves out the rows that are suppressed as a whole. */
static void leave_suppressed(tacit__sorter *hashes, const tacit__judge *judge)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < hashes->count; i++) {
        if (tacit__bit_get(judge->suppressed, i))
            continue;
        hashes->keys[kept] = hashes->keys[i];
        hashes->values[kept++] = hashes->values[i];
    }
    hashes->count = kept;
}

/* Orders hashes that agree in the sorted half by the other; such are equal
 * nearly always, so insertion hardly moves anything. */
static void order_halves(tacit__sorter *hashes)
{
    uint64_t *keys = hashes->keys, *values = hashes->values;
    for (int64_t i = 1; i < hashes->count; i++) {
        uint64_t value = values[i];
        int64_t at = i;
        for (; at > 0 && keys[at - 1] == keys[i] && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static bool benches_init(row_hashing *h, int workers)
{
    h->benches = tacit__alloc_zeroed((size_t)workers, sizeof *h->benches);
    for (int i = 0; h->benches && i < workers; i++) {
        h->benches[i].cells =
            tacit__alloc_array((size_t)tacit_table_columns(h->table), sizeof(tacit_strview));
        if (!h->benches[i].cells)
            return false;
    }
    return h->benches != NULL;
}

static void benches_clear(row_hashing *h, int workers)
{
    for (int i = 0; h->benches && i < workers; i++) {
        tacit__free(h->benches[i].cells);
        tacit__free(h->benches[i].buffer.bytes);
        tacit__strbuf_clear(&h->benches[i].text);
    }
    tacit__free(h->benches);
}

/* A table's rows as hashes, sorted. */
static tacit_status hash_rows(tacit__sorter *out, row_hashing h, tacit_error *err)
{
    const tacit__judge *judge = h.judge;
    int workers = tacit__threads(judge->run);
    h.out = out;
    h.rows = tacit_table_rows(h.table);
    tacit_status status = tacit__sorter_init(out, h.rows, 64, true, err);
    if (status != TACIT_OK)
        return status;
    if (benches_init(&h, workers))
        status = tacit__parallel(judge->run, "judging rows", tacit__blocks(h.rows),
                                 hash_rows_of_block, &h, err);
    else
        status = tacit__nomem(err);
    benches_clear(&h, workers);
    if (status != TACIT_OK)
        return status;
    if (h.halls && h.table == judge->release)
        leave_suppressed(out, judge);
    status = tacit__sorter_sort(out, judge->run, err);
    tacit__sorter_trim(out);
    order_halves(out);
    return status;
}

static bool below(const tacit__sorter *a, int64_t i, const tacit__sorter *b, int64_t j)
{
    return a->keys[i] != b->keys[j] ? a->keys[i] < b->keys[j] : a->values[i] < b->values[j];
}

/* How many of one multiset's members the other does not have. */
static int64_t count_unmatched(const tacit__sorter *of, const tacit__sorter *in)
{
    int64_t unmatched = 0, at = 0;
    for (int64_t i = 0; i < of->count; i++) {
        while (at < in->count && below(in, at, of, i))
            at++;
        if (at < in->count && !below(of, i, in, at))
            at++;
        else
            unmatched++;
    }
    return unmatched;
}

/* Rows of the release that the original cannot have made; with halls, whole
 * rows but for suppressed ones, without, the carried cells of all. */
static tacit_status compare_rows(int64_t *unmatched, const tacit__judge *judge,
                                 const tacit__ladder *ladders, const tacit__hall *halls,
                                 tacit_error *err)
{
    tacit__sorter known = {0}, released = {0};
    row_hashing h = {.judge = judge, .table = judge->original, .ladders = ladders, .halls = halls};
    tacit_status status = hash_rows(&known, h, err);
    h.table = judge->release;
    if (status == TACIT_OK)
        status = hash_rows(&released, h, err);
    if (status == TACIT_OK)
        *unmatched = count_unmatched(&released, &known);
    tacit__sorter_clear(&known);
    tacit__sorter_clear(&released);
    return status;
}

static void report_halls(tacit__judge *judge, const tacit__hall *halls)
{
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        tacit__shown name = tacit__show(tacit_strview_of(judge->promise->attributes[a].name));
        tacit__judge_tally unknown = halls[a].unknown;
        if (unknown.count)
            tacit__find(judge, TACIT_FINDING_VALUE, unknown.first + 1, unknown.count,
                        "attribute \"%s\" has %lld values that generalize nothing in the original; "
                        "the first is in row %lld (line %lld)",
                        name.text, (long long)unknown.count, (long long)(unknown.first + 1),
                        (long long)tacit_table_line(judge->release, unknown.first));
        if (halls[a].excess)
            tacit__find(judge, TACIT_FINDING_VALUE, 0, halls[a].excess,
                        "attribute \"%s\" has %lld values too many: the original has fewer values "
                        "under them",
                        name.text, (long long)halls[a].excess);
    }
}

static bool on_one_level(const tacit__judge *judge, const tacit__hall *halls)
{
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (halls[a].level < 0)
            return false;
    return true;
}

static bool on_no_other(const tacit__judge *judge, const tacit__hall *halls)
{
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (!halls[a].only_level)
            return false;
    return true;
}

/* Attributes, and whole rows where that is possible. */
static tacit_status match_attributes(tacit__judge *judge, bool *matched, tacit_error *err)
{
    tacit__hall halls[TACIT__MAX_PROMISED];
    tacit__ladder *ladders = NULL;
    int64_t unmatched = 0;
    tacit_status status = tacit__ladders_new(&ladders, judge, err);
    if (status != TACIT_OK)
        return status;
    status = hall_check(halls, judge, ladders, err);
    if (status != TACIT_OK)
        goto cleanup;
    report_halls(judge, halls);
    if (!on_one_level(judge, halls))
        goto cleanup;
    status = compare_rows(&unmatched, judge, ladders, halls, err);
    if (status != TACIT_OK)
        goto cleanup;
    *matched = unmatched == 0;
    if (unmatched && on_no_other(judge, halls))
        tacit__find(judge, TACIT_FINDING_ROWS, 0, unmatched,
                    "%lld rows of the release come from no row of the original",
                    (long long)unmatched);
cleanup:
    tacit__ladders_free(ladders, judge->promise->attribute_count);
    return status;
}

static bool carries_cells(const tacit__judge *judge)
{
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++)
        if (judge->columns[i].role == TACIT__CARRIED)
            return true;
    return false;
}

tacit_status tacit__judge_match(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (judge->attributes_known)
        status = match_attributes(judge, &judge->verdict->rows_matched, err);
    int64_t changed = 0;
    if (status == TACIT_OK && carries_cells(judge))
        status = compare_rows(&changed, judge, NULL, NULL, err);
    if (status == TACIT_OK && changed)
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, changed,
                    "the cells that %lld rows carry along are those of no row of the original",
                    (long long)changed);
    return status;
}
