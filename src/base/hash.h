/*
 * hash.h - hashing of strings and of integers that are already well formed.
 */
#ifndef TACIT_SRC_BASE_HASH_H
#define TACIT_SRC_BASE_HASH_H

#include <tacit/base.h>

/* xxHash (XXH3) of the bytes. */
uint64_t tacit__hash_bytes(const char *bytes, size_t len);

/* The same in 128 bits, for where equal hashes are taken for equal bytes. */
typedef struct tacit__hash128 {
    uint64_t low;
    uint64_t high;
} tacit__hash128;

tacit__hash128 tacit__hash_bytes128(const char *bytes, size_t len);

/* A bijection of 64 bits whose high and low bits are equally good. */
static inline uint64_t tacit__mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 32;
    return x;
}

#endif
