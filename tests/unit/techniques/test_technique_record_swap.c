/*
 * test_technique_record_swap.c - targeted record swapping by hand.
 */
#include "masked_grid.h"

/* The two that stand out, by the same age in different regions, trade with each other. */
static void test_risky(void **state)
{
    (void)state;
    const char *csv = "id,region,sex,age\n"
                      "1,N,f,30\n2,N,f,30\n3,N,f,30\n4,N,f,99\n"
                      "5,S,f,30\n6,S,f,30\n7,S,f,30\n8,S,f,98\n9,S,m,30\n";
    const char *steps = "record-swap columns=region keep=sex match=age k=2";
    masking_expect(csv, steps,
                   "id,region,sex,age\n"
                   "1,N,f,30\n2,N,f,30\n3,N,f,30\n4,S,f,99\n"
                   "5,S,f,30\n6,S,f,30\n7,S,f,30\n8,N,f,98\n9,S,m,30\n");
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, steps, 1, 1, &err);
    assert_true(masking_fact(masked, 0, "records_at_risk") == 2);
    assert_true(masking_fact(masked, 0, "records_at_risk_kept") == 0);
    assert_true(masking_fact(masked, 0, "records_swapped") == 2);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_UNIT);
    assert_string_equal(kept->columns[0], "region");
    assert_string_equal(kept->within[0], "sex");
    tacit_masked_free(masked);
    tacit_table_free(table);
}

/* Nobody of the same sex is elsewhere. */
static void test_stuck(void **state)
{
    (void)state;
    const char *csv = "region,sex,age\nN,f,99\nN,f,30\nN,f,30\nS,m,30\nS,m,30\n";
    const char *steps = "record-swap columns=region keep=sex match=age k=2";
    tacit_error err = {0};
    masking_expect(csv, steps, csv);
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, steps, 1, 1, &err);
    assert_true(masking_fact(masked, 0, "records_at_risk_kept") == 1);
    assert_true(masking_fact(masked, 0, "records_swapped") == 0);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

/* Families of the same members trade as a whole; one with another member does not. */
static void test_household(void **state)
{
    (void)state;
    masking_expect("home,place,sex,age\n"
                   "h1,N,f,99\nh2,S,m,30\nh1,N,m,98\nh2,S,f,30\nh3,S,f,40\nh3,S,f,41\n",
                   "record-swap columns=place household=home keep=sex match=age k=2",
                   "home,place,sex,age\n"
                   "h1,S,f,99\nh2,N,m,30\nh1,S,m,98\nh2,N,f,30\nh3,S,f,40\nh3,S,f,41\n");
    masking_refused("home,place\nh1,N\nh1,S\n", "record-swap columns=place household=home share=1",
                    "in two places at once");
}

static void test_share(void **state)
{
    (void)state;
    masking_expect("id,place\n1,N\n2,S\n", "record-swap columns=place share=1",
                   "id,place\n1,S\n2,N\n");
    char csv[8192] = "id,place,part\n", *at = csv + strlen(csv);
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "%d,%c,p%d\n", i, "NESW"[i % 4], i % 4);
    grid *after = grid_run(csv, "record-swap columns=place share=0.1", 2, 1);
    int moved = 0;
    for (int row = 0; row < after->rows; row++)
        moved += after->cells[row][1][0] != "NESW"[row % 4];
    assert_int_equal(moved, 20);
    grid_free(after);
}

static void test_degenerate(void **state)
{
    (void)state;
    const char *steps = "record-swap columns=a match=b share=0.5";
    masking_expect("a,b\n", steps, "a,b\n");
    masking_expect("a,b\n1,2\n", steps, "a,b\n1,2\n");
    masking_expect("a,b\n1,2\n2,3\n", steps, "a,b\n2,2\n1,3\n");
    masking_expect("a,b\n1,2\n1,3\n1,4\n", steps, "a,b\n1,2\n1,3\n1,4\n");
    masking_expect("a,b\n,2\n,3\n,4\n", steps, "a,b\n,2\n,3\n,4\n");
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,2\n";
    masking_refused(csv, "record-swap columns=a", "it needs `match`");
    masking_refused(csv, "record-swap match=a", "record-swap needs the setting columns");
    masking_refused(csv, "record-swap columns=a match=a", "is in `columns` and in `match`");
    masking_refused(csv, "record-swap columns=a match=b keep=a", "is in `columns` and in `keep`");
    masking_refused(csv, "record-swap columns=a match=b k=1", "k of record-swap is to be a whole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_risky),      cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_household),  cmocka_unit_test(test_share),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
