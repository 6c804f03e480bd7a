/*
 * test_combinations_of.c - how many records a set of columns singles out: as
 * counted from prime implicants, and as counted from the records.
 */
#include "uniques_case.h"

#include "random_cases.h"

static tacit_combinations *from_uniques(const tacit_uniques *uniques, int max_size)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_combinations *found = NULL;
    tacit_run_init(&run);
    if (tacit_combinations_of(&found, uniques, max_size, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return found;
}

static tacit_combinations *from_records(const tacit_distinct *distinct, int max_size, int k)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_combinations *found = NULL;
    tacit_run_init(&run);
    if (tacit_combinations_new(&found, distinct, max_size, k, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return found;
}

static void assert_same(const tacit_combinations *a, const tacit_combinations *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->k, b->k);
    for (int64_t i = 0; i < a->count; i++) {
        assert_int_equal(a->sets[i].columns, b->sets[i].columns);
        assert_int_equal(a->sets[i].within, b->sets[i].within);
        assert_int_equal(a->sets[i].alone, a->k == 1 ? b->sets[i].alone : -1);
    }
}

static void test_random(void **state)
{
    uint64_t *seed = *state;
    for (uint64_t i = 1; i <= many_cases(500); i++) {
        static uniques_case c;
        uint64_t draw = *seed = i;
        int rows = 1 + next_below(&draw, 50), columns = 1 + next_below(&draw, 8);
        int k = 1 + next_below(&draw, 4), max_size = 1 + next_below(&draw, columns + 1);
        tacit_missing missing = next_below(&draw, 2) ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE;
        case_draw(&c, &draw, rows, columns, next_below(&draw, 2) * 10);
        case_open(&c, missing);
        tacit_uniques *uniques = uniques_of(c.distinct, k, 0, 1);
        tacit_combinations *fast = from_uniques(uniques, max_size);
        tacit_combinations *slow = from_records(c.distinct, max_size, k);
        assert_same(fast, slow);
        tacit_combinations_free(fast);
        tacit_combinations_free(slow);
        tacit_uniques_free(uniques);
        case_close(&c);
    }
    *seed = 0;
}

/* No more than the search has gone through, and no more than can be listed. */
static void test_bounds(void **state)
{
    (void)state;
    static uniques_case c;
    case_fill(&c, 1, 100, 24, 0);
    case_open(&c, TACIT_MISSING_VALUE);
    tacit_uniques *uniques = uniques_of(c.distinct, 1, 2, 1);
    tacit_combinations *found = from_uniques(uniques, 5);
    assert_int_equal(found->count, 24 + 24 * 23 / 2);
    tacit_combinations_free(found);
    tacit_error err = {0};
    found = NULL;
    assert_int_equal(tacit_combinations_of(&found, uniques, 0, NULL, &err), TACIT_INVALID);
    assert_null(found);
    tacit_uniques_free(uniques);
    case_close(&c);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_cancelled(void **state)
{
    (void)state;
    static uniques_case c;
    case_fill(&c, 2, 50, 4, 0);
    case_open(&c, TACIT_MISSING_VALUE);
    tacit_uniques *uniques = uniques_of(c.distinct, 1, 0, 1);
    tacit_combinations *found = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.progress = stop;
    assert_int_equal(tacit_combinations_of(&found, uniques, 2, &run, NULL), TACIT_CANCELLED);
    assert_null(found);
    tacit_uniques_free(uniques);
    case_close(&c);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_random, &seed),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
