/*
 * radix.c - counting keys from a domain of any size.
 *
 * Random access into one table over all classes misses every cache. So keys
 * are first scattered into partitions by the high bits of their hash, and each
 * partition, small enough for the second cache, is then counted by itself with
 * open addressing. Blocks of items are cut by their number alone, and a
 * histogram of each says where in each partition its keys go: every worker
 * writes to places of its own, and the result is the same for any number of
 * threads.
 *
 * A partition is counted in place: distinct keys collect at its front, behind
 * the reader. Temporary memory is therefore 12 bytes an item (16 with tallies)
 * plus the histograms, and it becomes the result.
 *
 * Linear in the number of items; each key is computed twice.
 */
#include "records/classes/count.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/classes/encode.h"

enum { PARTITION_ITEMS = 1 << 15, MAX_BITS = 12, FIRST_SLOTS = 1 << 12 };

/* A worker's table: places of distinct keys in the partition at hand. */
typedef struct table {
    uint32_t *slots;
    uint64_t size;
} table;

typedef struct radix {
    const tacit__items *items;
    int shift; /* hash >> shift is the partition */
    int64_t partitions;
    uint32_t *next;  /* a block's partitions each: keys in it, then where the next goes */
    int64_t *starts; /* of partitions, and the end */
    int64_t *found;  /* a partition each: distinct keys */
    table *tables;   /* a worker each */
    tacit__counts out;
} radix;

static void block_range(const radix *r, int64_t task, int64_t *from, int64_t *end)
{
    int64_t size = tacit__task_items(r->items->count);
    *from = task * size;
    *end = *from + size < r->items->count ? *from + size : r->items->count;
}

static tacit_status histogram_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    radix *r = context;
    uint32_t *counts = r->next + task * r->partitions;
    uint64_t keys[TACIT__ENCODE_BLOCK];
    int64_t from, end;
    block_range(r, task, &from, &end);
    for (; from < end; from += TACIT__ENCODE_BLOCK) {
        int64_t count = end - from < TACIT__ENCODE_BLOCK ? end - from : TACIT__ENCODE_BLOCK;
        r->items->keys(r->items->context, from, count, keys);
        for (int64_t i = 0; i < count; i++)
            counts[tacit__mix(keys[i]) >> r->shift]++;
    }
    return TACIT_OK;
}

static tacit_status scatter_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    radix *r = context;
    uint32_t *next = r->next + task * r->partitions;
    const uint32_t *weights = r->items->weights;
    uint64_t keys[TACIT__ENCODE_BLOCK];
    int64_t from, end;
    block_range(r, task, &from, &end);
    for (; from < end; from += TACIT__ENCODE_BLOCK) {
        int64_t count = end - from < TACIT__ENCODE_BLOCK ? end - from : TACIT__ENCODE_BLOCK;
        r->items->keys(r->items->context, from, count, keys);
        for (int64_t i = 0; i < count; i++) {
            uint32_t at = next[tacit__mix(keys[i]) >> r->shift]++;
            r->out.keys[at] = keys[i];
            if (weights)
                r->out.sums[at] = weights[from + i];
        }
    }
    return TACIT_OK;
}

/* Turns the histograms of blocks into the places where their keys go. */
static void lay_out(radix *r, int64_t blocks)
{
    int64_t at = 0;
    for (int64_t p = 0; p < r->partitions; p++) {
        r->starts[p] = at;
        for (int64_t b = 0; b < blocks; b++) {
            uint32_t count = r->next[b * r->partitions + p];
            r->next[b * r->partitions + p] = (uint32_t)at;
            at += count;
        }
    }
    r->starts[r->partitions] = at;
}

/* A table of at least that size, empty but for the first `count` keys. */
static bool table_fill(table *t, uint64_t size, const uint64_t *keys, int64_t count)
{
    if (size > t->size) {
        tacit__free(t->slots);
        t->slots = tacit__alloc_array(size, sizeof *t->slots);
        t->size = t->slots ? size : 0;
    }
    if (!t->slots)
        return false;
    memset(t->slots, 0xff, size * sizeof *t->slots);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = tacit__mix(keys[i]) & (size - 1);
        while (t->slots[slot] != TACIT__NO_PLACE)
            slot = (slot + 1) & (size - 1);
        t->slots[slot] = (uint32_t)i;
    }
    return true;
}

/* The place of key among the first *count keys, appended if it is new. */
static inline uint32_t place_of(const table *t, uint64_t mask, uint64_t *keys, int64_t *count,
                                uint64_t key)
{
    for (uint64_t slot = tacit__mix(key) & mask;; slot = (slot + 1) & mask) {
        uint32_t place = t->slots[slot];
        if (place == TACIT__NO_PLACE) {
            t->slots[slot] = (uint32_t)*count;
            keys[*count] = key;
            return (uint32_t)(*count)++;
        }
        if (keys[place] == key)
            return place;
    }
}

static tacit_status partition_task(void *context, int64_t task, int worker, tacit_error *err)
{
    radix *r = context;
    table *t = &r->tables[worker];
    int64_t start = r->starts[task], count = r->starts[task + 1] - start, found = 0;
    uint64_t *keys = r->out.keys + start, size = FIRST_SLOTS;
    uint32_t *sums = r->out.sums + start;
    uint32_t *tallies = r->out.tallies ? r->out.tallies + start : NULL;
    bool weighted = r->items->weights;
    if (!table_fill(t, size, keys, 0))
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++) {
        int64_t before = found;
        uint32_t weight = weighted ? sums[i] : 1;
        uint32_t place = place_of(t, size - 1, keys, &found, keys[i]);
        sums[place] = found > before ? weight : sums[place] + weight;
        if (tallies)
            tallies[place] = found > before ? 1 : tallies[place] + 1;
        if ((uint64_t)found * 2 > size && !table_fill(t, size *= 4, keys, found))
            return tacit__nomem(err);
    }
    r->found[task] = found;
    return TACIT_OK;
}

/* Closes the gaps behind the partitions' distinct keys. */
static void close_up(radix *r)
{
    int64_t at = 0;
    for (int64_t p = 0; p < r->partitions; at += r->found[p], p++) {
        size_t found = (size_t)r->found[p];
        memmove(r->out.keys + at, r->out.keys + r->starts[p], found * sizeof *r->out.keys);
        memmove(r->out.sums + at, r->out.sums + r->starts[p], found * sizeof *r->out.sums);
        if (r->out.tallies)
            memmove(r->out.tallies + at, r->out.tallies + r->starts[p],
                    found * sizeof *r->out.tallies);
    }
    r->out.count = at;
}

/* Gives back what a list has too much; where that fails, it just stays long. */
static void *shrink(void *block, int64_t count, size_t size)
{
    void *smaller = block ? tacit__resize_array(block, (size_t)count, size) : NULL;
    return smaller ? smaller : block;
}

static tacit_status prepare(radix *r, int64_t blocks, const tacit_run *run, tacit_error *err)
{
    int bits = 0;
    while (bits < MAX_BITS && r->items->count >> bits > PARTITION_ITEMS)
        bits++;
    if (bits == 0)
        bits = 1; /* a shift by 64 is not defined */
    r->shift = 64 - bits;
    r->partitions = (int64_t)1 << bits;
    size_t partitions = (size_t)r->partitions;
    r->next = tacit__alloc_zeroed((size_t)blocks * partitions, sizeof *r->next);
    r->starts = tacit__alloc_array(partitions + 1, sizeof *r->starts);
    r->found = tacit__alloc_array(partitions, sizeof *r->found);
    r->tables = tacit__alloc_zeroed((size_t)tacit__threads(run), sizeof *r->tables);
    r->out.keys = tacit__alloc_array((size_t)r->items->count, sizeof *r->out.keys);
    r->out.sums = tacit__alloc_array((size_t)r->items->count, sizeof *r->out.sums);
    if (r->items->tally)
        r->out.tallies = tacit__alloc_array((size_t)r->items->count, sizeof *r->out.tallies);
    if (!r->next || !r->starts || !r->found || !r->tables || !r->out.keys || !r->out.sums ||
        (r->items->tally && !r->out.tallies))
        return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status partition(radix *r, const tacit_run *run, tacit_error *err)
{
    int64_t blocks = tacit__tasks(r->items->count);
    tacit_status status = prepare(r, blocks, run, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "counting", blocks, histogram_task, r, err);
    if (status != TACIT_OK)
        return status;
    lay_out(r, blocks);
    status = tacit__parallel(run, "counting", blocks, scatter_task, r, err);
    if (status != TACIT_OK)
        return status;
    return tacit__parallel(run, "counting", r->partitions, partition_task, r, err);
}

tacit_status tacit__count_radix(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                                tacit_error *err)
{
    radix r = {.items = items};
    tacit_status status = partition(&r, run, err);
    if (status == TACIT_OK) {
        close_up(&r);
        r.out.keys = shrink(r.out.keys, r.out.count, sizeof *r.out.keys);
        r.out.sums = shrink(r.out.sums, r.out.count, sizeof *r.out.sums);
        r.out.tallies = shrink(r.out.tallies, r.out.count, sizeof *r.out.tallies);
        *out = r.out;
    } else {
        tacit__counts_clear(&r.out);
    }
    for (int w = 0; r.tables && w < tacit__threads(run); w++)
        tacit__free(r.tables[w].slots);
    tacit__free(r.tables);
    tacit__free(r.next);
    tacit__free(r.starts);
    tacit__free(r.found);
    return status;
}
