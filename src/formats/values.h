/*
 * values.h - numbers, dates and times as the cells of a converted file say them, and back.
 *
 * A value has one form, so that a cell is a value of its type exactly if what it reads as is
 * written the same again: 1965-09-20 is a date and 1965-9-20 is text, 7 an integer and 007 text.
 */
#ifndef TACIT_SRC_FORMATS_VALUES_H
#define TACIT_SRC_FORMATS_VALUES_H

#include "formats/formats.h"

/* A text that a value takes. */
typedef struct tacit__value_text {
    char bytes[48];
    size_t len;
} tacit__value_text;

enum { TACIT__SECONDS_A_DAY = 86400 };

tacit__value_text tacit__integer_text(int64_t value);
/* Finite. A number without decimals that a double holds exactly has no point. */
tacit__value_text tacit__real_text(double value);
/* The number with the fewest digits that is this one in single precision. */
double tacit__single_of(float value);
/* Days since 1970-01-01 in the Gregorian calendar, years 1 to 9999; len is 0 for any other. */
tacit__value_text tacit__date_text(int64_t days);
/* A time of day, in nanoseconds since midnight. */
tacit__value_text tacit__time_text(int64_t nanoseconds);
/* Seconds since 1970-01-01T00:00:00, and nanoseconds, 0 or more, beyond them. */
tacit__value_text tacit__moment_text(int64_t seconds, int64_t nanoseconds, bool utc);
/* A whole number with a point before its last digits. */
tacit__value_text tacit__decimal_text(int64_t digits, int scale);

/* false: it is no such value in its one form. */
bool tacit__integer_of(int64_t *value, tacit_strview cell);
bool tacit__real_of(double *value, tacit_strview cell);
bool tacit__date_of(int64_t *days, tacit_strview cell);
bool tacit__time_of(int64_t *nanoseconds, tacit_strview cell);
bool tacit__moment_of(int64_t *seconds, int64_t *nanoseconds, bool *utc, tacit_strview cell);
bool tacit__decimal_of(int64_t *digits, int scale, tacit_strview cell);
bool tacit__boolean_of(bool *value, tacit_strview cell);

/* Whether the cell is .a to .z, which say why a value is missing in Stata and SAS. */
bool tacit__is_tag(tacit_strview cell);

/* Whether the cell is a value of a column of that type; scale is that of decimals. */
bool tacit__is_value(tacit__type type, int scale, tacit_strview cell);

#endif
