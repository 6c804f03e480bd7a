/*
 * walk.h - going through the boxes of a group that hold k people.
 */
#ifndef TACIT_RECORDS_LOCAL_WALK_H
#define TACIT_RECORDS_LOCAL_WALK_H

#include "records/local/group.h"

typedef struct tacit__walk tacit__walk;

/* What a box around these members must cost less than to be of interest; 0 or less: none
 * is. Values are chosen on the axes below `depth` only, so that a row in a box costs
 * `cost` or more. The walk asks before it goes down and again with the cost of the next axis'
 * value added: what members cost beyond that is tacit__group_behind. Called for each box in
 * the end, with all axes. */
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
    size_t level_room, list_room, slot_room;
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
