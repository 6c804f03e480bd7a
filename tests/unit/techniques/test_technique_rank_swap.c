/*
 * test_technique_rank_swap.c - rank swapping by hand.
 */
#include "masked_grid.h"

static void test_numbers(void **state)
{
    (void)state;
    /* a window of one rank: neighbours swap, the last of an odd number stays */
    masking_expect("a,b\n1,30\n2,007\n3,\n4,9.50\n5,1e3\n6,2000\n",
                   "rank-swap columns=b percent=20",
                   "a,b\n1,1e3\n2,9.50\n3,\n4,007\n5,30\n6,2000\n");
    masking_expect("a\n-5\n-50\n-0.5\n3\n", "rank-swap columns=a percent=25",
                   "a\n-50\n-5\n3\n-0.5\n");
    masking_expect("a\n5\nNA\n50\n", "rank-swap columns=a percent=50 others=keep",
                   "a\n50\nNA\n5\n");
    masking_refused("a\n5\nNA\n", "rank-swap columns=a percent=50", "is not a number");
}

static void test_categories(void **state)
{
    (void)state;
    masking_expect("a\nlow\nhigh\nmid\ntop\n",
                   "rank-swap columns=a percent=25 order=low,mid,high,top",
                   "a\nmid\ntop\nlow\nhigh\n");
    masking_expect("a\n2001-05\n1999-12\n2001-04\n1999-11\n",
                   "rank-swap columns=a percent=25 as=text",
                   "a\n2001-04\n1999-11\n2001-05\n1999-12\n");
    masking_expect("a\nlow\nodd\nmid\n", "rank-swap columns=a percent=50 order=low,mid others=keep",
                   "a\nmid\nodd\nlow\n");
    masking_refused("a\nlow\nodd\n", "rank-swap columns=a percent=50 order=low,mid",
                    "column a has a value which `order` does not name");
    masking_refused("a\nlow\n", "rank-swap columns=a percent=50 order=low as=text",
                    "takes no `as`");
}

static void test_within(void **state)
{
    (void)state;
    masking_expect("g,b\nm,1\nw,2\nm,3\nw,4\nx,5\n", "rank-swap columns=b percent=50 within=g",
                   "g,b\nm,3\nw,4\nm,1\nw,2\nx,5\n");
    masking_refused("a,b\n1,2\n", "rank-swap columns=a percent=5 within=a",
                    "is in `columns` and in `within`");
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a\n", "rank-swap columns=a percent=5", "a\n");
    masking_expect("a\n7\n", "rank-swap columns=a percent=5", "a\n7\n");
    masking_expect("a,b\n1,\n2,\n", "rank-swap columns=b percent=5", "a,b\n1,\n2,\n");
    masking_expect("a\n7\n7\n7\n", "rank-swap columns=a percent=100", "a\n7\n7\n7\n");
    masking_expect("a\n7\n8\n", "rank-swap columns=a percent=100", "a\n8\n7\n");
    masking_refused("a\n7\n8\n", "rank-swap columns=a percent=10", "less than one rank");
    masking_refused("a\n7\n8\n", "rank-swap columns=a percent=101", "a number from 1e-06 to 100");
    masking_refused("a\n7\n8\n", "rank-swap columns=a", "rank-swap needs the setting percent");
}

static void test_account(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a\n5\n4\n3\n2\n1\n");
    tacit_masked *masked = masking_apply(table, "rank-swap columns=a percent=20", 1, 1, &err);
    assert_true(masking_fact(masked, 0, "cells_swapped") == 4);
    assert_true(masking_fact(masked, 0, "cells_kept") == 1);
    assert_non_null(masking_kept(masked, TACIT_KEPT_VALUES));
    tacit_masked_free(masked);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_categories),
        cmocka_unit_test(test_within),  cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
