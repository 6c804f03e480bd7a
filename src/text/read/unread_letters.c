/*
 * unread_letters.c - characters beyond ASCII that words are not read with, and bytes that are no
 * characters. A table of ranges says what each is; what is in none of them is a letter of Latin
 * script or a sign, as there are many.
 *
 *   invisible    beside a letter or digit: "Okon\u00ADkwo"
 *   in parts     a letter and its accent as two characters
 *   forms        full-width letters, ligatures, letters of mathematics, in circles
 *   look-alikes  Cyrillic, or Greek that is in no formula, right beside a Latin letter
 *   scripts      where tacit__alphabets_propose leaves them, or Greek words
 *
 * Cost: a test of sixteen bytes at once where the text is ASCII, a search in a table for each
 * character beyond it.
 */
#include "base/ascii.h"
#include "base/utf8.h"
#include "text/detect/detect.h"
#include "text/read/unread.h"

#include <string.h>

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

void tacit__unread_letters(tacit__unread *unread, const tacit__document *document, bool first)
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
