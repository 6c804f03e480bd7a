/*
 * map.c - what is not done in passing (map.h): growing, by doubling.
 */
#include "base/map.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum { FIRST_SLOTS = 16 };

bool tacit__map_grow(tacit__map *map, size_t count)
{
    tacit__map larger = {.capacity = map->capacity ? map->capacity : FIRST_SLOTS};
    while (larger.capacity / 2 < count)
        if (!tacit__multiply(larger.capacity, 2, &larger.capacity))
            return false;
    larger.slots =
        tacit__alloc_zeroed(larger.capacity, sizeof *larger.slots + sizeof *larger.slots / 2);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < map->count; i++)
        tacit__map_put(&larger, map->slots[map->capacity + i]);
    tacit__free(map->slots);
    *map = larger;
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
    if (!TACIT__RESERVE_ONE(numbering->keys, numbering->capacity, numbering->count) ||
        !tacit__map_add(&numbering->map, tacit__mix(key)))
        return TACIT__NONE;
    numbering->keys[numbering->count] = key;
    return numbering->count++;
}

bool tacit__numbering_reserve(tacit__numbering *numbering, size_t count)
{
    return TACIT__RESERVE(numbering->keys, numbering->capacity, count) &&
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
