/*
 * document.c - a piece of text as words (text/read/cut.h), with the phrases of lists among them,
 * and what sort of text it is.
 *
 * Cost: that of cutting, and a few steps more where a word opens a phrase.
 */
#include "text/read/document.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/recall.h"
#include "text/read/classify.h"
#include "text/read/cut.h"

enum { BLANK = TACIT__GAP_SPACE | TACIT__GAP_LINE, BLOCK = 64 };

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
        word->entry.lists |= entry->lists & ~TACIT__LIST_BIT(TACIT__LIST_OPENS);
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
    default: return entry->lists & ~TACIT__LIST_BIT(TACIT__LIST_OPENS) ? word[1].end : 0;
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
        !TACIT__RESERVE(document->words, document->capacity, tacit__cut_room(len)) ||
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
    document->casing = tacit__casing_of(shapes);
    document->format = tacit__format_of(document);
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
