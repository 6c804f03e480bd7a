/*
 * balance.h - rows chosen such that their values are in the proportions of all rows.
 */
#ifndef TACIT_TECHNIQUES_TUPLES_BALANCE_H
#define TACIT_TECHNIQUES_TUPLES_BALANCE_H

#include "techniques/runner/technique.h"

/* A column's values, or combinations of several, of which each is to have its share. */
typedef struct tacit__margin {
    const uint32_t *codes; /* a row each */
    uint32_t count;        /* codes are below */
    double *excess;        /* of each code: how many rows more than its share are chosen */
} tacit__margin;

/* Chooses so many of all rows by chance. order has all rows, those that agree in every margin next
 * to each other; in the end the chosen ones are in front. excess is filled in. */
void tacit__balance(uint32_t *order, int64_t rows, int64_t count, tacit__margin *margins,
                    size_t margin_count, tacit__random *random);

/* The largest excess of a margin, or the largest lack. */
double tacit__margin_error(const tacit__margin *margin);

#endif
