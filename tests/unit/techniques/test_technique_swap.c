/*
 * test_technique_swap.c - swapping by hand: single columns, units, groups, shares, and where it
 * cannot be done.
 */
#include "masked_grid.h"

static void test_bytes(void **state)
{
    (void)state;
    masking_expect("a,b\n\"x\",007\ny,\"1,5\"\n", "swap columns=a,b",
                   "a,b\ny,\"1,5\"\n\"x\",007\n");
    masking_expect("a;b\r\n1;\"\"\r\n2;x\r\n", "swap columns=b", "a;b\r\n1;x\r\n2;\"\"\r\n");
    masking_expect("a,b\n1,\n2,x\n", "swap columns=b", "a,b\n1,x\n2,\n");
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "swap columns=a,b", "a,b\n");
    masking_expect("a,b\n", "swap columns=a,b unit=true", "a,b\n");
    masking_expect("a,b\n1,2\n", "swap columns=a", "a,b\n1,2\n");
    masking_expect("a,b\n1,7\n2,7\n3,7\n", "swap columns=b", "a,b\n1,7\n2,7\n3,7\n");
    masking_expect("a,b\n1,\n2,\n3,\n", "swap columns=b", "a,b\n1,\n2,\n3,\n");
}

/* Numbers that an earlier step has computed move with their cells. */
static void test_computed(void **state)
{
    (void)state;
    masking_expect("a,b\n1,12\n2,26\n", "round columns=b base=5\nswap columns=b",
                   "a,b\n1,25\n2,10\n");
    masking_expect("a,b\n1,12\n2,26\n",
                   "round columns=b base=5\nswap columns=b\nround columns=b "
                   "base=20",
                   "a,b\n1,20\n2,20\n");
}

static void test_unit(void **state)
{
    (void)state;
    masking_expect("id,zip,age\n1,02138,40\n2,02139,50\n", "swap columns=zip,age unit=true",
                   "id,zip,age\n1,02139,50\n2,02138,40\n");
    /* two combinations, each of half of the rows: there is one way only */
    masking_expect("id,b\n1,x\n2,y\n3,x\n4,y\n", "swap columns=b unit=true",
                   "id,b\n1,y\n2,x\n3,y\n4,x\n");
    /* quotes do not make another combination */
    grid *g = grid_run("id,b\n1,x\n2,y\n3,\"x\"\n4,y\n", "swap columns=b unit=true", 1, 1);
    for (int row = 0; row < 4; row++)
        assert_int_equal(strchr(g->cells[row][1], 'y') != NULL, row % 2 == 0);
    grid_free(g);
    tacit_error err = {0};
    tacit_table *table = masking_table("id,b\n1,x\n2,y\n3,z\n");
    tacit_masked *masked = masking_apply(table, "swap columns=b unit=true", 1, 1, &err);
    assert_non_null(masked);
    assert_non_null(masking_kept(masked, TACIT_KEPT_UNIT));
    assert_non_null(masking_kept(masked, TACIT_KEPT_WRONG_MAP));
    assert_null(masking_kept(masked, TACIT_KEPT_VALUES));
    assert_true(masking_fact(masked, 0, "rows_swapped") == 3);
    tacit_masked_free(masked);
    tacit_table_free(table);
    table = masking_table("id,b\n1,x\n2,y\n"); /* of two rows it is known whose is whose */
    masked = masking_apply(table, "swap columns=b unit=true", 1, 1, &err);
    assert_null(masking_kept(masked, TACIT_KEPT_WRONG_MAP));
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_impossible(void **state)
{
    (void)state;
    const char *csv = "id,b,c\n1,x,m\n2,x,m\n3,y,m\n4,z,w\n5,x,w\n";
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    assert_null(masking_apply(table, "swap columns=b unit=true", 1, 1, &err));
    assert_int_equal(err.status, TACIT_INFEASIBLE);
    assert_non_null(strstr(err.message, "3 of the 5 rows have one and the same combination"));
    err = (tacit_error){0};
    assert_null(masking_apply(table, "swap columns=b unit=true within=c", 1, 1, &err));
    assert_non_null(strstr(err.message, "2 of the 3 rows of a group"));
    tacit_masked *masked =
        masking_apply(table, "swap columns=b unit=true impossible=keep", 1, 1, &err);
    assert_non_null(masked);
    assert_null(masking_kept(masked, TACIT_KEPT_WRONG_MAP));
    assert_non_null(masking_kept(masked, TACIT_KEPT_UNIT));
    assert_true(masking_fact(masked, 0, "rows_kept") == 1);
    tacit_masked_free(masked);
    tacit_table_free(table);
    masking_refused("a\n1\n", "swap columns=a unit=true", "1 of the 1 rows");
}

static void test_within(void **state)
{
    (void)state;
    masking_expect("g,b\nm,1\nw,2\nm,3\nw,4\nx,5\n", "swap columns=b within=g",
                   "g,b\nm,3\nw,4\nm,1\nw,2\nx,5\n");
    masking_refused("a,b\n1,2\n", "swap columns=a within=a,b", "is in `columns` and in `within`");
    tacit_error err = {0};
    tacit_table *table = masking_table("g,b\nm,1\nw,2\nm,3\nw,4\n");
    tacit_masked *masked = masking_apply(table, "swap columns=b within=g", 1, 1, &err);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_VALUES);
    assert_int_equal(kept->within_count, 1);
    assert_string_equal(kept->within[0], "g");
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_share(void **state)
{
    (void)state;
    char csv[8192] = "a,b\n", *at = csv + 4;
    for (int i = 0; i < 300; i++)
        at += sprintf(at, "%d,%d\n", i, i);
    grid *after = grid_run(csv, "swap columns=b share=0.1", 5, 1);
    int moved = 0;
    for (int row = 0; row < after->rows; row++)
        moved += strcmp(after->cells[row][0], after->cells[row][1]) != 0;
    assert_int_equal(moved, 30);
    grid_free(after);
    masking_refused("a\n1\n", "swap columns=a share=0", "share of swap is to be a number from");
    masking_refused("a\n1\n", "swap columns=a share=1.5", "share of swap is to be a number from");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),      cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_computed),   cmocka_unit_test(test_unit),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_within),
        cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
