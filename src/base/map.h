/*
 * map.h - from hashes to numbers, and numbers for distinct keys.
 *
 * A map gives numbers from 0 on, in the order things are added, and knows of them nothing but
 * their hashes: whoever asks holds what the numbers stand for, in arrays of its own, and compares.
 * So one kind of table serves texts, keys of several words and structs, and things are gone through
 * in the order of their numbers, which no hash has a part in.
 *
 * Open addressing with linear probing, at most half full. 32 bits of each hash are kept, so that
 * growing asks for none again. A look-up costs about one miss for the slot and one for what is
 * compared; a number, 12 to 24 bytes.
 */
#ifndef TACIT_SRC_BASE_MAP_H
#define TACIT_SRC_BASE_MAP_H

#include <tacit/base.h>

#include "base/hash.h"

#define TACIT__NONE UINT32_MAX

/* Zero-initialized is empty. */
typedef struct tacit__map {
    uint32_t *slots; /* number + 1; 0 is free. Behind them the hashes, by number. */
    size_t capacity; /* a power of two, or 0 */
    size_t count;
} tacit__map;

/* Slots for so many numbers altogether; false when memory ran out. */
bool tacit__map_grow(tacit__map *map, size_t count);

/* Forgets all numbers and keeps the memory. */
void tacit__map_empty(tacit__map *map);
void tacit__map_clear(tacit__map *map);

/* Room for so many numbers altogether; false when memory ran out. */
static inline bool tacit__map_reserve(tacit__map *map, size_t count)
{
    return count <= map->capacity / 2 || tacit__map_grow(map, count);
}

/* The next number that may have the hash, or TACIT__NONE. *probe starts as 0. The lower bits of a
 * hash should be as good as those of tacit__mix. */
static inline uint32_t tacit__map_next(const tacit__map *map, uint64_t hash, size_t *probe)
{
    return map->slots ? map->slots[(hash + (*probe)++) & (map->capacity - 1)] - 1 : TACIT__NONE;
}

/* Adds the next number, for which there is room, under a hash. */
static inline void tacit__map_put(tacit__map *map, uint64_t hash)
{
    size_t at = hash, mask = map->capacity - 1;
    while (map->slots[at & mask])
        at++;
    map->slots[map->capacity + map->count] = (uint32_t)hash;
    map->slots[at & mask] = (uint32_t)++map->count;
}

/* Adds the next number; false when memory ran out. */
static inline bool tacit__map_add(tacit__map *map, uint64_t hash)
{
    if (!tacit__map_reserve(map, map->count + 1))
        return false;
    tacit__map_put(map, hash);
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
