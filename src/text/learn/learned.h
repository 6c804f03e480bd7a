/*
 * learned.h - what a training session leaves behind, as text that people can read:
 *
 *   tacit-learned 1
 *   threshold 45
 *   # kind, likelihood and template, of those that differ from the shipped ones
 *   template date 72 d*1-2/d*1-2
 *   weights
 *   word-1:dear person 3.12 place -0.40
 *
 * After the line "weights" everything is as the chain of words reads it. Without it the words
 * have the shipped weights.
 */
#ifndef TACIT_TEXT_LEARN_LEARNED_H
#define TACIT_TEXT_LEARN_LEARNED_H

#include "base/strbuf.h"
#include "text/chain/chain.h"
#include "text/template/templates.h"

typedef struct tacit__learned_template {
    tacit_text_kind kind;
    int likelihood;
    tacit_strview text;
    int64_t line; /* of the source */
} tacit__learned_template;

/* All zero but the threshold is nothing learned. Views are of the source. */
typedef struct tacit__learned {
    int threshold; /* TACIT_SCRUB_LEARNED: the source does not say */
    tacit__learned_template *templates;
    size_t count, capacity;
    tacit_strview weights; /* empty: the shipped ones */
    int64_t weights_line;  /* of the line "weights", or 0 */
} tacit__learned;

/* An empty source is nothing learned. out is cleared by the caller, also on failure. */
tacit_status tacit__learned_read(tacit__learned *out, tacit_strview source, tacit_error *err);
void tacit__learned_clear(tacit__learned *learned);

tacit_status tacit__learned_add(tacit__learned *learned, const tacit__learned_template *template,
                                tacit_error *err);
void tacit__learned_write(tacit__strbuf *out, const tacit__learned *learned);

/* Gives the templates the likelihoods that were learned; TACIT_PARSE for one that is not there. */
tacit_status tacit__learned_apply(tacit__templates *templates, const tacit__learned *learned,
                                  tacit_error *err);

/* The chain of words with the weights; errors count lines of the whole source. */
tacit_status tacit__learned_chain(tacit__chain **out, const tacit__learned *learned,
                                  tacit_error *err);

#endif
