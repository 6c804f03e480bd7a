/*
 * optimal.c - the cheapest pattern that protects the whole table, with proof (Fischetti and
 * Salazar 2001): the search of exact.c over all cells at once.
 *
 * Where there are several subtables it begins with what hitas finds, which costs little beside it
 * and is often close; what the whole table exposes of that is protected by flows first. When the
 * run is stopped the best pattern so far is given, with what is known of how much cheaper another
 * could be.
 *
 * Cost: programs over the cells that a solution lets move, suppressed ones and those in fractions,
 * so the size of the table matters less than the number of its primary cells.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact.h"

/* The cost is this many parts where its bound is told. */
enum { PARTS = 1000 };

/* More than any table that can be solved needs. */
static const tacit__exact_limits LIMITS = {.work = INT64_MAX / 4, .nodes = INT32_MAX / 4};

/* Whoever is asked whether to go on is told how much of the cost is known to be needed. */
typedef struct telling {
    const tacit_run *run;
    const tacit__exact_result *result;
} telling;

static bool tell(const char *phase, int64_t done, int64_t total, void *payload)
{
    const telling *t = payload;
    if (t->result->cost > 0) {
        phase = "bound on the cost";
        done = (int64_t)(PARTS * (t->result->bound / t->result->cost));
        total = PARTS;
    }
    return t->run->progress(phase, done, total, t->run->payload);
}

static tacit_status search(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                           const tacit__exact_limits *limits, const tacit_run *run,
                           tacit_error *err)
{
    telling t = {.run = run, .result = result};
    tacit_run inner;
    if (!run || !run->progress)
        return tacit__exact_solve(chosen, result, patch, limits, run, err);
    inner = *run;
    inner.progress = tell;
    inner.payload = &t;
    return tacit__exact_solve(chosen, result, patch, limits, &inner, err);
}

/* The whole search. begun: the pattern holds letters to begin with. */
static tacit_status solve(tacit_pattern *pattern, bool begun, const tacit_cells *cells,
                          const char *status, tacit__patch *patch, const tacit_run *run,
                          tacit_error *err)
{
    tacit__exact_result result;
    tacit__exact_limits limits = LIMITS;
    size_t count = (size_t)patch->count;
    bool *start = tacit__alloc_array(count, sizeof *start);
    bool *chosen = tacit__alloc_array(count, sizeof *chosen);
    tacit_status done = start && chosen ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; i < count && done == TACIT_OK; i++)
        start[i] = tacit__suppressed(pattern->status[i]);
    limits.start = begun ? start : NULL;
    if (done == TACIT_OK)
        done = search(chosen, &result, patch, &limits, run, err);
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

/* Of a table that is a single subtable hitas would find what is looked for here. */
static tacit_status begin(tacit_pattern *pattern, bool *begun, const tacit_cells *cells,
                          const char *status, const tacit_suppress_options *options,
                          const tacit_run *run, tacit_error *err)
{
    tacit__subtables *subtables = NULL;
    tacit_status done = tacit__subtables_new(&subtables, cells, err);
    *begun = done == TACIT_OK && subtables->count > 1;
    tacit__subtables_free(subtables);
    if (done != TACIT_OK)
        return done;
    if (*begun)
        return tacit__hitas_solve(pattern, cells, status, options, run, err);
    done = tacit__pattern_init(pattern, cells, status, err);
    pattern->subtables = pattern->rounds = 1;
    return done;
}

tacit_status tacit__suppress_optimal(tacit_pattern *out, const tacit_cells *cells,
                                     const char *status, const tacit_suppress_options *options,
                                     const tacit_run *run, tacit_error *err)
{
    tacit__patch patch = {0};
    tacit_pattern pattern = {0};
    bool begun;
    tacit_status done = begin(&pattern, &begun, cells, status, options, run, err);
    if (done == TACIT_OK)
        done = tacit__patch_of_all(&patch, cells, status, tacit__largest_value(cells), err);
    if (done == TACIT_OK)
        done = solve(&pattern, begun, cells, status, &patch, run, err);
    tacit__patch_clear(&patch);
    if (done == TACIT_OK) {
        tacit__pattern_finish(&pattern, cells);
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    return done;
}
