/*
 * test_technique_synthesize.c - synthesis on made-up data with known dependencies: what was drawn
 * has the distribution that it was drawn from (chi-square), values of few are never released, by
 * hand and against brute force on random tables; threads, seeds and misuse.
 */
#include "masked_grid.h"

#include <math.h>

enum { LONG_ROWS = 20000, CELL = 16 };

static uint64_t next_random(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *x >> 33;
}

/* a is 0 to 2, b depends on a, c on a and b together (an exclusive or), d on nothing. */
static char *make_dependent(void)
{
    char *csv = malloc((LONG_ROWS + 1) * CELL), *at = csv + sprintf(csv, "a,b,c,d\n");
    uint64_t x = 7;
    for (int i = 0; i < LONG_ROWS; i++) {
        unsigned a = (unsigned)next_random(&x) % 3;
        unsigned b = next_random(&x) % 10 < 2 + 3 * a;
        unsigned c = next_random(&x) % 10 < ((a == 1) != b ? 9u : 2u);
        at += sprintf(at, "%u,%u,%u,%u\n", a, b, c, (unsigned)next_random(&x) % 2);
    }
    return csv;
}

/* Rows of each combination of the four columns. */
static void count_combinations(double counts[24], const char *csv)
{
    memset(counts, 0, 24 * sizeof *counts);
    for (const char *at = strchr(csv, '\n') + 1; *at; at = strchr(at, '\n') + 1)
        counts[(at[0] - '0') * 8 + (at[2] - '0') * 4 + (at[4] - '0') * 2 + at[6] - '0']++;
}

/* Of the two samples, as if both were drawn: 23 degrees of freedom, whose 99.9 % point is 49.7. */
static double chi_square(const double a[24], const double b[24])
{
    double sum = 0;
    for (int i = 0; i < 24; i++)
        if (a[i] + b[i] > 0)
            sum += (a[i] - b[i]) * (a[i] - b[i]) / (a[i] + b[i]);
    return sum;
}

static void test_dependent(void **state)
{
    (void)state;
    char *csv = make_dependent();
    double before[24], after[24];
    count_combinations(before, csv);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        char *text = masking_run(csv, "synthesize columns=a,b,c,d leaf=20", seed, 2);
        count_combinations(after, text);
        assert_true(chi_square(before, after) < 49.7);
        free(text);
    }
    /* without the others nothing of the dependence is left, and the test sees that */
    char *text =
        masking_run(csv, "synthesize columns=a\nsynthesize columns=b\nsynthesize columns=c", 1, 2);
    count_combinations(after, text);
    assert_true(chi_square(before, after) > 1000);
    free(text);
    free(csv);
}

/* What is given stays, row by row, and the rest follows it. */
static void test_given(void **state)
{
    (void)state;
    char *csv = make_dependent();
    double before[24], after[24];
    char *text = masking_run(csv, "synthesize columns=c,b given=a,d leaf=20", 5, 2);
    count_combinations(before, csv);
    count_combinations(after, text);
    assert_true(chi_square(before, after) < 49.7);
    const char *x = strchr(csv, '\n') + 1, *y = strchr(text, '\n') + 1;
    int changed = 0;
    for (; *x; x = strchr(x, '\n') + 1, y = strchr(y, '\n') + 1) {
        assert_true(x[0] == y[0] && x[6] == y[6]);
        changed += x[2] != y[2] || x[4] != y[4];
    }
    assert_true(changed > LONG_ROWS / 5);
    free(text);
    free(csv);
}

/* Numbers: y = 3 x and noise, with gaps where x is above 60; skewed z. */
static char *make_numbers(void)
{
    char *csv = malloc((LONG_ROWS + 1) * 40), *at = csv + sprintf(csv, "x,y,z\n");
    uint64_t seed = 3;
    for (int i = 0; i < LONG_ROWS; i++) {
        double x = (double)(next_random(&seed) % 100000000) / 1000000;
        double u = (double)(next_random(&seed) % 1000000 + 1) / 1000000;
        double y = 3 * x + (double)(next_random(&seed) % 2000) / 100 - 10;
        at += sprintf(at, "%.6f,", x);
        at += x > 60 && i % 2 ? sprintf(at, ",") : sprintf(at, "%.2f,", y);
        at += sprintf(at, "%.0f\n", exp(-3 * log(u)));
    }
    return csv;
}

typedef struct figures {
    double rows, gaps, high, x, y, xx, yy, xy, z, zeros;
} figures;

static figures measure(const char *csv)
{
    figures f = {0};
    for (const char *at = strchr(csv, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        char *end;
        double x = strtod(at, &end), y = end[1] == ',' ? NAN : strtod(end + 1, NULL);
        double z = fmin(atof(strchr(end + 1, ',') + 1), 1000);
        f.high += x > 60;
        f.gaps += x > 60 && isnan(y);
        f.z += z;
        if (isnan(y))
            continue;
        f.rows++;
        f.x += x;
        f.y += y;
        f.xx += x * x;
        f.yy += y * y;
        f.xy += x * y;
    }
    return f;
}

static double correlation(const figures *f)
{
    return (f->xy - f->x * f->y / f->rows) /
           sqrt((f->xx - f->x * f->x / f->rows) * (f->yy - f->y * f->y / f->rows));
}

static void test_numbers(void **state)
{
    (void)state;
    char *csv = make_numbers();
    char *text = masking_run(csv, "synthesize columns=x,y,z", 1, 2);
    figures before = measure(csv), after = measure(text);
    assert_true(fabs(after.gaps / after.high - before.gaps / before.high) < 0.03);
    assert_true(fabs(after.y / after.rows - before.y / before.rows) < 2.5);
    assert_true(fabs(after.yy / after.rows / (before.yy / before.rows) - 1) < 0.03);
    assert_true(fabs(correlation(&after) - correlation(&before)) < 0.005);
    assert_true(fabs(after.z / before.z - 1) < 0.05);
    free(text);
    free(csv);
}

/* ---- what is not released ---- */

static int rows_with(const grid *g, const char *name, const char *text)
{
    int column = grid_column(g, name), rows = 0;
    for (int row = 0; row < g->rows; row++)
        rows += strcmp(g->cells[row][column], text) == 0;
    return rows;
}

/* Few values, empty cells and numbers apart and close, so that each rule is met. */
static char *make_mixed(uint64_t seed)
{
    char *csv = malloc(120 * 40), *at = csv + sprintf(csv, "a,b,c\n");
    for (int i = 0, rows = 40 + (int)(seed % 60); i < rows; i++) {
        uint64_t r = next_random(&seed);
        at += r % 9 ? sprintf(at, "v%d,", (int)(r / 9 % 3 * (r / 27 % 3))) : sprintf(at, ",");
        at += r % 7 ? sprintf(at, "%d,", (int)(r / 100 % 40)) : sprintf(at, "0,");
        at += r % 5 ? sprintf(at, "%d.%d\n", (int)(r / 1000 % 3000), (int)(r % 10))
                    : sprintf(at, "17.0\n");
    }
    return csv;
}

static int rows_like(const grid *g, const grid *other, int row)
{
    int rows = 0;
    for (int i = 0; i < g->rows; i++) {
        bool same = true;
        for (int c = 0; c < g->columns; c++)
            same = same && strcmp(g->cells[i][c], other->cells[row][c]) == 0;
        rows += same;
    }
    return rows;
}

static void test_values_of_few(void **state)
{
    (void)state;
    int news = 0, claimed = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char *csv = make_mixed(seed);
        tacit_error err = {0};
        tacit_table *table = masking_table(csv);
        tacit_masked *masked = masking_apply(table, "synthesize columns=a,b,c k=4", seed, 1, &err);
        const tacit_kept *kept = masking_kept(masked, TACIT_KEPT_COMMON);
        grid *after = grid_of(masking_text(masked, 1)), *before = grid_of(strdup(csv));
        assert_int_equal(after->rows, before->rows);
        for (int row = 0; row < after->rows; row++) {
            assert_int_not_equal(rows_like(before, after, row), 1);
            for (size_t i = 0; i < kept->column_count; i++) {
                int c = *kept->columns[i] - 'a';
                int shared = rows_with(before, kept->columns[i], after->cells[row][c]);
                assert_true(shared >= 4 || (shared == 0 && c > 0));
                news += shared == 0;
                claimed += row == 0;
            }
        }
        grid_free(before);
        grid_free(after);
        tacit_masked_free(masked);
        tacit_table_free(table);
        free(csv);
    }
    assert_true(news > 1000);
    assert_in_range(claimed, 60 * 2, 60 * 3 - 1); /* b is dense */
}

/* A number far from all others does not come out, nor does one beyond it. */
static void test_outlier(void **state)
{
    (void)state;
    char *csv = malloc(400 * 16), *at = csv + sprintf(csv, "a\n");
    for (int i = 0; i < 300; i++)
        at += sprintf(at, "%d\n", 1000 + 37 * i);
    sprintf(at, "9000000\n");
    grid *after = grid_of(masking_run(csv, "synthesize columns=a", 4, 1));
    for (int row = 0; row < after->rows; row++)
        assert_true(atof(after->cells[row][0]) < 9000000);
    assert_int_equal(rows_with(after, "a", "9000000"), 0);
    grid_free(after);
    free(csv);
}

/* Padded numbers are codes, and come out as they are or not at all. */
static void test_codes(void **state)
{
    (void)state;
    char csv[2000] = "zip\n", *at = csv + 4;
    for (int i = 0; i < 120; i++)
        at += sprintf(at, "%05d\n", i < 110 ? 2138 + i % 5 : 4000 + i);
    grid *after = grid_of(masking_run(csv, "synthesize columns=zip", 4, 1));
    int known = 0;
    for (int i = 0; i < 5; i++) {
        char text[16];
        sprintf(text, "%05d", 2138 + i);
        known += rows_with(after, "zip", text);
    }
    assert_int_equal(known, 120);
    grid_free(after);
}

static void test_small(void **state)
{
    (void)state;
    masking_expect("a,b\n", "synthesize columns=a,b", "a,b\n");
    masking_expect("a\nx\nx\n", "synthesize columns=a k=2", "a\nx\nx\n");
    masking_expect("a\n\"\"\n\"\"\n", "synthesize columns=a k=2", "a\n\"\"\n\"\"\n");
    masking_expect("a,b\n1,x\n1,x\n1,x\n", "synthesize columns=b given=a k=3",
                   "a,b\n1,x\n1,x\n1,x\n");
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = make_numbers();
    masking_threads(csv, "synthesize columns=x,y,z leaf=50");
    free(csv);
}

static void test_claims(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a,b\n1,x\n1,x\n2,y\n2,y\n");
    tacit_masked *masked = masking_apply(table, "synthesize columns=a,b k=2", 1, 1, &err);
    assert_true(masking_kept(masked, TACIT_KEPT_COMMON)->amount == 2);
    assert_int_equal(masking_kept(masked, TACIT_KEPT_UNCOPIED)->column_count, 2);
    tacit_masked_free(masked);
    /* after another step they would not be about the original */
    masked = masking_apply(table, "round columns=a base=2\nsynthesize columns=a,b k=2", 1, 1, &err);
    assert_null(masking_kept(masked, TACIT_KEPT_COMMON));
    assert_null(masking_kept(masked, TACIT_KEPT_UNCOPIED));
    tacit_masked_free(masked);
    masked = masking_apply(
        table, "synthesize columns=a k=2 replicates=keep\nsynthesize columns=a k=2", 1, 1, &err);
    assert_null(masking_kept(masked, TACIT_KEPT_COMMON));
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n2,y\n";
    masking_refused(csv, "synthesize", "synthesize needs the setting columns");
    masking_refused(csv, "synthesize columns=a,b given=b",
                    "the column \"b\" is in `columns` and in `given`");
    masking_refused(csv, "synthesize columns=a k=5 leaf=4", "a `leaf` has at least `k` rows");
    masking_refused(csv, "synthesize columns=b k=2",
                    "no value of column \"b\" is shared by 2 rows");
    masking_refused("a,b\n1,x\n2,x\n1,y\n2,y\n", "synthesize columns=a,b k=2",
                    "rows that only one row of the data has cannot be avoided");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent), cmocka_unit_test(test_given),
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_values_of_few),
        cmocka_unit_test(test_outlier),   cmocka_unit_test(test_codes),
        cmocka_unit_test(test_small),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_claims),    cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
