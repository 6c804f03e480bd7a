/*
 * map.h - from hashes to numbers, and numbers for distinct keys.
 *
 * A map knows hashes and numbers only: whoever asks holds what the numbers stand for, in arrays of
 * its own, and compares. So one kind of table serves texts, keys of several words and structs, and
 * things are gone through in the order of their numbers, which no hash has a part in.
 *
 * Open addressing with linear probing, at most half full. A slot keeps 32 bits of the hash, so that
 * growing asks for no hash again, and something else is compared once in four milliards. A
 * look-up costs about one miss for the slot and one for what is compared; a number, 16 to 32 bytes.
 */
#ifndef TACIT_SRC_BASE_MAP_H
#define TACIT_SRC_BASE_MAP_H

#include <tacit/base.h>

#include "base/hash.h"

#define TACIT__NONE UINT32_MAX

/* Zero-initialized is empty. */
typedef struct tacit__map {
    uint64_t *slots; /* the hash's upper half, below it the number and 1; 0 is free */
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} tacit__map;

/* Room for so many numbers altogether; false when memory ran out. */
bool tacit__map_reserve(tacit__map *map, size_t count);

/* Forgets all numbers and keeps the memory. */
void tacit__map_empty(tacit__map *map);
void tacit__map_clear(tacit__map *map);

/* The next number with that hash, or TACIT__NONE. *probe starts as 0; its upper bits should be as
 * good as those of tacit__mix. */
static inline uint32_t tacit__map_next(const tacit__map *map, uint64_t hash, size_t *probe)
{
    if (!map->slots)
        return TACIT__NONE;
    for (size_t tag = hash >> 32, mask = map->capacity - 1;;) {
        uint64_t slot = map->slots[(tag + (*probe)++) & mask];
        if (!slot)
            return TACIT__NONE;
        if (slot >> 32 == tag)
            return (uint32_t)slot - 1;
    }
}

/* Adds a number for which there is room. */
static inline void tacit__map_put(tacit__map *map, uint64_t hash, uint32_t number)
{
    size_t at = hash >> 32, mask = map->capacity - 1;
    while (map->slots[at & mask])
        at++;
    map->slots[at & mask] = hash >> 32 << 32 | (number + 1);
    map->count++;
}

/* Adds a number; false when memory ran out. */
static inline bool tacit__map_add(tacit__map *map, uint64_t hash, uint32_t number)
{
    if (2 * (map->count + 1) > map->capacity && !tacit__map_reserve(map, map->count + 1))
        return false;
    tacit__map_put(map, hash, number);
    return true;
}

/* Distinct keys of 64 bits, numbered in the order they are met. Zero-initialized is empty. */
typedef struct tacit__numbering {
    uint64_t *keys; /* by number */
    size_t capacity;
    uint32_t count;
    tacit__map map;
} tacit__numbering;

/* The key's number, or TACIT__NONE. */
static inline uint32_t tacit__numbering_find(const tacit__numbering *numbering, uint64_t key)
{
    uint64_t hash = tacit__mix(key);
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(&numbering->map, hash, &probe)) != TACIT__NONE)
        if (numbering->keys[number] == key)
            break;
    return number;
}

/* The key's number, the count of before where it is new; TACIT__NONE when memory ran out. */
uint32_t tacit__numbering_add(tacit__numbering *numbering, uint64_t key);

/* Room for so many keys altogether; false when memory ran out. */
bool tacit__numbering_reserve(tacit__numbering *numbering, size_t count);
void tacit__numbering_empty(tacit__numbering *numbering);
void tacit__numbering_clear(tacit__numbering *numbering);

/* Two numbers as a key. */
static inline uint64_t tacit__pair_key(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

/* group[i] becomes the number of (group[i], second[i]), in the order they are met: what puts rows
 * together that agree in one column after the other. False when memory ran out. */
bool tacit__numbering_pairs(uint32_t *group, uint32_t *count, const uint32_t *second,
                            int64_t items);

#endif
