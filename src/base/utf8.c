/*
 * utf8.c - checking UTF-8, eight ASCII bytes at a time and the rest one
 * character at a time.
 */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

size_t tacit__utf8_character(const char *bytes, size_t left)
{
    const unsigned char *at = (const unsigned char *)bytes;
    unsigned char first = at[0];
    if (first < 0x80)
        return 1;
    size_t len = first >= 0xC2 && first <= 0xDF   ? 2
                 : first >= 0xE0 && first <= 0xEF ? 3
                 : first >= 0xF0 && first <= 0xF4 ? 4
                                                  : 0;
    if (len == 0 || len > left)
        return 0;
    /* The second byte rules out overlong forms, surrogates and what is too large. */
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

size_t tacit__utf8_valid(const char *bytes, size_t len)
{
    size_t at = 0;
    while (at < len) {
        uint64_t eight;
        if (len - at >= 8) {
            memcpy(&eight, bytes + at, 8);
            if (!(eight & UINT64_C(0x8080808080808080))) {
                at += 8;
                continue;
            }
        }
        size_t step = tacit__utf8_character(bytes + at, len - at);
        if (step == 0)
            return at;
        at += step;
    }
    return len;
}

size_t tacit__utf8_next(uint32_t *point, bool *valid, tacit_strview rest)
{
    const unsigned char *at = (const unsigned char *)rest.bytes;
    size_t len = tacit__utf8_character(rest.bytes, rest.len);
    *valid = len > 0;
    *point = len == 1 ? at[0] : len ? at[0] & (0x7Fu >> len) : TACIT__REPLACEMENT;
    for (size_t i = 1; i < len; i++)
        *point = *point << 6 | (at[i] & 0x3Fu);
    return len ? len : 1;
}
