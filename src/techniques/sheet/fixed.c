/*
 * fixed.c - numbers with a given number of decimals.
 *
 * What is below 2^53 in units of the last decimal, nearly every number in a table, is a whole
 * number there and written digit by digit; larger ones have fewer decimals. Rounding a number and
 * reading back what is written of it give the same double.
 */
#include "techniques/sheet/sheet.h"

#include <math.h>

#include "base/decimal.h"

static const double powers[TACIT__MAX_DECIMALS + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static const double EXACT = 9007199254740992.0; /* 2^53 */

int tacit__fixed_decimals(tacit_strview text)
{
    int decimals = 0;
    bool after = false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == 'e' || text.bytes[i] == 'E')
            return TACIT__MAX_DECIMALS;
        decimals += after;
        after |= text.bytes[i] == '.';
    }
    return decimals < TACIT__MAX_DECIMALS ? decimals : TACIT__MAX_DECIMALS;
}

/* Decimals that a double of this size can have, at most as many as asked for. */
static int possible(double number, int decimals)
{
    while (decimals > 0 && fabs(number) * powers[decimals] >= EXACT)
        decimals--;
    return decimals;
}

/* The nearest whole number to one from 0 to 2^53, halves up; a fraction of what round takes. */
static uint64_t nearest(double number)
{
    uint64_t whole = (uint64_t)(int64_t)number;
    return whole + (number - (double)whole >= 0.5);
}

double tacit__fixed_round(double number, int decimals)
{
    int possibly = possible(number, decimals);
    double scaled = fabs(number) * powers[possibly];
    if (!(scaled < EXACT))
        return number;
    double rounded = (double)nearest(scaled);
    if (possibly > 0) /* divisions are slow, and most columns have whole numbers */
        rounded /= powers[possibly];
    return number < 0 && rounded > 0 ? -rounded : rounded; /* no negative zero */
}

int tacit__fixed_needed(double number)
{
    int decimals = 0;
    while (decimals < TACIT__MAX_DECIMALS && tacit__fixed_round(number, decimals) != number)
        decimals++;
    return decimals;
}

/* With at least so many digits; two at a time, since a division takes longer than all else. */
static size_t write_whole(char *buffer, uint64_t number, int digits)
{
    char reversed[24];
    int count = 0;
    while (number >= 10) {
        unsigned pair = (unsigned)(number % 100);
        number /= 100;
        reversed[count++] = (char)('0' + pair % 10);
        reversed[count++] = (char)('0' + pair / 10);
    }
    if (number > 0)
        reversed[count++] = (char)('0' + number);
    while (count < digits)
        reversed[count++] = '0';
    for (int i = 0; i < count; i++)
        buffer[i] = reversed[count - 1 - i];
    return (size_t)count;
}

size_t tacit__fixed_write(char *buffer, double number, int decimals)
{
    int possibly = possible(number, decimals);
    double scaled = fabs(number) * powers[possibly];
    if (!(scaled < EXACT))
        return tacit__decimal_write(buffer, number);
    uint64_t units = nearest(scaled), unit = (uint64_t)powers[possibly];
    char *at = buffer;
    if (number < 0 && units > 0)
        *at++ = '-';
    at += write_whole(at, units / unit, 1);
    if (possibly > 0) {
        *at++ = '.';
        at += write_whole(at, units % unit, possibly);
    }
    return (size_t)(at - buffer);
}
