/*
 * evidence.h - what speaks for and against a word's being part of a name: rows of
 * weights (text/chain/model.h), of the word itself, of those beside it, of its line and of the
 * same word elsewhere in the piece; and going forward and backward along a stretch of words with
 * them, for judging and learning.
 */
#ifndef TACIT_TEXT_CHAIN_EVIDENCE_H
#define TACIT_TEXT_CHAIN_EVIDENCE_H

#include <string.h>

#include "text/chain/model.h"
#include "text/lexicon/recall.h"

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

/* ---- evidence ---- */

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
