/*
 * test_technique_sample.c - sampling by hand: sizes, strata, weights that add up.
 */
#include "masked_grid.h"

static const char TEN[] = "g,v\nm,0\nw,1\nm,2\nw,3\nm,4\nw,5\nm,6\nm,7\nm,8\nx,9\n";

static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        grid *g = grid_run(TEN, "sample share=0.5", seed, 1);
        assert_int_equal(g->rows, 5);
        for (int row = 1; row < g->rows; row++) /* in their order */
            assert_true(*g->cells[row - 1][1] < *g->cells[row][1]);
        grid_free(g);
        g = grid_run(TEN, "sample rows=3 by=g", seed, 1);
        assert_int_equal(g->rows, 3);
        grid_free(g);
        g = grid_run(TEN, "sample share=0.25", seed, 1);
        assert_in_range(g->rows, 2, 3);
        grid_free(g);
    }
    masking_expect(TEN, "sample share=1", TEN);
    masking_expect(TEN, "sample rows=10", TEN);
}

static int count_of(const grid *g, char stratum)
{
    int count = 0;
    for (int row = 0; row < g->rows; row++)
        count += *g->cells[row][0] == stratum;
    return count;
}

static void test_strata(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        grid *g = grid_run(TEN, "sample share=0.5 by=g", seed, 1);
        assert_int_equal(count_of(g, 'm'), 3);
        assert_in_range(count_of(g, 'w'), 1, 2);
        grid_free(g);
        g = grid_run(TEN, "sample each=2 by=g", seed, 1);
        assert_int_equal(count_of(g, 'm'), 2);
        assert_int_equal(count_of(g, 'w'), 2);
        assert_int_equal(count_of(g, 'x'), 1);
        grid_free(g);
        g = grid_run(TEN, "sample share=0.1 by=g least=1", seed, 1);
        assert_in_range(count_of(g, 'm'), 1, 1);
        assert_int_equal(count_of(g, 'w'), 1);
        assert_int_equal(count_of(g, 'x'), 1);
        grid_free(g);
    }
}

static void test_weights(void **state)
{
    (void)state;
    grid *g = grid_run(TEN, "sample each=3 by=g write=weight", 1, 1);
    assert_string_equal(g->names[2], "weight");
    for (int row = 0; row < g->rows; row++)
        assert_string_equal(g->cells[row][2], *g->cells[row][0] == 'm' ? "2" : "1");
    grid_free(g);
    /* ten rows for three: a unit of the last decimal is over */
    g = grid_run(TEN, "sample rows=3 write=weight", 1, 1);
    int over = 0;
    for (int row = 0; row < 3; row++) {
        assert_true(!strcmp(g->cells[row][2], "3.333333") || !strcmp(g->cells[row][2], "3.333334"));
        over += g->cells[row][2][7] == '4';
    }
    assert_int_equal(over, 1);
    grid_free(g);
    g = grid_run(TEN, "sample rows=3 write=weight decimals=0", 1, 1);
    int sum = 0;
    for (int row = 0; row < 3; row++)
        sum += atoi(g->cells[row][2]);
    assert_int_equal(sum, 10);
    grid_free(g);
    /* a step after it may use the column */
    masking_expect("a\n1\n1\n", "sample share=1 write=w\nround columns=w base=5",
                   "a,w\n1,0\n1,0\n");
}

static void test_account(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table(TEN);
    tacit_masked *masked =
        masking_apply(table, "round columns=v base=2\nsample rows=2 by=g", 1, 1, &err);
    assert_true(masking_fact(masked, 1, "rows_drawn") == 2);
    assert_true(masking_fact(masked, 1, "rows_left_out") == 8);
    assert_true(masking_fact(masked, 1, "strata") == 3);
    assert_true(masking_fact(masked, 1, "strata_without_rows") >= 1);
    assert_int_equal(tacit_masked_rows(masked), 2);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "sample share=0.5", "a,b\n");
    masking_expect("a,b\n", "sample share=0.5 by=a write=w", "a,b,w\n");
    masking_expect("a,b\n1,2\n", "sample rows=1 write=w", "a,b,w\n1,2,1\n");
    masking_expect("a,b\n,\n,\n", "sample each=1 by=a,b write=w", "a,b,w\n,,2\n");
}

static void test_misuse(void **state)
{
    (void)state;
    masking_refused(TEN, "sample", "one of `share`, `rows` and `each`");
    masking_refused(TEN, "sample share=0.5 rows=3", "one of `share`, `rows` and `each`");
    masking_refused(TEN, "sample rows=11", "there are 10 rows to draw from");
    masking_refused(TEN, "sample each=2", "it needs `by`");
    masking_refused(TEN, "sample share=0.5 least=2", "`least` is of strata");
    masking_refused(TEN, "sample share=0.5 write=v", "there is a column v already");
    masking_refused(TEN, "sample share=0", "share of sample is to be a number from");
    masking_refused(TEN, "sample rows=0.5", "rows of sample is to be a whole number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_strata),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_account),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
