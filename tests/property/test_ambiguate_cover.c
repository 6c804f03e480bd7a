/*
 * test_ambiguate_cover.c - covering rows by boxes: on random tables every row agrees with k - 1
 * others, limits are kept, whole rows are never cheaper where they are allowed, and bounds
 * are bounds. On small ones against every set of blanks there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"

static uint64_t seed;

static tacit_status cover(tacit__blanking *plan, const tacit__tableau *t, int threads)
{
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    *plan = (tacit__blanking){0};
    tacit_status status = tacit__ambiguate_cover(plan, t, NULL, &run, &err);
    assert_int_equal(err.status, status);
    return status;
}

static void limit(tacit__tableau *t, uint64_t *random)
{
    if (draw(random, 2))
        t->most_row = 1 + (int32_t)draw(random, (uint32_t)t->columns);
    if (draw(random, 3) == 0)
        t->most_column = 1 + draw(random, (uint32_t)t->rows);
}

/* What the k - 1 cheapest rows cost as a whole; infinite where limits forbid them. */
static double whole_cost(const tacit__tableau *t)
{
    double sum = 0, costs[AMBIGUATE_ROWS];
    int count = 0;
    if (t->most_row < t->columns || t->most_column < t->k - 1)
        return HUGE_VAL;
    for (int64_t i = 0; i < t->classes; i++)
        for (int64_t row = 0; row < t->counts[i]; row++)
            costs[count++] = tacit__tableau_cost(t, i, UINT64_MAX >> (64 - t->columns));
    for (int64_t i = 0; i < t->k - 1; i++) {
        int least = 0;
        for (int j = 1; j < count; j++)
            least = costs[j] < costs[least] ? j : least;
        sum += costs[least];
        costs[least] = HUGE_VAL;
    }
    return sum;
}

static void check(const tacit__tableau *t, const tacit__blanking *plan)
{
    double cost = naive_cost(t, plan);
    assert_true(naive_least(t, plan) >= t->k);
    assert_true(naive_limits(t, plan));
    assert_true(cost <= whole_cost(t) + 1e-9);
    assert_true(plan->bound <= cost + 1e-9);
    assert_true(!plan->proven || plan->bound >= cost - 1e-9);
    assert_false(plan->stopped);
}

static void check_random(uint64_t cases, int rows, int columns, int k)
{
    int found = 0;
    for (seed = 1; seed <= many_cases(cases); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan;
        tableau_random(&t, &random, rows, columns, k, true);
        limit(&t, &random);
        tacit_status status = cover(&plan, &t, 1);
        if (status == TACIT_OK)
            check(&t, &plan);
        else
            assert_int_equal(status, TACIT_INFEASIBLE);
        if (t.most_row == t.columns && t.most_column >= t.k - 1)
            assert_int_equal(status, TACIT_OK);
        found += status == TACIT_OK;
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
    print_message("%d of %d within limits\n", found, (int)seed - 1);
    seed = 0;
}

static void test_small(void **state)
{
    (void)state;
    check_random(2000, 12, 5, 5);
}

static void test_larger(void **state)
{
    (void)state;
    check_random(300, 120, 9, 9);
}

static void test_wide(void **state)
{
    (void)state;
    check_random(60, 60, 64, 4);
}

/* Every row's mask in turn, the cheapest that will do. */
typedef struct brute {
    naive_rows rows;
    const tacit__tableau *t;
    int64_t used[64];
    double best;
} brute;

static void try_row(brute *b, int row, double cost)
{
    const tacit__tableau *t = b->t;
    if (cost >= b->best)
        return;
    if (row == b->rows.count) {
        if (naive_alpha(&b->rows) >= t->k)
            b->best = cost;
        return;
    }
    for (uint64_t mask = 0; mask < UINT64_C(1) << t->columns; mask++) {
        bool allowed = __builtin_popcountll(mask) <= t->most_row;
        for (int32_t c = 0; c < t->columns; c++) {
            b->used[c] += mask >> c & 1;
            allowed &= b->used[c] <= t->most_column;
        }
        b->rows.mask[row] = mask;
        if (allowed)
            try_row(b, row + 1, cost + tacit__tableau_cost(t, b->rows.class_of[row], mask));
        for (int32_t c = 0; c < t->columns; c++)
            b->used[c] -= mask >> c & 1;
    }
    b->rows.mask[row] = 0;
}

/* The least cost of all; infinite where limits leave nothing. */
static double brute_cost(const tacit__tableau *t)
{
    brute b = {.t = t, .best = HUGE_VAL};
    naive_start(&b.rows, t, NULL);
    try_row(&b, 0, 0);
    return b.best;
}

static void test_brute(void **state)
{
    double sum = 0, least = 0, bounds = 0;
    int missed = 0, optimal = 0, solved = 0;
    (void)state;
    for (seed = 1; seed <= many_cases(600); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan;
        int columns = 1 + (int)draw(&random, 4);
        tableau_random(&t, &random, 13 / columns > 6 ? 6 : 13 / columns, columns, 4, true);
        limit(&t, &random);
        double best = brute_cost(&t);
        tacit_status status = cover(&plan, &t, 1);
        if (status == TACIT_OK) {
            double cost = naive_cost(&t, &plan);
            check(&t, &plan);
            assert_true(cost >= best - 1e-9);
            assert_true(plan.bound <= best + 1e-9);
            sum += cost, least += best, bounds += plan.bound;
            optimal += cost <= best + 1e-9;
            solved++;
        } else {
            missed += isfinite(best);
        }
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
    print_message("cost %.4f of the least, %d of %d the least, bounds %.4f of it, %d not found\n",
                  sum / least, optimal, solved, bounds / least, missed);
    assert_true(sum <= 1.01 * least);
    assert_true(missed <= (int)seed / 50);
    seed = 0;
}

static bool same_plan(const tacit__blanking *a, const tacit__blanking *b)
{
    bool same = a->count == b->count && a->bound == b->bound;
    for (int64_t i = 0; same && i < a->count; i++)
        same = a->blanks[i].class_index == b->blanks[i].class_index &&
               a->blanks[i].rows == b->blanks[i].rows && a->blanks[i].mask == b->blanks[i].mask;
    return same;
}

static void test_threads(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(40); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking one, many;
        tableau_random(&t, &random, 200, 8, 5, true);
        t.most_row = 1 + (int32_t)draw(&random, (uint32_t)t.columns);
        tacit_status status = cover(&one, &t, 1);
        assert_int_equal(cover(&many, &t, 2 + (int)draw(&random, 6)), status);
        assert_true(same_plan(&one, &many));
        tacit__blanking_clear(&one);
        tacit__blanking_clear(&many);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* Goes on so many times. */
static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    assert_non_null(phase);
    assert_true(done >= 0 && done <= total);
    return (*left)-- > 0;
}

/* Stopped at every point there is: nothing, or something that is good. */
static void test_stopped(void **state)
{
    int cancelled = 0, stopped = 0;
    (void)state;
    for (seed = 1; seed <= many_cases(80); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tableau_random(&t, &random, 80, 5, 5, true);
        t.most_row = t.columns < 2 ? 1 : 2;
        for (int asks = 0;; asks++) {
            tacit__blanking plan = {0};
            tacit_error err = {0};
            tacit_run run;
            int left = asks;
            tacit_run_init(&run);
            run.progress = go_on;
            run.payload = &left;
            tacit_status status = tacit__ambiguate_cover(&plan, &t, NULL, &run, &err);
            assert_int_equal(err.status, status);
            cancelled += status == TACIT_CANCELLED;
            stopped += plan.stopped;
            if (status == TACIT_OK) {
                assert_true(naive_least(&t, &plan) >= t.k);
                assert_true(naive_limits(&t, &plan));
                assert_true(plan.stopped == (left < 0));
            }
            tacit__blanking_clear(&plan);
            if (left >= 0)
                break;
        }
        tacit__tableau_clear(&t);
    }
    assert_true(cancelled > 0 && stopped > 0);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_small, &seed),   random_test(test_larger, &seed),
        random_test(test_wide, &seed),    random_test(test_brute, &seed),
        random_test(test_threads, &seed), random_test(test_stopped, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
