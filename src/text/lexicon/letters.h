/*
 * letters.h - the orthographic rules of Sweeney's Scrub (chapter 9) as a model of letters:
 * how much does an unknown word look like a surname, a first name, an English word or a
 * medical term, and what would a name look like that nobody has?
 *
 * Each kind has a chain of letters: the probability of a letter after the three before it,
 * learned from the lists when tacit is built. A word's cost is minus the logarithm of its
 * probability; the difference of two costs is the log-likelihood ratio.
 */
#ifndef TACIT_TEXT_LEXICON_LETTERS_H
#define TACIT_TEXT_LEXICON_LETTERS_H

#include <tacit/base.h>

#include "base/random.h"

typedef enum tacit__letters_kind {
    TACIT__LETTERS_SURNAME,
    TACIT__LETTERS_FIRST,
    TACIT__LETTERS_WORD,
    TACIT__LETTERS_MEDICAL, /* diseases, drugs, parts of the body */
    TACIT__LETTERS_KINDS
} tacit__letters_kind;

enum {
    TACIT__LETTERS = 27, /* a to z, and 0 before and after a word */
    TACIT__LETTERS_BEFORE = 3,
    TACIT__LETTERS_TABLE = TACIT__LETTERS * TACIT__LETTERS * TACIT__LETTERS * TACIT__LETTERS,
    TACIT__LETTERS_UNIT = 16 /* costs are in sixteenths of a bit */
};

/* Minus the logarithm of the probability of a letter after three others, for each kind. */
typedef struct tacit__letter_cost {
    uint8_t of[TACIT__LETTERS_KINDS];
} tacit__letter_cost;

/* The number of a byte of folded text: 1 to 26 for a letter, 0 for all else. */
static inline unsigned tacit__letter(char byte)
{
    unsigned letter = (unsigned char)byte - (unsigned)'a' + 1;
    return letter < TACIT__LETTERS ? letter : 0;
}

typedef struct tacit__letters_score {
    int letters; /* those of a to z that were counted */
    int cost[TACIT__LETTERS_KINDS];
} tacit__letters_score;

/* Costs of a word; what is not a letter parts it in two ("o'brien"). All zero where there is
 * no letter or the word is longer than TACIT__FOLDED_MAX when folded. */
void tacit__letters_read(tacit__letters_score *score, tacit_strview word);

/* How much more the word looks like the one kind than like the other: log2 of the ratio of
 * likelihoods, in sixteenths of a bit. */
static inline int tacit__letters_ratio(const tacit__letters_score *score, tacit__letters_kind kind,
                                       tacit__letters_kind other)
{
    return score->cost[other] - score->cost[kind];
}

enum { TACIT__LETTERS_SHORTEST = 4, TACIT__LETTERS_LONGEST = 10 };

typedef struct tacit__made_up {
    size_t len;
    char name[TACIT__LETTERS_LONGEST + 1]; /* terminated; one capital, then lower case */
} tacit__made_up;

/* A first name or surname that looks like one and is in no list: the same from the same
 * stream. False where ten thousand attempts gave none, which has not been seen. */
bool tacit__letters_make_up(tacit__made_up *out, tacit__letters_kind kind, tacit__random *random);

/* ---- the pool ----
 *
 * Names that were made up when tacit was built, for replacements
 * to draw from: surnames, first names, and short first names for nicknames. Making one up takes
 * some microseconds, and a letter has a name every few lines. */

enum {
    TACIT__POOL_SURNAMES = 1 << 15,
    TACIT__POOL_FIRST = 1 << 15,
    TACIT__POOL_SHORT = 1 << 11,
    TACIT__POOL = TACIT__POOL_SURNAMES + TACIT__POOL_FIRST + TACIT__POOL_SHORT,
    TACIT__POOL_LETTERS = 5 /* that short ones have at most */
};

/* A word that was made up, in lower case and filled up with zeros. */
typedef struct tacit__alias {
    uint8_t len;
    char letters[TACIT__LETTERS_LONGEST + 1];
} tacit__alias;

/* TACIT__POOL of them, in the order of the enum. */
extern const tacit__alias tacit__pool[] __attribute__((visibility("hidden")));

#endif
