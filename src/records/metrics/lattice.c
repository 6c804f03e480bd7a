/*
 * lattice.c - how large the lattice of generalizations is: Equation 1 and
 * Theorem 4 of Sweeney, Computational Disclosure Control, section 5.3.
 */
#include <tacit/experimental/records.h>

double tacit_lattice_size(const int *heights, int32_t count)
{
    double size = 1;
    for (int32_t i = 0; i < count; i++)
        size *= heights[i] + 1;
    return size;
}

/* (p1 + p2 + ...)! / (p1! p2! ...) as a product of quotients. Multiplying
 * before dividing keeps every intermediate result a whole number, so the answer
 * is exact as long as a double holds it; beyond that only the size matters, and
 * dividing first puts off the overflow. */
double tacit_lattice_strategies(const int *heights, int32_t count)
{
    const double exact = 0x1p40;
    double strategies = 1, steps = 0;
    for (int32_t i = 0; i < count; i++)
        for (int j = 1; j <= heights[i]; j++) {
            steps++;
            strategies = strategies < exact ? strategies * steps / j : strategies * (steps / j);
        }
    return strategies;
}
