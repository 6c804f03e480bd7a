/*
 * learn.h - the parts of a training session: the collection, cut into parts; how well the parts
 * are scrubbed; what templates and words learn from them.
 */
#ifndef TACIT_TEXT_LEARN_LEARN_H
#define TACIT_TEXT_LEARN_LEARN_H

#include "base/strbuf.h"
#include "text/chain/chain.h"
#include "text/template/templates.h"

#include <tacit/experimental/text_learn.h>

/* Bits, so that sets of parts can be asked for. */
typedef enum tacit__learn_part {
    TACIT__PART_HELD_OUT = 1, /* a quarter: before and after are measured on it */
    TACIT__PART_TRIAL = 2,    /* a quarter of the rest: the threshold is chosen on it */
    TACIT__PART_LESSONS = 4,
    TACIT__PARTS_LEARNING = TACIT__PART_TRIAL | TACIT__PART_LESSONS,
    TACIT__PARTS_ALL = TACIT__PARTS_LEARNING | TACIT__PART_HELD_OUT
} tacit__learn_part;

/* What those who mark text call the parts of names and addresses, in capitals or not: a
 * tacit__label, or TACIT__LABELS where it is none that words have. */
int tacit__word_label_of(tacit_strview name);

typedef struct tacit__collected_label {
    tacit_strview name;
    uint64_t marks;
    int word; /* by tacit__word_label_of */
} tacit__collected_label;

typedef struct tacit__collected {
    uint64_t hash; /* of the text */
    const tacit_text_marked *document;
    uint8_t part; /* tacit__learn_part */
} tacit__collected;

typedef struct tacit__collection {
    tacit__collected *items; /* by the hashes of their texts, not as they were given */
    size_t count;
    size_t longest;                 /* text, in bytes */
    tacit__collected_label *labels; /* by name */
    size_t label_count, label_capacity;
} tacit__collection;

/* Checks the documents and cuts them into parts; equal texts come into the same part. The
 * documents are borrowed. out is cleared by the caller, also on failure. */
tacit_status tacit__collection_init(tacit__collection *out, const tacit_text_marked *documents,
                                    size_t count, tacit_error *err);
void tacit__collection_clear(tacit__collection *collection);
size_t tacit__collection_label(const tacit__collection *collection, tacit_strview name);
size_t tacit__collection_count(const tacit__collection *collection, unsigned parts);

/* How names are written, by the documents' marks that say a person. */
void tacit__collection_casing(tacit_learn_casing *out, const tacit__collection *collection);

/* One count for each label, beside the sums. */
typedef struct tacit__learn_measured {
    tacit_learn_score score;
    uint64_t personal[TACIT_LEARN_LABELS], both[TACIT_LEARN_LABELS];
} tacit__learn_measured;

/* Scrubs the parts on all threads and counts tokens. */
tacit_status tacit__collection_measure(tacit__learn_measured *out,
                                       const tacit__collection *collection, unsigned parts,
                                       const tacit_scrubber *scrubber, const tacit_run *run,
                                       tacit_error *err);

/* Where the templates match in the collection. */
typedef struct tacit__sightings tacit__sightings;
tacit_status tacit__sightings_new(tacit__sightings **out, const tacit__collection *collection,
                                  const tacit__templates *templates, const tacit_run *run,
                                  tacit_error *err);
void tacit__sightings_free(tacit__sightings *sightings);

typedef struct tacit__sighted {
    uint64_t matches;        /* in all parts */
    uint64_t decided, right; /* in the parts learned from, see tacit_learn_template */
} tacit__sighted;

/* Likelihoods, one a template: what the parts make of the first ones. sighted is what the last
 * round counted. */
void tacit__sightings_learn(int *likelihoods, tacit__sighted *sighted, const int *first,
                            tacit__sightings *sightings, unsigned parts, double prior);

/* Adds the weights of words, continued from the first ones. */
tacit_status tacit__words_learn(tacit__strbuf *out, const tacit__collection *collection,
                                unsigned parts, const tacit__chain *first, const tacit_run *run,
                                tacit_error *err);

#endif
