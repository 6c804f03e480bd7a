/*
 * ascii.h - what a character is, in any locale: the characters of ASCII by their classes. Bytes of
 * other characters are in none of them, whether they come as char or as unsigned char.
 */
#ifndef TACIT_SRC_BASE_ASCII_H
#define TACIT_SRC_BASE_ASCII_H

#include <stdbool.h>

static inline bool tacit__is_digit(int c)
{
    return (unsigned)(c - '0') < 10;
}

static inline bool tacit__is_upper(int c)
{
    return (unsigned)(c - 'A') < 26;
}

static inline bool tacit__is_lower(int c)
{
    return (unsigned)(c - 'a') < 26;
}

static inline bool tacit__is_letter(int c)
{
    return (unsigned)((c | 0x20) - 'a') < 26;
}

static inline bool tacit__is_alphanumeric(int c)
{
    return tacit__is_letter(c) || tacit__is_digit(c);
}

/* Between words of one line. */
static inline bool tacit__is_blank(int c)
{
    return c == ' ' || c == '\t';
}

/* Blanks, ends of lines and pages. */
static inline bool tacit__is_space(int c)
{
    return c == ' ' || (unsigned)(c - '\t') < 5;
}

static inline char tacit__to_lower(char c)
{
    return tacit__is_upper(c) ? (char)(c | 0x20) : c;
}

#endif
