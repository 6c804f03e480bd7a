/*
 * wrapping.c - reading escapes character by character, twice: once for the text, and once more
 * to find the place in the file of what was found in the text. Text without escapes is neither
 * copied nor walked through.
 */
#include "engine/text/wrapping.h"

#include <limits.h>
#include <string.h>

/* ---- strings of JSON ---- */

static unsigned hex_digits(const char *digits)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned c = (unsigned char)digits[i];
        value = value * 16 + (c <= '9' ? c - '0' : (c | 32U) - 'a' + 10);
    }
    return value;
}

static size_t put_utf8(char *out, unsigned code)
{
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char FIRST[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(FIRST[len] | code);
    return len;
}

static size_t json_unicode(char *out, size_t *len, const char *raw, size_t left)
{
    unsigned code = hex_digits(raw + 2);
    size_t taken = 6;
    if (code >= 0xD800 && code < 0xDC00 && left >= 12 && raw[6] == '\\' && raw[7] == 'u') {
        unsigned low = hex_digits(raw + 8);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            taken = 12;
        }
    }
    *len = put_utf8(out, code);
    return taken;
}

static size_t json_step(char *out, size_t *len, const char *raw, size_t left)
{
    static const char MEANING[UCHAR_MAX + 1] = {
        ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'};
    *len = 1;
    out[0] = raw[0];
    if (raw[0] != '\\')
        return 1;
    if (raw[1] == 'u')
        return json_unicode(out, len, raw, left);
    char meaning = MEANING[(unsigned char)raw[1]];
    out[0] = meaning ? meaning : raw[1];
    return 2;
}

const engine_wrapping engine_json_string = {json_step, engine_text_json_part, '\\'};

/* ---- cells of a CSV ---- */

static size_t quoted_step(char *out, size_t *len, const char *raw, size_t left)
{
    (void)left;
    out[0] = raw[0];
    *len = 1;
    return raw[0] == '"' ? 2 : 1;
}

static void quoted_put(engine_text *out, tacit_strview text)
{
    for (const char *quote; (quote = text.len ? memchr(text.bytes, '"', text.len) : NULL);) {
        size_t len = (size_t)(quote - text.bytes) + 1;
        engine_text_put(out, text.bytes, len);
        engine_text_put(out, "\"", 1);
        text = (tacit_strview){text.bytes + len, text.len - len};
    }
    engine_text_view(out, text);
}

const engine_wrapping engine_quoted_cell = {quoted_step, quoted_put, '"'};
const engine_wrapping engine_bare_cell = {NULL, engine_text_view, 0};

/* ---- both ---- */

static bool is_plain(const engine_wrapping *wrapping, tacit_strview raw)
{
    return !wrapping->mark || raw.len == 0 || !memchr(raw.bytes, wrapping->mark, raw.len);
}

tacit_strview engine_unwrap(engine_text *buffer, const engine_wrapping *wrapping, tacit_strview raw)
{
    if (is_plain(wrapping, raw))
        return raw;
    buffer->len = 0;
    if (engine_text_reserve(buffer, raw.len, NULL) != TACIT_OK)
        return (tacit_strview){buffer->bytes, 0};
    char *out = buffer->bytes;
    for (size_t at = 0; at < raw.len;) {
        const char *mark = memchr(raw.bytes + at, wrapping->mark, raw.len - at);
        size_t plain = mark ? (size_t)(mark - raw.bytes) : raw.len;
        memcpy(out, raw.bytes + at, plain - at);
        out += plain - at;
        at = plain;
        if (at < raw.len) {
            char bytes[4];
            size_t len;
            at += wrapping->step(bytes, &len, raw.bytes + at, raw.len - at);
            memcpy(out, bytes, len);
            out += len;
        }
    }
    buffer->len = (size_t)(out - buffer->bytes);
    return (tacit_strview){buffer->bytes, buffer->len};
}

/* Where the next mark is from the place on, or the end. */
static size_t find_mark(const engine_splice *splice)
{
    size_t left = splice->raw.len - splice->at;
    const char *from = splice->raw.bytes + splice->at, *mark = NULL;
    if (splice->wrapping->mark && left > 0)
        mark = memchr(from, splice->wrapping->mark, left);
    return mark ? splice->at + (size_t)(mark - from) : splice->raw.len;
}

engine_splice engine_splice_of(const engine_wrapping *wrapping, engine_text *out, tacit_strview raw)
{
    engine_splice splice = {.wrapping = wrapping, .out = out, .raw = raw};
    splice.mark = find_mark(&splice);
    return splice;
}

static void pass(engine_splice *splice, size_t plain)
{
    splice->at += plain;
    splice->text += plain;
}

/* Moves on to a place of the text. */
static void walk(engine_splice *splice, uint64_t to)
{
    if (splice->text >= to)
        return;
    while (to - splice->text > splice->mark - splice->at && splice->mark < splice->raw.len) {
        char bytes[4];
        size_t len;
        pass(splice, splice->mark - splice->at);
        splice->at += splice->wrapping->step(bytes, &len, splice->raw.bytes + splice->at,
                                             splice->raw.len - splice->at);
        splice->text += len;
        splice->mark = find_mark(splice);
        if (splice->text >= to)
            return;
    }
    size_t left = splice->mark - splice->at;
    pass(splice, left < to - splice->text ? left : (size_t)(to - splice->text));
}

void engine_splice_put(engine_splice *splice, uint64_t start, uint64_t end,
                       tacit_strview replacement)
{
    size_t from = splice->at;
    walk(splice, start);
    engine_text_put(splice->out, splice->raw.bytes + from, splice->at - from);
    splice->wrapping->put(splice->out, replacement);
    walk(splice, end);
}

void engine_splice_end(engine_splice *splice)
{
    engine_text_put(splice->out, splice->raw.bytes + splice->at, splice->raw.len - splice->at);
    splice->at = splice->raw.len;
}
