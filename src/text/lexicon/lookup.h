/*
 * lookup.h - the Boolean look-up of Sweeney's Scrub (chapter 9): is the word in the list?
 * Ten binary checks and about 30 bits a word; a word of the list is always found, another
 * hardly ever, and how often is known.
 *
 * The bits of a word lie in one block of 512, a line of the processor's cache, chosen by
 * its hash; so a look-up touches memory once. The price is that some blocks are fuller than
 * others: see tacit__boolean_rate.
 */
#ifndef TACIT_TEXT_LEXICON_LOOKUP_H
#define TACIT_TEXT_LEXICON_LOOKUP_H

#include "base/hash.h"

enum {
    TACIT__BOOLEAN_PROBES = 10,
    TACIT__BOOLEAN_BITS = 30, /* a word */
    TACIT__BOOLEAN_WORDS = 8, /* of 64 bits, a block */
    TACIT__BOOLEAN_BLOCK = 64 * TACIT__BOOLEAN_WORDS
};

/* Borrowed bits: of a list in memory, or of one that is part of the library. */
typedef struct tacit__boolean_view {
    const uint64_t *bits;
    uint64_t blocks;
} tacit__boolean_view;

/* A list in the making; clear accepts one that is zero. */
typedef struct tacit__boolean {
    uint64_t *bits;
    uint64_t blocks;
} tacit__boolean;

/* Room for so many words; more may be added, at a higher rate of false positives. */
tacit_status tacit__boolean_init(tacit__boolean *lookup, size_t words, tacit_error *err);
void tacit__boolean_clear(tacit__boolean *lookup);
void tacit__boolean_add(tacit__boolean *lookup, tacit__hash128 hash);

static inline tacit__boolean_view tacit__boolean_view_of(const tacit__boolean *lookup)
{
    return (tacit__boolean_view){.bits = lookup->bits, .blocks = lookup->blocks};
}

/* The share of words outside the list that are taken to be in it: the mean over the blocks
 * of (bits set / 512)^10. Computed from the bits, so that it is that of this list, not of
 * lists of its size. */
double tacit__boolean_rate(tacit__boolean_view view);

/* 37 bits of the hash choose the block, 90 the ten places in it. */
static inline uint64_t tacit__boolean_start(uint64_t blocks, tacit__hash128 hash)
{
    return ((hash.high >> 27) * blocks >> 37) * TACIT__BOOLEAN_WORDS;
}

static inline uint32_t tacit__boolean_place(tacit__hash128 hash, int probe)
{
    uint64_t bits = probe < 7 ? hash.low >> (9 * probe) : hash.high >> (9 * (probe - 7));
    return (uint32_t)bits & (TACIT__BOOLEAN_BLOCK - 1);
}

/* Whether the places that `bits` has, nine bits each, are all set. Without branches: a word
 * that is in the list needs all checks anyway, and guessing wrong costs more than a few. */
static inline uint64_t tacit__boolean_all(const uint64_t *block, uint64_t bits, int probes)
{
    uint64_t all = 1;
    for (; probes > 0; probes--, bits >>= 9)
        all &= block[bits >> 6 & (TACIT__BOOLEAN_WORDS - 1)] >> (bits & 63);
    return all;
}

static inline bool tacit__boolean_has(tacit__boolean_view view, tacit__hash128 hash)
{
    const uint64_t *block = view.bits + tacit__boolean_start(view.blocks, hash);
    return tacit__boolean_all(block, hash.low, 7) & tacit__boolean_all(block, hash.high, 3);
}

#endif
