/*
 * judge.h - forward and backward along a stretch of words, for judging and learning.
 */
#ifndef TACIT_TEXT_CHAIN_JUDGE_H
#define TACIT_TEXT_CHAIN_JUDGE_H

#include "text/chain/model.h"

/* Something of each label. */
typedef struct tacit__chain_shares {
    tacit__weights named;
    float other;
} tacit__chain_shares;

static inline float tacit__share_of(const tacit__chain_shares *shares, int label)
{
    return label == TACIT__LABEL_OTHER ? shares->other : shares->named[label - 1];
}

/* A word of a stretch. */
typedef struct tacit__chain_step {
    tacit__chain_shares factor;   /* by the word's evidence; in proportion only */
    tacit__chain_shares forward;  /* by it and all before it; they sum to 1 */
    tacit__chain_shares backward; /* by all after it; they sum to 1 */
    tacit__chain_shares share;    /* all in all; they sum to 1 */
    uint8_t gap;                  /* tacit__break, before the word */
} tacit__chain_step;

/* The factors of a word whose rows add up to these weights; what they were divided by, as a
 * logarithm. */
float tacit__step_weigh(tacit__chain_step *step, tacit__weights sum);

/* Fills in all but the factors. Before the first word and after the last one, which are not
 * there, is OTHER. *sum, unless NULL, gets the logarithm of the sum over all labellings, to which
 * what the factors were divided by is to be added. */
void tacit__steps_pass(tacit__chain_step *steps, size_t count,
                       const tacit__turn turn[TACIT__BREAKS], double *sum);

/* The share of each label after a label of the word before (whose step is NULL before the
 * first), after a pass. */
void tacit__steps_pair(tacit__chain_shares after[TACIT__LABELS], const tacit__chain_step *before,
                       const tacit__chain_step *step, const tacit__turn *turn);

#endif
