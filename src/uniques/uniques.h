/*
 * uniques.h - the inside of a search's result, for what follows from it.
 */
#ifndef TACIT_SRC_UNIQUES_UNIQUES_H
#define TACIT_SRC_UNIQUES_UNIQUES_H

#include "uniques/distinct.h"
#include "uniques/primes.h"

struct tacit_uniques {
    const tacit_distinct *distinct;
    tacit__primes primes;
    tacit_uniques_summary summary;
};

/* The prime implicants of a combination. */
static inline tacit_unique_sets_view tacit__uniques_sets(const tacit_uniques *uniques,
                                                         uint32_t combination)
{
    const size_t *starts = uniques->primes.starts;
    return (tacit_unique_sets_view){.sets = uniques->primes.sets + starts[combination],
                                    .count =
                                        (int64_t)(starts[combination + 1] - starts[combination])};
}

#endif
