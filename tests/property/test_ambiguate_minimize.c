/*
 * test_ambiguate_minimize.c - filling blanks again against a naive greedy, row by row and
 * cell by cell with alpha counted anew each time; and that no cell is left that could be
 * filled, be what is asked of the smallest alpha or of the mean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/state.h"

static uint64_t seed;

/* Whether a cell can be filled: nobody falls, or nobody to below k. */
static bool removable(const naive_rows *n, int row, int column, bool mean)
{
    naive_rows filled = *n;
    bool fell = false, below = false;
    filled.mask[row] &= ~(UINT64_C(1) << column);
    naive_alpha(&filled);
    for (int i = 0; i < n->count; i++) {
        fell |= filled.alpha[i] < n->alpha[i];
        below |= filled.alpha[i] < n->alpha[i] && filled.alpha[i] < n->t->k;
    }
    return mean ? !fell || naive_mean(&filled) >= (double)n->t->k : !below;
}

static bool open_cell(const naive_rows *n, int row, int column)
{
    return n->mask[row] >> column & 1 && !(n->fixed[row] >> column & 1);
}

typedef struct naive_cell {
    double cost;
    int origin, column, row;
} naive_cell;

static int in_order(const void *a, const void *b)
{
    const naive_cell *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    if (x->origin != y->origin)
        return x->origin - y->origin;
    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

/* One pass, the costliest first, rows that are the same one after the other. */
static int64_t naive_minimize(naive_rows *n, bool mean)
{
    naive_cell cells[AMBIGUATE_ROWS * 8];
    int count = 0, origin = 0;
    int64_t removed = 0;
    for (int row = 0; row < n->count; row++) {
        if (row > 0 && (n->class_of[row] != n->class_of[row - 1] ||
                        n->mask[row] != n->mask[row - 1] || n->fixed[row] != n->fixed[row - 1]))
            origin = row;
        for (int c = 0; c < n->t->columns; c++)
            if (open_cell(n, row, c))
                cells[count++] =
                    (naive_cell){n->t->costs[n->class_of[row] * n->t->columns + c], origin, c, row};
    }
    qsort(cells, (size_t)count, sizeof *cells, in_order);
    for (int i = 0; i < count; i++)
        if (removable(n, cells[i].row, cells[i].column, mean)) {
            n->mask[cells[i].row] &= ~(UINT64_C(1) << cells[i].column);
            naive_alpha(n);
            removed++;
        }
    return removed;
}

static void plan_of(tacit__blanking *plan, const naive_rows *n)
{
    *plan = (tacit__blanking){0};
    for (int i = 0; i < n->count; i++)
        assert_int_equal(
            tacit__blanking_add(plan, (tacit__blank){n->class_of[i], 1, n->mask[i], n->fixed[i]},
                                NULL),
            TACIT_OK);
    tacit__blanking_tidy(plan);
}

static void minimize(tacit__blanking *plan, int64_t *removed, const tacit__tableau *t, bool mean)
{
    tacit__state *state = NULL;
    assert_int_equal(tacit__state_new(&state, t, plan, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_minimize(removed, state, mean, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_plan(plan, state, NULL), TACIT_OK);
    tacit__state_free(state);
}

static void check_case(int rows, int columns, uint64_t number)
{
    uint64_t random = number;
    tacit__tableau t;
    tacit__blanking plan, expected;
    naive_rows n;
    bool mean = number % 4 == 0;
    int64_t removed = -1, before;
    tableau_random(&t, &random, rows, columns, 4, true);
    plan_random(&plan, &t, &random, 1 + draw(&random, 3), draw(&random, 3) == 0);
    naive_start(&n, &t, &plan);
    before = naive_alpha(&n);
    bool enough = mean ? naive_mean(&n) >= (double)t.k : before >= t.k;
    int64_t wanted = naive_minimize(&n, mean);
    plan_of(&expected, &n);
    for (int row = 0; row < n.count; row++) /* so does one pass of the naive one */
        for (int c = 0; c < t.columns; c++)
            assert_false(open_cell(&n, row, c) && removable(&n, row, c, mean));
    minimize(&plan, &removed, &t, mean);
    assert_int_equal(removed, wanted);
    assert_same_plan(&plan, &expected);
    naive_start(&n, &t, &plan);
    if (enough)
        assert_true(mean ? naive_mean(&n) >= (double)t.k : naive_alpha(&n) >= t.k);
    tacit__blanking_clear(&plan);
    tacit__blanking_clear(&expected);
    tacit__tableau_clear(&t);
}

static void test_small(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(4000); seed++)
        check_case(6, 5, seed);
    seed = 0;
}

static void test_larger(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(60); seed++)
        check_case(60, 3, seed);
    seed = 0;
}

/* Ten million rows cost what their classes cost. */
static void test_many_rows(void **state)
{
    (void)state;
    const uint32_t ROWS[3][2] = {{0, 0}, {0, 1}, {1, 1}};
    tacit__tableau t;
    tacit__blanking plan = {0};
    int64_t removed;
    tableau_start(&t, 2, 3, 4000000);
    for (int i = 0; i < 3; i++)
        tableau_row(&t, ROWS[i]);
    t.counts[0] = 2000000, t.counts[1] = 5000000, t.counts[2] = 3000000;
    t.rows = t.most_column = 10000000;
    const tacit__blank BLANK = {1, 5000000, 3, 0};
    assert_int_equal(tacit__blanking_add(&plan, BLANK, NULL), TACIT_OK);
    minimize(&plan, &removed, &t, false);
    /* Class 0 needs two million rows of class 1 to be blank in column 1, class 2 one million in
     * column 0. Filling column 0 first leaves a million. */
    assert_int_equal(removed, 4000000 + 3000000);
    assert_int_equal(naive_cells(&plan), 3000000);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&t);
}

/* On the paper's tables blanks of all cells are cut down to sets of which none can go. */
static void test_golden(void **state)
{
    (void)state;
    const golden_table *TABLES[] = {&T1, &T2, &T3};
    for (int i = 0; i < 3; i++) {
        tacit__tableau t;
        tacit__blanking plan = {0};
        int64_t removed;
        tableau_golden(&t, TABLES[i], 2);
        for (uint32_t c = 0; c < t.classes; c++)
            assert_int_equal(
                tacit__blanking_add(
                    &plan, (tacit__blank){c, t.counts[c], (UINT64_C(1) << t.columns) - 1, 0}, NULL),
                TACIT_OK);
        minimize(&plan, &removed, &t, false);
        assert_int_equal(removed + naive_cells(&plan), t.rows * t.columns);
        assert_int_equal(naive_least(&t, &plan), 2);
        tacit__blanking_clear(&plan);
        tacit__tableau_clear(&t);
    }
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_cancelled(void **state)
{
    (void)state;
    tacit__tableau t;
    tacit__blanking plan = {0};
    tacit__state *s = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.progress = stop;
    int64_t removed = -1;
    tableau_golden(&t, &T2, 2);
    assert_int_equal(tacit__blanking_add(&plan, (tacit__blank){0, 1, 31, 0}, NULL), TACIT_OK);
    assert_int_equal(tacit__state_new(&s, &t, &plan, &run, NULL), TACIT_CANCELLED);
    assert_null(s);
    assert_int_equal(tacit__state_new(&s, &t, &plan, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_minimize(&removed, s, false, &run, NULL), TACIT_CANCELLED);
    assert_int_equal(removed, -1);
    tacit__state_free(s);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_small, &seed),   random_test(test_larger, &seed),
        cmocka_unit_test(test_many_rows), cmocka_unit_test(test_golden),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
