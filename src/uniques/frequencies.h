/*
 * frequencies.h - how many rows, and how many people behind them, match each
 * combination on all columns.
 */
#ifndef TACIT_SRC_UNIQUES_FREQUENCIES_H
#define TACIT_SRC_UNIQUES_FREQUENCIES_H

#include "uniques/distinct.h"

/* Into rows and people, a combination each. A row stands for the people that
 * weights says, or for 1 / fraction. */
tacit_status tacit__frequencies(int64_t *rows, double *people, const tacit_distinct *distinct,
                                const double *weights, double fraction, const tacit_run *run,
                                tacit_error *err);

#endif
