/*
 * sort.h - sorting of 64-bit keys, the judge's only way of grouping. Methods
 * group by hashing; a mistake of theirs is not repeated here.
 */
#ifndef TACIT_AUDIT_ROWS_SORT_H
#define TACIT_AUDIT_ROWS_SORT_H

#include <tacit/base.h>

/* Keys, each with a value where asked for. Zero-initialized is empty. */
typedef struct tacit__sorter {
    uint64_t *keys;   /* NULL where keys are narrow */
    uint32_t *narrow; /* keys of at most 32 bits: half the memory */
    uint64_t *values; /* NULL: keys only */
    void *spare_keys;
    uint64_t *spare_values;
    int64_t count;
    int bits;
} tacit__sorter;

/* Room for count keys of so many bits, to be filled in by the caller. */
tacit_status tacit__sorter_init(tacit__sorter *sorter, int64_t count, int bits, bool with_values,
                                tacit_error *err);

static inline uint64_t tacit__sorter_key(const tacit__sorter *sorter, int64_t at)
{
    return sorter->narrow ? sorter->narrow[at] : sorter->keys[at];
}

static inline void tacit__sorter_put(tacit__sorter *sorter, int64_t at, uint64_t key)
{
    if (sorter->narrow)
        sorter->narrow[at] = (uint32_t)key;
    else
        sorter->keys[at] = key;
}

/* Sorts by key. Stable. */
tacit_status tacit__sorter_sort(tacit__sorter *sorter, const tacit_run *run, tacit_error *err);

/* Gives back what only sorting needs. */
void tacit__sorter_trim(tacit__sorter *sorter);
void tacit__sorter_clear(tacit__sorter *sorter);

/* Of sorted keys: the number of different ones; the first place that is not
 * below a key. */
int64_t tacit__sorter_distinct(const tacit__sorter *sorter);
int64_t tacit__sorter_place(const tacit__sorter *sorter, uint64_t key);

/* Bits needed for numbers up to max. */
static inline int tacit__bits_for(uint64_t max)
{
    return max ? 64 - __builtin_clzll(max) : 0;
}

#endif
