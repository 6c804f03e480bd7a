/*
 * bound.c - what no pattern costs less than.
 *
 * Of a table that is not too large: the search over all of it (exact/exact.c), given little work.
 * Its inequalities hold for all patterns, so their program bounds the cost; and where it ends, the
 * pattern is the best there is.
 *
 * Of a large one: subtables that share no cell. An adversary who has a subtable's relations only
 * is weaker, so what it costs to hide its cells from him is a bound on what its own cells cost in
 * any pattern, and bounds of cells apart add up.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/auto/auto.h"
#include "cells/exact/exact.h"

/* Work and branches on a subtable; how many are bounded; those of more cells are left out. */
#define WORK_PART INT64_C(20000000)
enum { NODES_PART = 200, MOST_PARTS = 40, CELLS_PART = 4000 };

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

tacit_status tacit__auto_whole(double *bound, tacit__auto *a, int64_t work, tacit_error *err)
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
        if (p->count < MOST_PARTS && takes(p, i, taken))
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

tacit_status tacit__auto_parts(double *bound, tacit__auto *a, tacit_error *err)
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
