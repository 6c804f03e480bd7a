/*
 * checks.c - the checks that templates name. Each sees the span only, at most a few
 * dozen bytes, and reads what it needs from left to right.
 */
#include "base/ascii.h"
#include "text/template/tree.h"

enum { NUMBERS = 8 };

/* The digits of the span, without what is between them; 0 where there are more than max. */
static size_t digits_of(unsigned char *digits, size_t max, tacit_strview span)
{
    size_t count = 0;
    for (size_t i = 0; i < span.len; i++) {
        if (!tacit__is_digit(span.bytes[i]))
            continue;
        if (count == max)
            return 0;
        digits[count++] = (unsigned char)(span.bytes[i] - '0');
    }
    return count;
}

/* The runs of digits of the span as numbers, at most NUMBERS of them; larger than a million
 * is a million. */
static size_t numbers_of(unsigned numbers[NUMBERS], tacit_strview span)
{
    size_t count = 0;
    for (size_t i = 0; i < span.len && count < NUMBERS; i++) {
        if (!tacit__is_digit(span.bytes[i]))
            continue;
        unsigned value = 0;
        for (; i < span.len && tacit__is_digit(span.bytes[i]); i++)
            value = value < 100000 ? value * 10 + (unsigned)(span.bytes[i] - '0') : 1000000;
        numbers[count++] = value;
    }
    return count;
}

/* ISO/IEC 7812-1, annex B: every second digit from the right doubled. */
static bool luhn(tacit_strview span)
{
    unsigned char digits[24];
    size_t count = digits_of(digits, sizeof digits, span);
    unsigned sum = 0, seen = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = (unsigned)digits[count - 1 - i] << (i & 1);
        sum += digit > 9 ? digit - 9 : digit;
        seen |= digits[i];
    }
    return count > 1 && seen && sum % 10 == 0;
}

/* ISO 13616: the first four characters moved to the end, letters as 10 to 35, the rest by 97. */
static bool mod97(tacit_strview span)
{
    char packed[40];
    size_t count = 0;
    for (size_t i = 0; i < span.len; i++)
        if (span.bytes[i] != ' ' && span.bytes[i] != '-') {
            if (count == sizeof packed)
                return false;
            packed[count++] = span.bytes[i];
        }
    unsigned rest = 0;
    for (size_t i = 0; i < count && count > 4; i++) {
        char c = packed[(i + 4) % count];
        if (tacit__is_digit(c))
            rest = (rest * 10 + (unsigned)(c - '0')) % 97;
        else
            rest = (rest * 100 + (unsigned)((c | 32) - 'a') + 10) % 97;
    }
    return rest == 1;
}

/* American Bankers Association: weights 3, 7, 1. */
static bool aba(tacit_strview span)
{
    static const unsigned weights[3] = {3, 7, 1};
    unsigned char digits[9];
    unsigned sum = 0;
    size_t count = digits_of(digits, sizeof digits, span);
    for (size_t i = 0; i < count; i++)
        sum += weights[i % 3] * digits[i];
    return count == 9 && sum > 0 && sum % 10 == 0;
}

/* Days of the month, with 29 in February whatever the year. */
static bool day_and_month(unsigned day, unsigned month)
{
    static const unsigned days[13] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month];
}

static bool full_year(unsigned year)
{
    return year >= 1800 && year <= 2199;
}

/* Two or three numbers that are day, month and year in some order in use; with a time after
 * them or not. */
static bool date(tacit_strview span)
{
    unsigned n[NUMBERS];
    size_t count = numbers_of(n, span);
    if (count < 2)
        return false;
    if (n[0] >= 100)
        return full_year(n[0]) && n[1] >= 1 && n[1] <= 12 &&
               (count == 2 || day_and_month(n[2], n[1]));
    if (count == 2)
        return n[1] >= 100 ? full_year(n[1]) && n[0] >= 1 && n[0] <= 12
                           : day_and_month(n[1], n[0]) || day_and_month(n[0], n[1]);
    if (n[2] >= 100 && !full_year(n[2]))
        return false;
    return day_and_month(n[1], n[0]) || day_and_month(n[0], n[1]) || day_and_month(n[2], n[1]);
}

/* All in one, "19940226", "940226" or "02261994". */
static bool packed_date(tacit_strview span)
{
    unsigned char d[8];
    size_t count = digits_of(d, sizeof d, span);
    if (count == 6)
        return day_and_month(d[4] * 10u + d[5], d[2] * 10u + d[3]);
    if (count != 8)
        return false;
    unsigned first = d[0] * 1000u + d[1] * 100u + d[2] * 10u + d[3];
    unsigned last = d[4] * 1000u + d[5] * 100u + d[6] * 10u + d[7];
    if (first >= 1900 && first < 2100)
        return day_and_month(last % 100, last / 100);
    return last >= 1900 && last < 2100 &&
           (day_and_month(first % 100, first / 100) || day_and_month(first / 100, first % 100));
}

/* A day that some month has. */
static bool day(tacit_strview span)
{
    unsigned n[NUMBERS];
    return numbers_of(n, span) >= 1 && n[0] >= 1 && n[0] <= 31;
}

static bool ipv4(tacit_strview span)
{
    unsigned n[NUMBERS];
    size_t count = numbers_of(n, span);
    return count >= 4 && n[0] <= 255 && n[1] <= 255 && n[2] <= 255 && n[3] <= 255;
}

/* No area is 000 or 666, no group 00, no serial 0000. Areas from 900 are those of taxpayers
 * without a number, which name a person just as well. */
static bool ssn(tacit_strview span)
{
    unsigned char d[9];
    if (digits_of(d, sizeof d, span) != 9)
        return false;
    unsigned area = d[0] * 100u + d[1] * 10u + d[2], group = d[3] * 10u + d[4];
    unsigned serial = d[5] * 1000u + d[6] * 100u + d[7] * 10u + d[8];
    return area != 0 && area != 666 && group != 0 && serial != 0;
}

/* Years that people have. */
static bool age(tacit_strview span)
{
    unsigned n[NUMBERS];
    return numbers_of(n, span) == 0 || n[0] <= 120;
}

/* Numbers that are all the same digit, "000-0000", are nobody's. */
static bool number(tacit_strview span)
{
    unsigned char d[32];
    size_t count = digits_of(d, sizeof d, span);
    for (size_t i = 1; i < count; i++)
        if (d[i] != d[0])
            return true;
    return false;
}

/* Nor are those that end with two zeros, "200000": they count something. */
static bool serial(tacit_strview span)
{
    const char *end = span.bytes + span.len;
    return number(span) && !(span.len > 2 && end[-1] == '0' && end[-2] == '0');
}

/* As many digits as phone numbers have, not all the same. */
static bool phone(tacit_strview span)
{
    unsigned char d[32];
    size_t count = digits_of(d, sizeof d, span);
    return count >= 7 && count <= 18 && number(span);
}

static bool mixed(tacit_strview span)
{
    for (size_t i = 0; i < span.len; i++)
        if (tacit__is_digit(span.bytes[i]))
            return true;
    return false;
}

/* A letter and four digits at least, as codes have that tell many things apart. */
static bool code(tacit_strview span)
{
    unsigned char d[32];
    bool letter = false;
    for (size_t i = 0; i < span.len; i++)
        letter |= tacit__is_letter((unsigned char)span.bytes[i]);
    return letter && digits_of(d, sizeof d, span) >= 4;
}

static const struct {
    const char *name;
    tacit__check check;
} checks[] = {
    {"luhn", luhn},   {"mod97", mod97}, {"aba", aba},   {"date", date},    {"packed", packed_date},
    {"day", day},     {"ipv4", ipv4},   {"ssn", ssn},   {"age", age},      {"number", number},
    {"phone", phone}, {"digit", mixed}, {"code", code}, {"serial", serial}};

const char tacit__check_names[] =
    "luhn, mod97, aba, date, packed, day, ipv4, ssn, age, number, phone, digit, code, serial";

tacit__check tacit__check_of(tacit_strview name)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (tacit_strview_equal(tacit_strview_of(checks[i].name), name))
            return checks[i].check;
    return NULL;
}
