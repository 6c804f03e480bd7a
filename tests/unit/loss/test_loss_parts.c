/*
 * test_loss_parts.c - what the measures are made of: eigenvalues, ranks, tallies,
 * bins, bars, and a discriminator that sees only a part of the rows.
 */
#include "loss.h"

#include "loss/loss.h"

/* Equal correlations r of n numbers: 1 + (n - 1) r once, 1 - r otherwise. */
static void test_equal_correlations(void **state)
{
    (void)state;
    static double matrix[64 * 64], values[64];
    for (int n = 1; n <= 64; n += n < 8 ? 1 : 28)
        for (double r = -0.9 / n; r < 1; r += 0.3) {
            for (int i = 0; i < n * n; i++)
                matrix[i] = i / n == i % n ? 1 : r;
            tacit__eigenvalues(values, matrix, n);
            double large = 1 + (n - 1) * r, small = 1 - r;
            assert_near(values[0], n > 1 ? fmax(large, small) : 1);
            assert_near(values[n - 1], n > 1 ? fmin(large, small) : 1);
            for (int i = 1; i < n; i++)
                assert_true(values[i] <= values[i - 1]);
        }
}

/* 2 1 0 / 1 2 1 / 0 1 2: 2 + sqrt 2, 2, 2 - sqrt 2. */
static void test_chain(void **state)
{
    (void)state;
    double matrix[] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, values[3];
    tacit__eigenvalues(values, matrix, 3);
    assert_near(values[0], 2 + sqrt(2));
    assert_near(values[1], 2);
    assert_near(values[2], 2 - sqrt(2));
}

static void test_ranks(void **state)
{
    (void)state;
    double numbers[] = {5, -1, 5, 2, NAN}, amounts[] = {1, 2, 1, 0, 9}, ranks[5] = {0};
    uint32_t order[] = {1, 3, 0, 2};
    const tacit__loss_side side = {
        .missing = 4, .numbers = numbers, .order = order, .number_count = 4};
    tacit__mid_ranks(ranks, &side, amounts);
    assert_near(ranks[1], 1.5);
    assert_near(ranks[0], 3.5);
    assert_near(ranks[2], 3.5);
}

static void test_tally(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++) {
        tacit__loss_tally tally;
        assert_true(tacit__tally_init(&tally, hashed ? UINT64_MAX : 5000));
        for (uint64_t i = 0; i < 10000; i++)
            assert_true(tacit__tally_add(&tally, i * 7 % 5000, i % 3 == 0, 1));
        double sums[2] = {0, 0};
        int cells = 0;
        for (size_t i = 0; i < tally.capacity; i++) {
            double all = tally.amounts[i][0] + tally.amounts[i][1];
            sums[0] += tally.amounts[i][0];
            sums[1] += tally.amounts[i][1];
            cells += all > 0;
            assert_true(all <= 0 || (all == 2 && tacit__tally_key(&tally, i) < 5000));
        }
        assert_int_equal(cells, 5000);
        assert_near(sums[1], 3334);
        assert_near(sums[0], 6666);
        tacit__tally_clear(&tally);
    }
}

/* ---- logistic regression ---- */

enum { FITTED = 60, TERMS = 4 };

typedef struct fitted {
    double x[FITTED][TERMS]; /* the first is 1 */
    bool released[FITTED];
    double weights[FITTED];
} fitted;

static void fitted_row(tacit__fit_row *out, const void *subject, int64_t row)
{
    const fitted *f = subject;
    out->released = f->released[row];
    out->weight = f->weights[row];
    for (int i = TERMS - 1; i > 0; i--) /* in any order, those that are 0 left out */
        if (f->x[row][i] != 0) {
            out->terms[out->count] = i;
            out->values[out->count++] = f->x[row][i];
        }
}

/* Goes up the gradient in small steps, until nothing moves. */
static double slow_pmse(const fitted *f)
{
    double b[TERMS] = {0}, p[FITTED], share = 0, weight = 0, pmse = 0;
    for (int step = 0; step < 100000; step++) {
        double g[TERMS] = {0};
        for (int row = 0; row < FITTED; row++) {
            double eta = 0;
            for (int i = 0; i < TERMS; i++)
                eta += b[i] * f->x[row][i];
            p[row] = 1 / (1 + exp(-eta));
            for (int i = 0; i < TERMS; i++)
                g[i] += f->weights[row] * (f->released[row] - p[row]) * f->x[row][i];
        }
        for (int i = 0; i < TERMS; i++)
            b[i] += 0.02 * (g[i] - (i ? 0.01 * b[i] : 0));
    }
    for (int row = 0; row < FITTED; row++) {
        share += f->weights[row] * f->released[row];
        weight += f->weights[row];
    }
    for (int row = 0; row < FITTED; row++)
        pmse += f->weights[row] * (p[row] - share / weight) * (p[row] - share / weight) / weight;
    return pmse;
}

static void test_logistic(void **state)
{
    (void)state;
    uint32_t random = 7;
    for (int c = 0; c < 6; c++) {
        fitted f;
        double pmse = NAN;
        for (int row = 0; row < FITTED; row++) {
            for (int i = 0; i < TERMS; i++) {
                random = random * 1664525 + 1013904223;
                f.x[row][i] = i == 0 ? 1 : i == 1 ? random >> 31 : (random >> 16) / 32768.0 - 1;
            }
            f.released[row] = row % 3 == 0 || f.x[row][1 + c % (TERMS - 1)] > 0.7;
            f.weights[row] = c % 2 ? 1 : 0.5 + (row % 4) / 2.0;
        }
        const tacit__fit_rows rows = {fitted_row, &f, FITTED, TERMS};
        assert_int_equal(tacit__fit_pmse(&pmse, &rows, NULL, NULL), TACIT_OK);
        double slow = slow_pmse(&f);
        if (!(fabs(pmse - slow) <= 1e-6))
            fail_msg("case %d: %.9g, not %.9g", c, pmse, slow);
    }
}

/* ---- tables of many rows ---- */

/* A table of one column made by a function of the row. */
static char *column_of(int rows, double (*value)(int row))
{
    char *text = malloc((size_t)rows * 32 + 8), *at = text + sprintf(text, "x\n");
    for (int row = 0; row < rows; row++)
        at += sprintf(at, "%g\n", value(row));
    return text;
}

static double plain(int row)
{
    return row * 37 % 1000;
}

static double moved(int row)
{
    return plain(row) + 0.3;
}

static double shifted(int row)
{
    return plain(row) + 500;
}

/* n^0.4 bins: 15 of a thousand rows. What moves by less than half the way to the next number goes
 * to the bin where it was. */
static void test_bins(void **state)
{
    (void)state;
    char *before = column_of(1000, plain), *after = column_of(1000, moved);
    tacit_loss *loss = loss_of(before, after, NULL);
    assert_int_equal(loss->attributes[0].categories, 15);
    assert_near(loss->attributes[0].lost, 0);
    assert_true(loss->attributes[0].entropy_original > log2(15) - 0.001);
    assert_near(loss->attributes[0].rank_change, 0);
    assert_true(loss->attributes[0].il1s > 0);
    tacit_loss_free(loss);
    free(before);
    free(after);
}

/* Two of a thousand rows are enough to be fitted to, and 200 are a sample of both. */
static void test_fit_sampled(void **state)
{
    (void)state;
    char *before = column_of(1000, plain), *after = column_of(1000, shifted);
    tacit_loss_options options;
    tacit_loss_case c = {loss_table(before), loss_table(after), NULL, NULL, {NULL, NULL}};
    tacit_loss_options_init(&options);
    tacit_loss *whole = loss_of_case(&c, &options, 1);
    options.fit_rows = 200;
    tacit_loss *part = loss_of_case(&c, &options, 2);
    assert_false(whole->fit_sampled);
    assert_true(part->fit_sampled);
    assert_int_equal(part->fit_rows, 200);
    assert_int_equal(part->fit_terms, 3);
    assert_true(fabs(part->pmse - whole->pmse) < 0.03);
    assert_true(whole->pmse > 0.05);
    tacit_loss_free(part);
    options.fit_rows = 2;
    part = loss_of_case(&c, &options, 1);
    assert_int_equal(part->fit_rows, 2);
    assert_true(part->pmse >= 0 && part->pmse <= 0.25);
    tacit_loss_free(part);
    tacit_loss_free(whole);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
    free(before);
    free(after);
}

/* More attributes than are correlated, paired or fitted: the first are. */
static void test_wide(void **state)
{
    (void)state;
    enum { WIDE = 140, ROWS = 30 };
    static char text[ROWS * WIDE * 8];
    char *at = text;
    for (int row = -1; row < ROWS; row++)
        for (int i = 0; i < WIDE; i++)
            at += sprintf(at, row < 0 ? "c%d%c" : "%d%c", row < 0 ? i : (row * (i + 3) + i) % 101,
                          i + 1 < WIDE ? ',' : '\n');
    tacit_loss *loss = loss_of(text, text, NULL);
    assert_int_equal(loss->numeric_count, WIDE);
    assert_int_equal(loss->correlated, TACIT_LOSS_CORRELATED);
    assert_int_equal(loss->pairs, TACIT_LOSS_PAIRED * (TACIT_LOSS_PAIRED - 1) / 2);
    assert_true(loss->fit_terms <= TACIT__FIT_TERMS && loss->fit_terms > TACIT__FIT_TERMS - 3);
    assert_near(loss->lost, 0);
    assert_near(loss->pmse, 0);
    assert_near(loss->eigen_first, 0);
    tacit_loss_free(loss);
}

/* ---- bars ---- */

static void assert_bar(const tacit_loss_attribute *a, int bar, const char *name, double before,
                       double after)
{
    assert_true(bar < a->bar_count);
    assert_string_equal(a->bars[bar].name, name);
    assert_near(a->bars[bar].before, before);
    assert_near(a->bars[bar].after, after);
}

/* Rows of each value, in a table of one column. */
static char *rows_of(const char *const *values, const int *counts, int count)
{
    char *text = malloc(1 << 14), *at = text + sprintf(text, "x\n");
    for (int i = 0; i < count; i++)
        for (int row = 0; row < counts[i]; row++)
            at += sprintf(at, "%s\n", values[i]);
    return text;
}

static void test_value_bars(void **state)
{
    (void)state;
    static const char *const BEFORE[] = {"a", "b", "c", "d", ""}, *const AFTER[] = {"a", "*", "d"};
    char *before = rows_of(BEFORE, (int[]){10, 20, 3, 3, 4}, 5);
    char *after = rows_of(AFTER, (int[]){10, 20, 10}, 3);
    tacit_loss *loss = loss_of(before, after, NULL);
    const tacit_loss_attribute *a = &loss->attributes[0];
    assert_int_equal(a->bar_count, 4);
    assert_bar(a, 0, "b", 0.5, 0);
    assert_bar(a, 1, "a", 0.25, 0.25);
    /* c and d are few, but not together; four that are missing are. */
    assert_bar(a, 2, "other values or (missing)", 0.25, 0.25);
    assert_bar(a, 3, "*", 0, 0.5);
    tacit_loss_free(loss);
    free(before);
    free(after);
}

/* Names: the one that five have is not shown, since most records have others. */
static void test_no_names(void **state)
{
    (void)state;
    char text[1024] = "x\n";
    for (int row = 0; row < 40; row++)
        sprintf(text + strlen(text), "name%d\n", row < 5 ? 0 : row);
    tacit_loss *loss = loss_of(text, text, NULL);
    assert_int_equal(loss->attributes[0].bar_count, 0);
    tacit_loss_free(loss);
}

/* Ages 20 to 79, each once, and one of 103, who is nowhere by himself. */
static void test_range_bars(void **state)
{
    (void)state;
    char text[1024] = "x\n", after[1024] = "x\n";
    for (int row = 0; row < 60; row++) {
        sprintf(text + strlen(text), "%d\n", 20 + row);
        sprintf(after + strlen(after), "%d\n", 20 + row / 10 * 10);
    }
    strcat(text, "103\n");
    strcat(after, "*\n");
    tacit_loss *loss = loss_of(text, after, NULL);
    const tacit_loss_attribute *a = &loss->attributes[0];
    double all = 61, before = 0;
    for (int i = 0; i < a->bar_count; i++) {
        before += a->bars[i].before;
        assert_null(strstr(a->bars[i].name, "103"));
        assert_true(a->bars[i].before < 1e-9 || a->bars[i].before * all > 4.9);
    }
    assert_near(before, 1);
    assert_bar(a, 0, "20 to 24", 5 / all, 10 / all);
    assert_bar(a, a->bar_count - 1, "*", 0, 1 / all);
    assert_bar(a, a->bar_count - 2, "75 or more", 6 / all, 0);
    tacit_loss_free(loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_correlations),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_tally),
        cmocka_unit_test(test_logistic),
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_fit_sampled),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_value_bars),
        cmocka_unit_test(test_no_names),
        cmocka_unit_test(test_range_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
