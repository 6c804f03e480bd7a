/*
 * pool.h - names that were made up (text/lexicon/letters.h) when tacit was built, for replacements
 * to draw from: surnames, first names, and short first names for nicknames. Making one up takes
 * some microseconds, and a letter has a name every few lines.
 */
#ifndef TACIT_TEXT_LEXICON_POOL_H
#define TACIT_TEXT_LEXICON_POOL_H

#include "text/lexicon/letters.h"

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
