/*
 * memory.h - what is the same wherever a word occurs in the same form: its role, its row and
 * what the evidence of the word itself adds up to. Names and headings come again and again.
 *
 * Of most words it is kept with the word (text/lexicon/recall.h), in two forms each; of words of a
 * phrase, which have the phrase's lists too, and of initials, whose role depends on what is around
 * them, in a small table; of numbers by their length. It follows from what it is found by and from
 * the weights, so opinions do not depend on what has been seen before.
 */
#ifndef TACIT_TEXT_CHAIN_MEMORY_H
#define TACIT_TEXT_CHAIN_MEMORY_H

#include <string.h>

#include "text/chain/model.h"
#include "text/lexicon/recall.h"

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

#endif
