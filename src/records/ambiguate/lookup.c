/*
 * lookup.c - the lists of lookup.h: groups in a map (base/map.h). A member costs 4 bytes, a
 * group 24 and 16 to 32 for its slots.
 */
#include "records/ambiguate/lookup.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

static uint64_t hash_class(const tacit__lookup *list, uint32_t class_index)
{
    return tacit__packed_hash(tacit__packed_bits(list->packed, class_index), list->sieve,
                              list->packed->words);
}

tacit_status tacit__lookup_init(tacit__lookup *list, const tacit__packed *packed,
                                const uint64_t *sieve, int64_t room, tacit_error *err)
{
    size_t words = (size_t)packed->words * sizeof *sieve;
    *list = (tacit__lookup){.packed = packed};
    list->sieve = tacit__alloc(words);
    if (!list->sieve || !TACIT__RESERVE(list->next, list->member_room, room)) {
        tacit__lookup_clear(list);
        return tacit__nomem(err);
    }
    memcpy(list->sieve, sieve, words);
    return TACIT_OK;
}

void tacit__lookup_clear(tacit__lookup *list)
{
    tacit__free(list->sieve);
    tacit__map_clear(&list->map);
    tacit__free(list->groups);
    tacit__free(list->next);
    *list = (tacit__lookup){0};
}

/* The number of a class's group, or TACIT__NONE. */
static uint32_t group_of(const tacit__lookup *list, uint32_t class_index, uint64_t hash)
{
    const uint64_t *bits = tacit__packed_bits(list->packed, class_index);
    size_t probe = 0;
    uint32_t g;
    while ((g = tacit__map_next(&list->map, hash, &probe)) != TACIT__NONE)
        if (tacit__packed_agree(bits, tacit__packed_bits(list->packed, list->groups[g].class_index),
                                list->sieve, list->packed->words))
            break;
    return g;
}

tacit__lookup_group *tacit__lookup_find(const tacit__lookup *list, uint32_t class_index)
{
    uint32_t g = group_of(list, class_index, hash_class(list, class_index));
    return g == TACIT__NONE ? NULL : &list->groups[g];
}

static tacit_status reserve_member(tacit__lookup *list, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(list->next, list->member_room, list->members) ||
        !TACIT__RESERVE_ONE(list->groups, list->group_room, list->group_count) ||
        !tacit__map_reserve(&list->map, list->group_count + 1))
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__lookup_add(tacit__lookup *list, uint32_t class_index, tacit_error *err)
{
    tacit_status status = reserve_member(list, err);
    if (status != TACIT_OK)
        return status;
    uint64_t hash = hash_class(list, class_index);
    uint32_t g = group_of(list, class_index, hash);
    if (g == TACIT__NONE) {
        g = (uint32_t)list->group_count;
        tacit__map_put(&list->map, hash);
        list->groups[list->group_count++] =
            (tacit__lookup_group){.class_index = class_index, .first = TACIT__NONE};
    }
    tacit__lookup_group *group = &list->groups[g];
    list->next[list->members] = group->first;
    group->first = (uint32_t)list->members++;
    return TACIT_OK;
}
