/*
 * map.c - what is not done in passing (map.h): growing, by doubling.
 */
#include "base/map.h"

#include <string.h>

#include "base/alloc.h"

enum { FIRST_SLOTS = 16 };

bool tacit__map_reserve(tacit__map *map, size_t count)
{
    size_t capacity = map->capacity ? map->capacity : FIRST_SLOTS, mask;
    while (capacity / 2 < count)
        if (!tacit__multiply(capacity, 2, &capacity))
            return false;
    if (capacity == map->capacity)
        return true;
    uint64_t *slots = tacit__alloc_zeroed(capacity, sizeof *slots);
    if (!slots)
        return false;
    mask = capacity - 1;
    for (size_t i = 0; i < map->capacity; i++) {
        size_t at = map->slots[i] >> 32;
        while (map->slots[i] && slots[at & mask])
            at++;
        if (map->slots[i])
            slots[at & mask] = map->slots[i];
    }
    tacit__free(map->slots);
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

void tacit__map_empty(tacit__map *map)
{
    if (map->count > 0)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
}

void tacit__map_clear(tacit__map *map)
{
    tacit__free(map->slots);
    *map = (tacit__map){0};
}

uint32_t tacit__numbering_add(tacit__numbering *numbering, uint64_t key)
{
    uint32_t number = tacit__numbering_find(numbering, key);
    if (number != TACIT__NONE)
        return number;
    if (!tacit__reserve((void **)&numbering->keys, &numbering->capacity,
                        (size_t)numbering->count + 1, sizeof *numbering->keys) ||
        !tacit__map_add(&numbering->map, tacit__mix(key), numbering->count))
        return TACIT__NONE;
    numbering->keys[numbering->count] = key;
    return numbering->count++;
}

bool tacit__numbering_reserve(tacit__numbering *numbering, size_t count)
{
    return tacit__reserve((void **)&numbering->keys, &numbering->capacity, count,
                          sizeof *numbering->keys) &&
           tacit__map_reserve(&numbering->map, count);
}

void tacit__numbering_empty(tacit__numbering *numbering)
{
    tacit__map_empty(&numbering->map);
    numbering->count = 0;
}

void tacit__numbering_clear(tacit__numbering *numbering)
{
    tacit__free(numbering->keys);
    tacit__map_clear(&numbering->map);
    *numbering = (tacit__numbering){0};
}

bool tacit__numbering_pairs(uint32_t *group, uint32_t *count, const uint32_t *second, int64_t items)
{
    tacit__numbering numbering = {0};
    bool whole = true;
    for (int64_t i = 0; i < items && whole; i++) {
        group[i] = tacit__numbering_add(&numbering, tacit__pair_key(group[i], second[i]));
        whole = group[i] != TACIT__NONE;
    }
    *count = numbering.count;
    tacit__numbering_clear(&numbering);
    return whole;
}
