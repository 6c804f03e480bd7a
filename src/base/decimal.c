/*
 * decimal.c - numbers as text, whatever the locale.
 *
 * Up to 15 digits with a small power of ten, which is nearly every number in a table, are
 * exact in two operations (Clinger's fast path): digits and power are doubles without
 * error, so their quotient is the nearest double. The rest goes to strtod in the C locale.
 * Writing looks for such digits and power first, without a call of printf. If there are none it
 * tries 15, 16 and 17 digits; 17 always read back the same.
 */
#include "base/decimal.h"
#include "base/ascii.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400, EXACT_DIGITS = 15, EXACT_POWER = 22 };

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number taken apart. */
typedef struct written {
    bool negative;
    bool exponent;   /* has one */
    uint64_t digits; /* the first EXACT_DIGITS significant ones */
    int count;       /* of all significant ones */
    int after;       /* of all after the point */
} written;

static const char *skip_sign(const char *at, const char *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at + (at < end && (*at == '-' || *at == '+'));
}

static void take_digit(written *out, char digit, bool after)
{
    out->after += after;
    if (!out->count && digit == '0')
        return;
    if (out->count++ < EXACT_DIGITS)
        out->digits = out->digits * 10 + (uint64_t)(digit - '0');
}

static bool exponent_ends(const char *at, const char *end)
{
    bool ignored;
    at = skip_sign(at, end, &ignored);
    if (at == end)
        return false;
    while (at < end && tacit__is_digit(*at))
        at++;
    return at == end;
}

static bool take_apart(written *out, tacit_strview text, char mark)
{
    const char *end = text.bytes + text.len, *at = skip_sign(text.bytes, end, &out->negative);
    const char *start = at;
    while (at < end && tacit__is_digit(*at))
        take_digit(out, *at++, false);
    bool point = at < end && *at == mark;
    for (at += point; point && at < end && tacit__is_digit(*at); at++)
        take_digit(out, *at, true);
    if (at - start == point)
        return false;
    out->exponent = at < end && (*at == 'e' || *at == 'E');
    return out->exponent ? exponent_ends(at + 1, end) : at == end;
}

static double read_slowly(tacit_strview text, char mark)
{
    char copy[LONGEST + 1];
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return NAN;
    memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    char *point = memchr(copy, mark, text.len);
    if (point)
        *point = '.';
    double number = strtod_l(copy, NULL, plain);
    freelocale(plain);
    return isfinite(number) ? number : NAN;
}

double tacit__decimal_read_as(tacit_strview text, char point)
{
    written number = {0};
    if (!text.len || text.len > LONGEST || !take_apart(&number, text, point))
        return NAN;
    if (number.exponent || number.count > EXACT_DIGITS || number.after > EXACT_POWER)
        return read_slowly(text, point);
    double size = (double)number.digits / powers[number.after];
    return number.negative ? -size : size;
}

double tacit__decimal_read(tacit_strview text)
{
    return tacit__decimal_read_as(text, '.');
}

/* printf writes the locale's point, which may be several bytes. */
static size_t plain_point(char *text)
{
    size_t len = 0;
    for (const char *at = text; *at; at++)
        if (tacit__is_digit(*at) || *at == '-' || *at == '+' || *at == 'e')
            text[len++] = *at;
        else if (!len || text[len - 1] != '.')
            text[len++] = '.';
    text[len] = '\0';
    return len;
}

static size_t write_whole(char *buffer, double number)
{
    char digits[TACIT__DECIMAL_SIZE];
    size_t count = 0, len = 0;
    uint64_t left = (uint64_t)fabs(number);
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0)
        buffer[len++] = '-';
    while (count)
        buffer[len++] = digits[--count];
    buffer[len] = '\0';
    return len;
}

/* Up to 15 digits with a point, those that "%.15g" writes without an exponent; 0: there are none.
 * Digits over a power are what reads back as the number, so no others need be looked for. */
static size_t write_few(char *buffer, double number)
{
    enum { MOST_AFTER = 19 };
    double size = fabs(number), scaled = 0, whole = 0;
    int after = 0;
    do {
        scaled = size * powers[++after];
        whole = floor(scaled + 0.5);
        if (whole >= powers[EXACT_DIGITS] || after == MOST_AFTER)
            return 0;
    } while (whole / powers[after] != size);
    char digits[TACIT__DECIMAL_SIZE];
    size_t count = write_whole(digits, whole), len = 0, before = 0;
    if (number < 0)
        buffer[len++] = '-';
    if (count > (size_t)after)
        before = count - (size_t)after;
    else
        buffer[len++] = '0';
    memcpy(buffer + len, digits, before);
    len += before;
    buffer[len++] = '.';
    for (size_t zeros = count < (size_t)after ? (size_t)after - count : 0; zeros > 0; zeros--)
        buffer[len++] = '0';
    memcpy(buffer + len, digits + before, count - before);
    len += count - before;
    buffer[len] = '\0';
    return len;
}

size_t tacit__decimal_write(char *buffer, double number)
{
    if (fabs(number) < 1e15 && number == floor(number))
        return write_whole(buffer, number);
    bool plain = fabs(number) >= 1e-4 && fabs(number) < 1e15;
    size_t len = plain ? write_few(buffer, number) : 0;
    if (len)
        return len;
    for (int digits = EXACT_DIGITS + plain; digits <= 17; digits++) {
        snprintf(buffer, TACIT__DECIMAL_SIZE, "%.*g", digits, number);
        len = plain_point(buffer);
        if (tacit__decimal_read((tacit_strview){buffer, len}) == number)
            break;
    }
    return len;
}
