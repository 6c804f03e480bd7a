/*
 * test_ambiguate_cover_many.c - covering of more rows than can all be compared with each other:
 * candidates hold the rows that are near, and what is found from them keeps what is asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "records/ambiguate/state.h"
#include "records/blanks/cover.h"

enum { ROWS = 9000, COLUMNS = 20, CLUSTER = 9, APART = 4 };

/* Clusters of rows that differ from their first in a few columns; others differ in nearly all.
 * Values are of so many that they are or are not compared as bytes. */
static void make_clusters(tacit__tableau *t, uint32_t values)
{
    uint64_t random = 5;
    uint32_t first[COLUMNS], codes[COLUMNS];
    tableau_start(t, COLUMNS, ROWS, 3);
    for (int i = 0; i < ROWS; i++) {
        for (int c = 0; c < COLUMNS && i % CLUSTER == 0; c++)
            first[c] = draw(&random, values);
        for (int c = 0; c < COLUMNS; c++)
            codes[c] = first[c];
        for (int a = 0; a < APART && i % CLUSTER; a++)
            codes[draw(&random, COLUMNS)] = draw(&random, values);
        tableau_row(t, codes);
    }
}

/* What is found for a class is each class once, with the columns in which it differs. */
static int64_t check_found(const tacit__tableau *t, tacit__blanks_near *near, uint32_t class_index)
{
    int64_t close = 0;
    tacit__near_find(near, class_index);
    for (size_t i = 0; i < near->count; i++) {
        const tacit__near_class *found = &near->found[i];
        assert_int_not_equal(found->class_index, class_index);
        assert_true(found->differ == tacit__tableau_differ(t, class_index, found->class_index));
        close += __builtin_popcountll(found->differ) <= 2 * APART;
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(near->found[j].class_index, found->class_index);
    }
    return close;
}

static void test_near(void **state)
{
    (void)state;
    static const uint32_t VALUES[] = {7, 300};
    for (int v = 0; v < 2; v++) {
        tacit__tableau t;
        tacit__blanks_near near;
        int64_t all = 0, close = 0;
        make_clusters(&t, VALUES[v]);
        assert_int_equal(tacit__near_init(&near, &t, NULL, NULL), TACIT_OK);
        for (uint32_t i = 0; i < t.classes; i += 101) {
            close += check_found(&t, &near, i);
            for (int64_t j = 0; j < t.classes; j++)
                all += j != i && __builtin_popcountll(tacit__tableau_differ(&t, i, j)) <= 2 * APART;
        }
        print_message("%d of %d near rows\n", (int)close, (int)all);
        assert_true(close > all * 9 / 10);
        tacit__near_clear(&near);
        tacit__tableau_clear(&t);
    }
}

static void check(const tacit__tableau *t, const tacit__blanking *plan)
{
    tacit__state *s = NULL;
    tacit__state_sums sums;
    assert_int_equal(tacit__state_new(&s, t, plan, NULL, NULL), TACIT_OK);
    tacit__state_sum(&sums, s);
    assert_true(sums.least >= t->k);
    for (int c = 0; c < t->columns; c++)
        assert_true(sums.column[c] <= t->most_column);
    for (int64_t i = 0; i < plan->count; i++)
        assert_true(__builtin_popcountll(plan->blanks[i].mask) <= t->most_row);
    tacit__state_free(s);
}

/* Hardly a row has a box of k rows within the limit, so nearly all are paired. */
static void test_pairs(void **state)
{
    (void)state;
    tacit__tableau t;
    tacit__blanking plan = {0};
    tacit_run run;
    tacit_run_init(&run);
    make_clusters(&t, 300);
    t.most_row = 7;
    assert_int_equal(tacit__ambiguate_cover(&plan, &t, NULL, &run, NULL), TACIT_OK);
    check(&t, &plan);
    tacit__blanking_clear(&plan);
    t.most_row = 1; /* rows of a cluster differ in four columns and more */
    assert_int_equal(tacit__ambiguate_cover(&plan, &t, NULL, &run, NULL), TACIT_INFEASIBLE);
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
