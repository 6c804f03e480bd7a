/*
 * test_holdout_memory.c - methods that resist who knows them: every allocation failed in turn, what
 * they refuse, and that they stop when asked.
 */
#include "cells.h"

#include "starve.h"

static const char *const METHODS[] = {"local", "optimal", "k-similar"};

typedef struct work {
    const fixture *f;
    const char *method;
    tacit_records_options options;
} work;

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_run run = starve_run(1);
    tacit_solution *solution = STARVE_UNTOUCHED;
    tacit_run_seed_number(&run, 3);
    tacit_status status =
        tacit_method_find(w->method)->solve(&solution, &w->f->frame, &w->options, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(solution, STARVE_UNTOUCHED);
    else
        tacit_solution_free(solution);
    return status;
}

/* Rows that fall into boxes: three places, of which two are full. */
static void open_rows(fixture *f)
{
    char text[2048] = "a,b\n";
    for (int i = 0; i < 120; i++)
        sprintf(text + strlen(text), "%d%d,%d\n", i % 2, i % 3, i % 7 == 0);
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_none(f, "b");
}

static void test_every_allocation(void **state)
{
    (void)state;
    fixture f;
    open_rows(&f);
    for (int m = 0; m < 3; m++) {
        work w = {&f, METHODS[m], {.k = 2, .resist_minimality = true, .drop_suppressed = true}};
        assert_true(starve(solve, &w) > 15);
    }
    fixture_close(&f);
}

/* Classes of k, whatever is asked for beside it, and the same for any number of threads. */
static void test_released(void **state)
{
    (void)state;
    fixture f;
    tacit_error err = {0};
    const tacit_metric metrics[] = {TACIT_METRIC_PREC, TACIT_METRIC_WEIGHTED,
                                    TACIT_METRIC_GRANULARITY, TACIT_METRIC_ENTROPY};
    const tacit_apply_options apply = {.keep_order = true, .drop_suppressed = true};
    open_rows(&f);
    for (int i = 0; i < 4; i++) {
        const tacit_records_options options = {
            .k = 4, .metric = metrics[i], .resist_minimality = true, .drop_suppressed = true};
        outcome one, three;
        assert_int_equal(solve_by(&one, &f, "local", &options, &apply, 2, 1, &err), TACIT_OK);
        assert_int_equal(solve_by(&three, &f, "local", &options, &apply, 2, 3, &err), TACIT_OK);
        assert_true(one.application->row_count > 60);
        assert_true(one.application->row_count < 120);
        assert_true(one.metrics.smallest_class >= 4);
        assert_int_equal(one.application->row_count, three.application->row_count);
        check_same(&one, &three, &f);
        outcome_clear(&one);
        outcome_clear(&three);
    }
    fixture_close(&f);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_refused(void **state)
{
    (void)state;
    fixture f;
    tacit_error err = {0};
    tacit_solution *solution = NULL;
    work w = {&f, "local", {.k = 2, .resist_minimality = true}};
    open_rows(&f);
    assert_int_equal(solve(&w, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "suppressed: drop"));
    w.options.drop_suppressed = true;
    err = (tacit_error){0};
    f.frame.person = 1;
    assert_int_equal(solve(&w, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "person column"));
    f.frame.person = -1;
    w.options.k = 1000;
    assert_int_equal(solve(&w, &err), TACIT_INFEASIBLE);
    w.options.k = 2;
    tacit_run run = starve_run(1);
    run.progress = stop;
    assert_int_equal(tacit_method_find("local")->solve(&solution, &f.frame, &w.options, &run, &err),
                     TACIT_CANCELLED);
    assert_null(solution);
    fixture_close(&f);
}

/* Rows cannot be left out where the top of a hierarchy is a value. */
static void test_no_star(void **state)
{
    (void)state;
    fixture f;
    tacit_error err = {0};
    figure_34_with(&f, false);
    work w = {&f, "optimal", {.k = 2, .resist_minimality = true, .drop_suppressed = true}};
    assert_int_equal(solve(&w, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "on top of every hierarchy"));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_released),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
