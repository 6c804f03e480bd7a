/*
 * recall.h - which lists a word is in, and whether it and the next are a phrase, with a memory for
 * the words and groups of words that were there a moment ago: most words of a text are few.
 *
 * Whoever reads words may keep there what is the same wherever a word occurs, so that a word that
 * is remembered costs one line of the processor's cache in all. What is remembered may be gone at
 * any time, and nothing that is found depends on it.
 */
#ifndef TACIT_TEXT_LEXICON_RECALL_H
#define TACIT_TEXT_LEXICON_RECALL_H

#include <string.h>

#include "text/lexicon/keys.h"
#include "text/read/document.h"

enum { TACIT__HABIT_WORDS = 1 << 14, TACIT__HABIT_PHRASES = 1 << 13 };

/* A word, in a line of the processor's cache: its key, or 0 where nothing is remembered; its lists;
 * and what others keep there of it. */
typedef struct tacit__habit {
    uint64_t key;
    tacit__lexicon_entry entry;
    uint32_t
        after;    /* of templates: what may follow the word, see tacit__filter_after; all, which */
                  /* is TACIT__WORD_UNASKED, as long as that is not known */
    uint32_t row; /* of the chain: the word's row, and of two forms (text/chain/model.h), 0 */
    uint8_t form[2]; /* where there is none, */
    uint8_t role[2]; /* its role, */
    uint8_t asked;   /* tacit__lexicon_asked */
    uint8_t pool;    /* of replacements: where names for it are drawn from */
    float sum[2][4]; /* and the sum of its evidence */
} tacit__habit;

/* What of a habit is known. */
typedef enum tacit__lexicon_asked {
    TACIT__ASKED_AFTER = 1 << 0,
    TACIT__ASKED_ROW = 1 << 1,
    TACIT__ASKED_POOL = 1 << 2
} tacit__lexicon_asked;

_Static_assert(sizeof(tacit__lexicon_entry) == sizeof(uint64_t), "an entry is read as a number");
_Static_assert(sizeof(tacit__habit) == 64, "a habit is a line of the processor's cache");

/* Two words or three as one number, and what they are. */
typedef struct tacit__habit_phrase {
    uint64_t words;
    tacit__lexicon_entry entry; /* nothing where no list has them */
} tacit__habit_phrase;

/* Tables without chains: other words in the same places take them over. */
struct tacit__habits {
    uint16_t signs[256]; /* tacit__sign_ascii of each byte, 0 beyond ASCII */
    tacit__habit *words; /* TACIT__HABIT_WORDS, in the same memory */
    tacit__habit_phrase phrases[TACIT__HABIT_PHRASES];
    uint64_t templates, weights; /* marks of those that asked, whose answers these are; 0: nobody */
};

/* What is remembered depends on words alone, so it may go on from document to document. */
tacit__habits *tacit__habits_new(void); /* NULL when out of memory; freed by tacit__free */

/* Where a word of this key is, if it is remembered: in either of two places, which lie beside each
 * other. Which of them it is cannot be guessed, so nothing is. */
static inline tacit__habit *tacit__habit_place(tacit__habits *habits, uint64_t key)
{
    size_t place = key & (TACIT__HABIT_WORDS - 1);
    return &habits->words[place ^ (habits->words[place].key != key)];
}

/* What is remembered of a word of this key, or NULL: always where the key is 0. */
static inline tacit__habit *tacit__habit_find(tacit__habits *habits, uint64_t key)
{
    tacit__habit *habit = tacit__habit_place(habits, key);
    return habit->key == key ? habit : NULL;
}

/* Forgets what templates or a chain's weights keep, unless it was kept by those of the same mark.
 */
void tacit__habits_of_templates(tacit__habits *habits, uint64_t mark);
void tacit__habits_of_weights(tacit__habits *habits, uint64_t mark);

/* Asks the processor for what is remembered of a word, which will be needed soon. */
static inline void tacit__habit_expect(const tacit__habits *habits, uint64_t key)
{
    __builtin_prefetch(&habits->words[key & (TACIT__HABIT_WORDS - 1)]);
}

/* The lists of a word whose key is known. */
void tacit__recall_anew(tacit__word *word, tacit__habits *habits, tacit_strview text);

/* Numbers are in no list and rarely the same: they are not remembered. word->after is 0 before it,
 * or TACIT__WORD_UNASKED where templates may not go by what is remembered: it is not of letters
 * alone, or they are not as usual. */
static inline void tacit__recall(tacit__word *word, tacit__habits *habits, tacit_strview text)
{
    const tacit__habit *habit = tacit__habit_place(habits, word->key);
    uint64_t known = UINT64_C(0) - (habit->key == word->key), entry;
    if (!known & (word->shape != TACIT__SHAPE_DIGITS)) {
        tacit__recall_anew(word, habits, text);
        return;
    }
    memcpy(&entry, &habit->entry, sizeof entry);
    entry &= known; /* a number's is empty */
    memcpy(&word->entry, &entry, sizeof entry);
    word->after |= habit->after & (uint32_t)known;
}

/* What two or three words are, with nothing but blanks between them. */
typedef enum tacit__words_are {
    TACIT__WORDS_NOTHING,
    TACIT__WORDS_PHRASE, /* a phrase, and no longer one begins with it */
    TACIT__WORDS_BEGIN   /* the first words of a longer phrase, and perhaps one themselves */
} tacit__words_are;

tacit__words_are tacit__recall_phrase(tacit__lexicon_entry *entry, tacit__habits *habits,
                                      const tacit__word *word, size_t count, tacit_strview text);

/* The same of a word and the one byte behind it, which is there: "St.". */
tacit__words_are tacit__recall_closed(tacit__habits *habits, const tacit__word *word,
                                      tacit_strview text);

/* ---- nicknames ----
 *
 * What nicknames stand for, as keys of words, with a memory for those that were there a
 * moment ago: finding them in the lists takes a thousand instructions. */

enum { TACIT__NICKS = 128, TACIT__NICK_FORMAL = 8 };

typedef struct tacit__nick {
    uint64_t key; /* 0: nothing is remembered */
    size_t count;
    uint64_t formal[TACIT__NICK_FORMAL]; /* tacit__word_key of "Virginia", of "Ginny" */
} tacit__nick;

/* All zero is a new one. It follows from words alone, so it may go on from document to document. */
typedef struct tacit__nicks {
    tacit__nick recent[TACIT__NICKS];
} tacit__nicks;

/* Until the next call. */
const tacit__nick *tacit__nick_of(tacit__nicks *nicks, const tacit__document *document,
                                  const tacit__word *word);

#endif
