/*
 * test_ambiguate_exact_random.c - the least blanks against every way there is.
 *
 * The yardstick tries all blanks of all rows, one row after the other, and leaves a way when it
 * costs too much or when a row is short of rows even if all that follow were blank.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"

/* ---- every way ---- */

typedef struct brute {
    const tacit__tableau *t;
    naive_rows rows;
    int64_t column[64];
    double best;
    int64_t sets; /* that cost as much */
} brute;

/* Whether the first rows could still agree with k. */
static bool may_do(const brute *b, int first)
{
    for (int i = 0; i < first; i++) {
        int64_t alpha = b->rows.count - first;
        for (int j = 0; j < first; j++)
            alpha += naive_agree(&b->rows, i, j);
        if (alpha < b->t->k)
            return false;
    }
    return true;
}

static bool fits(const brute *b, uint64_t mask)
{
    for (int32_t c = 0; c < b->t->columns; c++)
        if (mask >> c & 1 && b->column[c] >= b->t->most_column)
            return false;
    return __builtin_popcountll(mask) <= b->t->most_row;
}

static void count_blanks(brute *b, uint64_t mask, int by)
{
    for (int32_t c = 0; c < b->t->columns; c++)
        b->column[c] += by * (int)(mask >> c & 1);
}

static void try_rows(brute *b, int row, double cost)
{
    if (cost > b->best + 1e-9 || !may_do(b, row))
        return;
    if (row == b->rows.count) {
        b->sets = cost < b->best - 1e-9 ? 1 : b->sets + 1;
        b->best = fmin(b->best, cost);
        return;
    }
    for (uint64_t mask = 0; mask < 1ull << b->t->columns; mask++) {
        if (!fits(b, mask))
            continue;
        b->rows.mask[row] = mask;
        count_blanks(b, mask, 1);
        try_rows(b, row + 1, cost + tacit__tableau_cost(b->t, b->rows.class_of[row], mask));
        count_blanks(b, mask, -1);
    }
}

static brute try_all(const tacit__tableau *t)
{
    brute b = {.t = t, .best = INFINITY};
    naive_start(&b.rows, t, NULL);
    try_rows(&b, 0, 0);
    return b;
}

/* ---- what is said of a plan ---- */

static void check_plan(const tacit__tableau *t, const tacit__blanking *plan)
{
    assert_true(naive_least(t, plan) >= t->k);
    assert_true(naive_limits(t, plan));
    assert_true(plan->bound <= naive_cost(t, plan) + 1e-6);
}

static void check_exact(const tacit__tableau *t)
{
    brute b = try_all(t);
    tacit__blanking plan = {0};
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    tacit_status status = tacit__ambiguate_exact(&plan, t, NULL, &run, &err);
    if (b.best == INFINITY) {
        assert_int_equal(status, TACIT_INFEASIBLE);
        return;
    }
    assert_int_equal(status, TACIT_OK);
    check_plan(t, &plan);
    assert_true(plan.proven);
    assert_true(fabs(naive_cost(t, &plan) - b.best) < 1e-6);
    assert_true(fabs(plan.bound - b.best) < 1e-6);
    tacit__blanking_clear(&plan);
}

static uint64_t seed;

static void random_tables(int most_rows, int max_columns, uint64_t cases, bool limits)
{
    for (seed = 1; seed <= many_cases(cases); seed++) {
        uint64_t random = seed * 1000003 + (uint64_t)most_rows * 64 + (uint64_t)max_columns;
        tacit__tableau t;
        tableau_random(&t, &random, most_rows, max_columns, 4, true);
        if (limits && draw(&random, 2))
            t.most_row = 1 + (int32_t)draw(&random, (uint32_t)t.columns);
        if (limits && draw(&random, 2))
            t.most_column = 1 + draw(&random, (uint32_t)t.rows);
        check_exact(&t);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

static void test_without_limits(void **state)
{
    (void)state;
    random_tables(4, 4, 4000, false);
}

static void test_with_limits(void **state)
{
    (void)state;
    random_tables(4, 4, 4000, true);
}

static void test_five(void **state)
{
    (void)state;
    random_tables(5, 5, 1200, true);
}

static void test_more_rows(void **state)
{
    (void)state;
    random_tables(7, 3, 1000, true);
}

/* ---- the guide's figures ---- */

static void check_golden(const golden_table *table, int64_t k, double least, int64_t sets)
{
    tacit__tableau t;
    tableau_golden(&t, table, k);
    brute b = try_all(&t);
    assert_true(b.best == least);
    if (sets > 0)
        assert_int_equal(b.sets, sets);
    check_exact(&t);
    tacit__tableau_clear(&t);
}

static void test_golden(void **state)
{
    (void)state;
    check_golden(&T1, 2, 2, 4);
    check_golden(&T2, 2, 4, 24);
    check_golden(&T3, 2, 3, 8);
    check_golden(&T1, 3, 4, 0);
    check_golden(&TWO_ROWS, 2, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),        random_test(test_without_limits, &seed),
        random_test(test_with_limits, &seed), random_test(test_five, &seed),
        random_test(test_more_rows, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
