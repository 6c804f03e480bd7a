/*
 * document.c - cuts a piece of text into words, looks each up, and finds the phrases of lists
 * among them.
 *
 * Cost: one step a byte, one look-up a word (text/recall.h), and a few more where a word opens
 * a phrase.
 */
#include "text/document.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "text/classify.h"
#include "text/fold.h"
#include "text/recall.h"
#include "text/signs.h"

enum { BLANK = TACIT__GAP_SPACE | TACIT__GAP_LINE, COLUMN = 3, BLOCK = 64 };

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

/* How many blanks and ends of lines came one after the other. */
typedef struct blanks_seen {
    unsigned lines, spaces;
    bool column;
} blanks_seen;

static void see_blank(blanks_seen *seen, unsigned sign, char byte)
{
    bool line = sign == TACIT__GAP_LINE, space = sign == TACIT__GAP_SPACE;
    seen->lines = line ? seen->lines + 1 : space ? seen->lines : 0;
    seen->spaces = space ? seen->spaces + 1 : 0;
    seen->column = seen->column || byte == '\t' || seen->spaces >= COLUMN;
}

/* One space and then a word of ASCII: what most gaps are. */
static bool is_plain_gap(const text_cutter *cutter)
{
    const unsigned char *bytes = (const unsigned char *)cutter->text.bytes + cutter->at;
    return cutter->text.len - cutter->at > 1 && bytes[0] == ' ' && bytes[1] < 0x80 &&
           cutter->table[bytes[1]] & TACIT__SIGN_WORD;
}

/* What the bytes up to the next word are, with an empty line told from a line's end, and the
 * flags that follow from them. */
static unsigned read_gap(text_cutter *cutter, uint8_t *flags)
{
    unsigned gap = 0;
    blanks_seen seen = {0};
    *flags = 0;
    if (is_plain_gap(cutter)) {
        cutter->at++;
        return TACIT__GAP_SPACE;
    }
    while (cutter->at < cutter->text.len) {
        size_t len;
        unsigned sign = sign_at(cutter, cutter->at, &len);
        if (sign & TACIT__SIGN_WORD)
            break;
        gap |= sign;
        see_blank(&seen, sign, cutter->text.bytes[cutter->at]);
        if (seen.lines > 1)
            gap |= TACIT__GAP_PARAGRAPH;
        cutter->at += len;
    }
    *flags = seen.column ? TACIT__WORD_COLUMN : 0;
    return gap;
}

/* The letters and digits of ASCII from `at` on: nearly all of them. Returns where they end. */
static size_t read_ascii(unsigned *signs, const text_cutter *cutter, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)cutter->text.bytes;
    const uint16_t *table = cutter->table;
    size_t len = cutter->text.len;
    unsigned all = 0;
    for (; at < len && bytes[at] < 0x80; at++) {
        unsigned sign = table[bytes[at]];
        if (!(sign & TACIT__SIGN_WORD))
            break;
        all |= sign;
    }
    *signs |= all;
    return at;
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
    for (;;) {
        at = read_ascii(&seen->later, cutter, at);
        if (at == cutter->text.len || (unsigned char)cutter->text.bytes[at] < 0x80)
            break;
        unsigned sign = foreign_sign(cutter, at, &len);
        if (!(sign & TACIT__SIGN_WORD))
            break;
        seen->later |= sign;
        word->flags |= TACIT__WORD_FOREIGN;
        at += len;
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

/* The word at the cursor, which moves behind it and its genitive. */
static void read_word(tacit__word *word, text_cutter *cutter)
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

uint64_t tacit__word_key(tacit_strview word)
{
    tacit__folded folded;
    return tacit__text_fold(&folded, word) ? tacit__folded_key(folded.bytes, folded.len) : 0;
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

static tacit_status add_word(tacit__document *document, text_cutter *cutter, unsigned gap,
                             uint8_t flags, tacit_error *err)
{
    if (document->count == document->capacity &&
        !tacit__reserve((void **)&document->words, &document->capacity, document->count + 1,
                        sizeof *document->words))
        return tacit__nomem(err);
    tacit__word *word = &document->words[document->count];
    *word = (tacit__word){.before = (uint16_t)(gap & TACIT__SIGN_GAPS), .flags = flags};
    read_word(word, cutter);
    tacit__recall(word, document->habits, document->text);
    if (starts_sentence(word, word - (document->count > 0)))
        word->flags |= TACIT__WORD_SENTENCE;
    document->count++;
    return TACIT_OK;
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
        word->entry.lists |= entry->lists & ~(UINT32_C(1) << TACIT__LIST_OPENS);
        if (entry->city > word->entry.city)
            word->entry.city = entry->city;
    }
}

static bool may_open(const tacit__word *word)
{
    return tacit__lexicon_in(&word->entry, TACIT__LIST_OPENS) &&
           !(word->flags & TACIT__WORD_GOES_ON) && word[1].before & BLANK;
}

/* Where the phrase that begins with the word ends, or 0. */
static size_t phrase_end(tacit__lexicon_entry *entry, const tacit__document *document,
                         const tacit__word *word)
{
    bool plain = !(word[1].before & ~(unsigned)BLANK);
    tacit__pair pair = TACIT__PAIR_BEGINS;
    if (plain)
        pair = tacit__recall_pair(entry, document->habits, word, document->text);
    if (pair == TACIT__PAIR_NOTHING)
        return 0;
    if (pair == TACIT__PAIR_PHRASE)
        return word[1].end;
    size_t len =
        tacit__lexicon_phrase(entry, (tacit_strview){.bytes = document->text.bytes + word->start,
                                                     .len = document->text.len - word->start});
    return len > 0 ? word->start + len : 0;
}

static void find_phrases(tacit__document *document)
{
    for (size_t i = 0; i + 1 < document->count; i++) {
        tacit__lexicon_entry entry;
        if (!may_open(&document->words[i]))
            continue;
        size_t end = phrase_end(&entry, document, &document->words[i]);
        if (end > 0)
            mark_phrase(document, i, (uint32_t)end, &entry);
    }
}

/* So that the word at an offset is found at once. */
static tacit_status index_words(tacit__document *document, tacit_error *err)
{
    size_t blocks = document->text.len / BLOCK + 1, block = 0;
    if (!tacit__reserve((void **)&document->blocks, &document->block_capacity, blocks,
                        sizeof *document->blocks))
        return tacit__nomem(err);
    for (size_t i = 0; i < document->count; i++)
        for (; block <= document->words[i].start / BLOCK; block++)
            document->blocks[block] = (uint32_t)i;
    return TACIT_OK;
}

tacit_status tacit__document_read(tacit__document *document, tacit_strview text, tacit_error *err)
{
    unsigned gap = TACIT__GAP_PARAGRAPH;
    if (!document->habits)
        document->habits = tacit__habits_new();
    if (!document->habits)
        return tacit__nomem(err);
    text_cutter cutter = {.text = text, .table = tacit__habits_signs(document->habits)};
    document->text = text;
    document->count = 0;
    for (;;) {
        uint8_t flags;
        gap |= read_gap(&cutter, &flags);
        if (cutter.at == text.len)
            break;
        tacit_status added = add_word(document, &cutter, gap, flags, err);
        if (added != TACIT_OK)
            return added;
        gap = 0;
    }
    tacit_status status = index_words(document, err);
    if (status != TACIT_OK)
        return status;
    find_phrases(document);
    document->casing = tacit__casing_of(document);
    document->class = tacit__class_of(document);
    return TACIT_OK;
}

void tacit__document_clear(tacit__document *document)
{
    tacit__free(document->words);
    tacit__free(document->habits);
    tacit__free(document->blocks);
    *document = (tacit__document){0};
}

bool tacit__word_is_among(const tacit__document *document, const tacit__word *word,
                          const tacit__listed_word *list)
{
    const char *bytes = document->text.bytes + word->start;
    size_t len = word->end - word->start;
    tacit__listed_word lower = {0};
    for (size_t i = 0; i < len && i < sizeof lower; i++)
        lower[i] = (char)(bytes[i] | 0x20);
    for (; (*list)[0]; list++)
        if (memcmp(*list, lower, sizeof lower) == 0)
            return true;
    return false;
}

size_t tacit__document_at(const tacit__document *document, uint32_t offset)
{
    if (document->count == 0 || offset > document->words[document->count - 1].start)
        return document->count;
    size_t word = document->blocks[offset / BLOCK];
    while (document->words[word].start < offset)
        word++;
    return word;
}
