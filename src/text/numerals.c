/*
 * numerals.c - one table, of which those are gone through that are as long as the word: whoever
 * asks has seen by other means that the word may be a number.
 */
#include "text/numerals.h"

#include <string.h>

#include "text/fold.h"

/* Up to nineteen, then the tens. */
static const char *const numerals[] = {
    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    "thirty",   "forty",   "fifty",   "sixty",     "seventy",  "eighty",   "ninety"};

enum { TEENS = 20, LONGEST = 9, MOST = 6 };

/* How many are of a length, and which. */
static const uint8_t by_length[1 + LONGEST][1 + MOST] = {
    [3] = {4, 1, 2, 6, 10},
    [4] = {4, 0, 4, 5, 9},
    [5] = {6, 3, 7, 8, 22, 23, 24},
    [6] = {6, 11, 12, 20, 21, 26, 27},
    [7] = {3, 15, 16, 25},
    [8] = {4, 13, 14, 18, 19},
    [9] = {1, 17},
};

int tacit__numeral_of(tacit_strview word)
{
    tacit__folded folded;
    if (word.len > LONGEST || by_length[word.len][0] == 0 || !tacit__text_fold(&folded, word) ||
        folded.len != word.len)
        return -1;
    for (const uint8_t *of = by_length[word.len], *last = of + of[0]; of++ < last;)
        if (memcmp(numerals[*of], folded.bytes, folded.len) == 0)
            return *of < TEENS ? *of : 10 * (*of - TEENS + 2);
    return -1;
}

const char *tacit__numeral(unsigned number)
{
    return numerals[number < TEENS ? number : TEENS - 2 + number / 10];
}
