/*
 * chooser.c - the program that chooses the pattern; see search.h.
 *
 * Inequalities are strengthened before they go in (Fischetti and Salazar 2001, section 4.2). What
 * suppressed cells bring is taken off the right-hand side, the rest is divided by it and
 * coefficients are cut down to 1, since x is 0 or 1. If all but some cells S of a row cannot reach
 * 1 together, one of the others is suppressed: a cover inequality. Rows that have long been slack
 * leave.
 *
 * Costs get a little on top, so that cells that cost nothing are not suppressed for nothing.
 */
#include "cells/exact/exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* Coefficients that are noise, violations that are none, the little on top of all costs. */
#define NOISE          1e-6
#define BROKEN         1e-3
#define LITTLE         1e-5
#define LITTLE_OF_STEP 0.25

/* Rows beyond so many are looked through for slack ones. */
enum { ROWS_LEAST = 400 };

/* Of a branch that is only tried. */
enum { TRIAL_ITERATIONS = 200 };

/* The largest number that all costs are multiples of, if that is no small part of them. */
static double step_of(const tacit__chooser *m)
{
    double most = 0;
    for (int32_t c = 0; c < m->columns; c++) {
        double cost = m->patch->cost[m->cell_of[c]];
        if (cost != floor(cost))
            return 0;
        most = fmax(most, cost);
    }
    return most > 0 && most <= 1e5 ? 1 : 0;
}

static void number_columns(tacit__chooser *m)
{
    const tacit__patch *p = m->patch;
    for (int32_t i = 0; i < p->count; i++) {
        bool may = !p->suppressed[i] && p->up[i] + p->down[i] > 0;
        m->column_of[i] = may ? m->columns : -1;
        m->pattern[i] = p->suppressed[i];
        if (may)
            m->cell_of[m->columns++] = i;
    }
}

static tacit_status add_columns(tacit__chooser *m, tacit_error *err)
{
    tacit__line_list columns = {0};
    for (int32_t c = 0; c < m->columns; c++)
        m->scale = fmax(m->scale, m->patch->cost[m->cell_of[c]]);
    m->scale = m->scale > 0 ? fmin(m->scale, m->step > 0 ? 1 : m->scale) : 1;
    m->little = (m->step > 0 ? LITTLE_OF_STEP : LITTLE) / m->columns;
    for (int32_t c = 0; c < m->columns; c++)
        tacit__lines_end_column(&columns, 0, 1,
                                m->patch->cost[m->cell_of[c]] / m->scale + m->little, false);
    tacit_status status = tacit__solver_take_columns(m->solver, &columns, err);
    tacit__lines_clear(&columns);
    return status;
}

tacit_status tacit__chooser_init(tacit__chooser *chooser, const tacit__patch *patch,
                                 tacit_error *err)
{
    size_t count = (size_t)patch->count;
    tacit__chooser *m = chooser;
    *m = (tacit__chooser){.patch = patch};
    m->column_of = tacit__alloc_array(count, sizeof *m->column_of);
    m->cell_of = tacit__alloc_array(count, sizeof *m->cell_of);
    m->pattern = tacit__alloc_array(count, sizeof *m->pattern);
    m->reduced = tacit__alloc_zeroed(count, sizeof *m->reduced);
    m->order = tacit__alloc_array(count, sizeof *m->order);
    m->share = tacit__alloc_array(count, sizeof *m->share);
    if (!m->column_of || !m->cell_of || !m->pattern || !m->reduced || !m->order || !m->share)
        return tacit__nomem(err);
    number_columns(m);
    m->step = step_of(m);
    tacit_status status = tacit__solver_new(&m->solver, NULL, err);
    return status == TACIT_OK ? add_columns(m, err) : status;
}

void tacit__chooser_clear(tacit__chooser *chooser)
{
    tacit__solver_free(chooser->solver);
    tacit__free(chooser->column_of);
    tacit__free(chooser->cell_of);
    tacit__free(chooser->pattern);
    tacit__free(chooser->reduced);
    tacit__lines_clear(&chooser->waiting);
    tacit__free(chooser->order);
    tacit__free(chooser->share);
}

/* ---- inequalities ---- */

/* Whether all that waits could be kept. */
static tacit_status check_waiting(const tacit__chooser *m, tacit_error *err)
{
    return m->waiting.failed ? tacit__nomem(err) : TACIT_OK;
}

/* Ends a line that is at least `low`: 1, but 0 for the bridge-less rows. */
static void end_line(tacit__chooser *m, double low)
{
    tacit__lines_end_row(&m->waiting, low, INFINITY);
    m->cuts++;
}

/* A row's item by what it adds to the row for its share of x: covers take the most first. */
typedef struct ratio {
    double ratio;
    int32_t column;
} ratio;

static int largest_first(const void *left, const void *right)
{
    const ratio *a = left, *b = right;
    if (a->ratio != b->ratio)
        return a->ratio > b->ratio ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* share[column] is the row's coefficient for the columns in order. */
static tacit_status cut_cover(tacit__chooser *m, int32_t count, tacit_error *err)
{
    ratio *ratios = tacit__alloc_array((size_t)count, sizeof *ratios);
    if (!ratios)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++) {
        int32_t column = m->order[i];
        ratios[i] = (ratio){m->pattern[m->cell_of[column]] / m->share[column], column};
    }
    qsort(ratios, (size_t)count, sizeof *ratios, largest_first);
    double left_out = 0, sum = 0;
    int32_t before = m->waiting.item_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t column = ratios[i].column;
        if (left_out + m->share[column] < 1 - NOISE) {
            left_out += m->share[column];
            continue;
        }
        sum += m->pattern[m->cell_of[column]];
        tacit__lines_put(&m->waiting, column, 1);
    }
    if (sum < 1 - BROKEN && m->waiting.item_count > before)
        end_line(m, 1);
    else
        m->waiting.item_count = before;
    tacit__free(ratios);
    return check_waiting(m, err);
}

tacit_status tacit__chooser_cut(tacit__chooser *chooser, const double *coefs, double rhs,
                                double broken, tacit_error *err)
{
    tacit__chooser *m = chooser;
    int32_t count = 0;
    double sum = 0;
    bool parts = false;
    for (int32_t i = 0; i < m->patch->count; i++)
        rhs -= m->patch->suppressed[i] ? coefs[i] : 0;
    if (rhs <= NOISE)
        return TACIT_OK;
    for (int32_t c = 0; c < m->columns; c++) {
        double share = coefs[m->cell_of[c]] / rhs;
        if (share <= NOISE)
            continue;
        m->share[c] = share > 1 - NOISE ? 1 : share;
        m->order[count++] = c;
        sum += m->share[c] * m->pattern[m->cell_of[c]];
        parts |= share < 1 - NOISE;
    }
    if (count == 0)
        return TACIT_OK;
    for (int32_t i = 0; i < count && sum < 1 - broken; i++)
        tacit__lines_put(&m->waiting, m->order[i], m->share[m->order[i]]);
    if (sum < 1 - broken)
        end_line(m, 1);
    return parts ? cut_cover(m, count, err) : check_waiting(m, err);
}

/* What a relation has: suppressed cells, the sum of the pattern over the others, and the one
 * that is suppressed most. */
typedef struct tally {
    int32_t suppressed;
    bool needy;
    double sum;
    int32_t top; /* column; -1: none */
} tally;

static tally tally_of(const tacit__chooser *m, int32_t r)
{
    const tacit__patch *p = m->patch;
    tally t = {.top = -1};
    for (int32_t j = p->starts[r]; j < p->starts[r + 1]; j++) {
        int32_t cell = p->items[j], column = m->column_of[cell];
        t.suppressed += p->suppressed[cell] && p->up[cell] + p->down[cell] > 0;
        t.needy |= p->suppressed[cell] && p->need[cell].spread > 0;
        if (column < 0)
            continue;
        t.sum += m->pattern[cell];
        if (t.top < 0 || m->pattern[cell] > m->pattern[m->cell_of[t.top]])
            t.top = column;
    }
    return t;
}

/* Sum over the relation's cells is at least that of `but`, or 1 where that is -1. */
static void cut_relation(tacit__chooser *m, int32_t r, int32_t but)
{
    const tacit__patch *p = m->patch;
    for (int32_t j = p->starts[r]; j < p->starts[r + 1]; j++) {
        int32_t column = m->column_of[p->items[j]];
        if (column >= 0)
            tacit__lines_put(&m->waiting, column, column == but ? -1 : 1);
    }
    end_line(m, but < 0 ? 1 : 0);
}

tacit_status tacit__chooser_cut_relations(tacit__chooser *chooser, tacit_error *err)
{
    for (int32_t r = 0; r < chooser->patch->rows; r++) {
        tally t = tally_of(chooser, r);
        double top = t.top < 0 ? 0 : chooser->pattern[chooser->cell_of[t.top]];
        if (t.suppressed == 1 && t.needy && t.top >= 0 && t.sum < 1 - BROKEN)
            cut_relation(chooser, r, -1);
        else if (t.suppressed == 0 && t.sum - top < top - BROKEN)
            cut_relation(chooser, r, t.top);
    }
    return check_waiting(chooser, err);
}

/* ---- solving ---- */

static tacit_status add_waiting(tacit__chooser *m, tacit_error *err)
{
    return m->waiting.count == 0 ? TACIT_OK : tacit__solver_take_rows(m->solver, &m->waiting, err);
}

/* Rows whose duals are 0 leave when there are too many. */
static tacit_status drop_slack(tacit__chooser *m, const double *duals, tacit_error *err)
{
    int32_t rows = tacit__solver_rows(m->solver), count = 0;
    if (rows <= ROWS_LEAST + m->columns / 4)
        return TACIT_OK;
    int32_t *leaving = tacit__alloc_array((size_t)rows, sizeof *leaving);
    if (!leaving)
        return tacit__nomem(err);
    for (int32_t r = 0; r < rows; r++)
        if (fabs(duals[r]) < NOISE)
            leaving[count++] = r;
    tacit_status status = tacit__solver_remove_rows(m->solver, count, leaving, err);
    tacit__free(leaving);
    return status;
}

tacit_status tacit__chooser_solve(bool *feasible, int64_t *iterations, tacit__chooser *chooser,
                                  const tacit_run *run, tacit_error *err)
{
    tacit__chooser *m = chooser;
    tacit__solver_options options = {.phase = run ? "subtables" : NULL};
    tacit__solver_answer answer;
    tacit_status status = add_waiting(m, err);
    if (status == TACIT_OK)
        status = tacit__solver_solve(&answer, m->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    *iterations += answer.iterations + TACIT__PROGRAM_WORK;
    *feasible = answer.result == TACIT__SOLVER_OPTIMAL;
    m->trouble = !*feasible && answer.result != TACIT__SOLVER_INFEASIBLE;
    if (!*feasible)
        return TACIT_OK;
    m->cost = answer.cost;
    for (int32_t c = 0; c < m->columns; c++) {
        double value = answer.values[c];
        m->pattern[m->cell_of[c]] = value < NOISE ? 0 : value > 1 - NOISE ? 1 : value;
        m->reduced[c] = answer.reduced[c];
    }
    return drop_slack(m, answer.duals, err);
}

/* The simplex method then goes on from where the last solve ended. */
tacit_status tacit__chooser_try(double *cost, int64_t *iterations, tacit__chooser *chooser,
                                int32_t column, int value, const tacit_run *run, tacit_error *err)
{
    tacit__solver *solver = chooser->solver;
    tacit__solver_options options = {.iterations = TRIAL_ITERATIONS};
    tacit__solver_answer answer;
    size_t lines = (size_t)tacit__solver_rows(solver) + (size_t)chooser->columns;
    unsigned char *basis = tacit__alloc_array(lines, sizeof *basis);
    if (!basis)
        return tacit__nomem(err);
    tacit__solver_save(solver, basis);
    tacit__solver_set_column(solver, column, value, value);
    tacit_status status = tacit__solver_solve(&answer, solver, &options, run, err);
    if (status == TACIT_OK) {
        *iterations += answer.iterations + 1;
        *cost = answer.result == TACIT__SOLVER_INFEASIBLE ? INFINITY : answer.bound;
    }
    tacit__solver_set_column(solver, column, 0, 1);
    tacit__solver_restore(solver, basis);
    tacit__free(basis);
    return status;
}

void tacit__chooser_fix(tacit__chooser *chooser, int32_t column, double lower, double upper)
{
    tacit__solver_set_column(chooser->solver, column, lower, upper);
}
