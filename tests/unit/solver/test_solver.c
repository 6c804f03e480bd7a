/*
 * test_solver.c - linear and integer programs with known answers, changed in
 * place and solved again, stopped and cancelled.
 */
#include "programs.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void check_result(const tacit__solver_answer *answer, tacit__solver_result result,
                         double cost)
{
    assert_string_equal(result_name(answer->result), result_name(result));
    if (result == TACIT__SOLVER_OPTIMAL) {
        assert_non_null(answer->values);
        assert_float_equal(answer->cost, cost, 1e-6);
        assert_float_equal(answer->bound, cost, 1e-6);
    }
}

static void test_factory(void **state)
{
    (void)state;
    small p = factory();
    for (int by_row = 0; by_row < 2; by_row++) {
        tacit__solver *solver = NULL;
        assert_int_equal(tacit__solver_new(&solver, NULL, NULL), TACIT_OK);
        assert_int_equal(small_fill(solver, &p, by_row, NULL), TACIT_OK);
        tacit__solver_answer a = answer_of(solver, NULL);
        check_result(&a, TACIT__SOLVER_OPTIMAL, -36);
        assert_float_equal(a.values[0], 2, 1e-6);
        assert_float_equal(a.values[1], 6, 1e-6);
        assert_float_equal(a.duals[0], 0, 1e-6); /* 3/2 for the second row's 12, 1 for 18 */
        assert_float_equal(a.duals[1], -1.5, 1e-6);
        assert_float_equal(a.duals[2], -1, 1e-6);
        assert_float_equal(a.reduced[0], 0, 1e-6);
        tacit__solver_free(solver);
    }
    tacit__solver_free(NULL);
}

/* Programs in which something is missing or excludes itself. */
static void test_results(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        small program;
        tacit__solver_result result;
        double cost;
    } CASES[] = {
        {"nothing at all", {0}, TACIT__SOLVER_OPTIMAL, 0},
        {"rows without columns, kept", {.rows = 1, .row_upper = {1}}, TACIT__SOLVER_OPTIMAL, 0},
        {"rows without columns, broken",
         {.rows = 1, .row_lower = {1}, .row_upper = {2}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"columns without rows",
         {.columns = 3, .lower = {-1, -2, 3}, .upper = {5, 7, 9}, .costs = {1, -1, 0}},
         TACIT__SOLVER_OPTIMAL,
         -8},
        {"columns without rows, unbounded",
         {.columns = 1, .lower = {-INFINITY}, .upper = {5}, .costs = {1}},
         TACIT__SOLVER_UNBOUNDED,
         0},
        {"bounds of a column that cross",
         {.rows = 1, .columns = 1, .row_upper = {9}, .lower = {2}, .upper = {1}, .matrix = {{1}}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"bounds of a row that cross",
         {.rows = 1,
          .columns = 1,
          .row_lower = {3},
          .row_upper = {2},
          .upper = {9},
          .matrix = {{1}}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"x + y >= 3 with both at most 1",
         {.rows = 1,
          .columns = 2,
          .row_lower = {3},
          .row_upper = {INFINITY},
          .upper = {1, 1},
          .matrix = {{1, 1}}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"x - y = 0, x + y = 1, x - y = 1, all free",
         {.rows = 3,
          .columns = 2,
          .row_lower = {0, 1, 1},
          .row_upper = {0, 1, 1},
          .lower = {-INFINITY, -INFINITY},
          .upper = {INFINITY, INFINITY},
          .matrix = {{1, -1}, {1, 1}, {1, -1}}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"min -x - y, x - y <= 1",
         {.rows = 1,
          .columns = 2,
          .row_lower = {-INFINITY},
          .row_upper = {1},
          .upper = {INFINITY, INFINITY},
          .costs = {-1, -1},
          .matrix = {{1, -1}}},
         TACIT__SOLVER_UNBOUNDED,
         0},
        {"neither feasible nor bounded below: infeasible",
         {.rows = 2,
          .columns = 2,
          .row_lower = {-INFINITY, -INFINITY},
          .row_upper = {-1, -1},
          .upper = {INFINITY, INFINITY},
          .costs = {-1, -1},
          .matrix = {{1, -1}, {-1, 1}}},
         TACIT__SOLVER_INFEASIBLE,
         0},
        {"a free column: min x, x >= -7 by a row",
         {.rows = 1,
          .columns = 1,
          .row_lower = {-7},
          .row_upper = {INFINITY},
          .lower = {-INFINITY},
          .upper = {INFINITY},
          .costs = {1},
          .matrix = {{1}}},
         TACIT__SOLVER_OPTIMAL,
         -7},
        {"a range: min x + 2y, 2 <= x + y <= 3, x <= 1",
         {.rows = 1,
          .columns = 2,
          .row_lower = {2},
          .row_upper = {3},
          .upper = {1, INFINITY},
          .costs = {1, 2},
          .matrix = {{1, 1}}},
         TACIT__SOLVER_OPTIMAL,
         3},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tacit__solver *solver = small_open(&CASES[i].program, NULL);
        tacit__solver_answer a = answer_of(solver, NULL);
        if (a.result != CASES[i].result)
            fail_msg("%s: %s", CASES[i].what, result_name(a.result));
        check_result(&a, CASES[i].result, CASES[i].cost);
        if (a.result == TACIT__SOLVER_INFEASIBLE)
            assert_true(a.bound == INFINITY && isnan(a.cost) && !a.values);
        tacit__solver_free(solver);
    }
}

/* Beale's program, on which the simplex method of the textbook runs in circles. */
static void test_degenerate(void **state)
{
    (void)state;
    small p = {.rows = 3,
               .columns = 4,
               .row_lower = {-INFINITY, -INFINITY, -INFINITY},
               .row_upper = {0, 0, 1},
               .upper = {INFINITY, INFINITY, INFINITY, INFINITY},
               .costs = {-0.75, 20, -0.5, 6},
               .matrix = {{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}}};
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -1.25);
    tacit__solver_free(solver);
}

/* A chain x1 >= x2 >= ... with a hundred times the same vertex; warm starts after
 * changes of every kind. */
static void test_changes(void **state)
{
    (void)state;
    small p = factory();
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -36);
    tacit__solver_set_column(solver, 1, 0, 5); /* y <= 5: (8/3, 5) */
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -33);
    tacit__solver_set_row(solver, 2, -INFINITY, 10); /* 3x + 2y <= 10: (0, 5) */
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -25);
    tacit__solver_set_cost(solver, 0, -30); /* (10/3, 0) */
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -100);
    tacit__solver_set_column(solver, 0, 4, 4); /* 3 x 4 > 10 */
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_INFEASIBLE, 0);
    tacit__solver_set_column(solver, 0, 0, INFINITY);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -100);
    tacit__solver_set_row(solver, 0, -INFINITY, INFINITY);
    tacit__solver_set_row(solver, 2, -INFINITY, INFINITY);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_UNBOUNDED, 0);
    tacit__solver_free(solver);
}

static void test_rows_and_columns_added_and_removed(void **state)
{
    (void)state;
    small p = factory();
    p.rows = 2;
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -42); /* (4, 6) */
    assert_int_equal(small_add_row(solver, &p, 2, NULL), TACIT_OK);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -36);
    p.rows = 3;
    p.costs[2] = -7; /* a third product that needs the third machine only */
    p.upper[2] = INFINITY;
    p.matrix[2][2] = 1;
    assert_int_equal(small_add_column(solver, &p, 2, NULL), TACIT_OK);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -126); /* 18 of it */
    assert_int_equal(tacit__solver_columns(solver), 3);
    assert_int_equal(tacit__solver_remove_columns(solver, 1, (int32_t[]){0}, NULL), TACIT_OK);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -126);
    assert_int_equal(tacit__solver_remove_rows(solver, 2, (int32_t[]){0, 2}, NULL), TACIT_OK);
    assert_int_equal(tacit__solver_rows(solver), 1);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_UNBOUNDED, 0); /* nothing holds the third product */
    tacit__solver_set_column(solver, 1, 0, 2);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -44); /* 2 x 7 + 6 x 5 */
    tacit__solver_free(solver);
}

/* Warm starts pay: a program solved again after a small change takes few
 * iterations, and going back to a saved basis takes none. */
static void test_warm_start(void **state)
{
    (void)state;
    small p = hard(5, 10, 40);
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_options relaxed = {.relaxed = true};
    unsigned char basis[MAX_ROWS + MAX_COLUMNS];
    tacit__solver_answer cold = answer_of(solver, &relaxed), warm;
    double cost = cold.cost;
    assert_true(cold.iterations > 10);
    tacit__solver_save(solver, basis);
    int fractional = 0;
    while (fabs(cold.values[fractional] - round(cold.values[fractional])) < 1e-6)
        fractional++;
    tacit__solver_set_column(solver, fractional, 0, 0);
    warm = answer_of(solver, &relaxed);
    check_result(&warm, TACIT__SOLVER_OPTIMAL, warm.cost);
    assert_true(warm.cost > cost + 1e-6 && warm.iterations > 0);
    assert_true(warm.iterations < cold.iterations);
    tacit__solver_set_column(solver, fractional, 0, 1);
    tacit__solver_restore(solver, basis);
    warm = answer_of(solver, &relaxed);
    check_result(&warm, TACIT__SOLVER_OPTIMAL, cost);
    assert_int_equal(warm.iterations, 0);
    tacit__solver_free(solver);
}

/* Cutting stock, the toy of column generation: rolls of 100 into 45 (97 times), 36
 * (610), 31 (395), 14 (211). Gilmore and Gomory's own example: 452.25 rolls. */
static void test_column_generation(void **state)
{
    (void)state;
    enum { SIZES = 4 };
    static const int SIZE[SIZES] = {45, 36, 31, 14};
    static const double DEMAND[SIZES] = {97, 610, 395, 211};
    tacit__solver *solver = NULL;
    small p = {.rows = SIZES};
    for (int i = 0; i < SIZES; i++) {
        p.row_lower[i] = DEMAND[i];
        p.row_upper[i] = INFINITY;
        p.matrix[i][i] = 100 / SIZE[i];
    }
    for (int j = 0; j < MAX_COLUMNS; j++) {
        p.costs[j] = 1;
        p.upper[j] = INFINITY;
    }
    p.columns = SIZES;
    solver = small_open(&p, NULL);
    for (;;) {
        tacit__solver_answer a = answer_of(solver, NULL);
        assert_int_equal(a.result, TACIT__SOLVER_OPTIMAL);
        double best = 1 + 1e-9;
        int cut[SIZES], column = p.columns;
        for (cut[0] = 0; cut[0] <= 2; cut[0]++)
            for (cut[1] = 0; cut[1] <= 2; cut[1]++)
                for (cut[2] = 0; cut[2] <= 3; cut[2]++)
                    for (cut[3] = 0; cut[3] <= 7; cut[3]++) {
                        double worth = 0;
                        int length = 0;
                        for (int i = 0; i < SIZES; i++) {
                            worth += a.duals[i] * cut[i];
                            length += SIZE[i] * cut[i];
                        }
                        if (length > 100 || worth <= best)
                            continue;
                        best = worth;
                        for (int i = 0; i < SIZES; i++)
                            p.matrix[i][column] = cut[i];
                    }
        if (best <= 1 + 1e-9) {
            check_result(&a, TACIT__SOLVER_OPTIMAL, 452.25);
            break;
        }
        assert_true(column < MAX_COLUMNS);
        assert_int_equal(small_add_column(solver, &p, p.columns++, NULL), TACIT_OK);
    }
    tacit__solver_free(solver);
}

static void test_integers(void **state)
{
    (void)state;
    small p = knapsack();
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -21);
    static const double BEST[] = {0, 1, 1, 1};
    for (int i = 0; i < 4; i++)
        assert_true(a.values[i] == BEST[i]); /* exactly: they are rounded */
    a = answer_of(solver, &(tacit__solver_options){.relaxed = true});
    check_result(&a, TACIT__SOLVER_OPTIMAL, -22);
    tacit__solver_set_row(solver, 0, 13, 13.5); /* no set weighs that but 5 + ... none */
    tacit__solver_set_column(solver, 3, 0, 0);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_INFEASIBLE, 0);
    tacit__solver_set_row(solver, 0, -INFINITY, 14);
    tacit__solver_set_cost(solver, 0, -100);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, -111);
    tacit__solver_free(solver);
    p = hard(5, 10, 40);
    solver = small_open(&p, NULL);
    a = answer_of(solver, NULL);
    check_result(&a, TACIT__SOLVER_OPTIMAL, a.cost);
    double best = a.cost, start[MAX_COLUMNS];
    memcpy(start, a.values, sizeof *start * (size_t)p.columns);
    a = answer_of(solver, &(tacit__solver_options){.start = start});
    check_result(&a, TACIT__SOLVER_OPTIMAL, best);
    start[0] = 0.5; /* no solution: as if there were none */
    a = answer_of(solver, &(tacit__solver_options){.start = start});
    check_result(&a, TACIT__SOLVER_OPTIMAL, best);
    a = answer_of(solver, &(tacit__solver_options){.gap = 0.2});
    assert_int_equal(a.result, TACIT__SOLVER_OPTIMAL);
    assert_true(a.cost >= best - 1e-6 && a.cost - a.bound <= 0.2 * fabs(a.cost) + 1e-6);
    tacit__solver_free(solver);
}

static void test_limits(void **state)
{
    (void)state;
    small p = hard(7, 10, 40);
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a =
        answer_of(solver, &(tacit__solver_options){.iterations = 2, .relaxed = true});
    check_result(&a, TACIT__SOLVER_LIMIT, 0);
    assert_int_equal(a.iterations, 2);
    double bound = a.bound;
    a = answer_of(solver, &(tacit__solver_options){.relaxed = true}); /* goes on from there */
    check_result(&a, TACIT__SOLVER_OPTIMAL, a.cost);
    assert_true(bound <= a.cost + 1e-6);
    double relaxation = a.cost;
    a = answer_of(solver, &(tacit__solver_options){.nodes = 1});
    assert_int_equal(a.result, TACIT__SOLVER_LIMIT);
    assert_true(a.bound >= relaxation - 1e-6);
    assert_true(!a.values || a.cost >= a.bound - 1e-6);
    a = answer_of(solver, &(tacit__solver_options){.seconds = 1e-9});
    check_result(&a, TACIT__SOLVER_LIMIT, 0);
    tacit__solver_free(solver);
}

/* Progress that stops at a call, and counts them. */
typedef struct counter {
    int calls, stop_at;
} counter;

static bool count_calls(const char *phase, int64_t done, int64_t total, void *payload)
{
    counter *c = payload;
    assert_string_equal(phase, "work");
    assert_true(done >= 0 && total == 0);
    return ++c->calls != c->stop_at;
}

static void test_cancelling(void **state)
{
    (void)state;
    small p = hard(7, 10, 40);
    counter c = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.progress = count_calls;
    run.payload = &c;
    tacit__solver_options options = {.phase = "work"};
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = {.nodes = -7};
    assert_int_equal(tacit__solver_solve(&a, solver, &options, &run, NULL), TACIT_OK);
    assert_int_equal(a.result, TACIT__SOLVER_OPTIMAL);
    double best = a.cost;
    int all = c.calls;
    assert_true(all > 10);
    for (int stop = 1; stop < all; stop += 1 + all / 9) {
        c = (counter){.stop_at = stop};
        tacit_error err = {0};
        a.nodes = -7;
        assert_int_equal(tacit__solver_solve(&a, solver, &options, &run, &err), TACIT_CANCELLED);
        assert_int_equal(err.status, TACIT_CANCELLED);
        assert_int_equal(a.nodes, -7); /* untouched */
        assert_int_equal(c.calls, stop);
    }
    c = (counter){0};
    assert_int_equal(tacit__solver_solve(&a, solver, &options, &run, NULL), TACIT_OK);
    check_result(&a, TACIT__SOLVER_OPTIMAL, best);
    options.phase = NULL;
    c = (counter){.stop_at = 1};
    assert_int_equal(tacit__solver_solve(&a, solver, &options, &run, NULL), TACIT_OK);
    assert_int_equal(c.calls, 0);
    tacit__solver_free(solver);
}

static void test_refused(void **state)
{
    (void)state;
    small p = factory();
    static const double BAD[] = {NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        tacit__solver *solver = small_open(&p, NULL);
        small q = p;
        tacit_error err = {0};
        (i < 2 ? q.matrix[0] : q.costs)[0] = BAD[i % 2];
        assert_int_equal(small_add_column(solver, &q, 0, &err), TACIT_INVALID);
        assert_non_null(strstr(err.message, "not a number"));
        q = p;
        q.row_lower[0] = BAD[i % 2];
        assert_int_equal(small_add_row(solver, &q, 0, NULL), TACIT_INVALID);
        assert_int_equal(tacit__solver_rows(solver), 3);
        assert_int_equal(tacit__solver_columns(solver), 2);
        tacit__solver_answer a = answer_of(solver, NULL);
        check_result(&a, TACIT__SOLVER_OPTIMAL, -36);
        tacit__solver_free(solver);
    }
}

/* The solvers talk to nobody: standard output and error are watched meanwhile. */
static void test_silence(void **state)
{
    (void)state;
    FILE *said = tmpfile();
    assert_non_null(said);
    fflush(NULL);
    int out = dup(1), error = dup(2);
    dup2(fileno(said), 1);
    dup2(fileno(said), 2);
    small programs[] = {factory(), knapsack(), hard(3, 10, 40), knapsack(), factory()};
    programs[3].row_lower[0] = 13.2; /* no solution */
    programs[3].row_upper[0] = 13.8;
    programs[4].row_upper[2] = -1;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        tacit__solver *solver = small_open(&programs[i], NULL);
        answer_of(solver, NULL);
        answer_of(solver, &(tacit__solver_options){.nodes = 1, .seconds = 10});
        tacit__solver_free(solver);
    }
    fflush(NULL);
    dup2(out, 1);
    dup2(error, 2);
    close(out);
    close(error);
    assert_int_equal(fseek(said, 0, SEEK_END), 0);
    assert_int_equal(ftell(said), 0);
    fclose(said);
}

/* The same program gives the same values and iterations, alone or beside others. */
typedef struct share {
    pthread_t thread;
    double values[MAX_COLUMNS], relaxed[MAX_COLUMNS];
    int64_t nodes, iterations;
} share;

static void *solve_share(void *argument)
{
    share *s = argument;
    small p = hard(11, 8, 50);
    tacit__solver *solver = small_open(&p, NULL);
    tacit__solver_answer a = answer_of(solver, &(tacit__solver_options){.relaxed = true});
    memcpy(s->relaxed, a.values, 50 * sizeof *s->relaxed);
    s->iterations = a.iterations;
    a = answer_of(solver, NULL);
    memcpy(s->values, a.values, 50 * sizeof *s->values);
    s->nodes = a.nodes;
    tacit__solver_free(solver);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    share alone = {0}, shares[THREADS] = {0};
    solve_share(&alone);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&shares[i].thread, NULL, solve_share, &shares[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(shares[i].thread, NULL);
        assert_memory_equal(shares[i].values, alone.values, sizeof alone.values);
        assert_memory_equal(shares[i].relaxed, alone.relaxed, sizeof alone.relaxed);
        assert_int_equal(shares[i].iterations, alone.iterations);
        assert_int_equal(shares[i].nodes, alone.nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factory),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_rows_and_columns_added_and_removed),
        cmocka_unit_test(test_warm_start),
        cmocka_unit_test(test_column_generation),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
