/*
 * lookup.c - the lists of lookup.h: open addressing with linear probing over
 * groups. A member costs 4 bytes, a group 24 and 8 to 16 for its slots.
 */
#include "records/ambiguate/lookup.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static uint64_t hash_of(const tacit__lookup *list, uint32_t class_index)
{
    return tacit__packed_hash(tacit__packed_bits(list->packed, class_index), list->sieve,
                              list->packed->words);
}

static tacit_status make_slots(tacit__lookup *list, uint64_t size, tacit_error *err)
{
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    memset(slots, 0xff, size * sizeof *slots);
    for (size_t g = 0; g < list->group_count; g++) {
        uint64_t slot = hash_of(list, list->groups[g].class_index) & (size - 1);
        while (slots[slot] != TACIT__NO_ITEM)
            slot = (slot + 1) & (size - 1);
        slots[slot] = (uint32_t)g;
    }
    tacit__free(list->slots);
    list->slots = slots;
    list->slot_mask = size - 1;
    return TACIT_OK;
}

tacit_status tacit__lookup_init(tacit__lookup *list, const tacit__packed *packed,
                                const uint64_t *sieve, int64_t room, tacit_error *err)
{
    size_t words = (size_t)packed->words * sizeof *sieve;
    *list = (tacit__lookup){.packed = packed};
    list->sieve = tacit__alloc(words);
    if (!list->sieve ||
        !tacit__reserve((void **)&list->next, &list->member_room, (size_t)room,
                        sizeof *list->next) ||
        make_slots(list, 16, err) != TACIT_OK) {
        tacit__lookup_clear(list);
        return tacit__nomem(err);
    }
    memcpy(list->sieve, sieve, words);
    return TACIT_OK;
}

void tacit__lookup_clear(tacit__lookup *list)
{
    tacit__free(list->sieve);
    tacit__free(list->slots);
    tacit__free(list->groups);
    tacit__free(list->next);
    *list = (tacit__lookup){0};
}

/* The slot of a class's group, or the free one where it would go. */
static uint64_t slot_of(const tacit__lookup *list, uint32_t class_index)
{
    const uint64_t *bits = tacit__packed_bits(list->packed, class_index);
    uint64_t slot = hash_of(list, class_index) & list->slot_mask;
    for (;; slot = (slot + 1) & list->slot_mask) {
        uint32_t g = list->slots[slot];
        if (g == TACIT__NO_ITEM)
            return slot;
        const uint64_t *held = tacit__packed_bits(list->packed, list->groups[g].class_index);
        if (tacit__packed_agree(bits, held, list->sieve, list->packed->words))
            return slot;
    }
}

tacit__lookup_group *tacit__lookup_find(const tacit__lookup *list, uint32_t class_index)
{
    uint32_t g = list->slots[slot_of(list, class_index)];
    return g == TACIT__NO_ITEM ? NULL : &list->groups[g];
}

static tacit_status make_room(tacit__lookup *list, tacit_error *err)
{
    if (!tacit__reserve((void **)&list->next, &list->member_room, list->members + 1,
                        sizeof *list->next) ||
        !tacit__reserve((void **)&list->groups, &list->group_room, list->group_count + 1,
                        sizeof *list->groups))
        return tacit__nomem(err);
    if (2 * (list->group_count + 1) > list->slot_mask)
        return make_slots(list, 2 * (list->slot_mask + 1), err);
    return TACIT_OK;
}

tacit_status tacit__lookup_add(tacit__lookup *list, uint32_t class_index, tacit_error *err)
{
    tacit_status status = make_room(list, err);
    if (status != TACIT_OK)
        return status;
    uint64_t slot = slot_of(list, class_index);
    if (list->slots[slot] == TACIT__NO_ITEM) {
        list->slots[slot] = (uint32_t)list->group_count;
        list->groups[list->group_count++] =
            (tacit__lookup_group){.class_index = class_index, .first = TACIT__NO_ITEM};
    }
    tacit__lookup_group *group = &list->groups[list->slots[slot]];
    list->next[list->members] = group->first;
    group->first = (uint32_t)list->members++;
    return TACIT_OK;
}
