/*
 * hours.h - times of day that entries begin with, which alone look like years: "1915 seen".
 */
#ifndef TACIT_TEXT_DETECT_HOURS_H
#define TACIT_TEXT_DETECT_HOURS_H

#include "text/scrub/proposals.h"

tacit_status tacit__hours_propose(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err);

#endif
