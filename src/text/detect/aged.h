/*
 * aged.h - first names that an age behind them tells.
 */
#ifndef TACIT_TEXT_DETECT_AGED_H
#define TACIT_TEXT_DETECT_AGED_H

#include "text/scrub/proposals.h"

/* The ages that templates are sure of are among the proposals. */
tacit_status tacit__aged_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err);

#endif
