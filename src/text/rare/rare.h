/*
 * rare.h - the inside of a collector of rare facts: what words count for, and the store that
 * keeps the most telling facts with exact counts in bounded memory.
 */
#ifndef TACIT_TEXT_RARE_RARE_H
#define TACIT_TEXT_RARE_RARE_H

#include <tacit/experimental/text_rare.h>

#include "base/map.h"
#include "text/lexicon/fold.h"
#include "text/read/document.h"

/* ---- words ---- */

typedef enum tacit__rare_class {
    TACIT__RARE_PLAIN,
    TACIT__RARE_STOP,   /* "the" */
    TACIT__RARE_EVENT,  /* "foster" */
    TACIT__RARE_NUMBER, /* "two" */
    TACIT__RARE_AGE     /* "age": the only word that a number makes a fact with */
} tacit__rare_class;

enum { TACIT__RARE_SLOTS = 1024 };

/* The classes of words by key; 0 is no key. */
typedef struct tacit__rare_words {
    uint64_t keys[TACIT__RARE_SLOTS];
    uint8_t classes[TACIT__RARE_SLOTS];
} tacit__rare_words;

/* What a word counts for by itself, wherever it stands. */
typedef struct tacit__rare_worth {
    uint8_t class; /* tacit__rare_class */
    uint8_t kind;  /* tacit_rare_kind */
    uint8_t bits;  /* how rare it is in English */
} tacit__rare_worth;

/* ---- the store ---- */

/* Facts have a rank that depends on nothing but the fact: its worth, then its key. The store
 * keeps those of the highest ranks: twice as many as it has to, then it drops the lower half
 * and remembers where it cut. What ranks above the last cut was never dropped, so that its
 * count is exact, whatever the order of documents and of merging. */
typedef struct tacit__rare_entry {
    uint64_t key;
    uint64_t rank;
    uint64_t first;   /* document, the lowest number */
    uint64_t holders; /* documents */
    uint64_t last;    /* of the collector's documents, by its own count, the last to hold it */
    uint32_t words[2];
    uint8_t kind, bits;
    char text[TACIT__FOLDED_MAX + 2]; /* as the first document writes it; terminated */
} tacit__rare_entry;

typedef struct tacit__rare_store {
    tacit__rare_entry *entries;
    size_t count, capacity;
    tacit__map map; /* of entries, by key */
    size_t keep;
    uint64_t cut; /* facts that rank below are not kept; 0: none was dropped */
} tacit__rare_store;

/* ---- the collector ---- */

struct tacit_rare {
    tacit__rare_words words;
    tacit__rare_store store;
    const tacit__document *document; /* the piece as words; borrowed within a call */
    tacit__document own;             /* where they are read here */
    uint64_t documents;
    uint64_t current; /* the document's number in the batch */
    bool started;     /* there is a current document */
};

#endif
