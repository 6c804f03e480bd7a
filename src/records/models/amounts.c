/*
 * amounts.c - $50,000.01 and 50.000,01 EUR are numbers, and 2021-03-05 is a day.
 *
 * A number may have a mark before or behind it, the same for the column: of all marks the one that
 * more than half of the marked numbers have (the vote of Boyer and Moore, which is one pass).
 * Numbers with another mark are words, as 5 USD and 5 EUR cannot be compared. A single letter
 * before the digits is no mark but part of a code (J45), and so are digits after a leading 0.
 * Thousands may be parted by blanks, apostrophes, or whichever of point and comma is not before
 * decimals. Where more values are dates than numbers, dates are days of the calendar.
 */
#include "records/models/amounts.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/decimal.h"

enum { LONGEST_MARK = 16, LONGEST_DIGITS = 64 };

/* A value in its parts. */
typedef struct marked {
    tacit_strview before, digits, after;
    bool negative; /* the sign stands before the mark */
} marked;

/* How many bytes a blank at the start has, a no-break space too; 0: there is none. */
static size_t blank_at(tacit_strview text, size_t at)
{
    if (text.bytes[at] == ' ')
        return 1;
    if (at + 1 < text.len && memcmp(text.bytes + at, "\xC2\xA0", 2) == 0)
        return 2;
    return at + 2 < text.len && memcmp(text.bytes + at, "\xE2\x80\xAF", 3) == 0 ? 3 : 0;
}

static tacit_strview trimmed(tacit_strview text)
{
    size_t step;
    while (text.len && (step = blank_at(text, 0)))
        text = (tacit_strview){text.bytes + step, text.len - step};
    while (text.len) {
        step = 1;
        while (step < 3 && step < text.len &&
               ((unsigned char)text.bytes[text.len - step] & 0xC0) == 0x80)
            step++;
        if (blank_at(text, text.len - step) != step)
            break;
        text.len -= step;
    }
    return text;
}

/* Takes a value apart at its first and last digit; false: it has none, or too much around it. */
static bool take_apart_marks(marked *out, tacit_strview text)
{
    size_t from = 0, to = text.len;
    while (from < text.len && !tacit__is_digit(text.bytes[from]))
        from++;
    while (to > from && !tacit__is_digit(text.bytes[to - 1]))
        to--;
    if (from == to)
        return false;
    from -= from > 0 && (text.bytes[from - 1] == '.' || text.bytes[from - 1] == ',');
    from -= from > 0 && (text.bytes[from - 1] == '-' || text.bytes[from - 1] == '+');
    tacit_strview before = {text.bytes, from};
    out->negative = from > 1 && text.bytes[0] == '-';
    if (out->negative)
        before = (tacit_strview){text.bytes + 1, from - 1};
    bool code = before.len == 1 && tacit__is_letter(before.bytes[0]);
    out->before = trimmed(before);
    out->digits = (tacit_strview){text.bytes + from, to - from};
    out->after = trimmed((tacit_strview){text.bytes + to, text.len - to});
    return !code && out->before.len <= LONGEST_MARK && out->after.len <= LONGEST_MARK &&
           out->digits.len < LONGEST_DIGITS;
}

/* Leaves out what parts thousands; false: something parts digits that are not three. */
static bool join_thousands(char *out, size_t *len, tacit_strview text, char point)
{
    size_t group = 0, groups = 0;
    bool decimals = false;
    *len = 0;
    for (size_t at = 0; at < text.len;) {
        char c = text.bytes[at];
        size_t blank = blank_at(text, at);
        if (tacit__is_digit(c)) {
            group++;
        } else if (c == point || ((c == '-' || c == '+') && at == 0)) {
            decimals |= c == point;
            if (decimals && groups > 0 && group != 3)
                return false;
        } else if (!decimals && group >= 1 && group <= 3 && (groups == 0 || group == 3) &&
                   (blank || c == '\'' || c == '.' || c == ',')) {
            at += blank ? blank : 1;
            group = 0;
            groups++;
            continue;
        } else {
            return false;
        }
        out[(*len)++] = c;
        at++;
    }
    return decimals || groups == 0 || group == 3;
}

static double read_marked(const tacit__amounts *amounts, tacit_strview text)
{
    marked m;
    char digits[LONGEST_DIGITS];
    size_t len;
    double plain = tacit__decimal_read_as(text, amounts->point);
    if (!isnan(plain))
        return text.len > 1 && text.bytes[0] == '0' && tacit__is_digit(text.bytes[1]) ? NAN : plain;
    if (!take_apart_marks(&m, text) || !join_thousands(digits, &len, m.digits, amounts->point))
        return NAN;
    bool unmarked = !m.before.len && !m.after.len;
    if (!unmarked && !(tacit_strview_equal(m.before, amounts->before) &&
                       tacit_strview_equal(m.after, amounts->after)))
        return NAN;
    if (len > 1 && digits[0] == '0' && tacit__is_digit(digits[1]))
        return NAN;
    double number = tacit__decimal_read_as((tacit_strview){digits, len}, amounts->point);
    return m.negative ? -number : number;
}

/* The days from 1 March of the year 0 on, in the Gregorian calendar. */
static double days_of(const tacit__hierarchy_date *date)
{
    int month = date->month ? date->month : 1, day = date->day ? date->day : 1;
    int year = date->year - (month <= 2), since_march = (month + 9) % 12;
    int leap = year / 4 - year / 100 + year / 400;
    double days = year * 365.0 + leap + (since_march * 153 + 2) / 5 + day - 1;
    return days + (date->hour + (date->minute + date->second / 60.0) / 60) / 24;
}

static double read_date(const tacit__amounts *amounts, tacit_strview text)
{
    tacit__hierarchy_date date;
    return tacit__date_parse(&date, text, amounts->order) == TACIT__DATE_OK ? days_of(&date) : NAN;
}

double tacit__amount_read(const tacit__amounts *amounts, tacit_strview text)
{
    return amounts->dates ? read_date(amounts, text) : read_marked(amounts, text);
}

/* Gives every marked number's mark a vote. */
static void choose_mark(tacit__amounts *amounts, const tacit_table *table, int32_t column)
{
    uint32_t votes = 0;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        marked m;
        if (!take_apart_marks(&m, tacit_table_value(table, column, code)) ||
            (!m.before.len && !m.after.len))
            continue;
        if (votes == 0) {
            amounts->before = m.before;
            amounts->after = m.after;
        }
        bool same = tacit_strview_equal(m.before, amounts->before) &&
                    tacit_strview_equal(m.after, amounts->after);
        votes = votes == 0 || same ? votes + 1 : votes - 1;
    }
}

tacit__amounts tacit__amounts_of(const tacit_table *table, int32_t column)
{
    tacit__amounts amounts = {.before = {"", 0}, .after = {"", 0}};
    tacit__number_signs signs = {0};
    tacit__date_signs days = {0};
    uint32_t distinct = tacit_table_distinct(table, column), numbers = 0, dates = 0;
    choose_mark(&amounts, table, column);
    for (uint32_t code = 0; code < distinct; code++) {
        marked m;
        tacit_strview text = tacit_table_value(table, column, code);
        tacit__date_signs_add(&days, code, text);
        tacit__number_signs_add(&signs, code, take_apart_marks(&m, text) ? m.digits : text);
    }
    amounts.point = tacit__number_signs_point(&signs);
    amounts.order = tacit__date_signs_order(&days);
    for (uint32_t code = 0; code < distinct; code++) {
        tacit_strview text = tacit_table_value(table, column, code);
        bool number = !isnan(read_marked(&amounts, text));
        numbers += number;
        dates += !number && !isnan(read_date(&amounts, text));
    }
    amounts.dates = dates > numbers;
    return amounts;
}
