/*
 * count.c - k, counted by sorting.
 *
 * For each quasi-identifier the released codes of a row are packed into one
 * 64-bit key, the person's code in its lowest bits; the keys are sorted, and a
 * class is a run of equal upper bits, its people the different keys in the run.
 * Missing is a value of its own. Suppressed rows are one class like any other.
 *
 * Where the codes do not fit into 64 bits, those packed so far are folded: the
 * keys are sorted, and each row's key is replaced by its place among the
 * different keys, found by bisection, which takes at most 32 bits.
 *
 * Cost: bits / 11 passes over the rows (sort.c), 8 bytes a row where keys take 32
 * bits or less, else 16; folding adds 4
 * bytes a row and a bisection for each row. Section 5.1 of Sweeney.
 */
#include <stdio.h>
#include <string.h>

#include "audit/judge.h"
#include "audit/sort.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

enum { KEY_BITS = 64, SCAN_BLOCK = 1 << 18, CHUNK = 512 };

typedef struct part {
    tacit_codes_view codes;
    int bits;
} part;

/* How rows become keys: the parts, the first in the highest bits. */
typedef struct packing {
    part parts[TACIT__MAX_PROMISED + 2];
    int count;
    int bits;
    uint32_t *ranks; /* folded parts, a row each; owned */
} packing;

/* What a stretch of sorted keys holds. */
typedef struct stretch {
    int64_t classes;
    int64_t smallest;
    int64_t rows_below;
    int64_t broken_classes; /* below k, suppressed rows by themselves not among them */
    int64_t broken_rows;
} stretch;

typedef struct grouping {
    tacit__judge *judge;
    packing packing;
    int person_bits;
    tacit__sorter sorter;
    int64_t rows;
    bool has_suppressed;
    uint64_t suppressed_class;
    stretch *stretches;
} grouping;

static void add_part(packing *p, tacit_codes_view codes, int bits)
{
    p->parts[p->count++] = (part){codes, bits};
    p->bits += bits;
}

/* Keys of at most CHUNK rows from one on. */
static void pack_rows(const packing *p, uint64_t *out, int64_t row, int64_t count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; i < p->count; i++) {
        uint32_t codes[CHUNK];
        tacit__codes_load(codes, p->parts[i].codes, row, count);
        for (int64_t j = 0; j < count; j++)
            out[j] = out[j] << p->parts[i].bits | codes[j];
    }
}

static tacit_status pack_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    grouping *g = context;
    uint64_t keys[CHUNK];
    int64_t end = tacit__block_end(block, g->rows);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += CHUNK) {
        int64_t count = end - i < CHUNK ? end - i : CHUNK;
        pack_rows(&g->packing, keys, i, count);
        for (int64_t j = 0; j < count; j++)
            tacit__sorter_put(&g->sorter, i + j, keys[j]);
    }
    return TACIT_OK;
}

/* The keys of all rows, sorted. */
static tacit_status sort_keys(grouping *g, tacit_error *err)
{
    tacit__sorter_clear(&g->sorter);
    tacit_status status = tacit__sorter_init(&g->sorter, g->rows, g->packing.bits, false, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(g->judge->run, "judging", tacit__blocks(g->rows), pack_block, g, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&g->sorter, g->judge->run, err);
    return status;
}

/* Leaves each key once; returns how many there are. */
static int64_t compact(tacit__sorter *sorter)
{
    int64_t kept = sorter->count > 0;
    for (int64_t i = 1; i < sorter->count; i++) {
        uint64_t key = tacit__sorter_key(sorter, i);
        if (key != tacit__sorter_key(sorter, kept - 1))
            tacit__sorter_put(sorter, kept++, key);
    }
    sorter->count = kept;
    return kept;
}

typedef struct ranking {
    const grouping *grouping;
    uint32_t *ranks;
} ranking;

static tacit_status rank_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const ranking *r = context;
    const grouping *g = r->grouping;
    uint64_t keys[CHUNK];
    int64_t end = tacit__block_end(block, g->rows);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += CHUNK) {
        int64_t count = end - i < CHUNK ? end - i : CHUNK;
        pack_rows(&g->packing, keys, i, count);
        for (int64_t j = 0; j < count; j++)
            r->ranks[i + j] = (uint32_t)tacit__sorter_place(&g->sorter, keys[j]);
    }
    return TACIT_OK;
}

/* Replaces all parts by the place of their key among the different keys. */
static tacit_status fold(grouping *g, tacit_error *err)
{
    ranking r = {.grouping = g};
    tacit_status status = sort_keys(g, err);
    if (status != TACIT_OK)
        return status;
    int64_t different = compact(&g->sorter);
    r.ranks = tacit__alloc_array((size_t)g->rows, sizeof *r.ranks);
    if (!r.ranks)
        return tacit__nomem(err);
    status = tacit__parallel(g->judge->run, "judging", tacit__blocks(g->rows), rank_block, &r, err);
    tacit__free(g->packing.ranks);
    g->packing = (packing){.ranks = r.ranks};
    add_part(&g->packing, (tacit_codes_view){r.ranks, 4},
             tacit__bits_for(different ? (uint64_t)different - 1 : 0));
    return status;
}

static tacit_status add_codes(grouping *g, tacit_codes_view codes, uint32_t max, tacit_error *err)
{
    int bits = tacit__bits_for(max);
    if (g->packing.bits + bits > KEY_BITS) {
        tacit_status status = fold(g, err);
        if (status != TACIT_OK)
            return status;
    }
    add_part(&g->packing, codes, bits);
    return TACIT_OK;
}

static tacit_status pack_set(grouping *g, uint64_t set, tacit_error *err)
{
    const tacit__judge *judge = g->judge;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++) {
        if (!(set >> a & 1))
            continue;
        int32_t column = judge->attribute[a];
        tacit_status status = add_codes(g, tacit_table_codes(judge->release, column),
                                        tacit__code_max(judge->release, column), err);
        if (status != TACIT_OK)
            return status;
    }
    if (!judge->by_person)
        return TACIT_OK;
    g->person_bits = tacit__bits_for(judge->people_max);
    return add_codes(g, judge->people, judge->people_max, err);
}

static uint64_t class_of(const grouping *g, uint64_t key)
{
    return key >> g->person_bits;
}

/* The class at a place of the sorted keys. */
static uint64_t class_at(const grouping *g, int64_t at)
{
    return class_of(g, tacit__sorter_key(&g->sorter, at));
}

static uint64_t class_of_row(const grouping *g, int64_t row)
{
    uint64_t key;
    pack_rows(&g->packing, &key, row, 1);
    return class_of(g, key);
}

/* A class: a run of sorted keys. */
typedef struct run_of_keys {
    int64_t end;
    int64_t people;
} run_of_keys;

static run_of_keys read_class(const grouping *g, int64_t from)
{
    run_of_keys run = {.end = from + 1, .people = 1};
    uint64_t last = tacit__sorter_key(&g->sorter, from), class = class_of(g, last);
    for (; run.end < g->rows; run.end++) {
        uint64_t key = tacit__sorter_key(&g->sorter, run.end);
        if (class_of(g, key) != class)
            break;
        run.people += key != last;
        last = key;
    }
    if (!g->judge->by_person)
        run.people = run.end - from;
    return run;
}

/* Suppressed rows that are a class by themselves are judged as such elsewhere. */
static bool only_suppressed(const grouping *g, int64_t from, int64_t end)
{
    return g->has_suppressed && class_at(g, from) == g->suppressed_class &&
           end - from == g->judge->suppressed_rows;
}

/* Reads the classes that start in a block of sorted keys. */
static tacit_status scan_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    grouping *g = context;
    stretch *s = &g->stretches[block];
    int64_t at = block * SCAN_BLOCK, end = at + SCAN_BLOCK;
    while (at > 0 && at < end && at < g->rows && class_at(g, at) == class_at(g, at - 1))
        at++;
    while (at < end && at < g->rows) {
        run_of_keys run = read_class(g, at);
        s->classes++;
        if (s->classes == 1 || run.people < s->smallest)
            s->smallest = run.people;
        if (run.people < g->judge->promise->k) {
            bool alone = only_suppressed(g, at, run.end);
            s->rows_below += run.end - at;
            s->broken_classes += !alone;
            s->broken_rows += alone ? 0 : run.end - at;
        }
        at = run.end;
    }
    return TACIT_OK;
}

static stretch sum_stretches(const grouping *g, int64_t blocks)
{
    stretch sum = {0};
    for (int64_t i = 0; i < blocks; i++) {
        const stretch *s = &g->stretches[i];
        if (s->classes && (!sum.classes || s->smallest < sum.smallest))
            sum.smallest = s->smallest;
        sum.classes += s->classes;
        sum.rows_below += s->rows_below;
        sum.broken_classes += s->broken_classes;
        sum.broken_rows += s->broken_rows;
    }
    return sum;
}

/* The first row in a class below k. The broken classes move to the front of the
 * keys, which are not needed any more. */
static int64_t first_broken(grouping *g)
{
    tacit__sorter *broken = &g->sorter;
    int64_t count = 0;
    for (int64_t at = 0; at < g->rows;) {
        run_of_keys run = read_class(g, at);
        if (run.people < g->judge->promise->k && !only_suppressed(g, at, run.end))
            tacit__sorter_put(broken, count++, class_at(g, at));
        at = run.end;
    }
    broken->count = count;
    for (int64_t row = 0; row < g->rows; row++) {
        uint64_t class = class_of_row(g, row);
        int64_t place = tacit__sorter_place(broken, class);
        if (place < count && tacit__sorter_key(broken, place) == class)
            return row;
    }
    return 0;
}

/* The names of a set's attributes, as far as there is room. */
static void name_set(char *out, size_t size, const tacit__judge *judge, uint64_t set)
{
    size_t len = 0;
    out[0] = '\0';
    for (int32_t a = 0; a < judge->promise->attribute_count && len < size; a++) {
        if (!(set >> a & 1))
            continue;
        tacit__shown name = tacit__show(tacit_strview_of(judge->promise->attributes[a].name));
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", name.text);
    }
}

static void report_broken(grouping *g, uint64_t set, stretch sum)
{
    tacit__judge *judge = g->judge;
    char names[160];
    name_set(names, sizeof names, judge, set);
    int64_t row = first_broken(g);
    tacit__find(judge, TACIT_FINDING_K, row + 1, sum.broken_rows,
                "%lld %s on %s %s fewer than k = %lld %s; the first is that of row %lld "
                "(line %lld)",
                (long long)sum.broken_classes, sum.broken_classes == 1 ? "class" : "classes", names,
                sum.broken_classes == 1 ? "has" : "have", (long long)judge->promise->k,
                judge->by_person ? "people" : "rows", (long long)(row + 1),
                (long long)tacit_table_line(judge->release, row));
}

static void find_suppressed_class(grouping *g)
{
    g->has_suppressed = g->judge->suppressed_rows > 0;
    int64_t row = 0;
    while (g->has_suppressed && !tacit__bit_get(g->judge->suppressed, row))
        row++;
    if (g->has_suppressed)
        g->suppressed_class = class_of_row(g, row);
}

static tacit_status judge_set(tacit__judge *judge, uint64_t set, tacit_set_verdict *verdict,
                              tacit_error *err)
{
    grouping g = {.judge = judge, .rows = tacit_table_rows(judge->release)};
    int64_t blocks = (g.rows + SCAN_BLOCK - 1) / SCAN_BLOCK;
    tacit_status status = pack_set(&g, set, err);
    if (status == TACIT_OK)
        status = sort_keys(&g, err);
    if (status != TACIT_OK)
        goto cleanup;
    find_suppressed_class(&g);
    g.stretches = tacit__alloc_zeroed((size_t)blocks, sizeof *g.stretches);
    if (!g.stretches) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    status = tacit__parallel(judge->run, "judging", blocks, scan_block, &g, err);
    if (status != TACIT_OK)
        goto cleanup;
    stretch sum = sum_stretches(&g, blocks);
    *verdict = (tacit_set_verdict){sum.classes, sum.smallest, sum.rows_below};
    if (sum.broken_rows)
        report_broken(&g, set, sum);
cleanup:
    tacit__sorter_clear(&g.sorter);
    tacit__free(g.packing.ranks);
    tacit__free(g.stretches);
    return status;
}

tacit_status tacit__judge_classes(tacit__judge *judge, tacit_error *err)
{
    int32_t count = judge->promise->attribute_count;
    uint64_t all = count == TACIT__MAX_PROMISED ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_set(judge, judge->promise->sets ? judge->promise->sets[i] : all,
                           &judge->verdict->sets[i], err);
    return status;
}
