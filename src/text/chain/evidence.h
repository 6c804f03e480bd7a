/*
 * evidence.h - what speaks for and against a word's being part of a name: rows of
 * weights (text/chain/model.h), of the word itself, of those beside it, of its line and of the
 * same word elsewhere in the piece.
 */
#ifndef TACIT_TEXT_CHAIN_EVIDENCE_H
#define TACIT_TEXT_CHAIN_EVIDENCE_H

#include "text/chain/memory.h"

typedef enum tacit__line_flag {
    TACIT__LINE_WORDS = 7,        /* the bucket's bits */
    TACIT__LINE_CAPITALS = 1 << 3 /* no word of it is in lower case */
} tacit__line_flag;

typedef enum tacit__trait_flag {
    TACIT__TRAIT_WITHIN = 1 << 1, /* not the first of a sentence or line */
    TACIT__TRAIT_NAMED = 1 << 2   /* in a name's place: after a title, first name or initial */
} tacit__trait_flag;

/* What evidence needs of a word more than once. */
typedef struct tacit__trait {
    uint32_t row;  /* the first of the word's rows, or 0 */
    uint32_t key;  /* the same of the word before the last colon of the line */
    uint32_t seen; /* its place in the view's, or 0 */
    uint8_t role;  /* tacit__chain_role */
    uint8_t gap;   /* tacit__break, before the word */
    uint8_t line;  /* words in it (a bucket) and tacit__line_flag */
    uint8_t flags; /* tacit__trait_flag; of plain words, no other */
} tacit__trait;

/* Places before the first word and after the last one that have traits, of no role. */
enum { TACIT__BEYOND = 2 };

/* How a word occurs in the piece: bits of tacit__trait_flag, of words that are not plain, and
 * TACIT__SEEN_LOWER. */
typedef struct tacit__chain_seen {
    uint32_t tag; /* of its key; 0 where the place is empty */
    uint8_t once, twice;
    uint16_t unused;
} tacit__chain_seen;

enum { TACIT__SEEN_LOWER = 1 << 0 }; /* beside those, in lower case */

enum { TACIT__INITIALS = 26 * 26 };

/* A document as evidence sees it. */
typedef struct tacit__chain_view {
    const tacit__chain *model;
    const tacit__document *document;
    tacit__trait *traits;    /* with TACIT__BEYOND more on both sides */
    uint64_t *open;          /* a bit for each word that is not plain: plain are those that are */
                             /* OTHER beyond doubt, and part of no chain */
    tacit__chain_seen *seen; /* the first stays empty */
    size_t seen_count;       /* of the others; a power of two */
    uint8_t *seen_bits;      /* eight for each of these; set where a key may be among them */
    tacit__chain_memory *memory; /* or NULL, and nothing is remembered; nor with the words: */
    tacit__habits *habits;
    /* Pairs of letters that two capitalized words in a row, or three, begin with. */
    uint64_t initials[TACIT__INITIALS / 64 + 1];
} tacit__chain_view;

enum { TACIT__KNOWN_NAME = 4 }; /* from this weight on, in lists of names, a word is mostly one */

/* role.c */
tacit__chain_role tacit__role_of(const tacit__document *document, size_t i);

/* Bytes of room that the view of a document of so many words needs. */
size_t tacit__chain_view_size(size_t words);

/* Room is aligned for any type and lives as long as the view; memory, if any, is of the same
 * weights. */
void tacit__chain_view_init(tacit__chain_view *view, const tacit__chain *model,
                            const tacit__document *document, void *room,
                            tacit__chain_memory *memory);

/* The number of a pair of letters from 0, a, to 25; TACIT__INITIALS where one is none. */
unsigned tacit__chain_initials(unsigned a, unsigned b);

/* The rows that speak on word i by itself, and by what is around it; how many. Both together
 * are at most TACIT__EVIDENCE. */
size_t tacit__chain_itself(uint32_t *rows, const tacit__chain_view *view, size_t i);
size_t tacit__chain_around(uint32_t *rows, const tacit__chain_view *view, size_t i);

/* What these rows add up to, by a chain that is not being learned; the same sum, whether some of it
 * is remembered or not. */
tacit__weights tacit__chain_sum(const tacit__chain_view *view, size_t i);

#endif
