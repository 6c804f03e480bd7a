/*
 * rows.c - keys sorted, values found by their hashes, and rows put together by their keys.
 *
 * The sort is a parallel radix sort, least significant digit first. Each pass cuts the keys into
 * blocks, counts every block's digits, turns the counts into places (digit first, block second, so
 * that the order of equal digits is kept) and moves every block's keys to its places. Blocks follow
 * from the number of keys alone, so the result does not depend on threads.
 *
 * Cost: bits / 11 passes (13 of a million keys and more) of two sequential reads and one scattered
 * write; 8 bytes a key of up to 32 bits, else 16, and 16 more with values. A pass whose digit is
 * the same everywhere moves nothing.
 */
#include "audit/rows/rows.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"

enum {
    DIGIT_BITS = 11,
    LONG_DIGIT_BITS = 13, /* fewer passes, where counting the digits is little beside moving keys */
    LONG = 1 << 20,       /* keys from which that holds */
    MIN_BLOCK = 1 << 17,
    MAX_BLOCKS = 256,
    NARROW_BITS = 32
};

typedef struct pass {
    tacit__sorter *sorter;
    int64_t block; /* keys in a block */
    int shift;
    int64_t digits;
    uint64_t mask;
    int64_t *places; /* an entry a digit and block: counts, then where the next key goes */
} pass;

static int64_t block_end(const pass *p, int64_t block)
{
    int64_t end = (block + 1) * p->block;
    return end < p->sorter->count ? end : p->sorter->count;
}

static tacit_status count_digits(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const pass *p = context;
    int64_t *counts = p->places + block * p->digits;
    memset(counts, 0, (size_t)p->digits * sizeof *counts);
    for (int64_t i = block * p->block, end = block_end(p, block); i < end; i++)
        counts[tacit__sorter_key(p->sorter, i) >> p->shift & p->mask]++;
    return TACIT_OK;
}

/* Counts become places; false when every key has the same digit. */
static bool place_digits(const pass *p, int64_t blocks)
{
    int64_t at = 0;
    for (int64_t digit = 0; digit < p->digits; digit++) {
        int64_t start = at;
        for (int64_t block = 0; block < blocks; block++) {
            int64_t *place = &p->places[block * p->digits + digit];
            int64_t count = *place;
            *place = at;
            at += count;
        }
        if (start == 0 && at == p->sorter->count)
            return false;
    }
    return true;
}

static tacit_status move_keys(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const pass *p = context;
    const tacit__sorter *s = p->sorter;
    int64_t *places = p->places + block * p->digits;
    for (int64_t i = block * p->block, end = block_end(p, block); i < end; i++) {
        uint64_t key = tacit__sorter_key(s, i);
        int64_t to = places[key >> p->shift & p->mask]++;
        if (s->narrow)
            ((uint32_t *)s->spare_keys)[to] = (uint32_t)key;
        else
            ((uint64_t *)s->spare_keys)[to] = key;
        if (s->values)
            s->spare_values[to] = s->values[i];
    }
    return TACIT_OK;
}

static void swap_spare(tacit__sorter *sorter)
{
    void *keys = sorter->narrow ? (void *)sorter->narrow : (void *)sorter->keys;
    uint64_t *values = sorter->values;
    if (sorter->narrow)
        sorter->narrow = sorter->spare_keys;
    else
        sorter->keys = sorter->spare_keys;
    sorter->values = sorter->spare_values;
    sorter->spare_keys = keys;
    sorter->spare_values = values;
}

tacit_status tacit__sorter_init(tacit__sorter *sorter, int64_t count, int bits, bool with_values,
                                tacit_error *err)
{
    assert(count >= 0 && bits >= 0 && bits <= 64);
    tacit__sorter made = {.count = count, .bits = bits};
    size_t n = (size_t)count;
    if (bits <= NARROW_BITS)
        made.narrow = tacit__alloc_array(n, sizeof *made.narrow);
    else
        made.keys = tacit__alloc_array(n, sizeof *made.keys);
    made.spare_keys = tacit__alloc_array(n, made.narrow ? sizeof *made.narrow : sizeof *made.keys);
    if (with_values) {
        made.values = tacit__alloc_array(n, sizeof *made.values);
        made.spare_values = tacit__alloc_array(n, sizeof *made.values);
    }
    if (!(made.narrow || made.keys) || !made.spare_keys ||
        (with_values && (!made.values || !made.spare_values))) {
        tacit__sorter_clear(&made);
        return tacit__nomem(err);
    }
    *sorter = made;
    return TACIT_OK;
}

tacit_status tacit__sorter_sort(tacit__sorter *sorter, const tacit_run *run, tacit_error *err)
{
    assert(sorter->spare_keys);
    int bits = sorter->bits;
    if (bits == 0 || sorter->count < 2)
        return TACIT_OK;
    int most = sorter->count < LONG ? DIGIT_BITS : LONG_DIGIT_BITS;
    int passes = (bits + most - 1) / most;
    int width = (bits + passes - 1) / passes; /* even digits, so that no pass is wasted */
    pass p = {.sorter = sorter, .digits = INT64_C(1) << width, .mask = (UINT64_C(1) << width) - 1};
    p.block = (sorter->count + MAX_BLOCKS - 1) / MAX_BLOCKS;
    if (p.block < MIN_BLOCK)
        p.block = MIN_BLOCK;
    int64_t blocks = (sorter->count + p.block - 1) / p.block;
    p.places = tacit__alloc_array((size_t)blocks, (size_t)p.digits * sizeof *p.places);
    if (!p.places)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (p.shift = 0; p.shift < bits && status == TACIT_OK; p.shift += width) {
        status = tacit__parallel(run, "judging", blocks, count_digits, &p, err);
        if (status != TACIT_OK || !place_digits(&p, blocks))
            continue;
        status = tacit__parallel(run, "judging", blocks, move_keys, &p, err);
        swap_spare(sorter);
    }
    tacit__free(p.places);
    return status;
}

void tacit__sorter_trim(tacit__sorter *sorter)
{
    tacit__free(sorter->spare_keys);
    tacit__free(sorter->spare_values);
    sorter->spare_keys = NULL;
    sorter->spare_values = NULL;
}

void tacit__sorter_clear(tacit__sorter *sorter)
{
    tacit__sorter_trim(sorter);
    tacit__free(sorter->keys);
    tacit__free(sorter->narrow);
    tacit__free(sorter->values);
    *sorter = (tacit__sorter){0};
}

int64_t tacit__sorter_distinct(const tacit__sorter *sorter)
{
    int64_t distinct = sorter->count > 0;
    for (int64_t i = 1; i < sorter->count; i++)
        distinct += tacit__sorter_key(sorter, i) != tacit__sorter_key(sorter, i - 1);
    return distinct;
}

int64_t tacit__sorter_place(const tacit__sorter *sorter, uint64_t key)
{
    int64_t from = 0, count = sorter->count;
    while (count > 0) {
        int64_t half = count / 2;
        if (tacit__sorter_key(sorter, from + half) < key) {
            from += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return from;
}

/* A column's values by their sorted hashes, compared byte by byte. The reader's own dictionary is
 * not asked, for the judge finds things by itself.
 *
 * Cost: a hash a value and a sort; a bisection for each look-up. */

tacit_status tacit__words_init(tacit__words *words, const tacit_table *table, int32_t column,
                               tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit__words made = {.table = table, .column = column, .missing = TACIT__NOWHERE};
    if (tacit_table_has_missing(table, column))
        made.missing = distinct;
    tacit_status status = tacit__sorter_init(&made.sorted, distinct, 64, true, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < distinct; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        made.sorted.keys[i] = tacit__hash_bytes(value.bytes, value.len);
        made.sorted.values[i] = i;
    }
    status = tacit__sorter_sort(&made.sorted, NULL, err); /* one of several tasks: alone */
    if (status == TACIT_OK)
        *words = made;
    else
        tacit__words_clear(&made);
    return status;
}

void tacit__words_clear(tacit__words *words)
{
    tacit__sorter_clear(&words->sorted);
}

uint32_t tacit__words_find(const tacit__words *words, tacit_strview value)
{
    if (value.len == 0)
        return words->missing;
    const tacit__sorter *s = &words->sorted;
    uint64_t hash = tacit__hash_bytes(value.bytes, value.len);
    int64_t at = tacit__sorter_place(s, hash);
    for (; at < s->count && s->keys[at] == hash; at++) {
        uint32_t code = (uint32_t)s->values[at];
        if (tacit_strview_equal(tacit_table_value(words->table, words->column, code), value))
            return code;
    }
    return TACIT__NOWHERE;
}

/* Keys of rows, sorted, and rows put together by them.
 *
 * The codes of a row are packed into one 64-bit key, the first part in its highest bits, and the
 * keys are sorted. Where the codes do not fit into 64 bits, those packed so far are folded: the
 * keys are sorted, and each row's key is replaced by its place among the different keys, found by
 * their highest bits and a bisection, which takes at most 32 bits. Places keep the order of the
 * keys, so whatever is folded, keys are in the order of their codes.
 *
 * Where there could be few keys beside the rows, there is nothing to sort for that: a mark is set
 * for each key that occurs, and the marked ones are counted in their order.
 *
 * Cost: bits / 11 passes over the rows, 8 bytes a row where keys take 32 bits or less,
 * else 16; folding adds 4 bytes a row and a bisection for each row, or takes two passes and 7 bytes
 * a row where keys are marked. */

enum { KEY_BITS = 64, CHUNK = 512, FEW_BITS = 16 };

static void add_part(tacit__keys *keys, tacit__key_part part)
{
    keys->parts[keys->count++] = part;
    keys->bits += part.bits;
}

/* Appends the codes of a part to keys. Inlined with constant widths: tight loops. */
__attribute__((always_inline)) static inline void
pack_part(uint64_t *out, const tacit__key_part *part, int width, int64_t row, int64_t count)
{
    const tacit_codes_view codes = {part->codes.data, width};
    if (part->map)
        for (int64_t j = 0; j < count; j++)
            out[j] = out[j] << part->bits | part->map[tacit_codes_at(codes, row + j)];
    else
        for (int64_t j = 0; j < count; j++)
            out[j] = out[j] << part->bits | tacit_codes_at(codes, row + j);
}

/* Keys of at most CHUNK rows from one on. */
static void pack_rows(const tacit__keys *keys, uint64_t *out, int64_t row, int64_t count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; i < keys->count; i++) {
        const tacit__key_part *part = &keys->parts[i];
        if (part->codes.width == 1)
            pack_part(out, part, 1, row, count);
        else if (part->codes.width == 2)
            pack_part(out, part, 2, row, count);
        else
            pack_part(out, part, 4, row, count);
    }
}

static tacit_status pack_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    tacit__keys *keys = context;
    uint64_t packed[CHUNK];
    int64_t end = tacit__block_end(block, keys->rows);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += CHUNK) {
        int64_t count = end - i < CHUNK ? end - i : CHUNK;
        pack_rows(keys, packed, i, count);
        for (int64_t j = 0; j < count; j++)
            tacit__sorter_put(&keys->sorter, i + j, packed[j]);
    }
    return TACIT_OK;
}

tacit_status tacit__keys_sort(tacit__keys *keys, tacit_error *err)
{
    tacit__sorter_clear(&keys->sorter);
    tacit_status status = tacit__sorter_init(&keys->sorter, keys->rows, keys->bits, false, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(keys->run, "judging", tacit__blocks(keys->rows), pack_block, keys, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&keys->sorter, keys->run, err);
    return status;
}

int64_t tacit__keys_compact(tacit__keys *keys, uint32_t *counts)
{
    tacit__sorter *sorter = &keys->sorter;
    int64_t kept = 0;
    for (int64_t i = 0, end; i < sorter->count; i = end) {
        uint64_t key = tacit__sorter_key(sorter, i);
        for (end = i + 1; end < sorter->count && tacit__sorter_key(sorter, end) == key;)
            end++;
        if (counts)
            counts[kept] = (uint32_t)(end - i);
        tacit__sorter_put(sorter, kept++, key);
    }
    sorter->count = kept;
    return kept;
}

/* Whether marks for all keys that there could be take less than sorting those there are. */
static bool can_mark(const tacit__keys *keys)
{
    return keys->bits < NARROW_BITS &&
           (keys->bits <= FEW_BITS || INT64_C(1) << keys->bits <= keys->rows / 2);
}

typedef struct marking {
    const tacit__keys *keys;
    uint8_t *met; /* by key */
} marking;

/* Setting a mark twice is setting it, whoever does. */
static tacit_status mark_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const marking *m = context;
    uint64_t packed[CHUNK];
    int64_t end = tacit__block_end(block, m->keys->rows);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += CHUNK) {
        int64_t count = end - i < CHUNK ? end - i : CHUNK;
        pack_rows(m->keys, packed, i, count);
        for (int64_t j = 0; j < count; j++)
            if (!__atomic_load_n(&m->met[packed[j]], __ATOMIC_RELAXED))
                __atomic_store_n(&m->met[packed[j]], 1, __ATOMIC_RELAXED);
    }
    return TACIT_OK;
}

/* The marked keys into the sorter, which are in order. */
static tacit_status list_marked(tacit__keys *keys, const uint8_t *met, tacit_error *err)
{
    int64_t all = INT64_C(1) << keys->bits, different = 0;
    for (int64_t key = 0; key < all; key++)
        different += met[key];
    tacit__sorter_clear(&keys->sorter);
    tacit_status status = tacit__sorter_init(&keys->sorter, different, keys->bits, false, err);
    for (int64_t key = 0, at = 0; status == TACIT_OK && key < all; key++)
        if (met[key])
            tacit__sorter_put(&keys->sorter, at++, (uint64_t)key);
    return status;
}

/* The keys that occur into the sorter, each once, in order. */
static tacit_status list_different(tacit__keys *keys, tacit_error *err)
{
    tacit_status status;
    if (can_mark(keys)) {
        marking m = {.keys = keys, .met = tacit__alloc_zeroed((size_t)1 << keys->bits, 1)};
        status = m.met ? tacit__parallel(keys->run, "judging", tacit__blocks(keys->rows),
                                         mark_block, &m, err)
                       : tacit__nomem(err);
        if (status == TACIT_OK)
            status = list_marked(keys, m.met, err);
        tacit__free(m.met);
    } else {
        status = tacit__keys_sort(keys, err);
        if (status == TACIT_OK)
            tacit__keys_compact(keys, NULL);
    }
    if (status == TACIT_OK)
        tacit__sorter_trim(&keys->sorter);
    return status;
}

/* Where keys with the same highest bits start: a bisection among them takes a few steps in memory
 * that is at hand, and none where a key is all there is of its highest bits. */
enum { INDEX_BITS = 16 }; /* at most, unless keys are few */

typedef struct ranking {
    const tacit__keys *keys;
    uint32_t *ranks;
    int shift;       /* of keys, to their highest bits */
    uint32_t *index; /* the first key of each, and one more */
} ranking;

static bool index_keys(ranking *r)
{
    const tacit__sorter *sorted = &r->keys->sorter;
    int width = tacit__bits_for((uint64_t)sorted->count);
    width = can_mark(r->keys) ? r->keys->bits : width > INDEX_BITS ? INDEX_BITS : width;
    r->shift = r->keys->bits > width ? r->keys->bits - width : 0;
    r->index = tacit__alloc_array(((size_t)1 << width) + 1, sizeof *r->index);
    for (uint32_t i = 0, at = 0; r->index && i <= 1u << width; i++) {
        while (at < sorted->count && tacit__sorter_key(sorted, at) >> r->shift < i)
            at++;
        r->index[i] = at;
    }
    return r->index != NULL;
}

static uint32_t rank_of(const ranking *r, uint64_t key)
{
    uint32_t from = r->index[key >> r->shift], end = r->index[(key >> r->shift) + 1];
    if (r->shift > 0)
        TACIT__BISECT(from, end, middle, tacit__sorter_key(&r->keys->sorter, middle) < key);
    return from;
}

static tacit_status rank_block(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const ranking *r = context;
    uint64_t packed[CHUNK];
    int64_t end = tacit__block_end(block, r->keys->rows);
    for (int64_t i = block * TACIT__BLOCK; i < end; i += CHUNK) {
        int64_t count = end - i < CHUNK ? end - i : CHUNK;
        pack_rows(r->keys, packed, i, count);
        for (int64_t j = 0; j < count; j++)
            r->ranks[i + j] = rank_of(r, packed[j]);
    }
    return TACIT_OK;
}

/* The sorted keys stay, to say what the places stand for. */
static tacit_status keep_fold(tacit__keys *keys, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(keys->folds, keys->fold_capacity, keys->fold_count))
        return tacit__nomem(err);
    tacit__fold *fold = &keys->folds[keys->fold_count++];
    *fold = (tacit__fold){.keys = keys->sorter, .count = keys->count};
    for (int i = 0; i < keys->count; i++)
        fold->bits[i] = keys->parts[i].bits;
    keys->sorter = (tacit__sorter){0};
    return TACIT_OK;
}

/* Replaces all parts by the place of their key among the different keys, of
 * which there are *different. */
static tacit_status fold(tacit__keys *keys, int64_t *different, tacit_error *err)
{
    ranking r = {.keys = keys};
    tacit_status status = list_different(keys, err);
    if (status != TACIT_OK)
        return status;
    *different = keys->sorter.count;
    r.ranks = tacit__alloc_array((size_t)keys->rows, sizeof *r.ranks);
    if (r.ranks && index_keys(&r))
        status =
            tacit__parallel(keys->run, "judging", tacit__blocks(keys->rows), rank_block, &r, err);
    else
        status = tacit__nomem(err);
    tacit__free(r.index);
    if (!r.ranks)
        return status;
    tacit__free(keys->ranks);
    keys->ranks = r.ranks;
    if (status == TACIT_OK && keys->keeps)
        status = keep_fold(keys, err);
    keys->count = keys->bits = 0;
    add_part(keys,
             (tacit__key_part){.codes = {r.ranks, 4},
                               .bits = tacit__bits_for(*different ? (uint64_t)*different - 1 : 0)});
    return status;
}

tacit_status tacit__keys_add_mapped(tacit__keys *keys, tacit_codes_view codes, const uint32_t *map,
                                    uint32_t max, tacit_error *err)
{
    int bits = tacit__bits_for(max);
    if (keys->bits + bits > KEY_BITS || keys->count == TACIT__MAX_PARTS) {
        int64_t different;
        tacit_status status = fold(keys, &different, err);
        if (status != TACIT_OK)
            return status;
    }
    add_part(keys, (tacit__key_part){codes, map, bits});
    return TACIT_OK;
}

tacit_status tacit__keys_add(tacit__keys *keys, tacit_codes_view codes, uint32_t max,
                             tacit_error *err)
{
    return tacit__keys_add_mapped(keys, codes, NULL, max, err);
}

/* From the last part to the first; the first of folded parts is itself a key. */
void tacit__keys_read(uint32_t *codes, const tacit__keys *keys, uint64_t key)
{
    int at = keys->count - (keys->fold_count > 0);
    for (size_t f = 0; f < keys->fold_count; f++)
        at += keys->folds[f].count - (f > 0);
    for (int i = keys->count - 1; i >= (keys->fold_count > 0); i--) {
        codes[--at] = (uint32_t)(key & ((UINT64_C(1) << keys->parts[i].bits) - 1));
        key >>= keys->parts[i].bits;
    }
    for (size_t f = keys->fold_count; f-- > 0;) {
        const tacit__fold *fold = &keys->folds[f];
        key = tacit__sorter_key(&fold->keys, (int64_t)key);
        for (int i = fold->count - 1; i >= (f > 0); i--) {
            codes[--at] = (uint32_t)(key & ((UINT64_C(1) << fold->bits[i]) - 1));
            key >>= fold->bits[i];
        }
    }
}

uint64_t tacit__keys_of_row(const tacit__keys *keys, int64_t row)
{
    uint64_t key;
    pack_rows(keys, &key, row, 1);
    return key;
}

tacit_status tacit__keys_number(uint32_t **numbers, int64_t *different, tacit__keys *keys,
                                tacit_error *err)
{
    tacit_status status = fold(keys, different, err);
    if (status != TACIT_OK)
        return status;
    *numbers = keys->ranks;
    keys->ranks = NULL;
    return TACIT_OK;
}

void tacit__keys_clear(tacit__keys *keys)
{
    tacit__sorter_clear(&keys->sorter);
    for (size_t f = 0; f < keys->fold_count; f++)
        tacit__sorter_clear(&keys->folds[f].keys);
    tacit__free(keys->folds);
    tacit__free(keys->ranks);
    keys->folds = NULL;
    keys->fold_count = keys->fold_capacity = 0;
    keys->ranks = NULL;
}
