/*
 * test_techniques_tuples.c - techniques that change which rows there are, over many small random
 * tables: sizes, weights, chances, order.
 */
#include "masked_grid.h"

#include "random_cases.h"

static uint64_t running;

/* The row of the table behind each of the sample, by its id; -1: none. */
static int row_of(const grid *before, const char *id)
{
    for (int row = 0; row < before->rows; row++)
        if (strcmp(before->cells[row][0], id) == 0)
            return row;
    return -1;
}

/* Weights of each stratum, in units of the last decimal that sums can be checked with. */
static void check_strata(const grid *before, const grid *after, double share, int least)
{
    grid_text key, other;
    for (int row = 0; row < before->rows; row++) {
        int size = grid_count(before, row, "b"), drawn = 0;
        long long units = 0;
        grid_key(key, before, row, "b");
        for (int i = 0; i < after->rows; i++) {
            grid_key(other, after, i, "b");
            if (strcmp(key, other) != 0)
                continue;
            drawn++;
            units += (long long)(atof(after->cells[i][4]) * 1e6 + 0.5);
        }
        int wanted = least < size ? least : size;
        int low = (int)(size * share + 1e-9), high = (int)(size * share + 1 - 1e-9);
        assert_in_range(drawn, low > wanted ? low : wanted, high > wanted ? high : wanted);
        if (drawn)
            assert_int_equal(units, size * 1000000LL);
    }
}

static void test_samples(void **state)
{
    (void)state;
    uint64_t cases = many_cases(800);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 37;
        int rows = (int)grid_draw(&draws, 80), least = (int)grid_draw(&draws, 3);
        double share = (1 + grid_draw(&draws, 99)) / 100.0;
        char steps[96], *csv = grid_random(&draws, rows, 4, 1 + (int)grid_draw(&draws, 6), "");
        snprintf(steps, sizeof steps, "sample share=%g by=b least=%d write=w", share, least);
        grid *before = grid_of(strdup(csv)), *after = grid_run(csv, steps, running, 2);
        int last = -1;
        for (int i = 0; i < after->rows; i++) {
            int row = row_of(before, after->cells[i][0]);
            assert_true(row > last);
            for (int column = 1; column < 4; column++)
                assert_string_equal(before->cells[row][column], after->cells[i][column]);
            last = row;
        }
        check_strata(before, after, share, least);
        grid_free(after);
        if (rows > 0) {
            int wanted = 1 + (int)grid_draw(&draws, (uint32_t)rows);
            snprintf(steps, sizeof steps, "sample rows=%d by=b,c", wanted);
            after = grid_run(csv, steps, running, 1);
            assert_int_equal(after->rows, wanted);
            grid_free(after);
        }
        grid_free(before);
        free(csv);
    }
    running = 0;
}

/* Every row is as likely to be drawn, whatever the sizes of the strata. */
static void test_chances(void **state)
{
    (void)state;
    const char *csv = "id,b\n0,m\n1,m\n2,m\n3,m\n4,m\n5,w\n6,w\n7,x\n8,y\n9,y\n";
    const char *const steps[] = {"sample share=0.3", "sample rows=3 by=b", "sample share=0.3 by=b"};
    for (int way = 0; way < 3; way++) {
        int counts[10] = {0};
        for (uint64_t seed = 1; seed <= 3000; seed++) {
            grid *after = grid_run(csv, steps[way], seed, 1);
            for (int row = 0; row < after->rows; row++)
                counts[atoi(after->cells[row][0])]++;
            grid_free(after);
        }
        for (int i = 0; i < 10; i++) /* 900 expected, a standard deviation of 25 */
            assert_in_range(counts[i], 750, 1050);
    }
}

/* How many rows have a cell in a column. */
static int cell_count(const grid *g, int column, const char *cell)
{
    int count = 0;
    for (int row = 0; row < g->rows; row++)
        count += strcmp(g->cells[row][column], cell) == 0;
    return count;
}

/* Shares of b and c are within what is claimed, which is little; real rows are all there in their
 * order; every cell of a new row is somebody's of the same b and c where three have these. */
static void check_added(const grid *before, const grid *after, const tacit_masked *masked)
{
    const uint32_t *origin = tacit_masked_origin(masked);
    double claimed = masking_kept(masked, TACIT_KEPT_SHARES)->amount;
    uint32_t next = 0;
    assert_true(claimed * after->rows < 4);
    for (int row = 0; row < after->rows; row++) {
        for (int column = 1; column < 3; column++) {
            const char *cell = after->cells[row][column];
            double old = (double)cell_count(before, column, cell) / before->rows;
            double new = (double)cell_count(after, column, cell) / after->rows;
            assert_true(new - old <= claimed &&old - new <= claimed);
        }
        if (origin[row] == UINT32_MAX) {
            grid_text key, other;
            int alike = 0, donors = 0;
            grid_key(key, after, row, "bc");
            for (int i = 0; i < before->rows; i++) {
                grid_key(other, before, i, "bc");
                alike += strcmp(key, other) == 0;
                donors += strcmp(key, other) == 0 &&
                          strcmp(before->cells[i][3], after->cells[row][3]) == 0;
            }
            assert_true(alike > 0 && (alike < 3 || donors > 0));
            assert_string_equal(after->cells[row][0], "");
            continue;
        }
        assert_int_equal(origin[row], next);
        for (int column = 0; column < 4; column++)
            assert_string_equal(after->cells[row][column], before->cells[next][column]);
        next++;
    }
    assert_int_equal(next, before->rows);
}

static void test_added(void **state)
{
    (void)state;
    uint64_t cases = many_cases(500);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 43;
        int rows = 2 + (int)grid_draw(&draws, 70), added = (int)grid_draw(&draws, 120);
        char steps[96], *csv = grid_random(&draws, rows, 4, 1 + (int)grid_draw(&draws, 8), "d");
        tacit_error err = {0};
        tacit_table *table = masking_table(csv);
        snprintf(steps, sizeof steps, "add columns=b,c rows=%d blank=a%s", added,
                 running % 2 ? " joint=b,c" : "");
        tacit_masked *masked = masking_apply(table, steps, running, 2, &err);
        assert_non_null(masked);
        grid *before = grid_of(strdup(csv)), *after = grid_of(masking_text(masked, 1));
        assert_int_equal(after->rows, rows + added);
        check_added(before, after, masked);
        grid_free(before);
        grid_free(after);
        tacit_masked_free(masked);
        tacit_table_free(table);
        free(csv);
    }
    running = 0;
}

/* With a larger table every value keeps its share to within a row. */
static void test_balanced(void **state)
{
    (void)state;
    char *csv = malloc(1 << 20), *at = csv + sprintf(csv, "a,b,c,d\n");
    uint64_t draws = 5;
    for (int i = 0; i < 20000; i++) {
        uint32_t b = grid_draw(&draws, 7), c = (b + grid_draw(&draws, 30)) % 40;
        at += sprintf(at, "%d,b%u,c%u,d%u\n", i, b, c, grid_draw(&draws, 3));
    }
    tacit_table *table = masking_table(csv);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tacit_error err = {0};
        tacit_masked *masked = masking_apply(table, "add columns=b,c,d share=0.05", seed, 2, &err);
        assert_true(masking_kept(masked, TACIT_KEPT_SHARES)->amount * 21000 < 1.5);
        tacit_masked_free(masked);
    }
    tacit_table_free(table);
    free(csv);
}

/* Nothing tells where a new row stands. */
static void test_places(void **state)
{
    (void)state;
    int counts[6] = {0};
    tacit_table *table = masking_table("a,b\n0,x\n1,y\n2,x\n3,y\n");
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        tacit_error err = {0};
        tacit_masked *masked = masking_apply(table, "add columns=b rows=2", seed, 1, &err);
        for (int row = 0; row < 6; row++)
            counts[row] += tacit_masked_origin(masked)[row] == UINT32_MAX;
        tacit_masked_free(masked);
    }
    for (int row = 0; row < 6; row++) /* 1000 expected, a standard deviation of 26 */
        assert_in_range(counts[row], 840, 1160);
    tacit_table_free(table);
}

static void test_scrambled(void **state)
{
    (void)state;
    uint64_t cases = many_cases(200);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 41;
        char *csv = grid_random(&draws, (int)grid_draw(&draws, 60), 4, 5, "c");
        grid *before = grid_of(strdup(csv)), *after = grid_run(csv, "scramble", running, 2);
        grid_same(before, after, "abcd");
        grid_free(before);
        grid_free(after);
        free(csv);
    }
    running = 0;
}

static void test_threads(void **state)
{
    (void)state;
    const char *const steps[] = {
        "sample share=0.3 by=c write=w",
        "scramble",
        "add columns=b,c share=0.6 joint=c,d blank=a",
    };
    char *csv = malloc(1 << 21), *at = csv + sprintf(csv, "a,b,c,d\n");
    for (int i = 0; i < 40000; i++)
        at += sprintf(at, "%d,%d,v%d,%d\n", i, i * 7 % 1001, i * 31 % 17, i % 900);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        masking_threads(csv, steps[i]);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_samples, &running), cmocka_unit_test(test_chances),
        random_test(test_added, &running),   cmocka_unit_test(test_balanced),
        cmocka_unit_test(test_places),       random_test(test_scrambled, &running),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
