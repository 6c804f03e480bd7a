/*
 * written.c - numbers and dates as they are written.
 *
 * Numbers are whole multiples of a power of ten. Binary fractions cannot hold 0.3, and 0.3 / 0.1
 * rounds to less than 3: a value on the edge of an interval would fall into the wrong one. So
 * digits are taken as they are written and never become a double. Linear in the text.
 *
 * Decimals follow a point or, in columns that say so, a comma. Where thousands are set off, by the
 * other of the two, a number is not read, but tells of the column all the same.
 *
 * A date is recognized by its own form. The text is cut into up to three parts, numbers or names of
 * months, and what stands between them. The table of forms says which parts with which separators
 * mean what:
 *
 *   1965-09-20  1965/9/20  19650920        year, month, day
 *   9/20/1965   20/9/65                    month or day first, with slashes: by the order given
 *   20.09.1965  20.9.65                    day first, with dots
 *   20 Sep 1965  20-Sep-65                 day first, month by name
 *   Sep 20, 1965  September 20 1965        month by name first
 *   1965-09  9/1965  09.1965  Sep 1965     month and year
 *   1965                                   year
 *
 * A full date may have a time of day behind it, after a T or blanks, and a zone behind that:
 *
 *   T05  T05:06  T05:06:07  T05:06:07.125  T050607      hours from 0 to 23
 *   5:06 PM  5:06:07am                                  or 1 to 12
 *   Z  UTC  +01:00  +0100  -05                          zones
 *
 * The time is what the clock showed where it was written: 23:30+02:00 and 23:30Z are the same hour
 * of the same day, for a person's day is that of the place. Leap seconds are not in it.
 *
 * A date with slashes is read in the order that it is given; which one that is, a column tells by
 * the dates that are in the calendar in one order only. A year of two digits below the pivot is of
 * the 2000s, otherwise of the 1900s. Days are those of the Gregorian calendar. Constant cost for
 * each text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "hierarchy/names.h"
#include "hierarchy/written.h"

enum { MAX_EXPONENT = 100000 }; /* beyond any text's reach, far from overflow */

/* A number taken apart: digits with a point among them, times 10^exponent. */
typedef struct written {
    bool negative;
    const char *digits, *end; /* one point at most */
    int64_t whole;            /* digits before the point */
    int64_t exponent;
} written;

static void trim_blanks(const char **at, const char **end)
{
    while (*at < *end && **at == ' ')
        ++*at;
    while (*end > *at && (*end)[-1] == ' ')
        --*end;
}

static const char *skip_sign(const char *at, const char *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at + (at < end && (*at == '-' || *at == '+'));
}

static bool read_exponent(written *out, const char *at, const char *end)
{
    bool negative;
    at = skip_sign(at, end, &negative);
    if (at == end)
        return false;
    int64_t exponent = 0;
    for (; at < end && tacit__is_digit(*at); at++)
        if (exponent < MAX_EXPONENT)
            exponent = exponent * 10 + (*at - '0');
    out->exponent = negative ? -exponent : exponent;
    return at == end;
}

static bool take_apart(written *out, tacit_strview text, char point)
{
    const char *at = text.bytes, *end = text.bytes + text.len;
    trim_blanks(&at, &end);
    *out = (written){0};
    at = out->digits = skip_sign(at, end, &out->negative);
    while (at < end && tacit__is_digit(*at))
        at++;
    out->whole = at - out->digits;
    int64_t digits = out->whole;
    if (at < end && *at == point) {
        for (at++; at < end && tacit__is_digit(*at); at++)
            digits++;
    }
    out->end = at;
    if (!digits)
        return false;
    if (at < end && (*at == 'e' || *at == 'E'))
        return read_exponent(out, at + 1, end);
    return at == end;
}

/* Adds a digit on the right; false where the number would become too large. */
static bool shift_in(int64_t *sum, int digit)
{
    if (*sum > TACIT__MAX_NUMBER / 10)
        return false;
    *sum = *sum * 10 + digit;
    return *sum <= TACIT__MAX_NUMBER;
}

tacit__number_result tacit__number_floor(int64_t *out, bool *exact, tacit_strview text, int scale,
                                         char point)
{
    written number;
    if (!text.len || !take_apart(&number, text, point))
        return TACIT__NUMBER_NONE;
    int64_t left = number.whole + number.exponent + scale; /* digits that count in full */
    int64_t sum = 0;
    bool rest = false;
    for (const char *at = number.digits; at < number.end; at++) {
        if (*at == point)
            continue;
        if (left-- <= 0)
            rest |= *at != '0';
        else if (!shift_in(&sum, *at - '0'))
            return TACIT__NUMBER_LARGE;
    }
    for (; sum && left > 0; left--)
        if (!shift_in(&sum, 0))
            return TACIT__NUMBER_LARGE;
    *exact = !rest;
    *out = number.negative ? -sum - rest : sum;
    return TACIT__NUMBER_OK;
}

size_t tacit__number_write(char *buffer, int64_t number, int scale, char point)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, unit = 1;
    while (scale > 0 && size % 10 == 0) {
        size /= 10;
        scale--;
    }
    for (int i = 0; i < scale; i++)
        unit *= 10;
    const char *sign = number < 0 ? "-" : "";
    int len = scale > 0 ? snprintf(buffer, TACIT__NUMBER_SIZE, "%s%" PRIu64 "%c%0*" PRIu64, sign,
                                   size / unit, point, scale, size % unit)
                        : snprintf(buffer, TACIT__NUMBER_SIZE, "%s%" PRIu64, sign, size);
    return (size_t)len;
}

/* A number up to its exponent, by what stands among its digits. */
typedef struct marks {
    const char *digits, *end;
    const char *comma, *point; /* the last of each */
    int commas, points;
    bool exponent;
} marks;

/* False where it is no number, whatever its marks mean. */
static bool find_marks(marks *out, tacit_strview text)
{
    const char *at = text.bytes, *end = text.bytes + text.len;
    written ignored;
    int digits = 0;
    trim_blanks(&at, &end);
    *out = (marks){.digits = skip_sign(at, end, &ignored.negative)};
    for (at = out->digits; at < end && (tacit__is_digit(*at) || *at == ',' || *at == '.'); at++) {
        digits += tacit__is_digit(*at);
        out->commas += *at == ',';
        out->points += *at == '.';
        out->comma = *at == ',' ? at : out->comma;
        out->point = *at == '.' ? at : out->point;
    }
    out->end = at;
    out->exponent = at < end && (*at == 'e' || *at == 'E');
    return digits > 0 && (out->exponent ? read_exponent(&ignored, at + 1, end) : at == end);
}

/* Whether the comma of a number that has one may set off thousands: 1,234. */
static bool may_be_thousands(const marks *m)
{
    int64_t before = m->comma - m->digits, after = m->end - m->comma - 1;
    return before >= 1 && before <= 3 && m->digits[0] != '0' && after == 3 && !m->exponent;
}

void tacit__number_signs_add(tacit__number_signs *signs, uint32_t number, tacit_strview text)
{
    marks m;
    if (!text.len || !find_marks(&m, text) || (!m.commas && m.points != 1))
        return;
    bool thousands = m.commas > 1 || (m.commas && m.points && m.comma < m.point);
    uint32_t *sign = &signs->comma;
    if (thousands || !m.commas)
        sign = &signs->point;
    else if (!m.points && may_be_thousands(&m))
        sign = &signs->either;
    if (!*sign)
        *sign = number + 1;
}

bool tacit__number_signs_clash(const tacit__number_signs *signs)
{
    return signs->comma && signs->point;
}

bool tacit__number_signs_silent(const tacit__number_signs *signs)
{
    return signs->either && !signs->comma && !signs->point;
}

char tacit__number_signs_point(const tacit__number_signs *signs)
{
    return signs->comma && !signs->point ? ',' : '.';
}

enum { PARTS = 3, MAX_DIGITS = 8, SHORTEST_NAME = 3 };

static const char *const months[] = {"january",   "february", "march",    "april",
                                     "may",       "june",     "july",     "august",
                                     "september", "october",  "november", "december"};

/* A part of a date: its kind is n for 1 or 2 digits, Y for 4, D for 8, and m for
 * the name of a month. */
typedef struct part {
    char kind;
    int digits;
    int value;
} part;

/* Kinds and separators in turn, and the part that each of year, month and day
 * is (-1: none). A comma stands for a comma with or without a blank, y among
 * the kinds for a year of 2 or 4 digits. */
typedef struct form {
    const char *pattern;
    int year, month, day;
} form;

static const form forms[] = {{"Y-n-n", 0, 1, 2}, {"n/n/y", 2, 0, 1}, {"n.n.y", 2, 1, 0},
                             {"Y/n/n", 0, 1, 2}, {"m n,y", 2, 0, 1}, {"n m y", 2, 1, 0},
                             {"n-m-y", 2, 1, 0}, {"m n y", 2, 0, 1}, {"Y-n", 0, 1, -1},
                             {"n/Y", 1, 0, -1},  {"n.Y", 1, 0, -1},  {"m Y", 1, 0, -1},
                             {"m-Y", 1, 0, -1},  {"m,Y", 1, 0, -1},  {"Y", 0, -1, -1}};

/* A text as a form sees it. */
typedef struct cut {
    part parts[PARTS];
    char between[PARTS - 1];
    int count;
} cut;

static const char *read_digits(part *out, const char *at, const char *end)
{
    *out = (part){0};
    for (; at < end && tacit__is_digit(*at) && out->digits <= MAX_DIGITS; at++) {
        if (out->digits < MAX_DIGITS)
            out->value = out->value * 10 + (*at - '0');
        out->digits++;
    }
    bool small = out->digits == 1 || out->digits == 2;
    out->kind = small ? 'n' : out->digits == 4 ? 'Y' : out->digits == MAX_DIGITS ? 'D' : '?';
    return at;
}

/* The name of a month, or at least its first three letters; a point may end it. */
static const char *read_name(part *out, const char *at, const char *end)
{
    const char *from = at;
    while (at < end && tacit__is_letter(*at))
        at++;
    size_t len = (size_t)(at - from);
    *out = (part){.kind = '?'};
    for (int i = 0; i < 12 && len >= SHORTEST_NAME; i++)
        if (len <= strlen(months[i]) && tacit__spells(from, months[i], len))
            *out = (part){.kind = 'm', .value = i + 1};
    return at + (at < end && *at == '.');
}

/* One of - / . or a comma or a blank, each with blanks after it where it may. */
static const char *read_separator(char *out, const char *at, const char *end)
{
    *out = *at++;
    if (*out == ',' || *out == ' ')
        while (at < end && *at == ' ')
            at++;
    return at;
}

static bool cut_up(cut *out, tacit_strview text)
{
    const char *at = text.bytes, *end = text.bytes + text.len;
    trim_blanks(&at, &end);
    for (out->count = 0; at < end && out->count < PARTS;) {
        part *next = &out->parts[out->count++];
        at = tacit__is_digit(*at) ? read_digits(next, at, end) : read_name(next, at, end);
        if (next->kind == '?')
            return false;
        if (at == end)
            return true;
        if (out->count < PARTS)
            at = read_separator(&out->between[out->count - 1], at, end);
    }
    return false;
}

static bool matches(const form *as, const cut *text)
{
    if (strlen(as->pattern) != (size_t)(2 * text->count - 1))
        return false;
    for (int i = 0; i < text->count; i++) {
        char wanted = as->pattern[2 * i], kind = text->parts[i].kind;
        bool fits = wanted == 'y' ? kind == 'Y' || (kind == 'n' && text->parts[i].digits == 2)
                                  : kind == wanted;
        if (!fits || (i && as->pattern[2 * i - 1] != text->between[i - 1]))
            return false;
    }
    return true;
}

static int full_year(part year)
{
    if (year.digits == 4)
        return year.value;
    return year.value + (year.value < TACIT__DATE_PIVOT ? 2000 : 1900);
}

/* Whether it is a date of which somebody has to know the order: 5/10/1954. */
static bool has_order(const form *as)
{
    return as->pattern[0] == 'n' && as->pattern[1] == '/' && as->pattern[2] == 'n';
}

static bool recognize(tacit__hierarchy_date *out, const cut *text, tacit_date_order order)
{
    if (text->count == 1 && text->parts[0].kind == 'D') {
        int value = text->parts[0].value;
        *out = (tacit__hierarchy_date){
            .year = value / 10000, .month = value / 100 % 100, .day = value % 100};
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const form *as = &forms[i];
        if (!matches(as, text))
            continue;
        bool turned = has_order(as) && order == TACIT_DAY_FIRST;
        int month = turned ? as->day : as->month, day = turned ? as->month : as->day;
        *out = (tacit__hierarchy_date){.year = full_year(text->parts[as->year]),
                                       .month = month < 0 ? 0 : text->parts[month].value,
                                       .day = day < 0 ? 0 : text->parts[day].value};
        return true;
    }
    return false;
}

/* Whether the form gives a month and a day at all. */
static int parts_of(const cut *text)
{
    return text->parts[0].kind == 'D' ? PARTS : text->count;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

int64_t tacit__date_start(const tacit__hierarchy_date *date)
{
    int64_t month = (int64_t)date->year * 12 + (date->month ? date->month - 1 : 0);
    int64_t day = month * TACIT__MONTH_DAYS + (date->day ? date->day - 1 : 0);
    return ((day * 24 + date->hour) * 60 + date->minute) * 60 + date->second;
}

int64_t tacit__date_length(tacit__date_unit unit)
{
    static const int64_t lengths[] = {
        [TACIT__UNIT_PART] = 1,
        [TACIT__UNIT_SECOND] = 1,
        [TACIT__UNIT_MINUTE] = 60,
        [TACIT__UNIT_HOUR] = 60 * 60,
        [TACIT__UNIT_DAY] = TACIT__DAY_SECONDS,
        [TACIT__UNIT_MONTH] = TACIT__MONTH_SECONDS,
        [TACIT__UNIT_YEAR] = 12 * TACIT__MONTH_SECONDS,
    };
    return lengths[unit];
}

/* Where the time of day starts, with its T or blank; the end where there is none. A colon is only
 * in times; without one it is a T between two digits. */
static const char *find_time(const char *from, const char *end)
{
    const char *colon = memchr(from, ':', (size_t)(end - from)), *at = colon;
    while (at && at > from && tacit__is_digit(at[-1]))
        at--;
    if (at && at > from && (at[-1] == 'T' || at[-1] == 't' || at[-1] == ' '))
        return at - 1;
    for (at = from + 1; !colon && at + 1 < end; at++)
        if ((*at == 'T' || *at == 't') && tacit__is_digit(at[-1]) && tacit__is_digit(at[1]))
            return at;
    return end;
}

/* Up to two digits, as many as there are; fewer than `least` are none. */
static const char *read_pair(int *out, const char *at, const char *end, int least)
{
    int digits = 0;
    for (*out = 0; at < end && digits < 2 && tacit__is_digit(*at); at++, digits++)
        *out = *out * 10 + (*at - '0');
    return digits < least ? NULL : at;
}

static const char *read_part(tacit__hierarchy_date *out, const char *at, const char *end)
{
    int unit = 100000;
    const char *from = at;
    for (; at < end && tacit__is_digit(*at); at++, unit /= 10)
        out->micro += (*at - '0') * unit;
    out->unit = TACIT__UNIT_PART;
    return at > from ? at : NULL;
}

/* Hours, and then what is written of minutes, seconds and parts of them. */
static const char *read_clock(tacit__hierarchy_date *out, const char *at, const char *end)
{
    at = read_pair(&out->hour, at, end, 1);
    out->unit = TACIT__UNIT_HOUR;
    bool colons = at && at < end && *at == ':', more = at && at < end;
    if (!more || (!colons && !tacit__is_digit(*at)))
        return at;
    at = read_pair(&out->minute, at + colons, end, 2);
    out->unit = TACIT__UNIT_MINUTE;
    more = at && at < end && (colons ? *at == ':' : tacit__is_digit(*at));
    if (!more)
        return at;
    at = read_pair(&out->second, at + colons, end, 2);
    out->unit = TACIT__UNIT_SECOND;
    if (at && at < end && (*at == '.' || *at == ','))
        at = read_part(out, at + 1, end);
    return at;
}

/* AM or PM behind the time, whose hours are then 1 to 12; an hour of 24 is none of either. */
static const char *read_half(tacit__hierarchy_date *out, const char *at, const char *end)
{
    bool am = end - at >= 2 && tacit__spells(at, "am", 2);
    if (!am && !(end - at >= 2 && tacit__spells(at, "pm", 2)))
        return at;
    if (out->hour < 1 || out->hour > 12)
        out->hour = 24;
    else
        out->hour = out->hour % 12 + (am ? 0 : 12);
    return at + 2;
}

static bool is_zone(const char *at, const char *end)
{
    int number;
    if (at == end || (end - at == 1 && (*at == 'Z' || *at == 'z')))
        return true;
    if (end - at == 3 && (memcmp(at, "UTC", 3) == 0 || memcmp(at, "GMT", 3) == 0))
        return true;
    if (*at != '+' && *at != '-')
        return false;
    at = read_pair(&number, at + 1, end, 2);
    if (!at || at == end)
        return at && number < 24;
    bool whole = number < 24;
    at = read_pair(&number, at + (*at == ':'), end, 2);
    return whole && at == end && number < 60;
}

/* A time with what stands before and behind it: "T05:06:07Z", " 5:06 PM". */
static bool read_time(tacit__hierarchy_date *out, const char *at, const char *end)
{
    at = read_clock(out, at + 1, end);
    for (int blanks = 0; at && at < end && *at == ' ' && !blanks; blanks++)
        at++;
    at = at ? read_half(out, at, end) : NULL;
    while (at && at < end && *at == ' ')
        at++;
    return at && is_zone(at, end);
}

static tacit__date_result check_time(const tacit__hierarchy_date *time)
{
    return time->hour < 24 && time->minute < 60 && time->second < 60 ? TACIT__DATE_OK
                                                                     : TACIT__DATE_TIME;
}

static tacit__date_result parse_day(tacit__hierarchy_date *out, tacit_strview text,
                                    tacit_date_order order)
{
    cut parts;
    tacit__hierarchy_date date;
    if (!text.len || !cut_up(&parts, text) || !recognize(&date, &parts, order) || date.year < 1)
        return TACIT__DATE_FORM;
    int given = parts_of(&parts);
    date.unit = given > 2 ? TACIT__UNIT_DAY : given > 1 ? TACIT__UNIT_MONTH : TACIT__UNIT_YEAR;
    *out = date;
    if (given > 1 && (date.month < 1 || date.month > 12)) {
        bool exchanged = given == PARTS && date.day >= 1 && date.day <= 12 && date.month > 12 &&
                         date.month <= days_in_month(date.year, date.day);
        return exchanged ? TACIT__DATE_ORDER : TACIT__DATE_MONTH;
    }
    if (given > 2 && (date.day < 1 || date.day > days_in_month(date.year, date.month)))
        return TACIT__DATE_DAY;
    return TACIT__DATE_OK;
}

tacit__date_result tacit__date_parse(tacit__hierarchy_date *out, tacit_strview text,
                                     tacit_date_order order)
{
    if (!text.len)
        return TACIT__DATE_FORM;
    const char *from = text.bytes, *end = text.bytes + text.len;
    trim_blanks(&from, &end);
    const char *at = find_time(from, end);
    tacit__hierarchy_date date = {0}, time = {0};
    tacit__date_result result = parse_day(&date, (tacit_strview){from, (size_t)(at - from)}, order);
    if (result == TACIT__DATE_FORM || at == end) {
        if (result != TACIT__DATE_FORM)
            *out = date;
        return result;
    }
    if (date.unit != TACIT__UNIT_DAY || !read_time(&time, at, end))
        return TACIT__DATE_FORM;
    time.year = date.year;
    time.month = date.month;
    time.day = date.day;
    *out = time;
    return result == TACIT__DATE_OK ? check_time(&time) : result;
}

void tacit__date_signs_add(tacit__date_signs *signs, uint32_t number, tacit_strview text)
{
    tacit__hierarchy_date day_first, month_first;
    if (!text.len || !memchr(text.bytes, '/', text.len))
        return;
    bool day = tacit__date_parse(&day_first, text, TACIT_DAY_FIRST) == TACIT__DATE_OK;
    bool month = tacit__date_parse(&month_first, text, TACIT_MONTH_FIRST) == TACIT__DATE_OK;
    uint32_t *sign = &signs->either;
    if (day != month)
        sign = day ? &signs->day_first : &signs->month_first;
    else if (!day || (day_first.month == month_first.month && day_first.day == month_first.day))
        return;
    if (!*sign)
        *sign = number + 1;
}

bool tacit__date_signs_clash(const tacit__date_signs *signs)
{
    return signs->day_first && signs->month_first;
}

bool tacit__date_signs_silent(const tacit__date_signs *signs)
{
    return signs->either && !signs->day_first && !signs->month_first;
}

tacit_date_order tacit__date_signs_order(const tacit__date_signs *signs)
{
    if (signs->day_first)
        return TACIT_DAY_FIRST;
    return signs->month_first ? TACIT_MONTH_FIRST : TACIT_DATES_TELL;
}
