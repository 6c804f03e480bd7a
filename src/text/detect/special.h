/*
 * special.h - Scrub's special detectors (section 9.3): medical terms, eponyms and verbs are
 * detected in order that nobody takes them for names. They speak only where another detector
 * might be wrong: of words that the chain doubts, and of eponyms, which are names.
 */
#ifndef TACIT_TEXT_DETECT_SPECIAL_H
#define TACIT_TEXT_DETECT_SPECIAL_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

tacit_status tacit__special_propose(tacit__proposals *proposals, const tacit__document *document,
                                    const tacit__opinion *opinions, tacit_error *err);

#endif
