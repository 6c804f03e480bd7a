/*
 * unread.c - what of a piece is not read as it is meant.
 *
 * Characters beyond ASCII that words are not read with, and bytes that are no characters. A table
 * of ranges says what each is; what is in none of them is a letter of Latin script or a sign, as
 * there are many.
 *
 *   invisible    beside a letter or digit: "Okon\u00ADkwo"
 *   in parts     a letter and its accent as two characters
 *   forms        full-width letters, ligatures, letters of mathematics, in circles
 *   look-alikes  Cyrillic, or Greek that is in no formula, right beside a Latin letter
 *   scripts      where tacit__alphabets_propose leaves them, or Greek words
 *
 * Signs that say that the text is no plain text: tags of HTML and XML, RTF, characters written as
 * codes, and the encodings of mail. "<5", "n=20", "R&D" and "<john@example.com>" are none of them.
 *
 *   <b>Okon</b>kwo   Smith&#39;s   Mu\u00f1oz   M=FCller   Okon=          {\rtf1 ...}
 *                                                           kwo
 *
 *   **Okon**kwo   O*kon*kwo   _Okon_kwo      where a word is only in part within the signs
 *
 * Words:
 *
 *   another language   language.c
 *   letters apart      "O k o n k w o", "O-k-o-n-k-w-o", unless together they are a word of the
 *                      language and no well-known name; "J.o.h.n"
 *   digits             "J0hn", where letters for the digits make it a name
 *   a word cut         "Okon-" at the end of a line and "kwo" on the next
 *   base64             a long run of its signs with letters of both cases and digits
 *
 * Cost: a test of eight bytes at once where the text is ASCII, a search in a table for each
 * character beyond it; looking for six signs, and a bounded look at what stands behind each; some
 * tests a word.
 */
#include "text/read/unread.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/detect/detect.h"
#include "text/read/forms.h"

/* ---- letters ---- */

typedef enum sort {
    SORT_PLAIN, /* read as it is, or a sign */
    SORT_INVISIBLE,
    SORT_FORM,
    SORT_LETTERLIKE, /* where it is beside another letter, */
    SORT_ENCLOSED,   /* or beside another of its sort */
    SORT_COMBINING,
    SORT_GREEK,
    SORT_LOOKALIKE, /* a script that has letters like Latin ones */
    SORT_SCRIPT,    /* any other */
    SORT_DAMAGED    /* what stands for a character that was lost, and private ones */
} sort;

/* In order, from the first code point to the last; the gaps between are plain. */
static const struct {
    uint32_t first, last;
    sort is;
} ranges[] = {
    {0x80, 0x9F, SORT_DAMAGED},        {0xAD, 0xAD, SORT_INVISIBLE},
    {0x300, 0x34E, SORT_COMBINING},    {0x34F, 0x34F, SORT_INVISIBLE},
    {0x350, 0x36F, SORT_COMBINING},    {0x370, 0x3FF, SORT_GREEK},
    {0x400, 0x58F, SORT_LOOKALIKE},    {0x591, 0x61B, SORT_SCRIPT},
    {0x61C, 0x61C, SORT_INVISIBLE},    {0x61D, 0x115E, SORT_SCRIPT},
    {0x115F, 0x1160, SORT_INVISIBLE},  {0x1161, 0x139F, SORT_SCRIPT},
    {0x13A0, 0x13FF, SORT_LOOKALIKE},  {0x1400, 0x17B3, SORT_SCRIPT},
    {0x17B4, 0x17B5, SORT_INVISIBLE},  {0x17B6, 0x180A, SORT_SCRIPT},
    {0x180B, 0x180F, SORT_INVISIBLE},  {0x1810, 0x1CFF, SORT_SCRIPT},
    {0x1D00, 0x1DBF, SORT_FORM},       {0x1DC0, 0x1DFF, SORT_COMBINING},
    {0x1F00, 0x1FFF, SORT_GREEK},      {0x200B, 0x200F, SORT_INVISIBLE},
    {0x202A, 0x202E, SORT_INVISIBLE},  {0x2060, 0x206F, SORT_INVISIBLE},
    {0x2090, 0x209C, SORT_LETTERLIKE}, {0x2102, 0x2102, SORT_LETTERLIKE},
    {0x210A, 0x2112, SORT_LETTERLIKE}, {0x2115, 0x2115, SORT_LETTERLIKE},
    {0x2119, 0x211D, SORT_LETTERLIKE}, {0x2124, 0x2124, SORT_LETTERLIKE},
    {0x2128, 0x2128, SORT_LETTERLIKE}, {0x212C, 0x2139, SORT_LETTERLIKE},
    {0x2460, 0x24B5, SORT_ENCLOSED},   {0x24B6, 0x24E9, SORT_FORM},
    {0x2C00, 0x2C5F, SORT_SCRIPT},     {0x2C80, 0x2DFF, SORT_SCRIPT},
    {0x2E80, 0x2FDF, SORT_SCRIPT},     {0x3041, 0x3163, SORT_SCRIPT},
    {0x3164, 0x3164, SORT_INVISIBLE},  {0x3165, 0xA4CF, SORT_SCRIPT},
    {0xA4D0, 0xA4FF, SORT_LOOKALIKE},  {0xA500, 0xA71F, SORT_SCRIPT},
    {0xA800, 0xAB2F, SORT_SCRIPT},     {0xAB70, 0xABBF, SORT_LOOKALIKE},
    {0xABC0, 0xD7FF, SORT_SCRIPT},     {0xE000, 0xF8FF, SORT_DAMAGED},
    {0xF900, 0xFAFF, SORT_SCRIPT},     {0xFB00, 0xFB06, SORT_FORM},
    {0xFB13, 0xFDFF, SORT_SCRIPT},     {0xFE00, 0xFE0F, SORT_INVISIBLE},
    {0xFE70, 0xFEFE, SORT_SCRIPT},     {0xFEFF, 0xFEFF, SORT_INVISIBLE},
    {0xFF10, 0xFF19, SORT_FORM},       {0xFF21, 0xFF3A, SORT_FORM},
    {0xFF41, 0xFF5A, SORT_FORM},       {0xFF66, 0xFF9F, SORT_SCRIPT},
    {0xFFA0, 0xFFA0, SORT_INVISIBLE},  {0xFFA1, 0xFFDC, SORT_SCRIPT},
    {0xFFF9, 0xFFFB, SORT_INVISIBLE},  {0xFFFD, 0xFFFD, SORT_DAMAGED},
    {0x10000, 0x1CFFF, SORT_SCRIPT},   {0x1D400, 0x1D7FF, SORT_FORM},
    {0x1E000, 0x1EEFF, SORT_SCRIPT},   {0x1F110, 0x1F189, SORT_FORM},
    {0x20000, 0x3FFFF, SORT_SCRIPT},   {0xE0000, 0xE0FFF, SORT_INVISIBLE},
    {0xF0000, 0x10FFFF, SORT_DAMAGED},
};

static sort sort_of(uint32_t point)
{
    size_t low = 0, high = sizeof ranges / sizeof *ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (point > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof ranges / sizeof *ranges && point >= ranges[low].first ? ranges[low].is
                                                                              : SORT_PLAIN;
}

/* Greek letters that look like Latin ones; the others are those of formulas. */
static bool looks_latin(uint32_t greek)
{
    static const uint16_t like[] = {0x37F, 0x391, 0x392, 0x395, 0x396, 0x397, 0x399, 0x39A,
                                    0x39C, 0x39D, 0x39F, 0x3A1, 0x3A4, 0x3A5, 0x3A7, 0x3AF,
                                    0x3B9, 0x3BD, 0x3BF, 0x3CC, 0x3F2, 0x3F3, 0x3F9};
    for (size_t i = 0; i < sizeof like / sizeof *like; i++)
        if (like[i] == greek)
            return true;
    return false;
}

/* A letter of Latin script beyond ASCII; the signs in their midst are no letters. */
static bool is_latin(uint32_t point)
{
    return (point >= 0xC0 && point <= 0x2AF && point != 0xD7 && point != 0xF7) ||
           (point >= 0x1E00 && point <= 0x1EFF);
}

typedef struct scan {
    tacit__unread *unread;
    tacit_strview text;
    bool first;   /* piece of the document */
    sort before;  /* of the character before, if there is nothing between */
    bool latin;   /* and whether that is a Latin letter or a digit */
    bool pending; /* an invisible one or a damaged one has only signs before it */
    size_t place; /* of that */
    sort pended;
    unsigned greek; /* letters in a row */
    bool script;    /* letters of other scripts were seen */
} scan;

static bool is_letter_sort(sort is)
{
    return is == SORT_FORM || is == SORT_GREEK || is == SORT_LOOKALIKE || is == SORT_SCRIPT ||
           is == SORT_LETTERLIKE || is == SORT_COMBINING;
}

static tacit_text_unread reason_of(sort is)
{
    return is == SORT_INVISIBLE ? TACIT_UNREAD_INVISIBLE : TACIT_UNREAD_BYTES;
}

/* What is right behind a character that was in doubt: a letter, or a sign. */
static void settle(scan *s, bool letter)
{
    if (s->pending && letter)
        tacit__unread_note(s->unread, reason_of(s->pended), s->place);
    s->pending = false;
}

/* A character that says nothing by itself: it counts beside a letter. */
static void see_doubtful(scan *s, sort is, size_t at)
{
    if (s->latin || is_letter_sort(s->before)) {
        tacit__unread_note(s->unread, reason_of(is), at);
    } else if (!s->pending) {
        s->pending = true;
        s->place = at;
        s->pended = is;
    }
}

static void see_letter(scan *s, sort is, uint32_t point, size_t at)
{
    enum { GREEK_WORD = 3 };
    settle(s, true);
    bool like = is == SORT_LOOKALIKE || (is == SORT_GREEK && looks_latin(point));
    bool beside = s->latin || is_letter_sort(s->before);
    bool form = is == SORT_FORM || (is == SORT_COMBINING && s->latin) ||
                (is == SORT_LETTERLIKE && beside) ||
                (is == SORT_ENCLOSED && s->before == SORT_ENCLOSED);
    if (form || (like && s->latin))
        tacit__unread_note(s->unread, TACIT_UNREAD_LETTERS, at);
    if (is == SORT_SCRIPT && s->latin)
        tacit__unread_note(s->unread, TACIT_UNREAD_SCRIPT, at);
    s->greek = is == SORT_GREEK ? s->greek + 1 : 0;
    if (s->greek >= GREEK_WORD)
        tacit__unread_note(s->unread, TACIT_UNREAD_SCRIPT, at);
    s->script |= is == SORT_SCRIPT || is == SORT_LOOKALIKE;
}

/* Whether an ASCII letter right behind a look-alike makes it one. */
static void see_ascii(scan *s, char byte, size_t at)
{
    bool letter = tacit__is_alphanumeric(byte);
    settle(s, letter);
    if (letter && (s->before == SORT_LOOKALIKE || s->before == SORT_LETTERLIKE) &&
        (unsigned char)(byte - '0') >= 10)
        tacit__unread_note(s->unread, TACIT_UNREAD_LETTERS, at);
    s->latin = letter;
    s->before = SORT_PLAIN;
    s->greek = 0;
}

/* NUL and the like are no part of text; tabs, line ends, form feeds and escapes are. */
static bool is_control(char byte)
{
    unsigned char c = (unsigned char)byte;
    return (c < 0x20 && !(c >= '\t' && c <= '\r') && c != 0x1B) || c == 0x7F;
}

/* What a digit is made a picture with, and the mark that a file may begin with. */
static bool is_harmless(const scan *s, uint32_t point, size_t at)
{
    char before = at > 0 ? s->text.bytes[at - 1] : ' ';
    if (at == 0)
        return s->first && point == 0xFEFF;
    return (point == 0xFE0E || point == 0xFE0F) && tacit__is_digit(before);
}

static size_t see_foreign(scan *s, size_t at)
{
    uint32_t point;
    bool valid;
    size_t len = tacit__utf8_next(
        &point, &valid, (tacit_strview){.bytes = s->text.bytes + at, .len = s->text.len - at});
    if (!valid) {
        tacit__unread_note(s->unread, TACIT_UNREAD_BYTES, at);
        return len;
    }
    sort is = is_harmless(s, point, at) ? SORT_PLAIN : sort_of(point);
    if (is == SORT_INVISIBLE || is == SORT_DAMAGED) {
        see_doubtful(s, is, at);
        return len; /* what is before it stays so */
    }
    if (is == SORT_PLAIN)
        settle(s, is_latin(point));
    else
        see_letter(s, is, point, at);
    s->latin = is == SORT_PLAIN ? is_latin(point) : is == SORT_COMBINING && s->latin;
    if (is == SORT_PLAIN)
        s->greek = 0;
    s->before = is;
    return len;
}

/* Whether eight bytes are ASCII from a blank on, but no delete. */
static bool are_plain(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    uint64_t below = word - UINT64_C(0x2020202020202020);
    uint64_t above = word + UINT64_C(0x0101010101010101);
    return !((word | below | above) & UINT64_C(0x8080808080808080));
}

/* How many bytes from here on are ASCII and no control characters but usual ones. */
static size_t plain_run(tacit_strview text, size_t from)
{
    size_t at = from;
    while (at < text.len) {
        if (at + 8 <= text.len && are_plain(text.bytes + at)) {
            at += 8;
            continue;
        }
        if ((unsigned char)text.bytes[at] >= 0x80 || is_control(text.bytes[at]))
            break;
        at++;
    }
    return at - from;
}

/* The end of a run of ASCII is all that counts of it. */
static size_t see_run(scan *s, size_t at)
{
    size_t len = plain_run(s->text, at);
    if (len == 0)
        return 0;
    see_ascii(s, s->text.bytes[at], at);
    if (len > 1) {
        s->latin = tacit__is_alphanumeric(s->text.bytes[at + len - 1]);
        s->before = SORT_PLAIN;
    }
    return len;
}

static void find_letters(tacit__unread *unread, const tacit__document *document, bool first)
{
    scan s = {.unread = unread, .text = document->text, .first = first};
    for (size_t at = 0; at < s.text.len;) {
        size_t len = see_run(&s, at);
        at += len;
        if (at == s.text.len)
            break;
        if ((unsigned char)s.text.bytes[at] < 0x80) {
            tacit__unread_note(unread, TACIT_UNREAD_BYTES, at++);
            s.latin = false;
            continue;
        }
        at += see_foreign(&s, at);
    }
    if (s.script) {
        size_t left = tacit__alphabets_left(document);
        if (left < document->count)
            tacit__unread_note(unread, TACIT_UNREAD_SCRIPT, document->words[left].start);
    }
}

/* ---- signs ---- */

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

/* ---- emphasis of Markdown ---- */

/* "**Okon**kwo", "O*kon*kwo", "_Okon_kwo": the place is the first of the signs before the part that
 * stands out. "d*mn", "x*y*z", "HLA-A*02" and "snake_case_name" have none. */
static bool is_emphasis(place p)
{
    enum { LONGEST = 24 };
    char sign = byte_at(p, 0), before = p.at > 0 ? p.text.bytes[p.at - 1] : ' ';
    size_t run = 1, end;
    while (run < 3 && byte_at(p, run) == sign)
        run++;
    for (end = run; end < run + LONGEST && tacit__is_letter(byte_at(p, end));)
        end++;
    if (end < run + 2 || memchr("@#/.:", before, 5) || before == sign)
        return false;
    for (size_t i = 0; i < run; i++)
        if (byte_at(p, end + i) != sign)
            return false;
    bool inside = tacit__is_letter(before);
    bool outside = tacit__is_letter(byte_at(p, end + run));
    return sign == '_' ? outside && !tacit__is_alphanumeric(before) : inside || outside;
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
    {'<', is_tag, TACIT_UNREAD_MARKUP},       {'&', is_entity, TACIT_UNREAD_ENTITIES},
    {'\\', is_escape, TACIT_UNREAD_ENTITIES}, {'=', is_quoted_printable, TACIT_UNREAD_ENCODED},
    {'*', is_emphasis, TACIT_UNREAD_MARKUP},  {'_', is_emphasis, TACIT_UNREAD_MARKUP},
};

static void find_signs(tacit__unread *unread, tacit_strview text)
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

/* ---- reasons, words ---- */

static const struct {
    const char *name, *why;
} reasons[TACIT_UNREAD_REASONS] = {
    [TACIT_UNREAD_BYTES] = {"bytes", "bytes that are no text: NUL, control characters or no UTF-8"},
    [TACIT_UNREAD_SCRIPT] = {"script", "letters of another script than the Latin one"},
    [TACIT_UNREAD_LANGUAGE] = {"language", "text in another language than English"},
    [TACIT_UNREAD_INVISIBLE] = {"invisible", "invisible characters within words, as soft hyphens"},
    [TACIT_UNREAD_LETTERS] = {"letters", "letters in forms that are not read: full-width, combined "
                                         "from parts, or look-alikes: of other scripts, or digits"},
    [TACIT_UNREAD_MARKUP] = {"markup", "mark-up, as of HTML, XML or RTF"},
    [TACIT_UNREAD_ENTITIES] = {"entities", "characters written as codes, as &#39; or \\u00e9"},
    [TACIT_UNREAD_ENCODED] = {"encoded", "text in an encoding of mail: base64 or quoted-printable"},
    [TACIT_UNREAD_BROKEN] = {"broken",
                             "words with blanks or signs between their letters, or cut at the end "
                             "of a line"},
};

const char *tacit_text_unread_name(tacit_text_unread reason)
{
    return reasons[reason].name;
}

const char *tacit_text_unread_why(tacit_text_unread reason)
{
    return reasons[reason].why;
}

/* ---- letters apart ---- */

/* A name that is more often one than a word. */
static bool is_well_known(const tacit__lexicon_entry *entry)
{
    enum { WELL_KNOWN_FIRST = 5, WELL_KNOWN_SURNAME = 7 };
    return entry->first >= WELL_KNOWN_FIRST || entry->surname >= WELL_KNOWN_SURNAME;
}

/* "J0hn", "5mith": a word that is a name with letters for its digits, which have a letter behind
 * them. "B12", "H1N1", "3rd" and "Mark2" are none. */
static bool is_disguised(const tacit__document *document, const tacit__word *word)
{
    enum { SHORTEST = 4, LONGEST = 16, KNOWN_NAME = 3 };
    static const char letters[] = "oizeasgtbg";
    char plain[LONGEST];
    tacit__lexicon_entry entry = {0};
    tacit_strview text = tacit__word_text(document, word);
    size_t digits = 0;
    if (text.len < SHORTEST || text.len > LONGEST || word->before & TACIT__GAP_AT ||
        tacit__is_digit(text.bytes[text.len - 1]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        bool digit = tacit__is_digit(c);
        if (!digit && !(i == 0 ? tacit__is_upper(c) : tacit__is_lower(c)))
            return false;
        digits += digit;
        plain[i] = digit ? letters[c - '0'] : (char)(c | 0x20);
    }
    tacit__lexicon_find(&entry, (tacit_strview){.bytes = plain, .len = text.len});
    bool name = entry.word < TACIT__EVERYBODYS &&
                (entry.first >= KNOWN_NAME || entry.surname >= KNOWN_NAME);
    return digits * 2 < text.len && (name || is_well_known(&entry));
}

enum { APART = 4 /* letters at least */, APART_MAX = 24 };

/* The letters of words that have one each, together; alphabets, "L x W x D" and words of the
 * language are meant so, and where stops are between them, whatever is no well-known name:
 * "P.R.N.". */
static bool hides_word(const tacit__document *document, size_t from, size_t count, char between)
{
    char letters[APART_MAX];
    tacit__lexicon_entry entry;
    bool row = true, sizes = true;
    for (size_t i = 0; i < count; i++) {
        letters[i] = (char)(document->text.bytes[document->words[from + i].start] | 0x20);
        row &= i == 0 || letters[i] == letters[i - 1] + 1;
        sizes &= i % 2 == 0 || letters[i] == 'x';
    }
    if (row || sizes)
        return false;
    bool found = tacit__lexicon_find(&entry, (tacit_strview){.bytes = letters, .len = count});
    return (found && is_well_known(&entry)) || (between != '.' && (!found || entry.word == 0));
}

/* Whether the word is a single letter. */
static bool is_apart(const tacit__document *document, const tacit__word *word)
{
    return word->end - word->start == 1 && !tacit__has_digits(word) &&
           (unsigned char)document->text.bytes[word->start] < 0x80;
}

/* Whether it goes on the letters before it, with the same sign between. */
static bool is_next_letter(const tacit__document *document, const tacit__word *word, char between)
{
    return word->start - word[-1].end == 1 && document->text.bytes[word[-1].end] == between &&
           is_apart(document, word);
}

static size_t see_letters(tacit__unread *unread, const tacit__document *document, size_t at)
{
    size_t end = at + 1, after = document->words[at].end;
    char between = after < document->text.len ? document->text.bytes[after] : '\0';
    if (!memchr(" -.", between, 3))
        return end;
    while (end < document->count && end - at < APART_MAX &&
           is_next_letter(document, &document->words[end], between))
        end++;
    if (end - at >= APART && hides_word(document, at, end - at, between))
        tacit__unread_note(unread, TACIT_UNREAD_BROKEN, document->words[at].start);
    return end;
}

/* ---- words cut ---- */

enum { JOINED_MAX = 48 /* letters */ };

/* What two parts of a word are together: no word of the language, and perhaps a name. */
static bool may_be_cut_name(const tacit__document *document, const tacit__word *first,
                            const tacit__word *second)
{
    char joined[JOINED_MAX];
    tacit__lexicon_entry entry;
    size_t len = first->end - first->start, more = second->end - second->start;
    if (len + more > sizeof joined)
        return false;
    memcpy(joined, document->text.bytes + first->start, len);
    memcpy(joined + len, document->text.bytes + second->start, more);
    tacit__lexicon_find(&entry, (tacit_strview){.bytes = joined, .len = len + more});
    return !(entry.lists & TACIT__LISTED_WORDS) &&
           (entry.lists & TACIT__LISTED_NAMES || first->entry.word == 0 || second->entry.word == 0);
}

/* Whether the word goes on one with a capital that the line before ends with: "Okon-", but not
 * "Post-" and "operative", nor "Long-" and "term". */
static bool is_cut(const tacit__document *document, const tacit__word *word)
{
    enum { CUT = TACIT__GAP_HYPHEN | TACIT__GAP_LINE };
    const tacit__word *before = word - 1;
    const char *between = document->text.bytes + before->end;
    return (word->before & ~(unsigned)TACIT__GAP_SPACE) == CUT &&
           word->shape == TACIT__SHAPE_LOWER && before->shape == TACIT__SHAPE_CAPITAL &&
           between[0] == '-' && (between[1] == '\n' || between[1] == '\r') &&
           may_be_cut_name(document, before, word);
}

/* ---- base64 ---- */

enum { CODED_WORD = 12 /* letters and digits in a row */, CODED = 60 /* signs */ };

static bool is_coded_sign(char c)
{
    return tacit__is_alphanumeric(c) || c == '+' || c == '/';
}

/* Whether the word is in a run of base64: a line of it has 64 or 76 signs. */
static bool is_coded(const tacit__document *document, const tacit__word *word)
{
    tacit_strview text = document->text;
    size_t from = word->start, to = word->end;
    bool large = false, small = false, digit = false;
    while (from > 0 && word->start - from < CODED && is_coded_sign(text.bytes[from - 1]))
        from--;
    while (to < text.len && to - word->start < CODED && is_coded_sign(text.bytes[to]))
        to++;
    for (size_t i = from; i < to; i++) {
        large |= tacit__is_upper(text.bytes[i]);
        small |= tacit__is_lower(text.bytes[i]);
        digit |= tacit__is_digit(text.bytes[i]);
    }
    return to - from >= CODED && large && small && digit;
}

static void find_words(tacit__unread *unread, const tacit__document *document)
{
    for (size_t i = 0, letters_end = 0; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        if (word->shape == TACIT__SHAPE_BOTH && is_disguised(document, word))
            tacit__unread_note(unread, TACIT_UNREAD_LETTERS, word->start);
        if (i >= letters_end && is_apart(document, word))
            letters_end = see_letters(unread, document, i);
        if (i > 0 && is_cut(document, word))
            tacit__unread_note(unread, TACIT_UNREAD_BROKEN, word[-1].start);
        if (word->shape == TACIT__SHAPE_BOTH && word->end - word->start >= CODED_WORD &&
            is_coded(document, word))
            tacit__unread_note(unread, TACIT_UNREAD_ENCODED, word->start);
    }
}

void tacit__unread_find(tacit__unread *unread, const tacit__document *document, bool first)
{
    *unread = (tacit__unread){0};
    find_letters(unread, document, first);
    find_signs(unread, document->text);
    find_words(unread, document);
    tacit__unread_language(unread, document);
}
