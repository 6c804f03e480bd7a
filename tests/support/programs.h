/*
 * programs.h - small linear programs for the tests of the solver room.
 */
#ifndef TACIT_TESTS_SUPPORT_PROGRAMS_H
#define TACIT_TESTS_SUPPORT_PROGRAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solver/inside.h"

static inline const char *result_name(tacit__solver_result result)
{
    static const char *const NAMES[] = {
        [TACIT__SOLVER_OPTIMAL] = "optimal",
        [TACIT__SOLVER_INFEASIBLE] = "infeasible",
        [TACIT__SOLVER_UNBOUNDED] = "unbounded",
        [TACIT__SOLVER_LIMIT] = "stopped by a limit",
        [TACIT__SOLVER_TROUBLE] = "in numerical trouble",
    };
    return NAMES[result];
}

enum { MAX_ROWS = 16, MAX_COLUMNS = 64 };

/* Written out in full; every entry of the matrix that is not 0 is passed on. */
typedef struct small {
    int rows, columns;
    double row_lower[MAX_ROWS], row_upper[MAX_ROWS];
    double lower[MAX_COLUMNS], upper[MAX_COLUMNS], costs[MAX_COLUMNS];
    bool integers[MAX_COLUMNS];
    double matrix[MAX_ROWS][MAX_COLUMNS];
} small;

static inline tacit_status small_add_row(tacit__solver *solver, const small *p, int row,
                                         tacit_error *err)
{
    int32_t starts[2] = {0}, items[MAX_COLUMNS];
    double values[MAX_COLUMNS];
    for (int j = 0; j < tacit__solver_columns(solver); j++)
        if (p->matrix[row][j] != 0) {
            items[starts[1]] = j;
            values[starts[1]++] = p->matrix[row][j];
        }
    return tacit__solver_add_rows(solver,
                                  &(tacit__solver_lines){.count = 1,
                                                         .lower = &p->row_lower[row],
                                                         .upper = &p->row_upper[row],
                                                         .starts = starts,
                                                         .items = items,
                                                         .values = values},
                                  err);
}

static inline tacit_status small_add_column(tacit__solver *solver, const small *p, int column,
                                            tacit_error *err)
{
    int32_t starts[2] = {0}, items[MAX_ROWS];
    double values[MAX_ROWS];
    for (int i = 0; i < tacit__solver_rows(solver); i++)
        if (p->matrix[i][column] != 0) {
            items[starts[1]] = i;
            values[starts[1]++] = p->matrix[i][column];
        }
    return tacit__solver_add_columns(solver,
                                     &(tacit__solver_lines){.count = 1,
                                                            .lower = &p->lower[column],
                                                            .upper = &p->upper[column],
                                                            .costs = &p->costs[column],
                                                            .integers = &p->integers[column],
                                                            .starts = starts,
                                                            .items = items,
                                                            .values = values},
                                     err);
}

/* by_row: the columns first, then rows with their entries; or the other way. */
static inline tacit_status small_fill(tacit__solver *solver, const small *p, bool by_row,
                                      tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; !by_row && status == TACIT_OK && i < p->rows; i++)
        status = small_add_row(solver, p, i, err);
    for (int j = 0; status == TACIT_OK && j < p->columns; j++)
        status = small_add_column(solver, p, j, err);
    for (int i = 0; by_row && status == TACIT_OK && i < p->rows; i++)
        status = small_add_row(solver, p, i, err);
    return status;
}

static inline tacit__solver *small_open(const small *p, const tacit__solver_backend *backend)
{
    tacit__solver *solver = NULL;
    assert_int_equal(tacit__solver_new(&solver, backend, NULL), TACIT_OK);
    assert_int_equal(small_fill(solver, p, false, NULL), TACIT_OK);
    return solver;
}

static inline tacit__solver_answer answer_of(tacit__solver *solver,
                                             const tacit__solver_options *options)
{
    static const tacit__solver_options NONE;
    tacit__solver_answer answer = {0};
    tacit_error err = {0};
    if (tacit__solver_solve(&answer, solver, options ? options : &NONE, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return answer;
}

/* Small reproducible numbers. */
static inline int draw_number(uint64_t *state, int from, int to)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (int)((*state >> 33) % (uint64_t)(to - from + 1));
}

/* Maximize 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6). */
static inline small factory(void)
{
    return (small){.rows = 3,
                   .columns = 2,
                   .row_lower = {-INFINITY, -INFINITY, -INFINITY},
                   .row_upper = {4, 12, 18},
                   .upper = {INFINITY, INFINITY},
                   .costs = {-3, -5},
                   .matrix = {{1, 0}, {0, 2}, {3, 2}}};
}

/* A knapsack in which a value for the money is no guide: 0/1, weights 5 7 4 3,
 * values 8 11 6 4, room for 14: 21 with the last three. */
static inline small knapsack(void)
{
    return (small){.rows = 1,
                   .columns = 4,
                   .row_lower = {-INFINITY},
                   .row_upper = {14},
                   .upper = {1, 1, 1, 1},
                   .costs = {-8, -11, -6, -4},
                   .integers = {true, true, true, true},
                   .matrix = {{5, 7, 4, 3}}};
}

/* Many knapsacks at once, which take some nodes. */
static inline small hard(uint64_t seed, int rows, int columns)
{
    small p = {.rows = rows, .columns = columns};
    for (int j = 0; j < columns; j++) {
        p.upper[j] = 1;
        p.costs[j] = -draw_number(&seed, 10, 49);
        p.integers[j] = true;
        for (int i = 0; i < rows; i++)
            p.matrix[i][j] = draw_number(&seed, 0, 2) ? 0 : draw_number(&seed, 1, 50);
    }
    for (int i = 0; i < rows; i++) {
        p.row_lower[i] = -INFINITY;
        p.row_upper[i] = 3 * columns;
    }
    return p;
}

#endif
