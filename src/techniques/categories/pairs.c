/*
 * pairs.c - a hash table that numbers pairs by their first appearance. Linear on the mean.
 */
#include "techniques/categories/pairs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

tacit_status tacit__number_pairs(uint32_t *numbers, uint32_t *distinct,
                                 const tacit__pair_key *pairs, int64_t count, tacit_error *err)
{
    size_t slots = 64;
    while (slots < (size_t)count * 2)
        slots *= 2;
    uint32_t *firsts = tacit__alloc_array(slots, sizeof *firsts); /* the first with each key */
    if (!firsts)
        return tacit__nomem(err);
    memset(firsts, 0xFF, slots * sizeof *firsts);
    *distinct = 0;
    for (int64_t i = 0; i < count; i++) {
        size_t at = tacit__mix(tacit__mix(pairs[i].first) ^ pairs[i].second) & (slots - 1);
        while (firsts[at] != UINT32_MAX && (pairs[firsts[at]].first != pairs[i].first ||
                                            pairs[firsts[at]].second != pairs[i].second))
            at = (at + 1) & (slots - 1);
        if (firsts[at] == UINT32_MAX) {
            firsts[at] = (uint32_t)i;
            numbers[i] = (*distinct)++;
        } else {
            numbers[i] = numbers[firsts[at]];
        }
    }
    tacit__free(firsts);
    return TACIT_OK;
}
