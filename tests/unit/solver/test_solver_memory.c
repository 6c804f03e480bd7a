/*
 * test_solver_memory.c - every allocation of the solver room failed in turn. Those
 * inside CLP are not reached.
 */
#include "programs.h"

#include "starve.h"

static tacit_status build_and_solve(void *context, tacit_error *err)
{
    const small *p = context;
    tacit__solver *solver = NULL;
    tacit__solver_answer answer = {.nodes = -7};
    tacit_status status = tacit__solver_new(&solver, NULL, err);
    if (status == TACIT_OK)
        status = small_fill(solver, p, true, err);
    if (status == TACIT_OK)
        status = tacit__solver_solve(&answer, solver, &(tacit__solver_options){0}, NULL, err);
    if (status == TACIT_OK)
        assert_int_equal(answer.result, TACIT__SOLVER_OPTIMAL);
    else
        assert_int_equal(answer.nodes, -7);
    if (status == TACIT_OK)
        status = tacit__solver_remove_rows(solver, 1, (int32_t[]){0}, err);
    if (status == TACIT_OK)
        status = tacit__solver_remove_columns(solver, 2, (int32_t[]){0, 1}, err);
    tacit__solver_free(solver);
    return status;
}

/* A program that was refused memory is as it was, and can still be solved. */
static tacit_status grow(void *context, tacit_error *err)
{
    const small *p = context;
    bool hungry = starving.on;
    starving.on = false;
    tacit__solver *solver = small_open(p, NULL);
    starving.on = hungry;
    tacit_status status = TACIT_OK;
    int added = 0;
    while (status == TACIT_OK && added < 20) {
        status = small_add_row(solver, p, 0, err);
        added += status == TACIT_OK;
    }
    starving.on = false;
    assert_int_equal(tacit__solver_rows(solver), p->rows + added);
    assert_int_equal(answer_of(solver, NULL).result, TACIT__SOLVER_OPTIMAL);
    tacit__solver_free(solver);
    starving.on = hungry;
    return status;
}

static void test_linear(void **state)
{
    (void)state;
    small p = factory();
    starve(build_and_solve, &p);
    starve(grow, &p);
}

/* A search can do without a node's basis. */
static void test_integers(void **state)
{
    (void)state;
    small p = hard(5, 4, 10);
    starving.lenient = true;
    starve_way_of(build_and_solve, &p, STARVE_ONCE);
    starve_way_of(build_and_solve, &p, STARVE_FOR_GOOD);
    starving.lenient = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
