/*
 * date.h - written dates.
 */
#ifndef TACIT_SRC_HIERARCHY_DATE_H
#define TACIT_SRC_HIERARCHY_DATE_H

#include <tacit/base.h>

typedef struct tacit__date {
    int year;
    int month; /* 0: only the year is given */
    int day;   /* 0: only month and year are given */
} tacit__date;

typedef enum tacit__date_result {
    TACIT__DATE_OK = 0,
    TACIT__DATE_FORM,  /* not written in a form that is known */
    TACIT__DATE_MONTH, /* there is no such month */
    TACIT__DATE_ORDER, /* there is no such month, but with day and month exchanged a date */
    TACIT__DATE_DAY    /* there is no such day in that month */
} tacit__date_result;

/* Two digits of a year from here on mean the 1900s, below it the 2000s. */
enum { TACIT__DATE_PIVOT = 30 };

/* Reads a date; *out is also set where only the calendar refuses it. */
tacit__date_result tacit__date_parse(tacit__date *out, tacit_strview text);

int tacit__days_in_month(int year, int month);

#endif
