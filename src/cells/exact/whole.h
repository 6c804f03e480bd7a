/*
 * whole.h - the cheapest pattern of a whole table, with proof, or the best that so much work finds.
 */
#ifndef TACIT_CELLS_EXACT_WHOLE_H
#define TACIT_CELLS_EXACT_WHOLE_H

#include "cells/exact/patch.h"

/* What the letters are worth that it begins with: nothing, nearly all primary cells are hidden, or
 * all of them are. */
typedef enum tacit__whole_start {
    TACIT__WHOLE_ANEW,
    TACIT__WHOLE_NEARLY,
    TACIT__WHOLE_SAFE
} tacit__whole_start;

/* pattern: letters to begin with; becomes what is found. The options may ask for more than single
 * cells. Work is that of tacit__work_of. */
tacit_status tacit__whole_solve(tacit_pattern *pattern, tacit__whole_start start,
                                const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, int64_t work,
                                const tacit_run *run, tacit_error *err);

#endif
