/*
 * signs.h - what a character is: a part of a word, or of a gap between words.
 */
#ifndef TACIT_TEXT_READ_SIGNS_H
#define TACIT_TEXT_READ_SIGNS_H

#include "text/read/document.h"

/* A letter or digit, or else a tacit__gap. */
enum {
    TACIT__SIGN_LOWER = 1 << 13,
    TACIT__SIGN_UPPER = 1 << 14,
    TACIT__SIGN_DIGIT = 1 << 15,
    TACIT__SIGN_LETTER = TACIT__SIGN_LOWER | TACIT__SIGN_UPPER,
    TACIT__SIGN_WORD = TACIT__SIGN_LETTER | TACIT__SIGN_DIGIT,
    TACIT__SIGN_GAPS = TACIT__SIGN_LOWER - 1
};

/* Of a byte of ASCII. */
unsigned tacit__sign_ascii(unsigned char byte);

/* Of the character at the start of the text, which is not ASCII, and its length in bytes. What
 * is no UTF-8 is taken for Latin-1. */
unsigned tacit__sign_foreign(tacit_strview text, size_t *len);

#endif
