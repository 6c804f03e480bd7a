/*
 * cut.h - cuts text into words, with what parts them and the lists that they are in.
 */
#ifndef TACIT_TEXT_READ_CUT_H
#define TACIT_TEXT_READ_CUT_H

#include "text/read/document.h"

enum { TACIT__CUT_AHEAD = 8 }; /* words beyond the last that may be looked at; all zero */

/* Room that the words of a text need, of which each but the first has a byte before it. */
static inline size_t tacit__cut_room(size_t len)
{
    return len / 2 + 1 + TACIT__CUT_AHEAD;
}

/* How many words there are; and of each shape, in addition to what was counted. Phrases are left to
 * the caller. */
size_t tacit__cut(tacit__word *words, tacit_strview text, tacit__habits *habits,
                  size_t shapes[TACIT__SHAPES]);

#endif
