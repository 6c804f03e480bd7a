/*
 * numerals.c - one table, gone through: whoever asks has seen by other means that the word may be a
 * number.
 */
#include "text/read/numerals.h"

#include <string.h>

#include "text/lexicon/fold.h"

/* Zeros behind it, so that one comparison says whether a word is the same and as long. */
typedef char numeral[12];

/* Up to nineteen, then the tens. */
static const numeral numerals[] = {
    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    "thirty",   "forty",   "fifty",   "sixty",     "seventy",  "eighty",   "ninety"};

enum { TEENS = 20, COUNT = sizeof numerals / sizeof numerals[0] };

int tacit__numeral_of(tacit_strview word)
{
    tacit__folded folded;
    numeral asked = "";
    if (!tacit__text_fold(&folded, word) || folded.len >= sizeof asked)
        return -1;
    memcpy(asked, folded.bytes, folded.len);
    for (int i = 0; i < COUNT; i++)
        if (memcmp(numerals[i], asked, sizeof asked) == 0)
            return i < TEENS ? i : 10 * (i - TEENS + 2);
    return -1;
}

const char *tacit__numeral(unsigned number)
{
    return numerals[number < TEENS ? number : TEENS - 2 + number / 10];
}
