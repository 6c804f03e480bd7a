/*
 * nicks.h - what nicknames stand for, as keys of words, with a memory for those that were there a
 * moment ago: finding them in the lists takes a thousand instructions.
 */
#ifndef TACIT_TEXT_LEXICON_NICKS_H
#define TACIT_TEXT_LEXICON_NICKS_H

#include "text/read/document.h"

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
