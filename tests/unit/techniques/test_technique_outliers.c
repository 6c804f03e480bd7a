/*
 * test_technique_outliers.c - outliers to medians on small tables: the rules by hand, categories,
 * strata and gaps, claims, misuse.
 */
#include "masking.h"

static void test_rules(void **state)
{
    (void)state;
    /* quartiles 3 and 7, so that 1.5 times their distance reaches from -3 to 13 */
    const char *csv = "a\n1\n2\n3\n4\n5\n6\n7\n8\n99\n";
    masking_expect(csv, "outliers columns=a rule=iqr", "a\n1\n2\n3\n4\n5\n6\n7\n8\n5\n");
    /* distances from 5: 0 1 1 2 2 3 3 4 94, their median 2, times 1.4826 */
    masking_expect(csv, "outliers columns=a rule=mad", "a\n1\n2\n3\n4\n5\n6\n7\n8\n5\n");
    masking_expect(csv, "outliers columns=a rule=mad fence=1.2", "a\n5\n2\n3\n4\n5\n6\n7\n8\n5\n");
    /* quantiles at places 1 and 7 of 0 to 8 */
    masking_expect(csv, "outliers columns=a low=0.125 high=0.875",
                   "a\n5\n2\n3\n4\n5\n6\n7\n8\n5\n");
    masking_expect(csv, "outliers columns=a low=0 high=1", csv);
    masking_expect("a\n1.0\n2.0\n3.0\n77.25\n", "outliers columns=a low=0 high=0.7 decimals=1",
                   "a\n1.0\n2.0\n3.0\n2.5\n");
}

/* Most are equal: the spread is 0, and nothing is unusual by it. */
static void test_no_spread(void **state)
{
    (void)state;
    const char *csv = "a\n5\n5\n5\n5\n9\n";
    masking_expect(csv, "outliers columns=a rule=mad", csv);
    masking_expect(csv, "outliers columns=a rule=iqr", csv);
    masking_expect("a\n", "outliers columns=a", "a\n");
    masking_expect("a\n7\n", "outliers columns=a rule=mad", "a\n7\n");
    masking_expect("a\n\"\"\n\"\"\n", "outliers columns=a", "a\n\"\"\n\"\"\n");
}

static void test_within(void **state)
{
    (void)state;
    masking_expect("g,a\nm,1\nf,100\nm,2\nf,101\nm,3\nf,102\nm,50\nf,7\n",
                   "outliers columns=a low=0.2 high=0.8 within=g",
                   "g,a\nm,3\nf,100\nm,2\nf,101\nm,3\nf,101\nm,3\nf,101\n");
}

static void test_categories(void **state)
{
    (void)state;
    masking_expect("a\nx\ny\nx\n\"z\"\ny\n\"\"\n", "outliers columns=a values=categories least=2",
                   "a\nx\ny\nx\nx\ny\n\"\"\n");
    masking_expect("g,a\n1,x\n2,y\n1,x\n2,y\n1,y\n",
                   "outliers columns=a values=categories least=2 "
                   "within=g",
                   "g,a\n1,x\n2,y\n1,x\n2,y\n1,x\n");
    /* of equals the first, even where it is rare itself */
    masking_expect("a\nx\ny\n", "outliers columns=a values=categories least=2", "a\nx\nx\n");
    masking_expect("a\n", "outliers columns=a values=categories", "a\n");
}

static void test_gaps(void **state)
{
    (void)state;
    masking_refused("a\n1\nNA\n", "outliers columns=a", "a value that is not a number");
    masking_expect("a\n1\nNA\n2\n3\n\"\"\n90\n", "outliers columns=a high=0.8 low=0 others=keep",
                   "a\n1\nNA\n2\n3\n\"\"\n3\n");
}

static size_t claims_of(tacit_kept *first, const char *csv, const char *line)
{
    tacit_error err = {0};
    const tacit_kept *kept;
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, line, 1, 1, &err);
    assert_non_null(masked);
    size_t count = tacit_masked_kept(masked, &kept);
    if (count)
        *first = kept[0];
    tacit_masked_free(masked);
    tacit_table_free(table);
    return count;
}

static void test_claims(void **state)
{
    (void)state;
    tacit_kept kept;
    const char *categories = "outliers columns=a values=categories least=3";
    assert_int_equal(claims_of(&kept, "a\n1\n2\n3\n99\n", "outliers columns=a high=0.9 low=0"), 1);
    assert_int_equal(kept.kind, TACIT_KEPT_RANGE);
    assert_true(kept.low == 1 && kept.high == 3);
    assert_int_equal(claims_of(&kept, "a\n\n\n", "outliers columns=a"), 0);
    assert_int_equal(claims_of(&kept, "a\nx\nx\nx\ny\n", categories), 1);
    assert_int_equal(kept.kind, TACIT_KEPT_GROUPS);
    assert_true(kept.amount == 3);
    assert_int_equal(claims_of(&kept, "a\nx\ny\n", categories), 0); /* two rows at most */
    assert_int_equal(claims_of(&kept, "a\nx\nx\nx\n\"\"\n", categories), 0);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n2,y\n";
    masking_refused(csv, "outliers", "outliers needs the setting columns");
    masking_refused(csv, "outliers columns=a low=0.7", "low of outliers is to be a number from 0");
    masking_refused(csv, "outliers columns=a rule=sd", "one of quantile, mad, iqr");
    masking_refused(csv, "outliers columns=a,b values=categories within=b",
                    "the column \"b\" is in `columns` and in `within`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),  cmocka_unit_test(test_no_spread),
        cmocka_unit_test(test_within), cmocka_unit_test(test_categories),
        cmocka_unit_test(test_gaps),   cmocka_unit_test(test_claims),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
