/*
 * sort.h - sorting of 64-bit keys, the judge's only way of grouping. Methods
 * group by hashing; a mistake of theirs is not repeated here.
 */
#ifndef TACIT_SRC_AUDIT_SORT_H
#define TACIT_SRC_AUDIT_SORT_H

#include <tacit/base.h>

/* Keys, each with a value where asked for. Zero-initialized is empty. */
typedef struct tacit__sorter {
    uint64_t *keys;
    uint64_t *values; /* NULL: keys only */
    uint64_t *spare_keys;
    uint64_t *spare_values;
    int64_t count;
} tacit__sorter;

/* Room for count keys, to be filled in by the caller. */
tacit_status tacit__sorter_init(tacit__sorter *sorter, int64_t count, bool with_values,
                                tacit_error *err);

/* Sorts by the lowest bits of the keys, the only ones that may be set. Stable. */
tacit_status tacit__sorter_sort(tacit__sorter *sorter, int bits, const tacit_run *run,
                                tacit_error *err);

/* Gives back what only sorting needs. */
void tacit__sorter_trim(tacit__sorter *sorter);
void tacit__sorter_clear(tacit__sorter *sorter);

/* Number of different keys in the sorter, once sorted. */
int64_t tacit__sorter_distinct(const tacit__sorter *sorter);

/* The first place in sorted keys that is not below key. */
int64_t tacit__sorted_place(const uint64_t *keys, int64_t count, uint64_t key);

/* Bits needed for numbers up to max. */
static inline int tacit__bits_for(uint64_t max)
{
    return max ? 64 - __builtin_clzll(max) : 0;
}

#endif
