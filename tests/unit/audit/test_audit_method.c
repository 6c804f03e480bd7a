/*
 * test_audit_method.c - knowing the method on tables so small that the answer can be written
 * down.
 */
#include "audit_case.h"

#include <stdio.h>
#include <stdlib.h>

#include <math.h>
#include <tacit/experimental/audit_method.h>

#define MASKED                       \
    {                                \
        .kind = TACIT_HIERARCHY_MASK \
    }

typedef struct small_case {
    const char *what;
    tacit_hierarchy_spec spec; /* of column a; column b is carried along */
    int64_t k;
    tacit_knowledge knows;
    const char *original, *release;
    int floor;
    /* what is found */
    tacit_knowledge used;
    int64_t hidden;
    double before, after; /* originals */
    int64_t narrowed, certain, settled, impossible;
} small_case;

static const small_case CASES[] = {
    {"two rows, two values",
     {0},
     2,
     TACIT_KNOWS_TIGHT,
     "a,b\n0,\n1,\n",
     "a,b\n*,\n*,\n",
     0,
     TACIT_KNOWS_TIGHT,
     2,
     4,
     2,
     0,
     0,
     1,
     0},
    {"nobody knows",
     {0},
     2,
     TACIT_KNOWS_NOTHING,
     "a,b\n0,\n1,\n",
     "a,b\n*,\n*,\n",
     0,
     TACIT_KNOWS_NOTHING,
     2,
     4,
     4,
     0,
     0,
     0,
     0},
    {"two rows, three values",
     {0},
     2,
     TACIT_KNOWS_TIGHT,
     "a,b\n0,\n1,\n2,\n2,\n",
     "a,b\n*,\n*,\n2,\n2,\n",
     0,
     TACIT_KNOWS_TIGHT,
     2,
     9,
     6,
     0,
     0,
     0,
     0},
    {"under a mask", MASKED, 2, TACIT_KNOWS_TIGHT, "a,b\n11,\n12,\n21,\n21,\n",
     "a,b\n1*,\n1*,\n21,\n21,\n", 0, TACIT_KNOWS_TIGHT, 2, 4, 2, 0, 0, 1, 0},
    {"children, not ground values, must differ", MASKED, 2, TACIT_KNOWS_TIGHT,
     "a,b\n11,\n12,\n21,\n", "a,b\n*,\n*,\n*,\n", 0, TACIT_KNOWS_TIGHT, 3, 27, 27 - 8 - 1, 0, 0, 0,
     0},
    {"a value that was missing",
     {0},
     2,
     TACIT_KNOWS_TIGHT,
     "a,b\n,x\n1,x\n",
     "a,b\n*,x\n*,x\n",
     0,
     TACIT_KNOWS_TIGHT,
     2,
     4,
     2,
     0,
     0,
     1,
     0},
    {"values began on a level", MASKED, 2, TACIT_KNOWS_TIGHT, "a,b\n11,\n12,\n21,\n22,\n",
     "a,b\n1*,\n1*,\n2*,\n2*,\n", 1, TACIT_KNOWS_TIGHT, 0, 1, 1, 0, 0, 0, 0},
    {"what would have been in a cheaper box", MASKED, 2, TACIT_KNOWS_BEST,
     "a,b\n11,\n11,\n12,\n13,\n12,\n", "a,b\n11,\n11,\n1*,\n1*,\n1*,\n", 0, TACIT_KNOWS_BEST, 3, 27,
     6, 3, 0, 0, 0},
    {"k rows cannot be spared", MASKED, 3, TACIT_KNOWS_BEST, "a,b\n11,\n11,\n11,\n12,\n13,\n12,\n",
     "a,b\n11,\n11,\n11,\n1*,\n1*,\n1*,\n", 0, TACIT_KNOWS_BEST, 3, 27, 24, 0, 0, 0, 0},
    {"k of a class of 2k", MASKED, 2, TACIT_KNOWS_BEST, "a,b\n11,\n12,\n13,\n14,\n",
     "a,b\n1*,\n1*,\n1*,\n1*,\n", 0, TACIT_KNOWS_BEST, 4, 256, 24, 0, 0, 1, 0},
    {"not the best", MASKED, 2, TACIT_KNOWS_BEST, "a,b\n11,\n11,\n12,\n12,\n",
     "a,b\n1*,\n1*,\n1*,\n1*,\n", 0, TACIT_KNOWS_BEST, 4, 16, 16, 0, 0, 0, 1},
    {"not tight, for all would be one", MASKED, 2, TACIT_KNOWS_BEST,
     "a,b\n11,\n11,\n12,\n12,\n12,\n", "a,b\n11,\n11,\n1*,\n1*,\n1*,\n", 0, TACIT_KNOWS_BEST, 3, 8,
     8, 0, 0, 0, 1},
    {"no original: one more value", MASKED, 2, TACIT_KNOWS_BEST, NULL, "a,b\n1*,\n1*,\n11,\n11,\n",
     0, TACIT_KNOWS_TIGHT, 2, 4, 2, 0, 0, 1, 0},
    {"no original, and nothing finer", MASKED, 2, TACIT_KNOWS_TIGHT, NULL, "a,b\n1*,\n1*,\n", 0,
     TACIT_KNOWS_TIGHT, 0, 1, 1, 0, 0, 0, 0},
    {"a value from nowhere", MASKED, 2, TACIT_KNOWS_TIGHT, "a,b\n11,\n12,\n", "a,b\n9,\n9,\n", 0,
     TACIT_KNOWS_TIGHT, 0, 1, 1, 0, 0, 0, 0},
    {"a value that no hierarchy knows",
     {.kind = TACIT_HIERARCHY_INTERVAL, .widths = {5}, .width_count = 1},
     2,
     TACIT_KNOWS_TIGHT,
     NULL,
     "a,b\nx,\nx,\n",
     0,
     TACIT_KNOWS_TIGHT,
     0,
     1,
     1,
     0,
     0,
     0,
     0},
    {"one value",
     {0},
     2,
     TACIT_KNOWS_TIGHT,
     "a,b\n0,\n0,\n",
     "a,b\n*,\n*,\n",
     0,
     TACIT_KNOWS_TIGHT,
     0,
     1,
     1,
     0,
     0,
     0,
     0},
    {"no rows",
     {0},
     2,
     TACIT_KNOWS_TIGHT,
     "a,b\n0,\n",
     "a,b\n",
     0,
     TACIT_KNOWS_TIGHT,
     0,
     1,
     1,
     0,
     0,
     0,
     0},
};

/* The verdict on a release with one attribute, a. */
static tacit_status judge(tacit_known **out, const small_case *s, const char *name,
                          tacit_error *err)
{
    audit_case c = {.promise = {.k = s->k}};
    tacit_run run;
    const tacit_known_method method = {s->knows, TACIT_KNOWN_COST_LEVEL, &s->floor};
    case_attribute(&c, name, &s->spec);
    tacit_table *release = case_table(&c, s->release);
    tacit_table *original = s->original ? case_table(&c, s->original) : NULL;
    const tacit_evidence evidence = {.release = release, .original = original};
    tacit_run_init(&run);
    run.threads = 1;
    tacit_status status = tacit_audit_method(out, &c.promise, &evidence, &method, &run, err);
    tacit_table_free(original);
    tacit_table_free(release);
    return status;
}

static void test_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const small_case *s = &CASES[i];
        tacit_known *known = NULL;
        tacit_error err = {0};
        if (judge(&known, s, "a", &err) != TACIT_OK)
            fail_msg("%s: %s", s->what, err.message);
        bool right = known->knows == s->used && known->hidden == s->hidden &&
                     known->narrowed == s->narrowed && known->certain == s->certain &&
                     known->settled == s->settled && known->impossible == s->impossible &&
                     known->exact && fabs(known->bits_hidden - log2(s->before)) < 1e-9 &&
                     fabs(known->bits_gained - log2(s->before / s->after)) < 1e-9;
        if (!right)
            fail_msg("%s: knows %d, hidden %lld, %g bits, gained %g, narrowed %lld, certain %lld, "
                     "settled %lld, impossible %lld, exact %d",
                     s->what, (int)known->knows, (long long)known->hidden, known->bits_hidden,
                     known->bits_gained, (long long)known->narrowed, (long long)known->certain,
                     (long long)known->settled, (long long)known->impossible, known->exact);
        tacit_known_free(known);
    }
}

/* Classes so large that a limit below n - 1 is not counted: the weaker one is, and it says so. */
static void test_large(void **state)
{
    (void)state;
    enum { ROWS = 6000 };
    char *release = malloc(8 * ROWS + 8), *original = malloc(8 * ROWS + 8);
    size_t at = (size_t)sprintf(release, "a,b\n"), from = (size_t)sprintf(original, "a,b\n");
    for (int i = 0; i < ROWS; i++) {
        at += (size_t)sprintf(release + at, "*,\n");
        from += (size_t)sprintf(original + from, "%d,\n", i % 5);
    }
    small_case s = {
        "large", {0}, 2000, TACIT_KNOWS_BEST, original, release, 0, TACIT_KNOWS_BEST, ROWS, 1, 1, 0,
        0,       0,   0};
    tacit_known *known = NULL;
    tacit_error err = {0};
    assert_int_equal(judge(&known, &s, "a", &err), TACIT_OK);
    assert_false(known->exact);
    assert_true(known->bits_gained >= 0 && known->bits_gained < 1e-9);
    tacit_known_free(known);
    s.k = 200; /* 5 values of at most 199 rows are not 6000 */
    assert_int_equal(judge(&known, &s, "a", &err), TACIT_OK);
    assert_int_equal(known->impossible, 1);
    tacit_known_free(known);
    free(release);
    free(original);
}

static void test_refused(void **state)
{
    (void)state;
    tacit_known *known = NULL;
    tacit_error err = {0};
    small_case s = CASES[0];
    assert_int_equal(judge(&known, &s, "c", &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "\"c\" is not coded"));
    s.k = 0;
    assert_int_equal(judge(&known, &s, "a", &err), TACIT_INVALID);
    assert_null(known);
    tacit_known_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
