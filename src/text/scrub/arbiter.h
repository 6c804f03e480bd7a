/*
 * arbiter.h - one decision for each character (section 9.3): of the proposals that reach the
 * threshold the one of highest precedence has it, and among these the most likely one.
 */
#ifndef TACIT_TEXT_SCRUB_ARBITER_H
#define TACIT_TEXT_SCRUB_ARBITER_H

#include "text/scrub/proposals.h"

/* The five levels of Figure 111, 4 the highest: by the number of an entity's constituents; titles
 * are below them. */
int tacit__precedence(tacit_text_kind kind);

/* A part of the piece and the number of the proposal that has it. */
typedef struct tacit__scrub_verdict {
    uint32_t start, end;
    uint32_t by;
} tacit__scrub_verdict;

/* Proposals that overlap, directly or through others, and the bytes from the first to the last that
 * they are about. */
typedef struct tacit__claims {
    uint32_t start, end;
    uint32_t ranked, count;  /* where their ranks are, and how many there are */
    uint32_t verdict, given; /* where the verdicts on them are, and how many */
    uint64_t best;           /* rank */
} tacit__claims;

/* Memory that is used again from piece to piece; all zero is a new one. */
typedef struct tacit__arbiter {
    tacit__scrub_verdict *verdicts; /* by start; kept kinds too */
    size_t count, verdict_capacity;
    tacit__scrub_verdict *before; /* those of the last time, when it decides again */
    size_t before_capacity;
    tacit__claims *groups; /* by start */
    size_t group_count, group_capacity;
    uint64_t *ranked; /* proposals by rank, group by group, see arbiter.c */
    size_t ranked_count, ranked_capacity;
    uint32_t *next; /* of each proposal: the next with the same start, + 1, or 0 */
    size_t next_capacity;
    uint64_t *starts; /* a bit for each byte where a proposal starts */
    size_t start_capacity;
    uint32_t *bytes; /* of each byte: the first proposal that starts there or, of a group that
                      * is being decided, that has it; + 1, or 0, as all are between pieces */
    size_t byte_capacity;
} tacit__arbiter;

/* Who has a say. */
typedef struct tacit__scrub_hearing {
    int threshold; /* proposals that are as likely, */
    bool special;  /* with those of kinds that are kept; */
    int doubt;     /* guesses that reach what it takes in such a text */
} tacit__scrub_hearing;

/* Decides on the proposals, writes their fates, and lists who got what. */
tacit_status tacit__arbitrate(tacit__arbiter *arbiter, tacit__proposals *proposals,
                              tacit_strview text, tacit__scrub_hearing hearing, tacit_error *err);

/* The same with more proposals, from a number on, that came since: decides on those that they
 * overlap with. */
tacit_status tacit__arbitrate_again(tacit__arbiter *arbiter, tacit__proposals *proposals,
                                    size_t from, tacit_strview text, tacit__scrub_hearing hearing,
                                    tacit_error *err);
void tacit__arbiter_clear(tacit__arbiter *arbiter);

/* How much a guess has to show. In a text with a patient's number in it, what looks like a name
 * most likely is one; in a manual it is a machine, a heading or an eponym. So the bar for guesses
 * rises with the doubt whether there is anybody in the text, and no guess is beyond it: what stands
 * like a name needs little more than usual, whatever else the text has. */

/* From 0 to 100: how far nothing tells that there is anybody in a text of so many words. */
int tacit__doubt(const tacit__proposals *proposals, size_t words);

/* How likely a proposal must be to be heard at a threshold and a doubt, which counts for guesses
 * only. It never falls when either rises. */
int tacit__bar(const tacit__proposal *proposal, int threshold, int doubt);

#endif
