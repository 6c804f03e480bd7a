/*
 * unread.c - words that are not read as they are meant.
 *
 *   another language   of WINDOW words in small letters hardly one in two is in a list of words;
 *                      in English nine in ten are
 *   letters apart      "O k o n k w o", unless together they are a word of the language
 *   a word cut         "Okon-" at the end of a line and "kwo" on the next
 *   base64             a long run of its signs with letters of both cases and digits
 *
 * Cost: some tests a word.
 */
#include "text/read/unread.h"

#include <string.h>

#include "base/ascii.h"
#include "text/read/forms.h"

static const struct {
    const char *name, *why;
} reasons[TACIT_UNREAD_REASONS] = {
    [TACIT_UNREAD_BYTES] = {"bytes", "bytes that are no text: NUL, control characters or no UTF-8"},
    [TACIT_UNREAD_SCRIPT] = {"script", "letters of another script than the Latin one"},
    [TACIT_UNREAD_LANGUAGE] = {"language", "text in another language than English"},
    [TACIT_UNREAD_INVISIBLE] = {"invisible", "invisible characters within words, as soft hyphens"},
    [TACIT_UNREAD_LETTERS] = {"letters", "letters in forms that are not read: full-width, combined "
                                         "from parts, or look-alikes of other scripts"},
    [TACIT_UNREAD_MARKUP] = {"markup", "mark-up, as of HTML, XML or RTF"},
    [TACIT_UNREAD_ENTITIES] = {"entities", "characters written as codes, as &#39; or \\u00e9"},
    [TACIT_UNREAD_ENCODED] = {"encoded", "text in an encoding of mail: base64 or quoted-printable"},
    [TACIT_UNREAD_BROKEN] = {"broken", "words with blanks between their letters, or cut at the end "
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

/* ---- another language ---- */

enum {
    WINDOW = 32,  /* words in small letters that are judged together, */
    LEAST = 12,   /* and how many of a short text at least */
    PERCENT = 55, /* of these that English has */
};

/* Lists of words, not of names. */
enum {
    WORDS = TACIT__LIST_BIT(TACIT__LIST_WORD) | TACIT__LIST_BIT(TACIT__LIST_VERB) |
            TACIT__LIST_BIT(TACIT__LIST_DISEASE) | TACIT__LIST_BIT(TACIT__LIST_DRUG) |
            TACIT__LIST_BIT(TACIT__LIST_BODY) | TACIT__LIST_BIT(TACIT__LIST_MEDICAL) |
            TACIT__LIST_BIT(TACIT__LIST_OCCUPATION) | TACIT__LIST_BIT(TACIT__LIST_KIN) |
            TACIT__LIST_BIT(TACIT__LIST_TITLE)
};

typedef struct window {
    unsigned words, english;
    uint32_t start; /* of its first word */
} window;

static void judge(tacit__unread *unread, window *w)
{
    if (w->english * 100 < w->words * PERCENT)
        tacit__unread_note(unread, TACIT_UNREAD_LANGUAGE, w->start);
    w->words = w->english = 0;
}

/* Lists of names and places. */
enum {
    NAMES = TACIT__LIST_BIT(TACIT__LIST_FIRST) | TACIT__LIST_BIT(TACIT__LIST_SURNAME) |
            TACIT__LIST_BIT(TACIT__LIST_CITY) | TACIT__LIST_BIT(TACIT__LIST_PLACE)
};

/* Whether the word says something of the language: in small letters, by itself and no part of an
 * address in the net or the like, and nobody's name. */
static bool is_telling(const tacit__document *document, const tacit__word *word)
{
    enum { PARTED = TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH };
    if (word->shape != TACIT__SHAPE_LOWER || word->end - word->start < 2 ||
        !(word->before & PARTED))
        return false;
    const char *text = document->text.bytes;
    size_t end = word->end, len = document->text.len;
    bool ends = end >= len || (unsigned char)text[end] >= 0x80 ||
                (memchr(" \t\r\n,.;:!?)\"'-", text[end], 14) &&
                 (end + 1 >= len || memchr(" \t\r\n\"'", text[end], 6) ||
                  memchr(" \t\r\n)\"'", text[end + 1], 7)));
    return ends && (word->entry.lists & WORDS || word->flags & TACIT__WORD_FOREIGN ||
                    !(word->entry.lists & NAMES));
}

static void see_word(tacit__unread *unread, window *w, const tacit__document *document,
                     const tacit__word *word)
{
    if (!is_telling(document, word))
        return;
    if (w->words == 0)
        w->start = word->start;
    w->words++;
    w->english += (word->entry.lists & WORDS) != 0;
    if (w->words == WINDOW)
        judge(unread, w);
}

/* ---- letters apart ---- */

enum { APART = 4 /* letters at least */, APART_MOST = 24 };

/* The letters of words that have one each, together; alphabets, "L x W x D" and words of the
 * language are meant so. */
static bool hides_word(const tacit__document *document, size_t from, size_t count)
{
    char letters[APART_MOST];
    tacit__lexicon_entry entry;
    bool row = true, sizes = true;
    for (size_t i = 0; i < count; i++) {
        letters[i] = (char)(document->text.bytes[document->words[from + i].start] | 0x20);
        row &= i == 0 || letters[i] == letters[i - 1] + 1;
        sizes &= i % 2 == 0 || letters[i] == 'x';
    }
    if (row || sizes)
        return false;
    return !tacit__lexicon_find(&entry, (tacit_strview){.bytes = letters, .len = count}) ||
           entry.word == 0;
}

/* Whether the word is a letter that goes on those before it. */
static bool is_apart(const tacit__document *document, const tacit__word *word)
{
    return word->end - word->start == 1 && !tacit__has_digits(word) &&
           (unsigned char)document->text.bytes[word->start] < 0x80;
}

static size_t see_letters(tacit__unread *unread, const tacit__document *document, size_t at)
{
    size_t end = at + 1;
    while (end < document->count && end - at < APART_MOST &&
           document->words[end].before == TACIT__GAP_SPACE &&
           document->words[end].start - document->words[end - 1].end == 1 &&
           document->text.bytes[document->words[end - 1].end] == ' ' &&
           is_apart(document, &document->words[end]))
        end++;
    if (end - at >= APART && hides_word(document, at, end - at))
        tacit__unread_note(unread, TACIT_UNREAD_BROKEN, document->words[at].start);
    return end;
}

/* ---- words cut ---- */

enum { JOINED_MOST = 48 /* letters */ };

/* What two parts of a word are together: no word of the language, and perhaps a name. */
static bool may_be_name(const tacit__document *document, const tacit__word *first,
                        const tacit__word *second)
{
    char joined[JOINED_MOST];
    tacit__lexicon_entry entry;
    size_t len = first->end - first->start, more = second->end - second->start;
    if (len + more > sizeof joined)
        return false;
    memcpy(joined, document->text.bytes + first->start, len);
    memcpy(joined + len, document->text.bytes + second->start, more);
    tacit__lexicon_find(&entry, (tacit_strview){.bytes = joined, .len = len + more});
    return !(entry.lists & WORDS) &&
           (entry.lists & NAMES || first->entry.word == 0 || second->entry.word == 0);
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
           may_be_name(document, before, word);
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

void tacit__unread_words(tacit__unread *unread, const tacit__document *document)
{
    window w = {0};
    for (size_t i = 0, letters_end = 0; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        see_word(unread, &w, document, word);
        if (i >= letters_end && is_apart(document, word))
            letters_end = see_letters(unread, document, i);
        if (i > 0 && is_cut(document, word))
            tacit__unread_note(unread, TACIT_UNREAD_BROKEN, word[-1].start);
        if (word->shape == TACIT__SHAPE_BOTH && word->end - word->start >= CODED_WORD &&
            is_coded(document, word))
            tacit__unread_note(unread, TACIT_UNREAD_ENCODED, word->start);
    }
    if (w.words >= LEAST)
        judge(unread, &w);
}

void tacit__unread_find(tacit__unread *unread, const tacit__document *document, bool first)
{
    *unread = (tacit__unread){0};
    tacit__unread_letters(unread, document, first);
    tacit__unread_signs(unread, document->text);
    tacit__unread_words(unread, document);
}
