/*
 * derange.h - permutations under which no row gets back what it had, even from another row.
 */
#ifndef TACIT_TECHNIQUES_SWAP_DERANGE_H
#define TACIT_TECHNIQUES_SWAP_DERANGE_H

#include "techniques/runner/technique.h"

/* For each row a digest of what its cells in the columns say: equal where they say the same.
 * (Others are equal in one pair of 2^64, which asks a permutation for more than is needed, never
 * for less.) */
tacit_status tacit__row_digests(uint64_t **out, const tacit__sheet *sheet,
                                const tacit__runner_value *columns, tacit_error *err);

/* Draws for rows[i] the row from[i] that it gets its cells of: a random permutation of the rows,
 * where digests of the two differ as often as can be. Returns for how many they do not: none,
 * unless one digest has more than half of the rows, then as many as it has too many. spare has room
 * for count entries. */
int64_t tacit__derange(uint32_t *from, const uint32_t *rows, int64_t count, const uint64_t *digests,
                       uint32_t *spare, tacit__random *random);

#endif
