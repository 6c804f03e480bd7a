/*
 * blocks.h - entities that are made of others: address blocks, mailing labels and
 * identification blocks (entities 1 to 3 of Figure 111). Their constituents raise one another:
 * "Huntington 18" alone is nothing, between "St. John's Hospital" and "Boston, MA 02151" it is
 * a street.
 */
#ifndef TACIT_TEXT_DETECT_BLOCKS_H
#define TACIT_TEXT_DETECT_BLOCKS_H

#include "text/chain/chain.h"
#include "text/scrub/proposals.h"

tacit_status tacit__blocks_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err);

#endif
