/*
 * chain_evidence.h - what speaks for and against a word's being part of a name: rows of
 * weights (text/chain_model.h), of the word itself, of those beside it, of its line and of the
 * same word elsewhere in the piece.
 */
#ifndef TACIT_SRC_TEXT_CHAIN_EVIDENCE_H
#define TACIT_SRC_TEXT_CHAIN_EVIDENCE_H

#include "text/chain_model.h"

typedef enum tacit__line_flag {
    TACIT__LINE_WORDS = 7,        /* the bucket's bits */
    TACIT__LINE_CAPITALS = 1 << 3 /* no word of it is in lower case */
} tacit__line_flag;

/* What evidence needs of a word more than once. */
typedef struct tacit__trait {
    uint32_t row; /* the first of the word's rows, or 0 */
    uint32_t key; /* the same of the word before the last colon of the line */
    uint8_t role; /* tacit__role */
    uint8_t gap;  /* tacit__break, before the word */
    uint8_t line; /* words in it (a bucket) and tacit__line_flag */
    bool plain;   /* OTHER beyond doubt, and not part of any chain */
} tacit__trait;

/* How a word occurs in the piece; counts up to 2. */
typedef struct tacit__seen {
    uint32_t tag; /* of its key; 0 where the place is empty */
    uint8_t lower, capital, named, unused;
} tacit__seen;

enum { TACIT__INITIALS = 26 * 26, TACIT__MEMOS = 1 << 12, TACIT__MEMO_LONGEST = 1023 };

/* What is the same wherever a word occurs, remembered from one document to the next: names and
 * headings come again and again. It follows from the key, the tag and the weights, so opinions
 * do not depend on what has been seen before. */
typedef struct tacit__memo {
    uint64_t key; /* 0 where there is nothing */
    uint32_t row;
    uint16_t tag; /* length, genitive, casing and shape, in 10, 1, 2 and 3 bits */
    uint8_t role;
    bool summed;        /* or sum is not known */
    tacit__weights sum; /* of the evidence of the word itself */
} tacit__memo;

/* A document as evidence sees it. */
typedef struct tacit__chain_view {
    const tacit__chain *model;
    const tacit__document *document;
    tacit__trait *traits;
    tacit__seen *seen;
    size_t seen_count;  /* a power of two */
    tacit__memo *memos; /* TACIT__MEMOS, or NULL */
    /* Pairs of letters that two capitalized words in a row, or three, begin with. */
    uint64_t initials[TACIT__INITIALS / 64 + 1];
} tacit__chain_view;

enum { TACIT__KNOWN_NAME = 4 }; /* from this weight on, in lists of names, a word is mostly one */

/* chain_roles.c */
tacit__role tacit__role_of(const tacit__document *document, size_t i);
tacit__break tacit__break_of(const tacit__word *word);

/* Bytes of memory that the view of a document of so many words needs. */
size_t tacit__chain_view_size(size_t words);

/* Memory is aligned for any type and lives as long as the view; memos, if any, were made with
 * the same weights. */
void tacit__chain_view_init(tacit__chain_view *view, const tacit__chain *model,
                            const tacit__document *document, void *memory, tacit__memo *memos);

/* Where the word is remembered, or what else is in its place; NULL where it cannot be.
 * Not remembered: what is part of a phrase has its lists too, and initials depend on what is
 * around them; numbers are rarely the same; letters beyond ASCII are folded, and endings are not.
 */
static inline tacit__memo *tacit__chain_memo(const tacit__chain_view *view, const tacit__word *word,
                                             uint16_t *tag)
{
    uint32_t length = word->end - word->start;
    if (!view->memos || word->key == 0 || word->shape >= TACIT__SHAPE_INITIAL ||
        length > TACIT__MEMO_LONGEST || word->flags & (TACIT__WORD_PHRASE | TACIT__WORD_FOREIGN))
        return NULL;
    unsigned genitive = (word->flags & TACIT__WORD_GENITIVE) != 0;
    *tag = (uint16_t)(((length * 2 + genitive) * 4 + (unsigned)view->document->casing) * 8 +
                      word->shape);
    return &view->memos[(word->key ^ word->shape) & (TACIT__MEMOS - 1)];
}

/* How the word occurs elsewhere in the piece: 1 in lower case, 2 with a capital within a
 * sentence, 4 as part of a name; any of them together. */
unsigned tacit__chain_seen(const tacit__chain_view *view, size_t i);

/* The number of a pair of letters from 0, a, to 25; TACIT__INITIALS where one is none. */
unsigned tacit__chain_initials(unsigned a, unsigned b);

/* The rows that speak on word i by itself, and by what is around it; how many. Both together
 * are at most TACIT__EVIDENCE. */
size_t tacit__chain_itself(uint32_t *rows, const tacit__chain_view *view, size_t i);
size_t tacit__chain_around(uint32_t *rows, const tacit__chain_view *view, size_t i);

#endif
