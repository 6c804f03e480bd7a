/*
 * nearest.c - which name was meant, where a word is none of them: edit distance for "did you mean".
 *
 * The usual table of distances between prefixes, three rows of it at a time: a
 * swap of neighbours looks two rows back. Names longer than MAX_NAME bytes are
 * not compared, so an offer costs at most MAX_NAME squared steps.
 */
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"

enum { MAX_NAME = 64, MAX_WORD = 31 }; /* of offers, of words looked up in a table */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char letter(tacit_strview text, size_t at, bool any_case)
{
    return any_case ? tacit__to_lower(text.bytes[at]) : text.bytes[at];
}

/* Levenshtein's distance with transpositions, of texts of at most MAX_NAME bytes. */
static size_t distance_between(tacit_strview a, tacit_strview b, bool any_case)
{
    size_t rows[3][MAX_NAME + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        last[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = letter(a, i - 1, any_case), y = letter(b, j - 1, any_case);
            now[j] = least_of(last[j - 1] + (x != y), least_of(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == letter(b, j - 2, any_case) &&
                letter(a, i - 2, any_case) == y)
                now[j] = least_of(now[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b.len];
}

/* Of a word and a name in a table, where what is too long is far from everything. */
static size_t distance_of_words(const char *word, const char *name)
{
    tacit_strview a = tacit_strview_of(word), b = tacit_strview_of(name);
    return a.len > MAX_WORD || b.len > MAX_WORD ? MAX_WORD + 1 : distance_between(a, b, false);
}

const char *tacit_nearest(const char *word, const void *names, size_t count, size_t stride)
{
    const char *nearest = NULL;
    size_t len = strlen(word), least = len / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        size_t far = distance_of_words(word, name);
        if (len > 2 && strncmp(name, word, len) == 0)
            far = 1; /* cut short */
        if (far < least && far < strlen(name)) {
            least = far;
            nearest = name;
        }
    }
    return nearest;
}

void tacit__nearest_init(tacit__nearest *nearest, tacit_strview wanted)
{
    size_t allowed = wanted.len < 6 ? 1 : wanted.len / 3;
    *nearest = (tacit__nearest){.wanted = wanted, .distance = allowed + 1};
}

void tacit__nearest_offer(tacit__nearest *nearest, tacit_strview name)
{
    tacit_strview wanted = nearest->wanted;
    if (wanted.len == 0 || wanted.len > MAX_NAME || name.len == 0 || name.len > MAX_NAME)
        return;
    size_t distance = distance_between(wanted, name, true);
    if (distance >= nearest->distance || distance >= wanted.len || distance >= name.len)
        return;
    nearest->distance = distance;
    nearest->best = name;
}

tacit__hint tacit__nearest_hint(const tacit__nearest *nearest)
{
    tacit__hint hint = {""};
    if (nearest->best.bytes)
        snprintf(hint.text, sizeof hint.text, "; did you mean \"%s\"?",
                 tacit__show(nearest->best).text);
    return hint;
}
