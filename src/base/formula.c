/*
 * formula.c - which texts spreadsheets take for formulas.
 *
 * They go by the first character. A sign begins numbers too: digits with points and commas between
 * them and an exponent behind them can do nothing, whatever a locale makes of them.
 */
#include "base/formula.h"
#include "base/ascii.h"

#include <string.h>

/* The full-width forms are U+FF1D, U+FF0B, U+FF0D and U+FF20. */
static bool begins_formula(tacit_strview text)
{
    static const char wide[][4] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    if (text.len && memchr("=+-@\t\r\n", text.bytes[0], 7))
        return true;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (text.len >= 3 && memcmp(text.bytes, wide[i], 3) == 0)
            return true;
    return false;
}

/* After its sign: digits, points and commas, and an exponent. */
static bool is_number(const char *at, const char *end)
{
    size_t digits = 0, power = 0;
    for (; at < end && (tacit__is_digit(*at) || *at == '.' || *at == ','); at++)
        digits += tacit__is_digit(*at);
    if (!digits || at == end)
        return digits > 0;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    at += at < end && (*at == '+' || *at == '-');
    for (; at < end && tacit__is_digit(*at); at++)
        power++;
    return power > 0 && at == end;
}

bool tacit__is_formula(tacit_strview text)
{
    if (!begins_formula(text))
        return false;
    bool sign = text.bytes[0] == '+' || text.bytes[0] == '-';
    return !sign || !is_number(text.bytes + 1, text.bytes + text.len);
}

tacit_strview tacit__unguarded(tacit_strview text)
{
    if (!text.len || text.bytes[0] != TACIT__GUARD)
        return text;
    const tacit_strview rest = {text.bytes + 1, text.len - 1};
    return tacit__is_formula(rest) ? rest : text;
}
