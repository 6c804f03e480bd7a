/*
 * key_index.c - building the look-up of encode.h. Linear in the number of keys;
 * eight to sixteen bytes a key.
 */
#include "records/classes/encode.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__key_index_build(tacit__key_index *index, const uint64_t *keys, int64_t count,
                                    tacit_error *err)
{
    uint64_t size = 8;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    memset(slots, 0xff, size * sizeof *slots);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = tacit__mix(keys[i]) & (size - 1);
        while (slots[slot] != TACIT__NO_PLACE)
            slot = (slot + 1) & (size - 1);
        slots[slot] = (uint32_t)i;
    }
    *index = (tacit__key_index){.slots = slots, .mask = size - 1, .keys = keys};
    return TACIT_OK;
}

void tacit__key_index_clear(tacit__key_index *index)
{
    tacit__free(index->slots);
    *index = (tacit__key_index){0};
}
