/*
 * pairs.h - pairs of numbers, such as a group and a code, numbered anew.
 */
#ifndef TACIT_TECHNIQUES_CATEGORIES_PAIRS_H
#define TACIT_TECHNIQUES_CATEGORIES_PAIRS_H

#include <tacit/base.h>

typedef struct tacit__pair_key {
    uint64_t first, second;
} tacit__pair_key;

/* Numbers equal pairs alike, in the order in which they appear; *distinct says how many there
 * are. */
tacit_status tacit__number_pairs(uint32_t *numbers, uint32_t *distinct,
                                 const tacit__pair_key *pairs, int64_t count, tacit_error *err);

#endif
