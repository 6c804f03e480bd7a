/*
 * optimal.c - the cheapest pattern that protects the whole table, with proof (Fischetti and
 * Salazar 2001): the search of whole.c until it ends.
 *
 * Where there are several subtables it begins with what hitas finds, which costs little beside it
 * and is often close; what the whole table exposes of that is protected by flows first.
 */
#include "cells/exact/whole.h"
#include "cells/subtables/subtables.h"

/* More than any table that can be solved needs. */
#define WORK (INT64_MAX / 4)

/* Of a table that is a single subtable hitas would find what is looked for here. */
static tacit_status begin(tacit_pattern *pattern, tacit__whole_start *start,
                          const tacit_cells *cells, const char *status,
                          const tacit_suppress_options *options, const tacit_run *run,
                          tacit_error *err)
{
    tacit__subtables *subtables = NULL;
    tacit_status done = tacit__subtables_new(&subtables, cells, err);
    bool several = done == TACIT_OK && subtables->count > 1;
    *start = several ? TACIT__WHOLE_NEARLY : TACIT__WHOLE_ANEW;
    tacit__subtables_free(subtables);
    if (done != TACIT_OK)
        return done;
    if (several)
        return tacit__hitas_solve(pattern, cells, status, options, run, err);
    done = tacit__pattern_init(pattern, cells, status, err);
    pattern->subtables = pattern->rounds = 1;
    return done;
}

tacit_status tacit__suppress_optimal(tacit_pattern *out, const tacit_cells *cells,
                                     const char *status, const tacit_suppress_options *options,
                                     const tacit_run *run, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit__whole_start start;
    tacit_status done = begin(&pattern, &start, cells, status, options, run, err);
    if (done == TACIT_OK)
        done = tacit__whole_solve(&pattern, start, cells, status, options, WORK, run, err);
    if (done == TACIT_OK)
        *out = pattern;
    else
        tacit_pattern_clear(&pattern);
    return done;
}
