/*
 * nearest.h - the known name that a misspelt one was meant to be.
 */
#ifndef TACIT_SRC_POLICY_NEAREST_H
#define TACIT_SRC_POLICY_NEAREST_H

#include <tacit/base.h>

typedef struct tacit__policy_nearest {
    tacit_strview wanted;
    tacit_strview best; /* bytes is NULL while nothing is near enough */
    size_t distance;    /* of the best; before there is one, one more than may differ */
} tacit__policy_nearest;

/* Offers are judged by insertions, deletions, replacements and swaps of
 * neighbours, letter case aside; at most a third of the name may differ. */
void tacit__nearest_init(tacit__policy_nearest *nearest, tacit_strview wanted);
void tacit__nearest_offer(tacit__policy_nearest *nearest, tacit_strview name);

/* "; did you mean "NAME"?", or nothing. */
typedef struct tacit__hint {
    char text[96];
} tacit__hint;
tacit__hint tacit__nearest_hint(const tacit__policy_nearest *nearest);

#endif
