/*
 * index.h - the tables behind known values (text/known/known.h). No value is kept as it was
 * written but the single names that misspellings are compared with:
 *
 *   words   a hash table of words, phrases, numbers and dates: what is each?
 *   pairs   who has which names: given name and surname hashed together, as a Boolean look-up
 *           (chapter 9) of 30 bits a pair, so that 200 000 people take a few megabytes
 *   near    names by what is left of them without one letter (text/read/forms.h)
 *   initials  bits, one for each two or three letters
 */
#ifndef TACIT_TEXT_KNOWN_INDEX_H
#define TACIT_TEXT_KNOWN_INDEX_H

#include "text/known/known.h"
#include "text/lexicon/lookup.h"

enum {
    TACIT__KNOWN_OPENS = 0x0080, /* a word that phrases begin with */
    TACIT__KNOWN_KIND = 8        /* bits from here on: the kind of a phrase, number or date */
};

/* What the keys of things that are not words are mixed with. */
#define TACIT__KNOWN_PHRASE UINT64_C(0x8EBC6AF09C88C6E3)
#define TACIT__KNOWN_NUMBER UINT64_C(0x589965CC75374CC3)
#define TACIT__KNOWN_DATE   UINT64_C(0x1D8E4E27C47D124F)

/* ---- words ---- */

typedef struct tacit__known_words {
    uint64_t *keys; /* 0 is free */
    uint16_t *what;
    size_t slots, count; /* a power of two, at most 2/3 of them in use */
} tacit__known_words;

/* 0 where the key is not there. */
static inline unsigned tacit__known_what(const tacit__known_words *words, uint64_t key)
{
    if (words->count == 0)
        return 0;
    for (size_t at = key & (words->slots - 1); words->keys[at]; at = (at + 1) & (words->slots - 1))
        if (words->keys[at] == key)
            return words->what[at];
    return 0;
}

/* ---- pairs ---- */

static inline tacit__hash128 tacit__known_pair(uint64_t given, uint64_t surname)
{
    uint64_t low = tacit__mix(given ^ (surname << 21 | surname >> 43));
    return (tacit__hash128){.low = low, .high = tacit__mix(low + surname)};
}

/* ---- near ---- */

typedef struct tacit__known_near {
    char *text; /* of the names, each with its length before it */
    size_t text_len, text_capacity;
    uint32_t *names; /* where each begins */
    size_t count, capacity;
    uint32_t *starts; /* of the buckets, and the end of the last */
    uint32_t *items;  /* names, by bucket */
    size_t buckets;   /* a power of two; 0 until it is built */
} tacit__known_near;

/* A folded name, which is not there yet; one that is too short or too long is passed over. */
tacit_status tacit__known_near_add(tacit__known_near *near, tacit_strview folded, tacit_error *err);
tacit_status tacit__known_near_build(tacit__known_near *near, tacit_error *err);
void tacit__known_near_clear(tacit__known_near *near);

enum { TACIT__KNOWN_NEAR = 8 };

/* The keys of names that are one edit away from the folded word, at most TACIT__KNOWN_NEAR. */
size_t tacit__known_near_find(uint64_t keys[TACIT__KNOWN_NEAR], const tacit__known_near *near,
                              tacit_strview folded);

/* ---- initials ---- */

enum { TACIT__KNOWN_INITIALS = 27 * 26 * 26 };

typedef struct tacit__known_initials {
    uint64_t bits[(TACIT__KNOWN_INITIALS + 63) / 64];
    unsigned threes; /* how many of the 17 576 are known */
} tacit__known_initials;

bool tacit__known_initials_has(const tacit__known_initials *initials, const char *letters);

/* ---- all of them ---- */

struct tacit__known {
    tacit__known_words words;
    tacit__boolean pairs;
    tacit__known_near near;
    tacit__known_initials initials;
    size_t people;
    bool names, phrases, numbers, dates, letters; /* whether there are any */
};

enum { TACIT__KNOWN_PHRASE_WORDS = 8, TACIT__KNOWN_FORMAL = 8 };

/* The key of a phrase is built up word by word from 0; one word for a street stands for all
 * ("Ave", "Avenue"), but where it comes first. */
static inline uint64_t tacit__known_phrase_add(uint64_t phrase, const tacit__word *word)
{
    bool street = phrase != 0 && tacit__lexicon_in(&word->entry, TACIT__LIST_STREET);
    return tacit__mix(phrase + (street ? TACIT__KNOWN_PHRASE : word->key));
}

/* ---- dates ---- */

/* A day as year within its century, month and day: forms with two digits of the year meet
 * those with four. */
typedef uint32_t tacit__known_day;

enum { TACIT__KNOWN_READINGS = 2 };

/* The date that begins at the word: how many words it has, 0 where there is none. 03/04/86 is
 * read as the fourth of March and as the third of April. */
size_t tacit__known_date_at(tacit__known_day days[TACIT__KNOWN_READINGS], size_t *readings,
                            const tacit__document *document, size_t at);

#endif
