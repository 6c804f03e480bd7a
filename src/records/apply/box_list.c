/*
 * box_list.c - a list of boxes without repetitions.
 *
 * Open addressing over the hash of a box's levels and numbers, at most half
 * full; a box that is found is compared value by value. A look-up costs about
 * one miss for the slot and one for the box.
 */
#include "records/apply/box_list.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

static uint64_t hash_of(const tacit__box_list *list, const uint8_t *levels, const uint32_t *numbers)
{
    size_t attributes = (size_t)list->attributes;
    uint64_t hash = tacit__hash_bytes((const char *)levels, attributes);
    return hash ^
           tacit__mix(tacit__hash_bytes((const char *)numbers, attributes * sizeof *numbers));
}

static bool is_box(const tacit__box_list *list, int64_t box, const uint8_t *levels,
                   const uint32_t *numbers)
{
    size_t attributes = (size_t)list->attributes, at = (size_t)box * attributes;
    return memcmp(list->levels + at, levels, attributes) == 0 &&
           memcmp(list->numbers + at, numbers, attributes * sizeof *numbers) == 0;
}

/* The slot that holds the box, or the free one where it belongs. */
static uint64_t find_slot(const tacit__box_list *list, const uint8_t *levels,
                          const uint32_t *numbers)
{
    uint64_t mask = list->slot_count - 1, slot = hash_of(list, levels, numbers) & mask;
    while (list->slots[slot] && !is_box(list, list->slots[slot] - 1, levels, numbers))
        slot = (slot + 1) & mask;
    return slot;
}

static tacit_status grow_slots(tacit__box_list *list, tacit_error *err)
{
    uint64_t count = list->slot_count ? 2 * list->slot_count : 64;
    uint32_t *slots = tacit__alloc_zeroed(count, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    tacit__free(list->slots);
    list->slots = slots;
    list->slot_count = count;
    for (int64_t b = 0; b < list->count; b++) {
        int64_t at = b * list->attributes;
        list->slots[find_slot(list, list->levels + at, list->numbers + at)] = (uint32_t)b + 1;
    }
    return TACIT_OK;
}

static tacit_status grow_boxes(tacit__box_list *list, tacit_error *err)
{
    size_t attributes = (size_t)list->attributes, room = list->room + list->room / 2 + 16;
    uint8_t *levels = tacit__resize_array(list->levels, room, attributes);
    if (!levels)
        return tacit__nomem(err);
    list->levels = levels;
    uint32_t *numbers =
        tacit__resize_array(list->numbers, room, attributes * sizeof *list->numbers);
    if (!numbers)
        return tacit__nomem(err);
    list->numbers = numbers;
    list->room = room;
    return TACIT_OK;
}

tacit_status tacit__box_list_add(uint32_t *index, tacit__box_list *list, const uint8_t *levels,
                                 const uint32_t *numbers, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (2 * (uint64_t)list->count >= list->slot_count)
        status = grow_slots(list, err);
    if (status == TACIT_OK && (size_t)list->count == list->room)
        status = grow_boxes(list, err);
    if (status != TACIT_OK)
        return status;
    uint64_t slot = find_slot(list, levels, numbers);
    if (!list->slots[slot]) {
        size_t attributes = (size_t)list->attributes, at = (size_t)list->count * attributes;
        memcpy(list->levels + at, levels, attributes);
        memcpy(list->numbers + at, numbers, attributes * sizeof *numbers);
        list->slots[slot] = (uint32_t)++list->count;
    }
    *index = list->slots[slot] - 1;
    return TACIT_OK;
}

void tacit__box_list_give(tacit_boxes *boxes, tacit__box_list *list)
{
    boxes->count = list->count;
    boxes->levels = list->levels;
    boxes->numbers = list->numbers;
    list->levels = NULL;
    list->numbers = NULL;
    tacit__box_list_clear(list);
}

void tacit__box_list_clear(tacit__box_list *list)
{
    tacit__free(list->levels);
    tacit__free(list->numbers);
    tacit__free(list->slots);
    *list = (tacit__box_list){.attributes = list->attributes};
}
