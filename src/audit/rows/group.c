/*
 * group.c - keys of rows, sorted, and rows put together by them.
 *
 * The codes of a row are packed into one 64-bit key, the first part in its
 * highest bits, and the keys are sorted. Where the codes do not fit into 64 bits,
 * those packed so far are folded: the keys are sorted, and each row's key is
 * replaced by its place among the different keys, found by their highest bits and a
 * bisection, which takes at most 32 bits. Places keep the order of the keys, so whatever is folded,
 * keys are in the order of their codes.
 *
 * Cost: bits / 11 passes over the rows (sort.c), 8 bytes a row where keys take 32
 * bits or less, else 16; folding adds 4 bytes a row and a bisection for each row.
 */
#include "audit/rows/group.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { KEY_BITS = 64, CHUNK = 512 };

static void add_part(tacit__keys *keys, tacit__key_part part)
{
    keys->parts[keys->count++] = part;
    keys->bits += part.bits;
}

/* Keys of at most CHUNK rows from one on. */
static void pack_rows(const tacit__keys *keys, uint64_t *out, int64_t row, int64_t count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; i < keys->count; i++) {
        uint32_t codes[CHUNK];
        const tacit__key_part *part = &keys->parts[i];
        tacit__codes_load(codes, part->codes, row, count);
        for (int64_t j = 0; part->map && j < count; j++)
            codes[j] = part->map[codes[j]];
        for (int64_t j = 0; j < count; j++)
            out[j] = out[j] << part->bits | codes[j];
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

/* Where keys with the same highest bits start: a bisection among them takes a few steps in memory
 * that is at hand. */
enum { INDEX_BITS = 16 }; /* at most */

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
    width = width > INDEX_BITS ? INDEX_BITS : width;
    r->shift = r->keys->bits > width ? r->keys->bits - width : 0;
    r->index = tacit__alloc_array((1u << width) + 1, sizeof *r->index);
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
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        if (tacit__sorter_key(&r->keys->sorter, middle) < key)
            from = middle + 1;
        else
            end = middle;
    }
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
    if (!TACIT__RESERVE_ONE(keys->folds, keys->fold_room, keys->fold_count))
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
    tacit_status status = tacit__keys_sort(keys, err);
    if (status != TACIT_OK)
        return status;
    *different = tacit__keys_compact(keys, NULL);
    tacit__sorter_trim(&keys->sorter);
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
    if (keys->bits + bits > KEY_BITS) {
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

void tacit__keys_clear(tacit__keys *keys)
{
    tacit__sorter_clear(&keys->sorter);
    for (size_t f = 0; f < keys->fold_count; f++)
        tacit__sorter_clear(&keys->folds[f].keys);
    tacit__free(keys->folds);
    tacit__free(keys->ranks);
    keys->folds = NULL;
    keys->fold_count = keys->fold_room = 0;
    keys->ranks = NULL;
}

static tacit_status measure_classes(tacit__partition *p, int64_t rows, tacit_error *err)
{
    p->sizes = tacit__alloc_zeroed((size_t)p->count, sizeof *p->sizes);
    p->first = tacit__alloc_array((size_t)p->count, sizeof *p->first);
    if (!p->sizes || !p->first)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        if (p->sizes[p->class_of[row]]++ == 0)
            p->first[p->class_of[row]] = row;
    return TACIT_OK;
}

tacit_status tacit__partition_of(tacit__partition *partition, tacit__keys *keys, tacit_error *err)
{
    tacit__partition made = {0};
    tacit_status status = fold(keys, &made.count, err);
    if (status == TACIT_OK) {
        made.class_of = keys->ranks;
        keys->ranks = NULL;
        status = measure_classes(&made, keys->rows, err);
    }
    if (status == TACIT_OK)
        *partition = made;
    else
        tacit__partition_clear(&made);
    return status;
}

tacit_status tacit__partition_init(tacit__partition *partition, const tacit_table *table,
                                   const int32_t *columns, int32_t count, const tacit_run *run,
                                   tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(table), .run = run};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__keys_add(&keys, tacit_table_codes(table, columns[i]),
                                 tacit__code_max(table, columns[i]), err);
    if (status == TACIT_OK)
        status = tacit__partition_of(partition, &keys, err);
    tacit__keys_clear(&keys);
    return status;
}

void tacit__partition_clear(tacit__partition *partition)
{
    tacit__free(partition->class_of);
    tacit__free(partition->sizes);
    tacit__free(partition->first);
    *partition = (tacit__partition){0};
}
