/*
 * nearest.h - the known name that a misspelt one was meant to be.
 *
 * tacit_nearest (tacit/base.h) looks for it in a table; where names come from several places they
 * are offered one by one.
 */
#ifndef TACIT_SRC_BASE_NEAREST_H
#define TACIT_SRC_BASE_NEAREST_H

#include <tacit/base.h>

typedef struct tacit__nearest {
    tacit_strview wanted;
    tacit_strview best; /* bytes is NULL while nothing is near enough */
    size_t distance;    /* of the best; before there is one, one more than may differ */
} tacit__nearest;

/* Offers are judged by insertions, deletions, replacements and swaps of
 * neighbours, letter case aside; at most a third of the name may differ. */
void tacit__nearest_init(tacit__nearest *nearest, tacit_strview wanted);
void tacit__nearest_offer(tacit__nearest *nearest, tacit_strview name);

/* "; did you mean "NAME"?", or nothing. */
typedef struct tacit__hint {
    char text[96];
} tacit__hint;
tacit__hint tacit__nearest_hint(const tacit__nearest *nearest);

#endif
