/*
 * dates.h - the day that a written date means, whatever its form: 1986-05-26, 05/26/86,
 * 26.5.1986, "May 26, 1986", 26-MAY-86.
 */
#ifndef TACIT_TEXT_KNOWN_DATES_H
#define TACIT_TEXT_KNOWN_DATES_H

#include "text/read/document.h"

/* A day as year within its century, month and day: forms with two digits of the year meet
 * those with four. */
typedef uint32_t tacit__known_day;

enum { TACIT__KNOWN_READINGS = 2 };

/* The date that begins at the word: how many words it has, 0 where there is none. 03/04/86 is
 * read as the fourth of March and as the third of April. */
size_t tacit__known_date_at(tacit__known_day days[TACIT__KNOWN_READINGS], size_t *readings,
                            const tacit__document *document, size_t at);

#endif
