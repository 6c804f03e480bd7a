/*
 * roles.h - words that have a part in names of many people or places and say nothing of whom or
 * which: "of", "North", "Hospital", "van", "Dr.". Replacements keep them.
 */
#ifndef TACIT_TEXT_CHAIN_ROLES_H
#define TACIT_TEXT_CHAIN_ROLES_H

#include "text/lexicon/ledger.h"
#include "text/read/parts.h"

typedef enum tacit__filler {
    TACIT__FILLER_FUNCTION = 1 << 0, /* "of", in names of places and organizations */
    TACIT__FILLER_COMMON = 1 << 1,   /* "North", "Saint", "Lake" */
    TACIT__FILLER_CITY = 1 << 2,     /* "Heights" */
    TACIT__FILLER_UNIT = 1 << 3,     /* of an address, around the street: "Apt" */
    TACIT__FILLER_CARE = 1 << 4,     /* "Hospital", "Regional" */
    TACIT__FILLER_PARTICLE = 1 << 5, /* of people's names: "van", "da" */
    TACIT__FILLER_TITLE = 1 << 6,    /* with a name: "Dr", "Jr" */
    TACIT__FILLER_ADDRESS = 1 << 7,  /* forms of address, spelled out too: "Professor" */
    TACIT__FILLER_CAPITAL = 1 << 8   /* particles with a capital too: "Van", but not "Le" */
} tacit__filler;

/* Notes all of them in an empty ledger; false where memory ran out. */
bool tacit__roles_init(tacit__ledger *roles);

/* The roles of a word in whatever case, as bits. */
unsigned tacit__roles_of(const tacit__ledger *roles, const tacit__read_part *word);

#endif
