/*
 * box_list.c - a list of boxes without repetitions, in a map by the hash of their levels and
 * numbers; a box that is found is compared value by value.
 */
#include "records/apply/box_list.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

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
    uint64_t hash = hash_of(list, levels, numbers);
    size_t probe = 0;
    while ((*index = tacit__map_next(&list->map, hash, &probe)) != TACIT__NONE)
        if (is_box(list, *index, levels, numbers))
            return TACIT_OK;
    if ((size_t)list->count == list->room)
        status = grow_boxes(list, err);
    if (status == TACIT_OK && !tacit__map_add(&list->map, hash))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    size_t attributes = (size_t)list->attributes, at = (size_t)list->count * attributes;
    memcpy(list->levels + at, levels, attributes);
    memcpy(list->numbers + at, numbers, attributes * sizeof *numbers);
    *index = (uint32_t)list->count++;
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
    tacit__map_clear(&list->map);
    *list = (tacit__box_list){.attributes = list->attributes};
}
