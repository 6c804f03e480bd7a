/*
 * boxes.h - the boxes of a cell-level solution: lists of them on the way to it, and what each
 * holds.
 */
#ifndef TACIT_RECORDS_APPLY_BOXES_H
#define TACIT_RECORDS_APPLY_BOXES_H

#include <tacit/experimental/records.h>

#include "base/map.h"
#include "records/classes/classes.h"

/* Zero-initialized but for the attributes is empty. */
typedef struct tacit__box_list {
    int32_t attributes;
    int64_t count;
    size_t capacity;   /* boxes that levels and numbers have room for */
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

/* A solution on the levels of classes, which it does not hold yet, with nothing suppressed. */
tacit_status tacit__levels_solution_new(tacit_solution **out, const tacit_frame *frame,
                                        const tacit_classes *classes, tacit_error *err);

/* A solution of the classes' levels with room for a box of each class and for
 * `parts` parts; no classes, boxes or parts are in it yet. */
tacit_status tacit__cells_solution_new(tacit_solution **out, const tacit_frame *frame,
                                       const tacit_classes *classes, int64_t parts,
                                       tacit_error *err);

/* Orders the parts, joins those of a class that leave in one box, and drops those
 * that leave in the box of the rest. */
void tacit__cells_tidy_parts(tacit_boxes *boxes);

/* Zero-initialized is none. */
typedef struct tacit__box_counts {
    uint32_t *rows;   /* a box each */
    uint32_t *people; /* the same; NULL where every row is a person */
} tacit__box_counts;

tacit_status tacit__box_counts_init(tacit__box_counts *counts, const tacit_solution *solution,
                                    const tacit_frame *frame, const tacit_run *run,
                                    tacit_error *err);
void tacit__box_counts_clear(tacit__box_counts *counts);

/* Adds to each box the people in it: items are keys box * persons + person. */
tacit_status tacit__count_box_people(uint32_t *people, const tacit__items *items, uint64_t persons,
                                     const tacit_run *run, tacit_error *err);

/* Whether every value of a box is "*": its rows are suppressed. */
bool tacit__box_is_starred(const tacit_boxes *boxes, const tacit_frame *frame, int64_t box);

#endif
