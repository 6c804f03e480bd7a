/*
 * test_ambiguate_support.c - the yardsticks of ambiguation themselves: Example 1, alpha of the
 * paper's tables, and of blanks that Tables 3 to 5 mark.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"

static void test_example_1(void **state)
{
    (void)state;
    tacit__tableau t;
    tableau_golden(&t, &T1, 2);
    naive_rows n;
    naive_start(&n, &t, NULL);
    assert_int_equal(t.classes, 3);
    assert_int_equal(n.count, 4);
    const int64_t ALPHA[] = {2, 2, 1, 1}; /* rows 0, 3, 1 and 2 of the paper */
    for (int i = 0; i < 4; i++)
        assert_int_equal(n.alpha[i], ALPHA[i]);
    assert_int_equal(tacit__tableau_differ(&t, 0, 1), 5);
    assert_int_equal(tacit__tableau_differ(&t, 0, 2), 3);
    assert_int_equal(tacit__tableau_differ(&t, 1, 2), 6);
    tacit__tableau_clear(&t);
}

/* The cells that heuristic B blanks. */
static void test_cells_of_b(void **state)
{
    (void)state;
    const struct {
        const golden_table *table;
        int64_t classes;
        tacit__blank blanks[4];
        int64_t cells;
    } CASES[] = {
        {&T1, 3, {{1, 1, 4, 0}, {2, 1, 2, 0}}, 2},
        {&T2, 5, {{0, 1, 16, 0}, {2, 1, 8, 0}, {4, 1, 18, 0}}, 4},
        {&T3, 7, {{0, 1, 8, 0}, {4, 1, 12, 0}}, 3},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit__tableau t;
        tacit__blanking plan = {0};
        tableau_golden(&t, CASES[i].table, 2);
        assert_int_equal(t.classes, CASES[i].classes);
        assert_int_equal(naive_least(&t, NULL), 1);
        for (int b = 0; b < 4 && CASES[i].blanks[b].rows; b++)
            assert_int_equal(tacit__blanking_add(&plan, CASES[i].blanks[b], NULL), TACIT_OK);
        assert_int_equal(naive_least(&t, &plan), 2);
        assert_int_equal(naive_cells(&plan), CASES[i].cells);
        assert_true(naive_cost(&t, &plan) == CASES[i].cells);
        assert_true(naive_limits(&t, &plan));
        t.most_row = 0;
        assert_false(naive_limits(&t, &plan));
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
}

/* Random tableaux are what they are asked to be. */
static void test_random(void **state)
{
    (void)state;
    int64_t rows = 0, cells = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan;
        tableau_random(&t, &random, 6, 5, 4, true);
        assert_true(t.rows >= 1 && t.rows <= 6 && t.columns >= 1 && t.columns <= 5);
        assert_true(t.k >= 1 && t.k <= 4 && t.k <= t.rows);
        plan_random(&plan, &t, &random, 2, true);
        rows += t.rows;
        cells += naive_cells(&plan);
        assert_true(naive_least(&t, &plan) >= naive_least(&t, NULL));
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
    assert_true(rows > 300 * 3 && cells > 300 * 4); /* 3.5 and 5.25 on average */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_1),
        cmocka_unit_test(test_cells_of_b),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
