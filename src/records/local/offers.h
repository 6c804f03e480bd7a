/*
 * offers.h - which boxes the members of a group want, and who would come.
 */
#ifndef TACIT_RECORDS_LOCAL_OFFERS_H
#define TACIT_RECORDS_LOCAL_OFFERS_H

#include "records/local/walk.h"

/* A box that the walk has found. */
typedef struct tacit__local_offer {
    double cost;
    double excess;   /* what it costs those who want it above the least that they must pay */
    uint32_t wanted; /* by so many members, whose best it is */
    uint32_t from;   /* where they begin in the list of all */
} tacit__local_offer;

/* An offer's place in the order of opening, or a member's by its best. */
typedef struct tacit__local_ranked {
    double key;
    uint32_t index;
} tacit__local_ranked;

/* A worker's room. Zero-initialized is empty. */
typedef struct tacit__offers {
    const tacit__local_group *group;
    int64_t k;
    tacit__walk walk;
    int64_t limit; /* of the walks' work for one group */
    int64_t work;  /* what they took */

    uint32_t *left;     /* a member each: its people who are in no box yet */
    uint64_t *placed;   /* bit a member: nothing of it is left */
    uint16_t *list;     /* members that are left */
    int64_t list_count; /* of them */

    double *best;               /* a member each: what its best box costs */
    uint32_t *want;             /* the offer that this is */
    uint16_t *wanting;          /* members that are left, by what they want */
    tacit__local_ranked *bests; /* the same by what that costs */
    size_t member_room;

    tacit__local_offer *all;
    uint8_t *rungs;             /* an axis each */
    tacit__local_ranked *order; /* offers that are wanted, the cheapest first */
    int64_t count, order_count;
    size_t room, rung_room, order_room;

    uint16_t *chosen; /* members that would come to a box */
    int64_t chosen_count;
    int64_t eager; /* of them, how many come with all their people */
} tacit__offers;

void tacit__offers_clear(tacit__offers *offers);

/* Takes up a group, all of whose people are in no box. */
tacit_status tacit__offers_start(tacit__offers *offers, const tacit__local_group *group,
                                 tacit_error *err);

/* Lists the members that are left; returns their people. */
int64_t tacit__offers_list(tacit__offers *offers);

/* Members that are left look for their best boxes; offers are then in order.
 * TACIT_LIMIT where that takes more than it may. */
tacit_status tacit__offers_find(tacit__offers *offers, tacit_error *err);

/* Chooses who wants the offer of a place in the order and, where these are too few,
 * others for whom it is as good as what they want. Returns the people. */
int64_t tacit__offers_choose(tacit__offers *offers, int64_t place);

/* Chooses one of the members whose best costs most, 0 for the dearest of all, and those
 * who lose least by going with it where it wants. Returns the people. */
int64_t tacit__offers_choose_hardest(tacit__offers *offers, int64_t hardest);

#endif
