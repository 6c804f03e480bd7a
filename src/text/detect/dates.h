/*
 * dates.h - dates as people write them: which bytes are the year, the month, the day and the
 * weekday, and in which form, so that another date can be written in the same one.
 *
 *   "Wednesday, February 2, 1994"   "05/26/86"   "1-MAR-91"   "first of March"   "1990-06"
 */
#ifndef TACIT_TEXT_DETECT_DATES_H
#define TACIT_TEXT_DETECT_DATES_H

#include "text/read/parts.h"

typedef enum tacit__date_role {
    TACIT__DATE_YEAR,
    TACIT__DATE_MONTH,
    TACIT__DATE_DAY,
    TACIT__DATE_WEEKDAY,
    TACIT__DATE_ROLES,
    TACIT__DATE_OPEN = TACIT__DATE_ROLES /* a number of which it is not known yet */
} tacit__date_role;

typedef enum tacit__date_form {
    TACIT__DATE_NUMBER,
    TACIT__DATE_ORDINAL, /* "1st" */
    TACIT__DATE_WORDS,   /* "first" */
    TACIT__DATE_NAME     /* of a month or weekday */
} tacit__date_form;

typedef struct tacit__date_field {
    uint8_t role;       /* tacit__date_role */
    uint8_t form;       /* tacit__date_form */
    uint8_t names;      /* which row of names, see dates.c */
    uint8_t start, end; /* bytes of the text */
    uint8_t digits;     /* of a number */
    uint8_t cased;      /* tacit__cased, of a name or of an ordinal's end */
    int value;          /* years in full, months from 1, days from 1, weekdays from 0, Monday */
} tacit__date_field;

enum { TACIT__DATE_FIELDS = 4, TACIT__DATE_LONGEST = 80 };

typedef struct tacit__detect_date {
    tacit__date_field field[TACIT__DATE_FIELDS]; /* in the order of the text */
    size_t count;
    int of[TACIT__DATE_ROLES]; /* the value of each role, -1 where it is not there */
    bool padded;               /* numbers below ten begin with 0 */
    size_t end;                /* of the last field; what follows is a time, or nothing */
} tacit__detect_date;

/* False where the text of the parts is no date that is understood. */
bool tacit__date_read(tacit__detect_date *date, tacit__read_parts parts);

/* Days since 1 March of year 0, in the calendar of today carried back, and their date. */
int tacit__date_number(int year, int month, int day);
void tacit__date_of_number(int *year, int *month, int *day, int number);
int tacit__month_length(int year, int month);

int tacit__weekday_named(unsigned *names, tacit_strview folded);
const char *tacit__month_name(unsigned names, int month);
/* Whether the month has the name in that row. */
bool tacit__month_is(unsigned names, int month, tacit_strview folded);

/* Rows of names that are of one language. */
enum { TACIT__NAMES_SPANISH = 2, TACIT__NAMES_FRENCH, TACIT__NAMES_GERMAN };
const char *tacit__weekday_name(unsigned names, int weekday);
const char *tacit__day_name(int day);

#endif
