/*
 * profile_values.c - what values look like: numbers, dates, addresses of mail,
 * phone numbers and so on, one small test a shape, listed in one table.
 *
 * A column is judged by at most SAMPLE of its distinct values, taken at equal
 * steps through the dictionary, so the same data is always judged alike. Words
 * for "unknown" are left out of the count: a column of dates with some "n/a"
 * is a column of dates. Tests are strict where a shape alone decides a role
 * (e-mail, phone) and know no value but the one before them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "policy/profile_parts.h"

enum { SAMPLE = 20000, MOST_LENGTH = 64 };

static bool is_letter(char c)
{
    return tacit__is_letter(c) || (c & 0x80);
}

/* The letters of U+00C0 to U+00FF without their accents. */
static char plain_letter(uint32_t point)
{
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo ouuuuypsaaaaaaaceeeeiiiidnooooo ouuuuypy";
    if (point < 0x80)
        return (char)(point >= 'A' && point <= 'Z' ? point + 32 : point);
    return point >= 0xC0 && point <= 0xFF ? plain[point - 0xC0] : '?';
}

static bool is_upper(uint32_t point)
{
    return (point >= 'A' && point <= 'Z') || (point >= 0xC0 && point <= 0xDE);
}

/* Whether a word starts at `point`, which stands between the other two. */
static bool starts_word(uint32_t before, uint32_t point, uint32_t after)
{
    bool digit = point < 0x80 && tacit__is_digit((char)point);
    bool digit_before = before < 0x80 && tacit__is_digit((char)before);
    bool upper_start = is_upper(point) && (!is_upper(before) ||
                                           (after && after < 0x80 && after >= 'a' && after <= 'z'));
    return digit != digit_before || upper_start;
}

void tacit__fold(char *out, size_t size, tacit_strview text)
{
    size_t used = 0;
    uint32_t before = 0;
    out[used++] = ' ';
    while (text.len && used + 3 < size) {
        uint32_t point, after = 0;
        bool valid;
        size_t step = tacit__utf8_next(&point, &valid, text);
        text = (tacit_strview){text.bytes + step, text.len - step};
        if (text.len)
            tacit__utf8_next(&after, &valid, text);
        char letter = plain_letter(point);
        bool word = tacit__is_lower(letter) || tacit__is_digit(letter);
        if (out[used - 1] != ' ' && (!word || starts_word(before, point, after)))
            out[used++] = ' ';
        if (word)
            out[used++] = letter;
        if (point == 0xDF)
            out[used++] = 's';
        before = point;
    }
    if (out[used - 1] != ' ')
        out[used++] = ' ';
    out[used] = '\0';
}

/* Whether a short value, folded, is one of the words in " a b c ". */
static bool is_one_of(tacit_strview value, const char *words)
{
    char folded[40];
    if (value.len > 24)
        return false;
    tacit__fold(folded, sizeof folded, value);
    return folded[1] && !strchr(folded + 1, ' ')[1] && strstr(words, folded);
}

static bool is_unknown(tacit_strview value)
{
    size_t marks = 0;
    while (marks < value.len && strchr("?-. *", value.bytes[marks]))
        marks++;
    bool n_a = value.len == 3 && (value.bytes[0] | 0x20) == 'n' && value.bytes[1] == '/' &&
               (value.bytes[2] | 0x20) == 'a';
    return (marks == value.len && marks <= 3) || n_a ||
           is_one_of(value, " na nan null none nil unknown missing unbekannt keine inconnu "
                            "desconocido onbekend unspecified ");
}

/* Digits with at most one point or comma among them, a sign before. */
static bool read_number(tacit_strview value, double *number, bool *whole)
{
    size_t at = value.len && (value.bytes[0] == '-' || value.bytes[0] == '+');
    double result = 0, scale = 0;
    size_t digits = 0;
    for (; at < value.len; at++) {
        if (tacit__is_digit(value.bytes[at])) {
            result = result * 10 + (value.bytes[at] - '0');
            scale *= 10;
            digits++;
        } else if ((value.bytes[at] == '.' || value.bytes[at] == ',') && scale == 0 && digits) {
            scale = 1;
        } else {
            return false;
        }
    }
    *whole = scale == 0;
    *number = (value.bytes[0] == '-' ? -result : result) / (scale > 0 ? scale : 1);
    return digits > 0 && digits <= 18;
}

static bool is_number(tacit_strview value)
{
    double number;
    bool whole;
    return read_number(value, &number, &whole);
}

static bool is_integer(tacit_strview value)
{
    double number;
    bool whole;
    return read_number(value, &number, &whole) && whole;
}

static bool is_year(tacit_strview value)
{
    double number;
    bool whole;
    return value.len == 4 && read_number(value, &number, &whole) && whole && number >= 1850 &&
           number <= 2060;
}

static int month_of(const char *name, size_t len)
{
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    char lower[3];
    if (len < 3)
        return 0;
    for (int i = 0; i < 3; i++)
        lower[i] = (char)(name[i] | 0x20);
    for (int month = 0; month < 12; month++)
        if (memcmp(months + month * 3, lower, 3) == 0)
            return month + 1;
    return 0;
}

/* " 9:30", "T09:30:00": only its beginning is looked at. */
static bool is_time(tacit_strview rest)
{
    return rest.len >= 5 && (rest.bytes[0] == ' ' || rest.bytes[0] == 'T') &&
           tacit__is_digit(rest.bytes[1]) && (rest.bytes[2] == ':' || rest.bytes[3] == ':');
}

/* Up to three parts with one separator between: numbers, or a month's name. */
typedef struct date_parts {
    int number[3];
    size_t digits[3];
    int count;
    int named; /* the part that is a month's name, or -1 */
} date_parts;

static bool split_date(tacit_strview value, date_parts *parts)
{
    size_t at = 0;
    *parts = (date_parts){.named = -1};
    while (at < value.len && parts->count < 3) {
        size_t from = at;
        int number = 0;
        while (at < value.len && tacit__is_digit(value.bytes[at]) && at - from < 4)
            number = number * 10 + (value.bytes[at++] - '0');
        if (at == from) {
            while (at < value.len && is_letter(value.bytes[at]))
                at++;
            if (!(number = month_of(value.bytes + from, at - from)) || parts->named >= 0)
                return false;
            parts->named = parts->count;
        }
        parts->number[parts->count] = number;
        parts->digits[parts->count++] = at - from;
        size_t gap = 0;
        while (parts->count < 3 && at + gap < value.len && gap < 2 &&
               strchr("-/. ,", value.bytes[at + gap]))
            gap++;
        if (!gap)
            break;
        at += gap;
    }
    tacit_strview rest = {value.bytes + at, value.len - at};
    return !rest.len || (parts->count == 3 && is_time(rest));
}

static bool is_day_and_month(int a, int b)
{
    return a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12);
}

/* The year of a date, or 0: 1964-03-12, 12.3.1964, 3/12/64, 12 Mar 1964,
 * 19640312, 1964-03, 03/1964, each perhaps with a time of day. */
static int year_of_date(tacit_strview value)
{
    date_parts p;
    if (value.len == 8 && is_integer(value) && tacit__is_digit(value.bytes[0])) {
        int year = 0, day = (value.bytes[6] - '0') * 10 + value.bytes[7] - '0';
        int month = (value.bytes[4] - '0') * 10 + value.bytes[5] - '0';
        for (int i = 0; i < 4; i++)
            year = year * 10 + (value.bytes[i] - '0');
        return year >= 1850 && year <= 2060 && month >= 1 && month <= 12 && day >= 1 && day <= 31
                   ? year
                   : 0;
    }
    if (value.len < 6 || !split_date(value, &p) || p.count < 2)
        return 0;
    int last = p.count - 1, year_at = p.digits[0] == 4 && p.named != 0 ? 0 : last;
    int year = p.number[year_at];
    if (p.digits[year_at] == 2 && p.count == 3)
        year += year > 30 ? 1900 : 2000;
    else if (p.digits[year_at] != 4)
        return 0;
    int a = p.number[year_at ? 0 : 1], b = p.count == 3 ? p.number[year_at ? 1 : 2] : 1;
    bool days = p.count == 3 ? is_day_and_month(a, b) : a >= 1 && a <= 12;
    return days && year >= 1850 && year <= 2060 ? year : 0;
}

static bool is_date(tacit_strview value)
{
    return year_of_date(value) != 0;
}

static bool is_email(tacit_strview value)
{
    const char *at = memchr(value.bytes, '@', value.len), *end = value.bytes + value.len;
    if (!at || at == value.bytes || memchr(value.bytes, ' ', value.len) ||
        memchr(at + 1, '@', (size_t)(end - at - 1)))
        return false;
    const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
    return dot && dot > at + 1 && dot + 2 < end;
}

static bool is_url(tacit_strview value)
{
    static const char *const starts[] = {"http://", "https://", "ftp://", "www."};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (value.len > strlen(starts[i]) + 2 &&
            memcmp(value.bytes, starts[i], strlen(starts[i])) == 0)
            return !memchr(value.bytes, ' ', value.len);
    return false;
}

static bool is_ip(tacit_strview value)
{
    int groups = 0, colons = 0;
    size_t at = 0, hex = 0;
    for (size_t i = 0; i < value.len; i++) {
        colons += value.bytes[i] == ':';
        hex += value.bytes[i] == ':' || strchr("0123456789abcdefABCDEF", value.bytes[i]) != NULL;
    }
    if (colons >= 3 && colons <= 7)
        return hex == value.len && value.len <= 39 && value.len >= 7;
    while (at < value.len && groups < 4) {
        int number = 0;
        size_t from = at;
        while (at < value.len && tacit__is_digit(value.bytes[at]) && at - from < 3)
            number = number * 10 + (value.bytes[at++] - '0');
        if (at == from || number > 255)
            return false;
        groups++;
        if (at < value.len && value.bytes[at++] != '.')
            return false;
    }
    return groups == 4 && at == value.len && tacit__is_digit(value.bytes[value.len - 1]);
}

/* 7 to 15 digits, and a plus, a leading zero or separators that plain numbers
 * do not have. */
static bool is_phone(tacit_strview value)
{
    size_t digits = 0, separators = 0, points = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (tacit__is_digit(value.bytes[i]))
            digits++;
        else if (!(value.bytes[i] == '+' && i == 0) && !strchr(" -/().", value.bytes[i]))
            return false;
        else
            separators++;
        points += value.bytes[i] == '.';
    }
    bool marked = value.bytes[0] == '+' || value.bytes[0] == '(' ||
                  (value.bytes[0] == '0' && digits >= 9) || separators >= 2;
    return digits >= 7 && digits <= 15 && marked && !(points == 1 && separators == 1) &&
           value.bytes[0] != '-' && !is_date(value) && !is_ip(value);
}

/* Matches 9 with a digit, A with a letter, ? with either, anything else with
 * itself. */
static bool matches(tacit_strview value, const char *pattern)
{
    if (value.len != strlen(pattern))
        return false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.bytes[i];
        bool upper = tacit__is_upper(c);
        bool fits = pattern[i] == '9'   ? tacit__is_digit(c)
                    : pattern[i] == 'A' ? upper
                    : pattern[i] == '?' ? upper || tacit__is_digit(c)
                                        : c == pattern[i];
        if (!fits)
            return false;
    }
    return true;
}

/* Forms that nothing else has: US with its four more, Canada, Netherlands,
 * Britain. Plain digits need the column's name, or leading zeros. */
static bool is_postcode(tacit_strview value)
{
    static const char *const forms[] = {"99999-9999", "A9A 9A9", "A9A9A9",  "9999 AA",
                                        "9999AA",     "A9 9AA",  "A99 9AA", "AA9 9AA",
                                        "AA99 9AA",   "A9A 9AA", "AA9A 9AA"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (matches(value, forms[i]))
            return true;
    return false;
}

static bool is_sex(tacit_strview value)
{
    return is_one_of(value,
                     " m f w v male female man woman mann frau mannlich weiblich homme femme "
                     "masculin feminin hombre mujer masculino femenino mannelijk "
                     "vrouwelijk vrouw ");
}

static bool is_yes_no(tacit_strview value)
{
    return is_one_of(value, " yes no y n ja nein j nee oui non o si s true false t f wahr falsch "
                            "vrai faux 0 1 ");
}

/* Words: letters, with the marks that stand in names. */
static size_t count_words(tacit_strview value, bool *only_names)
{
    size_t words = 0;
    bool inside = false;
    *only_names = true;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.bytes[i];
        bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank && !inside) {
            words++;
            *only_names = *only_names && is_letter(c) && !tacit__is_lower(c);
        }
        *only_names = *only_names && (blank || is_letter(c) || strchr("'-.,", c));
        inside = !blank;
    }
    return words;
}

static bool is_text(tacit_strview value)
{
    bool names;
    size_t words = count_words(value, &names);
    return words >= 6 || (value.len >= 60 && words >= 4);
}

static bool is_name(tacit_strview value)
{
    bool names;
    size_t words = count_words(value, &names);
    return names && words >= 2 && words <= 4 && value.len <= 60;
}

static bool is_code(tacit_strview value)
{
    size_t digits = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.bytes[i] == ' ')
            return false;
        digits += tacit__is_digit(value.bytes[i]);
    }
    return digits > 0 && value.len <= 24;
}

/* A shape: its test, the share of values that makes a column of it, and how
 * many distinct values it may have at most (0: any number). */
static const struct shape {
    bool (*test)(tacit_strview value);
    double share;
    uint32_t most;
} shapes[TACIT__SHAPES] = {
    [TACIT__SHAPE_EMAIL] = {is_email, 0.9, 0},   [TACIT__SHAPE_URL] = {is_url, 0.9, 0},
    [TACIT__SHAPE_IP] = {is_ip, 0.9, 0},         [TACIT__SHAPE_DATE] = {is_date, 0.9, 0},
    [TACIT__SHAPE_SEX] = {is_sex, 0.6, 5}, /* and others besides the two */
    [TACIT__SHAPE_YESNO] = {is_yes_no, 1, 2},    [TACIT__SHAPE_POSTCODE] = {is_postcode, 0.9, 0},
    [TACIT__SHAPE_YEAR] = {is_year, 1, 0},       [TACIT__SHAPE_INTEGER] = {is_integer, 0.9, 0},
    [TACIT__SHAPE_NUMBER] = {is_number, 0.9, 0}, [TACIT__SHAPE_PHONE] = {is_phone, 0.9, 0},
    [TACIT__SHAPE_TEXT] = {is_text, 0.5, 0},     [TACIT__SHAPE_NAME] = {is_name, 0.8, 0},
    [TACIT__SHAPE_CODE] = {is_code, 0.9, 0},
};

bool tacit__facts_fit(const tacit__facts *facts, tacit__profile_shape shape)
{
    if (shape == TACIT__SHAPE_ANY)
        return true;
    const struct shape *s = &shapes[shape];
    return facts->seen > 0 && (double)facts->shapes[shape] >= s->share * (double)facts->seen &&
           (!s->most || facts->seen <= s->most);
}

static void look_at(tacit__facts *facts, size_t *lengths, tacit_strview value)
{
    facts->sampled++;
    if (is_unknown(value))
        return;
    facts->seen++;
    for (int i = 0; i < TACIT__SHAPES; i++)
        facts->shapes[i] += shapes[i].test(value);
    lengths[value.len < MOST_LENGTH ? value.len : MOST_LENGTH]++;
    facts->leading_zeros += value.len == 5 && value.bytes[0] == '0' && is_integer(value);
    double number;
    bool whole;
    if (read_number(value, &number, &whole)) {
        facts->low = fmin(facts->low, number);
        facts->high = fmax(facts->high, number);
        facts->commas += memchr(value.bytes, ',', value.len) != NULL;
    }
    int year = year_of_date(value);
    if (year && (!facts->first_year || year < facts->first_year))
        facts->first_year = year;
    if (year > facts->last_year)
        facts->last_year = year;
}

void tacit__facts_of_values(tacit__facts *facts, const tacit_table *table, int32_t column)
{
    size_t lengths[MOST_LENGTH + 1] = {0};
    uint32_t looks = facts->distinct < SAMPLE ? facts->distinct : SAMPLE;
    facts->low = HUGE_VAL;
    facts->high = -HUGE_VAL;
    for (uint32_t i = 0; i < looks; i++) {
        uint32_t code = (uint32_t)((uint64_t)i * facts->distinct / looks);
        look_at(facts, lengths, tacit_table_value(table, column, code));
    }
    for (int i = 0; i <= MOST_LENGTH; i++)
        facts->same_length = lengths[i] > facts->same_length ? lengths[i] : facts->same_length;
    facts->shortest = facts->distinct ? SIZE_MAX : 0;
    for (uint32_t code = 0; code < facts->distinct; code++) {
        size_t len = tacit_table_value(table, column, code).len;
        facts->shortest = len < facts->shortest ? len : facts->shortest;
        facts->longest = len > facts->longest ? len : facts->longest;
    }
}
