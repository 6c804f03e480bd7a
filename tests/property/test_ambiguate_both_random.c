/*
 * test_ambiguate_both_random.c - blanks by which k people fit every row and everybody fits k rows,
 * against every way there is, on tableaux with limits and costs; and filling what is not needed
 * against trying every cell.
 */
#include "records.h"

#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/state.h"
#include "records/blanks/boxes.h"

/* ---- the promise, row by row ---- */

/* Whether the person behind row i fits row j as it is released. */
static bool fits(const naive_rows *n, int i, int j)
{
    return !(tacit__tableau_differ(n->t, n->class_of[i], n->class_of[j]) & ~n->mask[j]);
}

/* The fewest people who fit a row, and the fewest rows that a person fits. */
static void count_both(int64_t *people, int64_t *rows, const naive_rows *n)
{
    *people = *rows = n->count;
    for (int i = 0; i < n->count; i++) {
        int64_t to_row = 0, of_person = 0;
        for (int j = 0; j < n->count; j++) {
            to_row += fits(n, j, i);
            of_person += fits(n, i, j);
        }
        *people = to_row < *people ? to_row : *people;
        *rows = of_person < *rows ? of_person : *rows;
    }
}

static bool keeps(const naive_rows *n)
{
    int64_t people, rows;
    count_both(&people, &rows, n);
    return people >= n->t->k && rows >= n->t->k;
}

/* ---- every way ---- */

typedef struct brute {
    const tacit__tableau *t;
    naive_rows rows;
    int64_t column[64];
    double best;
} brute;

static void try_rows(brute *b, int row, double cost)
{
    if (cost >= b->best - 1e-9)
        return;
    if (row == b->rows.count) {
        if (keeps(&b->rows))
            b->best = cost;
        return;
    }
    for (uint64_t mask = 0; mask < 1ull << b->t->columns; mask++) {
        bool allowed = __builtin_popcountll(mask) <= b->t->most_row;
        for (int32_t c = 0; c < b->t->columns; c++)
            allowed &= !(mask >> c & 1) || b->column[c] < b->t->most_column;
        if (!allowed)
            continue;
        b->rows.mask[row] = mask;
        for (int32_t c = 0; c < b->t->columns; c++)
            b->column[c] += mask >> c & 1;
        try_rows(b, row + 1, cost + tacit__tableau_cost(b->t, b->rows.class_of[row], mask));
        for (int32_t c = 0; c < b->t->columns; c++)
            b->column[c] -= mask >> c & 1;
    }
}

static double least_cost(const tacit__tableau *t)
{
    brute b = {.t = t, .best = INFINITY};
    naive_start(&b.rows, t, NULL);
    try_rows(&b, 0, 0);
    return b.best;
}

/* ---- what is said ---- */

static tacit_status solve(tacit__blanking *plan, const tacit__tableau *t, bool exact)
{
    tacit_ambiguate how = {.way = exact ? TACIT_AMBIGUATE_EXACT : TACIT_AMBIGUATE_COVER};
    tacit_records_options options = {.k = t->k, .ambiguate = &how};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    return tacit__ambiguate_both(plan, t, NULL, &options, &run, NULL);
}

/* The exact way proves the least; the other keeps what is asked, and its bound holds. */
static void check_ways(const tacit__tableau *t)
{
    double least = least_cost(t);
    for (int exact = 0; exact < 2; exact++) {
        tacit__blanking plan = {0};
        naive_rows n;
        tacit_status status = solve(&plan, t, exact);
        if (least == INFINITY) {
            assert_int_equal(status, TACIT_INFEASIBLE);
            continue;
        }
        assert_int_equal(status, TACIT_OK);
        naive_start(&n, t, &plan);
        assert_true(keeps(&n));
        assert_true(naive_alpha(&n) >= t->k); /* what the paper asks for is kept with it */
        assert_true(naive_limits(t, &plan));
        assert_true(plan.bound <= least + 1e-6);
        assert_true(naive_cost(t, &plan) >= least - 1e-6);
        if (exact)
            assert_true(plan.proven);
        if (plan.proven)
            assert_true(fabs(naive_cost(t, &plan) - least) < 1e-6);
        tacit__blanking_clear(&plan);
    }
}

static uint64_t seed;

static void random_tableaux(int most_rows, int max_columns, uint64_t cases)
{
    for (seed = 1; seed <= many_cases(cases); seed++) {
        uint64_t random = seed * 1000003 + (uint64_t)most_rows * 64 + (uint64_t)max_columns;
        tacit__tableau t;
        tableau_random(&t, &random, most_rows, max_columns, 3, true);
        t.both = true;
        if (draw(&random, 2))
            t.most_row = 1 + (int32_t)draw(&random, (uint32_t)t.columns);
        if (draw(&random, 3) == 0)
            t.most_column = 1 + draw(&random, (uint32_t)t.rows);
        check_ways(&t);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

static void test_tableaux(void **state)
{
    (void)state;
    random_tableaux(5, 3, 800);
}

static void test_wider(void **state)
{
    (void)state;
    random_tableaux(5, 4, 40);
}

static void test_more_rows(void **state)
{
    (void)state;
    random_tableaux(8, 2, 300);
}

/* Five people are a1,b1 and one is a1,b2: with k = 5 four of the five leave as a1,* too. */
static void test_one_of_six(void **state)
{
    (void)state;
    tacit__tableau t;
    tableau_start(&t, 2, 6, 5);
    for (uint32_t i = 0; i < 6; i++)
        tableau_row(&t, (const uint32_t[]){0, i == 5});
    t.both = true;
    for (int exact = 0; exact < 2; exact++) {
        tacit__blanking plan = {0};
        assert_int_equal(solve(&plan, &t, exact), TACIT_OK);
        assert_int_equal(naive_cells(&plan), 5);
        assert_true(!exact || plan.proven);
        tacit__blanking_clear(&plan);
    }
    tacit__tableau_clear(&t);
}

/* ---- filling, and counting while blanks come and go ---- */

static void check_counts(tacit__state *state, const naive_rows *n)
{
    tacit__fits *counted = tacit__state_fits(state);
    int64_t least = INT64_MAX, people, rows, of_row;
    count_both(&people, &rows, n);
    assert_int_equal(tacit__fits_least_rows(counted), rows);
    for (int64_t i = 0; i < tacit__state_count(state); i++) {
        const tacit__item *item = tacit__state_item(state, i);
        if (item->rows == 0)
            continue;
        assert_int_equal(tacit__fits_people(&of_row, counted, item->class_index, item->mask, NULL),
                         TACIT_OK);
        least = of_row < least ? of_row : least;
    }
    assert_int_equal(least, people);
}

/* No cell can be filled that is not fixed and keep what is promised. */
static void check_minimal(naive_rows *n)
{
    for (int i = 0; i < n->count; i++)
        for (uint64_t left = n->mask[i] & ~n->fixed[i]; left; left &= left - 1) {
            uint64_t before = n->mask[i];
            n->mask[i] &= ~(left & -left);
            assert_false(keeps(n));
            n->mask[i] = before;
        }
}

static bool fill_random(const tacit__tableau *t, uint64_t *random)
{
    tacit__state *state = NULL;
    tacit__blanking plan, after = {0};
    naive_rows n;
    int64_t removed = 0;
    tacit_run run;
    tacit_run_init(&run);
    plan_random(&plan, t, random, 2, true);
    assert_int_equal(tacit__state_new(&state, t, &plan, &run, NULL), TACIT_OK);
    naive_start(&n, t, &plan);
    check_counts(state, &n);
    bool kept = keeps(&n);
    if (kept) {
        assert_int_equal(tacit__state_minimize(&removed, state, false, &run, NULL), TACIT_OK);
        assert_int_equal(tacit__state_plan(&after, state, NULL), TACIT_OK);
        assert_int_equal(naive_cells(&plan) - naive_cells(&after), removed);
        naive_start(&n, t, &after);
        check_counts(state, &n);
        assert_true(keeps(&n));
        check_minimal(&n);
    }
    tacit__blanking_clear(&plan);
    tacit__blanking_clear(&after);
    tacit__state_free(state);
    return kept;
}

static void test_filling(void **state)
{
    (void)state;
    uint64_t kept = 0;
    for (seed = 1; seed <= many_cases(2000); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tableau_random(&t, &random, 16, 5, 4, true);
        t.both = true;
        kept += fill_random(&t, &random);
        tacit__tableau_clear(&t);
    }
    assert_true(kept > seed / 4);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_tableaux, &seed),  random_test(test_wider, &seed),
        random_test(test_more_rows, &seed), cmocka_unit_test(test_one_of_six),
        random_test(test_filling, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
