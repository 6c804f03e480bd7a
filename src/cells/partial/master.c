/*
 * master.c - the lightest intervals that keep the inequalities found so far.
 *
 * Columns: how far each spot's interval reaches up and down, at their weights, no less than its own
 * needs and no more than its room; and for every spread the part of it that is upwards. Rows are
 * the inequalities, divided by their largest coefficient, and for every spread that the cell's own
 * interval reaches as far as its parts. Costs are above 0, so after new rows the dual simplex
 * method goes on from the last solution. Rows that are slack leave where there are many, and
 * where the program could not be solved: rows that are nearly the same are trouble. Where that does
 * not help those that came last leave, and others are looked for.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/partial/partial.h"

/* Rows beyond so many are looked through for slack ones, with duals no larger. */
enum { ROWS_LEAST = 2000 };
#define SLACK 1e-7

/* Coefficients that are noise, as a share of the row's largest. */
#define FAINT 1e-7

/* What costs are in the program for a weight of 1: reduced costs are off by as much whatever costs
 * are, and columns have long ways to go. */
#define COSTS 1e3

/* A smaller part of a spread is none. */
#define NONE 1e-7

struct tacit__widths {
    const tacit__partial *partial;
    tacit__solver *solver;
    int32_t fixed;            /* rows that stay */
    tacit__line_list waiting; /* inequalities to be added */
    /* Of the last solution, without sign. */
    int32_t dual_count;
    size_t dual_capacity;
    double *duals;
};

static int32_t column_up(int32_t spot)
{
    return 2 * spot;
}

static int32_t column_down(int32_t spot)
{
    return 2 * spot + 1;
}

static int32_t column_split(const tacit__partial *p, int32_t split)
{
    return 2 * p->spots + split;
}

/* ---- rows ---- */

/* Ends a line that is at least `low`. */
static void end_line(tacit__line_list *lines, double low)
{
    int32_t first = lines->count > 0 ? lines->starts[lines->count] : 0;
    double most = 0;
    for (int32_t j = first; j < lines->item_count; j++)
        most = fmax(most, fabs(lines->values[j]));
    for (int32_t j = first; j < lines->item_count; j++)
        lines->values[j] /= most;
    tacit__lines_end_row(lines, most > 0 ? low / most : 0, INFINITY);
}

static double largest(const tacit__priced *priced, int32_t spots)
{
    double most = 0;
    for (int32_t i = 0; i < spots; i++)
        most = fmax(most, fmax(priced->up[i], priced->down[i]));
    return most;
}

/* What is too small for programs is left out; returns what it could have brought at most. */
static double put_or_leave(tacit__widths *m, int32_t column, double value, double room,
                           double least)
{
    if (value > least)
        tacit__lines_put(&m->waiting, column, value);
    return value > least ? 0 : value * room;
}

tacit_status tacit__widths_cut(tacit__widths *widths, const tacit__side *side,
                               const tacit__priced *priced, tacit_error *err)
{
    const tacit__partial *p = widths->partial;
    double low = priced->rhs, least = FAINT * largest(priced, p->spots);
    for (int32_t i = 0; i < p->spots; i++) {
        low -= put_or_leave(widths, column_up(i), priced->up[i], p->room.up[i], least);
        low -= put_or_leave(widths, column_down(i), priced->down[i], p->room.down[i], least);
    }
    if (side->split >= 0) {
        double upwards = side->sign * priced->slope;
        low += side->sign > 0 ? -priced->slope * side->amount
                              : priced->slope * (side->spread - side->amount);
        tacit__lines_put(&widths->waiting, column_split(p, side->split), -upwards);
    }
    end_line(&widths->waiting, low);
    return widths->waiting.failed ? tacit__nomem(err) : TACIT_OK;
}

/* The cell's own interval reaches as far as the parts of its spread. */
static void put_splits(tacit__widths *m)
{
    const tacit__partial *p = m->partial;
    for (int32_t k = 0; k < p->side_count; k++) {
        const tacit__side *side = &p->sides[k];
        if (side->split < 0)
            continue;
        tacit__lines_put(&m->waiting,
                         side->sign > 0 ? column_up(side->spot) : column_down(side->spot), 1);
        tacit__lines_put(&m->waiting, column_split(p, side->split), -side->sign);
        end_line(&m->waiting, side->sign > 0 ? 0 : side->spread);
        m->fixed++;
    }
}

static tacit_status add_waiting(tacit__widths *m, tacit_error *err)
{
    bool none = m->waiting.count == 0 && !m->waiting.failed;
    return none ? TACIT_OK : tacit__solver_take_rows(m->solver, &m->waiting, err);
}

static tacit_status drop_slack(tacit__widths *m, int32_t least, tacit_error *err)
{
    int32_t rows = tacit__solver_rows(m->solver), count = 0;
    if (rows <= least)
        return TACIT_OK;
    int32_t *leaving = tacit__alloc_array((size_t)rows, sizeof *leaving);
    if (!leaving)
        return tacit__nomem(err);
    for (int32_t row = m->fixed; row < m->dual_count; row++)
        if (m->duals[row] < SLACK)
            leaving[count++] = row;
    tacit_status status = tacit__solver_remove_rows(m->solver, count, leaving, err);
    m->dual_count = 0;
    tacit__free(leaving);
    return status;
}

/* Back to the rows that there were before. */
static tacit_status drop_last(tacit__widths *m, int32_t before, tacit_error *err)
{
    int32_t count = tacit__solver_rows(m->solver) - before;
    if (count <= 0)
        return TACIT_OK;
    int32_t *leaving = tacit__alloc_array((size_t)count, sizeof *leaving);
    if (!leaving)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        leaving[i] = before + i;
    tacit_status status = tacit__solver_remove_rows(m->solver, count, leaving, err);
    tacit__free(leaving);
    return status;
}

static tacit_status keep_duals(tacit__widths *m, const double *duals, tacit_error *err)
{
    int32_t rows = tacit__solver_rows(m->solver);
    if (!TACIT__RESERVE(m->duals, m->dual_capacity, rows))
        return tacit__nomem(err);
    for (int32_t row = 0; row < rows; row++)
        m->duals[row] = fabs(duals[row]);
    m->dual_count = rows;
    return TACIT_OK;
}

/* ---- the program ---- */

static void bound_splits(double *lower, double *upper, const tacit__partial *p)
{
    for (int32_t k = 0; k < p->side_count; k++) {
        const tacit__side *side = &p->sides[k];
        int32_t i = side->spot;
        if (side->split < 0)
            continue;
        int32_t column = column_split(p, side->split);
        lower[column] = fmax(p->least.up[i], side->spread - p->room.down[i]);
        upper[column] = fmin(p->room.up[i], side->spread - p->least.down[i]);
        upper[column] = fmax(lower[column], upper[column]);
    }
}

static tacit_status add_columns(tacit__widths *m, tacit_error *err)
{
    const tacit__partial *p = m->partial;
    size_t count = 2 * (size_t)p->spots + (size_t)p->split_count;
    double *lower = tacit__alloc_array(count, sizeof *lower);
    double *upper = tacit__alloc_array(count, sizeof *upper);
    double *costs = tacit__alloc_zeroed(count, sizeof *costs);
    tacit_status status = lower && upper && costs ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < p->spots && status == TACIT_OK; i++) {
        lower[column_up(i)] = p->least.up[i];
        lower[column_down(i)] = p->least.down[i];
        upper[column_up(i)] = fmax(p->room.up[i], p->least.up[i]);
        upper[column_down(i)] = fmax(p->room.down[i], p->least.down[i]);
        costs[column_up(i)] = costs[column_down(i)] = COSTS * p->weight[i];
    }
    if (status == TACIT_OK)
        bound_splits(lower, upper, p);
    const tacit__solver_lines columns = {
        .count = (int32_t)count, .lower = lower, .upper = upper, .costs = costs};
    if (status == TACIT_OK)
        status = tacit__solver_add_columns(m->solver, &columns, err);
    tacit__free(lower);
    tacit__free(upper);
    tacit__free(costs);
    return status;
}

tacit_status tacit__widths_new(tacit__widths **out, const tacit__partial *partial, tacit_error *err)
{
    tacit__widths *m = tacit__alloc_zeroed(1, sizeof *m);
    if (!m)
        return tacit__nomem(err);
    m->partial = partial;
    tacit_status status = tacit__solver_new(&m->solver, NULL, err);
    if (status == TACIT_OK)
        status = add_columns(m, err);
    if (status == TACIT_OK)
        put_splits(m);
    if (status == TACIT_OK)
        *out = m;
    else
        tacit__widths_free(m);
    return status;
}

void tacit__widths_free(tacit__widths *widths)
{
    if (!widths)
        return;
    tacit__solver_free(widths->solver);
    tacit__lines_clear(&widths->waiting);
    tacit__free(widths->duals);
    tacit__free(widths);
}

/* Intervals, and the amounts of sides that are split. */
static void take_values(tacit__partial_reach *reach, tacit__partial *p, const double *values)
{
    for (int32_t i = 0; i < p->spots; i++) {
        reach->up[i] = fmax(values[column_up(i)], 0);
        reach->down[i] = fmax(values[column_down(i)], 0);
    }
    for (int32_t k = 0; k < p->side_count; k++) {
        tacit__side *side = &p->sides[k];
        if (side->split < 0)
            continue;
        double upwards = values[column_split(p, side->split)];
        double amount = side->sign > 0 ? upwards : side->spread - upwards;
        side->amount = amount > NONE * side->spread ? amount : 0;
    }
}

static tacit_status solve_master(tacit__solver_answer *answer, int64_t *iterations,
                                 tacit__widths *m, const tacit_run *run, tacit_error *err)
{
    const tacit__solver_options options = {.phase = run ? "intervals" : NULL};
    tacit_status status = tacit__solver_solve(answer, m->solver, &options, run, err);
    *iterations += status == TACIT_OK ? answer->iterations + TACIT__PROGRAM_WORK : 0;
    return status;
}

tacit_status tacit__widths_solve(tacit__widths_found *out, int64_t *iterations,
                                 tacit__widths *widths, tacit__partial_reach *reach,
                                 tacit__partial *partial, const tacit_run *run, tacit_error *err)
{
    tacit__solver_answer answer;
    int32_t added = widths->waiting.count;
    tacit_status status = add_waiting(widths, err);
    if (status == TACIT_OK)
        status = solve_master(&answer, iterations, widths, run, err);
    if (status == TACIT_OK && answer.result == TACIT__SOLVER_TROUBLE) {
        status = drop_slack(widths, 0, err);
        if (status == TACIT_OK)
            status = solve_master(&answer, iterations, widths, run, err);
    }
    bool again = status == TACIT_OK && answer.result == TACIT__SOLVER_TROUBLE && added > 0;
    if (again) {
        status = drop_last(widths, tacit__solver_rows(widths->solver) - added, err);
        if (status == TACIT_OK)
            status = solve_master(&answer, iterations, widths, run, err);
    }
    if (status != TACIT_OK)
        return status;
    *out = (tacit__widths_found){.solved = answer.result == TACIT__SOLVER_OPTIMAL,
                                 .dropped = again,
                                 .infeasible = answer.result == TACIT__SOLVER_INFEASIBLE,
                                 .bound = answer.bound / COSTS};
    if (!out->solved)
        return TACIT_OK;
    take_values(reach, partial, answer.values);
    status = keep_duals(widths, answer.duals, err);
    return status == TACIT_OK ? drop_slack(widths, ROWS_LEAST + partial->side_count, err) : status;
}
