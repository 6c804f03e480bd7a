/*
 * count.h - how often each key occurs among many items.
 *
 * Two ways lead to the same counts: cells for every possible key where these
 * are few (count.c), otherwise partitions that fit the cache (radix.c). Which
 * one is taken, and the order of the result, depend on the items only, never
 * on the number of threads.
 */
#ifndef TACIT_RECORDS_CLASSES_COUNT_H
#define TACIT_RECORDS_CLASSES_COUNT_H

#include <tacit/base.h>

/* What is counted. */
typedef struct tacit__items {
    int64_t count;   /* below 2^32 */
    uint64_t domain; /* keys are below it */
    /* Keys of `count` items into keys; called from several threads, with count
     * at most TACIT__ENCODE_BLOCK. */
    void (*keys)(const void *context, int64_t from, int64_t count, uint64_t *keys);
    const void *context;
    const uint32_t *weights; /* what an item counts for; NULL: one each */
    bool tally;              /* also count the items themselves */
} tacit__items;

/* Distinct keys in a fixed order. Owned arrays. */
typedef struct tacit__counts {
    int64_t count;
    uint64_t *keys;
    uint32_t *sums;    /* of weights */
    uint32_t *tallies; /* of items, where asked for; else NULL */
} tacit__counts;

tacit_status tacit__count(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                          tacit_error *err);
void tacit__counts_clear(tacit__counts *counts);

/* Any domain, in the order of hashes. For tacit__count. */
tacit_status tacit__count_radix(tacit__counts *out, const tacit__items *items, const tacit_run *run,
                                tacit_error *err);

/* Items that one task takes: whole words of a bitset, and not too many tasks. */
static inline int64_t tacit__task_items(int64_t count)
{
    int64_t share = (count / 1024 + 63) / 64 * 64;
    return share < 65536 ? 65536 : share;
}

static inline int64_t tacit__tasks(int64_t count)
{
    int64_t items = tacit__task_items(count);
    return (count + items - 1) / items;
}

#endif
