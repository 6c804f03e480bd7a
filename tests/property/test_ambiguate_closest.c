/*
 * test_ambiguate_closest.c - the fewest columns in which two rows differ, against all pairs:
 * few columns and many, where columns are dealt out instead of left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/state.h"

static uint64_t seed;

static int32_t closest(const tacit__tableau *t)
{
    int32_t out = -1;
    tacit_error err = {0};
    if (tacit__tableau_closest(&out, t, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return out;
}

static int32_t naive_closest(const tacit__tableau *t)
{
    int32_t least = 0;
    for (int64_t i = 0; i < t->classes; i++)
        for (int64_t j = 0; j < i; j++) {
            int32_t apart = __builtin_popcountll(tacit__tableau_differ(t, i, j));
            least = least == 0 || apart < least ? apart : least;
        }
    return least;
}

static void test_golden(void **state)
{
    (void)state;
    const struct {
        const golden_table *table;
        int32_t closest;
    } CASES[] = {{&T1, 2}, {&T2, 1}, {&T3, 1}, {&TWO_ROWS, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit__tableau t;
        tableau_golden(&t, CASES[i].table, 2);
        assert_int_equal(closest(&t), CASES[i].closest);
        tacit__tableau_clear(&t);
    }
}

static void test_alike(void **state)
{
    (void)state;
    const uint32_t ROW[2] = {3, 4};
    tacit__tableau t;
    tableau_start(&t, 2, 1, 2);
    assert_int_equal(closest(&t), 0); /* no rows */
    tableau_row(&t, ROW);
    tableau_row(&t, ROW);
    assert_int_equal(closest(&t), 0);
    tacit__tableau_clear(&t);
}

static void test_random_tables(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(1500); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tableau_random(&t, &random, seed % 2 ? 6 : 30, seed % 3 ? 8 : 64, 2, false);
        assert_int_equal(closest(&t), naive_closest(&t));
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* Two rows that differ in every one of 64 columns, and in each number of them below. */
static void test_wide(void **state)
{
    (void)state;
    for (int apart = 1; apart <= 64; apart++) {
        uint32_t codes[64] = {0};
        tacit__tableau t;
        tableau_start(&t, 64, 2, 2);
        tableau_row(&t, codes);
        for (int c = 64 - apart; c < 64; c++)
            codes[c] = UINT32_MAX - 1;
        tableau_row(&t, codes);
        assert_int_equal(closest(&t), apart);
        tacit__tableau_clear(&t);
    }
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return --*(int *)payload > 0;
}

static void test_cancelled(void **state)
{
    (void)state;
    int words = 3, none = 7;
    tacit__tableau t;
    tacit_run run;
    tacit_run_init(&run);
    run.progress = stop;
    run.payload = &words;
    tableau_golden(&t, &T1, 2);
    assert_int_equal(tacit__tableau_closest(&none, &t, &run, NULL), TACIT_CANCELLED);
    assert_int_equal(none, 7);
    tacit__tableau_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),          cmocka_unit_test(test_alike),
        random_test(test_random_tables, &seed), cmocka_unit_test(test_wide),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
