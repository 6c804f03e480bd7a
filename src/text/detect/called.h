/*
 * called.h - places of care and organizations whose names end with what they are.
 */
#ifndef TACIT_TEXT_DETECT_CALLED_H
#define TACIT_TEXT_DETECT_CALLED_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

/* Those that the chain is not sure of. */
tacit_status tacit__called_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err);

#endif
