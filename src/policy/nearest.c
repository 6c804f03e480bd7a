/*
 * nearest.c - edit distance for "did you mean".
 *
 * The usual table of distances between prefixes, three rows of it at a time: a
 * swap of neighbours looks two rows back. Names longer than LONGEST bytes are
 * not compared, so an offer costs at most LONGEST squared steps.
 */
#include "policy/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance_between(tacit_strview a, tacit_strview b)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        last[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = tacit__to_lower(a.bytes[i - 1]), y = tacit__to_lower(b.bytes[j - 1]);
            now[j] = least(last[j - 1] + (x != y), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == tacit__to_lower(b.bytes[j - 2]) &&
                tacit__to_lower(a.bytes[i - 2]) == y)
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b.len];
}

void tacit__nearest_init(tacit__policy_nearest *nearest, tacit_strview wanted)
{
    size_t allowed = wanted.len < 6 ? 1 : wanted.len / 3;
    *nearest = (tacit__policy_nearest){.wanted = wanted, .distance = allowed + 1};
}

void tacit__nearest_offer(tacit__policy_nearest *nearest, tacit_strview name)
{
    tacit_strview wanted = nearest->wanted;
    if (wanted.len == 0 || wanted.len > LONGEST || name.len == 0 || name.len > LONGEST)
        return;
    size_t distance = distance_between(wanted, name);
    if (distance >= nearest->distance || distance >= wanted.len || distance >= name.len)
        return;
    nearest->distance = distance;
    nearest->best = name;
}

tacit__hint tacit__nearest_hint(const tacit__policy_nearest *nearest)
{
    tacit__hint hint = {""};
    if (nearest->best.bytes)
        snprintf(hint.text, sizeof hint.text, "; did you mean \"%s\"?",
                 tacit__show(nearest->best).text);
    return hint;
}
