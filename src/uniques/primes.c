/*
 * primes.c - sorts the finds by combination and keeps the minimal ones.
 *
 * The search finds every prime set of an item, and some sets that hold one. So a
 * find is prime if and only if no smaller find of its item is part of it. Finds
 * are dealt by item, size after size; then each item is put in order and gone
 * through by itself. Items with many finds keep, for each column, the bits of
 * the prime sets that hold it: a set has a part among 64 of them unless each has
 * a column outside of it, which is one OR a column.
 *
 * Time linear in the finds for items with few of them; at worst finds squared
 * over 64, times columns. Memory: a prime set each beside the finds themselves.
 */
#include "uniques/primes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"

enum { FEW = 24, TASK_FINDS = 1 << 16 };

/* Prime sets of an item, a bit each, by column. */
typedef struct slices {
    uint64_t *words; /* column by column */
    size_t room;     /* words a column */
    size_t count;    /* sets */
} slices;

typedef struct sifting {
    tacit__primes *primes;
    const tacit__ground *ground;
    tacit__uniques_found *found;
    uint32_t *kept;  /* an item each: its prime sets */
    uint32_t *tasks; /* items where tasks start; one more at the end */
    size_t task_count;
    slices *slices; /* a worker each */
} sifting;

void tacit__primes_clear(tacit__primes *primes)
{
    tacit__free(primes->sets);
    tacit__free(primes->starts);
    *primes = (tacit__primes){0};
}

/* Sets of one size: that with the first column in which they differ comes first. */
static int in_order(const void *left, const void *right)
{
    const tacit_unique_set *a = left, *b = right;
    uint64_t differ = a->columns ^ b->columns;
    return a->columns & differ & (~differ + 1) ? -1 : differ != 0;
}

/* Puts sets of one size into their order. */
static void sort_sets(tacit_unique_set *sets, size_t count)
{
    if (count > FEW) {
        qsort(sets, count, sizeof *sets, in_order);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        tacit_unique_set set = sets[i];
        size_t at = i;
        for (; at > 0 && in_order(&set, &sets[at - 1]) < 0; at--)
            sets[at] = sets[at - 1];
        sets[at] = set;
    }
}

static bool has_part(const tacit_unique_set *sets, size_t count, uint64_t columns)
{
    for (size_t i = 0; i < count; i++)
        if (!(sets[i].columns & ~columns))
            return true;
    return false;
}

static bool slices_reserve(slices *s, int columns, size_t sets)
{
    size_t words = (sets + 63) / 64;
    if (s->room < words) {
        tacit__free(s->words);
        s->room = words + words / 2;
        s->words = tacit__alloc_array(s->room * (size_t)columns, sizeof *s->words);
        if (!s->words) {
            s->room = 0;
            return false;
        }
    }
    s->count = 0;
    for (int column = 0; column < columns; column++)
        memset(s->words + s->room * (size_t)column, 0, words * sizeof *s->words);
    return true;
}

static void slices_add(slices *s, uint64_t columns)
{
    for (; columns; columns &= columns - 1)
        s->words[s->room * (size_t)__builtin_ctzll(columns) + s->count / 64] |= UINT64_C(1)
                                                                                << s->count % 64;
    s->count++;
}

/* The same as has_part for the first `count` sets. */
static bool slices_have_part(const slices *s, size_t count, int columns, uint64_t of)
{
    uint64_t all = columns == 64 ? UINT64_MAX : (UINT64_C(1) << columns) - 1;
    for (size_t word = 0; word * 64 < count; word++) {
        uint64_t outside = count - word * 64 >= 64 ? 0 : UINT64_MAX << (count - word * 64);
        for (uint64_t left = all & ~of; left; left &= left - 1)
            outside |= s->words[s->room * (size_t)__builtin_ctzll(left) + word];
        if (~outside)
            return true;
    }
    return false;
}

/* Moves the prime ones of an item's finds to their start; returns their number. */
__attribute__((always_inline)) static inline size_t sift_item(tacit_unique_set *sets, size_t count,
                                                              slices *s, int columns)
{
    size_t kept = 0;
    bool sliced = count > FEW;
    for (size_t i = 0; i < count;) {
        int size = __builtin_popcountll(sets[i].columns);
        size_t end = i + 1, smaller = kept;
        while (end < count && __builtin_popcountll(sets[end].columns) == size)
            end++;
        for (; i < end; i++) {
            if (sliced ? slices_have_part(s, smaller, columns, sets[i].columns)
                       : has_part(sets, smaller, sets[i].columns))
                continue;
            sets[kept++] = sets[i];
            if (sliced)
                slices_add(s, sets[kept - 1].columns);
        }
        sort_sets(sets + smaller, kept - smaller);
    }
    return kept;
}

TACIT__HOT
static tacit_status sift_task(void *context, int64_t task, int worker, tacit_error *err)
{
    sifting *s = context;
    tacit__primes *primes = s->primes;
    for (uint32_t item = s->tasks[task]; item < s->tasks[task + 1]; item++) {
        size_t count = primes->starts[item + 1] - primes->starts[item];
        if (count > FEW && !slices_reserve(&s->slices[worker], s->ground->columns, count))
            return tacit__nomem(err);
        s->kept[item] = (uint32_t)sift_item(primes->sets + primes->starts[item], count,
                                            &s->slices[worker], s->ground->columns);
    }
    return TACIT_OK;
}

/* Where each item's finds go. */
static void lay_out(sifting *s)
{
    const tacit__uniques_found *found = s->found;
    size_t *starts = s->primes->starts, at = 0;
    for (int worker = 0; worker < found->worker_count; worker++)
        for (int size = 0; size < TACIT__SET_SIZES; size++)
            for (const tacit__finds *c = found->workers[worker][size]; c; c = c->next)
                for (uint32_t i = 0; i < c->count; i++)
                    starts[c->finds[i].item]++;
    for (uint32_t item = 0; item <= s->ground->items; item++) {
        size_t count = starts[item];
        starts[item] = at;
        at += count;
    }
}

/* Deals the finds, size after size, and gives back their memory. Each start
 * becomes the next one. */
static void deal(sifting *s)
{
    tacit__primes *primes = s->primes;
    for (int size = 0; size < TACIT__SET_SIZES; size++) {
        for (int worker = 0; worker < s->found->worker_count; worker++)
            for (const tacit__finds *c = s->found->workers[worker][size]; c; c = c->next)
                for (uint32_t i = 0; i < c->count; i++)
                    primes->sets[primes->starts[c->finds[i].item]++] = (tacit_unique_set){
                        .columns = tacit__ground_columns(s->ground, c->finds[i].set),
                        .records = c->finds[i].records};
    }
    tacit__found_drop(s->found, -1);
    memmove(primes->starts + 1, primes->starts, s->ground->items * sizeof *primes->starts);
    primes->starts[0] = 0;
}

/* Items in tasks of about TASK_FINDS finds. */
static void cut_tasks(sifting *s)
{
    const size_t *starts = s->primes->starts;
    size_t begun = 0;
    s->tasks[0] = 0;
    for (uint32_t item = 0; item < s->ground->items; item++)
        if (starts[item + 1] - begun >= TASK_FINDS || item + 1 == s->ground->items) {
            begun = starts[item + 1];
            s->tasks[++s->task_count] = item + 1;
        }
}

static void close_up(sifting *s)
{
    tacit__primes *primes = s->primes;
    size_t at = 0;
    for (uint32_t item = 0; item < s->ground->items; item++) {
        size_t start = primes->starts[item];
        primes->starts[item] = at;
        memmove(primes->sets + at, primes->sets + start, s->kept[item] * sizeof *primes->sets);
        at += s->kept[item];
    }
    primes->starts[s->ground->items] = at;
    void *shrunk = at ? tacit__resize_array(primes->sets, at, sizeof *primes->sets) : NULL;
    if (shrunk)
        primes->sets = shrunk;
}

static tacit_status allocate(sifting *s, const tacit_run *run, tacit_error *err)
{
    size_t finds = 0, items = s->ground->items;
    for (int size = 0; size < TACIT__SET_SIZES; size++)
        finds += tacit__found_count(s->found, size);
    s->primes->sets = tacit__alloc_array(finds, sizeof *s->primes->sets);
    s->primes->starts = tacit__alloc_zeroed(items + 1, sizeof *s->primes->starts);
    s->kept = tacit__alloc_array(items, sizeof *s->kept);
    s->tasks = tacit__alloc_array(finds / TASK_FINDS + 2, sizeof *s->tasks);
    s->slices = tacit__alloc_zeroed((size_t)tacit__threads(run), sizeof *s->slices);
    if (!s->primes->sets || !s->primes->starts || !s->kept || !s->tasks || !s->slices)
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__primes_init(tacit__primes *primes, tacit__uniques_found *found,
                                const tacit__ground *ground, const tacit_run *run, tacit_error *err)
{
    sifting s = {.primes = primes, .ground = ground, .found = found};
    /* what was found is given even if the search was stopped: nobody is asked */
    tacit_run silent = {.threads = tacit__threads(run)};
    *primes = (tacit__primes){0};
    tacit_status status = allocate(&s, run, err);
    if (status == TACIT_OK) {
        lay_out(&s);
        deal(&s);
        cut_tasks(&s);
        status = tacit__parallel(&silent, NULL, (int64_t)s.task_count, sift_task, &s, err);
    }
    if (status == TACIT_OK)
        close_up(&s);
    else
        tacit__primes_clear(primes);
    for (int i = 0; s.slices && i < tacit__threads(run); i++)
        tacit__free(s.slices[i].words);
    tacit__free(s.slices);
    tacit__free(s.tasks);
    tacit__free(s.kept);
    return status;
}
