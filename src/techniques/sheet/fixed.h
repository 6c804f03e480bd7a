/*
 * fixed.h - numbers with a given number of decimals, as text and as doubles.
 */
#ifndef TACIT_TECHNIQUES_SHEET_FIXED_H
#define TACIT_TECHNIQUES_SHEET_FIXED_H

#include <tacit/base.h>

enum { TACIT__MOST_DECIMALS = 15, TACIT__FIXED_SIZE = 64 };

/* Digits after the point of a number as it is written; one with an exponent has 15. */
int tacit__fixed_decimals(tacit_strview text);

/* Decimals that it takes to write a number, 15 at most. */
int tacit__fixed_needed(double number);

/* The nearest number with so many decimals, halves away from zero; what is too large to have
 * decimals is left as it is. */
double tacit__fixed_round(double number, int decimals);

/* Writes a finite number with so many decimals and returns the length; buffer has room for
 * TACIT__FIXED_SIZE bytes. */
size_t tacit__fixed_write(char *buffer, double number, int decimals);

#endif
