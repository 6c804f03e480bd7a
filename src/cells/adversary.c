/*
 * adversary.c - the adversary's programs over a patch; see adversary.h.
 *
 * With x the pattern, cell p can deviate upwards by
 *
 *     max d_p  over  M d = 0,  -down_i x_i <= d_i <= up_i x_i.
 *
 * With r the reduced costs of its solution, that is the sum of (up_i r_i+ + down_i r_i-) x_i, and
 * no more than that sum for any other pattern (weak duality). So where it falls short of what p
 * needs, sum of (up_i r_i+ + down_i r_i-) x_i >= need is broken by this pattern and kept by all
 * that protect p: Benders' cut (Fischetti and Salazar 2001, section 4). A spread is the sum of
 * both directions, and so is its cut.
 *
 * In fractions a cell that can move far counts for more than it is worth, so the plain program
 * finds little to object to. With every cell held to what p needs it finds more. Any duals give a
 * valid inequality, and once its coefficients are cut down (chooser.c) it is often broken though
 * the plain program is content (modest).
 *
 * Every solution is also a witness for other cells: what moves far enough in it, or in its reverse
 * as far as that goes, needs no program. Only costs change from one program to the next. Programs
 * are in units of the need, with no cell moving by more than MOST of them.
 */
#include "cells/adversary.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define MOST 1e5

/* Reduced costs below the first are 0, movements below the second. */
#define NOISE 1e-6
#define STILL 1e-5

/* Cells for which sweeps are worth it, their number at most, and the least share of the largest
 * need that one is paid by. */
enum { SWEEP_LEAST = 64, MOST_SWEEPS = 10 };
#define LEAST_SHARE 1e-4

struct tacit__adversary {
    const tacit__patch *patch;
    tacit__solver *solver;
    double unit;                     /* of the bounds that the solver has */
    const tacit__question *question; /* in hand */
    tacit__seen seen;                /* while a question is answered */
    double *coefs;                   /* of the cut in hand */
    int32_t moved;                   /* cell with a cost; -1: none */
};

static tacit_status fill_solver(tacit__adversary *a, tacit_error *err)
{
    const tacit__patch *p = a->patch;
    int32_t most = p->count > p->rows ? p->count : p->rows;
    double *zeros = tacit__alloc_zeroed((size_t)most, sizeof *zeros);
    if (!zeros)
        return tacit__nomem(err);
    tacit__solver_lines columns = {.count = p->count, .lower = zeros, .upper = zeros};
    tacit__solver_lines rows = {.count = p->rows,
                                .lower = zeros,
                                .upper = zeros,
                                .starts = p->starts,
                                .items = p->items,
                                .values = p->coefs};
    tacit_status status = tacit__solver_add_columns(a->solver, &columns, err);
    if (status == TACIT_OK)
        status = tacit__solver_add_rows(a->solver, &rows, err);
    tacit__free(zeros);
    return status;
}

tacit_status tacit__adversary_new(tacit__adversary **out, const tacit__patch *patch,
                                  tacit_error *err)
{
    size_t count = (size_t)patch->count;
    tacit__adversary *a = tacit__alloc_zeroed(1, sizeof *a);
    if (!a)
        return tacit__nomem(err);
    *a = (tacit__adversary){.patch = patch, .moved = -1};
    a->coefs = tacit__alloc_array(count, sizeof *a->coefs);
    tacit_status status = a->coefs ? tacit__seen_init(&a->seen, patch, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__solver_new(&a->solver, NULL, err);
    if (status == TACIT_OK)
        status = fill_solver(a, err);
    if (status == TACIT_OK)
        *out = a;
    else
        tacit__adversary_free(a);
    return status;
}

void tacit__adversary_free(tacit__adversary *adversary)
{
    if (!adversary)
        return;
    tacit__solver_free(adversary->solver);
    tacit__seen_clear(&adversary->seen);
    tacit__free(adversary->coefs);
    tacit__free(adversary);
}

static double limit(double room, double unit)
{
    return fmin(room / unit, MOST);
}

static void set_bounds(tacit__adversary *a, const tacit__question *q, double unit)
{
    const tacit__patch *p = a->patch;
    double most = q->modest ? 1 : MOST;
    a->unit = unit;
    for (int32_t i = 0; i < p->count; i++)
        tacit__solver_set_column(a->solver, i, -fmin(limit(p->down[i], unit), most) * q->pattern[i],
                                 fmin(limit(p->up[i], unit), most) * q->pattern[i]);
}

/* Adds a solution's inequality, without its right-hand side, to the cut. */
static void add_to_cut(tacit__adversary *a, const double *reduced)
{
    const tacit__patch *p = a->patch;
    for (int32_t i = 0; i < p->count; i++) {
        double room = reduced[i] < 0 ? limit(p->up[i], a->unit) : limit(p->down[i], a->unit);
        if (fabs(reduced[i]) > NOISE)
            a->coefs[i] += fabs(reduced[i]) * room;
    }
}

/* One program: how far p can move, in units, in the direction of sign. */
static tacit_status deviate(double *out, int64_t *iterations, tacit__adversary *a, int32_t p,
                            double sign, const tacit_run *run, tacit_error *err)
{
    tacit__solver_options options = {.phase = run ? "subtables" : NULL};
    tacit__solver_answer answer;
    if (a->moved >= 0)
        tacit__solver_set_cost(a->solver, a->moved, 0);
    a->moved = p;
    tacit__solver_set_cost(a->solver, p, -sign);
    tacit_status status = tacit__solver_solve(&answer, a->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    *iterations += answer.iterations + TACIT__PROGRAM_WORK;
    *out = 0; /* what could not be solved is not hidden */
    if (answer.result != TACIT__SOLVER_OPTIMAL)
        return TACIT_OK;
    const tacit__question *q = a->question;
    *out = sign * answer.values[p];
    tacit__seen_take(&a->seen, a->patch, answer.values, a->unit, STILL, q->pattern);
    add_to_cut(a, answer.reduced);
    return q->shown ? q->shown(q->context, answer.values, a->unit, STILL, err) : TACIT_OK;
}

/* One need of one cell: upwards, downwards, or in spread, which is both. */
typedef struct aim {
    int32_t cell;
    double need;
    bool up;
    bool down;
} aim;

static bool seen(const tacit__adversary *a, const aim *m, double slack)
{
    double moved = (m->up ? a->seen.high[m->cell] : 0) + (m->down ? a->seen.low[m->cell] : 0);
    return moved >= m->need * (1 - slack);
}

static tacit_status ask_one(int32_t *failed, int64_t *iterations, tacit__adversary *a, const aim *m,
                            const tacit__question *q, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    double reached = 0, moved;
    if (m->need <= 0 || seen(a, m, q->slack))
        return TACIT_OK;
    if (a->unit != m->need)
        set_bounds(a, q, m->need);
    for (int32_t i = 0; i < a->patch->count; i++)
        a->coefs[i] = 0;
    for (int side = 0; side < 2 && status == TACIT_OK && reached < 1 - q->slack; side++) {
        if (!(side == 0 ? m->up : m->down))
            continue;
        status = deviate(&moved, iterations, a, m->cell, side == 0 ? 1 : -1, run, err);
        reached += status == TACIT_OK ? moved : 0;
    }
    if (status != TACIT_OK || reached >= 1 - q->slack)
        return status;
    ++*failed;
    return q->cut ? q->cut(q->context, a->coefs, err) : TACIT_OK;
}

static void take_up(tacit__adversary *a, const tacit__question *q)
{
    a->unit = 0;
    a->question = q;
    if (q->known)
        tacit__seen_copy(&a->seen, q->known, a->patch);
    else
        tacit__seen_reset(&a->seen, a->patch);
}

/* ---- many at once ---- */

/* How far a cell has yet to be seen to move in the direction of sign; 0: far enough. One side does
 * for cells that need a spread only. */
static double target(const tacit__adversary *a, int32_t cell, int sign)
{
    const tacit__need *need = &a->patch->need[cell];
    const tacit__question *q = a->question;
    double side = sign > 0 ? need->up : need->down;
    const aim one = {cell, side, sign > 0, sign < 0}, both = {cell, need->spread, true, true};
    if (!a->patch->suppressed[cell] || (q->asked && !q->asked[cell]))
        return 0;
    if (side > 0)
        return seen(a, &one, q->slack) ? 0 : side;
    return need->up + need->down > 0 || seen(a, &both, q->slack) ? 0 : need->spread;
}

static int32_t count_targets(double *largest, const tacit__adversary *a, int sign)
{
    int32_t count = 0;
    *largest = 0;
    for (int32_t i = 0; i < a->patch->count; i++) {
        double by = target(a, i, sign);
        count += by > 0;
        *largest = fmax(*largest, by);
    }
    return count;
}

/* No cell gets more for its movement than it needs, so that many move. */
static void pose_sweep(tacit__adversary *a, int sign, double unit)
{
    const tacit__patch *p = a->patch;
    const double *x = a->question->pattern;
    set_bounds(a, a->question, unit);
    if (a->moved >= 0)
        tacit__solver_set_cost(a->solver, a->moved, 0);
    a->moved = -1;
    for (int32_t i = 0; i < p->count; i++) {
        double by = target(a, i, sign) / unit;
        if (by <= 0)
            continue;
        double down = limit(p->down[i], unit) * x[i], up = limit(p->up[i], unit) * x[i];
        tacit__solver_set_column(a->solver, i, -(sign < 0 ? fmin(down, by) : down),
                                 sign > 0 ? fmin(up, by) : up);
        tacit__solver_set_cost(a->solver, i, -sign / fmax(by, LEAST_SHARE));
    }
}

static tacit_status sweep(int64_t *iterations, tacit__adversary *a, int sign, double unit,
                          const tacit_run *run, tacit_error *err)
{
    tacit__solver_options options = {.phase = run ? "subtables" : NULL};
    tacit__solver_answer answer;
    pose_sweep(a, sign, unit);
    tacit_status status = tacit__solver_solve(&answer, a->solver, &options, run, err);
    if (status == TACIT_OK && answer.values)
        tacit__seen_take(&a->seen, a->patch, answer.values, unit, STILL, a->question->pattern);
    *iterations += status == TACIT_OK ? answer.iterations + TACIT__PROGRAM_WORK : 0;
    for (int32_t i = 0; i < a->patch->count; i++)
        tacit__solver_set_cost(a->solver, i, 0);
    a->unit = 0;
    return status;
}

/* Upwards and downwards until little is found. */
tacit_status tacit__adversary_sweep(int64_t *iterations, tacit__adversary *adversary,
                                    const tacit__question *question, const tacit_run *run,
                                    tacit_error *err)
{
    tacit_status status = TACIT_OK;
    double largest;
    take_up(adversary, question);
    for (int round = 0, idle = 0; round < MOST_SWEEPS && idle < 2 && status == TACIT_OK; round++) {
        int sign = round % 2 ? -1 : 1;
        int32_t before = count_targets(&largest, adversary, sign);
        if (before >= SWEEP_LEAST)
            status = sweep(iterations, adversary, sign, largest, run, err);
        int32_t after = count_targets(&largest, adversary, sign);
        idle = before - after > before / 8 ? 0 : idle + 1;
    }
    return status;
}

tacit_status tacit__adversary_ask(int32_t *failed, int64_t *iterations, tacit__adversary *adversary,
                                  const tacit__question *question, const tacit_run *run,
                                  tacit_error *err)
{
    const tacit__patch *p = adversary->patch;
    tacit_status status = TACIT_OK;
    *failed = 0;
    take_up(adversary, question);
    for (int32_t i = 0; i < p->count && status == TACIT_OK; i++) {
        if (!p->suppressed[i] || (question->asked && !question->asked[i]) ||
            (question->first && *failed > 0))
            continue;
        const aim aims[] = {{i, p->need[i].up, true, false},
                            {i, p->need[i].down, false, true},
                            {i, p->need[i].spread, true, true}};
        for (int k = 0; k < 3 && status == TACIT_OK; k++)
            status = ask_one(failed, iterations, adversary, &aims[k], question, run, err);
    }
    return status;
}

const tacit__seen *tacit__adversary_seen(const tacit__adversary *adversary)
{
    return &adversary->seen;
}
