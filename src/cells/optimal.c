/*
 * optimal.c - the cheapest pattern that protects the whole table, with proof (Fischetti and
 * Salazar 2001): the search of exact.c over all cells at once.
 *
 * It begins with what hitas finds, which costs little beside it and is often close; what the whole
 * table exposes of that is protected by flows first. When the run is stopped the best pattern so
 * far is given, with what is known of how much cheaper another could be.
 *
 * Cost: programs over the cells that a solution lets move, suppressed ones and those in fractions,
 * so the size of the table matters less than the number of its primary cells.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact.h"

/* More than any table that can be solved needs. */
static const tacit__exact_limits LIMITS = {.work = INT64_MAX / 4, .nodes = INT32_MAX / 4};

static tacit_status solve(tacit_pattern *pattern, const tacit_cells *cells, const char *status,
                          tacit__patch *patch, const tacit_run *run, tacit_error *err)
{
    tacit__exact_result result;
    tacit__exact_limits limits = LIMITS;
    size_t count = (size_t)patch->count;
    bool *start = tacit__alloc_array(count, sizeof *start);
    bool *chosen = tacit__alloc_array(count, sizeof *chosen);
    tacit_status done = start && chosen ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < count && done == TACIT_OK; i++)
        start[i] = tacit__suppressed(pattern->status[i]);
    limits.start = start;
    if (done == TACIT_OK)
        done = tacit__exact_solve(chosen, &result, patch, &limits, run, err);
    for (int32_t i = 0; i < cells->count && done == TACIT_OK; i++)
        pattern->status[i] =
            chosen[i] && !tacit__suppressed(status[i]) ? TACIT_CELL_SECONDARY : status[i];
    if (done == TACIT_OK) {
        pattern->lower_bound = result.bound;
        pattern->proven = result.proven;
        pattern->stopped = result.stopped;
    }
    tacit__free(start);
    tacit__free(chosen);
    return done;
}

tacit_status tacit__suppress_optimal(tacit_pattern *out, const tacit_cells *cells,
                                     const char *status, const tacit_suppress_options *options,
                                     const tacit_run *run, tacit_error *err)
{
    tacit__patch patch = {0};
    tacit_pattern pattern = {0};
    tacit_status done = tacit__hitas_solve(&pattern, cells, status, options, run, err);
    if (done == TACIT_OK)
        done = tacit__patch_of_all(&patch, cells, status, tacit__largest_value(cells), err);
    if (done == TACIT_OK)
        done = solve(&pattern, cells, status, &patch, run, err);
    tacit__patch_clear(&patch);
    if (done == TACIT_OK) {
        tacit__pattern_finish(&pattern, cells);
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    return done;
}
