/*
 * test_copies_memory.c - every allocation of the tests for copies failed in turn.
 */
#include "starve.h"

#include "relinked.h"

#include <tacit/experimental/audit_copies.h>

static const char *const COLUMNS[] = {"zip", "age", "ill"};

typedef struct attempt {
    tacit_copies_case c;
    int threads;
} attempt;

static tacit_status measure(void *context, tacit_error *err)
{
    attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_copies *found = STARVE_UNTOUCHED;
    tacit_copies_options options;
    tacit_copies_options_init(&options);
    tacit_status status = tacit_copies_measure(&found, &a->c, &options, &run, err);
    if (status == TACIT_OK)
        tacit_copies_free(found);
    else
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    return status;
}

static void test_starved(void **state)
{
    (void)state;
    tacit_table *original = relinked_table("zip,age,ill\nA,20,x\nA,30,\nB,41,x\nB,,y\n", "o.csv");
    tacit_table *release = relinked_table("zip,age,ill\nA,21,x\nB,41,z\n*,30,x\n", "r.csv");
    attempt a = {{original, release, COLUMNS, 1, COLUMNS + 1, 2}, 1};
    assert_true(starve(measure, &a) > 30);
    a.threads = 2;
    assert_true(starve_way_of(measure, &a, STARVE_FOR_GOOD) > 30);
    tacit_table_free(original);
    tacit_table_free(release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
