/*
 * posted.h - the table behind postings: what a document has made known, bounded.
 *
 * Postings are in sets of eight, chosen by the word's key; where a set is full, the least
 * likely and of these the oldest gives way. So a look-up is at most eight comparisons, and what is
 * forgotten does not depend on chance. They lie one after the other in the order in which they
 * came, so that those of a letter are together; a new document only begins the order again. A bit
 * per posted key, in one small field, spares most words the look-up.
 */
#ifndef TACIT_TEXT_DETECT_POSTED_H
#define TACIT_TEXT_DETECT_POSTED_H

#include "text/replace/edits.h"

enum {
    TACIT__POSTED_WAYS = 8,
    TACIT__POSTED_SETS = 512, /* of so many postings: 4096 in all */
    TACIT__POSTED_FILTER = 1 << 13,
    TACIT__POSTED_LETTERS = 27,
    TACIT__POSTED_RECENT = 16 /* surnames by first and by last letter */
};

typedef struct tacit__posting {
    uint64_t key;
    uint32_t serial; /* when it was posted last */
    uint8_t roles;   /* tacit__use; 0 for numbers and initials */
    uint8_t likelihood;
    uint8_t kind; /* of numbers */
    uint8_t len;
    char text[TACIT__EDIT_LONGEST]; /* of surnames that may be misspelt: folded */
} tacit__posting;

typedef struct tacit__posted {
    uint32_t serial;   /* the next posting's */
    uint32_t count;    /* places of the table in use */
    uint32_t surnames; /* that may be misspelt */
    uint64_t filter[TACIT__POSTED_FILTER / 64];
    uint8_t live[TACIT__POSTED_SETS]; /* how many a set has, and their places in the table */
    uint16_t places[TACIT__POSTED_SETS][TACIT__POSTED_WAYS];
    uint16_t recent[2][TACIT__POSTED_LETTERS][TACIT__POSTED_RECENT];
    uint32_t recent_count[2][TACIT__POSTED_LETTERS];
    tacit__posting table[TACIT__POSTED_SETS * TACIT__POSTED_WAYS];
} tacit__posted;

/* Forgets everything. */
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
