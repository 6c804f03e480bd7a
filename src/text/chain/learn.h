/*
 * learn.h - weights of a chain learned from marked text.
 *
 * Lessons are documents with the label of each word. Those that are not plain
 * (text/chain/model.h) are learned from, with the rows that speak on them; what a document was
 * is then forgotten. Words and endings must be known before: count all documents first, then
 * let the teacher settle what is frequent enough, then add the lessons.
 */
#ifndef TACIT_TEXT_CHAIN_LEARN_H
#define TACIT_TEXT_CHAIN_LEARN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "text/chain/chain.h"
#include "text/chain/model.h"

typedef struct tacit__chain_options {
    int rounds;          /* through all lessons */
    double step;         /* how fast weights move at first */
    double toll;         /* evidence that a weight needs to leave its first value, in words: L1 */
    double shrink;       /* a pull towards the first value in proportion to the distance: L2 */
    double forget;       /* share of the rows of words that are left out at random */
    uint32_t word_often; /* documents that a word must be in to be known by itself */
    uint32_t ending_often;
    uint64_t seed; /* of the order, and of what is left out */
} tacit__chain_options;

void tacit__chain_options_init(tacit__chain_options *options);

typedef struct tacit__teacher tacit__teacher;

/* First weights, which are copied, or NULL for zeros. */
tacit_status tacit__teacher_new(tacit__teacher **out, const tacit__chain *first,
                                const tacit__chain_options *options, tacit_error *err);
void tacit__teacher_free(tacit__teacher *teacher);

tacit_status tacit__teacher_count(tacit__teacher *teacher, const tacit__document *document,
                                  tacit_error *err);
tacit_status tacit__teacher_settle(tacit__teacher *teacher, tacit_error *err);

/* Labels (tacit__label), one a word. */
tacit_status tacit__teacher_add(tacit__teacher *teacher, const tacit__document *document,
                                const uint8_t *labels, tacit_error *err);

typedef struct tacit__lessons {
    size_t words;   /* that were learned from */
    size_t missed;  /* named words that are plain, so that no weights will find them */
    double started; /* the mean of minus the logarithm of the labels' likelihood, a word */
    double ended;   /* the same in the last round */
} tacit__lessons;

tacit_status tacit__teacher_learn(tacit__lessons *lessons, tacit__teacher *teacher,
                                  tacit_error *err);

/* What was learned, as chain.h reads it. */
tacit_status tacit__teacher_write(tacit__strbuf *out, const tacit__teacher *teacher,
                                  tacit_error *err);

/* ---- tallies ----
 *
 * In how many documents of a collection words are, to choose those that a chain knows by
 * themselves. */

typedef struct tacit__chain_tallied {
    tacit_strview name;       /* folded */
    uint32_t documents, last; /* number of the last one */
} tacit__chain_tallied;

/* All zero is an empty one. */
typedef struct tacit__chain_tally {
    tacit__chain_tallied *words;
    size_t capacity;
    tacit__numbering keys; /* of the words */
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
