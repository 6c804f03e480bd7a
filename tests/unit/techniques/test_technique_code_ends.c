/*
 * test_technique_code_ends.c - top and bottom coding, by hand; and ranks against sorting.
 */
#include "masking.h"

#include <math.h>

#include "techniques/numeric/numeric.h"

static void test_threshold(void **state)
{
    (void)state;
    const char *csv = "a,b\n1,x\n50,y\n99,z\n100,\n\"105\",w\n,v\n";
    masking_expect(csv, "top-code columns=a at=99", "a,b\n1,x\n50,y\n99,z\n99,\n99,w\n,v\n");
    masking_expect(csv, "bottom-code columns=a at=50",
                   "a,b\n50,x\n50,y\n99,z\n100,\n\"105\",w\n,v\n");
    masking_expect(csv, "top-code columns=a at=99.5", "a,b\n1,x\n50,y\n99,z\n99.5,\n99.5,w\n,v\n");
    masking_expect(csv, "top-code columns=a at=1000", csv);
}

static void test_share(void **state)
{
    (void)state;
    const char *csv = "a\n7\n3\n10\n1\n9\n8\n2\n6\n5\n4\n";
    masking_expect(csv, "top-code columns=a share=0.3", "a\n7\n3\n7\n1\n7\n7\n2\n6\n5\n4\n");
    masking_expect(csv, "bottom-code columns=a share=0.3", "a\n7\n4\n10\n4\n9\n8\n4\n6\n5\n4\n");
    masking_expect(csv, "top-code columns=a share=0.05", csv);
    masking_expect("a\n5\n5\n5\n5\n", "top-code columns=a share=0.5", "a\n5\n5\n5\n5\n");
}

static void test_usual(void **state)
{
    (void)state;
    const char *csv = "a\n1\n2\n3\n10\n20\n60\n110\n";
    masking_expect(csv, "top-code columns=a at=5 by=mean", "a\n1\n2\n3\n50\n50\n50\n50\n");
    masking_expect(csv, "top-code columns=a at=5 by=median", "a\n1\n2\n3\n40\n40\n40\n40\n");
    masking_expect(csv, "bottom-code columns=a at=5 by=mean", "a\n2\n2\n2\n10\n20\n60\n110\n");
    masking_expect("a\n-9\n-8\n-1\n7\n", "bottom-code columns=a at=0 by=median",
                   "a\n-8\n-8\n-8\n7\n");
    masking_refused(csv, "top-code columns=a at=30 by=mean", "2 numbers of column a lie beyond");
    masking_expect(csv, "top-code columns=a at=30 by=mean least=2", "a\n1\n2\n3\n10\n20\n85\n85\n");
    masking_expect(csv, "top-code columns=a at=300 by=mean", csv);
}

static void test_degenerate(void **state)
{
    (void)state;
    masking_expect("a\n", "top-code columns=a at=1", "a\n");
    masking_expect("a,b\n,1\n,2\n", "top-code columns=a share=0.1 by=mean", "a,b\n,1\n,2\n");
    masking_expect("a\n7\n", "bottom-code columns=a share=0.5", "a\n7\n");
    masking_expect("a\n7\nNA\n", "top-code columns=a at=2 others=keep", "a\n2\nNA\n");
    masking_refused("a\n7\nNA\n", "top-code columns=a at=2", "not a number");
}

static void test_misuse(void **state)
{
    (void)state;
    masking_refused("a\n1\n", "top-code columns=a", "either at or share");
    masking_refused("a\n1\n", "bottom-code columns=a at=1 share=0.1", "either at or share");
    masking_refused("a\n1\n", "top-code columns=a share=0.7", "a number from 0 to 0.5");
}

static void test_claims(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit_table *table = masking_table("a,b\n1,5\n2,6\n3,7\n4,8\n");
    tacit_masked *masked = masking_apply(table, "top-code columns=a,b share=0.25", 1, 1, &err);
    const tacit_kept *kept;
    assert_int_equal(tacit_masked_kept(masked, &kept), 2);
    assert_true(kept[0].kind == TACIT_KEPT_RANGE && kept[0].high == 3 && kept[1].high == 7);
    assert_true(kept[0].low == -INFINITY);
    assert_true(masking_fact(masked, 0, "cells_changed") == 2);
    tacit_masked_free(masked);
    tacit_table_free(table);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_ranks(void **state)
{
    (void)state;
    enum { ROWS = 40000 };
    double *numbers = malloc(ROWS * sizeof *numbers), *sorted = malloc(ROWS * sizeof *sorted);
    uint64_t random = 1;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 3;
    tacit__sheet sheet = {.run = &run, .rows = ROWS};
    int64_t count = 0;
    for (int i = 0; i < ROWS; i++) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        int power = (int)(random >> 60) - 8;
        numbers[i] = ldexp((double)((int64_t)(random >> 20) % 1000 - 500), 20 * power);
        if (i % 7 == 0)
            numbers[i] = NAN;
        else
            sorted[count++] = numbers[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    assert_int_equal(tacit__rank_count(&sheet, numbers), count);
    for (int64_t rank = 0; rank < count; rank += rank < 10 || rank > count - 10 ? 1 : 977) {
        double found = NAN;
        assert_int_equal(tacit__rank_find(&found, &sheet, numbers, rank, NULL), TACIT_OK);
        assert_true(found == sorted[rank]);
    }
    free(numbers);
    free(sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threshold), cmocka_unit_test(test_share),
        cmocka_unit_test(test_usual),     cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_misuse),    cmocka_unit_test(test_claims),
        cmocka_unit_test(test_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
