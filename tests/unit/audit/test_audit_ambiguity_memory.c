/*
 * test_audit_ambiguity_memory.c - every allocation of the judge of ambiguity failed in
 * turn: each time it says so, gives no verdict and leaks nothing.
 */
#include "starve.h"

#include <stdio.h>

#include "audit_case.h"

enum { ROWS = 160 };

typedef struct judging {
    const tacit_promise *promise;
    tacit_evidence evidence;
    int threads;
    unsigned kinds;
} judging;

static tacit_status judge(void *context, tacit_error *err)
{
    const judging *j = context;
    tacit_run run = starve_run(j->threads);
    tacit_verdict *v = STARVE_UNTOUCHED;
    tacit_status status = tacit_audit_release(&v, j->promise, &j->evidence, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(v, STARVE_UNTOUCHED);
    else {
        assert_int_equal(verdict_kinds(v), j->kinds);
        tacit_verdict_free(v);
    }
    return status;
}

/* Every row has one of two columns blank, so that groups are large enough to be looked up. */
static void print_rows(char *original, char *release)
{
    original += sprintf(original, "a,b,c,r\n");
    release += sprintf(release, "a,b,c,r\n");
    for (int i = 0; i < ROWS; i++) {
        char cells[2][16];
        sprintf(cells[0], "%d", i / 2);
        sprintf(cells[1], "%d", i);
        original += sprintf(original, "%s,%s,z,%d\n", cells[0], cells[1], i % 2);
        sprintf(cells[i % 2], "*");
        release += sprintf(release, "%s,%s,z,%d\n", cells[0], cells[1], i % 2);
    }
}

static void test_every_allocation(void **state)
{
    (void)state;
    static char original_csv[ROWS * 32], release_csv[ROWS * 32];
    static const char *const left[] = {"a", "b", "c"};
    static const tacit_promise_dependency hidden = {left, 3, "r"};
    audit_case c = {.promise = {.k = 1, .ambiguous = true, .resists_minimality = true}};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    case_attribute(&c, "c", &CASE_NONE);
    c.promise.hidden = &hidden;
    c.promise.hidden_count = 1;
    print_rows(original_csv, release_csv);
    tacit_table *original = case_table(&c, original_csv), *release = case_table(&c, release_csv);
    judging j = {&c.promise, {.release = release, .original = original, .same_order = true}, 1, 0};
    assert_true(starve(judge, &j) > 60);
    j.threads = 2; /* what is needed now depends on which thread does what */
    assert_true(starve_way_of(judge, &j, STARVE_FOR_GOOD) > 60);
    c.promise.both_ways = true;
    j.threads = 1;
    assert_true(starve(judge, &j) > 60);
    c.promise.both_ways = false;
    c.promise.k = ROWS;
    c.promise.max_row_blanks = c.promise.most_column_blanks = 1;
    j.threads = 1;
    j.kinds = 1u << TACIT_FINDING_ALPHA | 1u << TACIT_FINDING_LIMIT;
    assert_true(starve(judge, &j) > 60);
    tacit_table_free(original);
    tacit_table_free(release);
}

/* The paper's two rows: a list of what is revealed. */
static void test_revealed(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2, .ambiguous = true, .resists_minimality = true}};
    case_attribute(&c, "a", &CASE_NONE);
    tacit_table *original = case_table(&c, "a\n0\n1\n"), *release = case_table(&c, "a\n*\n1\n");
    judging j = {
        &c.promise, {.release = release, .original = original}, 1, 1u << TACIT_FINDING_REVEALED};
    assert_true(starve(judge, &j) > 30);
    tacit_table_free(original);
    tacit_table_free(release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_revealed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
