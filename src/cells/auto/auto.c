/*
 * auto.c - the default: the best of several quick constructions, made better over the whole table.
 *
 * 1. Starts: hypercube; hitas; and protecting flows alone, for the cell that needs most first. Each
 *    is made safe over the whole table by proofs (auto.h): where the suppressed cells do not hide
 *    a cell, flows suppress more.
 * 2. Of each, cells are published again that turn out to be unnecessary, the dearest first
 *    (improve.c). The cheapest of them goes on.
 * 3. The whole table by exact search, with little work: a bound on the cost of all patterns, and
 *    where it comes to its end the best of them.
 * 4. Local search: blocks solved again at the least cost, the rest as it is (improve.c).
 *
 * Of a single subtable hitas is the search over the whole table: it comes first, in place of 3, and
 * nothing else does where it comes to its end.
 *
 * A construction's own pattern, seen to by the judge and repair, can be cheaper than what proofs
 * made of it, where something had to be added to it or limits were reached: such patterns go along
 * as rivals, and the cheapest in the end is taken (suppress/suppress.c).
 *
 * What is asked for beyond single cells (suppress/keeper.c) is seen to at the end, by search over
 * the whole table with the demands that patterns fail.
 *
 * All limits are on work, so a run repeats; a stopped one gives the best safe pattern so far. Of a
 * table of more than LARGE cells hitas has little work, and none of a single subtable; only the
 * cheapest of its starts is trimmed, and its bound is that of subtables apart. Where hitas was left
 * out it is asked in the end, up to the cost of what there is by then. If flows and proofs
 * take too much work the cheapest pattern of a construction is left as it is, for the judge and
 * repair.
 *
 * Bounds: inequalities of the search over the whole table hold for all patterns, so their program
 * bounds the cost. Of a large table there are subtables that share no cell. An adversary who has a
 * subtable's relations only is weaker, so what it costs to hide its cells from him is a bound on
 * what its own cells cost in any pattern, and bounds of cells apart add up.
 *
 * Memory: some 100 bytes a cell, the cells of all proofs, and the exact search's.
 */
#include "cells/auto/auto.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/exact/exact.h"

/* Work and branches on a subtable; how many are bounded; those of more cells are left out. */
#define WORK_PART INT64_C(20000000)
enum { NODES_PART = 200, MAX_PARTS = 40, CELLS_PART = 4000 };

/* ---- the whole table ---- */

/* Takes over a pattern that is cheaper, if its proofs are found. */
static tacit_status take_over(tacit__auto *a, const bool *chosen, tacit_error *err)
{
    tacit__cell_list added = {0}, dropped = {0};
    tacit_status status = TACIT_OK;
    bool done;
    for (int32_t i = 0; i < a->cells->count && status == TACIT_OK; i++) {
        bool now = tacit__suppressed(a->status[i]);
        if (chosen[i] != now)
            status = tacit__cell_list_add(now ? &dropped : &added, i, err);
    }
    if (status == TACIT_OK)
        status = tacit__auto_change(&done, a, &dropped, &added, a->cells->count, err);
    tacit__cell_list_clear(&added);
    tacit__cell_list_clear(&dropped);
    return status;
}

/* The whole table by exact search, for so much work: a better pattern, perhaps, and a bound on the
 * cost of all. */
static tacit_status bound_whole(double *bound, tacit__auto *a, int64_t work, tacit_error *err)
{
    tacit__patch patch = {0};
    tacit__exact_result result = {0};
    size_t count = (size_t)a->cells->count;
    double before = tacit__auto_cost(a);
    bool *start = tacit__alloc_array(count, sizeof *start);
    bool *chosen = tacit__alloc_array(count, sizeof *chosen);
    tacit__exact_limits limits = {.nodes = INT32_MAX, .start = start};
    tacit_status status = start && chosen ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__patch_of_all(&patch, a->cells, a->given, a->largest, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        start[i] = tacit__suppressed(a->status[i]);
    limits.work = tacit__exact_work(&patch, work);
    if (status == TACIT_OK)
        status = tacit__exact_solve(chosen, &result, &patch, &limits, a->run, err);
    if (status == TACIT_OK) {
        *bound = fmax(*bound, result.bound);
        if (result.cost < before - 1e-9 * (1 + before))
            status = take_over(a, chosen, err);
    }
    if (status == TACIT_OK && result.stopped)
        status = TACIT_CANCELLED;
    tacit__patch_clear(&patch);
    tacit__free(start);
    tacit__free(chosen);
    return status;
}

/* ---- parts ---- */

/* Subtables that are bounded apart. */
typedef struct parts {
    tacit__auto *a;
    tacit__subtables *subtables;
    tacit__subtables_view *views; /* a worker each */
    int workers;
    int32_t *list;
    int32_t count;
    double *bounds; /* one for each */
} parts;

/* Whether a subtable has a cell that must be hidden, and none of another in the list. */
static bool takes(parts *p, int32_t index, bool *taken)
{
    const int32_t *cells;
    int32_t many = tacit__subtable_cells(&cells, &p->views[0], p->subtables, index);
    bool needy = false;
    for (int32_t i = 0; i < many; i++) {
        if (taken[cells[i]])
            return false;
        needy |= tacit__suppressed(p->a->given[cells[i]]);
    }
    if (!needy || many > CELLS_PART)
        return false;
    for (int32_t i = 0; i < many; i++)
        taken[cells[i]] = true;
    return true;
}

/* From the bottom up: that is where most cells are. */
static tacit_status list_parts(parts *p, tacit_error *err)
{
    bool *taken = tacit__alloc_zeroed((size_t)p->a->cells->count, sizeof *taken);
    p->list = tacit__alloc_array((size_t)p->subtables->count, sizeof *p->list);
    tacit_status status = taken && p->list ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = p->subtables->count; i-- > 0 && status == TACIT_OK;)
        if (p->count < MAX_PARTS && takes(p, i, taken))
            p->list[p->count++] = i;
    p->bounds = tacit__alloc_zeroed((size_t)p->count, sizeof *p->bounds);
    tacit__free(taken);
    return status == TACIT_OK && !p->bounds ? tacit__nomem(err) : status;
}

static tacit_status bound_part(void *context, int64_t task, int worker, tacit_error *err)
{
    parts *p = context;
    tacit__patch patch;
    tacit__exact_result result = {0};
    static const tacit__exact_limits LIMITS = {.work = WORK_PART, .nodes = NODES_PART};
    tacit_status status = tacit__patch_of_subtable(&patch, p->subtables, p->list[task], p->a->given,
                                                   &p->views[worker], p->a->largest, err);
    if (status != TACIT_OK)
        return status;
    bool *chosen = tacit__alloc_array((size_t)patch.count, sizeof *chosen);
    status = chosen ? tacit__exact_solve(chosen, &result, &patch, &LIMITS, NULL, err)
                    : tacit__nomem(err);
    p->bounds[task] = status == TACIT_OK && result.unprotected < 0 ? result.bound : 0;
    tacit__patch_clear(&patch);
    tacit__free(chosen);
    return status;
}

/* A bound from subtables that share no cell. */
static tacit_status bound_parts(double *bound, tacit__auto *a, tacit_error *err)
{
    parts p = {.a = a, .workers = tacit__threads(a->run)};
    double sum = 0;
    tacit_status status = tacit__subtables_new(&p.subtables, a->cells, err);
    if (status == TACIT_OK)
        status = tacit__views_new(&p.views, p.subtables, p.workers, err);
    if (status == TACIT_OK)
        status = list_parts(&p, err);
    if (status == TACIT_OK)
        status = tacit__parallel(a->run, "bounds", p.count, bound_part, &p, err);
    for (int32_t i = 0; i < p.count && status == TACIT_OK; i++)
        sum += p.bounds[i];
    if (status == TACIT_OK)
        *bound = fmax(*bound, sum);
    tacit__views_free(p.views, p.workers);
    tacit__free(p.list);
    tacit__free(p.bounds);
    tacit__subtables_free(p.subtables);
    return status;
}

/* Cells of tables that are large; work on finding proofs again, on trimming a start, on the search
 * over the whole table, and on all starts; and of large tables, on hitas, on all starts and on
 * trimming. */
enum { LARGE = 50000 };
#define WORK_PROOFS     INT64_C(1000000000)
#define WORK_TRIM       INT64_C(300000000)
#define WORK_WHOLE      INT64_C(4500000000)
#define WORK_HITAS      INT64_C(2000000000)
#define WORK_STARTS     INT64_C(8000000000)
#define WORK_LARGE      INT64_C(60000000000)
#define WORK_TRIM_LARGE INT64_C(6000000000)

/* Suppressed cells of the largest window of a start's proofs. */
enum { WINDOW = 4000, WINDOW_LARGE = 900 };

/* ---- starts ---- */

/* The best pattern so far. */
typedef struct best {
    char *status; /* safe, unless it is raw or a cell is unprotected */
    double cost;  /* INFINITY: there is none */
    bool raw;     /* as a construction gave it */
    int32_t unprotected;
} best;

typedef struct job {
    tacit__auto a;
    const tacit_suppress_options *options;
    bool large;
    int32_t subtables;
    bool searched; /* over the whole table, by hitas */
    bool by_hitas; /* there is a pattern of hitas */
    char *rivals;  /* letters of constructions, one pattern after the other */
    size_t rival_capacity;
    int32_t rival_count;
    best best;
    bool here;    /* the best is the one under work, with its proofs */
    double bound; /* no pattern's new cells cost less */
} job;

/* Whether there is nothing to be made better. */
static bool settled(const job *j)
{
    return j->best.unprotected >= 0 || j->best.cost <= j->bound + 1e-9 * (1 + j->bound);
}

static void keep(job *j, int32_t unprotected)
{
    double cost = tacit__auto_cost(&j->a);
    bool better = cost < j->best.cost;
    if (unprotected >= 0 ? isfinite(j->best.cost) : j->best.unprotected < 0 && !better)
        return;
    j->here = true;
    j->best.cost = cost;
    j->best.unprotected = unprotected;
    j->best.raw = false;
    memcpy(j->best.status, j->a.status, (size_t)j->a.cells->count);
}

/* Whether more is suppressed than these letters have. */
static bool has_more(const tacit__auto *a, const char *status)
{
    for (int32_t i = 0; i < a->cells->count; i++)
        if (tacit__suppressed(a->status[i]) && !tacit__suppressed(status[i]))
            return true;
    return false;
}

/* Proofs for the letters, then without what is unnecessary. *done false: a large table takes too
 * much work, or a cell is not hidden by what windows of it hold. *sound: nothing was added, so what
 * is kept costs no more than the letters do. */
static tacit_status secure(bool *done, bool *sound, job *j, const char *status, int32_t window,
                           tacit_error *err)
{
    int32_t unprotected;
    tacit__auto *a = &j->a;
    j->here = false;
    tacit__auto_reset(a, status);
    int64_t enough = j->large ? WORK_LARGE : WORK_STARTS;
    tacit_status result = tacit__auto_protect(&unprotected, a, window, true, enough, err);
    *done = result == TACIT_OK && (unprotected == -1 || (!j->large && unprotected >= 0));
    *sound = *done && !has_more(a, status);
    if (!*done)
        return result;
    tacit__auto_prune(a);
    keep(j, unprotected);
    if (!j->large)
        result = tacit__auto_trim(a, WORK_TRIM, err);
    keep(j, unprotected);
    return result;
}

/* Keeps the letters that a construction gave, for the judge. */
static tacit_status add_rival(job *j, const char *status, tacit_error *err)
{
    size_t count = (size_t)j->a.cells->count, before = (size_t)j->rival_count * count;
    if (!tacit__reserve((void **)&j->rivals, &j->rival_capacity, before + count, 1))
        return tacit__nomem(err);
    memcpy(j->rivals + before, status, count);
    j->rival_count++;
    return TACIT_OK;
}

static bool asked_for_more(const job *j)
{
    return j->options->singletons || j->options->sums;
}

/* Takes a pattern that a construction gave; one that is not made safe where no other is. */
static tacit_status take(job *j, const tacit_pattern *pattern, tacit_error *err)
{
    bool done, sound = false;
    tacit_status status =
        secure(&done, &sound, j, pattern->status, j->large ? WINDOW_LARGE : WINDOW, err);
    if (status == TACIT_OK && (!sound || asked_for_more(j)))
        status = add_rival(j, pattern->status, err);
    if (status == TACIT_OK && !done && (!isfinite(j->best.cost) || j->best.raw)) {
        tacit__auto_reset(&j->a, pattern->status);
        keep(j, -1);
        j->here = false;
        j->best.raw = true;
    }
    return status;
}

static tacit_status start_hypercube(job *j, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit__auto *a = &j->a;
    tacit_status status =
        tacit__hypercube_solve(&pattern, a->cells, a->given, j->options, a->run, err);
    if (status == TACIT_OK)
        status = take(j, &pattern, err);
    tacit_pattern_clear(&pattern);
    return status;
}

static tacit_status start_hitas(job *j, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit__auto *a = &j->a;
    const tacit__hitas_limits limits = {.work = j->large ? WORK_HITAS : INT64_MAX,
                                        .times = tacit__hitas_times(j->options),
                                        .cost = INFINITY};
    tacit_status status =
        tacit__hitas_within(&pattern, &j->by_hitas, a->cells, a->given, &limits, a->run, err);
    if (status == TACIT_OK && j->by_hitas)
        status = take(j, &pattern, err);
    tacit_pattern_clear(&pattern);
    return status;
}

/* Of a single subtable what hitas gives is safe over the whole table, and its bound holds. */
static tacit_status search_single(job *j, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit__auto *a = &j->a;
    tacit_status status = tacit__hitas_solve(&pattern, a->cells, a->given, j->options, a->run, err);
    if (status == TACIT_OK) {
        tacit__auto_reset(a, pattern.status);
        keep(j, pattern.unprotected);
        j->here = false;
        j->searched = j->by_hitas = true;
        j->bound = fmax(0, pattern.lower_bound - tacit__cost_given(j->a.cells, j->a.given));
    }
    if (status == TACIT_OK && asked_for_more(j))
        status = add_rival(j, pattern.status, err);
    if (status == TACIT_OK && pattern.stopped)
        status = TACIT_CANCELLED;
    tacit_pattern_clear(&pattern);
    return status;
}

static tacit_status count_subtables(job *j, tacit_error *err)
{
    tacit__subtables *subtables = NULL;
    tacit_status status = tacit__subtables_new(&subtables, j->a.cells, err);
    j->subtables = status == TACIT_OK ? subtables->count : 0;
    tacit__subtables_free(subtables);
    return status;
}

static tacit_status start_all(job *j, tacit_error *err)
{
    bool done, sound;
    tacit_status status = count_subtables(j, err);
    if (status == TACIT_OK && j->subtables == 1 && !j->large)
        status = search_single(j, err);
    if (status == TACIT_OK && !settled(j))
        status = start_hypercube(j, err);
    if (status == TACIT_OK && !settled(j) && j->subtables > 1)
        status = start_hitas(j, err);
    if (status == TACIT_OK && !settled(j))
        status = secure(&done, &sound, j, j->a.given, 0, err);
    return status;
}

/* ---- better ones ---- */

/* The best pattern with its proofs again. */
static tacit_status find_again(bool *ready, job *j, tacit_error *err)
{
    int32_t unprotected;
    tacit__auto_reset(&j->a, j->best.status);
    tacit_status status =
        tacit__auto_protect(&unprotected, &j->a, j->large ? WINDOW_LARGE : j->a.cells->count, false,
                            j->a.work + WORK_PROOFS, err);
    *ready = unprotected == -1;
    return status;
}

/* The same, without what is unnecessary where that was not looked for yet. */
static tacit_status resume(bool *ready, job *j, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *ready = j->large && j->here;
    if (!*ready)
        status = find_again(ready, j, err);
    if (status == TACIT_OK && *ready && j->large) {
        status = tacit__auto_trim(&j->a, WORK_TRIM_LARGE, err);
        keep(j, -1);
    }
    return status;
}

static tacit_status improve(tacit_pattern *pattern, job *j, tacit_error *err)
{
    tacit__auto *a = &j->a;
    bool ready = false;
    int64_t rounds = j->options->rounds;
    tacit_status status = resume(&ready, j, err);
    if (status == TACIT_OK && j->large)
        status = bound_parts(&j->bound, a, err);
    else if (status == TACIT_OK && ready && !j->searched)
        status = bound_whole(&j->bound, a, WORK_WHOLE, err);
    if (status == TACIT_OK && ready)
        keep(j, -1);
    if (status == TACIT_OK && ready && rounds >= 0 && !settled(j))
        status = tacit__auto_blocks(&pattern->rounds, a, rounds, j->bound, err);
    if (ready)
        keep(j, -1);
    return status;
}

/* Hitas where it was left out, unless it is known to be dearer before it ends. */
static tacit_status ask_hitas(job *j, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit__auto *a = &j->a;
    const tacit__hitas_limits limits = {
        .work = INT64_MAX, .cost = j->best.cost, .times = tacit__hitas_times(j->options)};
    bool done = false;
    tacit_status status =
        tacit__hitas_within(&pattern, &done, a->cells, a->given, &limits, a->run, err);
    if (status == TACIT_OK && pattern.stopped)
        status = TACIT_CANCELLED;
    else if (status == TACIT_OK && done)
        status = add_rival(j, pattern.status, err);
    tacit_pattern_clear(&pattern);
    return status;
}

/* ---- the method ---- */

static tacit_status search(tacit_pattern *pattern, job *j, tacit_error *err)
{
    tacit_status status = start_all(j, err);
    if (status == TACIT_OK && !settled(j))
        status = improve(pattern, j, err);
    if (status == TACIT_OK && !settled(j) && !j->by_hitas && j->options->rounds >= 0)
        status = ask_hitas(j, err);
    pattern->stopped = status == TACIT_CANCELLED && isfinite(j->best.cost);
    return pattern->stopped ? TACIT_OK : status;
}

/* What the letters of a rival cost beside those to begin with. */
static double rival_cost(const job *j, const char *status)
{
    double cost = 0;
    for (int32_t i = 0; i < j->a.cells->count; i++)
        if (tacit__suppressed(status[i]) && !tacit__suppressed(j->a.given[i]))
            cost += j->a.cells->cost[i];
    return cost;
}

/* Rivals that may be cheaper. Of a large table only those that are to begin with: the judge takes
 * long there, and takes cells away again only where trees cut across each other. */
static void give_rivals(tacit_pattern *pattern, job *j)
{
    size_t count = (size_t)j->a.cells->count;
    if (pattern->proven || pattern->stopped || pattern->unprotected >= 0)
        return;
    for (int32_t k = 0; k < j->rival_count; k++) {
        const char *rival = j->rivals + (size_t)k * count;
        bool same = memcmp(rival, pattern->status, count) == 0;
        if (same || (j->large && rival_cost(j, rival) >= j->best.cost))
            continue;
        memmove(j->rivals + (size_t)pattern->rival_count++ * count, rival, count);
    }
    pattern->rivals = j->rivals;
    j->rivals = NULL;
}

static void finish(tacit_pattern *pattern, const job *j)
{
    const tacit_cells *cells = j->a.cells;
    memcpy(pattern->status, j->best.status, (size_t)cells->count);
    pattern->unprotected = j->best.unprotected;
    pattern->subtables = j->subtables;
    tacit__pattern_finish(pattern, cells);
    pattern->proven = pattern->unprotected < 0 && settled(j);
    if (pattern->proven)
        pattern->lower_bound = pattern->cost;
    else if (j->bound > 0)
        pattern->lower_bound = j->bound + tacit__cost_given(j->a.cells, j->a.given);
}

/* What is asked for beyond single cells the whole table is searched for, from there. A run that is
 * stopped leaves it to be made good as for other methods. */
static tacit_status see_to_demands(tacit_pattern *pattern, const job *j, tacit_error *err)
{
    const tacit_cells *cells = j->a.cells;
    double bound = pattern->lower_bound;
    if (!asked_for_more(j) || j->large || pattern->stopped || pattern->unprotected >= 0)
        return TACIT_OK;
    tacit_status status = tacit__whole_solve(pattern, TACIT__WHOLE_SAFE, cells, j->a.given,
                                             j->options, WORK_WHOLE, j->a.run, err);
    if (status == TACIT_CANCELLED) {
        finish(pattern, j);
        pattern->proven = false;
        pattern->stopped = true;
        return TACIT_OK;
    }
    pattern->lower_bound = fmax(bound, pattern->lower_bound);
    return status;
}

tacit_status tacit__suppress_auto(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_pattern pattern = {0};
    job j = {.options = options,
             .large = cells->count > LARGE,
             .best = {.cost = INFINITY, .unprotected = -1}};
    tacit_status result = tacit__auto_init(&j.a, cells, status, run, err);
    if (result == TACIT_OK)
        result = tacit__pattern_init(&pattern, cells, status, err);
    j.best.status = tacit__copy_bytes(status, (size_t)cells->count);
    if (result == TACIT_OK && !j.best.status)
        result = tacit__nomem(err);
    if (result == TACIT_OK)
        result = search(&pattern, &j, err);
    if (result == TACIT_OK) {
        finish(&pattern, &j);
        result = see_to_demands(&pattern, &j, err);
    }
    if (result == TACIT_OK) {
        give_rivals(&pattern, &j);
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    tacit__free(j.rivals);
    tacit__free(j.best.status);
    tacit__auto_clear(&j.a);
    return result;
}
