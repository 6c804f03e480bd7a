/*
 * template_filter.h - whether any template can match at a place, told at a glance: by its
 * first three bytes, and where they are letters by the word that they begin. It says yes too
 * often now and then, never no where there is a match.
 */
#ifndef TACIT_SRC_TEXT_TEMPLATE_FILTER_H
#define TACIT_SRC_TEXT_TEMPLATE_FILTER_H

#include "text/template_automaton.h"

enum { TACIT__FILTER_LETTERS = 6, TACIT__FILTER_BITS = 16 };

/* All zero passes nothing. Bytes are folded to their lower five bits, so that letters of either
 * case fall together. */
typedef struct tacit__filter {
    tacit__bytes starts;       /* bytes that some template can start with */
    uint32_t triples[32 * 32]; /* the first three bytes, */
    uint32_t open[32 * 32];    /* and those of templates whose first word can be many words */
    uint64_t words[1 << (TACIT__FILTER_BITS - 6)]; /* hashes of the first words of the others */
} tacit__filter;

void tacit__filter_add(tacit__filter *filter, const tacit__automaton *automaton);

static inline bool tacit__letter_byte(unsigned char byte)
{
    return (unsigned char)((byte | 32) - 'a') < 26;
}

/* The hash of a word by its first letters and how many they are. */
static inline uint32_t tacit__filter_hash(uint32_t letters, unsigned count)
{
    return ((letters << 3 | count) * UINT32_C(0x9e3779b1)) >> (32 - TACIT__FILTER_BITS);
}

static inline bool tacit__filter_word(const tacit__filter *filter, const unsigned char *bytes,
                                      size_t len)
{
    uint32_t letters = 0;
    unsigned count = 0;
    for (; count < TACIT__FILTER_LETTERS && count < len && tacit__letter_byte(bytes[count]);
         count++)
        letters = letters << 5 | (bytes[count] & 31);
    uint32_t hash = tacit__filter_hash(letters, count);
    return filter->words[hash >> 6] >> (hash & 63) & 1;
}

static inline bool tacit__filter_passes(const tacit__filter *filter, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    if (text.len - at < 3)
        return tacit__bytes_has(&filter->starts, bytes[0]);
    unsigned pair = (bytes[0] & 31u) * 32 + (bytes[1] & 31u), third = bytes[2] & 31u;
    if (!(filter->triples[pair] >> third & 1))
        return false;
    return !tacit__letter_byte(bytes[0]) || (filter->open[pair] >> third & 1) ||
           tacit__filter_word(filter, bytes, text.len - at);
}

#endif
