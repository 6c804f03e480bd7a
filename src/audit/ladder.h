/*
 * ladder.h - the rungs that an attribute's values may stand on in the release:
 * a hierarchy bound to the original by the judge itself, with each of its
 * values looked up in the release's dictionary.
 */
#ifndef TACIT_SRC_AUDIT_LADDER_H
#define TACIT_SRC_AUDIT_LADDER_H

#include "audit/judge.h"

#define TACIT__NOWHERE UINT32_MAX /* a value that the release does not have */

typedef struct tacit__ladder {
    tacit_hierarchy *hierarchy;
    int height;
    uint32_t ground; /* values on level 0, missing not among them */
    /* For each level and number on it (missing, where it stays missing, is one
     * past the last): the code in the release, and the number one level up. */
    uint32_t *codes[TACIT_MAX_LEVELS + 1];
    uint32_t *parents[TACIT_MAX_LEVELS + 1]; /* NULL at the top */
} tacit__ladder;

/* One for each promised attribute. */
tacit_status tacit__ladders_new(tacit__ladder **out, tacit__judge *judge, tacit_error *err);
void tacit__ladders_free(tacit__ladder *ladders, int32_t count);

/* The release's code for an original code on a level, or TACIT__NOWHERE. */
static inline uint32_t tacit__image(const tacit__ladder *ladder, int level, uint32_t code)
{
    return ladder->codes[level][tacit_hierarchy_map(ladder->hierarchy, level)[code]];
}

#endif
