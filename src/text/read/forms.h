/*
 * forms.h - how a name or number can be written, and whether a word that could be a name is
 * meant as one where it stands. What the document has made known (text/detect/postings.h) and what
 * the data holder knows (text/known/known.h) are both found through here.
 */
#ifndef TACIT_TEXT_READ_FORMS_H
#define TACIT_TEXT_READ_FORMS_H

#include <tacit/experimental/text.h>

#include "text/lexicon/fold.h"
#include "text/read/document.h"

/* What a word of a name or place is; bits, since "Virginia" can be more than one. */
typedef enum tacit__use {
    TACIT__AS_FIRST = 1 << 0, /* nicknames too */
    TACIT__AS_MIDDLE = 1 << 1,
    TACIT__AS_LAST = 1 << 2,
    TACIT__AS_NAME = TACIT__AS_FIRST | TACIT__AS_MIDDLE | TACIT__AS_LAST,
    TACIT__AS_CITY = 1 << 3,
    TACIT__AS_ORGANIZATION = 1 << 4,
    TACIT__AS_HOSPITAL = 1 << 5,
    TACIT__AS_STREET = 1 << 6
} tacit__use;

enum { TACIT__NAME_WORDS = 8 };

/* From this weight on, in the list of first names, a word may be one where something tells so. */
enum { TACIT__KNOWN_FIRST = 3 };

/* The words of a written name that say who it is; titles, particles and what follows a
 * second comma are left out. */
typedef struct tacit__name {
    size_t count;
    struct tacit__name_part {
        size_t word;
        uint8_t role;
    } parts[TACIT__NAME_WORDS];
} tacit__name;

/* "Virginia P. Weston", "WESTON, VIRGINIA P.", "Mrs. Weston", "\"Red\" Graves": words from to
 * but not including `to`, of which the first TACIT__NAME_WORDS count. */
void tacit__name_read(tacit__name *name, const tacit__document *document, size_t from, size_t to);

/* "van", "de la": what stands before a surname. */
bool tacit__is_particle(const tacit__document *document, size_t at);

/* Whether "Mr.", "Dr.", "Dear" and such stands right before the word. */
bool tacit__is_addressed(const tacit__document *document, size_t at);

/* The word without the end of a plural, as keys of "Weston" for "Westons" and of "Jones" and "Jone"
 * for "Joneses": how many there are, the longest first. Only a word with a capital is one. */
enum { TACIT__PLURALS = 2 };
size_t tacit__plural_of(uint64_t keys[TACIT__PLURALS], const tacit__document *document, size_t at);

/* Whether "the" stands right before the word. */
bool tacit__has_article(const tacit__document *document, size_t at);

/* The rules of proposals for such words, by the letters of the end; what stands for them has an end
 * of its own. */
extern const char tacit__plural_s[], tacit__plural_es[];

/* Whether the word begins with a capital, or the document has none to tell by. */
bool tacit__is_name_shaped(const tacit__document *document, size_t at);

/* Most words of a text: in lower case, where that says something, and of the language, with no
 * title before them. Nothing that is known makes them a name. */
static inline bool tacit__is_plain(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    return word->shape == TACIT__SHAPE_LOWER && word->entry.word > 0 &&
           document->casing != TACIT__CASING_LOWER &&
           (at == 0 || !tacit__lexicon_in(&word[-1].entry, TACIT__LIST_TITLE));
}

/* From 0 to 100: how far a word that is somebody's name is to be taken for it here. "pain" is
 * not because of Mr. Pain, nor "Long" at the start of a sentence, nor the Parkinson of
 * "Parkinson's disease". */
int tacit__name_trust(const tacit__document *document, size_t at);

/* The initials that begin at the word, "VPW", "VW" or "V.P.W.": how many words they are, 0
 * where there are none. *letters gets two or three, in lower case and terminated. */
size_t tacit__initials_at(char letters[4], const tacit__document *document, size_t at);

/* Whether the word is who typed a letter, as behind the writer's initials in "RN/jk". */
bool tacit__is_typist(const tacit__document *document, size_t at);

/* From 0 to 100, like tacit__name_trust: initials that are an abbreviation or a word too count
 * only where they close a letter ("RN/jk", or alone on their line), and two letters less than
 * three. */
int tacit__initials_trust(const tacit__document *document, size_t at, size_t words,
                          const char *letters);

/* Letters and digits of a number, whatever parts them. */
typedef struct tacit__number {
    uint64_t hash;
    unsigned digits, letters;
} tacit__number;

void tacit__number_add(tacit__number *number, tacit_strview text);

/* Adds the word at *end, and moves on, where it goes on the number that began at the word
 * `at`: "32-841-09787", "(304) 255-1423". */
bool tacit__number_next(tacit__number *number, size_t *end, const tacit__document *document,
                        size_t at);

/* Cuts words without digits off both ends; false where nothing is left, or too many words. */
bool tacit__number_trim(size_t *from, size_t *to, const tacit__document *document);

/* Whether values of the kind are numbers that mean the same however they are parted. */
bool tacit__is_number_kind(tacit_text_kind kind);

enum { TACIT__NUMBER_WORDS = 6, TACIT__NUMBER_DIGITS = 4 };

static inline bool tacit__has_digits(const tacit__word *word)
{
    return word->shape == TACIT__SHAPE_DIGITS || word->shape == TACIT__SHAPE_BOTH;
}

static inline uint64_t tacit__number_key(const tacit__number *number)
{
    return tacit__mix(number->hash + number->digits + number->letters);
}

/* ---- misspellings ----
 *
 * Small misspellings: one letter more, less or other, or two neighbours swapped
 * ("Lang" for "Long", "Westno" for "Weston").
 *
 * Words that are one such edit apart have a word in common that is either of them, or either
 * of them without one letter. So names are found by the keys of what is left of them, as many
 * as they have letters and one, and compared only with those that share one. */

enum {
    TACIT__EDIT_SHORTEST = 4, /* shorter names are too much alike */
    TACIT__EDIT_LONGEST = 20,
    TACIT__EDIT_KEYS = TACIT__EDIT_LONGEST + 1
};

/* Whether folded words differ by one edit; equal ones do not. */
bool tacit__one_edit(tacit_strview a, tacit_strview b);

/* The keys of a folded word; 0 of them where it is too short or too long. */
size_t tacit__edit_keys(uint64_t keys[TACIT__EDIT_KEYS], tacit_strview word);

#endif
