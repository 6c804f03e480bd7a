/*
 * template_filter.h - whether any template can match at a place, told at a glance: where it is a
 * word by that word and the byte after it, elsewhere by the first three bytes. It says yes too
 * often now and then, never no where there is a match.
 *
 * The words that templates start with are the most common ones of all ("in", "the", "a"), but
 * what may follow them is not: of "the" a digit. So each word has a set of what may follow.
 */
#ifndef TACIT_SRC_TEXT_TEMPLATE_FILTER_H
#define TACIT_SRC_TEXT_TEMPLATE_FILTER_H

#include "text/template_automaton.h"

enum { TACIT__FILTER_LETTERS = 8, TACIT__FILTER_WORDS = 16, TACIT__FILTER_NEXT = 14 };

/* All zero passes nothing. Bytes are folded to 32 sorts, letters of either case to one. */
typedef struct tacit__filter {
    uint8_t folds[256];
    uint32_t triples[32 * 32]; /* the first three bytes, where no letter is first; and those of */
                               /* words that are too many for */
    uint64_t words[1 << (TACIT__FILTER_WORDS - 6)]; /* the hashes of words, and */
    uint32_t next[1 << TACIT__FILTER_NEXT];         /* by a shorter hash what may follow them */
} tacit__filter;

void tacit__filter_init(tacit__filter *filter);
void tacit__filter_add(tacit__filter *filter, const tacit__automaton *automaton);

/* The first letters of a word, five bits of each byte; all of them are letters. */
static inline uint64_t tacit__filter_letters(const unsigned char *bytes, size_t count, size_t left)
{
    uint64_t letters = 0;
    if (left < 8) {
        for (size_t i = 0; i < count; i++)
            letters |= (uint64_t)(bytes[i] & 31) << 8 * i;
        return letters;
    }
    letters = (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
              (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
              (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56; /* one load */
    return letters & (UINT64_C(0x1f1f1f1f1f1f1f1f) >> (64 - 8 * count));
}

static inline uint32_t tacit__filter_hash(uint64_t letters)
{
    return (uint32_t)(letters * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TACIT__FILTER_WORDS));
}

/* Whether a match can start with the three bytes here, of which the first is no letter. */
static inline bool tacit__filter_triple(const tacit__filter *filter, tacit_strview text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    const uint8_t *folds = filter->folds;
    return text.len - at < 3 ||
           (filter->triples[folds[bytes[0]] * 32 + folds[bytes[1]]] >> folds[bytes[2]] & 1);
}

/* Whether a match can start with the letters from `at` to `end`, at least one, after which no
 * letter stands. */
static inline bool tacit__filter_word(const tacit__filter *filter, tacit_strview text, size_t at,
                                      size_t end)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    if (end + 1 >= text.len)
        return true;
    if (tacit__filter_triple(filter, text, at))
        return true;
    size_t count = end - at < TACIT__FILTER_LETTERS ? end - at : TACIT__FILTER_LETTERS;
    uint64_t letters = tacit__filter_letters(bytes + at, count, text.len - at);
    uint32_t hash = tacit__filter_hash(letters);
    if (!(filter->words[hash >> 6] >> (hash & 63) & 1))
        return false;
    unsigned char next = tacit__blank_byte(bytes[end]) ? bytes[end + 1] : bytes[end];
    return filter->next[hash >> (TACIT__FILTER_WORDS - TACIT__FILTER_NEXT)] >> filter->folds[next] & 1;
}

#endif
