/*
 * split.h - ranges of records on their way down the hierarchies; shared by
 * split.c, which decides where they go, and split_models.c, which asks
 * what they promise.
 */
#ifndef TACIT_RECORDS_LOCAL_SPLIT_H
#define TACIT_RECORDS_LOCAL_SPLIT_H

#include "records/local/sieve.h"

/* A range of records, and the box that it is released as unless it is divided. */
typedef struct tacit__range {
    int64_t from;
    int64_t to;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
} tacit__range;

/* A worker. */
typedef struct tacit__cutter {
    const tacit__local *local;
    tacit__sieve sieve;
    tacit__range *stack; /* ranges that are still to be looked at */
    size_t stack_count, stack_room;
    tacit__models_scratch *scratch; /* where there are models */
    uint32_t *members;
    size_t member_room;
    double *logs; /* n log2 n of small n */
} tacit__cutter;

/* Whether the records of a range keep the models when released as a box of other
 * levels, and whether that box holds the same people of the register where all must
 * be held. */
tacit_status tacit__cutter_narrows(bool *holds, tacit__cutter *cutter, const tacit__range *range,
                                   const uint8_t *levels, tacit_error *err);

/* Divides a range by an attribute's counted parts so that every group keeps the
 * models. *border is where those that stay end: where the range ends, if that cannot
 * be. */
tacit_status tacit__cutter_decide(int64_t *border, tacit__cutter *cutter, const tacit__range *range,
                                  int32_t attribute, tacit_error *err);

#endif
