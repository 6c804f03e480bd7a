/*
 * cuboid.h - the best cuboid around a cell of a subtable (Repsilber).
 */
#ifndef TACIT_CELLS_SUBTABLES_CUBOID_H
#define TACIT_CELLS_SUBTABLES_CUBOID_H

#include "cells/subtables/subtables.h"
#include "cells/suppress/methods.h"

/* What is known of each place of a subtable. */
typedef struct tacit__corner {
    double price; /* of suppressing it; 0: it is already; INFINITY: it must not be */
    double up;    /* how far it can move */
    double down;
    bool fresh;  /* published so far */
    bool alone;  /* of one contributor */
    bool barred; /* not in the cuboid that is looked for */
} tacit__corner;

/* Room for searches; corners has a place each of the largest subtable. */
typedef struct tacit__cuboids {
    tacit__view view;
    tacit__corner *corners;
    int32_t *places; /* corners of the cuboid in hand, axis after axis: twice 2^axes */
    int8_t *signs;
    bool avoid_alone; /* no further corner of one contributor */
    int32_t *best;    /* corners of the best one: 2^axes, the cell itself first */
    int32_t *spare;   /* as large, for the caller */
    int32_t best_count;
    int32_t best_fresh;
    double best_price;
    int64_t looks; /* corners looked at so far */
} tacit__cuboids;

tacit_status tacit__cuboids_init(tacit__cuboids *cuboids, const tacit__subtables *subtables,
                                 tacit_error *err);
void tacit__cuboids_clear(tacit__cuboids *cuboids);

/* Looks for the cuboid at a place that hides as much as needed, at the least price, then with the
 * fewest fresh corners, then the first in order. False: there is none. */
bool tacit__cuboid_find(tacit__cuboids *cuboids, int32_t place, const tacit__need *need);

#endif
