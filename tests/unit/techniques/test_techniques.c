/*
 * test_techniques.c - the runner of techniques: steps checked, cells byte for byte, claims that add
 * up or are taken back; and rounding, the simplest of them.
 */
#include "masking.h"

#include "techniques/sheet/sheet.h"

static void test_untouched_bytes(void **state)
{
    (void)state;
    masking_expect("a,b\n\"x, y\",1.50\n'q',\"7\"\n,\n", "round columns=b base=5",
                   "a,b\n\"x, y\",0.00\n'q',5.00\n,\n");
    masking_expect("a,b\n1e3,10\nz,0015\n", "round columns=b base=5", "a,b\n1e3,10\nz,0015\n");
    masking_expect("a\n12\n15\n", "round columns=a base=2.5", "a\n12.5\n15\n");
    masking_expect("a\n0.3\n0.35\n", "round columns=a base=0.1 way=random seed=1",
                   "a\n0.3\n0.30\n");
    masking_expect("a;b\r\n1;2\r\n", "round columns=b base=5", "a;b\r\n1;0\r\n");
}

static void test_one_column(void **state)
{
    (void)state;
    masking_expect("a\n7\n\"\"\n-7\n", "round columns=a base=5", "a\n5\n\"\"\n-5\n");
}

static void test_no_rows(void **state)
{
    (void)state;
    masking_expect("a,b\n", "round columns=b base=5", "a,b\n");
}

static void test_random_rounding(void **state)
{
    (void)state;
    char csv[1 << 16] = "a\n", *at = csv + 2;
    for (int i = 0; i < 8000; i++)
        at += sprintf(at, "2\n");
    char *text = masking_run(csv, "round columns=a base=5 way=random", 3, 2);
    int fives = 0, zeros = 0;
    for (const char *line = text + 2; *line; line = strchr(line, '\n') + 1) {
        fives += *line == '5';
        zeros += *line == '0';
    }
    assert_int_equal(fives + zeros, 8000);
    assert_in_range(fives, 3000, 3400); /* 3200 expected, a standard deviation of 44 */
    free(text);
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = malloc(1 << 20), *at = csv + sprintf(csv, "a,b\n");
    for (int i = 0; i < 50000; i++)
        at += sprintf(at, "%d,%d.5\n", i * 7 % 1001, i);
    const char *steps = "round columns=a base=10 way=random\nround columns=b base=3 way=random";
    masking_threads(csv, steps);
    free(csv);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n";
    masking_refused(csv, "rounding columns=a", "there is no technique \"rounding\"; there are");
    masking_refused(csv, "round columns=a", "round needs the setting base");
    masking_refused(csv, "round columns=a base=0", "base of round is to be a number from");
    masking_refused(csv, "round columns=a base=1,2", "base of round");
    masking_refused(csv, "round columns=a,a base=1", "columns, each once");
    masking_refused(csv, "round columns=a base=1 base=2", "given once");
    masking_refused(csv, "round columns=a base=1 up=yes",
                    "round has no setting \"up\"; it has columns");
    masking_refused(csv, "round columns=a base=1 way=up", "one of nearest, random");
    masking_refused(csv, "round columns=c base=1",
                    "names the column \"c\", which data.csv does not");
    masking_refused(csv, "round columns=b base=1", "column b has a value that is not a number");
    masking_refused(csv, "round columns=a base=1 decimals=1.5", "a whole number from 0 to 15");
}

static void test_others(void **state)
{
    (void)state;
    masking_expect("a\n12\nNA\n\"n,a\"\n", "round columns=a base=5 others=keep",
                   "a\n10\nNA\n\"n,a\"\n");
    masking_expect("a\n12.5\n", "round columns=a base=0.25 decimals=2", "a\n12.5\n");
    masking_expect("a\n12.6\n", "round columns=a base=0.25 decimals=2", "a\n12.50\n");
}

static void test_claims(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a,b\n1,2\n3,4\n");
    tacit_masked *masked = masking_apply(
        table, "round columns=a base=2\nround columns=a base=5\nround columns=b base=3", 1, 1,
        &err);
    assert_non_null(masked);
    const tacit_kept *kept;
    assert_int_equal(tacit_masked_kept(masked, &kept), 2);
    assert_string_equal(kept[0].columns[0], "a");
    assert_true(kept[0].amount == 3.5); /* 1 by the first step, 2.5 by the second */
    assert_true(kept[1].amount == 1.5);
    assert_true(masking_fact(masked, 2, "cells_changed") == 2);
    tacit_masked_free(masked);
    masked = masking_apply(table, "round columns=a,b base=2\nround columns=a base=5", 1, 1, &err);
    assert_int_equal(tacit_masked_kept(masked, &kept), 0); /* of b nothing else is known */
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_fixed(void **state)
{
    (void)state;
    char text[TACIT__FIXED_SIZE];
    const struct {
        double number;
        int decimals;
        const char *written;
    } cases[] = {{0, 0, "0"},
                 {-0.4, 0, "0"},
                 {0.05, 1, "0.1"},
                 {-1234.5, 2, "-1234.50"},
                 {1e15, 2, "1000000000000000"},
                 {0.001, 3, "0.001"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = tacit__fixed_write(text, cases[i].number, cases[i].decimals);
        text[len] = '\0';
        assert_string_equal(text, cases[i].written);
    }
    assert_int_equal(tacit__fixed_decimals(tacit_strview_of("-12.340")), 3);
    assert_int_equal(tacit__fixed_decimals(tacit_strview_of("12")), 0);
    assert_int_equal(tacit__fixed_decimals(tacit_strview_of("1e5")), TACIT__MAX_DECIMALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_untouched_bytes), cmocka_unit_test(test_one_column),
        cmocka_unit_test(test_no_rows),         cmocka_unit_test(test_random_rounding),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_others),          cmocka_unit_test(test_claims),
        cmocka_unit_test(test_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
