/*
 * names.h - numbers for distinct texts, in the order they are met, and the
 * comparison of words in any case.
 */
#ifndef TACIT_SRC_HIERARCHY_NAMES_H
#define TACIT_SRC_HIERARCHY_NAMES_H

#include <tacit/base.h>

#include "base/map.h"

/* Whether letters spell a word of small letters, in either case and any locale. */
static inline bool tacit__spells(const char *text, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((text[i] | 0x20) != word[i])
            return false;
    return true;
}

/* Distinct texts, borrowed. Zero-initialized is empty. */
typedef struct tacit__names {
    tacit_strview *labels;
    size_t capacity;
    uint32_t count;
    tacit__map map;
} tacit__names;

/* The text's number, or TACIT__NONE. */
uint32_t tacit__names_find(const tacit__names *names, tacit_strview label);

/* The text's number, a new one where it is new; TACIT__NONE when memory ran out. */
uint32_t tacit__names_add(tacit__names *names, tacit_strview label, bool *added);
void tacit__names_clear(tacit__names *names);

#endif
