/*
 * test_technique_microaggregate.c - microaggregation of small tables by hand: groups, what is
 * written, gaps and strata, claims and figures, misuse.
 */
#include "masking.h"

#include <math.h>

static void test_univariate(void **state)
{
    (void)state;
    masking_expect("a\n1\n12\n2\n10\n3\n11\n", "microaggregate columns=a k=3 way=univariate",
                   "a\n2\n11\n2\n11\n2\n11\n");
    /* four and three: 1 2 3 4 | 20 21 22 */
    masking_expect("a\n1.0\n2.0\n3.0\n4.0\n20.0\n21.0\n22.0\n",
                   "microaggregate columns=a k=3 way=univariate",
                   "a\n2.5\n2.5\n2.5\n2.5\n21.0\n21.0\n21.0\n");
    /* columns by themselves */
    masking_expect("a,b\n1,9\n3,1\n7,3\n9,7\n", "microaggregate columns=a,b k=2 way=univariate",
                   "a,b\n2,8\n2,2\n8,2\n8,8\n");
}

static void test_multivariate(void **state)
{
    (void)state;
    const char *csv = "a,b,c\n1,1,x\n9,9,y\n2,2,x\n8,8,y\n3,3,z\n7,7,z\n";
    const char *expected = "a,b,c\n2,2,x\n8,8,y\n2,2,x\n8,8,y\n2,2,z\n8,8,z\n";
    masking_expect(csv, "microaggregate columns=a,b k=3", expected);
    masking_expect(csv, "microaggregate columns=a,b k=3 way=mdav", expected);
    /* fewer than two groups' worth: one group */
    masking_expect("a,b\n1,4\n3,2\n5,0\n", "microaggregate columns=a,b k=2",
                   "a,b\n3,2\n3,2\n3,2\n");
}

static void test_median(void **state)
{
    (void)state;
    masking_expect("a\n1\n2\n90\n", "microaggregate columns=a k=3 aggregate=median",
                   "a\n2\n2\n2\n");
    masking_expect("a\n1\n2\n5\n90\n", "microaggregate columns=a k=4 aggregate=median decimals=1",
                   "a\n3.5\n3.5\n3.5\n3.5\n");
}

static void test_within(void **state)
{
    (void)state;
    masking_expect("g,a\nm,1\nf,2\nm,3\nf,4\n", "microaggregate columns=a k=2 within=g",
                   "g,a\nm,2\nf,3\nm,2\nf,3\n");
}

/* Rows that lack the same values are gathered together, by those they have. */
static void test_gaps(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,1\n3,3\n,5\n,7\n";
    masking_expect(csv, "microaggregate columns=a,b k=2", "a,b\n2,2\n2,2\n,6\n,6\n");
    masking_expect("a,b\n1,1\n3,3\n,\n,\n", "microaggregate columns=a,b k=2",
                   "a,b\n2,2\n2,2\n,\n,\n");
    masking_expect("a\n1\n3\nNA\n?\nNA\n?\n", "microaggregate columns=a k=2 others=keep",
                   "a\n2\n2\nNA\n?\nNA\n?\n");
    masking_refused("a\n1\n3\nNA\n?\n", "microaggregate columns=a k=2 others=keep",
                    "groups of 2 cannot be made of 1 row, as many as agree in `within`");
    masking_refused("a,b\n1,1\n3,3\n5,5\n,7\n", "microaggregate columns=a,b k=2",
                    "or leave such rows unchanged with `few: keep`");
    masking_expect("a,b\n1,1\n3,3\n,7\n", "microaggregate columns=a,b k=2 few=keep",
                   "a,b\n2,2\n2,2\n,7\n");
}

/* A group's cells read alike, byte for byte; groups of equals stay as they are. */
static void test_bytes(void **state)
{
    (void)state;
    masking_expect("a\n6.5\n7\n7.5\n", "microaggregate columns=a k=3", "a\n7.0\n7.0\n7.0\n");
    masking_expect("a\n007\n007\n9.5\n8.5\n", "microaggregate columns=a k=2",
                   "a\n007\n007\n9.0\n9.0\n");
    masking_expect("a\n7\n7.0\n", "microaggregate columns=a k=2", "a\n7.0\n7.0\n");
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a,b\n", "microaggregate columns=a,b k=3", "a,b\n");
    masking_expect("a,b\n4,1\n4,2\n4,5\n4,6\n",
                   "microaggregate columns=a,b k=2 way=mdav decimals=1",
                   "a,b\n4,1.5\n4,1.5\n4,5.5\n4,5.5\n");
    const char *equal = "a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n";
    masking_expect(equal, "microaggregate columns=a,b k=2", equal);
    masking_expect(equal, "microaggregate columns=a,b k=2 way=mdav", equal);
    tacit_error err = {0};
    tacit_table *table = masking_table("a,b\n1,2\n3,4\n");
    assert_null(masking_apply(table, "microaggregate columns=a k=3", 1, 1, &err));
    assert_int_equal(err.status, TACIT_INFEASIBLE);
    assert_string_equal(err.message, "microaggregate: groups of 3 cannot be made of 2 rows");
    tacit_table_free(table);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n2,y\n";
    masking_refused(csv, "microaggregate columns=a", "microaggregate needs the setting k");
    masking_refused(csv, "microaggregate columns=a k=1", "k of microaggregate is to be a whole");
    masking_refused(csv, "microaggregate k=2", "needs the setting columns");
    masking_refused(csv, "microaggregate columns=a k=2 way=best",
                    "one of variable, mdav, univariate");
    masking_refused(csv, "microaggregate columns=b k=2", "a value that is not a number");
    masking_refused(csv, "microaggregate columns=a,b k=2 within=b",
                    "the column \"b\" is in `columns` and in `within`");
}

static tacit_masked *masked_of(tacit_table **table, const char *csv, const char *line)
{
    tacit_error err = {0};
    *table = masking_table(csv);
    tacit_masked *masked = masking_apply(*table, line, 1, 1, &err);
    if (!masked)
        fail_msg("%s", err.message);
    return masked;
}

static void test_claims(void **state)
{
    (void)state;
    const tacit_kept *kept;
    tacit_table *table;
    tacit_masked *masked = masked_of(&table, "g,a,b\nm,1,5\nm,2,6\nm,4,9\n",
                                     "microaggregate columns=a,b k=3 within=g");
    assert_int_equal(tacit_masked_kept(masked, &kept), 3);
    assert_int_equal(kept[0].kind, TACIT_KEPT_GROUPS);
    assert_true(kept[0].amount == 3);
    assert_int_equal(kept[0].column_count, 2);
    assert_string_equal(kept[0].within[0], "g");
    assert_int_equal(kept[2].kind, TACIT_KEPT_SUM);
    assert_string_equal(kept[2].columns[0], "b");
    assert_float_equal(kept[2].amount, 1.5, 1e-9); /* three rows, half a unit each */
    tacit_masked_free(masked);
    tacit_table_free(table);
    masked = masked_of(&table, "a,b\n1,5\n2,6\n4,\n4,\n",
                       "microaggregate columns=a,b k=2 way=univariate aggregate=median");
    assert_int_equal(tacit_masked_kept(masked, &kept), 2);
    assert_string_equal(kept[1].columns[0], "b");
    assert_int_equal(kept[1].column_count, 1);
    tacit_masked_free(masked);
    tacit_table_free(table);
    masked = masked_of(&table, "a,b\n1,5\n2,6\n4,\n", "microaggregate columns=a,b k=2 few=keep");
    assert_null(masking_kept(masked, TACIT_KEPT_GROUPS)); /* a row was left */
    assert_non_null(masking_kept(masked, TACIT_KEPT_SUM));
    assert_true(masking_fact(masked, 0, "rows_left") == 1);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_facts(void **state)
{
    (void)state;
    tacit_table *table;
    tacit_masked *masked =
        masked_of(&table, "a\n1\n3\n7\n9\n", "microaggregate columns=a k=2 way=mdav");
    assert_true(masking_fact(masked, 0, "groups") == 2);
    assert_true(masking_fact(masked, 0, "cells_changed") == 4);
    assert_float_equal(masking_fact(masked, 0, "sst"), 3, 1e-12);
    assert_float_equal(masking_fact(masked, 0, "loss"), 4.0 / 40, 1e-12);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_univariate), cmocka_unit_test(test_multivariate),
        cmocka_unit_test(test_median),     cmocka_unit_test(test_within),
        cmocka_unit_test(test_gaps),       cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_claims),     cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
