/*
 * days.h - days of a month that only their place and the dates around them tell: "3/4".
 */
#ifndef TACIT_TEXT_DETECT_DAYS_H
#define TACIT_TEXT_DETECT_DAYS_H

#include "text/scrub/proposals.h"

/* The dates that templates are sure of are among the proposals. */
tacit_status tacit__days_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err);

#endif
