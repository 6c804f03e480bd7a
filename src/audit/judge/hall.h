/*
 * hall.h - what can be said of one attribute without knowing which row of the
 * original is behind which row of the release.
 */
#ifndef TACIT_AUDIT_JUDGE_HALL_H
#define TACIT_AUDIT_JUDGE_HALL_H

#include "audit/rows/ladder.h"

typedef struct tacit__hall {
    tacit__tally unknown; /* cells whose value is on no rung of the ladder */
    int64_t excess;       /* cells that find no cell of the original, as others have taken them */
    int level;            /* one that all values are on, or -1 */
    bool only_level;      /* and no value of the original becomes any of them elsewhere only */
} tacit__hall;

/* One for each promised attribute, into out. */
tacit_status tacit__hall_check(tacit__hall *out, tacit__judge *judge, const tacit__ladder *ladders,
                               tacit_error *err);

#endif
