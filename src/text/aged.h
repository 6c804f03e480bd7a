/*
 * aged.h - first names that an age behind them tells.
 */
#ifndef TACIT_SRC_TEXT_AGED_H
#define TACIT_SRC_TEXT_AGED_H

#include "text/proposals.h"

/* The ages that templates are sure of are among the proposals. */
tacit_status tacit__aged_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err);

#endif
