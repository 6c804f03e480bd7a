/*
 * model.h - what the weights of a chain are, what of them speaks on a word, and going along words
 * with it, for the files that read, use and learn them.
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

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "text/chain/chain.h"
#include "text/lexicon/recall.h"

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

/* ---- memory ----
 *
 * What is the same wherever a word occurs in the same form: its role, its row and what the evidence
 * of the word itself adds up to. Names and headings come again and again.
 *
 * Of most words it is kept with the word (text/lexicon/recall.h), in two forms each; of words of a
 * phrase, which have the phrase's lists too, and of initials, whose role depends on what is around
 * them, in a small table; of numbers by their length. It follows from what it is found by and from
 * the weights, so opinions do not depend on what has been seen before. */

enum {
    TACIT__MEMOS = 1 << 9,
    TACIT__MEMO_SUMMED = 1 << 7, /* beside a role: the sum is known */
    TACIT__MEMO_ROLE = TACIT__MEMO_SUMMED - 1,
    TACIT__NUMBERS = 8 * 2 * 3 /* bucket of the length, start of a sentence, casing */
};

_Static_assert((int)TACIT__ROLES <= (int)TACIT__MEMO_ROLE, "a role leaves a bit");

/* A word of a phrase, or an initial. */
typedef struct tacit__memo {
    uint64_t key;
    uint32_t lists;
    uint16_t form; /* 0 where there is nothing */
    uint8_t city;
    uint8_t role; /* and TACIT__MEMO_SUMMED */
    tacit__weights sum;
} tacit__memo;

/* A thread's, of weights of one mark. */
typedef struct tacit__chain_memory {
    uint64_t mark;
    tacit__memo memos[TACIT__MEMOS];
    tacit__weights numbers[TACIT__NUMBERS];
    bool number_known[TACIT__NUMBERS];
} tacit__chain_memory;

/* Shape, start, genitive and casing, which decide with the key what is kept of most words. Never
 * 0. */
static inline unsigned tacit__form_of(const tacit__word *word, tacit__casing casing)
{
    return 1 + word->shape + 8u * (word->flags & (TACIT__WORD_SENTENCE | TACIT__WORD_GENITIVE)) +
           32u * casing;
}

/* The same of others, with the role of an initial. */
static inline unsigned tacit__long_form_of(const tacit__word *word, tacit__casing casing,
                                           unsigned role)
{
    unsigned phrase = word->flags & (TACIT__WORD_PHRASE | TACIT__WORD_GOES_ON);
    return tacit__form_of(word, casing) | phrase << 5 | role << 10;
}

/* Where a word is remembered, unless it is of another sort or was forgotten: then NULL. What is of
 * a phrase has its lists too, and letters beyond ASCII are folded while endings are not. */
static inline tacit__habit *tacit__memory_habit(tacit__habits *habits, const tacit__word *word)
{
    if (!habits || word->shape >= TACIT__SHAPE_INITIAL ||
        word->flags & (TACIT__WORD_PHRASE | TACIT__WORD_FOREIGN))
        return NULL;
    return tacit__habit_find(habits, word->key);
}

/* Which of the two forms that are kept it is; 2 where it is none. */
static inline unsigned tacit__habit_way(const tacit__habit *habit, unsigned form)
{
    unsigned way = habit->form[0] != form;
    return habit->form[way] == form ? way : 2;
}

/* Keeps one more form, in the first place; what was there goes to the second. */
static inline void tacit__habit_keep(tacit__habit *habit, unsigned form, unsigned role)
{
    habit->form[1] = habit->form[0];
    habit->role[1] = habit->role[0];
    memcpy(habit->sum[1], habit->sum[0], sizeof habit->sum[0]);
    habit->form[0] = (uint8_t)form;
    habit->role[0] = (uint8_t)role;
}

/* Where a word of a phrase, or an initial, may be remembered. */
static inline tacit__memo *tacit__memory_memo(tacit__chain_memory *memory, const tacit__word *word)
{
    uint64_t mixed = word->key ^ word->key >> 32 ^ word->entry.lists;
    return &memory->memos[(mixed ^ mixed >> 16 ^ word->shape) % TACIT__MEMOS];
}

static inline bool tacit__memo_is(const tacit__memo *memo, const tacit__word *word, unsigned form)
{
    return memo->key == word->key && memo->form == form && memo->lists == word->entry.lists &&
           memo->city == word->entry.city;
}

static inline void tacit__memo_keep(tacit__memo *memo, const tacit__word *word, unsigned form,
                                    unsigned role)
{
    memo->key = word->key;
    memo->form = (uint16_t)form;
    memo->lists = word->entry.lists;
    memo->city = word->entry.city;
    memo->role = (uint8_t)role;
}

/* ---- evidence ----
 *
 * What speaks for and against a word's being part of a name: rows of weights, of the word itself,
 * of those beside it, of its line and of the same word elsewhere in the piece. */

typedef enum tacit__line_flag {
    TACIT__LINE_WORDS = 7,        /* the bucket's bits */
    TACIT__LINE_CAPITALS = 1 << 3 /* no word of it is in lower case */
} tacit__line_flag;

typedef enum tacit__trait_flag {
    TACIT__TRAIT_WITHIN = 1 << 1, /* not the first of a sentence or line */
    TACIT__TRAIT_NAMED = 1 << 2   /* in a name's place: after a title, first name or initial */
} tacit__trait_flag;

/* What evidence needs of a word more than once. */
typedef struct tacit__trait {
    uint32_t row;  /* the first of the word's rows, or 0 */
    uint32_t key;  /* the same of the word before the last colon of the line */
    uint32_t seen; /* its place in the view's, or 0 */
    uint8_t role;  /* tacit__chain_role */
    uint8_t gap;   /* tacit__break, before the word */
    uint8_t line;  /* words in it (a bucket) and tacit__line_flag */
    uint8_t flags; /* tacit__trait_flag; of plain words, no other */
} tacit__trait;

/* Places before the first word and after the last one that have traits, of no role. */
enum { TACIT__BEYOND = 2 };

/* How a word occurs in the piece: bits of tacit__trait_flag, of words that are not plain, and
 * TACIT__SEEN_LOWER. */
typedef struct tacit__chain_seen {
    uint32_t tag; /* of its key; 0 where the place is empty */
    uint8_t once, twice;
    uint16_t unused;
} tacit__chain_seen;

enum { TACIT__SEEN_LOWER = 1 << 0 }; /* beside those, in lower case */

enum { TACIT__INITIALS = 26 * 26 };

/* A document as evidence sees it. */
typedef struct tacit__chain_view {
    const tacit__chain *model;
    const tacit__document *document;
    tacit__trait *traits;    /* with TACIT__BEYOND more on both sides */
    uint64_t *open;          /* a bit for each word that is not plain: plain are those that are */
                             /* OTHER beyond doubt, and part of no chain */
    tacit__chain_seen *seen; /* the first stays empty */
    size_t seen_count;       /* of the others; a power of two */
    uint8_t *seen_bits;      /* eight for each of these; set where a key may be among them */
    tacit__chain_memory *memory; /* or NULL, and nothing is remembered; nor with the words: */
    tacit__habits *habits;
    /* Pairs of letters that two capitalized words in a row, or three, begin with. */
    uint64_t initials[TACIT__INITIALS / 64 + 1];
} tacit__chain_view;

enum { TACIT__KNOWN_NAME = 4 }; /* from this weight on, in lists of names, a word is mostly one */

/* Bytes of room that the view of a document of so many words needs. */
size_t tacit__chain_view_size(size_t words);

/* Room is aligned for any type and lives as long as the view; memory, if any, is of the same
 * weights. */
void tacit__chain_view_init(tacit__chain_view *view, const tacit__chain *model,
                            const tacit__document *document, void *room,
                            tacit__chain_memory *memory);

/* The number of a pair of letters from 0, a, to 25; TACIT__INITIALS where one is none. */
unsigned tacit__chain_initials(unsigned a, unsigned b);

/* The rows that speak on word i by itself, and by what is around it; how many. Both together
 * are at most TACIT__EVIDENCE. */
size_t tacit__chain_itself(uint32_t *rows, const tacit__chain_view *view, size_t i);
size_t tacit__chain_around(uint32_t *rows, const tacit__chain_view *view, size_t i);

/* What these rows add up to, by a chain that is not being learned; the same sum, whether some of it
 * is remembered or not. */
tacit__weights tacit__chain_sum(const tacit__chain_view *view, size_t i);

/* ---- forward and backward ---- */

/* Something of each label. */
typedef struct tacit__chain_shares {
    tacit__weights named;
    float other;
} tacit__chain_shares;

static inline float tacit__share_of(const tacit__chain_shares *shares, int label)
{
    return label == TACIT__LABEL_OTHER ? shares->other : shares->named[label - 1];
}

/* A word of a stretch. */
typedef struct tacit__chain_step {
    tacit__chain_shares factor;   /* by the word's evidence; in proportion only */
    tacit__chain_shares forward;  /* by it and all before it; they sum to 1 */
    tacit__chain_shares backward; /* by all after it; they sum to 1 */
    tacit__chain_shares share;    /* all in all; they sum to 1 */
    uint8_t gap;                  /* tacit__break, before the word */
} tacit__chain_step;

/* The factors of a word whose rows add up to these weights; what they were divided by, as a
 * logarithm. */
float tacit__step_weigh(tacit__chain_step *step, tacit__weights sum);

/* Fills in all but the factors. Before the first word and after the last one, which are not
 * there, is OTHER. *sum, unless NULL, gets the logarithm of the sum over all labellings, to which
 * what the factors were divided by is to be added. */
void tacit__steps_pass(tacit__chain_step *steps, size_t count,
                       const tacit__turn turn[TACIT__BREAKS], double *sum);

/* The share of each label after a label of the word before (whose step is NULL before the
 * first), after a pass. */
void tacit__steps_pair(tacit__chain_shares after[TACIT__LABELS], const tacit__chain_step *before,
                       const tacit__chain_step *step, const tacit__turn *turn);

#endif
