/*
 * sort.c - sorting by keys of 64 bits, digit by digit.
 *
 * Eleven bits are a digit, from the lowest; a digit that all keys share costs nothing but its
 * counting. Linear in the list, six passes at most; a few are sorted by insertion.
 */
#include "base/sort.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

uint64_t tacit__rank_of_number(double number)
{
    uint64_t bits;
    number = number == 0 ? 0 : number; /* one zero */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit(uint64_t key, int place)
{
    return (size_t)(key >> (place * DIGIT_BITS)) & (BUCKETS - 1);
}

static void sort_digit(tacit__ranked *to, const tacit__ranked *from, int64_t count, int place,
                       const int64_t *sizes)
{
    int64_t next[BUCKETS], start = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        next[i] = start;
        start += sizes[i];
    }
    for (int64_t i = 0; i < count; i++)
        to[next[digit(from[i].key, place)]++] = from[i];
}

/* A few are not worth the buckets. */
static void sort_few(tacit__ranked *list, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        tacit__ranked moved = list[i];
        int64_t at = i;
        for (; at > 0 && list[at - 1].key > moved.key; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

void tacit__rank_sort(tacit__ranked *list, tacit__ranked *spare, int64_t count)
{
    tacit__ranked *from = list, *to = spare;
    if (count <= 32) {
        sort_few(list, count);
        return;
    }
    for (int place = 0; place < DIGITS; place++) {
        int64_t sizes[BUCKETS] = {0};
        for (int64_t i = 0; i < count; i++)
            sizes[digit(from[i].key, place)]++;
        if (sizes[digit(from[0].key, place)] == count)
            continue;
        sort_digit(to, from, count, place, sizes);
        tacit__ranked *kept = from;
        from = to;
        to = kept;
    }
    if (from != list)
        memcpy(list, from, (size_t)count * sizeof *list);
}
