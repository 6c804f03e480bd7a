/*
 * cut.c - words by sixty-four bytes at once (text/read/sixteen.h) where they are ASCII, shorter
 * than sixteen and have no apostrophe behind them, as nearly all are; others byte by byte. Then
 * their lists (text/lexicon/recall.h).
 */
#include "text/read/cut.h"

#include <string.h>

#include "text/lexicon/recall.h"
#include "text/read/signs.h"

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
