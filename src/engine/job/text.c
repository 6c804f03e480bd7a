/*
 * text.c - numbers and strings of JSON. Bytes that are no UTF-8 cannot stand in JSON: each becomes
 * the replacement character.
 */
#include "engine/job/text.h"

#include "base/error.h"
#include "base/vector.h"

void engine_text_number(engine_text *text, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    engine_text_put(text, digits + at, sizeof digits - at);
}

size_t engine_utf8_step(const char *bytes, size_t left)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (b[0] < 0x80)
        return 1;
    size_t len = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || len > left)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xF0 && b[1] < 0x90);
    bool beyond = (b[0] == 0xED && b[1] > 0x9F) || (b[0] == 0xF4 && b[1] > 0x8F);
    return overlong || beyond ? 0 : len;
}

static void put_control(engine_text *text, char c)
{
    switch (c) {
    case '"': engine_text_put(text, "\\\"", 2); break;
    case '\\': engine_text_put(text, "\\\\", 2); break;
    case '\n': engine_text_put(text, "\\n", 2); break;
    case '\r': engine_text_put(text, "\\r", 2); break;
    case '\t': engine_text_put(text, "\\t", 2); break;
    default: engine_text_print(text, "\\u%04x", (unsigned char)c);
    }
}

/* Four bytes, the first one lowest. */
static uint64_t four_of(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24;
}

/* Of eight bytes, in two fours, those that are a control character, a quote, a backslash or beyond
 * ASCII, as bits at the top of a byte: one is less than another where taking that off borrows from
 * the bit above it. Up to the first that is one, all are told rightly. */
static uint64_t find_special(const char *first, const char *last)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t eight = four_of(first) | four_of(last) << 32;
    uint64_t quote = eight ^ ones * '"', backslash = eight ^ ones * '\\';
    uint64_t less = (eight - ones * ' ') | (quote - ones) | (backslash - ones);
    return (less | eight) & tops;
}

size_t engine_json_plain(const char *bytes, size_t left)
{
    size_t i = 0;
    for (; left - i >= 8; i += 8) {
        uint64_t special = find_special(bytes + i, bytes + i + 4);
        if (special)
            return i + (size_t)__builtin_ctzll(special) / 8;
    }
    if (left >= 8) { /* the last eight, of which some are plain: how many is not worth a guess */
        uint64_t special = find_special(bytes + left - 8, bytes + left - 4);
        return special ? left - 8 + (size_t)__builtin_ctzll(special) / 8 : left;
    }
    if (left >= 4 && !find_special(bytes, bytes + left - 4))
        return left;
    while (i < left && (unsigned char)bytes[i] - (unsigned)' ' < 0x60 && bytes[i] != '"' &&
           bytes[i] != '\\')
        i++;
    return i;
}

void engine_text_json_part(engine_text *text, tacit_strview view)
{
    size_t plain = 0; /* from here on, bytes that stand for themselves */
    for (size_t i = engine_json_plain(view.bytes, view.len); i < view.len;
         i += engine_json_plain(view.bytes + i, view.len - i)) {
        char c = view.bytes[i];
        size_t step = engine_utf8_step(view.bytes + i, view.len - i);
        if (step > 1) {
            i += step;
            continue;
        }
        engine_text_put(text, view.bytes + plain, i - plain);
        if (step == 0)
            engine_text_put(text, "\xEF\xBF\xBD", 3);
        else
            put_control(text, c);
        plain = ++i;
    }
    engine_text_put(text, view.bytes + plain, view.len - plain);
}

void engine_text_json(engine_text *text, tacit_strview view)
{
    engine_text_put(text, "\"", 1);
    engine_text_json_part(text, view);
    engine_text_put(text, "\"", 1);
}

tacit_status engine_text_reserve(engine_text *text, size_t further, tacit_error *err)
{
    if (further > SIZE_MAX / 4 - text->len ||
        !TACIT__RESERVE(text->bytes, text->capacity, text->len + further + 1))
        text->failed = true;
    return engine_text_check(text, err);
}

tacit_status engine_text_check(const engine_text *text, tacit_error *err)
{
    return text->failed ? tacit__nomem(err) : TACIT_OK;
}
