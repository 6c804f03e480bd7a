/*
 * bitset.h - bits in 64-bit words, as the writer and the judge pass them.
 */
#ifndef TACIT_SRC_BASE_BITSET_H
#define TACIT_SRC_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t tacit__bitset_words(int64_t bits)
{
    return ((size_t)bits + 63) / 64;
}

/* How many of so many have their bits in one word, from one on whose bit is its first. */
static inline size_t tacit__bitset_share(size_t from, size_t count)
{
    return count - from < 64 ? count - from : 64;
}

static inline bool tacit__bit_get(const uint64_t *set, int64_t bit)
{
    return (set[bit >> 6] >> (bit & 63)) & 1;
}

static inline void tacit__bit_set(uint64_t *set, int64_t bit)
{
    set[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

/* How many bits of a word are set, on every machine without a call. */
static inline unsigned tacit__bits_set(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

static inline int64_t tacit__bitset_count(const uint64_t *set, int64_t bits)
{
    int64_t total = 0;
    for (size_t i = 0; i < tacit__bitset_words(bits); i++)
        total += tacit__bits_set(set[i]);
    return total;
}

/* The first bit from one on, of so many, that is set in the words as they are after turning the
 * bits of flip; or their number. */
static inline int64_t tacit__bit_search(const uint64_t *set, int64_t from, int64_t bits,
                                        uint64_t flip)
{
    if (from >= bits)
        return bits;
    size_t word = (size_t)from >> 6, words = tacit__bitset_words(bits);
    uint64_t left = (set[word] ^ flip) & ~UINT64_C(0) << (from & 63);
    while (left == 0 && ++word < words)
        left = set[word] ^ flip;
    int64_t next = left ? (int64_t)word * 64 + __builtin_ctzll(left) : bits;
    return next < bits ? next : bits;
}

/* The first bit that is set from one on, of so many; or their number. */
static inline int64_t tacit__bit_next(const uint64_t *set, int64_t from, int64_t bits)
{
    return tacit__bit_search(set, from, bits, 0);
}

/* The same of bits that are not set. */
static inline int64_t tacit__bit_next_clear(const uint64_t *set, int64_t from, int64_t bits)
{
    return tacit__bit_search(set, from, bits, ~UINT64_C(0));
}

#endif
