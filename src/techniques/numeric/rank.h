/*
 * rank.h - numbers by their rank.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_RANK_H
#define TACIT_TECHNIQUES_NUMERIC_RANK_H

#include "techniques/sheet/sheet.h"

/* How many of the sheet's rows have a number. */
int64_t tacit__rank_count(const tacit__sheet *sheet, const double *numbers);

/* The number of a rank, from 0, among those of a column in ascending order; there are more than
 * rank. */
tacit_status tacit__rank_find(double *out, const tacit__sheet *sheet, const double *numbers,
                              int64_t rank, tacit_error *err);

#endif
