/*
 * test_techniques_chance.c - techniques that leave things to chance, over many seeds: moments that
 * are kept each time, distributions and numbers that are kept on average, and what only looks like
 * chance to who has no key.
 *
 * Seeds are fixed; bounds on averages are six standard errors or more. TACIT_LONG in the
 * environment makes a hundred times as many cases.
 */
#include "masking_numbers.h"

#include <sys/stat.h>

#include "random_cases.h"
#include "techniques/numeric/numeric.h"

enum { CASES = 1200, SEEDS = 1500, FEW_SEEDS = 300 };

/* ---- noise ---- */

static void expect_moments(const numbers *before, const numbers *after, double amount)
{
    for (size_t i = 0; i < before->columns; i++) {
        double spread = numbers_spread(before, i);
        assert_true(fabs(numbers_mean(after, i) - numbers_mean(before, i)) <= amount * spread);
        for (size_t j = 0; j <= i; j++) {
            double bound = amount * spread * numbers_spread(before, j) + 1e-12;
            assert_true(fabs(numbers_covariance(after, i, j) - numbers_covariance(before, i, j)) <=
                        bound);
        }
    }
}

static void test_kept_moments(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        size_t columns = 1 + *seed % 4;
        int decimals = (int)(*seed / 4 % 4);
        char *csv = numbers_make((int64_t)(20 + *seed * 7 % 200), columns, decimals, *seed);
        char step[80] = "noise way=kept size=0.4 columns=a";
        for (size_t i = 1; i < columns; i++)
            sprintf(step + strlen(step), ",%c", (char)('a' + i));
        tacit_error err = {0};
        tacit_table *table = masking_table(csv);
        tacit_masked *masked = masking_apply(table, step, *seed, 1, &err);
        assert_non_null(masked);
        const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_MOMENTS);
        assert_true(kept->amount < 0.2 * pow(10, -decimals));
        char *text = masking_text(masked, 1);
        numbers before = numbers_read(csv), after = numbers_read(text);
        expect_moments(&before, &after, kept->amount);
        free(before.cells);
        free(after.cells);
        free(text);
        free(csv);
        tacit_masked_free(masked);
        tacit_table_free(table);
    }
    *seed = 0;
}

/* The covariance of correlated noise, over all seeds, is the columns' times size squared. */
static void test_correlated(void **state)
{
    uint64_t *seed = *state;
    char *csv = numbers_make(100, 2, 4, 3);
    numbers before = numbers_read(csv);
    double products[3] = {0};
    for (*seed = 1; *seed <= FEW_SEEDS; ++*seed) {
        char *text = masking_run(csv, "noise columns=a,b size=0.5 way=correlated", *seed, 1);
        numbers after = numbers_read(text), noise = numbers_less(&after, &before);
        for (int64_t row = 0; row < noise.rows; row++)
            for (size_t i = 0; i < 3; i++)
                products[i] +=
                    numbers_at(&noise, row, i / 2) * numbers_at(&noise, row, (i + 1) / 2);
        free(noise.cells);
        free(after.cells);
        free(text);
    }
    for (size_t i = 0; i < 3; i++) {
        double expected = 0.25 * numbers_covariance(&before, i / 2, (i + 1) / 2);
        double mean = products[i] / (FEW_SEEDS * 100);
        assert_true(fabs(mean / expected - 1) < 0.06); /* a standard error is below 0.009 */
    }
    free(before.cells);
    free(csv);
    *seed = 0;
}

/* Numbers of the ziggurat fall into twenty parts of equal probability alike, and into the tails. */
static void test_normal(void **state)
{
    enum { DRAWS = 1000000, PARTS = 20 };
    (void)state;
    tacit_run run;
    tacit__random random;
    tacit__normal normal;
    int64_t counts[PARTS] = {0}, tail = 0;
    double sum = 0, squares = 0, fourths = 0;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, 7);
    tacit__random_init(&random, &run, "test", 0);
    tacit__normal_init(&normal);
    for (int i = 0; i < DRAWS; i++) {
        double x = tacit__normal_draw(&normal, &random);
        counts[(int)fmin(PARTS - 1, PARTS * 0.5 * erfc(-x / sqrt(2)))]++;
        tail += fabs(x) > 3.6541528853610088;
        sum += x;
        squares += x * x;
        fourths += x * x * x * x;
    }
    for (int i = 0; i < PARTS; i++) /* a standard deviation is 218 */
        assert_in_range(counts[i], DRAWS / PARTS - 1400, DRAWS / PARTS + 1400);
    assert_in_range(tail, 160, 360); /* 258 expected */
    assert_true(fabs(sum / DRAWS) < 0.006);
    assert_true(fabs(squares / DRAWS - 1) < 0.01);
    assert_true(fabs(fourths / DRAWS - 3) < 0.07);
}

/* ---- rounding ---- */

static void test_unbiased(void **state)
{
    uint64_t *seed = *state;
    const double numbers_in[] = {0.5, 1, 2.5, 4.9, 5, 7.25, -3, -11.75};
    enum { COUNT = sizeof numbers_in / sizeof *numbers_in };
    char csv[256] = "a\n";
    double sums[COUNT] = {0};
    for (int i = 0; i < COUNT; i++)
        sprintf(csv + strlen(csv), "%g\n", numbers_in[i]);
    for (*seed = 1; *seed <= SEEDS; ++*seed) {
        char *text = masking_run(csv, "round columns=a base=5 way=random", *seed, 1);
        numbers after = numbers_read(text);
        for (int i = 0; i < COUNT; i++) {
            double is = numbers_at(&after, i, 0);
            assert_true(fabs(is - numbers_in[i]) < 5 && fmod(is, 5) == 0);
            sums[i] += is;
        }
        free(after.cells);
        free(text);
    }
    for (int i = 0; i < COUNT; i++) /* a standard error is at most 2.5 / sqrt(1500) = 0.065 */
        assert_true(fabs(sums[i] / SEEDS - numbers_in[i]) < 0.4);
    *seed = 0;
}

/* ---- categories ---- */

static int count_cells(const char *text, const char *cell)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, cell)); at++)
        count++;
    return count;
}

/* 60 x, 30 y and 10 z, in two groups that differ. */
static void make_categories(char *csv)
{
    strcpy(csv, "v,g\n");
    for (int i = 0; i < 100; i++)
        sprintf(csv + strlen(csv), "%c,%c\n",
                i < 60   ? 'x'
                : i < 90 ? 'y'
                         : 'z',
                i % 3 && i < 75 ? 'p' : 'q');
}

/* Counts over all seeds, of each value in each group, against those of the original. */
static void expect_counts(uint64_t *seed, const char *step, bool exactly)
{
    static const char *const cells[] = {"x,p", "x,q", "y,p", "y,q", "z,p", "z,q"};
    char csv[1024];
    double sums[6] = {0};
    make_categories(csv);
    for (*seed = 1; *seed <= SEEDS; ++*seed) {
        char *text = masking_run(csv, step, *seed, 1);
        for (int i = 0; i < 6; i++) {
            int count = count_cells(text, cells[i]), was = count_cells(csv, cells[i]);
            assert_true(!exactly || count == was);
            sums[i] += count;
        }
        free(text);
    }
    for (int i = 0; i < 6; i++) /* a standard error is at most 5 / sqrt(1500) = 0.13 */
        assert_true(fabs(sums[i] / SEEDS - count_cells(csv, cells[i])) < 0.8);
    *seed = 0;
}

static void test_invariant(void **state)
{
    const char matrix[] = "f,x,y,z\nx,.5,.3,.2\ny,.2,.7,.1\nz,.1,.1,.8\n";
    char path[] = "/tmp/tacit_chance_XXXXXX", step[128];
    int fd = mkstemp(path);
    assert_int_equal(write(fd, matrix, sizeof matrix - 1), sizeof matrix - 1);
    close(fd);
    expect_counts(*state, "pram columns=v keep=0.4 way=invariant within=g", false);
    expect_counts(*state, "pram columns=v keep=0.4 way=exact within=g", true);
    snprintf(step, sizeof step, "pram columns=v way=invariant within=g matrix=%s", path);
    expect_counts(*state, step, false);
    snprintf(step, sizeof step, "pram columns=v way=exact within=g matrix=%s", path);
    expect_counts(*state, step, true);
    unlink(path);
}

/* ---- encryption ---- */

/* Random values, long and short, with quotes and delimiters, none of them empty. */
static void make_values(char *csv, uint64_t seed)
{
    static const char letters[] = "abcdefgh,;\" _";
    csv += sprintf(csv, "v\n");
    for (int row = 0; row < 20; row++) {
        int len = 1 + (int)(numbers_next(&seed) % 70);
        *csv++ = '"';
        for (int i = 0; i < len; i++) {
            char letter = letters[numbers_next(&seed) % (sizeof letters - 1)];
            *csv++ = letter;
            if (letter == '"')
                *csv++ = letter;
        }
        csv += sprintf(csv, "\"\n");
    }
}

static void expect_back(const char *csv, const char *text, const tacit_decryption *decryption)
{
    tacit_table *before = masking_table(csv), *after = masking_table(text);
    for (int64_t row = 0; row < tacit_table_rows(before); row++) {
        char said[256], out[512];
        size_t len = 0;
        tacit_strview cell, sealed;
        tacit_table_row(before, row, &cell);
        tacit_table_row(after, row, &sealed);
        assert_null(memmem(csv, strlen(csv), sealed.bytes, sealed.len));
        assert_int_equal(tacit_decrypt_value(out, &len, sealed, "v", decryption, NULL), TACIT_OK);
        assert_int_equal(len, tacit_csv_unquote(cell, said, sizeof said));
        assert_memory_equal(out, said, len);
    }
    tacit_table_free(before);
    tacit_table_free(after);
}

static void test_encryption(void **state)
{
    uint64_t *seed = *state, cases = many_cases(FEW_SEEDS);
    char folder[] = "/tmp/tacit-chance-XXXXXX", key[64], step[128], csv[8192];
    tacit_decryption *decryption = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(key, sizeof key, "%s/key", folder);
    for (*seed = 1; *seed <= cases; ++*seed) {
        make_values(csv, *seed);
        snprintf(step, sizeof step, "encrypt columns=v key=%s way=%s pad=%d", key,
                 *seed % 2 ? "same" : "each", (int)(1 + *seed % 40));
        char *text = masking_run(csv, step, *seed, 1);
        if (!decryption)
            assert_int_equal(tacit_decryption_new(&decryption, key, NULL), TACIT_OK);
        expect_back(csv, text, decryption);
        free(text);
    }
    tacit_decryption_free(decryption);
    unlink(key);
    rmdir(folder);
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_kept_moments, &seed), random_test(test_correlated, &seed),
        cmocka_unit_test(test_normal),         random_test(test_unbiased, &seed),
        random_test(test_invariant, &seed),    random_test(test_encryption, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
