/*
 * boxes.h - people of the register under one box, found among its
 * classes, for boxes of levels that were not counted.
 */
#ifndef TACIT_RECORDS_POPULATION_BOXES_H
#define TACIT_RECORDS_POPULATION_BOXES_H

#include "records/classes/classes.h"

typedef struct tacit__box_index tacit__box_index;

/* Of a register's classes on the ground, which must outlive it. */
tacit_status tacit__box_index_new(tacit__box_index **out, const tacit_frame *frame,
                                  const tacit_classes *ground, tacit_error *err);
void tacit__box_index_free(tacit__box_index *index);

/* A box made ready: for each attribute that it restricts, which ranks lie in it
 * and which classes have them, the fewest first. */
typedef struct tacit__box_query {
    struct {
        int32_t attribute;
        uint32_t first, count;
        const uint32_t *classes;
        int64_t class_count;
    } ranges[TACIT_MAX_ATTRIBUTES];
    int32_t range_count;
} tacit__box_query;

/* Numbers are the register's own. */
void tacit__box_query_init(tacit__box_query *query, const tacit__box_index *index,
                           const uint8_t *levels, const uint32_t *numbers);

/* How many classes have to be looked at. */
int64_t tacit__box_query_cost(const tacit__box_query *query, const tacit__box_index *index);

/* Rows under the box. */
int64_t tacit__box_query_rows(const tacit__box_query *query, const tacit__box_index *index);

#endif
