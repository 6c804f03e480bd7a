/*
 * optimal.c - the cheapest pattern that protects the whole table, with proof (Fischetti and
 * Salazar 2001): the search of exact.c over all cells at once.
 *
 * Where there are several subtables it begins with what hitas finds, which costs little beside it
 * and is often close; what the whole table exposes of that is protected by flows first. When the
 * run is stopped the best pattern so far is given, with what is known of how much cheaper another
 * could be.
 *
 * What is asked for beyond single cells (keeper.c) is too much to be written down. So the search
 * has only those demands that patterns were found to fail. While its answer fails others, these
 * are added and it starts again from what keeps them all; the cheapest pattern for some demands
 * that keeps all is the cheapest for all.
 *
 * Cost: programs over the cells that a solution lets move, suppressed ones and those in fractions,
 * so the size of the table matters less than the number of its primary cells.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/exact.h"
#include "cells/keeper.h"

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

/* The cheapest letters so far that keep all demands. */
typedef struct keeping {
    const tacit_cells *cells;
    const char *status;
    tacit__keeper *keeper;
    bool *chosen;
    char *best; /* NULL: none */
    double best_cost;
} keeping;

/* Makes good what a pattern fails; *changed: there was something. Who stopped the search is not
 * asked again: without this its best is nothing to give away. */
static tacit_status make_good(bool *changed, tacit_pattern *pattern, keeping *k,
                              const tacit_run *run, tacit_error *err)
{
    tacit_run calm = run ? *run : (tacit_run){0};
    calm.progress = NULL;
    tacit__pattern_give(k->chosen, pattern, k->cells->count);
    tacit_status done =
        tacit__keeper_complete(k->chosen, changed, k->keeper, pattern->stopped ? &calm : run, err);
    if (done == TACIT_OK)
        tacit__pattern_take(pattern, k->status, k->chosen, k->cells->count);
    return done;
}

/* The better of the pattern and the best so far becomes both. */
static tacit_status keep_best(tacit_pattern *pattern, keeping *k, tacit_error *err)
{
    size_t count = (size_t)k->cells->count;
    tacit__pattern_finish(pattern, k->cells);
    bool better = !k->best || pattern->cost < k->best_cost;
    char *copy = tacit__copy_bytes(better ? pattern->status : k->best, count);
    if (!copy)
        return tacit__nomem(err);
    tacit__free(better ? k->best : pattern->status);
    if (better) {
        k->best = copy;
        k->best_cost = pattern->cost;
    } else {
        pattern->status = copy;
    }
    return TACIT_OK;
}

/* Until the cheapest pattern for the demands so far keeps all, or costs no less than one that
 * does. */
static tacit_status solve_keeping(tacit_pattern *pattern, keeping *k, tacit__patch *patch,
                                  const tacit_run *run, tacit_error *err)
{
    bool changed;
    tacit_status done = make_good(&changed, pattern, k, run, err);
    for (changed = true; done == TACIT_OK && changed;) {
        done = solve(pattern, true, k->cells, k->status, patch, run, err);
        if (done == TACIT_OK)
            done = make_good(&changed, pattern, k, run, err);
        if (done != TACIT_OK || !changed)
            break;
        done = keep_best(pattern, k, err);
        bool met = k->best_cost <= pattern->lower_bound * (1 + 1e-9);
        changed = !met && pattern->proven;
        pattern->proven &= met;
    }
    return done;
}

static tacit_status solve_all(tacit_pattern *pattern, bool begun, const tacit_cells *cells,
                              const char *status, tacit__patch *patch,
                              const tacit_suppress_options *options, const tacit_run *run,
                              tacit_error *err)
{
    keeping k = {.cells = cells, .status = status};
    tacit_status done = tacit__keeper_new(&k.keeper, patch, cells, status, options, err);
    if (done != TACIT_OK || !k.keeper)
        return done == TACIT_OK ? solve(pattern, begun, cells, status, patch, run, err) : done;
    k.chosen = tacit__alloc_array((size_t)cells->count, sizeof *k.chosen);
    done = k.chosen ? solve_keeping(pattern, &k, patch, run, err) : tacit__nomem(err);
    tacit__keeper_free(k.keeper);
    tacit__free(k.chosen);
    tacit__free(k.best);
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
        done = solve_all(&pattern, begun, cells, status, &patch, options, run, err);
    tacit__patch_clear(&patch);
    if (done == TACIT_OK) {
        tacit__pattern_finish(&pattern, cells);
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    return done;
}
