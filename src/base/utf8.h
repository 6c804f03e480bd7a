/*
 * utf8.h - is it UTF-8, and which code points are they? Well-formed means
 * Unicode's table 3-7: no overlong forms, no surrogates, nothing beyond
 * U+10FFFF.
 */
#ifndef TACIT_SRC_BASE_UTF8_H
#define TACIT_SRC_BASE_UTF8_H

#include <tacit/base.h>

enum { TACIT__REPLACEMENT = 0xFFFD };

/* Length of the well-formed character at the start, 0 where there is none;
 * left is at least 1. */
size_t tacit__utf8_character(const char *bytes, size_t left);

/* Number of bytes, from the start, that are well-formed; len where all are. */
size_t tacit__utf8_valid(const char *bytes, size_t len);

/* The code point at the start of rest, which is not empty. What is not
 * well-formed reads as U+FFFD, a byte at a time, so that any bytes can be
 * shown. *valid says which it was; returns the bytes it takes. */
size_t tacit__utf8_next(uint32_t *point, bool *valid, tacit_strview rest);

#endif
