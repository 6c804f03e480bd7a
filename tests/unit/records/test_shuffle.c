/*
 * test_shuffle.c - the random order: it is a permutation, each is equally
 * likely, and it depends on the seed only.
 */
#include "records.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "records/apply/apply.h"

static uint32_t *shuffled(int64_t rows, const uint64_t *left_out, int64_t kept, uint64_t seed,
                          int threads)
{
    tacit_run run;
    tacit_error err = {0};
    uint32_t *order = NULL;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = threads;
    assert_int_equal(tacit__shuffle(&order, rows, left_out, kept, &run, &err), TACIT_OK);
    return order;
}

static void check_permutation(const uint32_t *order, int64_t rows, const uint64_t *left_out,
                              int64_t kept)
{
    uint64_t *seen = calloc(tacit__bitset_words(rows) + 1, sizeof *seen);
    for (int64_t i = 0; i < kept; i++) {
        assert_true(order[i] < rows);
        assert_false(tacit__bit_get(seen, order[i]));
        assert_false(left_out && tacit__bit_get(left_out, order[i]));
        tacit__bit_set(seen, order[i]);
    }
    free(seen);
}

static void test_permutation(void **state)
{
    (void)state;
    const int64_t sizes[] = {0, 1, 2, 3, 1000, 32768, 32769, 65536, 65537, 300000};
    for (int s = 0; s < 10; s++) {
        uint32_t *order = shuffled(sizes[s], NULL, sizes[s], 7, 2);
        check_permutation(order, sizes[s], NULL, sizes[s]);
        tacit__free(order);
    }
}

static void test_left_out(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    uint64_t *left_out = calloc(tacit__bitset_words(ROWS), sizeof *left_out);
    uint64_t seed = 5;
    for (int64_t r = 0; r < ROWS; r++)
        if (next_number(&seed, 3) == 0)
            tacit__bit_set(left_out, r);
    int64_t kept = ROWS - tacit__bitset_count(left_out, ROWS);
    uint32_t *order = shuffled(ROWS, left_out, kept, 1, 2);
    check_permutation(order, ROWS, left_out, kept);
    tacit__free(order);
    free(left_out);
}

static void test_threads_and_seeds(void **state)
{
    (void)state;
    enum { ROWS = 250000 };
    uint32_t *one = shuffled(ROWS, NULL, ROWS, 1, 1), *two = shuffled(ROWS, NULL, ROWS, 1, 2);
    uint32_t *seven = shuffled(ROWS, NULL, ROWS, 1, 7), *other = shuffled(ROWS, NULL, ROWS, 2, 1);
    assert_memory_equal(one, two, ROWS * sizeof *one);
    assert_memory_equal(one, seven, ROWS * sizeof *one);
    assert_memory_not_equal(one, other, ROWS * sizeof *one);
    tacit__free(one);
    tacit__free(two);
    tacit__free(seven);
    tacit__free(other);
}

/* All 24 orders of four rows over 24000 seeds: the statistic has 23 degrees of
 * freedom and passes 70 once in a million times (the seeds are fixed). */
static void test_each_order_equally_likely(void **state)
{
    (void)state;
    enum { SEEDS = 24000 };
    int counts[256] = {0};
    double chi_square = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint32_t *order = shuffled(4, NULL, 4, seed, 1);
        counts[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]]++;
        tacit__free(order);
    }
    for (int i = 0; i < 256; i++)
        if (counts[i] > 0)
            chi_square += (counts[i] - 1000.0) * (counts[i] - 1000.0) / 1000.0;
    assert_true(chi_square < 70);
}

/* Across buckets and blocks: where rows of each tenth of the table end up, ten
 * tenths each, in a large shuffle. 81 degrees of freedom. */
static void test_large_is_even(void **state)
{
    (void)state;
    enum { ROWS = 400000 };
    double counts[10][10] = {{0}}, chi_square = 0, expected = ROWS / 100.0;
    uint32_t *order = shuffled(ROWS, NULL, ROWS, 11, 2);
    for (int64_t i = 0; i < ROWS; i++)
        counts[i * 10 / ROWS][(int64_t)order[i] * 10 / ROWS]++;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            chi_square += (counts[i][j] - expected) * (counts[i][j] - expected) / expected;
    assert_true(chi_square < 150);
    assert_true(chi_square > 30); /* too even is not random either */
    tacit__free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permutation),       cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_threads_and_seeds), cmocka_unit_test(test_each_order_equally_likely),
        cmocka_unit_test(test_large_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
