/*
 * model.h - what the weights of a chain are, for the files that read, use and learn
 * them.
 *
 * Evidence is a number, that of a row of weights. A row has a weight for each label but
 * OTHER, whose weight is always 0: only differences count. Rows come in this order:
 *
 *   sorts      evidence with fixed values, such as a word's shape and whether it starts a
 *              sentence; each sort (tacit__sort) has a row for every combination of its fields
 *   the rest   in the order in which they came to be known: the last three letters of words,
 *              and six rows for each word that is known by itself: as the word, before it,
 *              two before, after, two after, and as the key of a line ("Patient name: ...")
 */
#ifndef TACIT_TEXT_CHAIN_MODEL_H
#define TACIT_TEXT_CHAIN_MODEL_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "text/chain/chain.h"

enum { TACIT__NAMED = TACIT__LABELS - 1 }; /* labels that have weights */

/* The weights of a row, of the label after OTHER first. */
typedef float tacit__weights __attribute__((vector_size(TACIT__NAMED * sizeof(float))));

/* What a word is to those beside it: its main list, told apart by case. */
typedef enum tacit__chain_role {
    TACIT__ROLE_NONE, /* beyond the first or last word */
    TACIT__ROLE_NUMBER,
    TACIT__ROLE_CODE, /* letters and digits */
    TACIT__ROLE_INITIAL,
    TACIT__ROLE_TITLE,
    TACIT__ROLE_MONTH, /* or weekday */
    TACIT__ROLE_STATE_CODE,
    TACIT__ROLE_STATE,
    TACIT__ROLE_COUNTRY,
    TACIT__ROLE_NATIONALITY,
    TACIT__ROLE_STREET,
    TACIT__ROLE_HOSPITAL,
    TACIT__ROLE_ORGANIZATION,
    TACIT__ROLE_UNIVERSITY,
    TACIT__ROLE_KIN,
    TACIT__ROLE_FIRST,     /* a first name, hardly anything else */
    TACIT__ROLE_SURNAME,   /* a surname, hardly anything else */
    TACIT__ROLE_BOTH,      /* both equally */
    TACIT__ROLE_NAME_WORD, /* a name and an English word */
    TACIT__ROLE_CITY,
    TACIT__ROLE_CITY_NAME, /* a city and a name */
    TACIT__ROLE_PLACE,
    TACIT__ROLE_EPONYM,
    TACIT__ROLE_MEDICAL, /* diseases, drugs, parts of the body, procedures */
    TACIT__ROLE_BRAND,
    TACIT__ROLE_OCCUPATION,
    TACIT__ROLE_COMMON, /* an English word that everybody uses */
    TACIT__ROLE_WORD,
    TACIT__ROLE_PROPER,
    TACIT__ROLE_CAPITALS,  /* in no list, all capitals */
    TACIT__ROLE_UNKNOWN,   /* in no list */
    TACIT__ROLE_LOW_TITLE, /* from here on: lower case in text that has capitals */
    TACIT__ROLE_LOW_KIN,
    TACIT__ROLE_LOW_CARE, /* hospital and organization */
    TACIT__ROLE_LOW_STREET,
    TACIT__ROLE_LOW_OCCUPATION,
    TACIT__ROLE_LOW_MEDICAL,
    TACIT__ROLE_LOW_PARTICLE, /* "of", "and", "van": goes on within names */
    TACIT__ROLE_LOW_COMMON,
    TACIT__ROLE_LOW_VERB,
    TACIT__ROLE_LOW_WORD,
    TACIT__ROLE_LOW_NAME, /* a name and no word */
    TACIT__ROLE_LOW_UNKNOWN,
    TACIT__ROLES
} tacit__chain_role;

/* The strongest of what parts two words. */
typedef enum tacit__break {
    TACIT__BREAK_NONE,  /* space or nothing */
    TACIT__BREAK_TIGHT, /* hyphen or slash */
    TACIT__BREAK_QUOTE,
    TACIT__BREAK_COMMA,
    TACIT__BREAK_STOP,
    TACIT__BREAK_COLON,
    TACIT__BREAK_OTHER,
    TACIT__BREAK_LINE,
    TACIT__BREAK_COMMA_LINE,
    TACIT__BREAK_SENTENCE,
    TACIT__BREAK_PARAGRAPH,
    TACIT__BREAKS
} tacit__break;

/* How a word is written, in short. */
typedef enum tacit__look {
    TACIT__LOOK_LOWER,
    TACIT__LOOK_CAPITAL,
    TACIT__LOOK_CAPITALS,
    TACIT__LOOK_DIGITS,
    TACIT__LOOKS
} tacit__look;

/* Sorts of evidence; src/text/chain/chain.c has their names and fields. */
typedef enum tacit__sort {
    TACIT__SORT_AFTER, /* of a label after another: kind of break, label before */
    TACIT__SORT_BIAS,
    TACIT__SORT_SHAPE,
    TACIT__SORT_LENGTH,
    TACIT__SORT_LIST,
    TACIT__SORT_NAME,
    TACIT__SORT_CITY,
    TACIT__SORT_ROLE,
    TACIT__SORT_ROLE_BEFORE,
    TACIT__SORT_ROLE_AFTER,
    TACIT__SORT_ROLE_TWO_AFTER,
    TACIT__SORT_PAIR_BEFORE,
    TACIT__SORT_PAIR_AFTER,
    TACIT__SORT_BREAK_BEFORE,
    TACIT__SORT_BREAK_AFTER,
    TACIT__SORT_LINE,
    TACIT__SORT_SURNAME_LETTERS,
    TACIT__SORT_FIRST_LETTERS,
    TACIT__SORT_MEDICAL_LETTERS,
    TACIT__SORT_DIGITS_BEFORE,
    TACIT__SORT_DIGITS_AFTER,
    TACIT__SORT_ZIP,
    TACIT__SORT_SEEN,
    TACIT__SORT_MARKS,
    TACIT__SORT_INITIALS,
    TACIT__SORT_TITLED,
    TACIT__SORT_SHAPES,
    TACIT__SORTS
} tacit__sort;

/* A word's six rows. */
typedef enum tacit__chain_place {
    TACIT__PLACE_ITSELF,
    TACIT__PLACE_BEFORE,
    TACIT__PLACE_TWO_BEFORE,
    TACIT__PLACE_AFTER,
    TACIT__PLACE_TWO_AFTER,
    TACIT__PLACE_KEY,
    TACIT__PLACES
} tacit__chain_place;

enum {
    TACIT__GAP_ALL = TACIT__GAP_OTHER * 2, /* more than all gaps together */
    TACIT__ENDING = 3,                     /* letters */
    TACIT__ENDINGS = 27 * 27 * 27,
    TACIT__CHAIN_ROWS = 1 << 22, /* more are refused */
    TACIT__EVIDENCE = 128        /* no word has more */
};

/* A word that the weights know, folded, and the first of its rows. */
typedef struct tacit__chain_word {
    tacit_strview name;
    uint64_t key;
    uint32_t row;
} tacit__chain_word;

/* Where a key's rows are; no row of a word is 0, which marks an empty slot. */
typedef struct tacit__chain_slot {
    uint32_t tag; /* of the key */
    uint32_t row;
} tacit__chain_slot;

/* A break between two words as factors: by how much the label before it makes each label
 * likelier; OTHER's factor is always 1. The same twice, as going forward and back needs it. */
typedef struct tacit__turn {
    tacit__weights to[TACIT__LABELS];  /* of the label before: factors of the labels after */
    tacit__weights from[TACIT__NAMED]; /* of the label after: factors by the labels before */
} tacit__turn;

struct tacit__chain {
    tacit__weights *rows;
    size_t row_count, row_capacity;
    uint32_t base[TACIT__SORTS];      /* the first row of each sort */
    uint32_t endings[TACIT__ENDINGS]; /* rows by tacit__ending_of; 0 is none */
    tacit__chain_word *words;
    size_t word_count, word_capacity;
    tacit__chain_slot *slots;
    size_t slot_count; /* a power of two */
    tacit__arena names;
    tacit__turn turn[TACIT__BREAKS];
    uint8_t breaks[TACIT__GAP_ALL * 2]; /* tacit__break_of, see tacit__break_at */
    /* Of a chain that is not being learned, what follows from its rows: */
    tacit__weights *left;  /* the rows on a role, the break before it and the role before that */
    tacit__weights *right; /* and on those after it, added up: see tacit__chain_pair */
    uint32_t nothing;      /* a row of zeros */
    uint64_t mark;         /* other weights have another one */
};

/* Where the sum of a role, a break and a role behind it is. */
static inline size_t tacit__chain_pair(size_t before, size_t gap, size_t after)
{
    return (before * TACIT__BREAKS + gap) * TACIT__ROLES + after;
}

enum { TACIT__CHAIN_PAIRS = TACIT__ROLES * TACIT__BREAKS * TACIT__ROLES };

/* What rows are called. */
uint32_t tacit__sort_rows(tacit__sort sort);

/* The sort, and the number of the row within it, of a name such as
 * "shape:capital.start.usual"; false where there is none. *sort is what it was for the last name,
 * which is likely, and looked at first. */
bool tacit__sort_find(tacit__sort *sort, uint32_t *number, tacit_strview name);
void tacit__sort_write(tacit__strbuf *out, tacit__sort sort, uint32_t number);

const char *tacit__label_name(tacit__label label);
const char *tacit__place_name(tacit__chain_place place); /* "word", "word-1", ... */

/* The number of the last three letters, or -1 where they are not all of a to z. */
int tacit__ending_of(tacit_strview word);

/* A chain that knows no words and whose weights are all zero. */
tacit_status tacit__chain_empty(tacit__chain **out, tacit_error *err);

/* The first row of a word, or the row of an ending; with weights of zero where it is new. */
tacit_status tacit__chain_know_word(uint32_t *row, tacit__chain *model, tacit_strview folded,
                                    tacit_error *err);
tacit_status tacit__chain_know_ending(uint32_t *row, tacit__chain *model, int number,
                                      tacit_error *err);

/* The weights as text, to two places. */
void tacit__chain_write(tacit__strbuf *out, const tacit__chain *model);

/* Brings the factors of a break up to date with its rows. */
void tacit__chain_set_turn(tacit__chain *model, tacit__break gap);

/* traits.c: the strongest of what is before a word. */
tacit__break tacit__break_of(const tacit__word *word);

/* The same by a table. */
static inline uint8_t tacit__break_at(const tacit__chain *model, const tacit__word *word)
{
    return model->breaks[word->before | (word->flags & TACIT__WORD_SENTENCE) * TACIT__GAP_ALL];
}

/* The first row of a word that the weights know, or 0. */
static inline uint32_t tacit__chain_row(const tacit__chain *model, uint64_t key)
{
    uint32_t tag = (uint32_t)(key >> 32);
    for (uint64_t at = key;; at++) {
        const tacit__chain_slot *slot = &model->slots[at & (model->slot_count - 1)];
        if (slot->row == 0 || slot->tag == tag)
            return slot->row;
    }
}

#endif
