/*
 * doubt.h - how much a guess has to show. In a text with a patient's number in it, what looks like
 * a name most likely is one; in a manual it is a machine, a heading or an eponym. So the bar for
 * guesses rises with the doubt whether there is anybody in the text, and no guess is beyond it:
 * what stands like a name needs little more than usual, whatever else the text has.
 */
#ifndef TACIT_TEXT_SCRUB_DOUBT_H
#define TACIT_TEXT_SCRUB_DOUBT_H

#include "text/scrub/proposals.h"

/* From 0 to 100: how far nothing tells that there is anybody in a text of so many words. */
int tacit__doubt(const tacit__proposals *proposals, size_t words);

/* How likely a proposal must be to be heard at a threshold and a doubt, which counts for guesses
 * only. It never falls when either rises. */
int tacit__bar(const tacit__proposal *proposal, int threshold, int doubt);

#endif
