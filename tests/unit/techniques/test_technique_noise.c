/*
 * test_technique_noise.c - additive noise: its size and shape, correlations, ranges, what it leaves
 * alone and what it refuses.
 */
#include "masking_numbers.h"

enum { ROWS = 20000 };

/* The noise that a step added to a made-up table of two columns. */
static numbers noise_of(const char *step, numbers *before)
{
    char *csv = numbers_make(ROWS, 2, 3, 5), *text = masking_run(csv, step, 11, 2);
    numbers after = numbers_read(text);
    *before = numbers_read(csv);
    numbers noise = numbers_less(&after, before);
    free(after.cells);
    free(text);
    free(csv);
    return noise;
}

static double correlation(const numbers *n)
{
    return numbers_covariance(n, 0, 1) / (numbers_spread(n, 0) * numbers_spread(n, 1));
}

static double kurtosis(const numbers *n)
{
    double mean = numbers_mean(n, 0), sum = 0;
    for (int64_t row = 0; row < n->rows; row++)
        sum += pow(numbers_at(n, row, 0) - mean, 4);
    return sum / (double)n->rows / pow(numbers_spread(n, 0), 4);
}

static void test_independent(void **state)
{
    (void)state;
    numbers before, noise = noise_of("noise columns=a,b size=0.5", &before);
    for (size_t i = 0; i < 2; i++) {
        double spread = numbers_spread(&before, i);
        assert_true(fabs(numbers_spread(&noise, i) / spread - 0.5) < 0.02);
        assert_true(fabs(numbers_mean(&noise, i)) < 0.02 * spread);
    }
    assert_true(fabs(correlation(&noise)) < 0.05);
    assert_true(fabs(kurtosis(&noise) - 3) < 0.3);
    free(before.cells);
    free(noise.cells);
}

static void test_correlated(void **state)
{
    (void)state;
    numbers before, noise = noise_of("noise columns=a,b size=0.3 way=correlated", &before);
    assert_true(fabs(correlation(&noise) - correlation(&before)) < 0.04);
    assert_true(fabs(numbers_spread(&noise, 1) / numbers_spread(&before, 1) - 0.3) < 0.02);
    free(before.cells);
    free(noise.cells);
}

static void test_laplace(void **state)
{
    (void)state;
    numbers before, noise = noise_of("noise columns=a,b size=0.2 distribution=laplace", &before);
    assert_true(fabs(numbers_spread(&noise, 0) / numbers_spread(&before, 0) - 0.2) < 0.02);
    assert_true(kurtosis(&noise) > 4.5 && kurtosis(&noise) < 8); /* 6 expected */
    free(before.cells);
    free(noise.cells);
}

/* Means and covariances of the release are those of the original, within what is claimed. */
static void expect_kept(const char *csv, const char *step)
{
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, step, 3, 2, &err);
    if (!masked)
        fail_msg("%s", err.message);
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_MOMENTS);
    assert_non_null(kept);
    char *text = masking_text(masked, 1);
    numbers before = numbers_read(csv), after = numbers_read(text);
    for (size_t i = 0; i < kept->column_count; i++) {
        double spread = numbers_spread(&before, i);
        assert_true(fabs(numbers_mean(&after, i) - numbers_mean(&before, i)) <=
                    kept->amount * spread);
        for (size_t j = 0; j < kept->column_count; j++)
            assert_true(
                fabs(numbers_covariance(&after, i, j) - numbers_covariance(&before, i, j)) <=
                kept->amount * spread * numbers_spread(&before, j));
    }
    free(before.cells);
    free(after.cells);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_kept(void **state)
{
    (void)state;
    char *fine = numbers_make(ROWS, 3, 4, 8), *coarse = numbers_make(40, 3, 0, 9);
    expect_kept(fine, "noise columns=a,b,c size=0.5 way=kept");
    expect_kept(coarse, "noise columns=a,b,c size=0.5 way=kept");
    expect_kept(coarse, "noise columns=a,b,c size=2 way=kept distribution=laplace");
    free(fine);
    free(coarse);
}

/* A column that is the sum of two others stays so, and one of one value stays as it is. */
static void test_kept_determined(void **state)
{
    (void)state;
    char csv[8192] = "a,b,sum,one\n", *at = csv + strlen(csv);
    uint64_t random = 4;
    for (int i = 0; i < 100; i++) {
        int a = (int)(numbers_next(&random) % 1000), b = (int)(numbers_next(&random) % 1000);
        at += sprintf(at, "%d.0000,%d.0000,%d.0000,7\n", a, b, a + b);
    }
    const char *step = "noise columns=a,b,sum,one size=0.4 way=kept";
    expect_kept(csv, step);
    char *text = masking_run(csv, step, 3, 1);
    numbers after = numbers_read(text), before = numbers_read(csv);
    double most = 0;
    for (int64_t row = 0; row < after.rows; row++) {
        assert_true(fabs(numbers_at(&after, row, 0) + numbers_at(&after, row, 1) -
                         numbers_at(&after, row, 2)) < 0.001);
        assert_true(numbers_at(&after, row, 3) == 7);
        most = fmax(most, fabs(numbers_at(&after, row, 0) - numbers_at(&before, row, 0)));
    }
    assert_true(most > 100); /* noise it is */
    free(after.cells);
    free(before.cells);
    free(text);
}

static void test_ranges(void **state)
{
    (void)state;
    char csv[1 << 15] = "a,b\n", *at = csv + strlen(csv);
    for (int i = 0; i < 2000; i++)
        at += sprintf(at, "%d,%d\n", i % 3, i % 5 - 2);
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked =
        masking_apply(table, "noise columns=a,b size=2 range=sign decimals=2", 1, 1, &err);
    char *text = masking_text(masked, 1);
    numbers before = numbers_read(csv), after = numbers_read(text);
    for (int64_t row = 0; row < after.rows; row++)
        for (size_t i = 0; i < 2; i++) {
            double was = numbers_at(&before, row, i), is = numbers_at(&after, row, i);
            assert_true(was * is >= 0 && (was != 0 || is == 0));
        }
    const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_RANGE);
    assert_int_equal(kept->column_count, 1); /* b has numbers below 0 */
    assert_string_equal(kept->columns[0], "a");
    free(after.cells);
    free(text);
    text = masking_run(csv, "noise columns=a,b size=2 range=keep decimals=2", 1, 1);
    after = numbers_read(text);
    for (int64_t row = 0; row < after.rows; row++) {
        assert_true(numbers_at(&after, row, 0) >= 0 && numbers_at(&after, row, 0) <= 2);
        assert_true(fabs(numbers_at(&after, row, 1)) <= 2);
    }
    free(before.cells);
    free(after.cells);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_degenerate(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        const char *steps[] = {"noise columns=a size=1", "noise columns=a size=1 way=correlated",
                               "noise columns=a size=1 way=kept"};
        masking_expect("a,b\n", steps[way], "a,b\n");
        masking_expect("a,b\n,x\n,y\n", steps[way], "a,b\n,x\n,y\n");
        masking_refused("a,b\n3,x\n", steps[way], way ? "too few" : "one number only");
        masking_refused("a\n3\nx\n", steps[way], "not a number");
    }
    masking_expect("a\n0.1\n\"0.1\"\n0.10\n", "noise columns=a size=1", "a\n0.1\n\"0.1\"\n0.10\n");
    masking_refused("a\n1e300\n-1e300\n", "noise columns=a size=1", "too large");
    masking_refused("a,b\n1,\n,2\n3,4\n", "noise columns=a,b size=1 way=correlated", "too few");
    masking_refused("a,b\n1,5\n2,5\n3,5\n,6\n", "noise columns=a,b size=1 way=correlated",
                    "column b has one value only in the rows");
}

static void test_missing(void **state)
{
    (void)state;
    char csv[4096] = "a,b\n", *at = csv + strlen(csv);
    for (int i = 0; i < 100; i++)
        at += sprintf(at, i % 10 == 3 ? "%d.5,\n" : i % 10 == 7 ? ",NA\n" : "%d.5,%d.25\n", i, -i);
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked =
        masking_apply(table, "noise columns=a,b size=1 way=kept others=keep", 1, 1, &err);
    assert_true(masking_fact(masked, 0, "rows_incomplete") == 10);
    assert_null(masking_kept(masked, TACIT_KEPT_MOMENTS));
    char *text = masking_text(masked, 1);
    numbers before = numbers_read(csv), after = numbers_read(text);
    for (size_t i = 0; i < 200; i++)
        assert_true(isnan(before.cells[i]) == isnan(after.cells[i]));
    assert_non_null(strstr(text, "\n,NA\n"));
    free(before.cells);
    free(after.cells);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a\n1\n2\n";
    masking_refused(csv, "noise columns=a", "noise needs the setting size");
    masking_refused(csv, "noise columns=a size=0", "size of noise is to be a number from");
    masking_refused(csv, "noise columns=a size=1 way=kept range=sign", "leave out range");
    masking_refused(csv, "noise columns=a size=1 distribution=flat", "one of normal, laplace");
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = numbers_make(3 * ROWS, 2, 2, 6);
    const char *steps[] = {"noise columns=a,b size=0.1",
                           "noise columns=b,a size=0.1 way=correlated",
                           "noise columns=a,b size=0.1 way=kept"};
    for (size_t i = 0; i < 3; i++) {
        char *one = masking_run(csv, steps[i], 9, 1);
        for (int threads = 2; threads <= 7; threads += 5) {
            char *other = masking_run(csv, steps[i], 9, threads);
            assert_string_equal(one, other);
            free(other);
        }
        free(one);
    }
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_independent),     cmocka_unit_test(test_correlated),
        cmocka_unit_test(test_laplace),         cmocka_unit_test(test_kept),
        cmocka_unit_test(test_kept_determined), cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_degenerate),      cmocka_unit_test(test_missing),
        cmocka_unit_test(test_misuse),          cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
