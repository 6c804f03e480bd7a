/*
 * tally.h - in how many documents of a collection words are, to choose those that a
 * chain knows by themselves.
 */
#ifndef TACIT_TEXT_CHAIN_TALLY_H
#define TACIT_TEXT_CHAIN_TALLY_H

#include "base/arena.h"
#include "text/chain/model.h"

typedef struct tacit__chain_tallied {
    tacit_strview name; /* folded */
    uint64_t key;
    uint32_t documents, last; /* number of the last one */
} tacit__chain_tallied;

/* All zero is an empty one. */
typedef struct tacit__chain_tally {
    tacit__chain_tallied *words;
    size_t count, capacity;
    uint32_t *slots; /* a word's place plus 1, or 0 */
    size_t slot_count;
    uint32_t documents;
    uint32_t endings[TACIT__ENDINGS]; /* words that end so */
    tacit__arena names;
} tacit__chain_tally;

void tacit__chain_tally_clear(tacit__chain_tally *tally);

/* Names of people and cities do not count: lists know them, and a collection's own are the
 * last that weights should hold. */
tacit_status tacit__chain_tally_add(tacit__chain_tally *tally, const tacit__document *document,
                                    tacit_error *err);

/* Lets the chain know what is often enough, in the order in which it was seen. */
tacit_status tacit__chain_tally_settle(tacit__chain *model, const tacit__chain_tally *tally,
                                       uint32_t word_often, uint32_t ending_often,
                                       tacit_error *err);

#endif
