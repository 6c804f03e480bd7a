/*
 * local_pack.h - a group of shares packed into boxes anew.
 */
#ifndef TACIT_SRC_RECORDS_LOCAL_PACK_H
#define TACIT_SRC_RECORDS_LOCAL_PACK_H

#include "records/local_walk.h"

/* A box that the walk has found. */
typedef struct tacit__offer {
    double cost;
    double key;      /* boxes are opened in ascending order of it */
    uint32_t wanted; /* members whose best it is */
    uint32_t from;   /* where they begin in the list of all */
} tacit__offer;

/* An offer's place in the order of opening, or a member's by its best. */
typedef struct tacit__ranked {
    double key;
    uint32_t index;
} tacit__ranked;

/* People of a member in a new box. */
typedef struct tacit__placing {
    uint32_t box;
    uint32_t people;
    uint16_t member;
} tacit__placing;

/* A new box, which is the smallest around its members. */
typedef struct tacit__new_box {
    double rows;
    uint32_t placings;
    uint16_t first; /* member */
} tacit__new_box;

/* A worker's room. */
typedef struct tacit__packer {
    const tacit__local *local;
    tacit__group group;
    tacit__walk walk;
    tacit__models_scratch *scratch; /* where there are models */
    int64_t limit;                  /* of the walks' work for one group */
    int64_t hardest; /* who is served first: 0 the member whose best costs most, 1 the next ...;
                        -1: nobody */
    int64_t work;    /* what they took */

    double *best;         /* a member each: what its best box costs */
    uint32_t *want;       /* the offer that this is */
    uint32_t *left;       /* its people who are in no box yet */
    uint64_t *placed;     /* bit a member: nothing of it is left */
    uint16_t *list;       /* members that are left */
    uint16_t *wanting;    /* the same by what they want */
    tacit__ranked *bests; /* the same by what that costs */
    uint16_t *chosen;     /* members of the box that is being opened */
    uint32_t *classes;    /* the same, for the models */
    int64_t list_count, chosen_count;
    int64_t eager; /* of those chosen, how many come with all their people */
    size_t member_room;

    tacit__offer *offers;
    uint8_t *offer_rungs; /* an axis each */
    tacit__ranked *order; /* offers that are wanted */
    int64_t offer_count, order_count;
    size_t offer_room, offer_rung_room, order_room;

    tacit__placing *placings;
    tacit__new_box *boxes;
    uint8_t *box_rungs; /* an axis each */
    int64_t placing_count, box_count;
    size_t placing_room, box_room, box_rung_room;
} tacit__packer;

tacit_status tacit__packer_init(tacit__packer *packer, const tacit__local *local, tacit_error *err);
void tacit__packer_clear(tacit__packer *packer);

/* Packs the packer's group, which is closed; *packed is false where that could not be done, for
 * instance within the limit. *cost is the sum over rows. */
tacit_status tacit__pack(bool *packed, double *cost, tacit__packer *packer, tacit_error *err);

/* Adds the boxes of the last packing to a layout. */
tacit_status tacit__pack_give(tacit__layout *out, tacit__packer *packer, tacit_error *err);

#endif
