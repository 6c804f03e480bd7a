/*
 * test_technique_perturb.c - perturbation that keeps sums, on small tables: amounts, bounds and
 * signs, rows that cannot move, claims, misuse.
 */
#include "masking.h"

#include <math.h>

/* The numbers of a column of one-letter names, as they are written. */
static size_t column_of(double *numbers, const char *csv, size_t place)
{
    size_t count = 0;
    for (const char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const char *cell = line;
        for (size_t i = 0; i < place; i++)
            cell = strchr(cell, ',') + 1;
        numbers[count++] = atof(cell);
    }
    return count;
}

static void test_pair(void **state)
{
    (void)state;
    double was[2] = {5, 8}, is[2];
    for (uint64_t seed = 0; seed < 100; seed++) {
        char *text = masking_run("a\n5\n8\n", "perturb columns=a size=3", seed, 1);
        assert_int_equal(column_of(is, text, 0), 2);
        assert_true(is[0] + is[1] == 13);
        assert_true(is[0] != was[0] && fabs(is[0] - was[0]) <= 3);
        free(text);
    }
}

/* One loses what the two others gain halves of, or the reverse. */
static void test_triple(void **state)
{
    (void)state;
    double was[3] = {50, 60, 70}, is[3];
    for (uint64_t seed = 0; seed < 200; seed++) {
        char *text = masking_run("a\n50\n60\n70\n", "perturb columns=a size=10", seed, 1);
        column_of(is, text, 0);
        double most = 0, sum = 0;
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(is[i] - was[i]));
            sum += fabs(is[i] - was[i]);
            assert_true(is[i] != was[i]);
        }
        assert_true(is[0] + is[1] + is[2] == 180 && sum == 2 * most && most <= 10);
        free(text);
    }
}

static void test_signs_and_bounds(void **state)
{
    (void)state;
    double is[6];
    for (uint64_t seed = 0; seed < 200; seed++) {
        char *text = masking_run("a\n0\n1\n2\n-1\n0\n-3\n", "perturb columns=a size=9", seed, 1);
        column_of(is, text, 0);
        assert_true(is[0] >= 0 && is[1] >= 0 && is[2] >= 0 && is[3] <= 0 && is[4] >= 0);
        assert_true(is[5] <= 0 && is[0] + is[1] + is[2] + is[3] + is[4] + is[5] == -1);
        free(text);
        text = masking_run("a\n10\n11\n14\n15\n", "perturb columns=a size=9 least=10 most=15", seed,
                           1);
        column_of(is, text, 0);
        for (int i = 0; i < 4; i++)
            assert_true(is[i] >= 10 && is[i] <= 15);
        assert_true(is[0] + is[1] + is[2] + is[3] == 50);
        free(text);
    }
}

static void test_within_and_decimals(void **state)
{
    (void)state;
    double is[5];
    for (uint64_t seed = 0; seed < 100; seed++) {
        char *text = masking_run("g,a\nm,1.25\nf,2.5\nm,3.1\nf,4.75\nx,9\n",
                                 "perturb columns=a size=0.5 within=g", seed, 1);
        column_of(is, text, 1);
        assert_int_equal(lround((is[0] + is[2]) * 100), 435);
        assert_int_equal(lround((is[1] + is[3]) * 100), 725);
        assert_non_null(strstr(text, "x,9\n")); /* alone: nothing to join it with */
        free(text);
    }
}

static void test_nothing_to_move(void **state)
{
    (void)state;
    masking_expect("a\n", "perturb columns=a size=1", "a\n");
    masking_expect("a\n5\n", "perturb columns=a size=1", "a\n5\n");
    masking_expect("a\n0\n0\n0\n", "perturb columns=a size=1", "a\n0\n0\n0\n");
    masking_expect("a\n5\n6\n", "perturb columns=a size=1 share=0", "a\n5\n6\n");
    masking_expect("a\n5\n5\n", "perturb columns=a size=1 in=deviations", "a\n5\n5\n");
    masking_expect("a\n\"\"\n\"\"\n", "perturb columns=a size=1", "a\n\"\"\n\"\"\n");
    /* below the unit that is asked for, or beyond what doubles count exactly */
    masking_expect("a\n1.5\n2.5\n", "perturb columns=a size=1 decimals=0", "a\n1.5\n2.5\n");
    masking_expect("a\n1e300\n1e300\n", "perturb columns=a size=1", "a\n1e300\n1e300\n");
}

static void test_gaps(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a\nNA\n5\n\n6\n");
    assert_null(masking_apply(table, "perturb columns=a size=1", 1, 1, &err));
    tacit_masked *masked =
        masking_apply(table, "perturb columns=a size=1 others=keep", 1, 1, &(tacit_error){0});
    assert_non_null(masked);
    assert_true(masking_fact(masked, 0, "cells_changed") == 2);
    assert_true(masking_fact(masked, 0, "cells_stuck") == 0);
    char *text = masking_text(masked, 1);
    assert_true(strncmp(text, "a\nNA\n", 5) == 0);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_claims(void **state)
{
    (void)state;
    tacit_error err = {0};
    const tacit_kept *kept;
    tacit_table *table = masking_table("g,a,b\nm,1,0.5\nm,4,2.5\nf,7,8\nf,9,3\n");
    tacit_masked *masked = masking_apply(table, "perturb columns=a,b size=2 within=g", 1, 1, &err);
    assert_non_null(masked);
    assert_int_equal(tacit_masked_kept(masked, &kept), 3);
    assert_int_equal(kept[0].kind, TACIT_KEPT_NEAR);
    assert_float_equal(kept[0].amount, 2, 1e-9);
    assert_int_equal(kept[2].kind, TACIT_KEPT_SUM);
    assert_true(kept[2].amount == 0);
    assert_int_equal(kept[2].column_count, 2);
    assert_string_equal(kept[2].within[0], "g");
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static void test_misuse(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n2,y\n";
    masking_refused(csv, "perturb columns=a", "perturb needs the setting size");
    masking_refused(csv, "perturb columns=a size=0", "size of perturb is to be a number from");
    masking_refused(csv, "perturb columns=a size=0.5", "less than a unit of the last decimal");
    masking_refused(csv, "perturb columns=a size=1 share=2", "share of perturb is to be");
    masking_refused(csv, "perturb columns=b size=1", "a value that is not a number");
    masking_refused(csv, "perturb columns=a size=1 within=a", "is in `columns` and in `within`");
    masking_refused(csv, "perturb columns=a size=1 least=3 most=2", "least is above most");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_triple),
        cmocka_unit_test(test_signs_and_bounds),
        cmocka_unit_test(test_within_and_decimals),
        cmocka_unit_test(test_nothing_to_move),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
