/*
 * fold.h - a word or phrase as the lexicons know it: lower case, without accents,
 * single spaces. Lists, known names and text all pass through here, so that "José",
 * "JOSE" and "jose" meet.
 */
#ifndef TACIT_TEXT_LEXICON_FOLD_H
#define TACIT_TEXT_LEXICON_FOLD_H

#include <tacit/base.h>

enum {
    TACIT__FOLDED_MAX =
        64, /* no list holds anything longer; scripts/lexicons/make.py has the same */
    TACIT__FOLD_READ = 256 /* of longer text nothing is read */
};

typedef struct tacit__folded {
    size_t len;
    char bytes[TACIT__FOLDED_MAX + 8]; /* room for the character that turns out to be too much */
} tacit__folded;

/* False, with a length of 0, where nothing is left or it is longer than any entry of a list.
 * Any bytes will do: those that are not UTF-8 are kept as they are, and are in no list. */
bool tacit__text_fold(tacit__folded *out, tacit_strview text);

static inline tacit_strview tacit__folded_view(const tacit__folded *folded)
{
    return (tacit_strview){.bytes = folded->bytes, .len = folded->len};
}

#endif
