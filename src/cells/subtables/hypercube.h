/*
 * hypercube.h - what the two halves of hypercube share: suppressing cuboids, and publishing
 * again what the cuboids can do without.
 */
#ifndef TACIT_CELLS_SUBTABLES_HYPERCUBE_H
#define TACIT_CELLS_SUBTABLES_HYPERCUBE_H

#include "cells/subtables/subtables.h"
#include "cells/suppress/methods.h"

/* The best cuboid around a cell of a subtable (Repsilber). */

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
    tacit__subtables_view view;
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

/* ---- */

/* A suppressed cell of the subtable in hand. */
typedef struct tacit__target {
    int32_t place;
    bool primary;
    double value;
} tacit__target;

typedef struct tacit__hypercube {
    const tacit_cells *cells;
    const tacit_suppress_options *options;
    tacit__subtables *subtables;
    tacit__cuboids cuboids;
    tacit__target *targets;
    int32_t target_count;
    int32_t *first;   /* corners of a first cuboid, while a second is looked for */
    int32_t *settled; /* suppressed cells of each subtable when it was last done; -1: never */
    char *status;
    double largest;
    bool logarithm; /* cuboids are chosen by the logarithm of the price */
    int32_t unprotected;
} tacit__hypercube;

/* How well cuboids hide a cell. Of a secondary cell the last says no more than the second. */
typedef enum tacit__hiding {
    TACIT__HIDING_NONE = 0,
    TACIT__HIDING_ONE,  /* but someone who is alone in another cell sees through it */
    TACIT__HIDING_WHOLE /* as asked for: a cuboid without such cells, or two */
} tacit__hiding;

double tacit__hypercube_price(const tacit__hypercube *h, int32_t cell);

/* Takes up a subtable: its cells and the suppressed ones among them. */
void tacit__hypercube_load(tacit__hypercube *h, int32_t index);

/* What the places of that subtable cost; suppressed_only: no other may be a corner. */
void tacit__hypercube_corners(tacit__hypercube *h, bool suppressed_only);

/* Hides a cell of the subtable as well as it can be, suppressing what that takes. */
tacit__hiding tacit__hypercube_hide(tacit__hypercube *h, const tacit__target *target);

/* Publishes secondary cells again, the dearest first, without which every suppressed cell is
 * hidden as well as with them. kept: letters that a cell must not fall behind. */
tacit_status tacit__hypercube_trim(tacit__hypercube *h, const char *kept, const tacit_run *run,
                                   tacit_error *err);

#endif
