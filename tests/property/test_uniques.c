/*
 * test_uniques.c - prime implicants against the definition.
 *
 * On random tables every set of columns is tried for every row. On wide ones,
 * where that would take too long, the prime implicants of a row at k = 1 are the
 * minimal sets that hold a column of every set in which another row differs;
 * these are multiplied out one row after the other. How many records a set of
 * columns singles out, and how many match each, are counted one by one.
 */
#include "uniques_case.h"

#include "random_cases.h"

enum { SETS = 1 << 8 }; /* of the columns of a table that is not wide */

static bool comes_before(uint64_t a, uint64_t b)
{
    int sizes = __builtin_popcountll(a) - __builtin_popcountll(b);
    for (int i = 0; !sizes && i < 64; i++)
        if ((a >> i & 1) != (b >> i & 1))
            return a >> i & 1;
    return sizes < 0;
}

/* Columns in which two rows do not match. */
static uint64_t columns_apart(const uniques_case *c, int a, int b, tacit_missing missing)
{
    uint64_t apart = 0;
    for (int i = 0; i < c->columns; i++)
        apart |= (uint64_t)!rows_match(c, a, b, UINT64_C(1) << i, missing) << i;
    return apart;
}

/* How many rows match a row on each set. */
static void count_all(int *counts, const uniques_case *c, int row, tacit_missing missing)
{
    for (uint64_t set = 0; set < UINT64_C(1) << c->columns; set++)
        counts[set] = 0;
    for (int other = 0; other < c->rows; other++) {
        uint64_t apart = columns_apart(c, row, other, missing);
        for (uint64_t set = 0; set < UINT64_C(1) << c->columns; set++)
            counts[set] += !(set & apart);
    }
}

/* The prime implicants of a row in their order, with the rows that match. */
static int primes_of(const uniques_case *c, int row, int k, tacit_missing missing,
                     tacit_unique_set *primes)
{
    static int counts[SETS];
    int found = 0;
    count_all(counts, c, row, missing);
    for (uint64_t set = 0; set < UINT64_C(1) << c->columns; set++) {
        bool prime = counts[set] <= k;
        for (uint64_t left = set; prime && left; left &= left - 1)
            prime = counts[set & ~(left & (~left + 1))] > k;
        if (!prime)
            continue;
        int at = found++;
        for (; at > 0 && comes_before(set, primes[at - 1].columns); at--)
            primes[at] = primes[at - 1];
        primes[at] = (tacit_unique_set){.columns = set, .records = counts[set]};
    }
    return found;
}

static void assert_row(const tacit_uniques *uniques, int row, const tacit_unique_set *primes,
                       int count)
{
    tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
    if (view.count != count)
        fail_msg("row %d has %lld prime implicants, not %d", row, (long long)view.count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(view.sets[i].columns, primes[i].columns);
        assert_int_equal(view.sets[i].records, primes[i].records);
    }
}

/* Those of up to max_size columns. */
static int up_to(const tacit_unique_set *primes, int count, int max_size)
{
    while (count && __builtin_popcountll(primes[count - 1].columns) > max_size)
        count--;
    return count;
}

static void check_table(const uniques_case *c, int k, tacit_missing missing, int max_size)
{
    static tacit_unique_set primes[SETS];
    tacit_uniques *all = uniques_of(c->distinct, k, 0, 1);
    tacit_uniques *bounded = uniques_of(c->distinct, k, max_size, 2);
    int64_t at_risk = 0, sets = 0;
    for (int row = 0; row < c->rows; row++) {
        int count = primes_of(c, row, k, missing, primes);
        assert_row(all, row, primes, count);
        assert_row(bounded, row, primes, up_to(primes, count, max_size));
        tacit_unique_measures measures = tacit_uniques_measure(all, row);
        assert_int_equal(measures.sets, count);
        assert_int_equal(measures.fewest, count ? __builtin_popcountll(primes[0].columns) : 0);
        at_risk += count > 0;
        sets += count;
    }
    const tacit_uniques_summary *summary = tacit_uniques_summarize(all);
    assert_int_equal(summary->at_risk, at_risk);
    assert_int_equal(summary->sets, sets);
    assert_int_equal(summary->end, TACIT_OK);
    assert_int_equal(summary->complete, c->columns);
    tacit_uniques_free(all);
    tacit_uniques_free(bounded);
}

static void check_many(int tables, int missing_percent, tacit_missing missing, uint64_t seed)
{
    uniques_case c;
    for (int i = 0; i < (int)many_cases((uint64_t)tables); i++) {
        int rows = 1 + next_below(&seed, 60), columns = 1 + next_below(&seed, 8);
        case_draw(&c, &seed, rows, columns, missing_percent);
        case_open(&c, missing);
        check_table(&c, 1 + i % 4, missing, 1 + next_below(&seed, 4));
        case_close(&c);
    }
}

static void test_without_missing(void **state)
{
    (void)state;
    check_many(1200, 0, TACIT_MISSING_VALUE, 1);
    check_many(300, 0, TACIT_MISSING_ANY, 2);
}

static void test_missing_is_a_value(void **state)
{
    (void)state;
    check_many(400, 5, TACIT_MISSING_VALUE, 3);
    check_many(400, 30, TACIT_MISSING_VALUE, 4);
}

static void test_missing_matches_any(void **state)
{
    (void)state;
    check_many(700, 5, TACIT_MISSING_ANY, 5);
    check_many(700, 30, TACIT_MISSING_ANY, 6);
    check_many(200, 80, TACIT_MISSING_ANY, 7);
}

/* Groups too large for the search in bits, and k so large that nothing is. */
static void test_larger_groups(void **state)
{
    (void)state;
    static const int KS[] = {1, 2, 5, 70};
    uint64_t seed = 8;
    uniques_case c;
    for (int i = 0; i < 48; i++) {
        tacit_missing missing = i % 2 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE;
        case_draw(&c, &seed, 150 + next_below(&seed, 250), 3 + next_below(&seed, 4), i % 3 ? 8 : 0);
        case_open(&c, missing);
        check_table(&c, KS[i / 2 % 4], missing, 1 + next_below(&seed, 4));
        case_close(&c);
    }
}

/* Minimal sets that hold a column of each of the given sets. */
enum { MAX_MINIMAL = 20000 };

static int add_minimal(uint64_t *sets, int count, uint64_t set)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!(sets[i] & ~set))
            return count;
    for (int i = 0; i < count; i++)
        if (set & ~sets[i])
            sets[kept++] = sets[i];
    assert_true(kept < MAX_MINIMAL);
    sets[kept] = set;
    return kept + 1;
}

static int multiply(uint64_t *sets, int count, uint64_t differ)
{
    static uint64_t before[MAX_MINIMAL];
    int kept = 0;
    memcpy(before, sets, (size_t)count * sizeof *before);
    for (int i = 0; i < count; i++)
        if (before[i] & differ)
            kept = add_minimal(sets, kept, before[i]);
    for (int i = 0; i < count; i++)
        for (uint64_t left = before[i] & differ ? 0 : differ; left; left &= left - 1)
            kept = add_minimal(sets, kept, before[i] | (left & (~left + 1)));
    return kept;
}

static void check_wide_row(const uniques_case *c, const tacit_uniques *uniques, int row,
                           tacit_missing missing)
{
    static uint64_t sets[MAX_MINIMAL];
    int count = 1;
    sets[0] = 0;
    for (int other = 0; other < c->rows; other++)
        if (other != row)
            count = multiply(sets, count, columns_apart(c, row, other, missing));
    tacit_unique_sets_view view = tacit_uniques_of(uniques, row);
    assert_int_equal(view.count, count);
    for (int64_t i = 0; i < view.count; i++) {
        int at = 0;
        while (at < count && sets[at] != view.sets[i].columns)
            at++;
        assert_true(at < count);
        if (i)
            assert_true(comes_before(view.sets[i - 1].columns, view.sets[i].columns));
    }
}

static void test_wide_tables(void **state)
{
    (void)state;
    uint64_t seed = 9;
    uniques_case c;
    for (int i = 0; i < (int)many_cases(40); i++) {
        tacit_missing missing = i % 2 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE;
        case_draw(&c, &seed, 60 + next_below(&seed, 120), 10 + next_below(&seed, 15),
                  i % 4 < 2 ? 0 : 10);
        case_open(&c, missing);
        tacit_uniques *uniques = uniques_of(c.distinct, 1, 0, 2);
        for (int row = 0; row < c.rows; row += 3)
            check_wide_row(&c, uniques, row, missing);
        tacit_uniques_free(uniques);
        case_close(&c);
    }
}

static void check_combinations(const uniques_case *c, tacit_missing missing, int max_size, int k)
{
    tacit_combinations *all = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1 + k % 3;
    assert_int_equal(tacit_combinations_new(&all, c->distinct, max_size, k, &run, NULL), TACIT_OK);
    int64_t expected = 0;
    for (uint64_t set = 1; set < UINT64_C(1) << c->columns; set++)
        expected += __builtin_popcountll(set) <= max_size;
    assert_int_equal(all->count, expected);
    for (int64_t i = 0; i < all->count; i++) {
        int alone = 0, within = 0;
        for (int row = 0; row < c->rows; row++) {
            int count = count_matches(c, row, all->sets[i].columns, missing);
            alone += count == 1;
            within += count <= k;
        }
        assert_int_equal(all->sets[i].alone, alone);
        assert_int_equal(all->sets[i].within, within);
        if (i)
            assert_true(comes_before(all->sets[i - 1].columns, all->sets[i].columns));
    }
    tacit_combinations_free(all);
}

static void check_frequencies(const uniques_case *c, tacit_missing missing, uint64_t *seed)
{
    double weights[CASE_ROWS];
    tacit_sample sample;
    tacit_risk *risk = NULL;
    tacit_run run;
    tacit_run_init(&run);
    tacit_sample_init(&sample);
    for (int row = 0; row < c->rows; row++)
        weights[row] = 1 + next_below(seed, 100);
    sample.weights = weights;
    assert_int_equal(tacit_risk_new(&risk, c->distinct, &sample, &run, NULL), TACIT_OK);
    for (int row = 0; row < c->rows; row++) {
        double people = 0;
        int count = 0;
        for (int other = 0; other < c->rows; other++)
            if (rows_match(c, row, other, UINT64_MAX, missing)) {
                people += weights[other];
                count++;
            }
        assert_int_equal(risk->sample[tacit_distinct_of(c->distinct, row)], count);
        assert_true(risk->people[tacit_distinct_of(c->distinct, row)] == people);
    }
    tacit_risk_free(risk);
}

static void test_counts(void **state)
{
    (void)state;
    uint64_t seed = 10;
    uniques_case c;
    for (int i = 0; i < 300; i++) {
        tacit_missing missing = i % 2 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE;
        case_draw(&c, &seed, 1 + next_below(&seed, 60), 1 + next_below(&seed, 7), i % 3 ? 20 : 0);
        case_open(&c, missing);
        check_combinations(&c, missing, 1 + next_below(&seed, 4), 1 + i % 5);
        check_frequencies(&c, missing, &seed);
        case_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_missing),     cmocka_unit_test(test_missing_is_a_value),
        cmocka_unit_test(test_missing_matches_any), cmocka_unit_test(test_larger_groups),
        cmocka_unit_test(test_wide_tables),         cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
