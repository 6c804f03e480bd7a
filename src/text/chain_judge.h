/*
 * chain_judge.h - forward and backward along a stretch of words, for judging and learning.
 */
#ifndef TACIT_SRC_TEXT_CHAIN_JUDGE_H
#define TACIT_SRC_TEXT_CHAIN_JUDGE_H

#include "text/chain_model.h"

/* A word of a stretch. Factors are in proportion only. */
typedef struct tacit__step {
    float factor[TACIT__LABELS];   /* of each label, by the word's evidence */
    float forward[TACIT__LABELS];  /* by it and all before it; they sum to 1 */
    float backward[TACIT__LABELS]; /* by all after it; they sum to 1 */
    float share[TACIT__LABELS];    /* of each label, all in all; they sum to 1 */
    uint8_t gap;                   /* tacit__break, before the word */
} tacit__step;

/* The factors of a word whose rows add up to these weights; what they were divided by, as a
 * logarithm. */
float tacit__step_weigh(tacit__step *step, tacit__weights sum);

/* Fills in all but the factors. Before the first word and after the last one, which are not
 * there, is OTHER. *sum, unless NULL, gets the logarithm of the sum over all labellings, to which
 * what the factors were divided by is to be added. */
void tacit__steps_pass(tacit__step *steps, size_t count, const tacit__turn turn[TACIT__BREAKS],
                       double *sum);

/* The share of each pair of labels, of a word and of the one before it (NULL before the
 * first), after a pass. */
void tacit__steps_pair(float share[TACIT__LABELS][TACIT__LABELS], const tacit__step *before,
                       const tacit__step *step, const tacit__turn *turn);

/* e^x for x up to 80 either way, the same on every machine. */
float tacit__chain_exp(float x);

#endif
