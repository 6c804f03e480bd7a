/*
 * posted.h - the table behind postings: what a document has made known, bounded.
 *
 * Postings lie in sets of eight, chosen by the word's key; where a set is full, the least
 * likely and of these the oldest gives way. So a look-up is at most eight comparisons, what is
 * forgotten does not depend on chance, and a new document only counts up a number. A bit per
 * posted key, in one small field, spares most words the look-up.
 */
#ifndef TACIT_SRC_TEXT_POSTED_H
#define TACIT_SRC_TEXT_POSTED_H

#include "text/edits.h"

enum {
    TACIT__POSTED_WAYS = 8,
    TACIT__POSTED_SETS = 512, /* of so many postings: 4096 in all */
    TACIT__POSTED_FILTER = 1 << 13,
    TACIT__POSTED_LETTERS = 27,
    TACIT__POSTED_RECENT = 16 /* surnames by first and by last letter */
};

typedef struct tacit__posting {
    uint64_t key;
    uint64_t serial; /* below the document's first: it is free */
    uint8_t roles;   /* tacit__use; 0 for numbers and initials */
    uint8_t likelihood;
    uint8_t kind; /* of numbers */
    uint8_t len;
    char text[TACIT__EDIT_LONGEST]; /* of surnames that may be misspelt: folded */
} tacit__posting;

typedef struct tacit__posted {
    uint64_t serial, first; /* the next posting's, and the document's first */
    uint64_t filter[TACIT__POSTED_FILTER / 64];
    uint16_t recent[2][TACIT__POSTED_LETTERS][TACIT__POSTED_RECENT];
    uint32_t recent_count[2][TACIT__POSTED_LETTERS];
    uint32_t surnames; /* that may be misspelt */
    tacit__posting table[TACIT__POSTED_SETS * TACIT__POSTED_WAYS];
} tacit__posted;

/* Forgets everything; also what makes one that is all zero ready. */
void tacit__posted_begin(tacit__posted *posted);

/* NULL where the key was not posted. */
const tacit__posting *tacit__posted_find(const tacit__posted *posted, uint64_t key);

/* The posting of the key, new or with the higher likelihood of the two. */
tacit__posting *tacit__posted_add(tacit__posted *posted, uint64_t key, int likelihood);

/* Lets a posted surname be found when it is misspelt, if it has a fitting length. */
void tacit__posted_surname(tacit__posted *posted, tacit__posting *posting, tacit_strview folded);

/* The likeliest posted surname that is one edit away from the folded word, or NULL. */
const tacit__posting *tacit__posted_near(const tacit__posted *posted, tacit_strview folded);

#endif
