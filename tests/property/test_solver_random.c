/*
 * test_solver_random.c - thousands of random linear and integer programs against
 * brute force: linear ones against all of their vertices, integer ones against all
 * of their points. Programs are changed in place, grow and shrink between two
 * solves, so that every answer but the first is a warm start. Nothing may be
 * printed meanwhile.
 *
 * TACIT_LONG in the environment makes a hundred times as many.
 */
#include "programs.h"

#include "random_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 5000, CHANGES = 4 };

/* ---- brute force ---- */

/* A hyperplane that a vertex may lie on. */
typedef struct plane {
    double normal[4], at;
} plane;

static bool feasible(const small *p, const double *x)
{
    for (int j = 0; j < p->columns; j++)
        if (x[j] < p->lower[j] - 1e-7 || x[j] > p->upper[j] + 1e-7)
            return false;
    for (int i = 0; i < p->rows; i++) {
        double sum = 0;
        for (int j = 0; j < p->columns; j++)
            sum += p->matrix[i][j] * x[j];
        if (sum < p->row_lower[i] - 1e-7 || sum > p->row_upper[i] + 1e-7)
            return false;
    }
    return true;
}

static double cost_of(const small *p, const double *x)
{
    double cost = 0;
    for (int j = 0; j < p->columns; j++)
        cost += p->costs[j] * x[j];
    return cost;
}

/* Where n planes meet in one point. */
static bool meet(double *x, const plane *const *planes, int n)
{
    double m[4][5];
    for (int i = 0; i < n; i++) {
        memcpy(m[i], planes[i]->normal, sizeof planes[i]->normal);
        m[i][n] = planes[i]->at;
    }
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(m[i][c]) > fabs(m[pivot][c]))
                pivot = i;
        if (fabs(m[pivot][c]) < 1e-9)
            return false;
        for (int j = 0; j <= n; j++) {
            double t = m[c][j];
            m[c][j] = m[pivot][j];
            m[pivot][j] = t;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == c ? 0 : m[i][c] / m[c][c];
            for (int j = c; j <= n; j++)
                m[i][j] -= factor * m[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = m[i][n] / m[i][i];
    return true;
}

static int planes_of(plane *planes, const small *p)
{
    int count = 0;
    for (int i = 0; i < p->rows; i++)
        for (int side = 0; side < 2; side++) {
            double at = side ? p->row_upper[i] : p->row_lower[i];
            planes[count].at = at;
            memcpy(planes[count].normal, p->matrix[i], sizeof planes[count].normal);
            count += isfinite(at) && !(side && at == p->row_lower[i]);
        }
    for (int j = 0; j < p->columns; j++)
        for (int side = 0; side < 2; side++) {
            double at = side ? p->upper[j] : p->lower[j];
            planes[count] = (plane){.at = at};
            planes[count].normal[j] = 1;
            count += isfinite(at) && !(side && at == p->lower[j]);
        }
    return count;
}

/* The cheapest vertex of a program whose columns are all bounded: INFINITY where
 * there is none. */
static double cheapest_vertex(const small *p)
{
    plane planes[2 * (MAX_ROWS + 4)];
    const plane *chosen[4];
    int count = planes_of(planes, p), at[4];
    double best = INFINITY, x[4] = {0};
    for (int i = 0; i < 4; i++)
        at[i] = i;
    if (count < p->columns)
        return INFINITY;
    for (;;) {
        for (int i = 0; i < p->columns; i++)
            chosen[i] = &planes[at[i]];
        if (meet(x, chosen, p->columns) && feasible(p, x) && cost_of(p, x) < best)
            best = cost_of(p, x);
        int i = p->columns - 1;
        while (i >= 0 && at[i] == count - p->columns + i)
            i--;
        if (i < 0)
            return best;
        at[i]++;
        for (int j = i + 1; j < p->columns; j++)
            at[j] = at[j - 1] + 1;
    }
}

/* The cheapest integer point of a program with small finite bounds. */
static double cheapest_point(const small *p, int column, double *x)
{
    if (column == p->columns)
        return feasible(p, x) ? cost_of(p, x) : INFINITY;
    double best = INFINITY;
    for (x[column] = ceil(p->lower[column]); x[column] <= p->upper[column]; x[column]++) {
        double keep = x[column], cost = cheapest_point(p, column + 1, x);
        x[column] = keep;
        best = cost < best ? cost : best;
    }
    return best;
}

/* ---- random programs ---- */

static void draw_row(small *p, int i, uint64_t *random)
{
    int kind = draw_number(random, 0, 3), base = draw_number(random, -6, 10);
    p->row_lower[i] = kind == 0 ? -INFINITY : base;
    p->row_upper[i] = kind == 1 ? INFINITY : kind == 2 ? base : base + draw_number(random, 0, 6);
    for (int j = 0; j < p->columns; j++)
        p->matrix[i][j] = draw_number(random, 0, 2) ? draw_number(random, -3, 4) : 0;
}

/* Bounds, in a third of the columns not whole: integers need not lie on them. */
static void draw_bounds(small *p, int j, uint64_t *random)
{
    int parts = draw_number(random, 0, 2) ? 1 : 4;
    p->lower[j] = draw_number(random, -3 * parts, 2 * parts) / (double)parts;
    p->upper[j] = p->lower[j] + draw_number(random, 0, 5 * parts) / (double)parts;
}

static void draw_column(small *p, int j, uint64_t *random)
{
    draw_bounds(p, j, random);
    p->costs[j] = draw_number(random, -5, 5);
    for (int i = 0; i < p->rows; i++)
        p->matrix[i][j] = draw_number(random, 0, 2) ? draw_number(random, -3, 4) : 0;
}

static small draw_small(uint64_t *random, bool integers)
{
    small p = {.columns = draw_number(random, 1, 3)};
    for (int j = 0; j < 4; j++)
        p.integers[j] = integers;
    for (int j = 0; j < p.columns; j++)
        draw_column(&p, j, random);
    for (int rows = draw_number(random, 0, 4); rows > 0; rows--)
        draw_row(&p, p.rows++, random);
    return p;
}

static void check_answer(tacit__solver *solver, const small *p)
{
    double x[4], best = p->integers[0] ? cheapest_point(p, 0, x) : cheapest_vertex(p);
    tacit__solver_answer a = answer_of(solver, NULL);
    if (best == INFINITY) {
        assert_int_equal(a.result, TACIT__SOLVER_INFEASIBLE);
        return;
    }
    assert_int_equal(a.result, TACIT__SOLVER_OPTIMAL);
    assert_float_equal(a.cost, best, 1e-5);
    assert_float_equal(a.bound, best, 1e-5);
    assert_true(feasible(p, a.values));
    assert_float_equal(cost_of(p, a.values), best, 1e-5);
}

static void remove_row(tacit__solver *solver, small *p, int row)
{
    assert_int_equal(tacit__solver_remove_rows(solver, 1, (int32_t[]){row}, NULL), TACIT_OK);
    for (int i = row; i + 1 < p->rows; i++) {
        p->row_lower[i] = p->row_lower[i + 1];
        p->row_upper[i] = p->row_upper[i + 1];
        memcpy(p->matrix[i], p->matrix[i + 1], sizeof p->matrix[i]);
    }
    memset(p->matrix[--p->rows], 0, sizeof p->matrix[0]);
}

static void remove_column(tacit__solver *solver, small *p, int column)
{
    assert_int_equal(tacit__solver_remove_columns(solver, 1, (int32_t[]){column}, NULL), TACIT_OK);
    p->columns--;
    for (int j = column; j < p->columns; j++) {
        p->lower[j] = p->lower[j + 1];
        p->upper[j] = p->upper[j + 1];
        p->costs[j] = p->costs[j + 1];
        for (int i = 0; i < p->rows; i++)
            p->matrix[i][j] = p->matrix[i][j + 1];
    }
    for (int i = 0; i < p->rows; i++)
        p->matrix[i][p->columns] = 0;
}

static void change(tacit__solver *solver, small *p, uint64_t *random)
{
    int column = draw_number(random, 0, p->columns - 1);
    int row = p->rows ? draw_number(random, 0, p->rows - 1) : -1;
    switch (draw_number(random, 0, 6)) {
    case 0:
        p->costs[column] = draw_number(random, -5, 5);
        tacit__solver_set_cost(solver, column, p->costs[column]);
        break;
    case 1:
        draw_bounds(p, column, random);
        tacit__solver_set_column(solver, column, p->lower[column], p->upper[column]);
        break;
    case 2:
        if (row >= 0) {
            p->row_lower[row] = draw_number(random, -6, 10);
            p->row_upper[row] = p->row_lower[row] + draw_number(random, 0, 6);
            tacit__solver_set_row(solver, row, p->row_lower[row], p->row_upper[row]);
        }
        break;
    case 3:
        if (p->rows < 6) {
            draw_row(p, p->rows++, random);
            assert_int_equal(small_add_row(solver, p, p->rows - 1, NULL), TACIT_OK);
        }
        break;
    case 4:
        if (p->columns < 4) {
            draw_column(p, p->columns++, random);
            assert_int_equal(small_add_column(solver, p, p->columns - 1, NULL), TACIT_OK);
        }
        break;
    case 5:
        if (row >= 0)
            remove_row(solver, p, row);
        break;
    default:
        if (p->columns > 1)
            remove_column(solver, p, column);
    }
}

static void check_case(uint64_t seed, bool integers)
{
    uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    small p = draw_small(&random, integers);
    tacit__solver *solver = NULL;
    assert_int_equal(tacit__solver_new(&solver, NULL, NULL), TACIT_OK);
    assert_int_equal(small_fill(solver, &p, draw_number(&random, 0, 1), NULL), TACIT_OK);
    check_answer(solver, &p);
    for (int i = 0; i < CHANGES; i++) {
        change(solver, &p, &random);
        check_answer(solver, &p);
    }
    tacit__solver_free(solver);
}

/* What the test is at, and what was printed since it began. */
typedef struct watch {
    uint64_t seed;
    FILE *said;
    int out;
} watch;

static void check_cases(watch *w, bool integers)
{
    uint64_t cases = many_cases(integers ? CASES / 5 : CASES); /* branching takes longer */
    for (w->seed = 1; w->seed <= cases; w->seed++)
        check_case(w->seed, integers);
    w->seed = 0;
}

static void test_linear(void **state)
{
    check_cases(*state, false);
}

static void test_integer(void **state)
{
    check_cases(*state, true);
}

static int listen(void **state)
{
    watch *w = *state;
    fflush(stdout);
    w->said = tmpfile();
    w->out = dup(1);
    return w->said && dup2(fileno(w->said), 1) >= 0 ? 0 : -1;
}

/* Says which case it was that failed, and whether the solvers said anything. */
static int hear(void **state)
{
    watch *w = *state;
    fflush(stdout);
    dup2(w->out, 1);
    close(w->out);
    fseek(w->said, 0, SEEK_END);
    long said = ftell(w->said);
    fclose(w->said);
    if (w->seed)
        print_error("case %llu\n", (unsigned long long)w->seed);
    if (said)
        print_error("%ld bytes were printed\n", said);
    return said ? -1 : 0;
}

int main(void)
{
    watch w = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate_setup_teardown(test_linear, listen, hear, &w),
        cmocka_unit_test_prestate_setup_teardown(test_integer, listen, hear, &w),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
