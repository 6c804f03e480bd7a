/*
 * pack.h - a group of shares packed into boxes anew.
 */
#ifndef TACIT_RECORDS_LOCAL_PACK_H
#define TACIT_RECORDS_LOCAL_PACK_H

#include "records/local/offers.h"

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
    tacit__offers offers;
    tacit__models_scratch *scratch; /* where there are models */
    uint32_t *classes;              /* of the members chosen, for the models */
    size_t class_room;
    int64_t hardest; /* who is served first: 0 the member whose best costs most, 1 the next ...;
                        -1: nobody */

    tacit__placing *placings;
    tacit__new_box *boxes;
    uint8_t *box_rungs; /* an axis each */
    int64_t placing_count, box_count;
    size_t placing_room, box_room, box_rung_room;
} tacit__packer;

tacit_status tacit__packer_init(tacit__packer *packer, const tacit__local *local, tacit_error *err);
void tacit__packer_clear(tacit__packer *packer);

/* Packs the packer's group, which is closed; *packed is false where that could not be done, for
 * instance within the limit of its offers. *cost is the sum over rows. */
tacit_status tacit__pack(bool *packed, double *cost, tacit__packer *packer, tacit_error *err);

/* Adds the boxes of the last packing to a layout. */
tacit_status tacit__pack_give(tacit__layout *out, const tacit__packer *packer, tacit_error *err);

#endif
