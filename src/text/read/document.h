/*
 * document.h - a piece of a document as words. A word is a run of letters or digits; what
 * parts it from the word before is kept as bits. Every detector reads these, so the text
 * is cut, folded and looked up once.
 *
 *   "Mrs. O'Neill-Long's 2 cats"  ->  Mrs | O'Neill | Long (genitive) | 2 | cats
 */
#ifndef TACIT_TEXT_READ_DOCUMENT_H
#define TACIT_TEXT_READ_DOCUMENT_H

#include <tacit/experimental/text.h>

#include "text/lexicon/lexicon.h"

typedef enum tacit__word_shape {
    TACIT__SHAPE_LOWER,
    TACIT__SHAPE_CAPITAL,  /* "Long" */
    TACIT__SHAPE_CAPITALS, /* "LONG", two letters or more */
    TACIT__SHAPE_MIXED,    /* "McCarthy" */
    TACIT__SHAPE_INITIAL,  /* "L", one capital */
    TACIT__SHAPE_DIGITS,   /* "02139" */
    TACIT__SHAPE_BOTH,     /* "A574351", letters and digits */
    TACIT__SHAPES
} tacit__word_shape;

/* What is between a word and the one before it; all that is there. */
typedef enum tacit__gap {
    TACIT__GAP_SPACE = 1 << 0,
    TACIT__GAP_LINE = 1 << 1,
    TACIT__GAP_PARAGRAPH = 1 << 2, /* an empty line, or the start of the document */
    TACIT__GAP_COMMA = 1 << 3,
    TACIT__GAP_STOP = 1 << 4,  /* a full stop */
    TACIT__GAP_END = 1 << 5,   /* ! ? and such */
    TACIT__GAP_COLON = 1 << 6, /* or semicolon */
    TACIT__GAP_QUOTE = 1 << 7,
    TACIT__GAP_HYPHEN = 1 << 8,
    TACIT__GAP_SLASH = 1 << 9,
    TACIT__GAP_BRACKET = 1 << 10,
    TACIT__GAP_AT = 1 << 11, /* @ or # right before the word */
    TACIT__GAP_OTHER = 1 << 12
} tacit__gap;

typedef enum tacit__word_flag {
    TACIT__WORD_SENTENCE = 1 << 0, /* starts a sentence, by what is before it */
    TACIT__WORD_GENITIVE = 1 << 1, /* followed by 's, which is not part of it */
    TACIT__WORD_PHRASE = 1 << 2,  /* part of a phrase of a list; entry has the phrase's lists too */
    TACIT__WORD_GOES_ON = 1 << 3, /* of the same phrase as the word before */
    TACIT__WORD_FOREIGN = 1 << 4, /* has letters beyond ASCII */
    TACIT__WORD_COLUMN = 1 << 5   /* a tab or three blanks are before it, as between columns */
} tacit__word_flag;

typedef struct tacit__word {
    uint32_t start, end;        /* bytes of the piece */
    uint16_t before;            /* tacit__gap, of the bytes up to the word before */
    uint8_t shape;              /* tacit__word_shape */
    uint8_t flags;              /* tacit__word_flag */
    uint32_t after;             /* what templates remember of it, or TACIT__WORD_UNASKED */
    uint64_t key;               /* hash of the folded word; equal words have equal keys */
    tacit__lexicon_entry entry; /* lists of the word itself and of the phrase that it is in */
} tacit__word;

#define TACIT__WORD_UNASKED UINT32_MAX

/* How the piece is written, which decides what capitals say. */
typedef enum tacit__casing {
    TACIT__CASING_USUAL,
    TACIT__CASING_LOWER,
    TACIT__CASING_CAPITALS
} tacit__casing;

/* What reading remembers of words before, so that the frequent ones cost little; private. */
typedef struct tacit__habits tacit__habits;

/* 64 bytes of the text: where words start there, a bit each, and how many do before. */
typedef struct tacit__read_block {
    uint64_t starts;
    uint32_t before;
} tacit__read_block;

typedef struct tacit__document {
    tacit_strview text;
    tacit__word *words;
    size_t count, capacity;
    tacit__habits *habits;
    uint64_t templates; /* the mark of those whose memory the words have */
    tacit__read_block *blocks;
    size_t block_capacity;
    uint64_t *lines; /* a bit for each word that starts a line, or a column of one */
    size_t line_capacity;
    tacit__casing casing;
    tacit_text_format format;
} tacit__document;

/* Reads the text anew into the same memory; all zero is an empty one. The text is borrowed,
 * and at most TACIT_SCRUB_PIECE bytes long. */
tacit_status tacit__document_read(tacit__document *document, tacit_strview text, tacit_error *err);
void tacit__document_clear(tacit__document *document);

static inline tacit_strview tacit__word_text(const tacit__document *document,
                                             const tacit__word *word)
{
    return (tacit_strview){.bytes = document->text.bytes + word->start,
                           .len = word->end - word->start};
}

/* The byte behind a word, a blank at the end. */
static inline char tacit__word_behind(const tacit__document *document, const tacit__word *word)
{
    return word->end < document->text.len ? document->text.bytes[word->end] : ' ';
}

static inline bool tacit__starts_line(const tacit__word *word)
{
    return word->before & (TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH);
}

static inline bool tacit__ends_line(const tacit__document *document, size_t word)
{
    return word + 1 >= document->count || tacit__starts_line(&document->words[word + 1]);
}

/* The number that a word is, of so many digits at most; 0 where it is none. */
unsigned tacit__word_number(const tacit__document *document, const tacit__word *word, size_t most);

/* The key of a word given as text, such as "dear". */
uint64_t tacit__word_key(tacit_strview word);

/* Short lists of words for comparing with, in lower case, the last one empty. Eight letters
 * count, so that a comparison is one of two numbers. */
typedef char tacit__listed_word[8];

bool tacit__word_is_among(const tacit__document *document, const tacit__word *word,
                          const tacit__listed_word *list);

/* The first word that starts at the offset or after it. */
size_t tacit__document_at(const tacit__document *document, uint32_t offset);

/* ---- cutting ---- */

enum { TACIT__CUT_AHEAD = 8 }; /* words beyond the last that may be looked at; all zero */

/* Capacity that the words of a text need, of which each but the first has a byte before it. */
static inline size_t tacit__cut_capacity(size_t len)
{
    return len / 2 + 1 + TACIT__CUT_AHEAD;
}

/* Cuts text into words, with what parts them and the lists that they are in: how many words there
 * are; and of each shape, in addition to what was counted. Phrases are left to the caller. */
size_t tacit__cut(tacit__word *words, tacit_strview text, tacit__habits *habits,
                  size_t shapes[TACIT__SHAPES]);

/* How much of the text is the next piece, at most limit, so that documents of any length are read
 * in constant memory: all where it is the last and fits; otherwise up to the last empty line in the
 * second half, or else the last line, or word, or character. Depends on the bytes alone. */
size_t tacit__piece_end(tacit_strview text, size_t limit, bool last);

#endif
