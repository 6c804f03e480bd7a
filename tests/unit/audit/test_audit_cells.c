/*
 * test_audit_cells.c - releases that generalize cell by cell before the judge:
 * values of one column on different levels, row by row and shuffled, accepted;
 * a value that is no ancestor, a class below k and a lone "*" found.
 */
#include <stdio.h>

#include "audit_case.h"

#define KIND(k) (1u << TACIT_FINDING_##k)

static const char ORIGINAL[] = "zip,sex,note\n"
                               "02138,f,1\n02139,f,2\n02141,m,3\n02142,m,4\n"
                               "02138,m,5\n02141,f,6\n10001,f,7\n10001,f,8\n";

/* Pairs on levels 1 and 0, 1 and 0, 3 and 1, 0 and 0. */
static const char RELEASE[] = "zip,sex,note\n"
                              "0213*,f,1\n0213*,f,2\n0214*,m,3\n0214*,m,4\n"
                              "021**,*,5\n021**,*,6\n10001,f,7\n10001,f,8\n";

static const uint32_t BACKWARDS[] = {7, 6, 5, 4, 3, 2, 1, 0};
static const char SHUFFLED[] = "zip,sex,note\n"
                               "10001,f,8\n10001,f,7\n021**,*,6\n021**,*,5\n"
                               "0214*,m,4\n0214*,m,3\n0213*,f,2\n0213*,f,1\n";

static audit_case cells(void)
{
    return (audit_case){.promise = {.k = 2}, .original = ORIGINAL, .release = RELEASE};
}

static void promise(audit_case *c)
{
    case_attribute(c, "zip", &CASE_MASK);
    case_attribute(c, "sex", &CASE_NONE);
}

static void test_accepted(void **state)
{
    (void)state;
    audit_case c = cells();
    promise(&c);
    for (int way = 0; way < 3; way++) {
        c.same_order = way == 1;
        c.order = way == 2 ? BACKWARDS : NULL;
        c.release = way == 2 ? SHUFFLED : RELEASE;
        tacit_verdict *v = case_judge(&c);
        assert_true(v->holds && v->values_checked);
        assert_int_equal(v->rows_matched, way > 0); /* mixed levels are matched by rows only */
        assert_int_equal(v->sets[0].classes, 4);
        assert_int_equal(v->sets[0].smallest, 2);
        tacit_verdict_free(v);
    }
    c.original = NULL;
    assert_int_equal(case_kinds(&c), 0);
}

/* The release with one line replaced. */
static unsigned tampered(const char *old, const char *new, bool known)
{
    char release[512];
    const char *at = strstr(RELEASE, old);
    assert_non_null(at);
    snprintf(release, sizeof release, "%.*s%s%s", (int)(at - RELEASE), RELEASE, new,
             at + strlen(old));
    audit_case c = cells();
    promise(&c);
    c.release = release;
    c.same_order = known;
    return case_kinds(&c);
}

static void test_tampered(void **state)
{
    (void)state;
    /* k on the surface, but 10001 is no 0213*: told by rows, and by counting */
    assert_int_equal(tampered("10001,f,7", "0213*,f,7", true), KIND(VALUE) | KIND(K));
    assert_int_equal(tampered("10001,f,7\n10001,f,8", "0213*,f,7\n0213*,f,8", true), KIND(VALUE));
    assert_int_equal(tampered("10001,f,7\n10001,f,8", "0213*,f,7\n0213*,f,8", false), KIND(VALUE));
    /* an ancestor of another row's value, which only the correspondence tells */
    assert_int_equal(tampered("0214*,m,3\n0214*,m,4", "0214*,f,3\n0214*,f,4", true), KIND(VALUE));
    /* finer than its class */
    assert_int_equal(tampered("0213*,f,1", "02138,f,1", true), KIND(K));
    assert_int_equal(tampered("0213*,f,1", "02138,f,1", false), KIND(K));
    /* coarser than its class */
    assert_int_equal(tampered("0213*,f,1", "021**,f,1", true), KIND(K));
    /* a class split in two by a single suppressed cell */
    assert_int_equal(tampered("0213*,f,2", "0213*,*,2", true), KIND(K));
    /* two cells suppressed together are a class of two with a neighbour's levels */
    assert_int_equal(tampered("0213*,f,1\n0213*,f,2", "0213*,*,1\n0213*,*,2", true), 0);
}

/* Where a hierarchy may not be suppressed, a cell may not be "*" by itself; a row
 * as a whole may. */
static void test_lone_stars(void **state)
{
    (void)state;
    static const tacit_hierarchy_spec dates = {.kind = TACIT_HIERARCHY_INTERVAL,
                                               .no_suppression = true,
                                               .widths = {10, 100},
                                               .width_count = 2};
    audit_case c = {.promise = {.k = 2}, .same_order = true};
    c.original = "age,sex\n11,f\n12,m\n25,f\n26,m\n";
    case_attribute(&c, "age", &dates);
    case_attribute(&c, "sex", &CASE_NONE);
    c.release = "age,sex\n0-99,*\n0-99,*\n20-29,*\n20-29,*\n";
    assert_int_equal(case_kinds(&c), 0);
    c.release = "age,sex\n*,*\n*,*\n20-29,*\n20-29,*\n";
    assert_int_equal(case_kinds(&c), 0);
    c.original = "age,sex\n11,f\n12,f\n25,f\n26,m\n";
    c.release = "age,sex\n*,f\n*,f\n20-29,*\n20-29,*\n";
    assert_int_equal(case_kinds(&c), KIND(VALUE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_lone_stars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
