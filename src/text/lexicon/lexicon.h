/*
 * lexicon.h - which lists a word or phrase is in, and how common it is there. The lists
 * are part of the library; docs/methods/lexicons.md says where they come from.
 *
 * Words are compared folded (text/lexicon/fold.h). A word of a list is always found, with exactly
 * its lists; a word of none is found by mistake about once in a million, see
 * tacit__lexicon_rate.
 */
#ifndef TACIT_TEXT_LEXICON_LEXICON_H
#define TACIT_TEXT_LEXICON_LEXICON_H

#include "base/hash.h"

/* In the order of LISTS in scripts/lexicons/make.py. */
typedef enum tacit__lexicon_list {
    TACIT__LIST_FIRST,   /* first names; weight by babies that got it */
    TACIT__LIST_FEMALE,  /* those that at least a tenth of the time are a girl's */
    TACIT__LIST_MALE,    /* or a boy's */
    TACIT__LIST_NICK,    /* short forms; see tacit__lexicon_formal */
    TACIT__LIST_SURNAME, /* weight by rank */
    TACIT__LIST_CITY,    /* weight by people */
    TACIT__LIST_STATE,
    TACIT__LIST_STATE_CODE, /* "MA", "Mass" */
    TACIT__LIST_COUNTRY,
    TACIT__LIST_NATIONALITY,
    TACIT__LIST_STREET, /* "Avenue", "Ave" */
    TACIT__LIST_PLACE,  /* regions, rivers, mountains */
    TACIT__LIST_DISEASE,
    TACIT__LIST_DRUG,
    TACIT__LIST_BODY,
    TACIT__LIST_MEDICAL, /* procedures, instruments, abbreviations of notes */
    TACIT__LIST_OCCUPATION,
    TACIT__LIST_WORD, /* English words that have no capital; weight by how common */
    TACIT__LIST_VERB,
    TACIT__LIST_PROPER, /* words that have one */
    TACIT__LIST_EPONYM, /* "Hodgkin's" */
    TACIT__LIST_TITLE,
    TACIT__LIST_KIN,          /* "mother", "next of kin" */
    TACIT__LIST_ORGANIZATION, /* ends of names, "Inc" */
    TACIT__LIST_HOSPITAL,     /* "clinic", "medical center" */
    TACIT__LIST_UNIVERSITY,
    TACIT__LIST_MONTH, /* and feasts */
    TACIT__LIST_WEEKDAY,
    TACIT__LIST_BRAND, /* "Makita", "Nutella" */
    TACIT__LIST_OPENS, /* the first words of a phrase that is in a list; alone, it is in none */
    TACIT__LISTS
} tacit__lexicon_list;

/* Lists as bits, and weights from 1, rare, to 7; 0 where the word is not in the list. */
typedef struct tacit__lexicon_entry {
    uint32_t lists;
    uint8_t first, surname, word, city;
} tacit__lexicon_entry;

enum { TACIT__EVERYBODYS = 4 }; /* from this weight on everybody uses an English word */

/* The bit of a list. */
#define TACIT__LIST_BIT(list) (UINT32_C(1) << (list))

/* The same by the end of its name: TACIT__LISTED(CITY). */
#define TACIT__LISTED(name) TACIT__LIST_BIT(TACIT__LIST_##name)

/* Diseases, drugs, parts of the body and procedures. */
#define TACIT__LISTED_CARE \
    (TACIT__LISTED(DISEASE) | TACIT__LISTED(DRUG) | TACIT__LISTED(BODY) | TACIT__LISTED(MEDICAL))

/* Words, not names; and names of people and places. */
#define TACIT__LISTED_WORDS                                                                       \
    (TACIT__LISTED(WORD) | TACIT__LISTED(VERB) | TACIT__LISTED_CARE | TACIT__LISTED(OCCUPATION) | \
     TACIT__LISTED(KIN) | TACIT__LISTED(TITLE))
#define TACIT__LISTED_NAMES \
    (TACIT__LISTED(FIRST) | TACIT__LISTED(SURNAME) | TACIT__LISTED(CITY) | TACIT__LISTED(PLACE))

static inline bool tacit__lexicon_in(const tacit__lexicon_entry *entry, tacit__lexicon_list list)
{
    return entry->lists >> list & 1;
}

/* Whether any list has it; *entry is all zero where none has. Any bytes of any length will
 * do; more than TACIT__FOLD_READ of them are in no list, and are not looked at. */
bool tacit__lexicon_find(tacit__lexicon_entry *entry, tacit_strview text);

/* The same for bytes that are folded already, with their hash. */
bool tacit__lexicon_find_hash(tacit__lexicon_entry *entry, tacit__hash128 hash);

/* The longest phrase of two to six words at the start of the text that is in a list: its
 * bytes, or 0. Words are parted by white space, and the phrase ends where a word does or
 * before its closing comma, colon, semicolon or full stop. */
size_t tacit__lexicon_phrase(tacit__lexicon_entry *entry, tacit_strview text);

/* The share of words outside the lists that tacit__lexicon_find finds all the same. */
double tacit__lexicon_rate(void);

/* How many words and phrases there are. */
size_t tacit__lexicon_size(void);

/* The names that a short form stands for ("ginny": "virginia"), at most capacity of them;
 * returns how many were written. They are part of the library. */
size_t tacit__lexicon_formal(tacit_strview *names, size_t capacity, tacit_strview nickname);

/* Whether five digits are a code in use in the United States. state, unless NULL, gets the
 * two letters of most codes that begin with its first three, or nothing. */
bool tacit__lexicon_zip(char state[3], tacit_strview digits);

#endif
