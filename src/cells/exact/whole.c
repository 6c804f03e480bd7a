/*
 * whole.c - the search of exact.c over all cells of a table at once (Fischetti and Salazar 2001),
 * from a pattern to begin with or from none. When the run is stopped, or the work spent, the best
 * pattern so far is given, with what is known of how much cheaper another could be.
 *
 * What is asked for beyond single cells (suppress/keeper.c) is too much to be written down. So the
 * search has only those demands that patterns were found to fail. While its answer fails others,
 * these are added and it starts again from what keeps them all; the cheapest pattern for some
 * demands that keeps all is the cheapest for all.
 *
 * The method optimal is that search until it ends. Where there are several subtables it begins with
 * what hitas finds, which costs little beside it and is often close; what the whole table exposes
 * of that is protected by flows first.
 *
 * Cost: programs over the cells that a solution lets move, suppressed ones and those in fractions,
 * so the size of the table matters less than the number of its primary cells.
 */
#include "cells/exact/exact.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cells/subtables/subtables.h"
#include "cells/suppress/keeper.h"

/* The cost is this many parts where its bound is told. */
enum { PARTS = 1000 };

/* A table and what is asked of its patterns, with the cheapest letters so far that keep all. */
typedef struct whole {
    const tacit_cells *cells;
    const char *status; /* to begin with */
    tacit__patch patch;
    int64_t left;          /* of the work */
    tacit__keeper *keeper; /* NULL: nothing is asked beyond single cells */
    bool *chosen;
    char *best; /* NULL: none */
    double best_cost;
} whole;

/* Whoever is asked whether to go on is told how much of the cost is known to be needed. */
typedef struct telling {
    const tacit_run *run;
    const tacit__exact_result *result;
} telling;

static bool tell_bound(const char *phase, int64_t done, int64_t total, void *payload)
{
    const telling *t = payload;
    if (t->result->cost > 0) {
        phase = "bound on the cost";
        done = (int64_t)(PARTS * (t->result->bound / t->result->cost));
        total = PARTS;
    }
    return t->run->progress(phase, done, total, t->run->payload);
}

static tacit_status search_patch(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                                 const tacit__exact_limits *limits, const tacit_run *run,
                                 tacit_error *err)
{
    telling t = {.run = run, .result = result};
    tacit_run inner;
    if (!run || !run->progress)
        return tacit__exact_solve(chosen, result, patch, limits, run, err);
    inner = *run;
    inner.progress = tell_bound;
    inner.payload = &t;
    return tacit__exact_solve(chosen, result, patch, limits, &inner, err);
}

/* The search once. begun: the pattern holds letters to begin with. */
static tacit_status solve_whole(tacit_pattern *pattern, bool begun, whole *w, const tacit_run *run,
                                tacit_error *err)
{
    tacit__exact_result result = {0};
    tacit__exact_limits limits = {.work = tacit__exact_work(&w->patch, w->left),
                                  .nodes = INT32_MAX};
    size_t count = (size_t)w->patch.count;
    bool *start = tacit__alloc_array(count, sizeof *start);
    tacit_status done = start ? TACIT_OK : tacit__nomem(err);
    if (done == TACIT_OK)
        tacit__pattern_give(start, pattern, w->cells->count);
    limits.start = begun ? start : NULL;
    if (done == TACIT_OK)
        done = search_patch(w->chosen, &result, &w->patch, &limits, run, err);
    w->left -= tacit__work_of(&w->patch, result.iterations);
    if (done == TACIT_OK) {
        tacit__pattern_take(pattern, w->status, w->chosen, w->cells->count);
        pattern->lower_bound = result.bound + tacit__cost_given(w->cells, w->status);
        pattern->proven = result.proven;
        pattern->stopped = result.stopped;
    }
    tacit__free(start);
    return done;
}

/* Makes good what a pattern fails; *changed: there was something. Who stopped the search is not
 * asked again: without this its best is nothing to give away. */
static tacit_status make_good(bool *changed, tacit_pattern *pattern, whole *w, const tacit_run *run,
                              tacit_error *err)
{
    tacit_run calm = run ? *run : (tacit_run){0};
    calm.progress = NULL;
    tacit__pattern_give(w->chosen, pattern, w->cells->count);
    tacit_status done =
        tacit__keeper_complete(w->chosen, changed, w->keeper, pattern->stopped ? &calm : run, err);
    if (done == TACIT_OK)
        tacit__pattern_take(pattern, w->status, w->chosen, w->cells->count);
    return done;
}

/* The better of the pattern and the best so far becomes both. */
static tacit_status keep_best(tacit_pattern *pattern, whole *w, tacit_error *err)
{
    tacit__pattern_finish(pattern, w->cells);
    bool better = !w->best || pattern->cost < w->best_cost;
    char *copy = tacit__copy_bytes(better ? pattern->status : w->best, (size_t)w->cells->count);
    if (!copy)
        return tacit__nomem(err);
    tacit__free(better ? w->best : pattern->status);
    if (better) {
        w->best = copy;
        w->best_cost = pattern->cost;
    } else {
        pattern->status = copy;
    }
    return TACIT_OK;
}

/* Until the cheapest pattern for the demands so far keeps all, or costs no less than one that
 * does, or was not found. */
static tacit_status solve_keeping(tacit_pattern *pattern, tacit__whole_start start, whole *w,
                                  const tacit_run *run, tacit_error *err)
{
    bool changed;
    tacit_status done = make_good(&changed, pattern, w, run, err);
    if (done == TACIT_OK && start == TACIT__WHOLE_SAFE)
        done = keep_best(pattern, w, err);
    for (changed = true; done == TACIT_OK && changed;) {
        done = solve_whole(pattern, true, w, run, err);
        if (done == TACIT_OK)
            done = make_good(&changed, pattern, w, run, err);
        if (done != TACIT_OK || !changed)
            break;
        done = keep_best(pattern, w, err);
        bool met = w->best_cost <= pattern->lower_bound * (1 + 1e-9);
        changed = !met && pattern->proven;
        pattern->proven &= met;
    }
    return done;
}

tacit_status tacit__whole_solve(tacit_pattern *pattern, tacit__whole_start start,
                                const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, int64_t work,
                                const tacit_run *run, tacit_error *err)
{
    whole w = {.cells = cells, .status = status, .left = work};
    tacit_status done =
        tacit__patch_of_all(&w.patch, cells, status, tacit__largest_value(cells), err);
    if (done == TACIT_OK)
        done = tacit__keeper_new(&w.keeper, &w.patch, cells, status, options, err);
    w.chosen = tacit__alloc_array((size_t)cells->count, sizeof *w.chosen);
    if (done == TACIT_OK && !w.chosen)
        done = tacit__nomem(err);
    if (done == TACIT_OK)
        done = w.keeper ? solve_keeping(pattern, start, &w, run, err)
                        : solve_whole(pattern, start != TACIT__WHOLE_ANEW, &w, run, err);
    if (done == TACIT_OK)
        tacit__pattern_finish(pattern, cells);
    tacit__keeper_free(w.keeper);
    tacit__patch_clear(&w.patch);
    tacit__free(w.chosen);
    tacit__free(w.best);
    return done;
}

/* More than any table that can be solved needs. */
#define WORK (INT64_MAX / 4)

/* Of a table that is a single subtable hitas would find what is looked for here. */
static tacit_status begin_optimal(tacit_pattern *pattern, tacit__whole_start *start,
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
    tacit_status done = begin_optimal(&pattern, &start, cells, status, options, run, err);
    if (done == TACIT_OK)
        done = tacit__whole_solve(&pattern, start, cells, status, options, WORK, run, err);
    if (done == TACIT_OK)
        *out = pattern;
    else
        tacit_pattern_clear(&pattern);
    return done;
}
