/*
 * sixteen.h - sixteen bytes of text at once: which of them are letters, capitals and digits of
 * ASCII, and the same bytes in lower case. Most words and the gap behind them are read with one
 * such look, without a step and a guess for each byte. With SSE2, which every x86-64 has, some ten
 * instructions; elsewhere a loop that says the same.
 */
#ifndef TACIT_SRC_TEXT_SIXTEEN_H
#define TACIT_SRC_TEXT_SIXTEEN_H

#include <string.h>

#include <tacit/base.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Of each byte a bit, the first one's lowest. */
typedef struct tacit__sixteen {
    unsigned letters, capitals, digits;
} tacit__sixteen;

/* The first bytes of sixteen in lower case, filled up with zeros. */
typedef struct tacit__lower {
    uint64_t low, high;
} tacit__lower;

#ifdef __SSE2__

typedef __m128i tacit__bytes16;

static inline tacit__bytes16 tacit__sixteen_load(const char *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

/* Bytes from first to last: those that are no more than so many above the first, where what is
 * below it is far above. */
static inline __m128i tacit__sixteen_between(__m128i bytes, char first, char last)
{
    __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(last - first))), above);
}

static inline tacit__sixteen tacit__sixteen_read(tacit__bytes16 *bytes)
{
    __m128i capitals = tacit__sixteen_between(*bytes, 'A', 'Z');
    __m128i lower = _mm_or_si128(*bytes, _mm_and_si128(capitals, _mm_set1_epi8(0x20)));
    __m128i letters = tacit__sixteen_between(lower, 'a', 'z');
    __m128i digits = tacit__sixteen_between(*bytes, '0', '9');
    *bytes = lower;
    return (tacit__sixteen){.letters = (unsigned)_mm_movemask_epi8(letters),
                            .capitals = (unsigned)_mm_movemask_epi8(capitals),
                            .digits = (unsigned)_mm_movemask_epi8(digits)};
}

static inline tacit__lower tacit__sixteen_first(tacit__bytes16 lower, size_t count)
{
    static const int8_t masks[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i first = _mm_and_si128(lower, tacit__sixteen_load((const char *)masks + 16 - count));
    return (tacit__lower){
        .low = (uint64_t)_mm_cvtsi128_si64(first),
        .high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(first, first)),
    };
}

#else

typedef struct tacit__bytes16 {
    unsigned char of[16];
} tacit__bytes16;

static inline tacit__bytes16 tacit__sixteen_load(const char *bytes)
{
    tacit__bytes16 loaded;
    memcpy(loaded.of, bytes, sizeof loaded.of);
    return loaded;
}

static inline tacit__sixteen tacit__sixteen_read(tacit__bytes16 *bytes)
{
    tacit__sixteen read = {0};
    for (unsigned i = 0; i < 16; i++) {
        unsigned char byte = bytes->of[i];
        unsigned capital = (unsigned)(byte - 'A') < 26u;
        byte = (unsigned char)(byte | capital << 5);
        read.capitals |= capital << i;
        read.letters |= (unsigned)((unsigned)(byte - 'a') < 26u) << i;
        read.digits |= (unsigned)((unsigned)(byte - '0') < 10u) << i;
        bytes->of[i] = byte;
    }
    return read;
}

static inline tacit__lower tacit__sixteen_first(tacit__bytes16 lower, size_t count)
{
    tacit__lower first = {0};
    memcpy(&first, lower.of, count);
    return first;
}

#endif

#endif
