/*
 * recall.h - which lists a word is in, and whether it and the next are a phrase, with a memory for
 * the words and pairs of words that were there a moment ago: most words of a text are few.
 */
#ifndef TACIT_SRC_TEXT_RECALL_H
#define TACIT_SRC_TEXT_RECALL_H

#include "text/document.h"

/* What is remembered depends on words alone, so it may go on from document to document. */
tacit__habits *tacit__habits_new(void); /* NULL when out of memory; freed by tacit__free */

/* tacit__sign_ascii of each byte of ASCII. */
const uint16_t *tacit__habits_signs(const tacit__habits *habits);

/* The key of a word that is folded already: 64 bits, in which words of up to eight bytes never
 * meet. */
uint64_t tacit__folded_key(const char *folded, size_t len);

/* Looks the word up: its key and its lists. */
void tacit__recall(tacit__word *word, tacit__habits *habits, tacit_strview text);

/* What the word and the next are, with nothing but blanks between them. */
typedef enum tacit__pair {
    TACIT__PAIR_NOTHING,
    TACIT__PAIR_PHRASE, /* a phrase, and no longer one begins with it */
    TACIT__PAIR_BEGINS  /* the first words of a longer phrase, and perhaps one themselves */
} tacit__pair;

tacit__pair tacit__recall_pair(tacit__lexicon_entry *entry, tacit__habits *habits,
                               const tacit__word *word, tacit_strview text);

#endif
