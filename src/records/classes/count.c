/*
 * count.c - counting with a cell for every possible key.
 *
 * Near the top of the lattice most combinations of values occur, so an array
 * over all of them is smaller than a list of those that do. Each worker counts
 * into cells of its own; sums do not depend on who counted what. Afterwards
 * ranges of cells are added up and the empty ones left out, so classes come in
 * the order of their keys: by the first attribute, then the second, and so on.
 *
 * Costs one pass over the items, and four bytes a cell and worker (eight when
 * items are tallied as well), for at most MAX_WORKERS of them.
 */
#include "records/classes/count.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/encode.h"

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
    return tacit__count_radix(out, items, run, err);
}
