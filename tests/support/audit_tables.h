/*
 * audit_tables.h - random tables with suppressed cells for the tests of the table audit, and
 * what an adversary knows of them, computed in other ways: by going through all integer
 * tables, and by two plain linear programs a cell.
 */
#ifndef TACIT_TESTS_SUPPORT_AUDIT_TABLES_H
#define TACIT_TESTS_SUPPORT_AUDIT_TABLES_H

#include "tables.h"

#include "audit/tables/tables.h"
#include "solver/solver.h"

/* A table of so many codes in each dimension, code 0 the total of the others. */
typedef struct shape {
    int dimensions;
    int codes[4];
} shape;

static inline int shape_cells(const shape *s)
{
    int count = 1;
    for (int d = 0; d < s->dimensions; d++)
        count *= s->codes[d];
    return count;
}

static inline int stride_of(const shape *s, int d)
{
    int stride = 1;
    for (int e = d + 1; e < s->dimensions; e++)
        stride *= s->codes[e];
    return stride;
}

static inline int code_of(const shape *s, int cell, int d)
{
    return cell / stride_of(s, d) % s->codes[d];
}

/* Totals from the ground cells, a dimension after the other. */
static inline void add_up(const shape *s, int *values)
{
    for (int d = 0; d < s->dimensions; d++)
        for (int cell = 0; cell < shape_cells(s); cell++)
            if (code_of(s, cell, d) == 0) {
                values[cell] = 0;
                for (int c = 1; c < s->codes[d]; c++)
                    values[cell] += values[cell + c * stride_of(s, d)];
            }
}

/* As .jj, a line a cell: made of value, status letter, bounds and levels. */
typedef struct made_cell {
    int value;
    char status;
    double lower, upper, lpl, upl, spl;
} made_cell;

static inline tacit_cells *cells_made(const shape *s, const made_cell *list)
{
    int count = shape_cells(s), relations = 0;
    size_t size = (size_t)count * 512 + 4096;
    char *text = malloc(size), *at = text;
    at += sprintf(at, "0\n%d\n", count);
    for (int i = 0; i < count; i++)
        at += sprintf(at, "%d %d 1 %c %.17g %.17g %.17g %.17g %.17g\n", i, list[i].value,
                      list[i].status, list[i].lower, list[i].upper, list[i].lpl, list[i].upl,
                      list[i].spl);
    for (int d = 0; d < s->dimensions; d++)
        relations += count / s->codes[d];
    at += sprintf(at, "%d\n", relations);
    for (int d = 0; d < s->dimensions; d++)
        for (int i = 0; i < count; i++)
            if (code_of(s, i, d) == 0) {
                at += sprintf(at, "0 %d : %d (-1)", s->codes[d], i);
                for (int c = 1; c < s->codes[d]; c++)
                    at += sprintf(at, " %d (1)", i + c * stride_of(s, d));
                at += sprintf(at, "\n");
            }
    assert_true((size_t)(at - text) < size);
    tacit_cells *cells = jj_of(text);
    free(text);
    return cells;
}

/* ---- all integer tables ---- */

typedef struct census {
    const tacit_cells *cells;
    int count, open[64]; /* suppressed cells */
    int *last;           /* a relation each: its last suppressed cell, as an index of open */
    double value[4096];
    double low[64], high[64];
    int64_t steps; /* given up beyond MOST_STEPS */
} census;

enum { MAX_STEPS = 2000000 };

static inline bool relations_hold(const census *c, int depth)
{
    const tacit_relations *all = &c->cells->relations;
    for (int32_t r = 0; r < all->count; r++) {
        double sum = -all->rhs[r];
        if (c->last[r] != depth)
            continue;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            sum += all->coefs[j] * c->value[all->items[j]];
        if (sum != 0)
            return false;
    }
    return true;
}

static inline void count_tables(census *c, int depth)
{
    if (depth == c->count) {
        for (int k = 0; k < c->count; k++) {
            c->low[k] = fmin(c->low[k], c->value[c->open[k]]);
            c->high[k] = fmax(c->high[k], c->value[c->open[k]]);
        }
        return;
    }
    int32_t cell = c->open[depth];
    for (double v = ceil(c->cells->lower[cell]);
         v <= c->cells->upper[cell] && c->steps++ < MAX_STEPS; v++) {
        c->value[cell] = v;
        if (relations_hold(c, depth))
            count_tables(c, depth + 1);
    }
}

/* low and high of every suppressed cell over all tables of integers; false: too many. */
static inline bool census_of(census *c, const tacit_cells *cells)
{
    const tacit_relations *all = &cells->relations;
    c->cells = cells;
    c->count = 0;
    c->steps = 0;
    c->last = malloc((size_t)all->count * sizeof *c->last);
    for (int32_t i = 0; i < cells->count; i++) {
        c->value[i] = cells->value[i];
        if (tacit__suppressed(cells->status[i])) {
            assert_true(c->count < 64);
            c->low[c->count] = INFINITY;
            c->high[c->count] = -INFINITY;
            c->open[c->count++] = i;
        }
    }
    for (int32_t r = 0; r < all->count; r++) {
        c->last[r] = -1;
        for (int k = 0; k < c->count; k++)
            for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
                if (all->items[j] == c->open[k])
                    c->last[r] = k;
    }
    count_tables(c, 0);
    free(c->last);
    return c->steps < MAX_STEPS;
}

/* ---- plain programs ---- */

/* The whole table as one program over all cells' values, published ones fixed. */
static inline tacit__solver *plain_program(const tacit_cells *cells, const char *status)
{
    const tacit_relations *all = &cells->relations;
    size_t n = (size_t)cells->count;
    double *lower = malloc(n * sizeof *lower), *upper = malloc(n * sizeof *upper);
    int32_t *starts = malloc(((size_t)all->count + 1) * sizeof *starts);
    tacit__solver *solver = NULL;
    for (size_t i = 0; i < n; i++) {
        bool free_cell = tacit__suppressed(status[i]);
        lower[i] = free_cell ? cells->lower[i] : cells->value[i];
        upper[i] = free_cell ? cells->upper[i] : cells->value[i];
    }
    for (int32_t r = 0; r <= all->count; r++)
        starts[r] = (int32_t)all->starts[r];
    assert_int_equal(tacit__solver_new(&solver, NULL, NULL), TACIT_OK);
    tacit__solver_lines columns = {.count = cells->count, .lower = lower, .upper = upper};
    tacit__solver_lines rows = {.count = all->count,
                                .lower = all->rhs,
                                .upper = all->rhs,
                                .starts = starts,
                                .items = all->items,
                                .values = all->coefs};
    assert_int_equal(tacit__solver_add_columns(solver, &columns, NULL), TACIT_OK);
    assert_int_equal(tacit__solver_add_rows(solver, &rows, NULL), TACIT_OK);
    free(lower);
    free(upper);
    free(starts);
    return solver;
}

/* The least (side 1) or largest (side -1) that a cell can be; NAN where the solver, which meets
 * variables without bounds here, could not tell. */
static inline double plain_bound(tacit__solver *solver, int32_t cell, double side)
{
    tacit__solver_answer answer;
    tacit__solver_options options = {0};
    tacit__solver_set_cost(solver, cell, side);
    assert_int_equal(tacit__solver_solve(&answer, solver, &options, NULL, NULL), TACIT_OK);
    tacit__solver_set_cost(solver, cell, 0);
    if (answer.result == TACIT__SOLVER_UNBOUNDED)
        return -side * INFINITY;
    if (answer.result == TACIT__SOLVER_TROUBLE)
        return NAN;
    assert_int_equal(answer.result, TACIT__SOLVER_OPTIMAL);
    return side * answer.cost;
}

/* ---- the audit ---- */

static inline tacit_cells_audit *audit_of(const tacit_cells *cells, const char *status,
                                          const tacit_cells_audit_options *options, int threads)
{
    tacit_cells_audit *audit = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_audit_cells(&audit, cells, status, options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

static inline bool near(double a, double b)
{
    return a == b || isnan(b) || fabs(a - b) <= 1e-5 * fmax(1, fabs(b));
}

#endif
