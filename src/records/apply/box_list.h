/*
 * box_list.h - boxes as a cell-level method finds them, each kept once.
 */
#ifndef TACIT_RECORDS_APPLY_BOX_LIST_H
#define TACIT_RECORDS_APPLY_BOX_LIST_H

#include <tacit/experimental/records.h>

#include "base/map.h"

/* Zero-initialized but for the attributes is empty. */
typedef struct tacit__box_list {
    int32_t attributes;
    int64_t count;
    size_t room;       /* boxes that levels and numbers have room for */
    uint8_t *levels;   /* box by box, an attribute each, as in tacit_boxes */
    uint32_t *numbers; /* the same */
    tacit__map map;    /* of boxes, by levels and numbers */
} tacit__box_list;

/* The index of a box, which is added where it is not there yet. */
tacit_status tacit__box_list_add(uint32_t *index, tacit__box_list *list, const uint8_t *levels,
                                 const uint32_t *numbers, tacit_error *err);

/* Hands the boxes over; the list is empty afterwards. */
void tacit__box_list_give(tacit_boxes *boxes, tacit__box_list *list);
void tacit__box_list_clear(tacit__box_list *list);

#endif
