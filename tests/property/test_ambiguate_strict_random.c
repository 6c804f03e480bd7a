/*
 * test_ambiguate_strict_random.c - k-anonymity by suppression alone against every way there is,
 * on tableaux with limits and costs, and on tables without, where other methods are asked.
 */
#include "records.h"

#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"

/* ---- every way ---- */

typedef struct brute {
    const tacit__tableau *t;
    naive_rows rows;
    int64_t column[64];
    double best;
} brute;

/* Rows that are released the same as a row. */
static int64_t same_rows(const naive_rows *n, int i)
{
    int64_t same = 0;
    for (int j = 0; j < n->count; j++)
        same += n->mask[i] == n->mask[j] &&
                !(tacit__tableau_differ(n->t, n->class_of[i], n->class_of[j]) & ~n->mask[i]);
    return same;
}

static bool keeps(const naive_rows *n)
{
    for (int i = 0; i < n->count; i++)
        if (same_rows(n, i) < n->t->k)
            return false;
    return true;
}

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
        bool fits = __builtin_popcountll(mask) <= b->t->most_row;
        for (int32_t c = 0; c < b->t->columns; c++)
            fits &= !(mask >> c & 1) || b->column[c] < b->t->most_column;
        if (!fits)
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

static void check_plan(const tacit__tableau *t, const tacit__blanking *plan)
{
    naive_rows n;
    naive_start(&n, t, plan);
    assert_true(keeps(&n));
    assert_true(naive_limits(t, plan));
    assert_true(plan->bound <= naive_cost(t, plan) + 1e-6);
}

/* The exact way proves the least; the other keeps what is asked, and its bound holds. */
static void check_strict(const tacit__tableau *t, const tacit_frame *frame)
{
    double least = least_cost(t);
    for (int way = 0; way < 2; way++) {
        tacit_ambiguate how = {.way = way ? TACIT_AMBIGUATE_EXACT : TACIT_AMBIGUATE_COVER,
                               .strict = true};
        tacit_records_options options = {.k = t->k, .ambiguate = &how};
        tacit__blanking plan = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        tacit_status status = tacit__ambiguate_strict(&plan, t, frame, &options, &run, NULL);
        if (least == INFINITY) {
            assert_int_equal(status, TACIT_INFEASIBLE);
            continue;
        }
        assert_int_equal(status, TACIT_OK);
        check_plan(t, &plan);
        assert_true(plan.bound <= least + 1e-6);
        if (way == 1)
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
        if (draw(&random, 2))
            t.most_row = 1 + (int32_t)draw(&random, (uint32_t)t.columns);
        if (draw(&random, 3) == 0)
            t.most_column = 1 + draw(&random, (uint32_t)t.rows);
        check_strict(&t, NULL);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

static void test_tableaux(void **state)
{
    (void)state;
    random_tableaux(5, 3, 1000);
}

static void test_wider(void **state)
{
    (void)state;
    random_tableaux(5, 4, 60);
}

static void test_more_rows(void **state)
{
    (void)state;
    random_tableaux(8, 2, 300);
}

/* Tables with missing values, and hierarchies that are of no use here. */
static void test_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y", ""};
    for (seed = 1; seed <= many_cases(200); seed++) {
        uint64_t random = seed;
        char text[1024] = "a,b,c\n";
        fixture f;
        tacit__tableau t;
        tacit_classes *classes = NULL;
        tacit_run run;
        const int levels[3] = {0};
        uint32_t rows = 2 + next_number(&random, 4);
        for (uint32_t i = 0; i < rows; i++)
            sprintf(text + strlen(text), "%02u,%s,%u\n", next_number(&random, 12),
                    names[next_number(&random, 3)], next_number(&random, 3));
        fixture_open(&f, text);
        fixture_mask(&f, "a");
        fixture_none(&f, "b");
        fixture_none(&f, "c");
        f.attributes[1].weight = next_number(&random, 2) ? 2 : 0;
        tacit_records_options options = {.k = 1 + next_number(&random, 2)};
        tacit_run_init(&run);
        assert_int_equal(tacit_classes_new(&classes, &f.frame, levels, &run, NULL), TACIT_OK);
        assert_int_equal(tacit__tableau_init(&t, &f.frame, classes, &options, &run, NULL),
                         TACIT_OK);
        check_strict(&t, &f.frame);
        tacit__tableau_clear(&t);
        tacit_classes_free(classes);
        fixture_close(&f);
    }
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_tableaux, &seed),
        random_test(test_wider, &seed),
        random_test(test_more_rows, &seed),
        random_test(test_tables, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
