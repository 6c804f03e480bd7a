/*
 * test_relink_memory.c - every allocation of re-linking failed in turn: numbers, names, a
 * hierarchy, stretches, missing values and a truth.
 */
#include "starve.h"

#include <stdio.h>

#include "relinked.h"

static const char *const COLUMNS[] = {"age", "pay", "zip", "born"};
static const tacit_hierarchy_spec DATES = {.kind = TACIT_HIERARCHY_DATE};
static const tacit_hierarchy_spec *const SPECS[] = {NULL, NULL, NULL, &DATES};

typedef struct attempt {
    relinked r;
    int threads;
} attempt;

static tacit_status measure(void *context, tacit_error *err)
{
    attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_relink *found = STARVE_UNTOUCHED;
    tacit_status status = tacit_relink_measure(&found, &a->r.c, &a->r.options, &run, err);
    if (status == TACIT_OK)
        tacit_relink_free(found);
    else
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    return status;
}

static void test_starved(void **state)
{
    (void)state;
    static const uint32_t ORIGIN[] = {2, 0, TACIT_RELINK_MADE_UP, 1};
    attempt a = {.threads = 1};
    relinked_open(&a.r,
                  "age,pay,zip,born\n20,100,02138,1965-09-20\n31,150,02139,1965-10-01\n"
                  "42,90,02141,1966-01-01\n,,02138,\n",
                  "age,pay,zip,born\n40-49,91,0214*,1966\n20,100,02138,1965-09\n*,5,zz,*\n"
                  "30,,,1965-10-01\n",
                  COLUMNS, 4);
    a.r.c.hierarchies = SPECS;
    a.r.c.origin = ORIGIN;
    assert_true(starve(measure, &a) > 60);
    a.threads = 2;
    assert_true(starve_way_of(measure, &a, STARVE_FOR_GOOD) > 60);
    relinked_close(&a.r);
}

/* So many records that the verdicts are left to linking. */
static void test_nested_starved(void **state)
{
    (void)state;
    enum { ROWS = 1100 };
    static const char *const PAIR[] = {"a", "b"};
    static char text[ROWS * 16];
    size_t len = (size_t)sprintf(text, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        len += (size_t)sprintf(text + len, "%d,n%d\n", i, i % 3);
    attempt a = {.threads = 1};
    relinked_open(&a.r, text, text, PAIR, 2);
    a.r.options.max_steps = 1;
    a.r.options.max_pairs = 1;
    a.r.options.k = 1;
    assert_int_equal(relinked_run(&a.r, NULL)->maps.records, ROWS);
    assert_int_equal(a.r.found->maps.k_map, TACIT_LINK_HOLDS);
    assert_true(starve_way_of(measure, &a, STARVE_ONCE) > 100);
    relinked_close(&a.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved),
                                       cmocka_unit_test(test_nested_starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
