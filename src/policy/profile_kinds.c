/*
 * profile_kinds.c - what a column is: what its values look like, and its type, role and reason.
 *
 * Values are numbers, dates, addresses of mail, phone numbers and so on, one small test a shape,
 * listed in one table. A column is judged by at most SAMPLE of its distinct values, taken at equal
 * steps through the dictionary, so the same data is always judged alike. Words for "unknown" are
 * left out of the count: a column of dates with some "n/a" is a column of dates. Tests are strict
 * where a shape alone decides a role (e-mail, phone) and know no value but the one before them.
 *
 * A kind fits a column when its words are in the column's name, its shape is that of the values,
 * and its condition holds; what a kind leaves out it does not ask. The first kind that fits
 * decides, so the order is the argument: values that prove themselves, names of identifiers, what a
 * release is about, what others know about people, then shapes and counts, and in the end a
 * quasi-identifier when in doubt. Words are matched whole in the folded name (" code postal "); a
 * star at the end of a word stands for any ending, for compounds ("geburts*").
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "hierarchy/written.h"
#include "policy/profile_parts.h"

enum { SAMPLE = 20000, MAX_LENGTH = 64 };

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

void tacit__profile_fold(char *out, size_t size, tacit_strview text)
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
    tacit__profile_fold(folded, sizeof folded, value);
    return folded[1] && !strchr(folded + 1, ' ')[1] && strstr(words, folded);
}

/* "n/a", "k.A.": letters for "not available", "keine Angabe", "sin datos", with marks between. */
static bool is_short_for_none(tacit_strview value)
{
    char folded[16];
    if (value.len < 3 || value.len > 5 || !strchr("/.", value.bytes[1]))
        return false;
    tacit__profile_fold(folded, sizeof folded, value);
    return strlen(folded) == 5 && strstr("| n a | n d | k a | s d |", folded);
}

bool tacit__profile_unknown(tacit_strview value)
{
    size_t marks = 0;
    while (marks < value.len && strchr("?-. *", value.bytes[marks]))
        marks++;
    return (marks == value.len && marks <= 3) || is_short_for_none(value) ||
           is_one_of(value, " na nan null none nil unknown missing unbekannt keine inconnu "
                            "desconocido onbekend unspecified ");
}

/* Digits with at most one point or comma among them, a sign before. */
bool tacit__profile_number(double *number, bool *whole, tacit_strview value)
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
    return tacit__profile_number(&number, &whole, value);
}

static bool is_integer(tacit_strview value)
{
    double number;
    bool whole;
    return tacit__profile_number(&number, &whole, value) && whole;
}

static bool is_year(tacit_strview value)
{
    double number;
    bool whole;
    return value.len == 4 && tacit__profile_number(&number, &whole, value) && whole &&
           number >= 1850 && number <= 2060;
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

/* " 9:30", "T09:30:00Z": what a hierarchy of dates reads behind a day. */
static bool is_time(tacit_strview rest)
{
    static const char day[] = "2000-01-01";
    enum { DAY = sizeof day - 1, LONGEST = 48 };
    char text[DAY + LONGEST];
    tacit__hierarchy_date date;
    if (rest.len > LONGEST)
        return false;
    memcpy(text, day, DAY);
    memcpy(text + DAY, rest.bytes, rest.len);
    return tacit__date_parse(&date, (tacit_strview){text, DAY + rest.len}, TACIT_DATES_TELL) ==
           TACIT__DATE_OK;
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
int tacit__profile_year(tacit_strview value)
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
    return tacit__profile_year(value) != 0;
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
    [TACIT__SHAPE_EMAIL] = {is_email, 0.9, 0},
    [TACIT__SHAPE_URL] = {is_url, 0.9, 0},
    [TACIT__SHAPE_IP] = {is_ip, 0.9, 0},
    [TACIT__SHAPE_DATE] = {is_date, 0.9, 0},
    [TACIT__SHAPE_SEX] = {is_sex, 0.6, 5}, /* and others besides the two */
    [TACIT__SHAPE_YESNO] = {is_yes_no, 1, 2},
    [TACIT__SHAPE_POSTCODE] = {is_postcode, 0.9, 0},
    [TACIT__SHAPE_YEAR] = {is_year, 1, 0},
    [TACIT__SHAPE_INTEGER] = {is_integer, 0.9, 0},
    [TACIT__SHAPE_NUMBER] = {is_number, 0.9, 0},
    [TACIT__SHAPE_PHONE] = {is_phone, 0.9, 0},
    [TACIT__SHAPE_TEXT] = {is_text, 0.5, 0},
    [TACIT__SHAPE_NAME] = {is_name, 0.8, 0},
    [TACIT__SHAPE_CODE] = {is_code, 0.9, 0},
    [TACIT__SHAPE_IBAN] = {tacit__profile_iban, 0.2, 0}, /* by check digits */
    [TACIT__SHAPE_STREET] = {tacit__profile_street, 0.5, 0},
    [TACIT__SHAPE_PERSON] = {tacit__profile_person, 0.5, 0},
};

/* Whether enough values have the shape to call the column so. */
static bool facts_fit(const tacit__facts *facts, tacit__profile_shape shape)
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
    if (tacit__profile_unknown(value))
        return;
    facts->seen++;
    for (int i = 0; i < TACIT__SHAPES; i++)
        facts->shapes[i] += shapes[i].test(value);
    lengths[value.len < MAX_LENGTH ? value.len : MAX_LENGTH]++;
    facts->leading_zeros += value.len == 5 && value.bytes[0] == '0' && is_integer(value);
    double number;
    bool whole;
    if (tacit__profile_number(&number, &whole, value)) {
        facts->low = fmin(facts->low, number);
        facts->high = fmax(facts->high, number);
        facts->commas += memchr(value.bytes, ',', value.len) != NULL;
    }
    int year = tacit__profile_year(value);
    if (year && (!facts->first_year || year < facts->first_year))
        facts->first_year = year;
    if (year > facts->last_year)
        facts->last_year = year;
}

void tacit__facts_of_values(tacit__facts *facts, const tacit_table *table, int32_t column)
{
    size_t lengths[MAX_LENGTH + 1] = {0};
    uint32_t looks = facts->distinct < SAMPLE ? facts->distinct : SAMPLE;
    facts->low = HUGE_VAL;
    facts->high = -HUGE_VAL;
    for (uint32_t i = 0; i < looks; i++) {
        uint32_t code = (uint32_t)((uint64_t)i * facts->distinct / looks);
        look_at(facts, lengths, tacit_table_value(table, column, code));
    }
    for (int i = 0; i <= MAX_LENGTH; i++)
        facts->same_length = lengths[i] > facts->same_length ? lengths[i] : facts->same_length;
    facts->shortest = facts->distinct ? SIZE_MAX : 0;
    for (uint32_t code = 0; code < facts->distinct; code++) {
        size_t len = tacit_table_value(table, column, code).len;
        facts->shortest = len < facts->shortest ? len : facts->shortest;
        facts->longest = len > facts->longest ? len : facts->longest;
    }
}

enum { FEW_ROWS = 20 }; /* below it, every column looks unique */

/* "99.8 %", never rounded up to 100. */
typedef struct percent {
    char text[16];
} percent;

static percent percent_of(double part, double whole)
{
    percent p;
    double tenths = whole > 0 ? floor(part / whole * 1000 + 1e-9) : 0;
    if (part >= whole)
        snprintf(p.text, sizeof p.text, "100 %%");
    else
        snprintf(p.text, sizeof p.text, "%.1f %%", tenths / 10);
    return p;
}

static int64_t present(const tacit__facts *f)
{
    return f->rows - f->missing;
}

static bool spread_over(const tacit__facts *f, double share)
{
    return f->distinct > 1 && (double)f->distinct >= share * (double)present(f);
}

static bool is_missing(const tacit__facts *f)
{
    return f->distinct == 0;
}

static bool is_constant(const tacit__facts *f)
{
    return f->distinct == 1 && f->missing == 0 && f->rows > 1;
}

static bool is_fraction(const tacit__facts *f)
{
    return facts_fit(f, TACIT__SHAPE_NUMBER) && !facts_fit(f, TACIT__SHAPE_INTEGER);
}

static bool is_own_number(const tacit__facts *f)
{
    return spread_over(f, 0.9) && !is_fraction(f);
}

static bool is_repeated_number(const tacit__facts *f)
{
    return spread_over(f, 0.1) && !is_fraction(f);
}

static bool is_half_spread(const tacit__facts *f)
{
    return spread_over(f, 0.5) && present(f) >= FEW_ROWS;
}

static bool is_near_unique(const tacit__facts *f)
{
    return present(f) >= FEW_ROWS && (double)f->singles >= 0.95 * (double)present(f);
}

/* Numbers given out one after the other, or all of one length: no quantities. */
static bool is_serial(const tacit__facts *f)
{
    bool dense = f->high - f->low < 2.0 * f->distinct;
    return is_near_unique(f) && (dense || (double)f->same_length >= 0.85 * (double)f->seen);
}

static bool is_short_scale(const tacit__facts *f)
{
    return f->distinct <= 200 && !is_near_unique(f);
}

static bool has_zip_zeros(const tacit__facts *f)
{
    return facts_fit(f, TACIT__SHAPE_INTEGER) && f->leading_zeros > 0 && f->shortest == 5 &&
           f->longest == 5;
}

/* What a shape is called as a type and in the plural of a reason. */
static const struct called {
    const char *type;
    const char *plural;
} called[TACIT__SHAPES] = {
    [TACIT__SHAPE_EMAIL] = {"e-mail", "e-mail addresses"},
    [TACIT__SHAPE_URL] = {"URL", "web addresses"},
    [TACIT__SHAPE_IP] = {"IP", "network addresses"},
    [TACIT__SHAPE_DATE] = {"date", "dates"},
    [TACIT__SHAPE_SEX] = {"sex", "words for a sex"},
    [TACIT__SHAPE_YESNO] = {"yes/no", "yes or no"},
    [TACIT__SHAPE_POSTCODE] = {"postcode", "postcodes"},
    [TACIT__SHAPE_YEAR] = {"year", "years"},
    [TACIT__SHAPE_INTEGER] = {"integer", "whole numbers"},
    [TACIT__SHAPE_NUMBER] = {"decimal", "numbers"},
    [TACIT__SHAPE_PHONE] = {"phone", "phone numbers"},
    [TACIT__SHAPE_TEXT] = {"free text", "sentences"},
    [TACIT__SHAPE_NAME] = {"name", "names"},
    [TACIT__SHAPE_CODE] = {"code", "codes"},
    [TACIT__SHAPE_IBAN] = {"IBAN", "account numbers"},
    [TACIT__SHAPE_STREET] = {"address", "street addresses"},
    [TACIT__SHAPE_PERSON] = {"name", "names of people"},
};

static const char *type_by_values(const tacit__facts *f)
{
    if (f->distinct == 0)
        return "empty";
    for (int shape = 0; shape < TACIT__SHAPES; shape++)
        if (shape != TACIT__SHAPE_NAME && shape != TACIT__SHAPE_PERSON &&
            facts_fit(f, (tacit__profile_shape)shape))
            return called[shape].type;
    return "category";
}

/* One kind of column. */
typedef struct kind {
    const char *what;  /* "column name says ..." */
    const char *words; /* in the name, with '|' between; NULL: not asked */
    tacit__profile_shape shape;
    bool (*holds)(const tacit__facts *facts); /* NULL: not asked */
    const char *type;                         /* NULL: by the values */
    tacit_role role;
    const char *because; /* further words of the reason; NULL: none */
} kind;

/* Words for whose number an identifier is. */
#define HOUSEHOLD_NUMBERS                                                                          \
    "hid|hhid|hhnr|hh id|hh no|hh nr|household id|household no|household nr|household "            \
    "number|householdid|"                                                                          \
    "family id|famid|haushaltsnummer|haushaltsid|haushalts nr|haushalts id|haushalt id|id menage|" \
    "menage id|foyer id|id hogar|hogar id|huishouden id|huishoudnummer"
#define PERSON_NUMBERS                                                                   \
    "patient*|pid|person|personid|persid|persnr|personalnummer|matrikelnummer|customer|" \
    "kundennummer|"                                                                      \
    "klantnummer|client|student|employee|member|subject|respondent|resident|ssn|social " \
    "security*|nhs|"                                                                     \
    "mrn|bsn|nino|nir|insee|dni|nie|curp|cpr|aadhaar|versichertennummer|sozialversicherung*"

#define ANY         TACIT__SHAPE_ANY
#define IDENTIFIER  TACIT_ROLE_IDENTIFIER
#define QUASI       TACIT_ROLE_QUASI
#define SENSITIVE   TACIT_ROLE_SENSITIVE
#define INSENSITIVE TACIT_ROLE_INSENSITIVE

/* clang-format off */
static const kind kinds[] = {
    {NULL, NULL, ANY, is_missing, "empty", INSENSITIVE, "no row has a value"},

    /* Values that prove themselves. */
    {NULL, NULL, TACIT__SHAPE_EMAIL, NULL, "e-mail", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_URL, NULL, "URL", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_IP, NULL, "IP", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_IBAN, NULL, "IBAN", IDENTIFIER, NULL},

    /* Names of explicit identifiers. */
    {"e-mail", "email|mail|e mail|correo|courriel|emailadres", ANY, NULL, "e-mail", IDENTIFIER, NULL},
    {"phone", "phone|telephone|tel|telefon*|telefoon*|mobile|mobil|handy|fax|portable|movil|cell", ANY, is_repeated_number, "phone", IDENTIFIER, NULL},
    {"a personal number", "ssn|social security*|nhs|mrn|medical record*|bsn|nino|nir|insee|dni|nie|curp|cpr|sin|tin|"
     "passport*|reisepass*|personalausweis*|paspoort*|pasaporte|passeport|sozialversicherung*|versichertennummer|"
     "krankenkassen*|steuer id|steuernummer|rijksregister*|seguridad social|securite sociale|aadhaar", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"an account or card", "iban|account number|kontonummer|kreditkarte*|credit card*|card number|rekeningnummer|"
     "numero de cuenta|license|licence|plate|kennzeichen|vin|imei|mac|device id|serial*", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"a user name", "username|user name|login|user|benutzer*|utilisateur|usuario|gebruiker*|nickname|handle", ANY, is_repeated_number, "name", IDENTIFIER, NULL},
    {"a street address", "address|street|adresse|anschrift|strasse|hausnummer|rue|calle|direccion|domicilio|straat|adres|huisnummer|addr", ANY, NULL, NULL, IDENTIFIER, NULL},
    {"free text", "note|notes|comment|comments|remark|remarks|description|narrative|letter|bemerkung*|kommentar*|notiz*|"
     "freitext|commentaire*|remarque*|comentario*|observaciones|nota|opmerking*|notitie*|anamnese*", TACIT__SHAPE_TEXT, NULL, "free text", IDENTIFIER, "free text may name people"},
    {NULL, NULL, TACIT__SHAPE_TEXT, NULL, "free text", IDENTIFIER, "free text may name people"},

    /* How much a row counts in estimates: weights of a body are called differently. */
    {"a weight of a survey", "weights|sampling weight|sample weight|samplingweight|survey weight|design weight|person weight|household weight|hh weight|"
     "final weight|base weight|replicate weight|expansion factor|pweight|hweight|wgt|wt|wght|hochrechnungsfaktor|gewichtungsfaktor|hochrechnungsgewicht|"
     "stichprobengewicht|ponderation|coefficient de ponderation|ponderacion|factor de expansion|weegfactor|wegingsfactor|steekproefgewicht",
     TACIT__SHAPE_NUMBER, NULL, "weight", INSENSITIVE, "estimates need it as it is; whether few rows share a weight, or it tells where they are from, is yours to check"},

    /* Names that belong to things, before names that belong to people. */
    {"a diagnosis or treatment", "diagnosis|diagnoses|diag|dx|icd|disease|illness|condition|symptom*|diagnose*|krankheit*|befund*|"
     "maladie*|diagnostic*|diagnostico*|enfermedad*|ziekte*|aandoening*|medication*|drug*|medikament*|medicament*|"
     "medicijn*|treatment*|therapy|therapie*|tratamiento*|traitement*|procedure*|operation*|hiv|cancer|krebs|tumor|"
     "problem|lab|result|finding*|injury|cause of death|todesursache", ANY, NULL, NULL, SENSITIVE, NULL},
    {"income, cost or other money", "salary|income|wage|wages|earnings|pay|charge|charges|cost|costs|price|amount|balance|savings|"
     "expend*|tax|taxes|debt|credit|loan|profit|sales|revenue|gehalt|lohn|einkommen|kosten|betrag|steuer|umsatz|"
     "salaire|revenu|montant|prix|cout|salario|ingreso*|sueldo|importe|coste|salaris|inkomen|loon|bedrag", ANY, NULL, NULL, SENSITIVE, NULL},
    {"a belief or private life", "religion|religio*|konfession|glaube|geloof|party|vote|partei|parti|partido|partij|union|gewerkschaft|"
     "orientation|sexual*|disability|behinderung*|handicap|discapacidad|offence|offense|crime|conviction|score|grade|rating", ANY, NULL, NULL, SENSITIVE, NULL},
    {"a place", "city|town|village|municipality|county|district|state|province|region|country|nation|place|location|parish|"
     "ort|wohnort|geburtsort|stadt|gemeinde|kreis|landkreis|land|bundesland|staat|ville|commune|departement|pays|lieu|"
     "ciudad|municipio|provincia|comunidad|pais|lugar|stad|gemeente|provincie|woonplaats|plaats|"
     "lat|latitude|lon|lng|long|longitude|breitengrad|langengrad|native|birthplace", ANY, NULL, NULL, QUASI, NULL},
    {"an employer or institution", "employer|company|hospital|clinic|ward|department|institution|workclass|arbeitgeber|firma|krankenhaus|"
     "klinik|station|abteilung|employeur|entreprise|hopital|service|empresa|empleador|hospital|werkgever|bedrijf|ziekenhuis|afdeling", ANY, NULL, NULL, QUASI, NULL},
    {"something that is not a person", "filename|file name|product name|item name|brand name|test name|study name", ANY, is_short_scale, NULL, INSENSITIVE, NULL},
    {"a person's name", "name|names|firstname|lastname|fullname|forename|surname|maiden|vorname|nachname|familienname|rufname|"
     "nom|prenom|nombre|nombres|apellido|apellidos|naam|voornaam|achternaam|tussenvoegsel", ANY, NULL, "name", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_STREET, NULL, "address", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_PERSON, NULL, "name", IDENTIFIER, NULL},

    /* Numbers given to people. "id" may repeat, a mere "number" should not. */
    {"a household's number", HOUSEHOLD_NUMBERS, ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"an identifier", "id|ids|pid|uid|hid|uuid|guid|patient|patientid|patientnr|patientennummer|patientnummer|fallnummer|case|"
     "identifier|identificador|identifiant|kennung|personalnummer|matrikelnummer|kundennummer|klantnummer|customer|client", ANY, is_repeated_number, "identifier", IDENTIFIER, NULL},
    {"an identifier", "number|no|nr|num|nummer|numero|key|index|seq|rownum|row", ANY, is_own_number, "identifier", IDENTIFIER, NULL},

    /* What others know about people. */
    {"date of birth", TACIT__PROFILE_BIRTHS, TACIT__SHAPE_DATE, NULL, "date", QUASI, NULL},
    {"year of birth", TACIT__PROFILE_BIRTHS, TACIT__SHAPE_YEAR, NULL, "year", QUASI, NULL},
    {"birth", "birth*|born|dob|yob|geburt*|naissance|nacimiento|geboorte*", ANY, NULL, NULL, QUASI, NULL},
    {"age", "age|ages|alter|edad|leeftijd", TACIT__SHAPE_INTEGER, NULL, "age", QUASI, NULL},
    {"age", "age|ages|agegroup|alter|altersgruppe|edad|leeftijd|leeftijdsgroep|tranche d age", ANY, NULL, NULL, QUASI, NULL},
    {"sex", "sex|gender|geschlecht|sexe|genre|sexo|genero|geslacht", ANY, NULL, "sex", QUASI, NULL},
    {"postcode", "zip|zipcode|zcta|postcode|post code|postal|postalcode|plz|postleitzahl|code postal|codepostal|cp|"
     "codigo postal|codigopostal|postcodes|pc 4|pc 6", ANY, NULL, "postcode", QUASI, NULL},
    {"race or origin", "race|ethnic*|ethnie|herkunft|hispanic|nationality|nationalitat|nationalite|nacionalidad|nationaliteit|"
     "citizenship|staatsangehorigkeit|raza|etnia|etniciteit|afkomst|origin|origine|language|sprache|langue|idioma|taal|immigrant", ANY, NULL, NULL, QUASI, NULL},
    {"marital status or family", "marital|married|familienstand|etat civil|estado civil|burgerlijke staat|civil|household|haushalt*|children|kinder|"
     "enfants|hijos|kinderen|relationship|spouse|family|kin", ANY, NULL, NULL, QUASI, NULL},
    {"education or work", "education|educ|degree|school|schooling|bildung*|schulabschluss|abschluss|diplome|etudes|educacion|estudios|"
     "opleiding|occupation|occ|job|profession|beruf*|metier|emploi|ocupacion|profesion|beroep|industry|branche|employment|title", ANY, NULL, NULL, QUASI, NULL},
    {"a date", "date|datum|fecha|day|month|year|time|jahr|monat|tag|annee|mois|jour|dia|mes|ano|jaar|maand|dag|admission|"
     "discharge|aufnahme|entlassung", ANY, NULL, NULL, QUASI, "events can be known from elsewhere"},
    {"body measures", "height|bmi|blood|blutgruppe|grosse|taille|estatura|lengte|eye|hair", ANY, NULL, NULL, QUASI, NULL},

    /* Shapes without a telling name. */
    {NULL, NULL, ANY, is_constant, NULL, INSENSITIVE, "every row has the same value"},
    {NULL, NULL, TACIT__SHAPE_DATE, NULL, "date", QUASI, NULL},
    {NULL, NULL, TACIT__SHAPE_SEX, NULL, "sex", QUASI, NULL},
    {NULL, NULL, TACIT__SHAPE_POSTCODE, NULL, "postcode", QUASI, NULL},
    {NULL, NULL, ANY, has_zip_zeros, "postcode", QUASI, "all of five digits, with leading zeros, as postcodes have"},
    {NULL, NULL, TACIT__SHAPE_PHONE, NULL, "phone", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_NAME, is_half_spread, "name", IDENTIFIER, "most of them rare"},
    {NULL, NULL, TACIT__SHAPE_YESNO, NULL, "yes/no", QUASI, "others may know it"},
    {NULL, NULL, TACIT__SHAPE_YEAR, NULL, "year", QUASI, NULL},

    /* Counts alone. */
    {NULL, NULL, TACIT__SHAPE_INTEGER, is_serial, "identifier", IDENTIFIER, NULL},
    {NULL, NULL, TACIT__SHAPE_INTEGER, is_short_scale, "integer", QUASI, "few enough values to be known by others"},
    {NULL, NULL, TACIT__SHAPE_NUMBER, NULL, NULL, SENSITIVE, "a quantity"},
    {NULL, NULL, ANY, is_near_unique, "identifier", IDENTIFIER, NULL},
    {NULL, NULL, ANY, NULL, NULL, QUASI, NULL},
};
/* clang-format on */

/* Whether one of the words stands in the folded name. */
static bool says(const char *folded, const char *words)
{
    while (*words) {
        char word[64];
        size_t len = strcspn(words, "|"), stem = len - (len && words[len - 1] == '*');
        snprintf(word, sizeof word, " %.*s%s", (int)stem, words, stem == len ? " " : "");
        if (strstr(folded, word))
            return true;
        words += len + (words[len] == '|');
    }
    return false;
}

bool tacit__profile_says(tacit_strview name, const char *words)
{
    char folded[256];
    tacit__profile_fold(folded, sizeof folded, name);
    return says(folded, words);
}

static tacit_profile_unit unit_of(const tacit_profile_column *column, const char *folded)
{
    if (column->role != TACIT_ROLE_IDENTIFIER || strcmp(column->type, "identifier") != 0)
        return TACIT_UNIT_UNKNOWN;
    if (says(folded, HOUSEHOLD_NUMBERS))
        return TACIT_UNIT_HOUSEHOLD;
    return says(folded, PERSON_NUMBERS) ? TACIT_UNIT_PERSON : TACIT_UNIT_UNKNOWN;
}

static const kind *find_kind(const char *folded, const tacit__facts *facts)
{
    const kind *k = kinds;
    while ((k->words && !says(folded, k->words)) || !facts_fit(facts, k->shape) ||
           (k->holds && !k->holds(facts)))
        k++; /* the last kind fits all */
    return k;
}

/* Rounded outwards to a tenth of the range, so that no one's value shows. */
static void add_range(char *out, size_t size, const tacit__facts *f, tacit__profile_shape shape)
{
    if (shape == TACIT__SHAPE_DATE && f->first_year)
        snprintf(out, size, ", %d to %d", f->first_year, f->last_year);
    if ((shape != TACIT__SHAPE_INTEGER && shape != TACIT__SHAPE_NUMBER &&
         shape != TACIT__SHAPE_YEAR) ||
        !(f->high > f->low))
        return;
    double step = pow(10, floor(log10((f->high - f->low) / 2)));
    step = shape == TACIT__SHAPE_NUMBER || step > 1 ? step : 1;
    snprintf(out, size, ", between %.12g and %.12g", floor(f->low / step) * step,
             ceil(f->high / step) * step);
}

typedef struct reason {
    char *text;
    size_t size;
    size_t used;
} reason;

static void add(reason *r, const char *text)
{
    int more = snprintf(r->text + r->used, r->size - r->used, "%s%s", r->used ? "; " : "", text);
    if (more > 0)
        r->used = r->used + (size_t)more < r->size ? r->used + (size_t)more : r->size - 1;
}

static void add_shape(reason *r, const kind *k, const tacit__facts *f)
{
    char text[160], range[64] = "";
    const char *plural = called[k->shape].plural;
    percent share = percent_of((double)f->shapes[k->shape], (double)f->seen);
    add_range(range, sizeof range, f, k->shape);
    if (k->words || k->shape == TACIT__SHAPE_INTEGER || k->shape == TACIT__SHAPE_NUMBER)
        snprintf(text, sizeof text, "%s of the values are %s%s", share.text, plural, range);
    else
        snprintf(text, sizeof text, "looks like %s: %s of the values are %s%s", plural, share.text,
                 plural, range);
    add(r, text);
}

static void add_uniqueness(reason *r, const kind *k, const tacit__facts *f)
{
    char text[160];
    percent own = percent_of((double)f->singles, (double)present(f));
    if (is_near_unique(f))
        snprintf(text, sizeof text, "near-unique: %s of the rows have a value of their own",
                 own.text);
    else if (!k->what && k->shape == ANY && !k->holds)
        snprintf(text, sizeof text, "a category of %u value%s that others may know", f->distinct,
                 f->distinct == 1 ? "" : "s");
    else
        return;
    add(r, text);
}

/* What others may know of somebody, in words: no numbers to make intervals of. */
static void classify_codes(tacit_profile_column *column, reason *r, const kind *k)
{
    if (!k->what)
        column->role = QUASI;
    if (column->role == QUASI && strcmp(column->type, "integer") == 0)
        column->type = "category";
    add(r, "codes for words");
}

/* A label of the column counts where its name says nothing. */
void tacit__classify(tacit_profile_column *column, const tacit__facts *facts,
                     const tacit_table *table, int32_t index)
{
    char folded[256], text[128];
    tacit_strview value, label;
    const char *what = "name";
    reason r = {column->reason, sizeof column->reason, 0};
    tacit__profile_fold(folded, sizeof folded, column->name);
    const kind *k = find_kind(folded, facts);
    if (!k->what && tacit_table_words(table, index, -1, &value, &label)) {
        tacit__profile_fold(folded, sizeof folded, label);
        k = find_kind(folded, facts);
        what = "label";
    }
    column->type = k->type ? k->type : type_by_values(facts);
    column->role = k->role;
    column->near_unique = is_near_unique(facts);
    column->unit = unit_of(column, folded);
    if (k->what) {
        snprintf(text, sizeof text, "column %s says %s", what, k->what);
        add(&r, text);
    }
    if (column->coded && column->role != IDENTIFIER) {
        classify_codes(column, &r, k);
        return;
    }
    if (k->shape != ANY)
        add_shape(&r, k, facts);
    if (k->because)
        add(&r, k->because);
    add_uniqueness(&r, k, facts);
}
