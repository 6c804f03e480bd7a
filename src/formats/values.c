/*
 * values.c - values as text in one form each, and back.
 *
 * Reading goes by position and is checked by writing the value again. Dates count days by the
 * Gregorian calendar, carried back before 1582 as ISO 8601 has it; the arithmetic is that of eras
 * of 400 years, which have 146 097 days each.
 */
#include "formats/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/decimal.h"

enum { DAYS_AN_ERA = 146097, DAYS_TO_1970 = 719468 };
static const int64_t NANOS = INT64_C(1000000000);

/* A natural number with at least so many digits, at the end of what is before it. */
static void add_digits(tacit__value_text *text, uint64_t value, int least)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (least-- > count)
        text->bytes[text->len++] = '0';
    while (count > 0)
        text->bytes[text->len++] = digits[--count];
}

static void add_byte(tacit__value_text *text, char byte)
{
    text->bytes[text->len++] = byte;
}

tacit__value_text tacit__integer_text(int64_t value)
{
    tacit__value_text text = {.len = 0};
    if (value < 0)
        add_byte(&text, '-');
    add_digits(&text, value < 0 ? -(uint64_t)value : (uint64_t)value, 1);
    return text;
}

tacit__value_text tacit__real_text(double value)
{
    tacit__value_text text;
    if (value == floor(value) && fabs(value) < 9007199254740992.0 &&
        !(value == 0 && signbit(value)))
        return tacit__integer_text((int64_t)value);
    text.len = tacit__decimal_write(text.bytes, value);
    return text;
}

double tacit__single_of(float value)
{
    char text[TACIT__DECIMAL_SIZE];
    double read = (double)value;
    for (int digits = 6; digits < 9 && isfinite(value) && value != floorf(value); digits++) {
        int len = snprintf(text, sizeof text, "%.*g", digits, (double)value);
        char *point = strchr(text, ',');
        if (point)
            *point = '.'; /* of the locale */
        read = tacit__decimal_read((tacit_strview){text, (size_t)len});
        if ((float)read == value)
            return read;
        read = (double)value;
    }
    return read;
}

static void civil_of(int64_t days, int64_t *year, int *month, int *day)
{
    int64_t shifted = days + DAYS_TO_1970;
    int64_t era = (shifted >= 0 ? shifted : shifted - (DAYS_AN_ERA - 1)) / DAYS_AN_ERA;
    int64_t of_era = shifted - era * DAYS_AN_ERA;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t turned = (5 * of_year + 2) / 153; /* months from March on */
    *day = (int)(of_year - (153 * turned + 2) / 5 + 1);
    *month = (int)(turned < 10 ? turned + 3 : turned - 9);
    *year = years + era * 400 + (*month <= 2);
}

static int64_t days_of(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * DAYS_AN_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - DAYS_TO_1970;
}

tacit__value_text tacit__date_text(int64_t days)
{
    enum { MAX_DAYS = 10000 * 366 };
    tacit__value_text text = {.len = 0};
    int64_t year = 0;
    int month = 0, day = 0;
    if (days > MAX_DAYS || days < -MAX_DAYS)
        return text;
    civil_of(days, &year, &month, &day);
    if (year < 1 || year > 9999)
        return text;
    add_digits(&text, (uint64_t)year, 4);
    add_byte(&text, '-');
    add_digits(&text, (uint64_t)month, 2);
    add_byte(&text, '-');
    add_digits(&text, (uint64_t)day, 2);
    return text;
}

tacit__value_text tacit__time_text(int64_t nanoseconds)
{
    tacit__value_text text = {.len = 0};
    if (nanoseconds < 0 || nanoseconds >= TACIT__SECONDS_A_DAY * NANOS)
        return text;
    int64_t seconds = nanoseconds / NANOS, part = nanoseconds % NANOS;
    add_digits(&text, (uint64_t)seconds / 3600, 2);
    add_byte(&text, ':');
    add_digits(&text, (uint64_t)seconds / 60 % 60, 2);
    add_byte(&text, ':');
    add_digits(&text, (uint64_t)seconds % 60, 2);
    if (part == 0)
        return text;
    add_byte(&text, '.');
    add_digits(&text, (uint64_t)part, 9);
    while (text.bytes[text.len - 1] == '0')
        text.len--;
    return text;
}

static void add_text(tacit__value_text *text, const tacit__value_text *more)
{
    memcpy(text->bytes + text->len, more->bytes, more->len);
    text->len += more->len;
}

tacit__value_text tacit__moment_text(int64_t seconds, int64_t nanoseconds, bool utc)
{
    int64_t days = seconds / TACIT__SECONDS_A_DAY;
    days -= seconds % TACIT__SECONDS_A_DAY < 0;
    tacit__value_text text = tacit__date_text(days);
    tacit__value_text time =
        tacit__time_text((seconds - days * TACIT__SECONDS_A_DAY) * NANOS + nanoseconds);
    if (!text.len || !time.len)
        return (tacit__value_text){.len = 0};
    add_byte(&text, 'T');
    add_text(&text, &time);
    if (utc)
        add_byte(&text, 'Z');
    return text;
}

tacit__value_text tacit__decimal_text(int64_t digits, int scale)
{
    tacit__value_text whole = tacit__integer_text(digits), text = {.len = 0};
    size_t sign = digits < 0, len = whole.len - sign, behind = (size_t)scale;
    if (scale <= 0)
        return whole;
    size_t zeros = len > behind ? 0 : behind - len + 1; /* one digit before the point */
    if (sign + zeros + len + 1 > sizeof text.bytes)
        return text;
    char *at = text.bytes;
    if (sign)
        *at++ = '-';
    memset(at, '0', zeros);
    memcpy(at + zeros, whole.bytes + sign, len);
    len += zeros;
    memmove(at + len - behind + 1, at + len - behind, behind);
    at[len - behind] = '.';
    text.len = sign + len + 1;
    return text;
}

static bool says(tacit__value_text text, tacit_strview cell)
{
    return text.len > 0 && text.len == cell.len && memcmp(text.bytes, cell.bytes, cell.len) == 0;
}

/* A terminated copy of a cell that is short enough for a value. */
static bool copied(tacit__value_text *text, tacit_strview cell)
{
    if (cell.len == 0 || cell.len >= sizeof text->bytes)
        return false;
    memcpy(text->bytes, cell.bytes, cell.len);
    text->bytes[cell.len] = '\0';
    return true;
}

bool tacit__integer_of(int64_t *value, tacit_strview cell)
{
    tacit__value_text text;
    bool signed_cell = cell.len > 0 && cell.bytes[0] == '-';
    uint64_t sum = 0;
    if (cell.len > 20 || !copied(&text, cell))
        return false;
    for (size_t i = signed_cell; i < cell.len; i++) {
        unsigned digit = (unsigned)(cell.bytes[i] - '0');
        if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    if (sum > (uint64_t)INT64_MAX + signed_cell)
        return false;
    *value = signed_cell ? (int64_t)-sum : (int64_t)sum;
    return says(tacit__integer_text(*value), cell);
}

bool tacit__real_of(double *value, tacit_strview cell)
{
    double number = tacit__decimal_read(cell);
    if (!isfinite(number))
        return false;
    *value = number;
    return says(tacit__real_text(number), cell);
}

static int digits_at(const char *at, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum = tacit__is_digit(at[i]) && sum >= 0 ? sum * 10 + (at[i] - '0') : -1;
    return sum;
}

bool tacit__date_of(int64_t *days, tacit_strview cell)
{
    if (cell.len != 10)
        return false;
    int year = digits_at(cell.bytes, 4), month = digits_at(cell.bytes + 5, 2),
        day = digits_at(cell.bytes + 8, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    *days = days_of(year, month, day);
    return says(tacit__date_text(*days), cell);
}

bool tacit__time_of(int64_t *nanoseconds, tacit_strview cell)
{
    if (cell.len < 8 || cell.len > 18)
        return false;
    int hour = digits_at(cell.bytes, 2), minute = digits_at(cell.bytes + 3, 2),
        second = digits_at(cell.bytes + 6, 2);
    int64_t part = 0, place = NANOS / 10;
    for (size_t i = 9; i < cell.len; i++, place /= 10)
        part += (cell.bytes[i] - '0') * place;
    *nanoseconds = ((int64_t)hour * 3600 + minute * 60 + second) * NANOS + part;
    return hour >= 0 && minute >= 0 && minute < 60 && second >= 0 && second < 60 &&
           says(tacit__time_text(*nanoseconds), cell);
}

bool tacit__moment_of(int64_t *seconds, int64_t *nanoseconds, bool *utc, tacit_strview cell)
{
    int64_t days = 0, of_day = 0;
    *utc = cell.len > 0 && cell.bytes[cell.len - 1] == 'Z';
    size_t len = cell.len - *utc;
    if (len < 19 || !tacit__date_of(&days, (tacit_strview){cell.bytes, 10}) ||
        !tacit__time_of(&of_day, (tacit_strview){cell.bytes + 11, len - 11}))
        return false;
    *seconds = days * TACIT__SECONDS_A_DAY + of_day / NANOS;
    *nanoseconds = of_day % NANOS;
    return cell.bytes[10] == 'T';
}

bool tacit__decimal_of(int64_t *digits, int scale, tacit_strview cell)
{
    tacit__value_text text;
    size_t behind = scale > 0 ? (size_t)scale : 0;
    if (behind == 0)
        return tacit__integer_of(digits, cell);
    if (cell.len <= behind + 1 || cell.len > 20 || cell.bytes[cell.len - behind - 1] != '.')
        return false;
    size_t before = cell.len - behind - 1;
    bool negative = cell.bytes[0] == '-';
    memcpy(text.bytes, cell.bytes, before);
    memcpy(text.bytes + before, cell.bytes + before + 1, behind);
    int64_t value = 0;
    for (size_t i = negative; i < cell.len - 1; i++) {
        if (!tacit__is_digit(text.bytes[i]) || value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (text.bytes[i] - '0');
    }
    *digits = negative ? -value : value;
    return says(tacit__decimal_text(*digits, scale), cell);
}

bool tacit__boolean_of(bool *value, tacit_strview cell)
{
    *value = tacit_strview_equal(cell, tacit_strview_of("true"));
    return *value || tacit_strview_equal(cell, tacit_strview_of("false"));
}

bool tacit__is_tag(tacit_strview cell)
{
    return cell.len == 2 && cell.bytes[0] == '.' && tacit__is_lower(cell.bytes[1]);
}

bool tacit__is_value(tacit__type type, int scale, tacit_strview cell)
{
    int64_t whole = 0, more = 0;
    double number = 0;
    bool yes = false;
    switch (type) {
    case TACIT__TYPE_INTEGER: return tacit__integer_of(&whole, cell);
    case TACIT__TYPE_REAL: return tacit__real_of(&number, cell);
    case TACIT__TYPE_DECIMAL: return tacit__decimal_of(&whole, scale, cell);
    case TACIT__TYPE_BOOLEAN: return tacit__boolean_of(&yes, cell);
    case TACIT__TYPE_DATE: return tacit__date_of(&whole, cell);
    case TACIT__TYPE_TIME: return tacit__time_of(&whole, cell);
    case TACIT__TYPE_MOMENT: return tacit__moment_of(&whole, &more, &yes, cell);
    case TACIT__TYPE_TEXT: break;
    }
    return true;
}
