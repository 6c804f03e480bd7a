/*
 * flow.h - the cheapest way to hide a cell: deviations that the relations allow, over
 * cells that are suppressed or could be.
 */
#ifndef TACIT_CELLS_SUPPRESS_FLOW_H
#define TACIT_CELLS_SUPPRESS_FLOW_H

#include "cells/exact/patch.h"
#include "solver/solver.h"

typedef struct tacit__flow tacit__flow;

/* The patch must stay as it is but for the cells that are suppressed. */
tacit_status tacit__flow_new(tacit__flow **out, const tacit__patch *patch, tacit_error *err);
void tacit__flow_free(tacit__flow *flow);

/* Whom to tell of every flow that is found; NULL: nobody, as at first. */
void tacit__flow_tell(tacit__flow *flow, tacit__shown_fn shown, void *context);

typedef struct tacit__flow_answer {
    bool found; /* false: no deviation does it */
    int64_t iterations;
} tacit__flow_answer;

/* Forgets what cells were seen to move in flows, for another set of chosen ones; known: what is
 * seen of those that are chosen from the start, or NULL. */
void tacit__flow_forget(tacit__flow *flow, const tacit__exact_seen *known);

/* How far cells moved in the flows since that. */
const tacit__exact_seen *tacit__flow_seen(const tacit__flow *flow);

/* Hides p, a cell or a demand, as far as it needs, on both sides and in spread; what flows before
 * showed of it need not be shown again, so `chosen` must only grow until they are forgotten. */
tacit_status tacit__flow_protect(tacit__flow_answer *out, tacit__flow *flow, int32_t p,
                                 bool *chosen, const double *weights, const tacit_run *run,
                                 tacit_error *err);

#endif
