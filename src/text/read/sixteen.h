/*
 * sixteen.h - sixteen bytes of text at once, and sixty-four: which of them are letters, capitals
 * and digits of ASCII, spaces and tabs, and which need a closer look; and the first bytes of
 * sixteen in lower case. What is known of sixty-four bytes says where their words are, one after
 * the other, without a look and a guess for each byte. With SSE2, which every x86-64 has, some
 * hundred instructions; elsewhere a loop that says the same.
 */
#ifndef TACIT_TEXT_READ_SIXTEEN_H
#define TACIT_TEXT_READ_SIXTEEN_H

#include <string.h>

#include <tacit/base.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Of each byte a bit, the first one's lowest. */
typedef struct tacit__sixteen {
    unsigned letters, capitals, digits;
    unsigned spaces, tabs;
    unsigned odd; /* apostrophes, and what is beyond ASCII */
} tacit__sixteen;

typedef struct tacit__sixtyfour {
    uint64_t letters, capitals, digits;
    uint64_t spaces, tabs;
    uint64_t odd;
} tacit__sixtyfour;

/* The first bytes of sixteen in lower case, filled up with zeros. */
typedef struct tacit__lower {
    uint64_t low, high;
} tacit__lower;

#ifdef __SSE2__

static inline __m128i tacit__sixteen_load(const char *bytes)
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

static inline unsigned tacit__sixteen_bits(__m128i bytes)
{
    return (unsigned)_mm_movemask_epi8(bytes);
}

static inline tacit__sixteen tacit__sixteen_read(const char *bytes)
{
    __m128i all = tacit__sixteen_load(bytes);
    __m128i small = _mm_or_si128(all, _mm_set1_epi8(0x20));
    __m128i apostrophes = _mm_cmpeq_epi8(all, _mm_set1_epi8('\''));
    return (tacit__sixteen){
        .letters = tacit__sixteen_bits(tacit__sixteen_between(small, 'a', 'z')),
        .capitals = tacit__sixteen_bits(tacit__sixteen_between(all, 'A', 'Z')),
        .digits = tacit__sixteen_bits(tacit__sixteen_between(all, '0', '9')),
        .spaces = tacit__sixteen_bits(_mm_cmpeq_epi8(all, _mm_set1_epi8(' '))),
        .tabs = tacit__sixteen_bits(_mm_cmpeq_epi8(all, _mm_set1_epi8('\t'))),
        .odd = tacit__sixteen_bits(_mm_or_si128(apostrophes, all)),
    };
}

/* Of bytes that are letters and digits. */
static inline tacit__lower tacit__sixteen_lower(const char *bytes, size_t count)
{
    static const int8_t masks[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i small = _mm_or_si128(tacit__sixteen_load(bytes), _mm_set1_epi8(0x20));
    __m128i first = _mm_and_si128(small, tacit__sixteen_load((const char *)masks + 16 - count));
    return (tacit__lower){
        .low = (uint64_t)_mm_cvtsi128_si64(first),
        .high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(first, first)),
    };
}

#else

static inline tacit__sixteen tacit__sixteen_read(const char *bytes)
{
    tacit__sixteen read = {0};
    for (unsigned i = 0; i < 16; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        read.letters |= (unsigned)((unsigned)((byte | 0x20) - 'a') < 26u) << i;
        read.capitals |= (unsigned)((unsigned)(byte - 'A') < 26u) << i;
        read.digits |= (unsigned)((unsigned)(byte - '0') < 10u) << i;
        read.spaces |= (unsigned)(byte == ' ') << i;
        read.tabs |= (unsigned)(byte == '\t') << i;
        read.odd |= (unsigned)(byte == '\'' || byte >= 0x80) << i;
    }
    return read;
}

static inline tacit__lower tacit__sixteen_lower(const char *bytes, size_t count)
{
    tacit__lower first = {0};
    char lower[sizeof first] = {0};
    for (size_t i = 0; i < count; i++)
        lower[i] = (char)(bytes[i] | 0x20);
    memcpy(&first, lower, sizeof first);
    return first;
}

#endif

static inline tacit__sixtyfour tacit__sixtyfour_read(const char *bytes)
{
    tacit__sixtyfour all = {0};
    for (unsigned i = 0; i < 64; i += 16) {
        tacit__sixteen some = tacit__sixteen_read(bytes + i);
        all.letters |= (uint64_t)some.letters << i;
        all.capitals |= (uint64_t)some.capitals << i;
        all.digits |= (uint64_t)some.digits << i;
        all.spaces |= (uint64_t)some.spaces << i;
        all.tabs |= (uint64_t)some.tabs << i;
        all.odd |= (uint64_t)some.odd << i;
    }
    return all;
}

#endif
