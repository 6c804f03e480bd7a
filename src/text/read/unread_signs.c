/*
 * unread_signs.c - signs that say that the text is no plain text: tags of HTML and XML, RTF,
 * characters written as codes, and the encodings of mail.
 *
 *   <b>Okon</b>kwo   Smith&#39;s   Mu\u00f1oz   M=FCller   Okon=          {\rtf1 ...}
 *                                                           kwo
 *
 * "<5", "n=20", "R&D" and "<john@example.com>" are none of them. Cost: looking for four signs, and
 * a bounded look at what stands behind each.
 */
#include "text/read/unread.h"

#include <string.h>

#include "base/ascii.h"

typedef struct place {
    tacit_strview text;
    size_t at;
} place;

/* The byte so far behind the place, or NUL. */
static char byte_at(place p, size_t behind)
{
    return p.at + behind < p.text.len ? p.text.bytes[p.at + behind] : '\0';
}

static bool is_hex(char c)
{
    return tacit__is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 6;
}

static bool starts_with(place p, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i < len; i++) {
        char c = byte_at(p, i);
        if ((tacit__is_letter(c) ? (char)(c | 0x20) : c) != word[i])
            return false;
    }
    return true;
}

/* ---- mark-up ---- */

enum { NAME = 12, TAG = 400 /* bytes */ };

/* Those that stand by themselves; of others an attribute or a slash tells. */
static const char *const tags[] = {
    "a",      "b",      "i",       "p",       "u",         "s",     "br",     "hr",    "td",
    "tr",     "th",     "li",      "ul",      "ol",        "dl",    "dt",     "dd",    "em",
    "tt",     "h1",     "h2",      "h3",      "h4",        "h5",    "h6",     "div",   "img",
    "pre",    "sub",    "sup",     "big",     "xml",       "html",  "head",   "body",  "font",
    "span",   "table",  "tbody",   "thead",   "tfoot",     "title", "strong", "small", "style",
    "script", "center", "section", "article", "blockquote"};

static bool is_known_tag(place name, size_t len)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strlen(tags[i]) == len && starts_with(name, tags[i]))
            return true;
    return false;
}

/* Whether there is an attribute, or the slash of an empty element, before the tag ends. */
static bool has_more(place p)
{
    bool attribute = false;
    for (size_t i = 0; i < TAG; i++) {
        char c = byte_at(p, i);
        if (c == '>')
            return attribute || byte_at(p, i - 1) == '/';
        if (c == '<' || c == '\0')
            return false;
        attribute |= c == '=' && (byte_at(p, i + 1) == '"' || byte_at(p, i + 1) == '\'');
    }
    return false;
}

static bool is_tag(place p)
{
    bool closing = byte_at(p, 1) == '/';
    place name = {p.text, p.at + 1 + closing};
    size_t len = 0;
    if (starts_with(p, "<!--") || starts_with(p, "<!doctype") || starts_with(p, "<?xml") ||
        starts_with(p, "<![cdata["))
        return true;
    while (len <= NAME &&
           (tacit__is_letter(byte_at(name, len)) ||
            (len > 0 && tacit__is_digit(byte_at(name, len))) || byte_at(name, len) == ':'))
        len++;
    char end = byte_at(name, len);
    if (len == 0 || len > NAME)
        return false;
    if (end == '>')
        return closing || is_known_tag(name, len);
    if (end == '/')
        return byte_at(name, len + 1) == '>';
    return (end == ' ' || end == '\n' || end == '\t' || end == '\r') &&
           (closing || has_more((place){p.text, name.at + len}));
}

/* ---- characters as codes ---- */

/* "&#39;", "&#xE9;", "&eacute;". */
static bool is_entity(place p)
{
    enum { LONGEST = 9 };
    size_t at = 1;
    bool number = byte_at(p, 1) == '#';
    if (number) {
        bool hex = (byte_at(p, 2) | 0x20) == 'x';
        for (at = hex ? 3 : 2; at < LONGEST; at++)
            if (!(hex ? is_hex(byte_at(p, at)) : tacit__is_digit(byte_at(p, at))))
                break;
        return at > (hex ? 3u : 2u) && byte_at(p, at) == ';';
    }
    while (at < LONGEST &&
           (tacit__is_letter(byte_at(p, at)) || (at > 2 && tacit__is_digit(byte_at(p, at)))))
        at++;
    return at > 2 && byte_at(p, at) == ';';
}

/* "\u00f1", "\xE9", "\'e9", and RTF from its start. */
static bool is_escape(place p)
{
    char kind = byte_at(p, 1);
    size_t digits = kind == 'u' ? 4 : kind == 'x' || kind == '\'' ? 2 : 0;
    for (size_t i = 0; i < digits; i++)
        if (!is_hex(byte_at(p, 2 + i)))
            return false;
    return digits > 0;
}

/* ---- encodings of mail ---- */

/* Bytes beyond ASCII, or the end of a line within a word; "n=20" is none. */
static bool is_quoted_printable(place p)
{
    bool within = p.at > 0 && (tacit__is_letter(p.text.bytes[p.at - 1]));
    char first = byte_at(p, 1), second = byte_at(p, 2), third = byte_at(p, 3);
    size_t end = first == '\r' ? 2 : 1;
    if (byte_at(p, end) == '\n')
        return within && tacit__is_letter(byte_at(p, end + 1));
    bool beyond = (first >= 'A' && first <= 'F') || first == '8' || first == '9';
    if (!beyond || !is_hex(second) || (second >= 'a' && second <= 'f'))
        return false;
    if (third == '=')
        return is_hex(byte_at(p, 4)) && is_hex(byte_at(p, 5));
    return within && first >= 'C' && tacit__is_lower(third);
}

static void find_header(tacit__unread *unread, tacit_strview text)
{
    static const char header[] = "content-transfer-encoding:";
    for (const char *at = text.bytes, *end = text.bytes + text.len;
         at < end && (at = memchr(at, '-', (size_t)(end - at))); at++) {
        place p = {text, (size_t)(at - text.bytes)};
        if (p.at < 7 || !starts_with((place){text, p.at - 7}, header))
            continue;
        place value = {text, p.at - 7 + sizeof header - 1};
        while (byte_at(value, 0) == ' ')
            value.at++;
        if (starts_with(value, "base64") || starts_with(value, "quoted-printable"))
            tacit__unread_note(unread, TACIT_UNREAD_ENCODED, p.at - 7);
    }
}

/* ---- all of them ---- */

static const struct {
    char sign;
    bool (*is)(place p);
    tacit_text_unread reason;
} signs[] = {
    {'<', is_tag, TACIT_UNREAD_MARKUP},
    {'&', is_entity, TACIT_UNREAD_ENTITIES},
    {'\\', is_escape, TACIT_UNREAD_ENTITIES},
    {'=', is_quoted_printable, TACIT_UNREAD_ENCODED},
};

void tacit__unread_signs(tacit__unread *unread, tacit_strview text)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = text.bytes, *end = text.bytes + text.len;
        while (at < end && (at = memchr(at, signs[i].sign, (size_t)(end - at))) &&
               !signs[i].is((place){text, (size_t)(at - text.bytes)}))
            at++;
        if (at && at < end)
            tacit__unread_note(unread, signs[i].reason, (size_t)(at - text.bytes));
    }
    if (starts_with((place){text, 0}, "{\\rtf"))
        tacit__unread_note(unread, TACIT_UNREAD_MARKUP, 0);
    find_header(unread, text);
}
