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
 *
 * A demand (suppress/demands.h) is a program with some cells' room as its facts have it, and so is
 * its cut.
 */
#include "cells/exact/exact.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define MAX 1e5

/* Reduced costs below the first are 0, movements below the second. */
#define NOISE 1e-6
#define STILL 1e-5

/* Cells for which sweeps are worth it, their number at most, and the least share of the largest
 * need that one is paid by. */
enum { SWEEP_LEAST = 64, MAX_SWEEPS = 10 };
#define LEAST_SHARE 1e-4

struct tacit__exact_adversary {
    const tacit__patch *patch;
    tacit__solver *solver;           /* of the cells that the pattern lets move */
    int32_t columns;                 /* of it */
    int32_t *cell_of;                /* a column each */
    int32_t *column_of;              /* a cell each; -1: it does not move */
    int32_t *row_of;                 /* a relation each: of the program; -1: no cell of it moves */
    double *values;                  /* a cell each: of the last program */
    double *prices;                  /* a cell each: reduced costs, of those that do not move too */
    double unit;                     /* of the bounds that the solver has */
    const tacit__question *question; /* in hand */
    tacit__exact_seen seen;          /* while a question is answered */
    double *coefs;                   /* of the cut in hand */
    double *up, *down;               /* a cell each: its room, for who is asked about */
    int32_t *paid;                   /* columns with a cost */
    int32_t paid_count;
};

/* ---- the program ---- */

static bool moves(const tacit__patch *p, const double *pattern, int32_t cell)
{
    return pattern[cell] > 0 && p->up[cell] + p->down[cell] > 0;
}

/* Whether the program has all cells that the pattern lets move, and not many others. */
static bool serves(const tacit__exact_adversary *a, const double *pattern)
{
    const tacit__patch *p = a->patch;
    int32_t moving = 0;
    for (int32_t i = 0; i < p->count; i++) {
        bool here = moves(p, pattern, i);
        if (here && a->column_of[i] < 0)
            return false;
        moving += here;
    }
    return a->solver && a->columns <= 2 * moving;
}

/* Numbers the cells that move. */
static void number_moving(tacit__exact_adversary *a, const double *pattern)
{
    a->columns = 0;
    for (int32_t i = 0; i < a->patch->count; i++) {
        a->column_of[i] = moves(a->patch, pattern, i) ? a->columns : -1;
        if (a->column_of[i] >= 0)
            a->cell_of[a->columns++] = i;
    }
}

/* A program for what a pattern lets move: relations over these cells. */
static tacit_status fill_solver(tacit__exact_adversary *a, const double *pattern, tacit_error *err)
{
    const tacit__patch *p = a->patch;
    tacit__line_list columns = {0}, rows = {0};
    tacit__solver_free(a->solver);
    a->solver = NULL;
    a->paid_count = 0;
    number_moving(a, pattern);
    for (int32_t c = 0; c < a->columns; c++)
        tacit__lines_end_column(&columns, 0, 0, 0, false);
    for (int32_t r = 0; r < p->rows; r++) {
        int32_t before = rows.item_count;
        for (int32_t j = p->starts[r]; j < p->starts[r + 1]; j++)
            if (a->column_of[p->items[j]] >= 0)
                tacit__lines_put(&rows, a->column_of[p->items[j]], p->coefs[j]);
        a->row_of[r] = rows.item_count > before ? rows.count : -1;
        if (a->row_of[r] >= 0)
            tacit__lines_end_row(&rows, 0, 0);
    }
    tacit_status status = tacit__solver_new(&a->solver, NULL, err);
    if (status == TACIT_OK)
        status = tacit__solver_take_columns(a->solver, &columns, err);
    if (status == TACIT_OK)
        status = tacit__solver_take_rows(a->solver, &rows, err);
    tacit__lines_clear(&columns);
    tacit__lines_clear(&rows);
    return status;
}

tacit_status tacit__adversary_new(tacit__exact_adversary **out, const tacit__patch *patch,
                                  tacit_error *err)
{
    size_t count = (size_t)patch->count;
    tacit__exact_adversary *a = tacit__alloc_zeroed(1, sizeof *a);
    if (!a)
        return tacit__nomem(err);
    a->patch = patch;
    a->coefs = tacit__alloc_array(count, sizeof *a->coefs);
    a->cell_of = tacit__alloc_array(count, sizeof *a->cell_of);
    a->column_of = tacit__alloc_array(count, sizeof *a->column_of);
    a->row_of = tacit__alloc_array((size_t)patch->rows, sizeof *a->row_of);
    a->values = tacit__alloc_zeroed(count, sizeof *a->values);
    a->prices = tacit__alloc_zeroed(count, sizeof *a->prices);
    a->up = tacit__alloc_array(count, sizeof *a->up);
    a->down = tacit__alloc_array(count, sizeof *a->down);
    a->paid = tacit__alloc_array(count, sizeof *a->paid);
    bool ready = a->coefs && a->cell_of && a->column_of && a->row_of && a->values && a->prices &&
                 a->up && a->down && a->paid;
    tacit_status status = ready ? tacit__seen_init(&a->seen, patch, err) : tacit__nomem(err);
    for (size_t i = 0; ready && i < count; i++) {
        a->column_of[i] = -1;
        a->up[i] = patch->up[i];
        a->down[i] = patch->down[i];
    }
    if (status == TACIT_OK)
        *out = a;
    else
        tacit__adversary_free(a);
    return status;
}

void tacit__adversary_free(tacit__exact_adversary *adversary)
{
    if (!adversary)
        return;
    tacit__solver_free(adversary->solver);
    tacit__seen_clear(&adversary->seen);
    tacit__free(adversary->coefs);
    tacit__free(adversary->cell_of);
    tacit__free(adversary->column_of);
    tacit__free(adversary->row_of);
    tacit__free(adversary->values);
    tacit__free(adversary->prices);
    tacit__free(adversary->up);
    tacit__free(adversary->down);
    tacit__free(adversary->paid);
    tacit__free(adversary);
}

static double limit(double room, double unit)
{
    return fmin(room / unit, MAX);
}

static void set_bounds(tacit__exact_adversary *a, const tacit__question *q, double unit)
{
    double most = q->modest ? 1 : MAX;
    a->unit = unit;
    for (int32_t c = 0; c < a->columns; c++) {
        int32_t i = a->cell_of[c];
        tacit__solver_set_column(a->solver, c, -fmin(limit(a->down[i], unit), most) * q->pattern[i],
                                 fmin(limit(a->up[i], unit), most) * q->pattern[i]);
    }
}

/* Values and reduced costs of a solution by cells. A cell that does not move is priced by the
 * duals of its relations. */
static void take_solution(tacit__exact_adversary *a, const tacit__solver_answer *answer)
{
    const tacit__patch *p = a->patch;
    for (int32_t i = 0; i < p->count; i++)
        a->values[i] = a->prices[i] = 0;
    for (int32_t r = 0; r < p->rows; r++) {
        double dual = a->row_of[r] < 0 ? 0 : answer->duals[a->row_of[r]];
        for (int32_t j = p->starts[r]; dual != 0 && j < p->starts[r + 1]; j++)
            a->prices[p->items[j]] -= dual * p->coefs[j];
    }
    for (int32_t c = 0; c < a->columns; c++) {
        a->values[a->cell_of[c]] = answer->values[c];
        a->prices[a->cell_of[c]] = answer->reduced[c];
    }
}

/* Adds a solution's inequality, without its right-hand side, to the cut. */
static void add_to_cut(tacit__exact_adversary *a, const double *reduced)
{
    for (int32_t i = 0; i < a->patch->count; i++) {
        double room = reduced[i] < 0 ? limit(a->up[i], a->unit) : limit(a->down[i], a->unit);
        if (fabs(reduced[i]) > NOISE)
            a->coefs[i] += fabs(reduced[i]) * room;
    }
}

static void pay_nothing(tacit__exact_adversary *a)
{
    while (a->paid_count > 0)
        tacit__solver_set_cost(a->solver, a->paid[--a->paid_count], 0);
}

/* Pays for movement in the direction of sign of what can move. */
static void pay(tacit__exact_adversary *a, tacit__demand what, double sign)
{
    pay_nothing(a);
    for (int32_t t = 0; t < what.term_count; t++) {
        int32_t column = a->column_of[what.terms[t].cell];
        if (column < 0)
            continue;
        tacit__solver_set_cost(a->solver, column, -sign * what.terms[t].weight);
        a->paid[a->paid_count++] = column;
    }
}

static double moved_by(const tacit__exact_adversary *a, tacit__demand what)
{
    double sum = 0;
    for (int32_t t = 0; t < what.term_count; t++)
        sum += what.terms[t].weight * a->values[what.terms[t].cell];
    return sum;
}

/* One program: how far that can move, in units, in the direction of sign. */
static tacit_status deviate(double *out, int64_t *iterations, tacit__exact_adversary *a,
                            tacit__demand what, double sign, const tacit_run *run, tacit_error *err)
{
    tacit__solver_options options = {.phase = run ? "subtables" : NULL};
    tacit__solver_answer answer;
    *out = 0; /* what does not move, and what could not be solved, is not hidden */
    pay(a, what, sign);
    if (a->paid_count == 0)
        return TACIT_OK;
    tacit_status status = tacit__solver_solve(&answer, a->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    *iterations += answer.iterations + TACIT__PROGRAM_WORK;
    if (answer.result != TACIT__SOLVER_OPTIMAL)
        return TACIT_OK;
    const tacit__question *q = a->question;
    take_solution(a, &answer);
    *out = sign * moved_by(a, what);
    tacit__seen_take(&a->seen, a->patch, a->values, a->unit, STILL, q->pattern);
    add_to_cut(a, a->prices);
    return q->shown ? q->shown(q->context, a->values, a->unit, STILL, err) : TACIT_OK;
}

/* One need of one cell or demand: upwards, downwards, or in spread, which is both. */
typedef struct aim {
    int32_t wish;
    double need;
    bool up;
    bool down;
} aim;

static bool seen(const tacit__exact_adversary *a, const aim *m, double slack)
{
    double moved = (m->up ? a->seen.high[m->wish] : 0) + (m->down ? a->seen.low[m->wish] : 0);
    return moved >= m->need * (1 - slack);
}

/* The room that its cells have for who is asked about, and what everybody gives them. */
static void learn_facts(tacit__exact_adversary *a, tacit__demand what)
{
    for (int32_t f = 0; f < what.fact_count; f++) {
        const tacit__fact *fact = &what.facts[f];
        a->up[fact->cell] = fmin(a->up[fact->cell], fact->up);
        a->down[fact->cell] = fmin(a->down[fact->cell], fact->down);
    }
}

static void forget_facts(tacit__exact_adversary *a, tacit__demand what)
{
    for (int32_t f = 0; f < what.fact_count; f++) {
        int32_t cell = what.facts[f].cell;
        a->up[cell] = a->patch->up[cell];
        a->down[cell] = a->patch->down[cell];
    }
}

/* A cell is a demand of one term. */
static tacit__demand demand_of(const tacit__exact_adversary *a, tacit__demand_term *own,
                               int32_t wish)
{
    const tacit__patch *p = a->patch;
    *own = (tacit__demand_term){wish, 1};
    return wish < p->count ? (tacit__demand){.terms = own, .term_count = 1}
                           : p->demands.list[wish - p->count];
}

/* How far it goes in both directions, or until that is far enough. */
static tacit_status reach(double *reached, int64_t *iterations, tacit__exact_adversary *a,
                          const aim *m, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__demand_term own;
    tacit__demand what = demand_of(a, &own, m->wish);
    double enough = 1 - a->question->slack, moved;
    learn_facts(a, what);
    if (a->unit != m->need || what.fact_count > 0)
        set_bounds(a, a->question, m->need);
    *reached = 0;
    for (int side = 0; side < 2 && status == TACIT_OK && *reached < enough; side++) {
        if (!(side == 0 ? m->up : m->down))
            continue;
        status = deviate(&moved, iterations, a, what, side == 0 ? 1 : -1, run, err);
        *reached += status == TACIT_OK ? moved : 0;
    }
    forget_facts(a, what);
    if (what.fact_count > 0)
        a->unit = 0;
    return status;
}

static tacit_status ask_one(int32_t *failed, int64_t *iterations, tacit__exact_adversary *a,
                            const aim *m, const tacit__question *q, const tacit_run *run,
                            tacit_error *err)
{
    double reached;
    if (m->need <= 0 || seen(a, m, q->slack))
        return TACIT_OK;
    for (int32_t i = 0; i < a->patch->count; i++)
        a->coefs[i] = 0;
    tacit_status status = reach(&reached, iterations, a, m, run, err);
    if (status != TACIT_OK || reached >= 1 - q->slack)
        return status;
    ++*failed;
    if (q->found)
        q->found[m->wish] = true;
    return q->cut ? q->cut(q->context, a->coefs, err) : TACIT_OK;
}

static tacit_status take_up(tacit__exact_adversary *a, const tacit__question *q, tacit_error *err)
{
    tacit_status status = tacit__seen_fit(&a->seen, a->patch, err);
    if (status != TACIT_OK)
        return status;
    a->unit = 0;
    a->question = q;
    if (q->known)
        tacit__seen_copy(&a->seen, q->known, a->patch);
    else
        tacit__seen_reset(&a->seen, a->patch);
    return serves(a, q->pattern) ? TACIT_OK : fill_solver(a, q->pattern, err);
}

/* ---- many at once ---- */

/* How far a cell has yet to be seen to move in the direction of sign; 0: far enough. One side does
 * for cells that need a spread only. */
static double target(const tacit__exact_adversary *a, int32_t cell, int sign)
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

static int32_t count_targets(double *largest, const tacit__exact_adversary *a, int sign)
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
static void pose_sweep(tacit__exact_adversary *a, int sign, double unit)
{
    const tacit__patch *p = a->patch;
    const double *x = a->question->pattern;
    set_bounds(a, a->question, unit);
    pay_nothing(a);
    for (int32_t i = 0; i < p->count; i++) {
        double by = target(a, i, sign) / unit;
        int32_t column = a->column_of[i];
        if (by <= 0 || column < 0)
            continue;
        double down = limit(p->down[i], unit) * x[i], up = limit(p->up[i], unit) * x[i];
        tacit__solver_set_column(a->solver, column, -(sign < 0 ? fmin(down, by) : down),
                                 sign > 0 ? fmin(up, by) : up);
        tacit__solver_set_cost(a->solver, column, -sign / fmax(by, LEAST_SHARE));
    }
}

static tacit_status sweep(int64_t *iterations, tacit__exact_adversary *a, int sign, double unit,
                          const tacit_run *run, tacit_error *err)
{
    tacit__solver_options options = {.phase = run ? "subtables" : NULL};
    tacit__solver_answer answer;
    pose_sweep(a, sign, unit);
    tacit_status status = tacit__solver_solve(&answer, a->solver, &options, run, err);
    if (status == TACIT_OK && answer.values) {
        take_solution(a, &answer);
        tacit__seen_take(&a->seen, a->patch, a->values, unit, STILL, a->question->pattern);
    }
    *iterations += status == TACIT_OK ? answer.iterations + TACIT__PROGRAM_WORK : 0;
    for (int32_t c = 0; c < a->columns; c++)
        tacit__solver_set_cost(a->solver, c, 0);
    a->unit = 0;
    return status;
}

/* Upwards and downwards until little is found. */
tacit_status tacit__adversary_sweep(int64_t *iterations, tacit__exact_adversary *adversary,
                                    const tacit__question *question, const tacit_run *run,
                                    tacit_error *err)
{
    double largest;
    tacit_status status = take_up(adversary, question, err);
    for (int round = 0, idle = 0; round < MAX_SWEEPS && idle < 2 && status == TACIT_OK; round++) {
        int sign = round % 2 ? -1 : 1;
        int32_t before = count_targets(&largest, adversary, sign);
        if (before >= SWEEP_LEAST)
            status = sweep(iterations, adversary, sign, largest, run, err);
        int32_t after = count_targets(&largest, adversary, sign);
        idle = before - after > before / 8 ? 0 : idle + 1;
    }
    return status;
}

tacit_status tacit__adversary_ask(int32_t *failed, int64_t *iterations,
                                  tacit__exact_adversary *adversary,
                                  const tacit__question *question, const tacit_run *run,
                                  tacit_error *err)
{
    const tacit__patch *p = adversary->patch;
    *failed = 0;
    tacit_status status = take_up(adversary, question, err);
    for (int32_t i = 0; i < tacit__patch_wishes(p) && status == TACIT_OK; i++) {
        if ((i < p->count && !p->suppressed[i]) || (question->asked && !question->asked[i]) ||
            (question->first && *failed > 0))
            continue;
        tacit__need need = tacit__patch_need(p, i);
        const aim aims[] = {
            {i, need.up, true, false}, {i, need.down, false, true}, {i, need.spread, true, true}};
        for (int k = 0; k < 3 && status == TACIT_OK; k++)
            status = ask_one(failed, iterations, adversary, &aims[k], question, run, err);
    }
    return status;
}

const tacit__exact_seen *tacit__adversary_seen(const tacit__exact_adversary *adversary)
{
    return &adversary->seen;
}
