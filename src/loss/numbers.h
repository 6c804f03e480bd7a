/*
 * numbers.h - the values of a column as numbers, and in their order.
 */
#ifndef TACIT_SRC_LOSS_NUMBERS_H
#define TACIT_SRC_LOSS_NUMBERS_H

#include "loss/loss.h"

/* Fills in numbers, order and moments of a side whose amounts are there. Of the original only where
 * every value is a number and there is one: else numbers stays NULL. A number that is padded with
 * zeros ("02138") is a code and none. */
tacit_status tacit__loss_numbers(tacit__loss_frame *frame, int which, tacit__loss_side *side,
                                 tacit_error *err);

/* Ranks by code of those among `amounts` rows that are numbers, from 1; equal ones share the mean
 * of their ranks. */
void tacit__mid_ranks(double *ranks, const tacit__loss_side *side, const double *amounts);

#endif
