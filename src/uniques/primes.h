/*
 * primes.h - the prime implicants of every combination, in their order.
 */
#ifndef TACIT_SRC_UNIQUES_PRIMES_H
#define TACIT_SRC_UNIQUES_PRIMES_H

#include "uniques/found.h"
#include "uniques/ground.h"

/* Zero-initialized is empty. */
typedef struct tacit__primes {
    tacit_unique_set *sets; /* combination by combination */
    size_t *starts;         /* where each one's start; one more at the end */
} tacit__primes;

/* Takes the minimal ones out of found, which is empty afterwards. */
tacit_status tacit__primes_init(tacit__primes *primes, tacit__uniques_found *found,
                                const tacit__ground *ground, const tacit_run *run,
                                tacit_error *err);
void tacit__primes_clear(tacit__primes *primes);

/* Whether set a comes before set b: the smaller one, or of one size that with the
 * first column in which they differ. */
static inline bool tacit__set_before(uint64_t a, uint64_t b)
{
    int sizes = __builtin_popcountll(a) - __builtin_popcountll(b);
    uint64_t differ = a ^ b;
    return sizes ? sizes < 0 : (a & differ & (~differ + 1)) != 0;
}

#endif
