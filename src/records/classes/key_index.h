/*
 * key_index.h - from a key back to its place in a list of distinct keys.
 *
 * Open addressing with linear probing over 32-bit places, at most half full, so
 * a look-up costs about one miss for the slot and one for the key.
 */
#ifndef TACIT_RECORDS_CLASSES_KEY_INDEX_H
#define TACIT_RECORDS_CLASSES_KEY_INDEX_H

#include <tacit/base.h>

#include "base/hash.h"

#define TACIT__NO_PLACE UINT32_MAX

/* Zero-initialized is none. The keys are borrowed. */
typedef struct tacit__key_index {
    uint32_t *slots;
    uint64_t mask;
    const uint64_t *keys;
} tacit__key_index;

/* The keys must be distinct. */
tacit_status tacit__key_index_build(tacit__key_index *index, const uint64_t *keys, int64_t count,
                                    tacit_error *err);
void tacit__key_index_clear(tacit__key_index *index);

/* The key's place, or TACIT__NO_PLACE. */
static inline uint32_t tacit__key_index_find(const tacit__key_index *index, uint64_t key)
{
    for (uint64_t slot = tacit__mix(key) & index->mask;; slot = (slot + 1) & index->mask) {
        uint32_t place = index->slots[slot];
        if (place == TACIT__NO_PLACE || index->keys[place] == key)
            return place;
    }
}

#endif
