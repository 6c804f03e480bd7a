/*
 * round.c - patterns from solutions in fractions (Fischetti and Salazar 2001, section 5).
 *
 * What the solution suppresses for certain is taken, and flows (suppress/flow.c) see to the rest,
 * with what a cell costs counting the less the more of it the solution suppresses. The pattern is
 * then trimmed, those first that cost most by the same count.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact/search.h"

/* False: a cell was found no way to hide, so the trial is nothing to go on with. */
static tacit_status hide_all(bool *hidden, tacit__exact_search *s, const double *weights,
                             tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *hidden = true;
    tacit__flow_forget(s->flow, &s->known);
    for (int32_t k = 0; k < s->needy_count && *hidden && status == TACIT_OK; k++)
        status = tacit__exact_hide(hidden, s, s->needy[k], weights, err);
    return status;
}

tacit_status tacit__exact_round(tacit__exact_search *s, tacit_error *err)
{
    const tacit__chooser *m = &s->chooser;
    bool hidden = false;
    double *weights = tacit__alloc_array((size_t)s->patch->count, sizeof *weights);
    if (!weights)
        return tacit__nomem(err);
    for (int32_t i = 0; i < s->patch->count; i++) {
        weights[i] = s->patch->cost[i] * (1 - m->pattern[i]);
        s->trial[i] = m->pattern[i] >= 1;
    }
    tacit_status status = hide_all(&hidden, s, weights, err);
    if (status == TACIT_OK && hidden)
        status = tacit__exact_trim(s, weights, err);
    tacit__free(weights);
    return status;
}
