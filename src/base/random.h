/*
 * random.h - reproducible random numbers that nobody can predict without the
 * seed: ChaCha20 keyed by the run's seed. A purpose and an index select
 * independent streams, so parallel work draws the same numbers whatever the
 * number of threads.
 */
#ifndef TACIT_SRC_BASE_RANDOM_H
#define TACIT_SRC_BASE_RANDOM_H

#include <tacit/base.h>

typedef struct tacit__random {
    const uint8_t *seed;
    uint8_t nonce[8];
    uint64_t block;
    size_t at;
    uint32_t buffer[256];
} tacit__random;

/* A short purpose (at most 4 bytes count) keeps uses of one seed apart. */
void tacit__random_init(tacit__random *random, const tacit_run *run, const char *purpose,
                        uint32_t index);
void tacit__random_refill(tacit__random *random);

static inline uint32_t tacit__random_word(tacit__random *random)
{
    if (random->at == sizeof random->buffer / sizeof random->buffer[0])
        tacit__random_refill(random);
    return random->buffer[random->at++];
}

/* Uniform in [0, bound), bound > 0, without bias. */
uint32_t tacit__random_below(tacit__random *random, uint32_t bound);

#endif
