/*
 * parts.h - records put together by their values in one column after the
 * other.
 *
 * A part is a group of records that match, its own ones first: those that have
 * the same values in the columns so far, missing among them. Where missing
 * matches anything, other members follow: records that match the own ones with
 * other values, some of them missing. Each record is own in one part.
 */
#ifndef TACIT_SRC_UNIQUES_PARTS_H
#define TACIT_SRC_UNIQUES_PARTS_H

#include "uniques/ground.h"

typedef struct tacit__uniques_part {
    size_t start; /* in the members of all */
    uint32_t size;
    uint32_t own;
    uint32_t weight; /* rows of all members */
} tacit__uniques_part;

/* Zero-initialized is empty. */
typedef struct tacit__uniques_parts {
    uint32_t *members; /* items, part by part */
    size_t member_count, members_room;
    tacit__uniques_part *parts;
    size_t part_count, parts_room;
} tacit__uniques_parts;

/* Told of every part that comes out of a refinement, with its members; whether
 * it is kept. */
typedef bool (*tacit__keep_fn)(void *context, const tacit__uniques_part *part,
                               const uint32_t *members);

/* What refining needs besides. */
typedef struct tacit__refiner {
    const tacit__ground *ground;
    uint32_t *places; /* by value: members, then where the next one goes; zeros between uses */
    uint32_t *owns;   /* by value: own members; zeros between uses */
    uint32_t *values; /* that occur in the part at hand */
    uint32_t *dealt;  /* its members by value, those that match any last */
    tacit__keep_fn keep;
    void *context;
} tacit__refiner;

tacit_status tacit__refiner_init(tacit__refiner *refiner, const tacit__ground *ground,
                                 tacit__keep_fn keep, void *context, tacit_error *err);
void tacit__refiner_clear(tacit__refiner *refiner);

/* One part of all records. */
tacit_status tacit__parts_init(tacit__uniques_parts *partition, const tacit__ground *ground,
                               tacit_error *err);
void tacit__parts_clear(tacit__uniques_parts *partition);

/* The parts of `from` by a further column, into `to` in place of what it held. */
tacit_status tacit__parts_refine(tacit__uniques_parts *to, const tacit__uniques_parts *from,
                                 int column, tacit__refiner *refiner, tacit_error *err);

#endif
