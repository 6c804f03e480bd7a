/*
 * exact.c - the least blanks that make a table k-ambiguous, with a proof.
 *
 * A minimal satisfying assignment of F_M, for k = 2 (Vinterbo and Ohno-Machado 2001, 2.1),
 * and of what takes its place for larger k: every row agrees with k. As an integer program:
 *   1. covering (cover.c) gives a first solution and a bound; where it finds none within
 *      limits, rows are helped one by one where it is cheapest (exact_start.c);
 *   2. the linear program over cells and over who helps whom (exact_program.c),
 *      with rows and columns for a pair only once it may be of use (exact_price.c);
 *      its cost is a bound (exact_root.c), and rounded it is another solution;
 *   3. what its reduced costs leave for anything better falls into parts, and each is solved in
 *      integers (exact_parts.c).
 * No bound rests on a solver's word: solver.h. How long it goes on is counted in the work of
 * linear programs and in nodes; then, or stopped, the best found and its bound are given.
 *
 * How far proofs go, on five columns, with seconds of one core: without limits whole rows are soon
 * the best there is; for k = 2 covering's bound says so at once, on testdata (4580 rows) too; k = 3
 * on random tables of 25 rows 4 s, on 30 rows of adult 7 s; 60 rows stay at 10 blanks with a bound
 * of 9, random ones of 15 rows with k = 4 at 15 with a bound of 13. With at most two blanks in a
 * row 10 rows take less than 3 s and 15 about 5, for k = 2 and mostly for 3; of 20 rows the bound
 * is one or two blanks below what is found. On all of testdata, seven columns, covering's bound is
 * the better one (67 of 73 blanks for k = 2, 88 of 122 for k = 3).
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/blanks/exact.h"

static const int64_t EXACT_WORK = 200000000; /* of linear programs: rows times iterations */
enum { EXACT_NODES = 5000 };                 /* of a part's search */

/* Whether nothing is better than the best, or there is nothing at all. */
static bool settled(const tacit__exact *e)
{
    return e->bound > tacit__exact_cutoff(e) || e->bound == INFINITY;
}

/* Rounds the program's solution: cells that it has all but blanked are cheap. */
static tacit_status round_root(tacit__exact *e, const tacit__root *root, tacit_error *err)
{
    const tacit__tableau *t = e->tableau;
    double *prices = tacit__alloc_array((size_t)e->unit_count, (size_t)t->columns * sizeof *prices);
    if (!prices)
        return tacit__nomem(err);
    for (int32_t u = 0; u < e->unit_count; u++)
        for (int32_t c = 0; c < t->columns; c++) {
            double blank = tacit__root_value(root, u, c);
            prices[(int64_t)u * t->columns + c] =
                tacit__exact_cost(e, u, c) * fmax(1 - blank, 1e-3);
        }
    tacit_status status = tacit__exact_greedy(e, prices, err);
    tacit__free(prices);
    return status;
}

/* Everything that could be in anything better, and the search for it. */
static tacit_status search_integers(tacit__exact *e, tacit__root *root, tacit_error *err)
{
    int64_t added = 0;
    double short_of = 0, bound = 0, margin = tacit__exact_cutoff(e) - root->cost;
    tacit_status status = tacit__root_price(&added, &short_of, root, fmax(margin, 1e-6), err);
    if (status == TACIT_OK)
        status = tacit__exact_parts(&bound, e, root, err);
    if (status == TACIT_OK && bound > e->bound)
        e->bound = bound;
    return status;
}

static tacit_status prove(tacit__exact *e, tacit_error *err)
{
    tacit__root root;
    tacit_status status = tacit__root_init(&root, e, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__root_solve(&root, err);
    if (status == TACIT_OK && root.empty)
        e->bound = INFINITY;
    if (status == TACIT_OK && root.solved && !settled(e))
        status = round_root(e, &root, err);
    if (status == TACIT_OK && root.solved && !settled(e))
        status = search_integers(e, &root, err);
    tacit__root_clear(&root);
    return status;
}

/* ---- what was found ---- */

static tacit_status write_plan(tacit__blanking *plan, const tacit__exact *e, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t u = 0; status == TACIT_OK && u < e->unit_count; u++)
        if (e->best.mask[u])
            status = tacit__blanking_add(plan,
                                         (tacit__blank){.class_index = e->units[u].class_index,
                                                        .rows = 1,
                                                        .mask = e->best.mask[u]},
                                         err);
    tacit__blanking_tidy(plan);
    plan->proven = settled(e);
    plan->bound = plan->proven ? e->best.cost : fmin(fmax(e->bound, 0), e->best.cost);
    plan->nodes = e->nodes;
    return status;
}

static tacit_status none_agrees(const tacit__exact *e, tacit_error *err)
{
    if (settled(e))
        return tacit__error(err, TACIT_INFEASIBLE,
                            "no blanks within the limits make every row agree with k rows; allow "
                            "more in a row or column, or ask for a smaller k");
    return tacit__error(err, TACIT_LIMIT,
                        "no blanks within the limits were found, and it is not proven that there "
                        "are none; allow more in a row or column, or ask for a smaller k");
}

/* Makes the best of a plan, which may be empty where covering found none. */
static tacit_status search_from(tacit__exact *e, const tacit__blanking *start, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (start->count > 0)
        status = tacit__exact_take(e, start, err);
    if (status == TACIT_OK && !e->found)
        status = tacit__exact_greedy(e, NULL, err);
    e->bound = tacit__exact_lift(e, start->bound);
    return status == TACIT_OK && !settled(e) ? prove(e, err) : status;
}

/* The search, and what it has found put in the place of the plan it started with. */
static tacit_status improve_plan(tacit__blanking *plan, const tacit__tableau *tableau,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__exact e;
    tacit__blanking found = {0};
    tacit_status status = tacit__exact_init(&e, tableau, run, err);
    if (status != TACIT_OK)
        return status;
    e.work_limit = EXACT_WORK;
    e.node_limit = EXACT_NODES;
    status = search_from(&e, plan, err);
    found.stopped = status == TACIT_CANCELLED;
    if (e.found && (status == TACIT_CANCELLED || status == TACIT_LIMIT))
        status = TACIT_OK;
    if (status == TACIT_OK && !e.found)
        status = none_agrees(&e, err);
    if (status == TACIT_OK)
        status = write_plan(&found, &e, err);
    if (status == TACIT_OK) {
        tacit__blanking_clear(plan);
        *plan = found;
    } else {
        tacit__blanking_clear(&found);
    }
    tacit__exact_clear(&e);
    return status;
}

tacit_status tacit__ambiguate_exact(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__blanking best = {0};
    tacit_error stop = {0};
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__ambiguate_cover(&best, tableau, how, run, &stop);
    bool covered = status == TACIT_OK;
    if ((covered && !best.stopped && !best.proven) || status == TACIT_INFEASIBLE)
        status = improve_plan(&best, tableau, run, &stop);
    if (covered && (status == TACIT_LIMIT || status == TACIT_CANCELLED)) {
        best.stopped = status == TACIT_CANCELLED;
        status = TACIT_OK;
    }
    if (status == TACIT_OK) {
        *plan = best;
        return TACIT_OK;
    }
    tacit__blanking_clear(&best);
    if (err)
        *err = stop;
    return status;
}
