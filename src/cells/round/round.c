/*
 * round.c - conventional rounding: every cell to its nearest multiple of the base.
 *
 * A value halfway between two multiples goes to the one further from 0, so that a table and the
 * same with all signs changed are rounded alike. Nothing is nearer, and sums need not add up:
 * parts that are all rounded down leave their total behind. Linear.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/alter/alter.h"
#include "cells/round/multiples.h"

static double nearest(double low, double part)
{
    bool up = low < 0 ? part > 0.5 : part >= 0.5;
    return low + (up ? 1 : 0);
}

tacit_status tacit__round_nearest(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__multiples multiples = {0};
    tacit_altered altered;
    (void)run;
    tacit_status status = tacit__multiples_init(&multiples, cells, options->base, err);
    if (status != TACIT_OK)
        return status;
    double *number = tacit__alloc_array((size_t)cells->count, sizeof *number);
    for (int32_t i = 0; number && i < cells->count; i++)
        number[i] = nearest(multiples.low[i], multiples.part[i]);
    status = number ? tacit__multiples_finish(&altered, &multiples, number, options, err)
                    : tacit__nomem(err);
    if (status == TACIT_OK) {
        altered.lower_bound = altered.distance;
        altered.proven = true;
        altered.reach = options->base / 2;
        *out = altered;
    }
    tacit__free(number);
    tacit__multiples_clear(&multiples);
    return status;
}
