/*
 * random.c - ChaCha20 streams over libsodium, a kilobyte at a time.
 */
#include "base/random.h"

#include <sodium.h>
#include <string.h>

#include "base/error.h"

_Static_assert(TACIT_SEED_BYTES == crypto_stream_chacha20_KEYBYTES, "a seed is a ChaCha20 key");

void tacit__random_init(tacit__random *random, const tacit_run *run, const char *purpose,
                        uint32_t index)
{
    *random = (tacit__random){.seed = run->seed};
    strncpy((char *)random->nonce, purpose, 4);
    memcpy(random->nonce + 4, &index, 4);
    random->at = sizeof random->buffer / sizeof random->buffer[0];
}

void tacit__random_refill(tacit__random *random)
{
    unsigned char *bytes = (unsigned char *)random->buffer;
    memset(bytes, 0, sizeof random->buffer);
    crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof random->buffer, random->nonce, random->block,
                                  random->seed);
    random->block += sizeof random->buffer / 64;
    random->at = 0;
}

/* Lemire's multiplication; the rare biased draws are repeated. */
uint32_t tacit__random_below(tacit__random *random, uint32_t bound)
{
    uint64_t product = (uint64_t)tacit__random_word(random) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)tacit__random_word(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

void tacit_run_init_sized(tacit_run *run, size_t size)
{
    memset(run, 0, size);
    run->size = size;
}

void tacit_run_seed_number(tacit_run *run, uint64_t number)
{
    /* Chooses the fastest code for this processor; the numbers are the same without it. */
    bool chosen = sodium_init() >= 0;
    (void)chosen;
    memset(run->seed, 0, sizeof run->seed);
    for (int i = 0; i < 8; i++)
        run->seed[i] = (uint8_t)(number >> (8 * i));
    run->seed[8] = 1; /* no number gives the seed of zeros */
}

tacit_status tacit_run_seed_random(tacit_run *run, tacit_error *err)
{
    if (sodium_init() < 0)
        return tacit__error(err, TACIT_IO, "the operating system gives no random numbers");
    randombytes_buf(run->seed, sizeof run->seed);
    return TACIT_OK;
}
