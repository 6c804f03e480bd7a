/*
 * weekdays.h - weekdays beside dates, which are parts of them.
 */
#ifndef TACIT_TEXT_DETECT_WEEKDAYS_H
#define TACIT_TEXT_DETECT_WEEKDAYS_H

#include "text/scrub/proposals.h"

/* The dates that templates found are among the proposals. */
tacit_status tacit__weekdays_propose(tacit__proposals *proposals, const tacit__document *document,
                                     tacit_error *err);

#endif
