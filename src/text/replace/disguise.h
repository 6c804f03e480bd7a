/*
 * disguise.h - where the replacements of a document come from: streams of draws that the key
 * and a value choose, words made up that stand for the document's, and its shift of dates.
 * What the files of this folder share; text/replace/replace.h is for all others.
 */
#ifndef TACIT_TEXT_REPLACE_DISGUISE_H
#define TACIT_TEXT_REPLACE_DISGUISE_H

#include <tacit/base.h>

#include "base/hash.h"
#include "text/lexicon/letters.h"
#include "text/read/parts.h"
#include "text/replace/replace.h"

/* ---- ledgers ----
 *
 * What was noted under a key of 64 bits, for one document: which words it has, what its values
 * became. A hash table that is emptied for every document by counting up a number, and takes no
 * more of its memory than the document needs. It is bounded: one that is full is emptied and starts
 * over, so that memory does not depend on a document's length. */

enum { TACIT__LEDGER_MIN = 128, TACIT__LEDGER_MAX = 1 << 18 };

typedef struct tacit__ledger_line {
    uint64_t key;
    uint32_t value;
    uint32_t times; /* as the ledger's, or the line is free */
} tacit__ledger_line;

/* All zero is an empty one. */
typedef struct tacit__ledger {
    tacit__ledger_line *lines;
    size_t size, allocated; /* lines in use, a power of two, and lines there are */
    size_t count;
    uint64_t salt;
    unsigned shift; /* what leaves a number below size of one of 64 bits */
    uint32_t times; /* how often it was emptied */
} tacit__ledger;

void tacit__ledger_clear(tacit__ledger *ledger);
void tacit__ledger_empty(tacit__ledger *ledger, uint64_t salt);

/* Room for so many more keys, where the lines in use do not suffice. */
bool tacit__ledger_enlarge(tacit__ledger *ledger, size_t more);

/* Room for so many more keys; false where memory ran out. Lines may move. */
static inline bool tacit__ledger_capacity(tacit__ledger *ledger, size_t more)
{
    return 2 * (ledger->count + more) <= ledger->size || tacit__ledger_enlarge(ledger, more);
}

/* Where the key's line is, or is nearest to. It is that of a product with a secret odd number: so
 * two keys, whichever they are, meet with a chance of 2 in the number of places (Dietzfelbinger and
 * others, 1997), and whoever writes a document cannot choose words that do. */
static inline size_t tacit__ledger_start(const tacit__ledger *ledger, uint64_t key)
{
    uint64_t factor = (ledger->salt ^ UINT64_C(0x9E3779B97F4A7C15)) | 1;
    return (size_t)(key * factor >> ledger->shift);
}

/* Asks the processor for the line of a key that will be needed soon; there are lines. */
static inline void tacit__ledger_expect(const tacit__ledger *ledger, uint64_t key)
{
    __builtin_prefetch(&ledger->lines[tacit__ledger_start(ledger, key)]);
}

/* The line of the key, or the free one where it would be. */
static inline tacit__ledger_line *tacit__ledger_place(const tacit__ledger *ledger, uint64_t key)
{
    size_t at = tacit__ledger_start(ledger, key);
    while ((ledger->lines[at].times == ledger->times) & (ledger->lines[at].key != key))
        at = (at + 1) & (ledger->size - 1);
    return &ledger->lines[at];
}

/* The line of the key, for which there is room; a new one has the value 0. It stays where it is
 * until room is made. It is written in either case, as nobody can guess which it is. */
static inline tacit__ledger_line *tacit__ledger_line_of(tacit__ledger *ledger, uint64_t key)
{
    tacit__ledger_line *line = tacit__ledger_place(ledger, key);
    uint32_t old = 0u - (line->times == ledger->times);
    *line = (tacit__ledger_line){.key = key, .value = line->value & old, .times = ledger->times};
    ledger->count += old + 1;
    return line;
}

/* Notes a value under a key, for which there is room, unless one is noted already. */
static inline void tacit__ledger_note(tacit__ledger *ledger, uint64_t key, uint32_t value)
{
    size_t before = ledger->count;
    tacit__ledger_line *line = tacit__ledger_line_of(ledger, key);
    if (ledger->count > before)
        line->value = value;
}

/* Whether there is a value under the key; value may be NULL. */
static inline bool tacit__ledger_find(uint32_t *value, const tacit__ledger *ledger, uint64_t key)
{
    if (ledger->count == 0)
        return false;
    const tacit__ledger_line *line = tacit__ledger_place(ledger, key);
    if (line->times == ledger->times && value)
        *value = line->value;
    return line->times == ledger->times;
}

/* ---- fillers ----
 *
 * Words that have a part in names of many people or places and say nothing of whom or which: "of",
 * "North", "Hospital", "van", "Dr.". Replacements keep them. */

typedef enum tacit__filler {
    TACIT__FILLER_FUNCTION = 1 << 0, /* "of", in names of places and organizations */
    TACIT__FILLER_COMMON = 1 << 1,   /* "North", "Saint", "Lake" */
    TACIT__FILLER_CITY = 1 << 2,     /* "Heights" */
    TACIT__FILLER_UNIT = 1 << 3,     /* of an address, around the street: "Apt" */
    TACIT__FILLER_CARE = 1 << 4,     /* "Hospital", "Regional" */
    TACIT__FILLER_PARTICLE = 1 << 5, /* of people's names: "van", "da" */
    TACIT__FILLER_TITLE = 1 << 6,    /* with a name: "Dr", "Jr" */
    TACIT__FILLER_ADDRESS = 1 << 7,  /* forms of address, spelled out too: "Professor" */
    TACIT__FILLER_CAPITAL = 1 << 8   /* particles with a capital too: "Van", but not "Le" */
} tacit__filler;

/* Notes all of them in an empty ledger; false where memory ran out. */
bool tacit__roles_init(tacit__ledger *roles);

/* The roles of a word in whatever case, as bits. */
unsigned tacit__roles_of(const tacit__ledger *roles, const tacit__read_part *word);

/* ---- disguises ---- */

/* Which draws of one value are meant. Values of one space agree whatever their kind is: a
 * number that is a fax here and a phone there is the same number. */
typedef enum tacit__space {
    TACIT__SPACE_WORD,
    TACIT__SPACE_LETTER,
    TACIT__SPACE_PAIR,
    TACIT__SPACE_CODE,
    TACIT__SPACE_NUMBER,
    TACIT__SPACE_STATE,
    TACIT__SPACE_COUNTRY,
    TACIT__SPACE_DOMAIN,
    TACIT__SPACE_ADDRESS,
    TACIT__SPACE_AGE,
    TACIT__SPACE_DAYS
} tacit__space;

/* A stream of numbers that a value and the key have chosen. */
typedef struct tacit__draws {
    uint64_t state;
} tacit__draws;

enum { TACIT__DISGUISE_KEY = 16 };

struct tacit__disguise {
    uint8_t holder[TACIT_TEXT_KEY_BYTES]; /* the data holder's key, where has_base */
    uint8_t base[TACIT__DISGUISE_KEY];    /* what is made of it */
    bool has_base;
    uint8_t key[TACIT__DISGUISE_KEY]; /* of the scope */
    bool alone;                       /* the scope is a document */
    bool has_days;                    /* chosen already */
    int days;                         /* how far dates move */
    int months, years;                /* the same for dates without a day */
    int anchor;                       /* the number of the day that the text was at last, or 0 */
    bool leaps;                       /* a day without a year is 29 February */
    unsigned language;                /* the row of names of months where the text is no English */
    bool failed;                      /* memory ran out */
    tacit__ledger words;              /* by tacit__word_key, see disguise.c */
    tacit__ledger given;              /* what other values have become */
    tacit__ledger spans;              /* whole spans and where in done their replacements are */
    tacit__strbuf done;
    tacit__ledger roles; /* words that stay */
    const tacit__document
        *document; /* that the span is from, or NULL, and the first of its words */
    size_t word;
};

/* The parts of the span that is being replaced, or of a part of it. */
static inline tacit__read_parts tacit__disguise_parts(const tacit__disguise *disguise,
                                                      tacit_strview text)
{
    return disguise->document ? tacit__parts_of_words(text, disguise->document, disguise->word)
                              : tacit__parts_of(text);
}

/* How far dates of the document move; chosen when the first one does. */
void tacit__disguise_choose_days(tacit__disguise *disguise);

tacit__draws tacit__disguise_draws(const tacit__disguise *disguise, tacit__space space,
                                   tacit_strview value);

static inline uint32_t tacit__draw_below(tacit__draws *draws, uint32_t bound)
{
    draws->state += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((tacit__mix(draws->state) >> 32) * bound >> 32);
}

/* The word that stands for a word in this document: always the same one, of no other word,
 * and no word of the document. NULL where none is to be had. Of the part only its text, and the
 * document's word if it is one, count. */
const tacit__alias *tacit__disguise_word(tacit__disguise *disguise, const tacit__read_part *part);

/* Notes that a value has become this word: false where the document has it, or another value has
 * become it. */
bool tacit__disguise_take(tacit__disguise *disguise, uint64_t key);

/* The key that a value is noted under. */
static inline uint64_t tacit__given_key(tacit__space space, tacit_strview value)
{
    return tacit__hash_bytes(value.bytes, value.len) + tacit__mix((uint64_t)space + 1);
}

/* What a value has become, as the caller counts it, and noting it. */
bool tacit__disguise_given(uint32_t *given, const tacit__disguise *disguise, uint64_t key);
void tacit__disguise_give(tacit__disguise *disguise, uint64_t key, uint32_t given);

/* What most replacements are made of. A word is replaced in its case, "Mc" and "O'" staying;
 * digits by as many others. False where it cannot be. */
bool tacit__put_other_word(tacit__strbuf *out, tacit__disguise *disguise,
                           const tacit__read_part *part);
void tacit__put_other_digits(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview digits);
void tacit__put_other_letter(tacit__strbuf *out, tacit__disguise *disguise,
                             const tacit__read_part *part);

/* What stands for the text of a span; false where it is not understood, and what was added
 * to out then is taken back. */
typedef bool tacit__replacement(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text);

tacit__replacement tacit__make_up_name, tacit__make_up_initials, tacit__make_up_title;
tacit__replacement tacit__make_up_street, tacit__make_up_place;
tacit__replacement tacit__make_up_hospital, tacit__make_up_organization;
tacit__replacement tacit__make_up_state, tacit__make_up_country, tacit__make_up_location;
tacit__replacement tacit__make_up_code, tacit__make_up_phone, tacit__make_up_ssn;
tacit__replacement tacit__make_up_card, tacit__make_up_bank;
tacit__replacement tacit__make_up_email, tacit__make_up_url, tacit__make_up_ip;
tacit__replacement tacit__make_up_user, tacit__make_up_coordinates;
tacit__replacement tacit__make_up_age, tacit__lump_age, tacit__lump_zip;
tacit__replacement tacit__shift_date, tacit__lump_date;

#endif
