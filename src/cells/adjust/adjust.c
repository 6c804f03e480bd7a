/*
 * adjust.c - controlled tabular adjustment: primary cells are published beyond their levels, the
 * others as they are or as near as sums allow (Dandekar and Cox 2002; Castro 2006).
 *
 * Which way each primary cell goes is the hard part. A guess is made better as long as the duals
 * promise something (signs.c); then branch and bound (tree.c) proves that nothing
 * is nearer, or ends after TREE_WORK with a bound. Limits are on the simplex method's work, so
 * results do not depend on the clock. A run that is stopped leaves its best table.
 *
 * Cells that must be published and zeros stay; values stay within their bounds and multiples of
 * the unit that all of them are multiples of, mostly 1: in two dimensions that asks for nothing
 * more. Only where no table in whole units was found within the limits fractions are published.
 */
#include "cells/adjust/adjust.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Iterations times columns. */
#define TREE_WORK INT64_C(50000000)
#define NAME_WORK INT64_C(20000000)

void tacit__nearest_take(tacit__adjust_nearest *nearest, const tacit__adjust *adjust)
{
    if (!adjust->found || !adjust->fits || adjust->distance >= nearest->distance)
        return;
    nearest->found = true;
    nearest->distance = adjust->distance;
    memcpy(nearest->change, adjust->change, (size_t)adjust->cells->count * sizeof *nearest->change);
    memcpy(nearest->ways, adjust->ways, (size_t)adjust->count * sizeof *nearest->ways);
}

/* ---- no table ---- */

/* A primary cell that cannot go either way though all others may stay; the first if each can. */
static tacit_status name_infeasible(tacit__adjust *a, bool proven, bool barred, tacit_error *err)
{
    int32_t cell = a->movers[0].cell;
    bool stuck = false;
    int64_t most = a->work + NAME_WORK;
    int8_t *ways = tacit__alloc_zeroed((size_t)a->count, sizeof *ways);
    tacit_status status = ways ? TACIT_OK : tacit__nomem(err);
    for (int32_t k = 0; k < a->count && !stuck && a->work < most && status == TACIT_OK; k++) {
        bool can = false;
        for (int way = -1; way <= 1 && !can && status == TACIT_OK; way += 2) {
            ways[k] = (int8_t)way;
            if (tacit__can_go(&a->movers[k], way))
                status = tacit__adjust_solve(a, ways, err);
            can = status == TACIT_OK && tacit__can_go(&a->movers[k], way) && !a->proven;
        }
        ways[k] = TACIT__OPEN;
        stuck = status == TACIT_OK && !can;
        cell = stuck ? a->movers[k].cell : cell;
    }
    tacit__free(ways);
    if (status != TACIT_OK)
        return status;
    char name[160];
    const tacit_cells *cells = a->cells;
    tacit_cells_describe(cells, cell, name, sizeof name);
    int64_t line = cells->line ? cells->line[cell] : 0;
    if (barred)
        return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                               "no table was found in which all primary cells, %s among them, "
                               "are moved by their levels and sums do not tell which way",
                               name);
    if (stuck)
        return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                               "cell %s cannot be moved by its levels: zeros and cells that must "
                               "be published leave nothing to make up for it",
                               name);
    return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                           "%s in which all primary cells, %s among them, are moved by their "
                           "levels, with zeros and cells that must be published as they are",
                           proven ? "there is no table" : "no table was found", name);
}

/* ---- the search ---- */

/* The program with all ways open, while it starts from nothing, which is where it is quick: a bound
 * on all tables, whole or not. */
static tacit_status find_bound(tacit__adjust_nearest *nearest, tacit__adjust *a, tacit_error *err)
{
    tacit_status status = tacit__adjust_solve(a, nearest->ways, err);
    if (status == TACIT_OK && a->found)
        nearest->bound = fmax(0, a->bound);
    if (status == TACIT_OK && !a->found)
        nearest->proven = a->proven;
    return status;
}

static tacit_status search(tacit__adjust_nearest *nearest, tacit__adjust *a, bool barred,
                           tacit_error *err)
{
    tacit_status status = find_bound(nearest, a, err);
    double bound = nearest->bound;
    if (status == TACIT_OK && !nearest->proven)
        status = tacit__adjust_signs(nearest, a, err);
    if (status == TACIT_OK && !nearest->proven)
        status = tacit__adjust_tree(nearest, a, TREE_WORK, err);
    if (status == TACIT_OK && !nearest->found && !nearest->proven && a->whole) {
        a->whole = false;
        nearest->bound = bound;
        status = tacit__adjust_signs(nearest, a, err);
    }
    if (status == TACIT_OK && !nearest->found)
        status = name_infeasible(a, nearest->proven, barred, err);
    return status;
}

/* Whoever stops the search gets what there is. */
static bool was_stopped(tacit_status status, const tacit__adjust_nearest *nearest, tacit_error *err)
{
    if (status != TACIT_CANCELLED || !nearest->found)
        return false;
    if (err)
        *err = (tacit_error){0};
    return true;
}

/* ---- the result ---- */

/* In units where values are whole numbers of them, so that 0.1 and 0.2 are 0.3. */
static double published(const tacit__adjust *a, int32_t cell, double change)
{
    double value = a->cells->value[cell];
    if (change == 0)
        return value;
    double per_unit = nearbyint(1 / a->unit);
    return a->whole ? (nearbyint(value * per_unit) + change) / per_unit : value + a->unit * change;
}

static tacit_status fill(tacit_altered *out, const tacit__adjust *a,
                         const tacit__adjust_nearest *nearest, const tacit_alter_options *options,
                         tacit_error *err)
{
    for (int32_t i = 0; i < a->cells->count; i++)
        out->value[i] = published(a, i, nearest->change[i]);
    tacit_status status = tacit__altered_measure(out, a->cells, options, err);
    out->lower_bound = fmin(nearest->bound, out->distance);
    out->proven = nearest->proven;
    return status;
}

static tacit_status adjust_all(tacit_altered *out, tacit__adjust *a, tacit__adjust_nearest *nearest,
                               const tacit_alter_options *options, tacit_error *err)
{
    size_t count = (size_t)a->cells->count;
    nearest->change = tacit__alloc_zeroed(count, sizeof *nearest->change);
    nearest->ways = tacit__alloc_zeroed((size_t)a->count, sizeof *nearest->ways);
    if (!nearest->change || !nearest->ways)
        return tacit__nomem(err);
    tacit_status status = search(nearest, a, options->barred != NULL, err);
    if (was_stopped(status, nearest, err)) {
        out->stopped = true;
        status = TACIT_OK;
    }
    return status == TACIT_OK ? fill(out, a, nearest, options, err) : status;
}

tacit_status tacit__adjust_values(tacit_altered *out, const tacit_cells *cells,
                                  const tacit_alter_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__adjust adjust = {0};
    tacit__adjust_nearest nearest = {.distance = INFINITY};
    tacit_altered altered = {0};
    tacit_status status = tacit__altered_init(&altered, cells, err);
    if (status == TACIT_OK)
        status = tacit__adjust_init(&adjust, cells, options, run, err);
    if (status == TACIT_OK)
        status = adjust_all(&altered, &adjust, &nearest, options, err);
    tacit__adjust_clear(&adjust);
    tacit__free(nearest.change);
    tacit__free(nearest.ways);
    if (status == TACIT_OK)
        *out = altered;
    else
        tacit_altered_clear(&altered);
    return status;
}
