/*
 * told.h - names by what is told of them: "reviewed by Okafor", "contact Maria", "Rao to chase".
 */
#ifndef TACIT_SRC_TEXT_TOLD_H
#define TACIT_SRC_TEXT_TOLD_H

#include "text/chain.h"
#include "text/proposals.h"

tacit_status tacit__told_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

#endif
