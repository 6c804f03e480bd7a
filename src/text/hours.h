/*
 * hours.h - times of day that entries begin with, which alone look like years: "1915 seen".
 */
#ifndef TACIT_SRC_TEXT_HOURS_H
#define TACIT_SRC_TEXT_HOURS_H

#include "text/proposals.h"

tacit_status tacit__hours_propose(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err);

#endif
