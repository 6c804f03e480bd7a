/*
 * noise.h - whole random numbers with an exact distribution, drawn from fair bits alone.
 */
#ifndef TACIT_CELLS_NOISE_NOISE_H
#define TACIT_CELLS_NOISE_NOISE_H

#include "base/random.h"

/* How fast the distribution falls off: by a factor of exp(-num/den) with every unit. Both are above
 * 0, and den is at most TACIT__NOISE_DEN. */
typedef struct tacit__decay {
    uint64_t num, den;
} tacit__decay;

#define TACIT__NOISE_DEN (UINT64_C(1) << 40)

/* Uniform in [0, bound), bound > 0, exactly. */
uint64_t tacit__uniform_below(tacit__random *random, uint64_t bound);

/* True with probability exp(-num/den), num <= den. */
bool tacit__bernoulli_exp(tacit__random *random, uint64_t num, uint64_t den);

/* The discrete Laplace distribution: x with probability proportional to exp(-|x| num/den). */
int64_t tacit__discrete_laplace(tacit__random *random, tacit__decay decay);

#endif
