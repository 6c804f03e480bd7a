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
    size_t member_capacity, value_capacity, cost_capacity, rest_capacity;
} tacit__local_group;

/* Members, or other things, in ascending order of something, then in their own. */
typedef struct tacit__local_ranked {
    double key;
    uint32_t index;
} tacit__local_ranked;

void tacit__local_rank(tacit__local_ranked *order, int64_t count);

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

/* ---- going through the boxes of a group that hold k people ---- */

typedef struct tacit__walk tacit__walk;

/* What a box around these members must cost less than to be of interest; 0 or less: none is. Values
 * are chosen on the axes below `depth` only, so that a row in a box costs `cost` or more. The walk
 * asks before it goes down and again with the cost of the next axis' value added: what members cost
 * beyond that is tacit__group_behind. Called for each box in the end, with all axes. */
typedef double (*tacit__walk_enter)(void *context, tacit__walk *walk, const uint16_t *list,
                                    int64_t count, int32_t depth, double cost);

/* A worker's way through groups. Costs are above the group's base. */
struct tacit__walk {
    const tacit__local_group *group;
    const uint32_t *people; /* a member each: who are there */
    int64_t k;
    const double *weights; /* what costs of an attribute are multiplied by; NULL: 1 */
    bool hurried;          /* where values cost something already, what they cost on the next axis
                              counts twice: good boxes may be passed over, many poor ones are */
    tacit__walk_enter enter;
    void *context;
    const tacit_run *run; /* asked now and then whether to go on; NULL: nobody is */
    const char *phase;
    int64_t limit; /* of work */
    int64_t work;  /* members looked at */
    int64_t boxes; /* gone through, of all walks so far */
    tacit_status status;
    uint8_t rung[TACIT_MAX_ATTRIBUTES]; /* chosen, an axis each */
    struct tacit__walk_level *levels;
    uint16_t *lists;
    struct tacit__walk_slot *slots;
    size_t level_capacity, list_capacity, slot_capacity;
};

void tacit__walk_clear(tacit__walk *walk);

/* What `enter` returns where boxes are of interest that are cheaper for one of these members
 * than its best. Those that cannot get one are left out of account. */
static inline double tacit__walk_below(const tacit__walk *walk, const double *best,
                                       const uint16_t *list, int64_t count, int32_t depth,
                                       double cost)
{
    const tacit__local_group *group = walk->group;
    const double *rest = group->rest ? group->rest + (size_t)depth * (size_t)group->count : NULL;
    const double *behind = walk->hurried ? rest : tacit__group_behind(group, depth);
    double below = 0;
    for (int64_t i = 0; i < count; i++) {
        uint16_t member = list[i];
        double most = best[member] - (behind ? behind[member] : 0);
        if (cost + (rest ? rest[member] : 0) < best[member])
            below = most > below ? most : below;
    }
    return below;
}

/* Goes through the boxes around members of the list, smaller ones before those that hold
 * them; some are larger than the members need. Ends early with TACIT_LIMIT or TACIT_CANCELLED, or
 * with what `enter` puts into the walk's status. */
tacit_status tacit__walk_boxes(tacit__walk *walk, const uint16_t *list, int64_t count,
                               tacit_error *err);

#endif
