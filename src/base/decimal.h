/*
 * decimal.h - numbers as text, whatever the locale.
 */
#ifndef TACIT_SRC_BASE_DECIMAL_H
#define TACIT_SRC_BASE_DECIMAL_H

#include <tacit/base.h>

/* The double nearest to a number written with digits, a point, a sign and an exponent;
 * NAN for anything else, blanks included, and for what a double cannot hold. */
double tacit__decimal_read(tacit_strview text);

/* The same where '.' or ',' stands before decimals. */
double tacit__decimal_read_as(tacit_strview text, char point);

/* Writes a finite number with as few digits as read back the same, terminated; returns the
 * length. */
enum { TACIT__DECIMAL_SIZE = 32 };
size_t tacit__decimal_write(char *buffer, double number);

#endif
