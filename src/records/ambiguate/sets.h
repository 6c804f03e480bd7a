/*
 * sets.h - all sets of so many columns, one after the other.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_SETS_H
#define TACIT_RECORDS_AMBIGUATE_SETS_H

#include <stdint.h>

/* How many there are. */
static inline double tacit__count_sets(int32_t columns, int32_t size)
{
    double sets = 1;
    for (int32_t i = 0; i < size; i++)
        sets = sets * (columns - i) / (i + 1);
    return sets;
}

static inline uint64_t tacit__first_set(int32_t size)
{
    return size == 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1;
}

/* The next of the same size; 0 behind the last. */
static inline uint64_t tacit__next_set(uint64_t set, int32_t columns)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    if (ripple < set) /* over the 64th */
        return 0;
    set = ripple | ((set ^ ripple) >> 2) / lowest;
    return columns < 64 && set >> columns ? 0 : set;
}

#endif
