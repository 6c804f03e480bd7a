/*
 * test_optimal_figures.c - the true optima of Sweeney's Figure 34 at cell level, above
 * the thesis's 0.827 (Figure 35), each with its proof.
 */
#include "cells.h"

/* Prec by k, with the heights of Figure 33 and those of Figure 32. */
typedef struct optimum {
    int64_t k;
    double with_suppression, without;
} optimum;

static const optimum OPTIMA[] = {{2, 0.8486, 0.7917}, {3, 0.7208, 0.59375}, {4, 0.65, 0.4792}};
enum { OPTIMUM_COUNT = sizeof OPTIMA / sizeof OPTIMA[0] };

static void check_optimum(const fixture *f, int64_t k, double precision)
{
    outcome o;
    solve_cells(&o, f, "optimal", &(tacit_records_options){.k = k});
    assert_float_equal(o.metrics.precision, precision, 5e-5);
    assert_true(o.solution->search.proven);
    assert_float_equal(o.solution->search.lower_bound, 1 - o.metrics.precision, 1e-9);
    assert_true(o.metrics.smallest_class >= k);
    check_generalizes(&o, f);
    outcome_clear(&o);
}

static void figure_33_heights(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    for (int i = 0; i < OPTIMUM_COUNT; i++)
        check_optimum(&f, OPTIMA[i].k, OPTIMA[i].with_suppression);
    fixture_close(&f);
}

/* The same hierarchies without a suppressed value on top. */
static void figure_32_heights(void **state)
{
    (void)state;
    fixture f;
    figure_34_with(&f, false);
    for (int i = 0; i < OPTIMUM_COUNT; i++)
        check_optimum(&f, OPTIMA[i].k, OPTIMA[i].without);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_33_heights),
        cmocka_unit_test(figure_32_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
