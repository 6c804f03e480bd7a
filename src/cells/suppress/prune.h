/*
 * prune.h - a pattern without what it can do without, by flows: for whole tables.
 */
#ifndef TACIT_CELLS_SUPPRESS_PRUNE_H
#define TACIT_CELLS_SUPPRESS_PRUNE_H

#include "cells/exact/patch.h"

/* What to publish again, if it can be. */
typedef struct tacit__pruning {
    const int32_t *order; /* cells of the patch, in this order */
    int32_t count;
    int64_t iterations; /* of the simplex method, so far; */
    int64_t most;       /* and when to leave it at that */
} tacit__pruning;

/* Takes cells out of `chosen` without which every need of the patch's suppressed cells and every
 * demand is met as with them. Nothing where one is not met anyway. */
tacit_status tacit__prune(bool *chosen, tacit__pruning *pruning, const tacit__patch *patch,
                          const tacit_run *run, tacit_error *err);

#endif
