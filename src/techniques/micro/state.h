/*
 * state.h - a partition into groups that points are moved between, one at a time, with the
 * change of the sum of squares kept in mind and every move on record, so that it can be undone.
 */
#ifndef TACIT_TECHNIQUES_MICRO_STATE_H
#define TACIT_TECHNIQUES_MICRO_STATE_H

#include "techniques/micro/micro.h"

typedef struct tacit__micro_move {
    uint32_t point, from;
} tacit__micro_move;

/* Groups have a number each, and some numbers have no points now. */
typedef struct tacit__micro_state {
    const tacit__points *points;
    uint32_t k, most;  /* what a group has at least and at most */
    uint32_t room;     /* numbers of groups */
    uint32_t *group;   /* of each point; the caller's */
    uint32_t *slot;    /* its place among the members */
    uint32_t *members; /* most + 1 for each group: one goes before another comes, or after */
    uint32_t *size;
    double *sum;    /* of the members, width for each group */
    uint32_t *bare; /* numbers without points, at least those that are listed */
    bool *is_listed;
    uint32_t bare_count;
    uint32_t near_count; /* neighbours of each point */
    uint32_t *near;      /* nearest first */
    tacit__micro_move *moves;
    size_t move_count, move_room;
    double change; /* of the sum of squares by the moves on record */
} tacit__micro_state;

/* Takes the partition over from group, where it stands for as long as the state is there. */
tacit_status tacit__micro_state_init(tacit__micro_state *state, const tacit__points *points,
                                     uint32_t *group, uint32_t groups, uint32_t k,
                                     const tacit_run *run, tacit_error *err);
void tacit__micro_state_clear(tacit__micro_state *state);

/* Numbers the groups without gaps and returns how many there are. */
uint32_t tacit__micro_state_finish(tacit__micro_state *state);

/* The point to the group, which has room for it; false where memory runs out. */
bool tacit__micro_move_to(tacit__micro_state *state, uint32_t point, uint32_t to);

/* A place in the record. */
typedef struct tacit__micro_mark {
    size_t moves;
    double change;
} tacit__micro_mark;

static inline tacit__micro_mark tacit__micro_now(const tacit__micro_state *state)
{
    return (tacit__micro_mark){state->move_count, state->change};
}

/* Undoes what was done since; takes all that was done for good. */
void tacit__micro_undo(tacit__micro_state *state, tacit__micro_mark since);
void tacit__micro_keep(tacit__micro_state *state);

/* The number of a group without points, of which there are always some; one that was not used. */
uint32_t tacit__micro_bare(tacit__micro_state *state);
void tacit__micro_give_back(tacit__micro_state *state, uint32_t group);

static inline const double *tacit__micro_sum(const tacit__micro_state *state, uint32_t group)
{
    return state->sum + (size_t)group * state->points->width;
}

static inline const uint32_t *tacit__micro_members(const tacit__micro_state *state, uint32_t group)
{
    return state->members + (size_t)group * (state->most + 1);
}

/* What the sum of squares of a group has more with the point in it, and has less without. */
double tacit__micro_joining(const tacit__micro_state *state, uint32_t point, uint32_t group);
double tacit__micro_leaving(const tacit__micro_state *state, uint32_t point);

#endif
