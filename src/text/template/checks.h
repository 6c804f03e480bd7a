/*
 * checks.h - what a form alone does not say: checksums of cards and accounts,
 * days and months in range. A template names its check; what fails it is no match.
 */
#ifndef TACIT_TEXT_TEMPLATE_CHECKS_H
#define TACIT_TEXT_TEMPLATE_CHECKS_H

#include <tacit/base.h>

typedef bool (*tacit__check)(tacit_strview span);

/* "luhn" and the others; NULL where there is none of that name. */
tacit__check tacit__check_of(tacit_strview name);

/* All names, for messages: "luhn, mod97, ...". */
extern const char tacit__check_names[];

#endif
