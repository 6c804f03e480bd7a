/*
 * count.c - how often each key occurs among many items, in one of two ways.
 *
 * Counting keys from a domain of any size. Random access into one table over all classes misses
 * every cache. So keys are first scattered into partitions by the high bits of their hash, and
 * each partition, small enough for the second cache, is then counted by itself with open
 * addressing. Blocks of items are cut by their number alone, and a histogram of each says where in
 * each partition its keys go: every worker writes to places of its own, and the result is the same
 * for any number of threads.
 *
 * A partition is counted in place: distinct keys collect at its front, behind the reader.
 * Temporary memory is therefore 12 bytes an item (16 with tallies) plus the histograms, and it
 * becomes the result. Linear in the number of items; each key is computed twice.
 *
 * Counting with a cell for every possible key. Near the top of the lattice most combinations of
 * values occur, so an array over all of them is smaller than a list of those that do. Each worker
 * counts into cells of its own; sums do not depend on who counted what. Afterwards ranges of cells
 * are added up and the empty ones left out, so classes come in the order of their keys: by the
 * first attribute, then the second, and so on.
 *
 * Costs one pass over the items, and four bytes a cell and worker (eight when items are tallied as
 * well), for at most MAX_WORKERS of them.
 */
#include "records/classes/classes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

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
    tacit__key_slots_fill(t->slots, size, keys, count);
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

/* Any domain, in the order of hashes. For tacit__count. */
static tacit_status count_radix(tacit__counts *out, const tacit__items *items, const tacit_run *run,
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

enum { MAX_DENSE = 1 << 22, MAX_WORKERS = 16, RANGE = 1 << 16 };

typedef struct dense {
    const tacit__items *items;
    int64_t domain;
    uint32_t *sums[MAX_WORKERS]; /* allocated by the worker that comes to need them */
    uint32_t *tallies[MAX_WORKERS];
    int64_t *starts; /* a range each: classes in it, then where they go */
    tacit__counts out;
} dense;

/* Cells pay while they are not many more than the items. */
static bool is_dense(const tacit__items *items)
{
    return items->domain <= MAX_DENSE && items->domain <= 65536 + 4 * (uint64_t)items->count;
}

static void count_block(const dense *d, int worker, int64_t from, int64_t count)
{
    uint64_t keys[TACIT__ENCODE_BLOCK];
    const uint32_t *weights = d->items->weights;
    uint32_t *sums = d->sums[worker], *tallies = d->tallies[worker];
    d->items->keys(d->items->context, from, count, keys);
    if (weights)
        for (int64_t i = 0; i < count; i++)
            sums[keys[i]] += weights[from + i];
    else
        for (int64_t i = 0; i < count; i++)
            sums[keys[i]]++;
    if (tallies)
        for (int64_t i = 0; i < count; i++)
            tallies[keys[i]]++;
}

static tacit_status count_task(void *context, int64_t task, int worker, tacit_error *err)
{
    dense *d = context;
    size_t domain = (size_t)d->domain;
    if (!d->sums[worker] && !(d->sums[worker] = tacit__alloc_zeroed(domain, sizeof(uint32_t))))
        return tacit__nomem(err);
    if (d->items->tally && !d->tallies[worker] &&
        !(d->tallies[worker] = tacit__alloc_zeroed(domain, sizeof(uint32_t))))
        return tacit__nomem(err);
    int64_t size = tacit__task_items(d->items->count);
    int64_t from = task * size, end = from + size;
    if (end > d->items->count)
        end = d->items->count;
    for (; from < end; from += TACIT__ENCODE_BLOCK)
        count_block(d, worker, from,
                    end - from < TACIT__ENCODE_BLOCK ? end - from : TACIT__ENCODE_BLOCK);
    return TACIT_OK;
}

/* Adds the workers' cells of a range to those of the first. */
static void add_up(uint32_t *const *cells, int64_t from, int64_t end)
{
    for (int w = 1; w < MAX_WORKERS; w++)
        for (int64_t i = from; cells[w] && i < end; i++)
            cells[0][i] += cells[w][i];
}

static int64_t range_end(const dense *d, int64_t task)
{
    return (task + 1) * RANGE < d->domain ? (task + 1) * RANGE : d->domain;
}

static tacit_status add_up_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    dense *d = context;
    int64_t end = range_end(d, task), found = 0;
    add_up(d->sums, task * RANGE, end);
    if (d->items->tally)
        add_up(d->tallies, task * RANGE, end);
    for (int64_t i = task * RANGE; i < end; i++)
        found += d->sums[0][i] != 0;
    d->starts[task + 1] = found;
    return TACIT_OK;
}

static tacit_status collect_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    dense *d = context;
    int64_t end = range_end(d, task), at = d->starts[task];
    for (int64_t i = task * RANGE; i < end; i++) {
        if (!d->sums[0][i])
            continue;
        d->out.keys[at] = (uint64_t)i;
        d->out.sums[at] = d->sums[0][i];
        if (d->out.tallies)
            d->out.tallies[at] = d->tallies[0][i];
        at++;
    }
    return TACIT_OK;
}

static tacit_status collect(dense *d, const tacit_run *run, tacit_error *err)
{
    int64_t ranges = (d->domain + RANGE - 1) / RANGE;
    d->starts = tacit__alloc_zeroed((size_t)ranges + 1, sizeof *d->starts);
    if (!d->starts)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(run, NULL, ranges, add_up_task, d, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0; i < ranges; i++)
        d->starts[i + 1] += d->starts[i];
    d->out.count = d->starts[ranges];
    d->out.keys = tacit__alloc_array((size_t)d->out.count, sizeof *d->out.keys);
    d->out.sums = tacit__alloc_array((size_t)d->out.count, sizeof *d->out.sums);
    if (d->items->tally)
        d->out.tallies = tacit__alloc_array((size_t)d->out.count, sizeof *d->out.tallies);
    if (!d->out.keys || !d->out.sums || (d->items->tally && !d->out.tallies))
        return tacit__nomem(err);
    return tacit__parallel(run, NULL, ranges, collect_task, d, err);
}

/* The worker that ran first may not be worker 0; its cells become the sum. */
static void bring_to_front(uint32_t **cells)
{
    for (int w = 1; w < MAX_WORKERS && !cells[0]; w++) {
        cells[0] = cells[w];
        cells[w] = NULL;
    }
}

static tacit_status count_dense(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                                tacit_error *err)
{
    dense d = {.items = items, .domain = (int64_t)items->domain};
    tacit_run limited = *run;
    if (tacit__threads(run) > MAX_WORKERS)
        limited.threads = MAX_WORKERS;
    tacit_status status =
        tacit__parallel(&limited, "counting", tacit__tasks(items->count), count_task, &d, err);
    bring_to_front(d.sums);
    bring_to_front(d.tallies);
    if (status == TACIT_OK)
        status = collect(&d, &limited, err);
    for (int w = 0; w < MAX_WORKERS; w++) {
        tacit__free(d.sums[w]);
        tacit__free(d.tallies[w]);
    }
    tacit__free(d.starts);
    if (status == TACIT_OK)
        *out = d.out;
    else
        tacit__counts_clear(&d.out);
    return status;
}

void tacit__counts_clear(tacit__counts *counts)
{
    tacit__free(counts->keys);
    tacit__free(counts->sums);
    tacit__free(counts->tallies);
    *counts = (tacit__counts){0};
}

tacit_status tacit__count(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                          tacit_error *err)
{
    if (items->count > 0 && is_dense(items))
        return count_dense(out, items, run, err);
    return count_radix(out, items, run, err);
}
