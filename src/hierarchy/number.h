/*
 * number.h - written numbers as whole multiples of a power of ten, exactly.
 */
#ifndef TACIT_SRC_HIERARCHY_NUMBER_H
#define TACIT_SRC_HIERARCHY_NUMBER_H

#include <tacit/base.h>

#define TACIT__MAX_NUMBER INT64_C(1000000000000000000) /* 10^18 */

typedef enum tacit__number_result {
    TACIT__NUMBER_OK = 0,
    TACIT__NUMBER_NONE, /* not written as a number */
    TACIT__NUMBER_LARGE /* further from zero than TACIT__MAX_NUMBER */
} tacit__number_result;

/* The largest whole number that is not above text * 10^scale, and whether it is
 * just that. Digits, a point, a sign and an exponent are understood, blanks
 * around the number are not looked at; the locale plays no part. */
tacit__number_result tacit__number_floor(int64_t *out, bool *exact, tacit_strview text, int scale);

/* Writes number / 10^scale without trailing zeros; returns the length, at most
 * TACIT__NUMBER_SIZE - 1. */
enum { TACIT__NUMBER_SIZE = 48 };
size_t tacit__number_write(char *buffer, int64_t number, int scale);

#endif
