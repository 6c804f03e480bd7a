/*
 * told.h - names by what is told of them: "reviewed by Okafor", "contact Maria", "Rao to chase".
 */
#ifndef TACIT_TEXT_DETECT_TOLD_H
#define TACIT_TEXT_DETECT_TOLD_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

tacit_status tacit__told_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

#endif
