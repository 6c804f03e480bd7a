/*
 * encoding.c - text that is not UTF-8: which encoding it has, and the same text as UTF-8.
 *
 * Text in another encoding that has any letter beyond ASCII is hardly ever well-formed UTF-8, so
 * bytes that are well formed are UTF-8, whatever was declared: a release, which always is, is read
 * rightly beside data that is not. A byte order mark settles it, for UTF-8 and UTF-16. What else
 * there is, the bytes do not tell; undeclared, it is taken for Windows-1252, by far the most
 * frequent one, only where every byte has a meaning in it and no two or more together are a
 * character of UTF-8: where some are, the file is damaged or glued together of several, and is not
 * read by chance.
 *
 * ISO 8859-1 is read as Windows-1252: they differ in codes of control characters alone, which texts
 * do not have, as in the Encoding Standard (encoding.spec.whatwg.org, section 4.2). The codes of
 * Windows-1252 are those of Microsoft's table, in which five bytes have no meaning; those of ISO
 * 8859-15 are that standard's, without its control characters.
 *
 * One pass to tell, one to convert; what comes out has up to three bytes for each that went in.
 */
#include "table/encoding.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

/* Windows-1252 from 0x80 to 0x9F; 0 has no meaning. */
static const uint16_t windows_upper[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static uint32_t windows_1252(unsigned char byte)
{
    return byte < 0x80 || byte >= 0xA0 ? byte : windows_upper[byte - 0x80];
}

static uint32_t iso_8859_15(unsigned char byte)
{
    switch (byte) {
    case 0xA4: return 0x20AC;
    case 0xA6: return 0x0160;
    case 0xA8: return 0x0161;
    case 0xB4: return 0x017D;
    case 0xB8: return 0x017E;
    case 0xBC: return 0x0152;
    case 0xBD: return 0x0153;
    case 0xBE: return 0x0178;
    default: return byte >= 0x80 && byte < 0xA0 ? 0 : byte;
    }
}

/* Names as a policy writes them, the one of an encoding first; and of encodings with a byte a
 * character what each means, 0 for nothing. */
static const struct encoding {
    const char *name;
    tacit_encoding encoding;
    uint32_t (*point_of)(unsigned char byte);
} encodings[] = {
    {"utf-8", TACIT_ENCODING_UTF8, NULL},
    {"detect", TACIT_ENCODING_DETECT, NULL},
    {"windows-1252", TACIT_ENCODING_WINDOWS_1252, windows_1252},
    {"iso-8859-1", TACIT_ENCODING_WINDOWS_1252, windows_1252},
    {"iso-8859-15", TACIT_ENCODING_ISO_8859_15, iso_8859_15},
    {"utf-16", TACIT_ENCODING_UTF16, NULL},
};

static const struct encoding *find_encoding(tacit_encoding encoding)
{
    const struct encoding *at = encodings;
    while (at->encoding != encoding)
        at++;
    return at;
}

const char *tacit_encoding_name(tacit_encoding encoding)
{
    return find_encoding(encoding)->name;
}

tacit_encoding tacit_encoding_named(const char *name)
{
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (strcmp(encodings[i].name, name) == 0)
            return encodings[i].encoding;
    return TACIT_ENCODING_DETECT;
}

static bool starts_with(tacit_strview bytes, const char *mark)
{
    size_t len = strlen(mark);
    return bytes.len >= len && memcmp(bytes.bytes, mark, len) == 0;
}

/* Whether every byte means something, and none are a character of UTF-8 together. */
static bool is_windows_1252(tacit_strview bytes)
{
    for (size_t at = 0; at < bytes.len; at++)
        if (!windows_1252((unsigned char)bytes.bytes[at]) ||
            tacit__utf8_character(bytes.bytes + at, bytes.len - at) > 1)
            return false;
    return true;
}

tacit_encoding tacit__encoding_of(tacit_strview bytes, tacit_encoding asked)
{
    if (asked == TACIT_ENCODING_UTF8)
        return asked;
    if (starts_with(bytes, "\xFF\xFE") || starts_with(bytes, "\xFE\xFF"))
        return TACIT_ENCODING_UTF16;
    if (starts_with(bytes, "\xEF\xBB\xBF") ||
        tacit__utf8_valid(bytes.bytes, bytes.len) == bytes.len)
        return TACIT_ENCODING_UTF8;
    if (asked != TACIT_ENCODING_DETECT)
        return asked;
    return is_windows_1252(bytes) ? TACIT_ENCODING_WINDOWS_1252 : TACIT_ENCODING_UTF8;
}

static void add_point(tacit__strbuf *out, uint32_t point)
{
    char bytes[4];
    int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    bytes[0] = (char)(leads[more] | point >> 6 * more);
    for (int i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (point >> 6 * (more - i) & 0x3F));
    tacit__strbuf_add(out, bytes, (size_t)more + 1);
}

/* The place is where the text that was converted so far, from `from` on, ends. */
static tacit_status refuse_bytes(const tacit__strbuf *out, size_t from, const char *file,
                                 tacit_error *err, const char *encoding, const char *what)
{
    int64_t line = 1, column = 1;
    for (size_t i = from; i < out->len; i++) {
        bool end = out->bytes[i] == '\n';
        line += end;
        column = end ? 1 : column + (((unsigned char)out->bytes[i] & 0xC0) != 0x80);
    }
    return tacit__error_at(err, TACIT_PARSE, file, line, column,
                           "%s in %s; convert the file (iconv -t UTF-8)", what, encoding);
}

static tacit_status decode_bytes(tacit__strbuf *out, tacit_strview bytes, const struct encoding *as,
                                 const char *file, tacit_error *err)
{
    size_t start = out->len;
    for (size_t at = 0, from = 0; at <= bytes.len; at++) {
        if (at < bytes.len && (unsigned char)bytes.bytes[at] < 0x80)
            continue;
        tacit__strbuf_add(out, bytes.bytes + from, at - from);
        from = at + 1;
        if (at == bytes.len || out->failed)
            break;
        uint32_t point = as->point_of((unsigned char)bytes.bytes[at]);
        if (!point)
            return refuse_bytes(out, start, file, err, as->name,
                                "a byte that stands for no character");
        add_point(out, point);
    }
    return TACIT_OK;
}

static uint32_t wide_at(tacit_strview bytes, size_t at, bool big)
{
    const unsigned char *b = (const unsigned char *)bytes.bytes + at;
    return big ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[1] << 8 | b[0];
}

static bool is_half(uint32_t unit, uint32_t first)
{
    return unit >= first && unit < first + 0x400;
}

static tacit_status decode_wide(tacit__strbuf *out, tacit_strview bytes, const char *file,
                                tacit_error *err)
{
    bool big = bytes.bytes[0] == '\xFE';
    size_t at = 2, start = out->len; /* after the mark */
    for (; at + 1 < bytes.len && !out->failed; at += 2) {
        uint32_t point = wide_at(bytes, at, big);
        bool paired = is_half(point, 0xD800) && at + 3 < bytes.len &&
                      is_half(wide_at(bytes, at + 2, big), 0xDC00);
        if (paired) {
            point = 0x10000 + ((point - 0xD800) << 10) + (wide_at(bytes, at + 2, big) - 0xDC00);
            at += 2;
        } else if (is_half(point, 0xD800) || is_half(point, 0xDC00)) {
            return refuse_bytes(out, start, file, err, "utf-16", "half of a character");
        }
        add_point(out, point);
    }
    return at < bytes.len && !out->failed
               ? refuse_bytes(out, start, file, err, "utf-16", "half of a character at the end")
               : TACIT_OK;
}

tacit_status tacit__encoding_decode(tacit__strbuf *out, tacit_strview bytes,
                                    tacit_encoding encoding, const char *file, tacit_error *err)
{
    tacit_status status = encoding == TACIT_ENCODING_UTF16
                              ? decode_wide(out, bytes, file, err)
                              : decode_bytes(out, bytes, find_encoding(encoding), file, err);
    return status == TACIT_OK && out->failed ? tacit__nomem(err) : status;
}
