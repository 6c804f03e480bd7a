/*
 * test_ambiguate_exact_memory.c - the least blanks with every allocation failed in turn, stopped
 * at every point, and the same on every run.
 */
#include "starve.h"

#include "ambiguate.h"

static tacit_status attempt(void *context, tacit_error *err)
{
    tacit__blanking plan = {0};
    tacit_run run = starve_run(1);
    tacit_status status = tacit__ambiguate_exact(&plan, context, NULL, &run, err);
    tacit__blanking_clear(&plan);
    return status;
}

/* Tables that need helpers, copies and integers; with limits too. */
static const golden_table HARD = {
    6, 4, {{0, 0, 0, 0}, {0, 1, 1, 0}, {1, 0, 1, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 0}}};

static void test_starved(void **state)
{
    (void)state;
    for (int32_t most_row = 2; most_row <= 4; most_row += 2) {
        tacit__tableau t;
        tableau_golden(&t, &HARD, 2);
        t.most_row = most_row;
        starve(attempt, &t);
        tacit__tableau_clear(&t);
    }
}

typedef struct stopper {
    int64_t asked, after;
} stopper;

static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    stopper *s = payload;
    (void)phase, (void)done, (void)total;
    return s->asked++ < s->after;
}

/* Stopped at its start it has nothing; later, what it has keeps what is asked. */
static void test_stopped(void **state)
{
    (void)state;
    tacit__tableau t;
    bool found = false;
    tableau_golden(&t, &HARD, 3);
    for (stopper s = {.after = 0}; s.after < 1000; s.after++) {
        tacit__blanking plan = {0};
        tacit_run run = starve_run(1);
        tacit_error err = {0};
        run.progress = stop_after;
        run.payload = &s;
        s.asked = 0;
        tacit_status status = tacit__ambiguate_exact(&plan, &t, NULL, &run, &err);
        assert_true(status == TACIT_OK || status == TACIT_CANCELLED);
        assert_true(status == TACIT_OK || !found); /* once there is something it stays */
        if (status == TACIT_OK) {
            found = true;
            assert_true(naive_least(&t, &plan) >= 3);
            assert_true(plan.bound <= naive_cost(&t, &plan));
            assert_true(plan.stopped || plan.proven);
        }
        bool done = status == TACIT_OK && !plan.stopped;
        tacit__blanking_clear(&plan);
        if (done)
            break;
    }
    assert_true(found);
    tacit__tableau_clear(&t);
}

static void test_same_again(void **state)
{
    (void)state;
    tacit__tableau t;
    tableau_golden(&t, &HARD, 3);
    tacit__blanking plans[3] = {0};
    for (int i = 0; i < 3; i++) {
        tacit_run run = starve_run(1 + i);
        assert_int_equal(tacit__ambiguate_exact(&plans[i], &t, NULL, &run, NULL), TACIT_OK);
        assert_int_equal(plans[i].count, plans[0].count);
        for (int64_t b = 0; b < plans[i].count; b++) {
            assert_int_equal(plans[i].blanks[b].class_index, plans[0].blanks[b].class_index);
            assert_int_equal(plans[i].blanks[b].rows, plans[0].blanks[b].rows);
            assert_int_equal(plans[i].blanks[b].mask, plans[0].blanks[b].mask);
        }
    }
    for (int i = 0; i < 3; i++)
        tacit__blanking_clear(&plans[i]);
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starved),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_same_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
