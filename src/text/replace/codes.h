/*
 * codes.h - the digits and letters of a number as it is written, apart from what is between
 * them. For the files codes.c and checked.c.
 */
#ifndef TACIT_TEXT_REPLACE_CODES_H
#define TACIT_TEXT_REPLACE_CODES_H

#include "text/replace/disguise.h"

enum { TACIT__CODE_MOST = 64, TACIT__PHONE_LEAST = 7 };

typedef struct tacit__code {
    size_t count;   /* of signs */
    size_t letters; /* of these */
    size_t main;    /* signs before a phone's extension */
    char sign[TACIT__CODE_MOST];
    uint16_t at[TACIT__CODE_MOST]; /* where each is in the text */
} tacit__code;

/* False where there is no sign, or more than can be, or what is beyond ASCII. */
bool tacit__code_read(tacit__code *code, tacit_strview text);
tacit_strview tacit__code_view(const tacit__code *code);

/* Draws signs of the same sort, the first one no 0 where it was none. */
void tacit__code_draw(tacit__code *code, size_t from, size_t to, tacit__draws *draws);

/* Changes the signs, in the way that their number allows. */
typedef void tacit__code_change(tacit__code *code, tacit__draws *draws);

/* Adds the text with its signs changed: to the same ones whenever they were the same, in a
 * document to different ones where they were different. */
bool tacit__code_replace(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text,
                         tacit__code_change *change);

#endif
