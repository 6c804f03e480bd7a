/*
 * near.c - what values are as numbers that can be near each other, as the judge reads them.
 *
 * Plain numbers as ever; numbers among which thousands are parted, or that all have one mark, a
 * currency's or a unit's; and days, where more values are dates than numbers. The mark is that of
 * more than half of the marked numbers. What a mark or a thousand is comes from one walk over the
 * value's bytes, from right to left: decimals, digits in threes, then the mark. The methods
 * have code of their own for it (records/models/amounts.c). Linear in the values.
 */
#include <math.h>
#include <string.h>

#include "audit/models/models.h"
#include "audit/rows/rows.h"
#include "base/decimal.h"
#include "hierarchy/written.h"

enum { MARK_MOST = 16, DIGITS_MOST = 63 };

static bool is_a_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_a_blank(const char *at, size_t len)
{
    return len == 1 ? *at == ' '
                    : (len == 2 && memcmp(at, "\xC2\xA0", 2) == 0) ||
                          (len == 3 && memcmp(at, "\xE2\x80\xAF", 3) == 0);
}

/* Without the blanks at its start and end. */
static tacit_strview core_of(const char *from, const char *to)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t len = 1; len <= 3 && !more; len++)
            if ((size_t)(to - from) >= len) {
                bool first = is_a_blank(from, len), last = is_a_blank(to - len, len);
                from += first ? len : 0;
                to -= last && !first ? len : 0;
                more = first || last;
            }
    }
    return (tacit_strview){from, (size_t)(to - from)};
}

/* A value around its digits. */
typedef struct around {
    tacit_strview before, inside, after;
    bool minus; /* before the mark */
} around;

static bool look_around(around *a, tacit_strview text)
{
    const char *from = text.bytes, *end = text.bytes + text.len, *to = end;
    while (to > from && !is_a_digit(to[-1]))
        to--;
    while (from < to && !is_a_digit(*from))
        from++;
    if (from == to)
        return false;
    if (from > text.bytes && (from[-1] == ',' || from[-1] == '.'))
        from--;
    if (from > text.bytes && (from[-1] == '+' || from[-1] == '-'))
        from--;
    const char *start = text.bytes;
    a->minus = from - start > 1 && *start == '-';
    start += a->minus;
    bool letter =
        from - start == 1 && ((*start >= 'a' && *start <= 'z') || (*start >= 'A' && *start <= 'Z'));
    a->before = core_of(start, from);
    a->after = core_of(to, end);
    a->inside = (tacit_strview){from, (size_t)(to - from)};
    return !letter && a->before.len <= MARK_MOST && a->after.len <= MARK_MOST &&
           a->inside.len <= DIGITS_MOST;
}

static bool has_mark(const around *a, tacit_strview before, tacit_strview after)
{
    return tacit_strview_equal(a->before, before) && tacit_strview_equal(a->after, after);
}

/* The length of what parts thousands and ends there, or 0. */
static size_t parting_before(const char *start, const char *at, char point)
{
    if (at > start && at[-1] != point && strchr(".,'", at[-1]))
        return 1;
    for (size_t len = 1; len <= 3; len++)
        if ((size_t)(at - start) >= len && is_a_blank(at - len, len))
            return len;
    return 0;
}

/* Reads from the right: decimals, then threes of digits with something between, or digits. */
static double value_of(tacit_strview inside, char point)
{
    char left[DIGITS_MOST + 1];
    const char *start = inside.bytes, *at = start + inside.len;
    size_t to = sizeof left, run = 0, parted = 0;
    const char *decimals = memchr(start, point, inside.len);
    while (decimals && at > decimals) {
        if (at - 1 > decimals && !is_a_digit(at[-1]))
            return NAN;
        left[--to] = *--at;
    }
    while (at > start) {
        size_t parting = parting_before(start, at, point);
        if (is_a_digit(at[-1])) {
            left[--to] = *--at;
            run++;
        } else if (parting && run == 3) {
            at -= parting;
            run = 0;
            parted++;
        } else if (at - 1 == start && (*start == '-' || *start == '+')) {
            left[--to] = *--at;
        } else {
            return NAN;
        }
    }
    if (parted && (run == 0 || run > 3))
        return NAN;
    return tacit__near_number((tacit_strview){left + to, sizeof left - to}, point);
}

static double number_in(const tacit__near_form *form, tacit_strview text)
{
    around a;
    double plain = tacit__decimal_read_as(text, form->point);
    if (!isnan(plain))
        return tacit__near_number(text, form->point);
    if (!look_around(&a, text) ||
        ((a.before.len || a.after.len) && !has_mark(&a, form->before, form->after)))
        return NAN;
    double number = value_of(a.inside, form->point);
    return a.minus ? -number : number;
}

/* Days since the year 0, counted year by year and month by month. */
static double day_number(const tacit__hierarchy_date *date)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int past = date->year - 1, month = date->month > 0 ? date->month - 1 : 0;
    bool leap = (date->year % 4 == 0 && date->year % 100 != 0) || date->year % 400 == 0;
    double days = past * 365.0 + floor(past / 4.0) - floor(past / 100.0) + floor(past / 400.0);
    days += before[month] + (leap && month > 1) + (date->day > 0 ? date->day - 1 : 0);
    return days + (date->hour * 3600.0 + date->minute * 60.0 + date->second) / 86400;
}

static double day_in(const tacit__near_form *form, tacit_strview text)
{
    tacit__hierarchy_date date;
    return tacit__date_parse(&date, text, form->order) == TACIT__DATE_OK ? day_number(&date) : NAN;
}

double tacit__near_read(const tacit__near_form *form, tacit_strview text)
{
    return form->days ? day_in(form, text) : number_in(form, text);
}

static void find_mark(tacit__near_form *form, const tacit_table *table, int32_t column)
{
    int64_t lead = 0;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        around a;
        if (!look_around(&a, tacit_table_value(table, column, code)) ||
            a.before.len + a.after.len == 0)
            continue;
        bool same = lead > 0 && has_mark(&a, form->before, form->after);
        if (lead == 0) {
            form->before = a.before;
            form->after = a.after;
            same = true;
        }
        lead += same ? 1 : -1;
    }
}

/* The point of the digits in marks, and the order of dates: month first unless a date cannot be. */
static void find_signs(tacit__near_form *form, const tacit_table *table, int32_t column)
{
    bool comma = false, point = false;
    form->order = TACIT_MONTH_FIRST;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        around a;
        tacit__hierarchy_date date;
        tacit_strview text = tacit_table_value(table, column, code);
        char says = tacit__rows_point_of(look_around(&a, text) ? a.inside : text);
        comma |= says == ',';
        point |= says == '.';
        if (tacit__date_parse(&date, text, TACIT_MONTH_FIRST) == TACIT__DATE_ORDER)
            form->order = TACIT_DAY_FIRST;
    }
    form->point = comma && !point ? ',' : '.';
}

tacit__near_form tacit__near_form_of(const tacit_table *table, int32_t column)
{
    tacit__near_form form = {.before = {"", 0}, .after = {"", 0}};
    int64_t more_days = 0;
    find_mark(&form, table, column);
    find_signs(&form, table, column);
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        tacit_strview text = tacit_table_value(table, column, code);
        if (!isnan(number_in(&form, text)))
            more_days--;
        else if (!isnan(day_in(&form, text)))
            more_days++;
    }
    form.days = more_days > 0;
    return form;
}
