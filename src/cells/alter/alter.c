/*
 * alter.c - the table of methods that change values, and what all of them share.
 */
#include "cells/alter/alter.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"

static const tacit_alter_method METHODS[] = {
    {"round", "every cell to its nearest multiple of the base; sums need not add up", true, true,
     false, false, tacit__round_nearest},
    {"round-random", "every cell up or down by chance, right on average; sums need not add up",
     true, false, false, false, tacit__round_random},
    {"round-controlled",
     "every cell to a multiple next to it such that all sums add up, as near as possible", true,
     false, true, false, tacit__round_controlled},
    {"adjust", "primary cells beyond their levels, the others as near as sums allow", false, false,
     true, false, tacit__adjust_values},
    {"dp",
     "counts of people with random noise: differentially private, with --epsilon and a ledger",
     false, false, true, true, tacit__noisy_counts},
    {NULL, NULL, false, false, false, false, NULL},
};

const tacit_alter_method *tacit_alter_methods(void)
{
    return METHODS;
}

const tacit_alter_method *tacit_alter_method_find(const char *name)
{
    for (const tacit_alter_method *method = METHODS; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

void tacit_alter_options_init(tacit_alter_options *options)
{
    *options = (tacit_alter_options){
        .base = 5, .distance = TACIT_DISTANCE_ONE, .weight = TACIT_WEIGHT_COST};
}

void tacit__alter_weights(double *weights, const tacit_cells *cells, tacit_alter_weight weight)
{
    double unit = tacit__last_unit(cells);
    for (int32_t i = 0; i < cells->count; i++) {
        switch (weight) {
        case TACIT_WEIGHT_COST: weights[i] = tacit__cost_share_of(cells, i, unit); break;
        case TACIT_WEIGHT_SHARE: weights[i] = tacit__share_of(cells, i, unit); break;
        case TACIT_WEIGHT_ONE: weights[i] = 1; break;
        }
    }
}

tacit_status tacit__altered_init(tacit_altered *out, const tacit_cells *cells, tacit_error *err)
{
    *out = (tacit_altered){.lower_bound = NAN, .reach = INFINITY, .unprotected = -1};
    out->value = tacit__alloc_array((size_t)cells->count, sizeof *out->value);
    return out->value ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__altered_measure(tacit_altered *altered, const tacit_cells *cells,
                                    const tacit_alter_options *options, tacit_error *err)
{
    double *weights = tacit__alloc_array((size_t)cells->count, sizeof *weights);
    if (!weights)
        return tacit__nomem(err);
    tacit__alter_weights(weights, cells, options->weight);
    bool squares = options->distance == TACIT_DISTANCE_TWO;
    altered->changed = 0;
    altered->distance = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        double change = fabs(altered->value[i] - cells->value[i]);
        altered->changed += change > TACIT_CELLS_EQUAL * fmax(1, fabs(cells->value[i]));
        altered->distance += weights[i] * (squares ? change * change : change);
    }
    tacit__free(weights);
    return TACIT_OK;
}

void tacit_altered_clear(tacit_altered *altered)
{
    tacit__free(altered->value);
    altered->value = NULL;
}

tacit_status tacit_alter(tacit_altered *out, const tacit_cells *cells,
                         const tacit_alter_method *method, const tacit_alter_options *options,
                         const tacit_run *run, tacit_error *err)
{
    tacit_altered altered = {0};
    tacit_status status = tacit__cells_known(cells, err);
    if (status == TACIT_OK && !method->rounds && !method->noise)
        status = tacit_cells_check(cells, err);
    if (status == TACIT_OK)
        status = method->solve(&altered, cells, options, run, err);
    if (status == TACIT_OK)
        *out = altered;
    return status;
}
