/*
 * utf8.h - code points one after the other. What is not UTF-8 (stray, overlong
 * or cut off bytes, surrogates) reads as U+FFFD, a byte at a time, so that any
 * bytes can be shown.
 */
#ifndef TACIT_SRC_BASE_UTF8_H
#define TACIT_SRC_BASE_UTF8_H

#include <tacit/base.h>

enum { TACIT__REPLACEMENT = 0xFFFD };

/* The code point at the start of rest, which is not empty; *valid says whether
 * it was written well. Returns the bytes it takes. */
static inline size_t tacit__utf8_next(uint32_t *point, bool *valid, tacit_strview rest)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)rest.bytes;
    size_t len = at[0] < 0x80 ? 1 : at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : at[0] >= 0xC0 ? 2 : 0;
    uint32_t value = len == 1 ? at[0] : len ? at[0] & (0x7Fu >> len) : 0;
    *valid = len > 0 && len <= rest.len && at[0] < 0xF8;
    for (size_t i = 1; *valid && i < len; i++) {
        *valid = (at[i] & 0xC0) == 0x80;
        value = value << 6 | (at[i] & 0x3Fu);
    }
    if (*valid && (value < least[len] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)))
        *valid = false;
    *point = *valid ? value : TACIT__REPLACEMENT;
    return *valid ? len : 1;
}

#endif
