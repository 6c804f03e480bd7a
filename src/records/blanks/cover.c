/*
 * cover.c - good blanks for tables of any size.
 *
 * One row that is blank in a few columns agrees with all rows that differ from it only there,
 * so a few blanks make many rows safe: a weighted set multicover, of classes in need by
 * boxes (cover.h). Steps:
 *
 *   1. Boxes of every set of columns that limits allow, as far as they can be afforded.
 *   2. Donors by a greedy. Where it uses up columns, again with blanks there dearer.
 *   3. Where there are more sets than were looked at: donors whose blanks are grown. And where
 *      limits allow it k - 1 whole rows, the paper's bound. The cheapest stays.
 *   4. A lower bound by packing.
 *   5. Improvement: some donors taken away and replaced, again and again.
 *   6. Rows that no box of k rows holds are paired with their nearest.
 *   7. In tables of a few dozen rows: rows share blanks.
 *
 * Cost follows the classes in need times the sets of columns, and a look at every class for
 * each set. Effort is counted, never timed; nothing depends on threads.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/blanks/cover.h"

/* Improvement may cost so many times what the start did, the more the larger that was; but no
 * more than IMPROVE_MOST, in classes looked at, unless the start did. */
enum { LEAST_TIMES = 16, MOST_TIMES = 64, TIMES_STEP = 2048, IMPROVE_MOST = 1 << 26 };

static int64_t work_left(const tacit__covering *cover)
{
    int64_t times = cover->work / TIMES_STEP, most = cover->work;
    times = times < LEAST_TIMES ? LEAST_TIMES : times > MOST_TIMES ? MOST_TIMES : times;
    most = most > IMPROVE_MOST ? most : IMPROVE_MOST;
    return cover->work < most / times ? cover->work * times : most;
}

/* Classes that stay open are put aside: as if they had all the donors they ask for. */
static tacit_status put_aside(uint32_t **out, uint32_t *count, tacit__covering *cover,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t *aside = tacit__alloc_array(cover->needs, sizeof *aside);
    if (!aside)
        return tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < cover->needs; i++)
        if (tacit__covering_open(cover, i) > 0) {
            aside[(*count)++] = i;
            status = tacit__covering_lend(cover, i, cover->tableau->k, err);
        }
    *out = aside;
    return status;
}

static tacit_status pair_up(tacit__covering *cover, const uint32_t *aside, uint32_t count, bool ask,
                            tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < count; i++)
        status = tacit__covering_lend(cover, aside[i], -cover->tableau->k, err);
    return status == TACIT_OK && count > 0 ? tacit__covering_pairs(cover, aside, count, ask, err)
                                           : status;
}

/* Better donors for what is not put aside. *stopped: progress said so. */
static tacit_status improve_cover(bool *stopped, tacit__covering *cover, double bound,
                                  tacit_error *err)
{
    tacit_error stop = {0};
    tacit_status status = tacit__covering_improve(cover, work_left(cover), bound, &stop);
    *stopped = status == TACIT_CANCELLED;
    if (status == TACIT_OK || *stopped)
        return TACIT_OK;
    if (err)
        *err = stop;
    return status;
}

/* The bound; costs of 1 add up to whole numbers. */
static tacit_status find_cover_bound(double *bound, const tacit__covering *cover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (cover->complete)
        status = tacit__covering_bound(bound, cover, err);
    if (status == TACIT_OK && cover->tableau->unit)
        *bound = fmax(0, ceil(*bound - 1e-6));
    return status;
}

/* Columns have no room for as many blanks as the bound says. */
static tacit_status check_columns(const tacit__tableau *t, double bound, tacit_error *err)
{
    double room = (double)t->columns * (double)t->most_column;
    if (!t->unit || bound <= room)
        return TACIT_OK;
    return tacit__error(err, TACIT_INFEASIBLE,
                        "at least %.0f blanks are needed, and %lld a column are %.0f; allow more",
                        bound, (long long)t->most_column, room);
}

static tacit_status solve_cover(tacit__blanking *plan, tacit__covering *cover, tacit_error *err)
{
    uint32_t *aside = NULL, count = 0;
    tacit_status status = tacit__covering_start(cover, err);
    if (status == TACIT_OK)
        status = find_cover_bound(&plan->bound, cover, err);
    if (status == TACIT_OK)
        status = check_columns(cover->tableau, plan->bound, err);
    if (status == TACIT_OK)
        status = put_aside(&aside, &count, cover, err);
    if (status == TACIT_OK)
        status = tacit__covering_reach(cover, aside, count, err);
    if (status == TACIT_OK)
        status = improve_cover(&plan->stopped, cover, plan->bound, err);
    if (status == TACIT_OK)
        status = pair_up(cover, aside, count, !plan->stopped, err);
    plan->proven = status == TACIT_OK && cover->cost <= plan->bound * (1 + 1e-12);
    tacit__free(aside);
    return status;
}

static tacit_status list_donors(tacit__blanking *plan, const tacit__covering *cover,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < cover->donor_count; i++) {
        const tacit__donor *donor = &cover->donors[i];
        tacit__blank blank = {.class_index = donor->class_index, .rows = 1, .mask = donor->mask};
        if (donor->mask)
            status = tacit__blanking_add(plan, blank, err);
    }
    tacit__blanking_tidy(plan);
    return status;
}

static tacit_status cover_rows(tacit__blanking *plan, const tacit__tableau *tableau,
                               const tacit_run *run, tacit_error *err)
{
    tacit__covering cover;
    tacit_status status = tacit__covering_init(&cover, tableau, run, err);
    if (status != TACIT_OK)
        return status;
    status = solve_cover(plan, &cover, err);
    if (status == TACIT_OK)
        status = list_donors(plan, &cover, err);
    tacit__covering_clear(&cover);
    return status;
}

/* Rows of small tables share blanks, which may be good where nothing was. */
static tacit_status share(tacit__blanking *plan, const tacit__tableau *tableau, bool good,
                          const tacit_run *run, tacit_error *err)
{
    tacit_error failed = {0};
    bool found = good;
    tacit_status status = tacit__covering_small(&found, plan, tableau, run, &failed);
    if (status == TACIT_OK && !found)
        return TACIT_INFEASIBLE; /* which is said already */
    if (err)
        *err = failed;
    return status;
}

tacit_status tacit__ambiguate_cover(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__blanking found = {0};
    (void)how;
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    status = cover_rows(&found, tableau, run, err);
    bool good = status == TACIT_OK, small = tableau->rows <= TACIT__SMALL_ROWS;
    if (small && !found.proven && !found.stopped && (good || status == TACIT_INFEASIBLE))
        status = share(&found, tableau, good, run, err);
    if (status == TACIT_OK)
        *plan = found;
    else
        tacit__blanking_clear(&found);
    return status;
}
