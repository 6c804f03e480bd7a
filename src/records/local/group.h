/*
 * group.h - some shares at close quarters: everything about their values
 * that a search through their boxes needs, numbered densely.
 */
#ifndef TACIT_RECORDS_LOCAL_GROUP_H
#define TACIT_RECORDS_LOCAL_GROUP_H

#include "records/local/local.h"

/* Members are numbered in 16 bits. */
enum { TACIT__GROUP_MEMBERS = 65535 };

/* A level of an attribute on which fewer values are left than below it. */
typedef struct tacit__rung {
    uint8_t level;
    uint32_t values;
    const uint16_t *value; /* a member each */
    const double *cost;    /* a value each, above the axis' base */
    double least;          /* of them */
} tacit__rung;

/* An attribute of which members have different values. */
typedef struct tacit__axis {
    int32_t attribute;
    int rungs;
    double base; /* the least that a member's value costs */
    tacit__rung rung[TACIT_MAX_LEVELS];
} tacit__axis;

/* Zero-initialized is empty; used again and again by one worker. */
typedef struct tacit__local_group {
    const tacit__local *local;
    int32_t count;
    tacit__share *members;
    int64_t people;
    double rows;
    double base;  /* what every row costs at least */
    int32_t axes; /* those with the fewest values first */
    tacit__axis *axis;
    double *rest; /* axes + 1 times a member each: what its values of that axis and those behind
                     it cost at least, above the base; NULL where that is nothing */
    uint16_t *values;
    double *costs;
    uint32_t *place_of; /* number on the floor -> place + 1; zeros between uses */
    uint32_t *numbers;
    size_t member_room, value_room, cost_room, rest_room;
} tacit__local_group;

/* What members cost at least, above the base, on the axes that a walk at this depth neither has
 * chosen nor chooses next; NULL where that is nothing. */
static inline const double *tacit__group_behind(const tacit__local_group *group, int32_t depth)
{
    int32_t axis = depth < group->axes ? depth + 1 : depth;
    return group->rest ? group->rest + (size_t)axis * (size_t)group->count : NULL;
}

/* Room for groups of one worker. */
tacit_status tacit__group_init(tacit__local_group *group, const tacit__local *local,
                               tacit_error *err);
void tacit__group_clear(tacit__local_group *group);

/* Starts over with no members, adds shares, and looks at their values. */
void tacit__group_empty(tacit__local_group *group);
tacit_status tacit__group_add(tacit__local_group *group, tacit__share share, tacit_error *err);
tacit_status tacit__group_close(tacit__local_group *group, tacit_error *err);

/* The smallest box around some members: its levels, and what a row costs in it. */
double tacit__group_span(uint8_t *levels, const tacit__local_group *group, const uint16_t *list,
                         int64_t count);

#endif
