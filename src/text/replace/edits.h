/*
 * edits.h - small misspellings: one letter more, less or other, or two neighbours swapped
 * ("Lang" for "Long", "Westno" for "Weston").
 *
 * Words that are one such edit apart have a word in common that is either of them, or either
 * of them without one letter. So names are found by the keys of what is left of them, as many
 * as they have letters and one, and compared only with those that share one.
 */
#ifndef TACIT_TEXT_REPLACE_EDITS_H
#define TACIT_TEXT_REPLACE_EDITS_H

#include "text/lexicon/fold.h"

enum {
    TACIT__EDIT_SHORTEST = 4, /* shorter names are too much alike */
    TACIT__EDIT_LONGEST = 20,
    TACIT__EDIT_KEYS = TACIT__EDIT_LONGEST + 1
};

/* Whether folded words differ by one edit; equal ones do not. */
bool tacit__one_edit(tacit_strview a, tacit_strview b);

/* The keys of a folded word; 0 of them where it is too short or too long. */
size_t tacit__edit_keys(uint64_t keys[TACIT__EDIT_KEYS], tacit_strview word);

#endif
