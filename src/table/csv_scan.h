/*
 * csv_scan.h - what stands where in 64 bytes of CSV, as bit masks.
 *
 * Bit i of a mask speaks of byte i of the block. Sixteen bytes are compared at
 * once where the processor has SSE2 (every x86-64), one at a time elsewhere.
 * The reader's two passes, the writer and the judge's row reader all look at
 * text through these masks.
 */
#ifndef TACIT_SRC_TABLE_CSV_SCAN_H
#define TACIT_SRC_TABLE_CSV_SCAN_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { TACIT__BLOCK = 64, TACIT__STEP = 16 };

/* Where `wanted` stands in the block. */
static inline uint64_t tacit__find(const char *block, char wanted)
{
#if defined(__SSE2__)
    const __m128i w = _mm_set1_epi8(wanted);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, w)) << (16 * i);
    }
    return mask;
#else
    uint64_t mask = 0;
    for (int i = 0; i < TACIT__BLOCK; i++)
        mask |= (uint64_t)(block[i] == wanted) << i;
    return mask;
#endif
}

/* Where delimiters and line ends stand in the next 16 bytes. */
static inline uint32_t tacit__find_ends(const char *step, char delimiter)
{
#if defined(__SSE2__)
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)step);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(delimiter)),
                                                    _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))));
#else
    uint32_t mask = 0;
    for (int i = 0; i < TACIT__STEP; i++)
        mask |= (uint32_t)(step[i] == delimiter || step[i] == '\n') << i;
    return mask;
#endif
}

/* Where bytes beyond ASCII stand in the block. */
static inline uint64_t tacit__find_high(const char *block)
{
#if defined(__SSE2__)
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << (16 * i);
    }
    return mask;
#else
    uint64_t mask = 0;
    for (int i = 0; i < TACIT__BLOCK; i++)
        mask |= (uint64_t)((unsigned char)block[i] >> 7) << i;
    return mask;
#endif
}

/* Bit i is the parity of bits 0 to i: inside quotes, given where quotes stand. */
static inline uint64_t tacit__prefix_parity(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* A view of the block at `at`, copied into `padded` (and filled with zeros)
 * where fewer than 64 bytes are left. *valid has a bit for each real byte. */
static inline const char *tacit__block_at(const char *bytes, size_t len, size_t at, char *padded,
                                          uint64_t *valid)
{
    size_t left = len - at;
    if (left >= TACIT__BLOCK) {
        *valid = ~UINT64_C(0);
        return bytes + at;
    }
    memset(padded, 0, TACIT__BLOCK);
    memcpy(padded, bytes + at, left);
    *valid = (UINT64_C(1) << left) - 1;
    return padded;
}

#endif
