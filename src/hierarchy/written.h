/*
 * written.h - written numbers as whole multiples of a power of ten, exactly, and written dates.
 */
#ifndef TACIT_HIERARCHY_WRITTEN_H
#define TACIT_HIERARCHY_WRITTEN_H

#include <tacit/base.h>
#include <tacit/experimental/hierarchy.h>

#define TACIT__MAX_NUMBER INT64_C(1000000000000000000) /* 10^18 */

typedef enum tacit__number_result {
    TACIT__NUMBER_OK = 0,
    TACIT__NUMBER_NONE, /* not written as a number */
    TACIT__NUMBER_LARGE /* further from zero than TACIT__MAX_NUMBER */
} tacit__number_result;

/* The largest whole number that is not above text * 10^scale, and whether it is
 * just that. Digits, the point that is given ('.' or ','), a sign and an exponent are understood,
 * blanks around the number are not looked at; the locale plays no part. */
tacit__number_result tacit__number_floor(int64_t *out, bool *exact, tacit_strview text, int scale,
                                         char point);

/* Writes number / 10^scale without trailing zeros; returns the length, at most
 * TACIT__NUMBER_SIZE - 1. */
enum { TACIT__NUMBER_SIZE = 48 };
size_t tacit__number_write(char *buffer, int64_t number, int scale, char point);

/* What the values of a column say of a comma in numbers: one more than the number of the first
 * value in which it can only stand before decimals (12,5), of the first in which it cannot (12.5 or
 * 1,234,567), and of the first that is a number either way (1,234); 0 where there is none.
 * Zero-initialized, then shown every value. */
typedef struct tacit__number_signs {
    uint32_t comma;
    uint32_t point;
    uint32_t either;
} tacit__number_signs;

void tacit__number_signs_add(tacit__number_signs *signs, uint32_t number, tacit_strview text);

/* Whether they contradict each other, whether nothing tells although it matters, and otherwise what
 * stands before decimals. */
bool tacit__number_signs_clash(const tacit__number_signs *signs);
bool tacit__number_signs_silent(const tacit__number_signs *signs);
char tacit__number_signs_point(const tacit__number_signs *signs);

/* How precisely a date is written, the finest first. */
typedef enum tacit__date_unit {
    TACIT__UNIT_PART = 0, /* parts of a second */
    TACIT__UNIT_SECOND,
    TACIT__UNIT_MINUTE,
    TACIT__UNIT_HOUR,
    TACIT__UNIT_DAY,
    TACIT__UNIT_MONTH,
    TACIT__UNIT_YEAR
} tacit__date_unit;

typedef struct tacit__hierarchy_date {
    int year;
    int month; /* 0: only the year is given */
    int day;   /* 0: only month and year are given */
    int hour, minute, second;
    int micro; /* of the parts of a second */
    tacit__date_unit unit;
} tacit__hierarchy_date;

/* A date as seconds in months of 31 days, in which every unit has one length: calendars do not
 * matter for what lies in what. */
enum { TACIT__MONTH_DAYS = 31, TACIT__DAY_SECONDS = 24 * 60 * 60 };
#define TACIT__MONTH_SECONDS (INT64_C(1) * TACIT__MONTH_DAYS * TACIT__DAY_SECONDS)

/* Its first second, and how many it has; 1 for parts of a second. */
int64_t tacit__date_start(const tacit__hierarchy_date *date);
int64_t tacit__date_length(tacit__date_unit unit);

typedef enum tacit__date_result {
    TACIT__DATE_OK = 0,
    TACIT__DATE_FORM,  /* not written in a form that is known */
    TACIT__DATE_MONTH, /* there is no such month */
    TACIT__DATE_ORDER, /* there is no such month, but with day and month exchanged a date */
    TACIT__DATE_DAY,   /* there is no such day in that month */
    TACIT__DATE_TIME   /* there is no such time of day */
} tacit__date_result;

/* Two digits of a year from here on mean the 1900s, below it the 2000s. */
enum { TACIT__DATE_PIVOT = 30 };

/* Reads a date, perhaps with a time of day; *out is also set where only the calendar refuses it.
 * The order is that of dates with slashes; where it is not known, the month comes first in them.
 * The time is the clock's as it is written, in whatever zone. */
tacit__date_result tacit__date_parse(tacit__hierarchy_date *out, tacit_strview text,
                                     tacit_date_order order);

/* What the values of a column say of the order in dates with slashes: one more than the number of
 * the first value that can only be read day first, only month first, and as two different dates; 0
 * where there is none. Zero-initialized, then shown every value. */
typedef struct tacit__date_signs {
    uint32_t day_first;
    uint32_t month_first;
    uint32_t either;
} tacit__date_signs;

void tacit__date_signs_add(tacit__date_signs *signs, uint32_t number, tacit_strview text);

/* Whether they contradict each other, whether nothing tells although it matters, and otherwise the
 * order, TACIT_DATES_TELL where it does not matter. */
bool tacit__date_signs_clash(const tacit__date_signs *signs);
bool tacit__date_signs_silent(const tacit__date_signs *signs);
tacit_date_order tacit__date_signs_order(const tacit__date_signs *signs);

#endif
