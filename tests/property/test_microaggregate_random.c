/*
 * test_microaggregate_random.c - groups of at least k on random points: the best on a line against
 * all partitions, MDAV by a tree against plain scans, the improved ones against both.
 */
#include "masking.h"

#include "plain_mdav.h"

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static double unit(uint32_t *state)
{
    return draw(state) / 4294967296.0;
}

/* Every group has at least k points; the numbers have no gaps. */
static void check_sizes(const uint32_t *group, uint32_t groups, uint32_t count, uint32_t k)
{
    uint32_t *sizes = calloc(groups, sizeof *sizes);
    for (uint32_t i = 0; i < count; i++) {
        assert_in_range(group[i], 0, groups - 1);
        sizes[group[i]]++;
    }
    for (uint32_t i = 0; i < groups; i++)
        assert_in_range(sizes[i], k, count);
    free(sizes);
}

/* ---- on a line ---- */

/* The least over all partitions into groups of at least k, each point put into one of the groups
 * before it or into a new one. */
static double least_of_all(const tacit__points *points, uint32_t *group, uint32_t *sizes,
                           uint32_t at, uint32_t groups, uint32_t k)
{
    if (at == points->count) {
        for (uint32_t i = 0; i < groups; i++)
            if (sizes[i] < k)
                return INFINITY;
        return plain_squares(points, group, groups);
    }
    double least = INFINITY;
    for (uint32_t i = 0; i <= groups && (i + 1) * k <= points->count; i++) {
        group[at] = i;
        sizes[i]++;
        double own = least_of_all(points, group, sizes, at + 1, groups + (i == groups), k);
        least = own < least ? own : least;
        sizes[i]--;
    }
    return least;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The least over all cuts of sorted values into runs of at least k, of any length. */
static double least_of_runs(const double *sorted, uint32_t count, uint32_t k)
{
    double least = count == 0 ? 0 : INFINITY;
    for (uint32_t size = k; size <= count; size++) {
        double mean = 0, squares = 0;
        for (uint32_t i = count - size; i < count; i++)
            mean += sorted[i] / size;
        for (uint32_t i = count - size; i < count; i++)
            squares += (sorted[i] - mean) * (sorted[i] - mean);
        double own = squares + least_of_runs(sorted, count - size, k);
        least = own < least ? own : least;
    }
    return least;
}

static void check_line(double *values, uint32_t count, uint32_t k, bool all)
{
    uint32_t group[32], sizes[32] = {0}, groups;
    tacit_error err = {0};
    tacit__points points = {values, count, 1};
    assert_int_equal(tacit__micro_optimal(group, &groups, values, count, k, NULL, &err), TACIT_OK);
    check_sizes(group, groups, count, k);
    double own = plain_squares(&points, group, groups);
    if (all)
        assert_float_equal(own, least_of_all(&points, group, sizes, 0, 0, k), 1e-9);
    qsort(values, count, sizeof *values, by_value);
    assert_float_equal(own, least_of_runs(values, count, k), 1e-9);
}

static void test_best_on_a_line(void **state)
{
    (void)state;
    uint32_t seed = 7;
    double values[32];
    for (int i = 0; i < 4000; i++) {
        uint32_t k = 1 + draw(&seed) % 5, count = k + draw(&seed) % (17 - k);
        bool coarse = draw(&seed) % 2;
        for (uint32_t j = 0; j < count; j++)
            values[j] = coarse ? draw(&seed) % 6 : unit(&seed) * unit(&seed) * 10;
        check_line(values, count, k, false);
    }
    for (int i = 0; i < 300; i++) {
        uint32_t k = 2 + draw(&seed) % 2, count = k + draw(&seed) % (9 - k);
        for (uint32_t j = 0; j < count; j++)
            values[j] = draw(&seed) % 20;
        check_line(values, count, k, true);
    }
}

/* ---- in space ---- */

static double *random_points(uint32_t count, uint32_t width, uint32_t *seed)
{
    double *at = malloc((size_t)count * width * sizeof *at);
    for (size_t i = 0; i < (size_t)count * width; i++)
        at[i] = unit(seed) + unit(seed) + unit(seed) * unit(seed);
    return at;
}

static void check_mdav(const double *at, uint32_t count, uint32_t width, uint32_t k)
{
    tacit__points points = {at, count, width};
    uint32_t *one = malloc(count * sizeof *one), *two = malloc(count * sizeof *two);
    uint32_t groups, plain_groups;
    tacit_error err = {0};
    assert_int_equal(tacit__micro_mdav(one, &groups, &points, k, NULL, &err), TACIT_OK);
    plain_mdav_run(two, &plain_groups, &points, k);
    assert_int_equal(groups, plain_groups);
    assert_memory_equal(one, two, count * sizeof *one);
    check_sizes(one, groups, count, k);
    free(one);
    free(two);
}

static void test_mdav_is_plain_mdav(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (int i = 0; i < 1500; i++) {
        uint32_t k = 2 + draw(&seed) % 6, width = 1 + draw(&seed) % 5;
        uint32_t count = i < 1498 ? k + draw(&seed) % 120 : 4000;
        double *at = random_points(count, width, &seed);
        check_mdav(at, count, width, k);
        free(at);
    }
}

/* Points of few values: equals everywhere. Sums of whole numbers have no rounding, so that the two
 * agree even there. */
static void test_ties(void **state)
{
    (void)state;
    uint32_t seed = 5;
    double *at = malloc(3 * 3000 * sizeof *at);
    for (int i = 0; i < 600; i++) {
        uint32_t k = 2 + draw(&seed) % 5, most = i % 100 ? 150 : 3000;
        uint32_t count = k + draw(&seed) % (most - k);
        for (uint32_t j = 0; j < count * 3; j++)
            at[j] = draw(&seed) % (1 + (uint32_t)i % 5);
        check_mdav(at, count, 3, k);
    }
    free(at);
}

static void check_improved(uint32_t count, uint32_t width, uint32_t k, bool all, uint32_t *seed)
{
    double *at = random_points(count, width, seed);
    tacit__points points = {at, count, width};
    uint32_t *group = malloc(count * sizeof *group), groups, sizes[16] = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit__random random;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "test", *seed);
    assert_int_equal(tacit__micro_mdav(group, &groups, &points, k, NULL, &err), TACIT_OK);
    double before = plain_squares(&points, group, groups);
    assert_int_equal(tacit__micro_improve(group, &groups, &points, k, &random, &run, &err),
                     TACIT_OK);
    check_sizes(group, groups, count, k);
    double after = plain_squares(&points, group, groups);
    assert_true(after <= before * (1 + 1e-12));
    if (all)
        assert_float_equal(after, least_of_all(&points, group, sizes, 0, 0, k), 1e-9);
    free(group);
    free(at);
}

/* Small ones come out best of all. */
static void test_improved(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int i = 0; i < 60; i++) {
        uint32_t k = 2 + draw(&seed) % 2;
        check_improved(k + draw(&seed) % (9 - k), 1 + draw(&seed) % 3, k, true, &seed);
    }
    for (int i = 0; i < 30; i++) {
        uint32_t k = 2 + draw(&seed) % 4;
        check_improved(k + draw(&seed) % 60, 1 + draw(&seed) % 4, k, false, &seed);
    }
}

/* ---- as a step ---- */

static char *random_table(uint32_t rows, uint32_t *seed)
{
    char *csv = malloc(64 + rows * 40), *at = csv + sprintf(csv, "a,b,c\n");
    for (uint32_t i = 0; i < rows; i++)
        at += sprintf(at, "%.2f,%u,%c\n", unit(seed) * 1000, draw(seed) % 50, "xyz"[i % 3]);
    return csv;
}

static void test_threads(void **state)
{
    (void)state;
    uint32_t seed = 99;
    char *csv = random_table(3000, &seed);
    const char *steps = "microaggregate columns=a,b k=4 within=c";
    char *one = masking_run(csv, steps, 9, 1);
    for (int threads = 2; threads <= 7; threads += 5) {
        char *other = masking_run(csv, steps, 9, threads);
        assert_string_equal(one, other);
        free(other);
    }
    free(one);
    free(csv);
}

static bool go_on_for_a_while(const char *phase, int64_t done, int64_t total, void *payload)
{
    int *left = payload;
    (void)phase, (void)done, (void)total;
    return --*left > 0;
}

/* Stopped at the first question, the second and so on, until it is through. */
static void test_stopped(void **state)
{
    (void)state;
    const uint32_t count = 3000;
    uint32_t seed = 21, *group = malloc(count * sizeof *group), groups, stops = 0;
    double *at = random_points(count, 2, &seed);
    tacit__points points = {at, count, 2};
    tacit_status status = TACIT_CANCELLED;
    for (int i = 1; status == TACIT_CANCELLED; i += 1 + i / 4, stops++) {
        int left = i;
        tacit_error err = {0};
        tacit_run run;
        tacit__random random;
        tacit_run_init(&run);
        run.progress = go_on_for_a_while;
        run.payload = &left;
        tacit__random_init(&random, &run, "test", 1);
        status = tacit__micro_mdav(group, &groups, &points, 5, &run, &err);
        if (status == TACIT_OK)
            status = tacit__micro_improve(group, &groups, &points, 5, &random, &run, &err);
        assert_true(status == TACIT_OK || status == TACIT_CANCELLED);
    }
    check_sizes(group, groups, count, 5);
    assert_true(stops > 5);
    free(group);
    free(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_on_a_line), cmocka_unit_test(test_mdav_is_plain_mdav),
        cmocka_unit_test(test_ties),           cmocka_unit_test(test_improved),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
