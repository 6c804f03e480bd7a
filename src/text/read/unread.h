/*
 * unread.h - what of a piece is not read as it is meant: not plain text, or not of the language
 * that words and lists are of. Nobody is found there who is written so, and who asks for text
 * without people must be told.
 */
#ifndef TACIT_TEXT_READ_UNREAD_H
#define TACIT_TEXT_READ_UNREAD_H

#include "text/read/document.h"

typedef struct tacit__unread {
    unsigned reasons;                  /* a bit for each tacit_text_unread */
    uint32_t at[TACIT_UNREAD_REASONS]; /* where each was first seen: a byte of the piece */
} tacit__unread;

static inline void tacit__unread_note(tacit__unread *unread, tacit_text_unread reason, size_t at)
{
    if (unread->reasons >> reason & 1)
        return;
    unread->reasons |= 1u << reason;
    unread->at[reason] = (uint32_t)at;
}

/* What of the piece is not read; document has its words, and first says that it begins there. */
void tacit__unread_find(tacit__unread *unread, const tacit__document *document, bool first);

/* Of these, that it is in another language. */
void tacit__unread_language(tacit__unread *unread, const tacit__document *document);

#endif
