/*
 * utf8.h - is it UTF-8?
 */
#ifndef TACIT_SRC_TABLE_UTF8_H
#define TACIT_SRC_TABLE_UTF8_H

#include <stddef.h>

/* Number of bytes, from the start, that are well-formed UTF-8 (Unicode's table
 * 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF). len where
 * all of them are. */
size_t tacit__utf8_valid(const char *bytes, size_t len);

/* Length of the well-formed character at the start, 0 where there is none. */
size_t tacit__utf8_character(const char *bytes, size_t left);

#endif
