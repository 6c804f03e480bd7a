/*
 * labels.c - what an adversary reads in a released label without being told: numbers,
 * stretches of them, and masks.
 *
 * Read are the forms that rules of hierarchies write (hierarchy.h): `20-24` and `-5 to -1`, both
 * ends held, `[20.5, 21)`, the upper one not; and a number of whole digits with stars in place
 * of its last ones, 53*** for 53000 to below 54000. A label in several forms is read as the first
 * that fits: a number before a stretch, so that 1e-5 is one number.
 */
#include <math.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/decimal.h"

static const tacit__relink_stretch FOREIGN = {NAN, NAN, TACIT__READ_FOREIGN};

static tacit_strview part(tacit_strview text, size_t from, size_t to)
{
    while (from < to && text.bytes[from] == ' ')
        from++;
    while (to > from && text.bytes[to - 1] == ' ')
        to--;
    return (tacit_strview){text.bytes + from, to - from};
}

/* Both ends as written; FOREIGN unless they are numbers, the lower one first. */
static tacit__relink_stretch between(tacit_strview low, tacit_strview high)
{
    tacit__relink_stretch stretch = {tacit__decimal_read(low), tacit__decimal_read(high),
                                     TACIT__READ_STRETCH};
    return stretch.low <= stretch.high ? stretch : FOREIGN;
}

/* `[a, b)` */
static tacit__relink_stretch half_open(tacit_strview label)
{
    if (label.len < 5 || label.bytes[0] != '[' || label.bytes[label.len - 1] != ')')
        return FOREIGN;
    const char *comma = memchr(label.bytes, ',', label.len);
    if (!comma)
        return FOREIGN;
    size_t at = (size_t)(comma - label.bytes);
    tacit__relink_stretch stretch = between(part(label, 1, at), part(label, at + 1, label.len - 1));
    if (stretch.kind == TACIT__READ_STRETCH)
        stretch.high = nextafter(stretch.high, stretch.low);
    return stretch;
}

/* `a to b`, then `a-b` at any dash that is not the first byte, which would be a sign. */
static tacit__relink_stretch closed(tacit_strview label)
{
    tacit__relink_stretch stretch = FOREIGN;
    const char *word = memmem(label.bytes, label.len, " to ", 4);
    if (word) {
        size_t at = (size_t)(word - label.bytes);
        stretch = between(part(label, 0, at), part(label, at + 4, label.len));
    }
    for (size_t i = 1; i + 1 < label.len && stretch.kind == TACIT__READ_FOREIGN; i++)
        if (label.bytes[i] == '-')
            stretch = between(part(label, 0, i), part(label, i + 1, label.len));
    return stretch;
}

size_t tacit__relink_mask(tacit_strview label)
{
    size_t kept = label.len;
    while (kept > 0 && label.bytes[kept - 1] == '*')
        kept--;
    return kept < label.len ? kept : 0;
}

/* 53*** */
static tacit__relink_stretch masked(tacit_strview label)
{
    size_t kept = tacit__relink_mask(label);
    if (kept == 0)
        return FOREIGN;
    for (size_t i = 0; i < kept; i++)
        if (label.bytes[i] < '0' || label.bytes[i] > '9')
            return FOREIGN;
    double digits = tacit__decimal_read((tacit_strview){label.bytes, kept});
    double unit = pow(10, (double)(label.len - kept));
    return (tacit__relink_stretch){digits * unit, nextafter((digits + 1) * unit, 0),
                                   TACIT__READ_STRETCH};
}

tacit__relink_stretch tacit__relink_number(tacit_strview label)
{
    double number = tacit__decimal_read(label);
    if (!isnan(number))
        return (tacit__relink_stretch){number, number, TACIT__READ_STRETCH};
    tacit__relink_stretch stretch = closed(label);
    if (stretch.kind == TACIT__READ_FOREIGN)
        stretch = half_open(label);
    if (stretch.kind == TACIT__READ_FOREIGN)
        stretch = masked(label);
    return stretch;
}
