/*
 * disguise.h - where the replacements of a document come from: streams of draws that the key
 * and a value choose, words made up that stand for the document's, and its shift of dates.
 * What the files replace_*.c share; text/replace/replace.h is for all others.
 */
#ifndef TACIT_TEXT_REPLACE_DISGUISE_H
#define TACIT_TEXT_REPLACE_DISGUISE_H

#include "base/hash.h"
#include "text/chain/roles.h"
#include "text/lexicon/ledger.h"
#include "text/lexicon/pool.h"
#include "text/read/parts.h"
#include "text/replace/replace.h"

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
