/*
 * replace_dates.c - other dates in the form in which they are written.
 *
 * Shifted, all dates of a document move by one secret number of days, so that what is between
 * them survives whatever their forms are. Dates without a year move within a leap year, so that
 * each has a place of its own; months, with or without a year, by the nearest whole number of
 * months, and years by the nearest of years: among themselves they keep their distances, and
 * before and after stay what they are up to the rounding.
 *
 * Lumped, the day goes, with the weekday, the time and the sign that parts it from the rest:
 * "Wednesday, February 2, 1994" becomes "February, 1994". A month and day in numbers becomes
 * the month's name, since a number alone would not be seen to be one.
 */
#include <string.h>

#include "text/dates.h"
#include "text/disguise.h"

enum { LEAP_YEAR = 2000 };

static void shift_months(int *of, int months)
{
    int year = of[TACIT__DATE_YEAR] < 0 ? LEAP_YEAR : of[TACIT__DATE_YEAR];
    int number = 12 * year + of[TACIT__DATE_MONTH] - 1 + months;
    of[TACIT__DATE_MONTH] = number % 12 + 1;
    of[TACIT__DATE_YEAR] = number / 12;
}

static void shift_days(int *of, int days)
{
    int year = of[TACIT__DATE_YEAR] < 0 ? LEAP_YEAR : of[TACIT__DATE_YEAR];
    int number = tacit__date_number(year, of[TACIT__DATE_MONTH], of[TACIT__DATE_DAY]) + days;
    tacit__date_of_number(&of[TACIT__DATE_YEAR], &of[TACIT__DATE_MONTH], &of[TACIT__DATE_DAY],
                          number);
}

/* The values that the fields get; those without a field do not matter. */
static void shift(int *of, const tacit__disguise *disguise)
{
    if (of[TACIT__DATE_DAY] > 0)
        shift_days(of, disguise->days);
    else if (of[TACIT__DATE_MONTH] > 0)
        shift_months(of, disguise->months);
    else
        of[TACIT__DATE_YEAR] += disguise->years;
    of[TACIT__DATE_WEEKDAY] = (of[TACIT__DATE_WEEKDAY] + disguise->days % 7 + 7) % 7;
}

static void put_number(tacit__strbuf *out, const tacit__date *date, const tacit__date_field *field,
                       int value)
{
    if (field->role == TACIT__DATE_YEAR)
        tacit__put_number(out, (unsigned)(field->digits <= 2 ? value % 100 : value), field->digits);
    else
        tacit__put_number(out, (unsigned)value, date->padded ? 2 : 1);
}

static void put_field(tacit__strbuf *out, const tacit__date *date, const tacit__date_field *field,
                      int value)
{
    const char *name;
    switch (field->form) {
    case TACIT__DATE_NUMBER: put_number(out, date, field, value); return;
    case TACIT__DATE_ORDINAL:
        put_number(out, date, field, value);
        tacit__put_cased(out, tacit__ordinal_end((unsigned)value), 2, field->cased);
        return;
    case TACIT__DATE_WORDS: name = tacit__day_name(value); break;
    default:
        name = field->role == TACIT__DATE_MONTH ? tacit__month_name(field->names, value)
                                                : tacit__weekday_name(field->names, value);
    }
    tacit__put_cased(out, name, strlen(name), field->cased);
}

bool tacit__shift_date(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__date date;
    int of[TACIT__DATE_ROLES];
    size_t at = 0;
    if (!tacit__date_read(&date, tacit__disguise_parts(disguise, text)))
        return false;
    memcpy(of, date.of, sizeof of);
    shift(of, disguise);
    if (date.of[TACIT__DATE_YEAR] >= 0 && (of[TACIT__DATE_YEAR] < 1 || of[TACIT__DATE_YEAR] > 9999))
        return false;
    for (size_t i = 0; i < date.count; i++) {
        const tacit__date_field *field = &date.field[i];
        tacit__put(out, (tacit_strview){.bytes = text.bytes + at, .len = field->start - at});
        put_field(out, &date, field, of[field->role]);
        at = field->end;
    }
    tacit__put(out, (tacit_strview){.bytes = text.bytes + at, .len = text.len - at});
    return true;
}

static bool is_coarse(const tacit__date_field *field)
{
    return field->role == TACIT__DATE_YEAR || field->role == TACIT__DATE_MONTH;
}

/* The month and the year with what stands before each of them, but for the first. What stands
 * before a field that goes, goes with it. */
static void put_coarse(tacit__strbuf *out, const tacit__date *date, tacit_strview text)
{
    size_t before = 0; /* the end of the field before */
    bool first = true;
    for (size_t i = 0; i < date->count; i++) {
        const tacit__date_field *field = &date->field[i];
        if (is_coarse(field)) {
            size_t start = first ? field->start : before;
            tacit__strbuf_add(out, text.bytes + start, field->end - start);
            first = false;
        }
        before = field->end;
    }
}

bool tacit__lump_date(tacit__strbuf *out, tacit__disguise *disguise, tacit_strview text)
{
    tacit__date date;
    if (!tacit__date_read(&date, tacit__disguise_parts(disguise, text)))
        return false;
    int year = date.of[TACIT__DATE_YEAR], month = date.of[TACIT__DATE_MONTH];
    if (year < 0 && month < 0)
        return false;
    if (date.of[TACIT__DATE_DAY] < 0 && date.of[TACIT__DATE_WEEKDAY] < 0 && date.end == text.len)
        tacit__put(out, text);
    else if (year < 0 && date.count == 2 && date.field[0].form == TACIT__DATE_NUMBER &&
             date.field[1].form == TACIT__DATE_NUMBER)
        tacit__strbuf_text(out, tacit__month_name(0, month));
    else
        put_coarse(out, &date, text);
    return true;
}
