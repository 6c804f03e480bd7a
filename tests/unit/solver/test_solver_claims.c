/*
 * test_solver_claims.c - solvers that go wrong: whatever a backend claims, an
 * answer is optimal, infeasible or unbounded only if it is, and its bound is one.
 */
#include "fake_solver.h"

#include "random_cases.h"

static void check_bound(const tacit__solver_answer *a, double best)
{
    assert_true(a->bound <= best + 1e-5);
    if (a->values)
        assert_true(a->cost >= best - 1e-5);
}

/* For good: trouble, or the limit, and never a wrong answer. */
static void test_linear(void **state)
{
    (void)state;
    const tacit__solver_backend backend = fake_backend();
    small p = factory();
    for (fault which = NO_FAULT; which < FAULTS; which++) {
        fake_set(which, 0, 0);
        tacit__solver *solver = small_open(&p, &backend);
        tacit__solver_answer a = answer_of(solver, &(tacit__solver_options){.iterations = 1000});
        tacit__solver_result expected = which == NO_FAULT     ? TACIT__SOLVER_OPTIMAL
                                        : which == NEVER_ENDS ? TACIT__SOLVER_LIMIT
                                                              : TACIT__SOLVER_TROUBLE;
        if (a.result != expected)
            fail_msg("fault %d: %s", which, result_name(a.result));
        check_bound(&a, -36);
        tacit__solver_free(solver);
    }
}

/* Once: the second try is right, and so is the answer. */
static void test_second_try(void **state)
{
    (void)state;
    const tacit__solver_backend backend = fake_backend();
    small p = factory();
    for (fault which = NO_FAULT; which < FAULTS; which++) {
        fake_set(which, 0, 1);
        tacit__solver *solver = small_open(&p, &backend);
        tacit__solver_answer a = answer_of(solver, NULL);
        if (a.result != TACIT__SOLVER_OPTIMAL)
            fail_msg("fault %d: %s", which, result_name(a.result));
        assert_float_equal(a.cost, -36, 1e-6);
        tacit__solver_free(solver);
    }
}

/* A program that is infeasible, one that is unbounded: no fault makes a solution. */
static void test_without_solution(void **state)
{
    (void)state;
    const tacit__solver_backend backend = fake_backend();
    small infeasible = factory(), unbounded = factory();
    infeasible.row_upper[2] = -1;
    unbounded.row_upper[1] = unbounded.row_upper[2] = INFINITY;
    for (fault which = NO_FAULT; which < FAULTS; which++)
        for (int i = 0; i < 2; i++) {
            fake_set(which, 0, 0);
            tacit__solver *solver = small_open(i ? &unbounded : &infeasible, &backend);
            tacit__solver_answer a =
                answer_of(solver, &(tacit__solver_options){.iterations = 1000});
            assert_true(a.result != TACIT__SOLVER_OPTIMAL);
            assert_true(a.result != (i ? TACIT__SOLVER_INFEASIBLE : TACIT__SOLVER_UNBOUNDED));
            if (i)
                assert_true(a.bound == -INFINITY);
            else
                assert_null(a.values);
            tacit__solver_free(solver);
        }
}

/* From how many calls on faults are tried: from every one where there is time. */
static int stride(void)
{
    return 1 + (int)(2 * 100 / many_cases(100));
}

/* In a search for integers: from any call on, once or for good. An answer that
 * says optimal is; one that does not keeps bound and solution on either side. */
static void test_integers(void **state)
{
    (void)state;
    enum { LATEST = 40 };
    const tacit__solver_backend backend = fake_backend();
    small p = hard(5, 3, 8);
    int optimal = 0, all = 0;
    tacit__solver *solver = small_open(&p, NULL);
    double best = answer_of(solver, NULL).cost;
    tacit__solver_free(solver);
    for (fault which = NO_FAULT; which < FAULTS; which++)
        for (int from = 0; from < LATEST; from += stride())
            for (int times = 0; times < 3; times++) {
                fake_set(which, from, times);
                solver = small_open(&p, &backend);
                tacit__solver_answer a =
                    answer_of(solver, &(tacit__solver_options){.iterations = 100000});
                assert_true(a.result != TACIT__SOLVER_UNBOUNDED);
                assert_true(a.result != TACIT__SOLVER_INFEASIBLE);
                check_bound(&a, best);
                if (a.result == TACIT__SOLVER_OPTIMAL)
                    assert_float_equal(a.cost, best, 1e-5);
                optimal += a.result == TACIT__SOLVER_OPTIMAL;
                all++;
                tacit__solver_free(solver);
            }
    assert_true(optimal > all / 2 && optimal < all); /* both happen */
}

/* No integer solution: never one, and only a proof says so. */
static void test_no_integers(void **state)
{
    (void)state;
    const tacit__solver_backend backend = fake_backend();
    small p = knapsack();
    p.row_lower[0] = 13.2;
    p.row_upper[0] = 13.8;
    for (fault which = NO_FAULT; which < FAULTS; which++)
        for (int from = 0; from < 20; from += stride()) {
            fake_set(which, from, 0);
            tacit__solver *solver = small_open(&p, &backend);
            tacit__solver_answer a =
                answer_of(solver, &(tacit__solver_options){.iterations = 10000});
            assert_null(a.values);
            assert_true(a.result != TACIT__SOLVER_OPTIMAL && a.result != TACIT__SOLVER_UNBOUNDED);
            if (which == NO_FAULT)
                assert_int_equal(a.result, TACIT__SOLVER_INFEASIBLE);
            tacit__solver_free(solver);
        }
}

static void *refuse_to_open(void)
{
    return NULL;
}

static void test_no_model(void **state)
{
    (void)state;
    tacit__solver_backend backend = fake_backend();
    backend.open = refuse_to_open;
    tacit__solver *solver = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit__solver_new(&solver, &backend, &err), TACIT_NOMEM);
    assert_int_equal(err.status, TACIT_NOMEM);
    assert_null(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),           cmocka_unit_test(test_second_try),
        cmocka_unit_test(test_without_solution), cmocka_unit_test(test_integers),
        cmocka_unit_test(test_no_integers),      cmocka_unit_test(test_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
