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
 * Where whole rows match, those that did agree in their carried cells too, and only the others are
 * left to compare in them.
 *
 * Rows are compared by 96 bits of a hash, sorted by some of them. Cost: one reading of both
 * tables, two passes of a sort, and two more for the carried cells where whole rows do not match;
 * 80 bytes a row.
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

/* How the carried cells of a table's rows become hashes. */
typedef struct cell_hashing {
    const tacit__judge *judge;
    const tacit_table *table;
    tacit__hash128 *out; /* a row each */
    bench *benches;
} cell_hashing;

static void add_cell(bench *b, tacit_strview raw)
{
    tacit_strview text = tacit__cell_says(raw, &b->buffer);
    uint64_t len = text.len; /* ahead of the text, so that cells cannot run into each other */
    tacit__strbuf_add(&b->text, (const char *)&len, sizeof len);
    tacit__strbuf_add(&b->text, text.bytes ? text.bytes : "", text.len);
    b->out_of_memory |= !text.bytes;
}

static tacit__hash128 hash_cells(const cell_hashing *h, bench *b, int64_t row)
{
    const tacit__judge *judge = h->judge;
    b->text.len = 0;
    tacit_table_row(h->table, row, b->cells);
    for (int32_t i = 0; i < tacit_table_columns(judge->release); i++)
        if (judge->columns[i].role == TACIT__CARRIED)
            add_cell(b, b->cells[h->table == judge->release ? i : judge->columns[i].source]);
    b->out_of_memory |= b->text.failed;
    return tacit__hash_bytes128(b->text.bytes ? b->text.bytes : "", b->text.len);
}

static tacit_status hash_cells_of_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const cell_hashing *h = context;
    bench *b = &h->benches[worker];
    int64_t end = tacit__block_end(block, tacit_table_rows(h->table));
    for (int64_t i = block * TACIT__BLOCK; i < end; i++)
        h->out[i] = hash_cells(h, b, i);
    return b->out_of_memory ? tacit__nomem(err) : TACIT_OK;
}

static bool benches_init(cell_hashing *h, int workers)
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

static void benches_clear(cell_hashing *h, int workers)
{
    for (int i = 0; h->benches && i < workers; i++) {
        tacit__free(h->benches[i].cells);
        tacit__free(h->benches[i].buffer.bytes);
        tacit__strbuf_clear(&h->benches[i].text);
    }
    tacit__free(h->benches);
}

/* The carried cells of a table's rows, a hash each; who calls frees them. */
static tacit_status hash_carried(tacit__hash128 **out, const tacit__judge *judge,
                                 const tacit_table *table, tacit_error *err)
{
    int workers = tacit__threads(judge->run);
    int64_t rows = tacit_table_rows(table);
    cell_hashing h = {.judge = judge, .table = table};
    h.out = *out = tacit__alloc_array((size_t)rows, sizeof *h.out);
    if (!h.out)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    if (benches_init(&h, workers))
        status = tacit__parallel(judge->run, "judging rows", tacit__blocks(rows),
                                 hash_cells_of_block, &h, err);
    else
        status = tacit__nomem(err);
    benches_clear(&h, workers);
    return status;
}

/* Both tables' carried cells. NULL: none are carried. */
typedef struct carried {
    tacit__hash128 *known, *released;
} carried;

/* How whole rows of one of the tables are compared: by their carried cells, and by their attributes
 * in the words of the release, on the levels that halls say. */
typedef struct row_hashing {
    const tacit__judge *judge;
    const tacit_table *table;
    const tacit__hash128 *cells;
    const tacit__ladder *ladders;
    const tacit__hall *halls;
    tacit__sorter *out;
} row_hashing;

/* Codes of an attribute in the words of the release, of rows from one on. */
static void load_codes(uint32_t *codes, const row_hashing *h, int32_t attribute, int64_t row,
                       int64_t count)
{
    const tacit__judge *judge = h->judge;
    bool is_release = h->table == judge->release;
    int32_t column = is_release ? judge->attribute[attribute] : judge->ground[attribute];
    tacit__codes_load(codes, tacit_table_codes(h->table, column), row, count);
    for (int64_t i = 0; !is_release && i < count; i++)
        codes[i] = tacit__image(&h->ladders[attribute], h->halls[attribute].level, codes[i]);
}

enum { HASHED_ROWS = 256 };

/* Hashes of at most HASHED_ROWS rows from one on: those of their cells, the codes mixed in two at a
 * time. */
static void hash_whole(tacit__hash128 *hashes, const row_hashing *h, int64_t row, int64_t count)
{
    uint32_t first[HASHED_ROWS], second[HASHED_ROWS] = {0};
    int32_t attributes = h->judge->promise->attribute_count;
    for (int64_t i = 0; i < count; i++)
        hashes[i] = h->cells ? h->cells[row + i] : (tacit__hash128){0};
    for (int32_t a = 0; a < attributes; a += 2) {
        load_codes(first, h, a, row, count);
        if (a + 1 < attributes)
            load_codes(second, h, a + 1, row, count);
        for (int64_t i = 0; i < count; i++) {
            uint64_t words[] = {hashes[i].low, hashes[i].high,
                                (uint64_t)first[i] << 32 | second[i]};
            hashes[i] = tacit__hash_bytes128((const char *)words, sizeof words);
        }
    }
}

/* A row to be compared, which the sort takes along. */
static void put_hash(tacit__sorter *out, int64_t at, tacit__hash128 hash, int64_t row)
{
    out->keys[at] = hash.low;
    out->values[at] = hash.high >> 32 << 32 | (uint32_t)row;
}

static int64_t row_at(const tacit__sorter *hashes, int64_t at)
{
    return (uint32_t)hashes->values[at];
}

static tacit_status hash_carried_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const row_hashing *h = context;
    tacit__hash128 hashes[HASHED_ROWS];
    int64_t end = tacit__block_end(block, h->out->count);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += HASHED_ROWS) {
        int64_t count = end - i < HASHED_ROWS ? end - i : HASHED_ROWS;
        hash_whole(hashes, h, i, count);
        for (int64_t j = 0; j < count; j++)
            put_hash(h->out, i + j, hashes[j], i + j);
    }
    return TACIT_OK;
}

/* Leaves out the rows that are suppressed as a whole. */
static void leave_suppressed(tacit__sorter *hashes, const tacit__judge *judge)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < hashes->count; i++) {
        if (tacit__bit_get(judge->suppressed, row_at(hashes, i)))
            continue;
        hashes->keys[kept] = hashes->keys[i];
        hashes->values[kept++] = hashes->values[i];
    }
    hashes->count = kept;
}

/* Hashes are sorted by the lowest bits of their keys only, so many that few agree in them by
 * chance; what agrees is put in order by hand. */
enum { SORTED_BITS = 22 };

/* Whether a hash stands before another that agrees with it in the sorted bits. */
static bool stands_before(const tacit__sorter *a, int64_t i, const tacit__sorter *b, int64_t j)
{
    return a->keys[i] != b->keys[j] ? a->keys[i] < b->keys[j]
                                    : a->values[i] >> 32 < b->values[j] >> 32;
}

static bool below(const tacit__sorter *a, int64_t i, const tacit__sorter *b, int64_t j)
{
    uint64_t x = a->keys[i] << (64 - SORTED_BITS), y = b->keys[j] << (64 - SORTED_BITS);
    return x != y ? x < y : stands_before(a, i, b, j);
}

static void swap_hashes(tacit__sorter *s, int64_t i, int64_t j)
{
    uint64_t key = s->keys[i], value = s->values[i];
    s->keys[i] = s->keys[j];
    s->values[i] = s->values[j];
    s->keys[j] = key;
    s->values[j] = value;
}

/* Shell's sort of hashes from one to another: insertion where there are two or three. */
static void order_run(tacit__sorter *s, int64_t from, int64_t end)
{
    int64_t gap = 1;
    while (gap < (end - from) / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int64_t i = from + gap; i < end; i++)
            for (int64_t at = i; at - gap >= from && stands_before(s, at, s, at - gap); at -= gap)
                swap_hashes(s, at, at - gap);
}

/* Orders hashes that agree in the sorted bits. */
static void order_runs(tacit__sorter *s)
{
    for (int64_t from = 0, end; from < s->count; from = end) {
        uint64_t bits = s->keys[from] << (64 - SORTED_BITS);
        bool ordered = true;
        for (end = from + 1; end < s->count && s->keys[end] << (64 - SORTED_BITS) == bits; end++)
            ordered &= !stands_before(s, end, s, end - 1);
        if (!ordered)
            order_run(s, from, end);
    }
}

static tacit_status sort_hashes(tacit__sorter *hashes, const tacit__judge *judge, tacit_error *err)
{
    hashes->bits = SORTED_BITS;
    tacit_status status = tacit__sorter_sort(hashes, judge->run, err);
    tacit__sorter_trim(hashes);
    if (status == TACIT_OK)
        order_runs(hashes);
    return status;
}

/* A table's whole rows as hashes, sorted; suppressed ones left out. */
static tacit_status hash_rows(tacit__sorter *out, row_hashing h, tacit_error *err)
{
    const tacit__judge *judge = h.judge;
    int64_t rows = tacit_table_rows(h.table);
    h.out = out;
    tacit_status status = tacit__sorter_init(out, rows, 64, true, err);
    if (status == TACIT_OK)
        status = tacit__parallel(judge->run, "judging rows", tacit__blocks(rows),
                                 hash_carried_block, &h, err);
    if (status == TACIT_OK && h.table == judge->release)
        leave_suppressed(out, judge);
    return status == TACIT_OK ? sort_hashes(out, judge, err) : status;
}

/* How many of one multiset's members the other does not have. A bit is set in taken for the row of
 * each that it has (NULL: not wanted). */
static int64_t count_unmatched(const tacit__sorter *of, const tacit__sorter *in, uint64_t *taken)
{
    int64_t unmatched = 0, at = 0;
    for (int64_t i = 0; i < of->count; i++) {
        while (at < in->count && below(in, at, of, i))
            at++;
        if (at == in->count || below(of, i, in, at)) {
            unmatched++;
            continue;
        }
        if (taken)
            tacit__bit_set(taken, row_at(in, at));
        at++;
    }
    return unmatched;
}

/* Rows of the release, but for suppressed ones, that the original cannot have made; and those of
 * the original that the others have taken. */
static tacit_status compare_rows(int64_t *unmatched, uint64_t *taken, row_hashing h,
                                 const carried *cells, tacit_error *err)
{
    tacit__sorter known = {0}, released = {0};
    h.table = h.judge->original;
    h.cells = cells->known;
    tacit_status status = hash_rows(&known, h, err);
    h.table = h.judge->release;
    h.cells = cells->released;
    if (status == TACIT_OK)
        status = hash_rows(&released, h, err);
    if (status == TACIT_OK)
        *unmatched = count_unmatched(&released, &known, taken);
    tacit__sorter_clear(&known);
    tacit__sorter_clear(&released);
    return status;
}

/* Some rows of a table. */
typedef struct selection {
    int64_t rows;
    const uint64_t *bits; /* NULL: all */
    bool wanted;          /* rows whose bit is this */
} selection;

/* The carried cells of some rows, sorted. */
static tacit_status sort_cells(tacit__sorter *out, const tacit__hash128 *cells, selection some,
                               const tacit__judge *judge, tacit_error *err)
{
    int64_t set = some.bits ? tacit__bitset_count(some.bits, some.rows) : 0, count = 0;
    tacit_status status =
        tacit__sorter_init(out, some.bits && some.wanted ? set : some.rows - set, 64, true, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < some.rows; row++)
        if (!some.bits || tacit__bit_get(some.bits, row) == some.wanted)
            put_hash(out, count++, cells[row], row);
    return sort_hashes(out, judge, err);
}

/* Rows of the release whose carried cells the original does not have. Where all but suppressed rows
 * have taken rows of the original, suppressed ones draw from the others. */
static tacit_status compare_cells(int64_t *changed, const tacit__judge *judge, const carried *cells,
                                  const uint64_t *taken, tacit_error *err)
{
    tacit__sorter known = {0}, released = {0};
    selection drawn = {tacit_table_rows(judge->original), taken, false};
    selection drawing = {tacit_table_rows(judge->release), taken ? judge->suppressed : NULL, true};
    tacit_status status = sort_cells(&known, cells->known, drawn, judge, err);
    if (status == TACIT_OK)
        status = sort_cells(&released, cells->released, drawing, judge, err);
    if (status == TACIT_OK)
        *changed = count_unmatched(&released, &known, NULL);
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

/* Attributes, and whole rows where that is possible: then taken says which of the original matched,
 * if all did. */
static tacit_status match_attributes(tacit__judge *judge, const carried *cells, uint64_t *taken,
                                     tacit_error *err)
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
    row_hashing h = {.judge = judge, .ladders = ladders, .halls = halls};
    status = compare_rows(&unmatched, taken, h, cells, err);
    if (status != TACIT_OK)
        goto cleanup;
    judge->verdict->rows_matched = unmatched == 0;
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

/* Both conditions, on rows whose carried cells are known. */
static tacit_status match_rows(tacit__judge *judge, const carried *cells, uint64_t *taken,
                               tacit_error *err)
{
    int64_t changed = 0;
    tacit_status status = TACIT_OK;
    if (judge->attributes_known)
        status = match_attributes(judge, cells, taken, err);
    bool matched = judge->verdict->rows_matched;
    if (cells->known && status == TACIT_OK && (!matched || judge->suppressed_rows))
        status = compare_cells(&changed, judge, cells, matched ? taken : NULL, err);
    if (status == TACIT_OK && changed)
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, changed,
                    "the cells that %lld rows carry along are those of no row of the original",
                    (long long)changed);
    return status;
}

tacit_status tacit__judge_match(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    carried cells = {0};
    bool carries = carries_cells(judge);
    size_t words = tacit__bitset_words(tacit_table_rows(judge->original));
    uint64_t *taken = tacit__alloc_zeroed(words, sizeof *taken);
    if (!taken)
        return tacit__nomem(err);
    if (carries)
        status = hash_carried(&cells.known, judge, judge->original, err);
    if (carries && status == TACIT_OK)
        status = hash_carried(&cells.released, judge, judge->release, err);
    if (status == TACIT_OK)
        status = match_rows(judge, &cells, taken, err);
    tacit__free(cells.known);
    tacit__free(cells.released);
    tacit__free(taken);
    return status;
}
