/*
 * keys.h - numbers of 64 bits that stand for words, and for two words in a row; and which of these
 * numbers phrases of the lists can have, as bits that are part of the library. Most words that open
 * a phrase are not followed by what goes on with it, which one look at these tells.
 */
#ifndef TACIT_TEXT_LEXICON_KEYS_H
#define TACIT_TEXT_LEXICON_KEYS_H

#include <string.h>

#include "base/hash.h"
#include "text/read/sixteen.h"

enum { TACIT__PAIR_WORDS = 1 << 12 }; /* of 64 bits */

/* The key of a word of at most 16 bytes of ASCII in lower case. Each multiplication by itself loses
 * nothing. */
static inline uint64_t tacit__lower_key(tacit__lower word)
{
    uint64_t high = word.high * UINT64_C(0xBF58476D1CE4E5B9);
    return tacit__mix(word.low ^ (high << 32 | high >> 32));
}

/* The key of a word that is folded already; words of up to eight bytes never meet. */
static inline uint64_t tacit__folded_key(const char *folded, size_t len)
{
    tacit__lower word = {0};
    if (len > sizeof word)
        return tacit__hash_bytes128(folded, len).low;
    memcpy(&word, folded, len);
    return tacit__lower_key(word);
}

/* Words so far and the next one. A genitive of the word before counts, as it is part of a phrase.
 */
static inline uint64_t tacit__joined_key(uint64_t words, uint64_t next, bool genitive)
{
    return tacit__mix(words ^ (next << 1 | next >> 63) ^ (genitive ? 2 : 0));
}

/* Two bits of a pair's number, both in the same 64: where these are, and which. */
static inline size_t tacit__pair_place(uint64_t pair)
{
    return (size_t)pair % TACIT__PAIR_WORDS;
}

static inline uint64_t tacit__pair_bits(uint64_t pair)
{
    return UINT64_C(1) << (pair >> 52 & 63) | UINT64_C(1) << (pair >> 58);
}

#endif
