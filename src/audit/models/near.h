/*
 * near.h - numbers of a sensitive column that the judge counts as one value.
 *
 * What is near is said in tacit/experimental/model.h. The judge cuts the line of numbers into
 * stretches of twice the spread, on two grids of which one is moved by the spread: of two numbers
 * that are no further apart, one grid has no border between them. A class keeps a model if it does
 * on both.
 */
#ifndef TACIT_AUDIT_MODELS_NEAR_H
#define TACIT_AUDIT_MODELS_NEAR_H

#include <tacit/experimental/model.h>
#include <tacit/table.h>

/* What a value is as a number: NAN where it is none, or a code that starts with a 0. */
double tacit__near_number(tacit_strview text);

/* Whether any value of a coded column is a number. */
bool tacit__near_applies(const tacit_table *table, int32_t column);

/* The distance up to which numbers of a column are one value. */
double tacit__near_reach(const tacit_table *table, int32_t column, tacit_spread spread);

/* A code each, and missing: a code that stands for all of its stretch on a grid, 0 or 1. The
 * caller frees them. */
tacit_status tacit__near_codes(uint32_t **out, const tacit_table *table, int32_t column,
                               double reach, int grid, tacit_error *err);

#endif
