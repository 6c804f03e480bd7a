/*
 * alphabets.h - names in letters that the text is not written in.
 */
#ifndef TACIT_TEXT_DETECT_ALPHABETS_H
#define TACIT_TEXT_DETECT_ALPHABETS_H

#include "text/scrub/proposals.h"

tacit_status tacit__alphabets_propose(tacit__proposals *proposals, const tacit__document *document,
                                      tacit_error *err);

/* The first word in other letters that is not proposed, or the number of words. */
size_t tacit__alphabets_left(const tacit__document *document);

#endif
