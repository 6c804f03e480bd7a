/*
 * group.c - keys of rows, sorted, and rows put together by them.
 *
 * The codes of a row are packed into one 64-bit key, the first part in its
 * highest bits, and the keys are sorted. Where the codes do not fit into 64 bits,
 * those packed so far are folded: the keys are sorted, and each row's key is
 * replaced by its place among the different keys, found by bisection, which takes
 * at most 32 bits. Places keep the order of the keys, so whatever is folded,
 * keys are in the order of their codes.
 *
 * Cost: bits / 11 passes over the rows (sort.c), 8 bytes a row where keys take 32
 * bits or less, else 16; folding adds 4 bytes a row and a bisection for each row.
 */
#include "audit/group.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { KEY_BITS = 64, CHUNK = 512 };

static void add_part(tacit__keys *keys, tacit_codes_view codes, int bits)
{
    keys->parts[keys->count++] = (tacit__key_part){codes, bits};
    keys->bits += bits;
}

/* Keys of at most CHUNK rows from one on. */
static void pack_rows(const tacit__keys *keys, uint64_t *out, int64_t row, int64_t count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; i < keys->count; i++) {
        uint32_t codes[CHUNK];
        tacit__codes_load(codes, keys->parts[i].codes, row, count);
        for (int64_t j = 0; j < count; j++)
            out[j] = out[j] << keys->parts[i].bits | codes[j];
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
    const tacit__keys *keys;
    uint32_t *ranks;
} ranking;

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
            r->ranks[i + j] = (uint32_t)tacit__sorter_place(&r->keys->sorter, packed[j]);
    }
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
    *different = compact(&keys->sorter);
    tacit__sorter_trim(&keys->sorter);
    r.ranks = tacit__alloc_array((size_t)keys->rows, sizeof *r.ranks);
    if (!r.ranks)
        return tacit__nomem(err);
    status = tacit__parallel(keys->run, "judging", tacit__blocks(keys->rows), rank_block, &r, err);
    tacit__free(keys->ranks);
    keys->ranks = r.ranks;
    keys->count = keys->bits = 0;
    add_part(keys, (tacit_codes_view){r.ranks, 4},
             tacit__bits_for(*different ? (uint64_t)*different - 1 : 0));
    return status;
}

tacit_status tacit__keys_add(tacit__keys *keys, tacit_codes_view codes, uint32_t max,
                             tacit_error *err)
{
    int bits = tacit__bits_for(max);
    if (keys->bits + bits > KEY_BITS) {
        int64_t different;
        tacit_status status = fold(keys, &different, err);
        if (status != TACIT_OK)
            return status;
    }
    add_part(keys, codes, bits);
    return TACIT_OK;
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
    tacit__free(keys->ranks);
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

tacit_status tacit__partition_init(tacit__partition *partition, const tacit_table *table,
                                   const int32_t *columns, int32_t count, const tacit_run *run,
                                   tacit_error *err)
{
    tacit__keys keys = {.rows = tacit_table_rows(table), .run = run};
    tacit__partition made = {0};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__keys_add(&keys, tacit_table_codes(table, columns[i]),
                                 tacit__code_max(table, columns[i]), err);
    if (status == TACIT_OK)
        status = fold(&keys, &made.count, err);
    if (status == TACIT_OK) {
        made.class_of = keys.ranks;
        keys.ranks = NULL;
        status = measure_classes(&made, keys.rows, err);
    }
    tacit__keys_clear(&keys);
    if (status == TACIT_OK)
        *partition = made;
    else
        tacit__partition_clear(&made);
    return status;
}

void tacit__partition_clear(tacit__partition *partition)
{
    tacit__free(partition->class_of);
    tacit__free(partition->sizes);
    tacit__free(partition->first);
    *partition = (tacit__partition){0};
}
