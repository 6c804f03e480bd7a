/*
 * test_audit_method_memory.c - every allocation failed in turn while it is counted what knowing
 * the method gives away: with an original and cheaper boxes, without one, and of blanks.
 */
#include "audit_case.h"

#include <tacit/experimental/audit_method.h>

#include "starve.h"

typedef struct judging {
    const tacit_promise *promise;
    tacit_evidence evidence;
    tacit_known_method method;
} judging;

static tacit_status judge(void *context, tacit_error *err)
{
    const judging *j = context;
    tacit_run run = starve_run(1);
    tacit_known *known = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_audit_method(&known, j->promise, &j->evidence, &j->method, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(known, STARVE_UNTOUCHED);
    else
        tacit_known_free(known);
    return status;
}

/* A class with cheaper boxes in it, one of 2k rows with a limit, and a missing value. */
static const char ORIGINAL[] = "a,b\n11,x\n11,x\n12,x\n13,y\n12,z\n21,x\n22,x\n23,x\n24,x\n,x\n";
static const char RELEASE[] = "a,b\n11,x\n11,x\n1*,*\n1*,*\n1*,*\n2*,x\n2*,x\n2*,x\n2*,x\n,x\n";

static void starve_judging(tacit_knowledge knows, bool ambiguous, const char *original,
                           const char *release, long long least)
{
    audit_case c = {.promise = {.k = 2, .ambiguous = ambiguous}};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    judging j = {.promise = &c.promise, .method = {knows, TACIT_KNOWN_COST_LEVEL, NULL}};
    tacit_table *table = case_table(&c, release),
                *before = original ? case_table(&c, original) : NULL;
    j.evidence = (tacit_evidence){.release = table, .original = before};
    assert_true(starve(judge, &j) > least);
    tacit_table_free(before);
    tacit_table_free(table);
}

static void test_boxes(void **state)
{
    (void)state;
    starve_judging(TACIT_KNOWS_BEST, false, ORIGINAL, RELEASE, 40);
    starve_judging(TACIT_KNOWS_TIGHT, false, ORIGINAL, RELEASE, 30);
    starve_judging(TACIT_KNOWS_TIGHT, false, NULL, RELEASE, 20);
}

static void test_blanks(void **state)
{
    (void)state;
    starve_judging(TACIT_KNOWS_NEEDED, true, "a,b\n0,x\n1,x\n", "a,b\n*,x\n1,x\n", 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
