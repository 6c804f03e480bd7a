/*
 * fixed.c - numbers with a given number of decimals.
 *
 * What is below 2^53 in units of the last decimal, nearly every number in a table, is a whole
 * number there and written digit by digit; larger ones have fewer decimals. Rounding a number and
 * reading back what is written of it give the same double.
 */
#include "techniques/fixed.h"

#include <math.h>

#include "base/decimal.h"

static const double powers[TACIT__MOST_DECIMALS + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static const double EXACT = 9007199254740992.0; /* 2^53 */

int tacit__fixed_decimals(tacit_strview text)
{
    int decimals = 0;
    bool after = false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == 'e' || text.bytes[i] == 'E')
            return TACIT__MOST_DECIMALS;
        decimals += after;
        after |= text.bytes[i] == '.';
    }
    return decimals < TACIT__MOST_DECIMALS ? decimals : TACIT__MOST_DECIMALS;
}

/* Decimals that a double of this size can have, at most as many as asked for. */
static int possible(double number, int decimals)
{
    while (decimals > 0 && fabs(number) * powers[decimals] >= EXACT)
        decimals--;
    return decimals;
}

double tacit__fixed_round(double number, int decimals)
{
    int possibly = possible(number, decimals);
    double scaled = number * powers[possibly];
    if (!(fabs(scaled) < EXACT))
        return number;
    double rounded = round(scaled) / powers[possibly];
    return rounded == 0 ? 0 : rounded; /* no negative zero */
}

size_t tacit__fixed_write(char *buffer, double number, int decimals)
{
    int possibly = possible(number, decimals);
    double scaled = round(fabs(number) * powers[possibly]);
    if (!(scaled < EXACT))
        return tacit__decimal_write(buffer, number);
    char digits[24];
    int count = 0;
    for (uint64_t left = (uint64_t)scaled; left || count <= possibly; left /= 10)
        digits[count++] = (char)('0' + left % 10);
    char *at = buffer;
    if (number < 0 && scaled > 0)
        *at++ = '-';
    while (count > 0) {
        *at++ = digits[--count];
        if (count == possibly && possibly > 0)
            *at++ = '.';
    }
    return (size_t)(at - buffer);
}
