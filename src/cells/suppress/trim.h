/*
 * trim.h - a pattern without what it can do without.
 */
#ifndef TACIT_CELLS_SUPPRESS_TRIM_H
#define TACIT_CELLS_SUPPRESS_TRIM_H

#include "cells/exact/adversary.h"

/* What to trim, and how. */
typedef struct tacit__trimming {
    const tacit__patch *patch;
    tacit__exact_adversary *adversary; /* of that patch */
    const tacit__exact_seen
        *known;           /* what suppressed cells show of themselves, whatever is published */
    const int32_t *order; /* cells that may be published, in this order */
    int32_t count;
    double slack;       /* by which a need may be missed, as a share of it */
    int64_t iterations; /* of the simplex method, so far; */
    int64_t most;       /* and when to leave it at that */
} tacit__trimming;

/* Takes cells out of `chosen` without which every need is met as with them. */
tacit_status tacit__trim(bool *chosen, tacit__trimming *trimming, const tacit_run *run,
                         tacit_error *err);

#endif
