/*
 * parts.c - cuts the text of a span. Letters beyond ASCII are those that are no punctuation
 * or symbol; bytes that are not UTF-8 count as letters, so that a name in the wrong encoding
 * is replaced as a whole.
 *
 * Cost: one step a part that is a word of the document in ASCII, else one a byte.
 */
#include "text/read/parts.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/lexicon/fold.h"

typedef enum sign { SIGN_GAP, SIGN_LOWER, SIGN_UPPER, SIGN_DIGIT } sign;

static bool is_gap_point(uint32_t point)
{
    return point < 0xC0 || point == 0xD7 || point == 0xF7 || (point >= 0x2000 && point < 0x2C00) ||
           (point >= 0x3000 && point < 0x3040);
}

/* Of Latin, Greek and Cyrillic; in other scripts a letter passes for a capital. */
static bool is_small(uint32_t point)
{
    if (point < 0x100)
        return point >= 0xDF;
    if (point < 0x250)
        return point & 1;
    return (point >= 0x3AC && point <= 0x3CE) || (point >= 0x430 && point <= 0x45F);
}

/* What is not ASCII. */
static sign foreign_part(tacit_strview text, size_t at, size_t *len)
{
    uint32_t point;
    bool valid;
    *len = tacit__utf8_next(&point, &valid,
                            (tacit_strview){.bytes = text.bytes + at, .len = text.len - at});
    if (!valid)
        return SIGN_LOWER;
    if (is_gap_point(point))
        return SIGN_GAP;
    return is_small(point) ? SIGN_LOWER : SIGN_UPPER;
}

static inline sign part_sign(tacit_strview text, size_t at, size_t *len)
{
    unsigned char byte = (unsigned char)text.bytes[at];
    *len = 1;
    if (tacit__is_lower(byte))
        return SIGN_LOWER;
    if (tacit__is_upper(byte))
        return SIGN_UPPER;
    if (tacit__is_digit(byte))
        return SIGN_DIGIT;
    return byte < 0x80 ? SIGN_GAP : foreign_part(text, at, len);
}

static bool is_letter(tacit_strview text, size_t at)
{
    size_t len;
    if (at >= text.len)
        return false;
    sign is = part_sign(text, at, &len);
    return is == SIGN_LOWER || is == SIGN_UPPER;
}

/* Bytes of an apostrophe with a letter after it; 0 where there is none. */
static size_t part_apostrophe(tacit_strview text, size_t at)
{
    size_t len = 0;
    if (text.bytes[at] == '\'')
        len = 1;
    else if (text.len - at > 3 && memcmp(text.bytes + at, "\xE2\x80\x99", 3) == 0)
        len = 3;
    return len > 0 && is_letter(text, at + len) ? len : 0;
}

/* Bytes of a genitive, 's with no letter after it. */
static size_t genitive(tacit_strview text, size_t at)
{
    size_t len = part_apostrophe(text, at);
    if (len == 0 || (text.bytes[at + len] | 0x20) != 's' || is_letter(text, at + len + 1))
        return 0;
    return len + 1;
}

static void read_word(tacit__read_part *part, tacit__read_parts *parts)
{
    tacit_strview text = parts->text;
    size_t len, lower = 0, upper = 0, at = parts->at;
    bool first_small = false;
    while (at < text.len) {
        sign is = part_sign(text, at, &len);
        if (is == SIGN_GAP && lower + upper > 0 && genitive(text, at) == 0)
            len = part_apostrophe(text, at);
        else if (is == SIGN_GAP)
            len = 0;
        if (is == SIGN_DIGIT || len == 0)
            break;
        first_small |= is == SIGN_LOWER && lower + upper == 0;
        lower += is == SIGN_LOWER;
        upper += is == SIGN_UPPER;
        at += len;
    }
    parts->at = at;
    part->letters = lower + upper;
    part->cased = TACIT__CASED_CAPITAL;
    if (upper == 0 || (first_small && lower > 1))
        part->cased = TACIT__CASED_LOWER;
    else if (upper > 1 && lower == 0)
        part->cased = TACIT__CASED_CAPITALS;
}

static void pass_gap(tacit__read_parts *parts)
{
    size_t len;
    if (parts->before == TACIT__PART_WORD)
        parts->at += genitive(parts->text, parts->at);
    while (parts->at < parts->text.len && part_sign(parts->text, parts->at, &len) == SIGN_GAP)
        parts->at += len;
}

static void read_digits(tacit__read_parts *parts)
{
    size_t len;
    while (parts->at < parts->text.len && part_sign(parts->text, parts->at, &len) == SIGN_DIGIT)
        parts->at += len;
}

/* Whether letters and digits are mixed in the document's word or it has others than ASCII's, or it
 * does not end with the text, so that it has to be cut. */
static bool is_mixed(const tacit__word *word, const tacit__read_parts *parts)
{
    return word->flags & TACIT__WORD_FOREIGN || word->shape == TACIT__SHAPE_BOTH ||
           word->end - parts->offset > parts->text.len ||
           (word->shape == TACIT__SHAPE_MIXED && parts->text.bytes[parts->at] & 0x20);
}

/* The document's word at the cursor; false where it has to be cut. */
static bool take_word(tacit__read_part *part, tacit__read_parts *parts, const tacit__word *word)
{
    static const uint8_t cased[TACIT__SHAPES] = {[TACIT__SHAPE_CAPITAL] = TACIT__CASED_CAPITAL,
                                                 [TACIT__SHAPE_MIXED] = TACIT__CASED_CAPITAL,
                                                 [TACIT__SHAPE_INITIAL] = TACIT__CASED_CAPITAL,
                                                 [TACIT__SHAPE_CAPITALS] = TACIT__CASED_CAPITALS};
    size_t len = word->end - word->start;
    bool digits = word->shape == TACIT__SHAPE_DIGITS;
    if (is_mixed(word, parts))
        return false;
    part->kind = digits ? TACIT__PART_DIGITS : TACIT__PART_WORD;
    part->text = (tacit_strview){.bytes = parts->text.bytes + parts->at, .len = len};
    part->letters = digits ? 0 : len;
    part->cased = cased[word->shape];
    part->word = word;
    parts->at += len;
    parts->word++;
    return true;
}

/* What is between two of the document's words, up to the end: false where it may be part of one,
 * be it a genitive's, or is not ASCII. */
static bool take_gap(tacit__read_part *part, tacit__read_parts *parts, size_t end)
{
    size_t at = parts->at;
    const char *bytes = parts->text.bytes;
    unsigned char first = (unsigned char)bytes[at];
    if (first == '\'' || tacit__is_alphanumeric(first))
        return false;
    while (at < end && (unsigned char)bytes[at] < 0x80)
        at++;
    if (at < end)
        return false;
    part->kind = TACIT__PART_GAP;
    part->text = (tacit_strview){.bytes = bytes + parts->at, .len = end - parts->at};
    part->letters = 0;
    part->cased = TACIT__CASED_LOWER;
    part->word = NULL;
    parts->at = end;
    return true;
}

/* By the document's words. */
static bool take(tacit__read_part *part, tacit__read_parts *parts)
{
    const tacit__word *word = parts->word;
    size_t end = parts->text.len;
    if (word < parts->end && word->start - parts->offset < end)
        end = word->start - parts->offset;
    return end == parts->at ? take_word(part, parts, word) : take_gap(part, parts, end);
}

void tacit__parts_pass(tacit__read_parts *parts, size_t at)
{
    parts->at = at;
    while (parts->word < parts->end && parts->word->start < parts->offset + at)
        parts->word++;
}

/* By its bytes. Apart, since it is seldom needed and would cost the other way its registers. */
static __attribute__((noinline)) void cut(tacit__read_part *part, tacit__read_parts *parts)
{
    size_t start = parts->at, len;
    sign is = part_sign(parts->text, start, &len);
    *part = (tacit__read_part){.kind = TACIT__PART_WORD};
    if (is == SIGN_GAP) {
        part->kind = TACIT__PART_GAP;
        pass_gap(parts);
    } else if (is == SIGN_DIGIT) {
        part->kind = TACIT__PART_DIGITS;
        read_digits(parts);
    } else {
        read_word(part, parts);
    }
    part->text = (tacit_strview){.bytes = parts->text.bytes + start, .len = parts->at - start};
    tacit__parts_pass(parts, parts->at);
}

bool tacit__parts_next(tacit__read_part *part, tacit__read_parts *parts)
{
    if (parts->at >= parts->text.len)
        return false;
    if (!parts->word || !take(part, parts))
        cut(part, parts);
    parts->before = part->kind;
    return true;
}

bool tacit__parts_next_solid(tacit__read_part *part, tacit__read_parts *parts)
{
    while (tacit__parts_next(part, parts))
        if (part->kind != TACIT__PART_GAP)
            return true;
    return false;
}

void tacit__put_small(tacit__strbuf *out, const char *letters, size_t len, tacit__cased cased)
{
    size_t from = out->len, capitals = cased == TACIT__CASED_CAPITALS ? len : 1;
    tacit__put(out, (tacit_strview){.bytes = letters, .len = len});
    for (size_t i = 0; i < capitals && cased != TACIT__CASED_LOWER && !out->failed; i++)
        out->bytes[from + i] = (char)(out->bytes[from + i] & ~0x20);
}

void tacit__put_cased(tacit__strbuf *out, const char *letters, size_t len, tacit__cased cased)
{
    size_t from = out->len;
    tacit__put(out, (tacit_strview){.bytes = letters, .len = len});
    if (out->failed || len == 0)
        return;
    char *put = out->bytes + from;
    size_t capitals = cased == TACIT__CASED_CAPITALS ? len : cased == TACIT__CASED_CAPITAL;
    for (size_t i = 0; i < capitals; i++)
        put[i] = (char)(put[i] - (((unsigned char)put[i] - (unsigned)'a' < 26) << 5));
    for (size_t i = capitals; i < len; i++)
        put[i] = (char)(put[i] | (((unsigned char)put[i] - (unsigned)'A' < 26) << 5));
}

void tacit__put_number(tacit__strbuf *out, unsigned number, size_t digits)
{
    char text[16];
    size_t at = sizeof text, most = digits < sizeof text ? sizeof text - digits : 0;
    while (number > 0 || at > most) {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    }
    tacit__put(out, (tacit_strview){.bytes = text + at, .len = sizeof text - at});
}

bool tacit__among(const tacit__table *table, tacit_strview word)
{
    tacit__cell cell = {0};
    uint64_t wanted[2], have[2];
    if (word.len == 0 || word.len > TACIT__CELL)
        return false;
    for (size_t i = 0; i < word.len; i++)
        cell[i] = (char)(word.bytes[i] | 0x20); /* digits and apostrophes have the bit */
    memcpy(wanted, cell, sizeof wanted);
    for (size_t i = 0; i < table->count; i++) {
        memcpy(have, table->words[i], sizeof have);
        if (((have[0] ^ wanted[0]) | (have[1] ^ wanted[1])) == 0)
            return true;
    }
    return false;
}

const char *tacit__ordinal_end(unsigned number)
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    return number / 10 % 10 == 1 || number % 10 > 3 ? ends[0] : ends[number % 10];
}

static const tacit__table ends = TACIT__TABLE("st", "nd", "rd", "th");

bool tacit__is_ordinal_end(tacit_strview word)
{
    return tacit__among(&ends, word);
}

/* ---- numbers in words ----
 *
 * One table, gone through: whoever asks has seen by other means that the word may be a number. */

/* Zeros behind it, so that one comparison says whether a word is the same and as long. */
typedef char numeral[12];

/* Up to nineteen, then the tens. */
static const numeral numerals[] = {
    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    "thirty",   "forty",   "fifty",   "sixty",     "seventy",  "eighty",   "ninety"};

enum { TEENS = 20, COUNT = sizeof numerals / sizeof numerals[0] };

int tacit__numeral_of(tacit_strview word)
{
    tacit__folded folded;
    numeral asked = "";
    if (!tacit__text_fold(&folded, word) || folded.len >= sizeof asked)
        return -1;
    memcpy(asked, folded.bytes, folded.len);
    for (int i = 0; i < COUNT; i++)
        if (memcmp(numerals[i], asked, sizeof asked) == 0)
            return i < TEENS ? i : 10 * (i - TEENS + 2);
    return -1;
}

const char *tacit__numeral(unsigned number)
{
    return numerals[number < TEENS ? number : TEENS - 2 + number / 10];
}
