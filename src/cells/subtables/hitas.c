/*
 * hitas.c - subtables solved to optimality from the top of the hierarchies down (de Wolf 2002;
 * Meindl, section 2.4).
 *
 * Subtables are taken batch by batch, a batch being those with the same levels, which share no
 * cell. Each is solved by itself (exact/exact.c): its primary cells keep their protection
 * intervals, and what earlier subtables suppressed is not known exactly. What it suppresses is
 * carried on to all other subtables that hold it. Those further down come later anyway; where
 * one further up holds it, that is gone back to at once, before going on (backtracking). It
 * ends because cells only ever become suppressed.
 *
 * Subtables of a batch are solved in parallel, from the letters before the batch, and their
 * cells are joined afterwards, so the result does not depend on threads. Where they do share
 * cells (several trees of a dimension), what one adds is seen by the others when the batch is
 * looked at again.
 *
 * Who calls it may limit the work on all subtables together, and what the suppressed cells cost.
 * Work is looked at after every so many of them, cost after every batch, the same for any number of
 * threads, and what is there when a limit is reached is no pattern.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/exact/exact.h"
#include "cells/subtables/subtables.h"

/* Work on all subtables, of which each has a share by the number of its cells, half of that when
 * it is solved again and so on, but some in any case; and branches of one. The exact search counts
 * iterations times the size of a program, which makes too little of small ones: one below SMALL
 * counts as one of that, with some iterations in any case. Ten seconds or so for the first. */
#define WORK_ALL   1e9
#define WORK_LEAST 2e7
enum { SMALL = 1600, STEPS_LEAST = 25000, MAX_NODES = 5000 };

/* Work on all subtables, by tacit__work_of, after which each has the least divided by this: many
 * small ones take long together. Some twenty seconds. */
#define WORK_MAX 4e9
enum { LEAST_PART = 50 };

/* Subtables after which it is looked at how much work is left. */
enum { AT_ONCE = 64 };

/* A subtable to be solved now, and what came out. */
typedef struct job {
    int32_t subtable;
    int32_t suppressed; /* before */
    int64_t work;       /* that may be done, as exact/exact.h counts it, */
    int64_t steps;      /* and iterations */
    int64_t worked;     /* as auto/auto.h counts it */
    int32_t *cells;     /* to be suppressed */
    int32_t count;
    tacit__exact_result result;
    int32_t unprotected; /* a cell of the table; -1: none */
} job;

typedef struct hitas {
    const tacit_cells *cells;
    tacit__subtables *subtables;
    char *status;
    int32_t *settled; /* suppressed cells of each subtable when it was last solved; -1: never */
    int64_t *shares;  /* of the work, of each subtable when it is solved next */
    double largest;
    tacit__subtables_view *views; /* a worker each */
    int workers;
    job *jobs; /* of the batch in hand */
    int32_t job_count;
    int32_t first;          /* of the jobs that are done at once */
    int64_t left;           /* of the work on all subtables, */
    int64_t worked;         /* and what was done */
    double times;           /* how often the usual work may be done */
    double cost;            /* of the cells suppressed so far, */
    double most;            /* and at most */
    const tacit_run *inner; /* for programs: NULL while several run at once */
    tacit_pattern *pattern;
    double bound; /* of the subtable solved last */
} hitas;

/* ---- one subtable ---- */

static void take_result(job *j, const tacit__patch *patch, const bool *chosen)
{
    for (int32_t i = 0; i < patch->count; i++)
        if (chosen[i] && !patch->suppressed[i])
            j->cells[j->count++] = patch->cells[i];
    j->unprotected = j->result.unprotected < 0 ? -1 : patch->cells[j->result.unprotected];
}

static tacit_status solve_patch(job *j, tacit__patch *patch, const tacit_run *run, tacit_error *err)
{
    int64_t small = tacit__work_within((double)tacit__patch_size(patch), (double)j->steps);
    tacit__exact_limits limits = {.work = small < j->work ? small : j->work, .nodes = MAX_NODES};
    bool *chosen = tacit__alloc_array((size_t)patch->count, sizeof *chosen);
    j->cells = tacit__alloc_array((size_t)patch->count, sizeof *j->cells);
    tacit_status status = chosen && j->cells ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__exact_solve(chosen, &j->result, patch, &limits, run, err);
    if (status == TACIT_OK)
        take_result(j, patch, chosen);
    j->worked = tacit__work_of(patch, j->result.iterations);
    tacit__free(chosen);
    return status;
}

static tacit_status do_job(void *context, int64_t task, int worker, tacit_error *err)
{
    hitas *h = context;
    job *j = &h->jobs[h->first + task];
    tacit__patch patch;
    tacit_status status = tacit__patch_of_subtable(&patch, h->subtables, j->subtable, h->status,
                                                   &h->views[worker], h->largest, err);
    if (status != TACIT_OK)
        return status;
    status = solve_patch(j, &patch, h->inner, err);
    tacit__patch_clear(&patch);
    return status;
}

/* ---- one batch ---- */

static int32_t count_suppressed(hitas *h, int32_t subtable)
{
    const int32_t *cells;
    int32_t count = 0, many = tacit__subtable_cells(&cells, &h->views[0], h->subtables, subtable);
    for (int32_t i = 0; i < many; i++)
        count += tacit__suppressed(h->status[cells[i]]);
    return count;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What may be done on a subtable next. */
static void limit_job(job *j, const hitas *h)
{
    int64_t share = h->shares[j->subtable], least = tacit__work_within(WORK_LEAST, h->times),
            steps = tacit__work_within(STEPS_LEAST, h->times);
    bool enough = h->worked > tacit__work_within(WORK_MAX, h->times);
    j->work = enough ? least / LEAST_PART : larger(share, least);
    j->steps = enough ? steps / LEAST_PART : larger(share / SMALL, steps);
}

/* Subtables from `from` to `to` that have more suppressed cells than when they were solved. */
static void list_jobs(hitas *h, int32_t from, int32_t to)
{
    h->job_count = 0;
    for (int32_t i = from; i < to; i++) {
        int32_t suppressed = count_suppressed(h, i);
        if (suppressed == h->settled[i])
            continue;
        h->settled[i] = suppressed;
        if (suppressed == 0)
            continue;
        h->jobs[h->job_count] = (job){.subtable = i, .suppressed = suppressed};
        limit_job(&h->jobs[h->job_count++], h);
        h->shares[i] /= 2;
    }
}

/* Takes over what the jobs found. */
static void join(hitas *h)
{
    for (int32_t k = 0; k < h->job_count; k++) {
        job *j = &h->jobs[k];
        for (int32_t i = 0; i < j->count; i++) {
            h->cost += tacit__suppressed(h->status[j->cells[i]]) ? 0 : h->cells->cost[j->cells[i]];
            h->status[j->cells[i]] = TACIT_CELL_SECONDARY;
        }
        h->settled[j->subtable] = j->suppressed + j->count;
        h->pattern->proven &= j->result.proven;
        h->bound = j->result.bound;
        if (h->pattern->unprotected < 0)
            h->pattern->unprotected = j->unprotected;
    }
}

static void count_work(hitas *h, const job *j)
{
    h->left -= j->worked;
    h->worked += j->worked;
}

/* Does the jobs, as long as there is work left. */
static tacit_status do_jobs(hitas *h, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    h->inner = NULL;
    for (h->first = 0; h->first < h->job_count && h->left > 0 && status == TACIT_OK;) {
        int32_t rest = h->job_count - h->first, many = rest < AT_ONCE ? rest : AT_ONCE;
        status = tacit__parallel(run, "subtables", many, do_job, h, err);
        for (int32_t k = 0; k < many; k++)
            count_work(h, &h->jobs[h->first++]);
    }
    return status;
}

/* A single job is stopped in the midst of it. Its best pattern so far is one of the table, if that
 * has no other subtables. */
static tacit_status do_single(hitas *h, const tacit_run *run, tacit_error *err)
{
    h->first = 0;
    h->inner = run;
    tacit_status status = do_job(h, 0, 0, err);
    count_work(h, &h->jobs[0]);
    h->pattern->stopped = h->jobs[0].result.stopped && h->subtables->count == 1;
    if (status == TACIT_OK && !h->pattern->stopped)
        status = tacit__progress(run, "subtables", 1, 1, err);
    return status;
}

static tacit_status do_batch(hitas *h, int32_t from, int32_t to, bool *any, const tacit_run *run,
                             tacit_error *err)
{
    list_jobs(h, from, to);
    *any = h->job_count > 0;
    tacit_status status = h->job_count == 1 ? do_single(h, run, err) : do_jobs(h, run, err);
    if (status == TACIT_OK)
        join(h);
    for (int32_t k = 0; k < h->job_count; k++)
        tacit__free(h->jobs[k].cells);
    h->job_count = 0;
    return status;
}

static bool may_go_on(const hitas *h)
{
    return h->left > 0 && h->cost <= h->most;
}

/* Batches from the top; after one that had work, back to the first that has. */
static tacit_status do_batches(hitas *h, const tacit_run *run, tacit_error *err)
{
    const int32_t *starts = h->subtables->batch_starts;
    int32_t count = h->subtables->batch_count, reached = 0;
    tacit_status status = TACIT_OK;
    for (int32_t b = 0; b < count && may_go_on(h) && status == TACIT_OK;) {
        bool any = false;
        status = do_batch(h, starts[b], starts[b + 1], &any, run, err);
        h->pattern->rounds += any && b < reached;
        reached = b > reached ? b : reached;
        b = any ? 0 : b + 1;
    }
    return status;
}

/* ---- the method ---- */

static void share_work(hitas *h)
{
    const int32_t *cells;
    double all = 0;
    for (int32_t i = 0; i < h->subtables->count; i++)
        all +=
            (double)(h->shares[i] = tacit__subtable_cells(&cells, &h->views[0], h->subtables, i));
    for (int32_t i = 0; i < h->subtables->count; i++)
        h->shares[i] = tacit__work_within(WORK_ALL * ((double)h->shares[i] / all), h->times);
}

static tacit_status begin(hitas *h, const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__subtables_new(&h->subtables, h->cells, err);
    if (status != TACIT_OK)
        return status;
    size_t count = (size_t)h->subtables->count;
    h->settled = tacit__alloc_array(count, sizeof *h->settled);
    h->shares = tacit__alloc_array(count, sizeof *h->shares);
    h->jobs = tacit__alloc_array(count, sizeof *h->jobs);
    if (!h->settled || !h->shares || !h->jobs)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        h->settled[i] = -1;
    h->largest = tacit__largest_value(h->cells);
    h->workers = tacit__threads(run);
    status = tacit__views_new(&h->views, h->subtables, h->workers, err);
    if (status == TACIT_OK)
        share_work(h);
    return status;
}

static void hitas_clear(hitas *h)
{
    tacit__views_free(h->views, h->workers);
    tacit__free(h->settled);
    tacit__free(h->shares);
    tacit__free(h->jobs);
    tacit__subtables_free(h->subtables);
}

/* Of a single subtable it is known how good its pattern is. status: letters to begin with. */
static void say_bound(hitas *h, const char *status)
{
    if (h->pattern->subtables != 1) {
        h->pattern->proven = false;
        return;
    }
    h->pattern->lower_bound = h->bound + tacit__cost_given(h->cells, status);
}

tacit_status tacit__hitas_within(tacit_pattern *out, bool *done, const tacit_cells *cells,
                                 const char *status, const tacit__hitas_limits *limits,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_pattern pattern = {0};
    hitas h = {.cells = cells,
               .pattern = &pattern,
               .left = limits->work,
               .most = limits->cost,
               .times = limits->times};
    tacit_status result = tacit__pattern_init(&pattern, cells, status, err);
    h.status = pattern.status;
    pattern.proven = true;
    if (result == TACIT_OK)
        result = begin(&h, run, err);
    if (result == TACIT_OK)
        result = do_batches(&h, run, err);
    *done = may_go_on(&h);
    if (result == TACIT_OK) {
        pattern.subtables = h.subtables->count;
        pattern.rounds++;
        tacit__pattern_finish(&pattern, cells);
        say_bound(&h, status);
    }
    hitas_clear(&h);
    if (result == TACIT_OK)
        *out = pattern;
    else
        tacit_pattern_clear(&pattern);
    return result;
}

tacit_status tacit__hitas_solve(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, const tacit_run *run,
                                tacit_error *err)
{
    const tacit__hitas_limits none = {
        .work = INT64_MAX, .cost = INFINITY, .times = tacit__hitas_times(options)};
    bool done;
    return tacit__hitas_within(out, &done, cells, status, &none, run, err);
}
