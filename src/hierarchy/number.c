/*
 * number.c - written numbers as whole multiples of a power of ten.
 *
 * Binary fractions cannot hold 0.3, and 0.3 / 0.1 rounds to less than 3: a
 * value on the edge of an interval would fall into the wrong one. So digits are
 * taken as they are written and never become a double. Linear in the text.
 */
#include "hierarchy/number.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/ascii.h"

enum { MAX_EXPONENT = 100000 }; /* beyond any text's reach, far from overflow */

/* A number taken apart: digits with a point among them, times 10^exponent. */
typedef struct written {
    bool negative;
    const char *digits, *end; /* one point at most */
    int64_t whole;            /* digits before the point */
    int64_t exponent;
} written;

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

static bool take_apart(written *out, tacit_strview text)
{
    const char *at = text.bytes, *end = text.bytes + text.len;
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    *out = (written){0};
    at = out->digits = skip_sign(at, end, &out->negative);
    while (at < end && tacit__is_digit(*at))
        at++;
    out->whole = at - out->digits;
    int64_t digits = out->whole;
    if (at < end && *at == '.') {
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

tacit__number_result tacit__number_floor(int64_t *out, bool *exact, tacit_strview text, int scale)
{
    written number;
    if (!text.len || !take_apart(&number, text))
        return TACIT__NUMBER_NONE;
    int64_t left = number.whole + number.exponent + scale; /* digits that count in full */
    int64_t sum = 0;
    bool rest = false;
    for (const char *at = number.digits; at < number.end; at++) {
        if (*at == '.')
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

size_t tacit__number_write(char *buffer, int64_t number, int scale)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, unit = 1;
    while (scale > 0 && size % 10 == 0) {
        size /= 10;
        scale--;
    }
    for (int i = 0; i < scale; i++)
        unit *= 10;
    const char *sign = number < 0 ? "-" : "";
    int len = scale > 0 ? snprintf(buffer, TACIT__NUMBER_SIZE, "%s%" PRIu64 ".%0*" PRIu64, sign,
                                   size / unit, scale, size % unit)
                        : snprintf(buffer, TACIT__NUMBER_SIZE, "%s%" PRIu64, sign, size);
    return (size_t)len;
}
