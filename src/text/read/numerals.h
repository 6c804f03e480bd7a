/*
 * numerals.h - numbers in words, as ages are told in them: "six", "nineteen", "forty".
 */
#ifndef TACIT_TEXT_READ_NUMERALS_H
#define TACIT_TEXT_READ_NUMERALS_H

#include <tacit/base.h>

/* The number that a word says, from 0 to 19 or a ten up to 90; -1 where it says none. */
int tacit__numeral_of(tacit_strview word);

/* The word of such a number. */
const char *tacit__numeral(unsigned number);

#endif
