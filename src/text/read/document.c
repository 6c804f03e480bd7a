/*
 * document.c - a piece of text as words, with the phrases of lists among them, and what sort of
 * text it is (section 9.3: some of Scrub's detectors classify the format of the document).
 *
 *   pieces     looks backwards for a good place to cut: what belongs together, such as a name or an
 *              address, hardly ever goes over an empty line
 *   words      by sixty-four bytes at once (text/read/sixteen.h) where they are ASCII, shorter than
 *              sixteen and have no apostrophe behind them, as nearly all are; others byte by byte.
 *              Then their lists (text/lexicon/recall.h).
 *   format     a letter has a salutation or a complimentary close at the start of a line. Delimited
 *              text has at least three lines, nearly all with the same number of tabs, bars,
 *              semicolons or commas. Everything else is a note.
 *   casing     usual, all lower, all capitals, by the shapes of the words
 *
 * Cost: that of cutting, a few steps more where a word opens a phrase, and a pass over words and
 * lines for the format, which most often ends after a few lines.
 */
#include "text/read/document.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/utf8.h"
#include "base/vector.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/recall.h"
#include "text/read/signs.h"

/* ---- pieces ---- */

typedef bool (*place_fn)(tacit_strview text, size_t at);

static bool is_piece_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The places lie behind what ends. */
static bool ends_paragraph(tacit_strview text, size_t at)
{
    return text.bytes[at - 1] == '\n' &&
           (text.bytes[at - 2] == '\n' ||
            (text.bytes[at - 2] == '\r' && text.bytes[at - 3] == '\n'));
}

static bool ends_text_line(tacit_strview text, size_t at)
{
    return text.bytes[at - 1] == '\n';
}

static bool ends_word(tacit_strview text, size_t at)
{
    return is_piece_blank(text.bytes[at - 1]);
}

/* The last place in (from, to] that is one, or 0. */
static size_t last_place(tacit_strview text, size_t from, size_t to, place_fn is_place)
{
    for (size_t at = to; at > from; at--)
        if (is_place(text, at))
            return at;
    return 0;
}

/* No character is cut, where the bytes are characters. */
static size_t whole_characters(tacit_strview text, size_t to)
{
    for (size_t back = 1; back < 4 && back < to; back++) {
        size_t len = tacit__utf8_character(text.bytes + to - back, text.len - to + back);
        if (len > back)
            return to - back;
        if (len > 0)
            break;
    }
    return to;
}

size_t tacit__piece_end(tacit_strview text, size_t limit, bool last)
{
    static const place_fn places[] = {ends_paragraph, ends_text_line, ends_word};
    if (last && text.len <= limit)
        return text.len;
    size_t to = text.len < limit ? text.len : limit;
    for (size_t i = 0; to >= 8 && i < sizeof places / sizeof places[0]; i++) {
        size_t at = last_place(text, to / 2, to, places[i]);
        if (at > 0)
            return at;
    }
    return whole_characters(text, to);
}

/* ---- words ---- */

enum {
    BLANK = TACIT__GAP_SPACE | TACIT__GAP_LINE,
    ENDS = TACIT__GAP_PARAGRAPH | TACIT__GAP_END | TACIT__GAP_STOP, /* what may end a sentence */
    COLUMN = 3,                                                     /* blanks */
    LEADER = 4,                                                     /* full stops */
    SIXTEEN = 16,
    WINDOW = 64
};

/* A cursor over the text. */
typedef struct text_cutter {
    tacit_strview text;
    size_t at;
    const uint16_t *table;
} text_cutter;

static unsigned foreign_sign(const text_cutter *cutter, size_t at, size_t *len)
{
    return tacit__sign_foreign(
        (tacit_strview){.bytes = cutter->text.bytes + at, .len = cutter->text.len - at}, len);
}

/* The sign at `at` and its length in bytes. */
static inline unsigned sign_at(const text_cutter *cutter, size_t at, size_t *len)
{
    unsigned char byte = (unsigned char)cutter->text.bytes[at];
    *len = 1;
    return byte < 0x80 ? cutter->table[byte] : foreign_sign(cutter, at, len);
}

/* Bytes of an apostrophe at the place, 0 where there is none. */
static size_t apostrophe(const text_cutter *cutter, size_t at)
{
    const char *bytes = cutter->text.bytes + at;
    size_t left = cutter->text.len - at;
    if (left > 0 && *bytes == '\'')
        return 1;
    return left > 2 && memcmp(bytes, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Whether what comes after an apostrophe is an s and no more: a genitive. */
static bool is_genitive(const text_cutter *cutter, size_t at)
{
    size_t len;
    if (at >= cutter->text.len || (cutter->text.bytes[at] | 0x20) != 's')
        return false;
    return at + 1 == cutter->text.len || !(sign_at(cutter, at + 1, &len) & TACIT__SIGN_WORD);
}

/* Signs of a word, from which its shape follows. */
typedef struct signs_seen {
    unsigned first, later;
} signs_seen;

static tacit__word_shape shape_of(signs_seen seen)
{
    unsigned all = seen.first | seen.later;
    if (!(all & TACIT__SIGN_LETTER))
        return TACIT__SHAPE_DIGITS;
    if (all & TACIT__SIGN_DIGIT)
        return TACIT__SHAPE_BOTH;
    if (seen.first == TACIT__SIGN_LOWER)
        return seen.later & TACIT__SIGN_UPPER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_LOWER;
    if (seen.later == 0)
        return TACIT__SHAPE_INITIAL;
    if (!(seen.later & TACIT__SIGN_UPPER))
        return TACIT__SHAPE_CAPITAL;
    return seen.later & TACIT__SIGN_LOWER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_CAPITALS;
}

/* How many blanks, ends of lines and full stops came one after the other. */
typedef struct signs_in_row {
    unsigned lines, spaces, stops;
    bool column, leader;
} signs_in_row;

static void see_sign(signs_in_row *seen, unsigned sign, char byte)
{
    bool line = sign == TACIT__GAP_LINE, space = sign == TACIT__GAP_SPACE;
    seen->lines = line ? seen->lines + 1 : space ? seen->lines : 0;
    seen->spaces = space ? seen->spaces + 1 : 0;
    seen->stops = sign == TACIT__GAP_STOP ? seen->stops + 1 : 0;
    seen->column = seen->column || byte == '\t' || seen->spaces >= COLUMN;
    seen->leader = seen->leader || seen->stops >= LEADER;
}

/* What the bytes up to the next word are, with an empty line told from a line's end, and the
 * flags that follow from them. Dots that lead to what a form was filled with, "Name ..... Ann",
 * count as a colon. */
static unsigned read_gap(text_cutter *cutter, uint8_t *flags)
{
    unsigned gap = 0;
    signs_in_row seen = {0};
    while (cutter->at < cutter->text.len) {
        size_t len;
        unsigned sign = sign_at(cutter, cutter->at, &len);
        if (sign & TACIT__SIGN_WORD)
            break;
        gap |= sign;
        see_sign(&seen, sign, cutter->text.bytes[cutter->at]);
        if (seen.lines > 1)
            gap |= TACIT__GAP_PARAGRAPH;
        cutter->at += len;
    }
    *flags = seen.column ? TACIT__WORD_COLUMN : 0;
    return seen.leader ? (gap & ~(unsigned)TACIT__GAP_STOP) | TACIT__GAP_COLON : gap;
}

/* Letters and digits from the cursor on. */
static void read_signs(tacit__word *word, signs_seen *seen, text_cutter *cutter)
{
    size_t len, at = cutter->at;
    if (seen->first == 0) {
        seen->first = sign_at(cutter, at, &len);
        word->flags |= len > 1 ? TACIT__WORD_FOREIGN : 0;
        at += len;
    }
    for (; at < cutter->text.len; at += len) {
        unsigned sign = sign_at(cutter, at, &len);
        if (!(sign & TACIT__SIGN_WORD))
            break;
        seen->later |= sign;
        word->flags |= (unsigned char)cutter->text.bytes[at] < 0x80 ? 0 : TACIT__WORD_FOREIGN;
    }
    cutter->at = at;
    word->end = (uint32_t)at;
}

/* Bytes of the apostrophe at the cursor, where letters are on both its sides; or 0. */
static size_t joint(const text_cutter *cutter, signs_seen seen)
{
    size_t len, mark = 0;
    if ((seen.first | seen.later) & TACIT__SIGN_LETTER)
        mark = apostrophe(cutter, cutter->at);
    if (mark == 0 || cutter->at + mark >= cutter->text.len ||
        !(sign_at(cutter, cutter->at + mark, &len) & TACIT__SIGN_LETTER))
        return 0;
    return mark;
}

/* Any word at the cursor, which moves behind it and its genitive. */
static void read_any_word(tacit__word *word, text_cutter *cutter)
{
    signs_seen seen = {0};
    word->start = (uint32_t)cutter->at;
    read_signs(word, &seen, cutter);
    for (size_t mark; (mark = joint(cutter, seen)) > 0;) {
        if (is_genitive(cutter, cutter->at + mark)) {
            word->flags |= TACIT__WORD_GENITIVE;
            cutter->at += mark + 1;
            break;
        }
        cutter->at += mark;
        read_signs(word, &seen, cutter);
    }
    word->shape = (uint8_t)shape_of(seen);
}

/* The same as shape_of, by bits of capitals, of letters and of digits. */
static unsigned shape_by(uint64_t capitals, uint64_t letters, uint64_t digits)
{
    static const uint8_t shapes[16] = {
        /* 1: capital first, 2: later, 4: lower, 8: digits */
        TACIT__SHAPE_DIGITS, TACIT__SHAPE_INITIAL, TACIT__SHAPE_MIXED, TACIT__SHAPE_CAPITALS,
        TACIT__SHAPE_LOWER,  TACIT__SHAPE_CAPITAL, TACIT__SHAPE_MIXED, TACIT__SHAPE_MIXED,
        TACIT__SHAPE_DIGITS, TACIT__SHAPE_BOTH,    TACIT__SHAPE_BOTH,  TACIT__SHAPE_BOTH,
        TACIT__SHAPE_BOTH,   TACIT__SHAPE_BOTH,    TACIT__SHAPE_BOTH,  TACIT__SHAPE_BOTH};
    return shapes[(capitals & 1) | (capitals > 1 ? 2u : 0) | (letters & ~capitals ? 4u : 0) |
                  (digits ? 8u : 0)];
}

/* "Dr.", "J.", "St.": what a full stop follows without ending the sentence. */
static bool is_abbreviation(const tacit__word *word)
{
    uint32_t len = word->end - word->start;
    return word->shape == TACIT__SHAPE_INITIAL || len == 1 ||
           tacit__lexicon_in(&word->entry, TACIT__LIST_TITLE) ||
           (len <= 4 && tacit__lexicon_in(&word->entry, TACIT__LIST_STREET));
}

static bool starts_sentence(const tacit__word *word, const tacit__word *before)
{
    if (word->before & (TACIT__GAP_PARAGRAPH | TACIT__GAP_END))
        return true;
    return word->before & TACIT__GAP_STOP && word->before & BLANK && !is_abbreviation(before);
}

/* Reads a gap that is more than one space, or is at the start; false where no word is behind it. */
static bool open_word(tacit__word *word, const tacit__word *first, text_cutter *cutter)
{
    unsigned gap = read_gap(cutter, &word->flags);
    if (word == first)
        gap |= TACIT__GAP_PARAGRAPH;
    word->before = (uint16_t)(gap & TACIT__SIGN_GAPS);
    return cutter->at < cutter->text.len;
}

/* Bytes of text, zeros beyond its end, and what the first WINDOW of them are. */
typedef struct window {
    const char *bytes;
    size_t from; /* their place in the text */
    tacit__sixtyfour signs;
    char last[WINDOW + SIXTEEN]; /* where the text's end is nearer than that */
} window;

static void look_at(window *seen, const text_cutter *cutter)
{
    size_t left = cutter->text.len - cutter->at;
    seen->from = cutter->at;
    seen->bytes = cutter->text.bytes + cutter->at;
    if (left < sizeof seen->last) {
        memset(seen->last, 0, sizeof seen->last);
        memcpy(seen->last, seen->bytes, left);
        seen->bytes = seen->last;
    }
    seen->signs = tacit__sixtyfour_read(seen->bytes);
}

/* How many bytes there are from a place of the window, where a word ends, to the next word, where
 * they are one sign, or one and a space; words are bits from there on. 0 where it is no such gap.
 */
static inline unsigned short_gap(const tacit__sixtyfour *signs, size_t at, uint64_t words)
{
    uint64_t one = words >> 1 & 1, two = words >> 2 & signs->spaces >> (at + 1) & 1;
    return signs->tabs >> at & 1 ? 0 : (unsigned)(one | two << 1);
}

/* Words of ASCII that are shorter than sixteen bytes and have short gaps between them, from the
 * cursor on; what is before the first of them is known. *next moves behind the last. False where a
 * word of another sort is there, whose gap is known too. */
static bool read_plain_words(tacit__word **next, window *seen, text_cutter *cutter,
                             size_t shapes[TACIT__SHAPES])
{
    static const uint32_t after_of[TACIT__SHAPES] = {
        [TACIT__SHAPE_MIXED] = TACIT__WORD_UNASKED,
        [TACIT__SHAPE_DIGITS] = TACIT__WORD_UNASKED,
        [TACIT__SHAPE_BOTH] = TACIT__WORD_UNASKED,
    };
    enum { ENOUGH = WINDOW - SIXTEEN - 2 }; /* a word that starts here and its gap are within */
    const tacit__sixtyfour *signs = &seen->signs;
    for (tacit__word *word = *next;; word++) {
        *next = word;
        if (cutter->at - seen->from > ENOUGH)
            look_at(seen, cutter);
        size_t at = cutter->at - seen->from;
        uint64_t all = (signs->letters | signs->digits) >> at;
        unsigned len = (unsigned)__builtin_ctzll(~all | UINT64_C(1) << SIXTEEN);
        if (len == 0 || len == SIXTEEN || signs->odd >> (at + len) & 1)
            return false;
        uint64_t mask = (UINT64_C(1) << len) - 1;
        word->start = (uint32_t)cutter->at;
        word->end = (uint32_t)(cutter->at + len);
        word->shape = (uint8_t)shape_by(signs->capitals >> at & mask, signs->letters >> at & mask,
                                        signs->digits >> at & mask);
        shapes[word->shape]++;
        word->after = after_of[word->shape];
        word->key = tacit__lower_key(tacit__sixteen_lower(seen->bytes + at, len));
        unsigned gap = short_gap(signs, at + len, all >> len);
        cutter->at += len + gap;
        if (gap == 0) {
            *next = word + 1;
            return true;
        }
        unsigned sign = cutter->table[(unsigned char)seen->bytes[at + len]];
        word[1].before = (uint16_t)(gap == 1 ? sign : sign | TACIT__GAP_SPACE);
        word[1].flags = 0;
    }
}

static size_t cut_words(tacit__word *words, tacit_strview text, const uint16_t *signs,
                        size_t shapes[TACIT__SHAPES])
{
    text_cutter cutter = {.text = text, .table = signs};
    window seen;
    tacit__word *word = words;
    seen.from = SIZE_MAX / 2; /* nothing that is near */
    while (open_word(word, words, &cutter)) {
        if (read_plain_words(&word, &seen, &cutter, shapes))
            continue;
        read_any_word(word, &cutter);
        word->after = TACIT__WORD_UNASKED;
        word->key = tacit__word_key(
            (tacit_strview){.bytes = text.bytes + word->start, .len = word->end - word->start});
        shapes[word->shape]++;
        word++;
    }
    return (size_t)(word - words);
}

/* Lists, and what starts a sentence. What is remembered of a word is asked for a few words before
 * it is needed. */
static void look_up_words(tacit__word *words, size_t count, tacit_strview text,
                          tacit__habits *habits)
{
    for (size_t i = 0; i < count; i++) {
        tacit__word *word = &words[i];
        tacit__habit_expect(habits, word[TACIT__CUT_AHEAD].key);
        tacit__recall(word, habits, text);
        if (word->before & ENDS && starts_sentence(word, word - (i > 0)))
            word->flags |= TACIT__WORD_SENTENCE;
    }
}

size_t tacit__cut(tacit__word *words, tacit_strview text, tacit__habits *habits,
                  size_t shapes[TACIT__SHAPES])
{
    size_t count = cut_words(words, text, habits->signs, shapes);
    memset(words + count, 0, TACIT__CUT_AHEAD * sizeof *words);
    look_up_words(words, count, text, habits);
    return count;
}

/* ---- format and casing ---- */

/* Of a document that has so many words of each shape. */
static tacit__casing casing_of(const size_t shapes[TACIT__SHAPES])
{
    size_t lower = shapes[TACIT__SHAPE_LOWER], capitals = shapes[TACIT__SHAPE_CAPITALS];
    size_t begun = shapes[TACIT__SHAPE_CAPITAL] + shapes[TACIT__SHAPE_MIXED];
    size_t all = lower + capitals + begun;
    if (all >= 2 && capitals * 10 >= all * 8)
        return TACIT__CASING_CAPITALS;
    if (lower >= 2 && (capitals + begun) * 50 <= lower)
        return TACIT__CASING_LOWER;
    return TACIT__CASING_USUAL;
}

static bool has_salutation(const tacit__document *document)
{
    static const tacit__listed_word marks[] = {"dear",  "sincerel", "regards",
                                               "yours", "respectf", ""};
    for (size_t i = 0; i < document->count; i++) {
        const tacit__word *word = &document->words[i];
        if (word->before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH) &&
            tacit__word_is_among(document, word, marks))
            return true;
    }
    return false;
}

/* Lines, and how many of them have as many delimiters as the first that has any. */
typedef struct line_tally {
    size_t lines, alike, expected;
} line_tally;

static size_t count_of(const char *bytes, size_t len, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += bytes[i] == byte;
    return count;
}

static void add_line(line_tally *tally, size_t delimiters)
{
    tally->lines++;
    if (tally->expected == 0)
        tally->expected = delimiters;
    if (delimiters > 0 && delimiters == tally->expected)
        tally->alike++;
}

/* Whether it can still turn out to be delimited text, of at most so many lines. */
static bool is_hopeful(const line_tally *tally, size_t max_lines)
{
    return tally->expected != 1 && (tally->lines - tally->alike) * 10 <= max_lines;
}

static bool is_delimited_by(tacit_strview text, char delimiter, size_t max_lines)
{
    line_tally tally = {0};
    for (size_t at = 0, len; at < text.len && is_hopeful(&tally, max_lines); at += len + 1) {
        const char *line = text.bytes + at, *end = memchr(line, '\n', text.len - at);
        len = end ? (size_t)(end - line) : text.len - at;
        if (len > 0)
            add_line(&tally, count_of(line, len, delimiter));
    }
    return tally.lines >= 3 && tally.expected >= 2 && tally.alike * 10 >= tally.lines * 9;
}

static size_t lines_of(tacit_strview text)
{
    size_t lines = 1;
    const char *last = text.bytes + text.len;
    for (const char *at = text.bytes; (at = memchr(at, '\n', (size_t)(last - at))); at++)
        lines++;
    return lines;
}

static bool is_delimited(tacit_strview text)
{
    static const char delimiters[] = {'\t', '|', ';', ','};
    size_t max_lines = 0;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        if (!memchr(text.bytes, delimiters[i], text.len))
            continue;
        if (max_lines == 0)
            max_lines = lines_of(text);
        if (is_delimited_by(text, delimiters[i], max_lines))
            return true;
    }
    return false;
}

/* Of a document whose words are read. */
static tacit_text_format format_of(const tacit__document *document)
{
    if (has_salutation(document))
        return TACIT_TEXT_LETTER;
    if (document->text.len > 0 && is_delimited(document->text))
        return TACIT_TEXT_DELIMITED;
    return TACIT_TEXT_NOTE;
}

/* ---- phrases ---- */

enum { BLOCK = 64 };

uint64_t tacit__word_key(tacit_strview word)
{
    tacit__folded folded;
    return tacit__text_fold(&folded, word) ? tacit__folded_key(folded.bytes, folded.len) : 0;
}

/* A phrase's lists count for each of its words. */
static void mark_phrase(tacit__document *document, size_t first, uint32_t end,
                        const tacit__lexicon_entry *entry)
{
    for (size_t i = first; i < document->count && document->words[i].end <= end; i++) {
        tacit__word *word = &document->words[i];
        word->flags |= TACIT__WORD_PHRASE;
        if (i > first)
            word->flags |= TACIT__WORD_GOES_ON;
        word->entry.lists |= entry->lists & ~TACIT__LISTED(OPENS);
        if (entry->city > word->entry.city)
            word->entry.city = entry->city;
    }
}

/* Which of at most 64 words may open a phrase, a bit each: all but the last may, if a blank is
 * behind them. */
static uint64_t may_open(const tacit__document *document, size_t from)
{
    const tacit__word *word = document->words + from;
    size_t count = tacit__bitset_share(from, document->count - 1);
    uint64_t may = 0;
    for (size_t i = 0; i < count; i++, word++) {
        uint64_t opens = tacit__lexicon_in(&word->entry, TACIT__LIST_OPENS);
        may |= (opens & ((word[1].before & BLANK) != 0)) << i;
    }
    return may;
}

/* Nothing but blanks before it. */
static bool is_spaced(const tacit__word *word)
{
    return word->before & BLANK && !(word->before & ~(unsigned)BLANK);
}

/* Whether a blank or the end is behind the word, and no punctuation that may be part of a phrase.
 */
static bool ends_plainly(const tacit__document *document, const tacit__word *word)
{
    char behind = tacit__word_behind(document, word);
    return behind == ' ' || behind == '\n';
}

/* Where the longest phrase of two words or more ends, or 0. */
static size_t long_phrase_end(tacit__lexicon_entry *entry, const tacit__document *document,
                              const tacit__word *word)
{
    size_t len =
        tacit__lexicon_phrase(entry, (tacit_strview){.bytes = document->text.bytes + word->start,
                                                     .len = document->text.len - word->start});
    return len > 0 ? word->start + len : 0;
}

/* The same of words of which two begin a phrase; what the two are themselves is known. Most often
 * the third says that it is none. */
static size_t begun_phrase_end(tacit__lexicon_entry *entry, const tacit__document *document,
                               const tacit__word *word)
{
    const tacit__word *last = document->words + document->count;
    tacit__lexicon_entry three;
    if (last - word < 3 || word[1].flags & TACIT__WORD_GENITIVE || !is_spaced(&word[2]) ||
        !ends_plainly(document, &word[2]))
        return long_phrase_end(entry, document, word);
    switch (tacit__recall_phrase(&three, document->habits, word, 3, document->text)) {
    case TACIT__WORDS_BEGIN: return long_phrase_end(entry, document, word);
    case TACIT__WORDS_PHRASE: *entry = three; return word[2].end;
    default: return entry->lists & ~TACIT__LISTED(OPENS) ? word[1].end : 0;
    }
}

/* Whether no phrase begins with the word and the one sign behind it, as far as that is remembered.
 */
static bool closes(const tacit__document *document, const tacit__word *word)
{
    const char *behind = document->text.bytes + word->end;
    return !(word->flags & TACIT__WORD_GENITIVE) && word->end + 2 <= word[1].start &&
           *behind > ' ' && behind[1] == ' ' &&
           tacit__recall_closed(document->habits, word, document->text) != TACIT__WORDS_BEGIN;
}

/* Where the phrase that begins with the word ends, or 0. */
static size_t phrase_end(tacit__lexicon_entry *entry, const tacit__document *document,
                         const tacit__word *word)
{
    if (!is_spaced(&word[1]))
        return closes(document, word) ? 0 : long_phrase_end(entry, document, word);
    switch (tacit__recall_phrase(entry, document->habits, word, 2, document->text)) {
    case TACIT__WORDS_BEGIN: return begun_phrase_end(entry, document, word);
    case TACIT__WORDS_PHRASE: return word[1].end;
    default: return 0;
    }
}

static void find_phrase(tacit__document *document, size_t first)
{
    tacit__lexicon_entry entry;
    size_t end = phrase_end(&entry, document, &document->words[first]);
    if (end > 0)
        mark_phrase(document, first, (uint32_t)end, &entry);
}

static void find_phrases(tacit__document *document)
{
    for (size_t from = 0; from + 1 < document->count; from += 64)
        for (uint64_t left = may_open(document, from); left != 0; left &= left - 1) {
            size_t i = from + (size_t)__builtin_ctzll(left);
            if (!(document->words[i].flags & TACIT__WORD_GOES_ON))
                find_phrase(document, i);
        }
}

/* Marks where at most 64 words start, and tells which of them start a line or a column. */
static uint64_t index_some(tacit__document *document, size_t from)
{
    const tacit__word *words = document->words + from;
    size_t count = tacit__bitset_share(from, document->count);
    uint64_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t start = words[i].start;
        unsigned line = (words[i].before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH)) |
                        (words[i].flags & TACIT__WORD_COLUMN);
        document->blocks[start / BLOCK].starts |= UINT64_C(1) << start % BLOCK;
        lines |= (uint64_t)(line != 0) << i;
    }
    return lines;
}

/* So that the word at an offset is found at once, and so are lines. */
static void index_words(tacit__document *document)
{
    tacit__read_block *blocks = document->blocks;
    size_t count = document->text.len / BLOCK + 1;
    uint32_t before = 0;
    memset(blocks, 0, count * sizeof *blocks);
    for (size_t from = 0; from < document->count; from += 64)
        document->lines[from / 64] = index_some(document, from);
    for (size_t i = 0; i < count; i++) {
        blocks[i].before = before;
        before += tacit__bits_set(blocks[i].starts);
    }
}

static tacit_status make_room(tacit__document *document, size_t len, tacit_error *err)
{
    if (!document->habits)
        document->habits = tacit__habits_new();
    if (!document->habits ||
        !TACIT__RESERVE(document->words, document->capacity, tacit__cut_capacity(len)) ||
        !TACIT__RESERVE(document->blocks, document->block_capacity, len / BLOCK + 1) ||
        !TACIT__RESERVE(document->lines, document->line_capacity,
                        tacit__bitset_words((int64_t)len + 1)))
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__document_read(tacit__document *document, tacit_strview text, tacit_error *err)
{
    size_t shapes[TACIT__SHAPES] = {0};
    tacit_status status = make_room(document, text.len, err);
    if (status != TACIT_OK)
        return status;
    document->text = text;
    document->templates = document->habits->templates;
    document->count = tacit__cut(document->words, text, document->habits, shapes);
    index_words(document);
    find_phrases(document);
    document->casing = casing_of(shapes);
    document->format = format_of(document);
    return TACIT_OK;
}

void tacit__document_clear(tacit__document *document)
{
    tacit__free(document->words);
    tacit__free(document->habits);
    tacit__free(document->blocks);
    tacit__free(document->lines);
    *document = (tacit__document){0};
}

/* The first eight bytes of a word in lower case, as if all were letters; zeros beyond it. */
static uint64_t lower_start(const tacit__document *document, const tacit__word *word)
{
    static const int8_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const uint64_t small = UINT64_C(0x2020202020202020);
    size_t len = word->end - word->start, left = document->text.len - word->start;
    uint64_t start = 0, mask;
    if (len > sizeof start)
        len = sizeof start;
    memcpy(&mask, masks + sizeof mask - len, sizeof mask);
    if (left >= sizeof start)
        memcpy(&start, document->text.bytes + word->start, sizeof start);
    else
        memcpy(&start, document->text.bytes + word->start, left);
    return (start | small) & mask;
}

bool tacit__word_is_among(const tacit__document *document, const tacit__word *word,
                          const tacit__listed_word *list)
{
    uint64_t lower = lower_start(document, word), listed;
    for (; (*list)[0]; list++) {
        memcpy(&listed, *list, sizeof listed);
        if (listed == lower)
            return true;
    }
    return false;
}

unsigned tacit__word_number(const tacit__document *document, const tacit__word *word, size_t most)
{
    tacit_strview digits = tacit__word_text(document, word);
    unsigned number = 0;
    if (word->shape != TACIT__SHAPE_DIGITS || digits.len > most)
        return 0;
    for (size_t i = 0; i < digits.len; i++)
        number = 10 * number + (unsigned)(digits.bytes[i] - '0');
    return number;
}

size_t tacit__document_at(const tacit__document *document, uint32_t offset)
{
    if (offset > document->text.len || document->count == 0)
        return document->count;
    const tacit__read_block *block = &document->blocks[offset / BLOCK];
    uint64_t below = (UINT64_C(1) << offset % BLOCK) - 1;
    return block->before + tacit__bits_set(block->starts & below);
}
