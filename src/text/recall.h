/*
 * recall.h - which lists a word is in, and whether it begins a phrase, with a memory for the
 * words and pairs of words that were there a moment ago: most words of a text are few.
 */
#ifndef TACIT_SRC_TEXT_RECALL_H
#define TACIT_SRC_TEXT_RECALL_H

#include "text/document.h"

/* What is remembered depends on words alone, so it may go on from document to document. */
tacit__habits *tacit__habits_new(void); /* NULL when out of memory; freed by tacit__free */

/* tacit__sign_ascii of each byte of ASCII. */
const uint16_t *tacit__habits_signs(const tacit__habits *habits);

/* Looks the word up: its key and its lists. */
void tacit__recall(tacit__word *word, tacit__habits *habits, tacit_strview text);

/* Whether a phrase of a list may begin with the word and the next, where nothing but blanks
 * is between them. */
bool tacit__recall_pair(tacit__habits *habits, const tacit__word *word, tacit_strview text);

#endif
