/*
 * sample.c - the discrete Laplace distribution from fair bits: algorithms 1 and 2 of Canonne,
 * Kamath and Steinke, *The Discrete Gaussian for Differential Privacy* (NeurIPS 2020).
 *
 * No floating point takes part. Noise made from doubles has gaps and bumps in its lowest digits,
 * from which a true value can be read off (Mironov, *On significance of the least significant bits
 * for differential privacy*, CCS 2012). Here every decision compares whole numbers, so that the
 * distribution is the one that is stated, as far as the bits are fair: they are ChaCha20's, under
 * the run's seed.
 *
 * A draw takes a few dozen words on average and has no bound. How long it took depends on the
 * noise; nobody outside sees that of one draw among those of a table.
 */
#include "cells/noise/noise.h"

#include <assert.h>

static uint64_t word64(tacit__random *random)
{
    uint64_t high = tacit__random_word(random);
    return high << 32 | tacit__random_word(random);
}

/* Draws below 2^64 mod bound are repeated: those that are left divide evenly. */
uint64_t tacit__uniform_below(tacit__random *random, uint64_t bound)
{
    uint64_t spare = -bound % bound, drawn = word64(random);
    while (drawn < spare)
        drawn = word64(random);
    return drawn % bound;
}

/* How often in a row a coin with chances x, x/2, x/3, ... comes up is even with probability
 * exp(-x): the series of the exponential function. With x <= 1 that is rarely more than three
 * times; den times 2^24, which no run comes to, still fits. */
bool tacit__bernoulli_exp(tacit__random *random, uint64_t num, uint64_t den)
{
    uint64_t k = 1;
    assert(num <= den && den > 0 && den <= TACIT__NOISE_DEN);
    while (tacit__uniform_below(random, den * k) < num)
        k++;
    return k % 2 == 1;
}

/* u + den v has probability proportional to exp(-(u + den v)/den); its num-th part, rounded down,
 * falls off by exp(-num/den) with every unit. A sign makes it two-sided, where one of the two zeros
 * is not taken. */
int64_t tacit__discrete_laplace(tacit__random *random, tacit__decay decay)
{
    for (;;) {
        uint64_t u = tacit__uniform_below(random, decay.den), v = 0;
        if (!tacit__bernoulli_exp(random, u, decay.den))
            continue;
        while (tacit__bernoulli_exp(random, 1, 1))
            v++;
        int64_t size = (int64_t)((u + decay.den * v) / decay.num);
        bool below = tacit__uniform_below(random, 2) == 1;
        if (!below || size > 0)
            return below ? -size : size;
    }
}
