/*
 * date.h - written dates.
 */
#ifndef TACIT_SRC_HIERARCHY_DATE_H
#define TACIT_SRC_HIERARCHY_DATE_H

#include <tacit/experimental/hierarchy.h>

typedef struct tacit__hierarchy_date {
    int year;
    int month; /* 0: only the year is given */
    int day;   /* 0: only month and year are given */
} tacit__hierarchy_date;

typedef enum tacit__date_result {
    TACIT__DATE_OK = 0,
    TACIT__DATE_FORM,  /* not written in a form that is known */
    TACIT__DATE_MONTH, /* there is no such month */
    TACIT__DATE_ORDER, /* there is no such month, but with day and month exchanged a date */
    TACIT__DATE_DAY    /* there is no such day in that month */
} tacit__date_result;

/* Two digits of a year from here on mean the 1900s, below it the 2000s. */
enum { TACIT__DATE_PIVOT = 30 };

/* Reads a date; *out is also set where only the calendar refuses it. The order is that of dates
 * with slashes; where it is not known, the month comes first in them. */
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

int tacit__days_in_month(int year, int month);

#endif
