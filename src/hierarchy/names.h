/*
 * names.h - numbers for distinct texts and keys, in the order they are met, and
 * the comparison of words in any case.
 */
#ifndef TACIT_SRC_HIERARCHY_NAMES_H
#define TACIT_SRC_HIERARCHY_NAMES_H

#include <tacit/base.h>

#define TACIT__NONE UINT32_MAX

/* Whether letters spell a word of small letters, in either case and any locale. */
static inline bool tacit__spells(const char *text, const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((text[i] | 0x20) != word[i])
            return false;
    return true;
}

/* Which numbers have a given hash; whoever asks compares what they stand for.
 * Zero-initialized is empty. */
typedef struct tacit__hash_index {
    uint64_t *slots; /* the hash in the upper half, number + 1 in the lower; 0 is free */
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} tacit__hash_index;

/* The next number with that hash, or TACIT__NONE. *probe starts as the hash. */
static inline uint32_t tacit__hash_index_next(const tacit__hash_index *index, uint32_t hash,
                                              size_t *probe)
{
    while (index->capacity) {
        uint64_t slot = index->slots[(*probe)++ & (index->capacity - 1)];
        if (!slot)
            break;
        if (slot >> 32 == hash)
            return (uint32_t)slot - 1;
    }
    return TACIT__NONE;
}

/* False when memory ran out. */
bool tacit__hash_index_add(tacit__hash_index *index, uint32_t hash, uint32_t number);
void tacit__hash_index_clear(tacit__hash_index *index);

/* Distinct texts, borrowed. Zero-initialized is empty. */
typedef struct tacit__names {
    tacit_strview *labels;
    size_t capacity;
    uint32_t count;
    tacit__hash_index index;
} tacit__names;

/* The text's number, or TACIT__NONE. */
uint32_t tacit__names_find(const tacit__names *names, tacit_strview label);

/* The text's number, a new one where it is new; TACIT__NONE when memory ran out. */
uint32_t tacit__names_add(tacit__names *names, tacit_strview label, bool *added);
void tacit__names_clear(tacit__names *names);

#endif
