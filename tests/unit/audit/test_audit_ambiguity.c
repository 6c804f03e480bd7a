/*
 * test_audit_ambiguity.c - what the judge says of blanks: the tables of Vinterbo and
 * Ohno-Machado, releases that break what is promised of them, and promises that make no
 * sense.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_case.h"

#define KIND(k) (1u << TACIT_FINDING_##k)

/* A case with attributes of one letter each. */
static audit_case letters(const char *attributes, int64_t k, const char *release)
{
    static const char *const NAMES[] = {"a", "b", "c", "d", "e"};
    audit_case c = {.promise = {.k = k, .ambiguous = true}, .release = release};
    for (; *attributes; attributes++)
        case_attribute(&c, NAMES[*attributes - 'a'], &CASE_NONE);
    c.promise.attributes = NULL; /* copied with the case; see judge */
    return c;
}

static tacit_verdict *judge(audit_case *c)
{
    c->promise.attributes = c->attributes;
    return case_judge(c);
}

static unsigned kinds(audit_case *c)
{
    c->promise.attributes = c->attributes;
    return case_kinds(c);
}

/* ---- the paper's tables ---- */

static const char T1[] = "a,b,c\n1,1,2\n3,1,1\n3,2,2\n1,1,2\n";
static const char T1_B[] = "a,b,c\n1,1,2\n3,1,*\n3,*,2\n1,1,2\n";
static const char T1_C[] = "a,b,c\n1,1,2\n*,1,*\n3,*,2\n1,1,2\n";
static const char T2[] = "a,b,c,d,e\nN,N,Y,N,N\nN,N,Y,N,Y\nN,N,Y,Y,Y\nY,N,N,N,Y\nY,Y,N,N,N\n";
static const char T2_B[] = "a,b,c,d,e\nN,N,Y,N,*\nN,N,Y,N,Y\nN,N,Y,*,Y\nY,N,N,N,Y\nY,*,N,N,*\n";
static const char T2_C[] = "a,b,c,d,e\nN,N,Y,N,*\nN,N,Y,N,Y\nN,N,Y,*,Y\n*,N,*,N,Y\nY,*,N,N,*\n";
static const char T3[] = "a,b,c,d\n"
                         "1964,M,Caucasian,02116\n1964,F,Caucasian,02138\n1970,M,Black,02144\n"
                         "1968,F,Asian,02166\n1969,F,Black,02156\n1970,M,Black,02144\n"
                         "1964,F,Caucasian,02138\n1969,F,Asian,02116\n1968,F,Asian,02166\n"
                         "1964,M,Caucasian,02166\n";
static const char T3_B[] = "a,b,c,d\n"
                           "1964,M,Caucasian,*\n1964,F,Caucasian,02138\n1970,M,Black,02144\n"
                           "1968,F,Asian,02166\n1969,F,*,*\n1970,M,Black,02144\n"
                           "1964,F,Caucasian,02138\n1969,F,Asian,02116\n1968,F,Asian,02166\n"
                           "1964,M,Caucasian,02166\n";

/* What a release of the paper comes to. */
typedef struct published {
    const char *attributes, *original, *release;
    int64_t k, least, below, blanks, rows_blanked, removable;
    double mean;
} published;

static void test_published(void **state)
{
    (void)state;
    static const published CASES[] = {
        {"abc", T1, T1, 2, 1, 2, 0, 0, 0, 6 / 4.},
        {"abc", T1, T1_B, 2, 2, 0, 2, 2, 0, 8 / 4.},
        {"abc", T1, T1_C, 2, 2, 0, 3, 2, 1, 12 / 4.},
        {"abc", T1, T1_B, 3, 2, 4, 2, 2, 0, 8 / 4.},
        {"abcde", T2, T2, 2, 1, 5, 0, 0, 0, 1.},
        {"abcde", T2, T2_B, 2, 2, 0, 4, 3, 0, 13 / 5.},
        {"abcde", T2, T2_C, 2, 2, 0, 6, 4, 2, 19 / 5.},
        {"abcd", T3, T3, 2, 1, 4, 0, 0, 0, 16 / 10.},
        {"abcd", T3, T3_B, 2, 2, 0, 3, 2, 0, 2.},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const published *p = &CASES[i];
        audit_case c = letters(p->attributes, p->k, p->release);
        c.original = p->original;
        c.same_order = true;
        tacit_verdict *v = judge(&c);
        assert_true(v->alpha.checked && v->minimality.checked);
        assert_int_equal(v->alpha.least, p->least);
        assert_int_equal(v->alpha.rows_below, p->below);
        assert_true(fabs(v->alpha.mean - p->mean) < 1e-12);
        assert_int_equal(v->alpha.blanks, p->blanks);
        assert_int_equal(v->alpha.rows_blanked, p->rows_blanked);
        assert_int_equal(v->minimality.removable, p->removable);
        assert_int_equal(verdict_kinds(v), p->below ? KIND(ALPHA) : 0);
        tacit_verdict_free(v);
    }
}

/* Section 4: rows 0 and 1 in one column, row 0 blanked. */
static void test_two_rows(void **state)
{
    (void)state;
    audit_case c = letters("a", 2, "a\n*\n1\n");
    c.original = "a\n0\n1\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        c.promise.resists_minimality = false;
        tacit_verdict *v = judge(&c);
        assert_true(v->holds);
        assert_int_equal(v->minimality.blanks, 1);
        assert_int_equal(v->minimality.revealed, 1);
        assert_int_equal(v->minimality.narrowed, 0);
        assert_int_equal(v->minimality.removable, 0);
        assert_int_equal(v->minimality.cells[0].row, 1);
        assert_int_equal(v->minimality.cells[0].attribute, 0);
        tacit_verdict_free(v);
        c.promise.resists_minimality = true;
        v = judge(&c);
        assert_int_equal(verdict_kinds(v), KIND(REVEALED));
        assert_string_equal(v->findings[0].message,
                            "knowing that no blank could be left out reveals 1 of 1; the first is "
                            "attribute \"a\" in row 1 (line 2)");
        tacit_verdict_free(v);
    }
    c.original = NULL; /* who does not know of 0 learns nothing */
    assert_int_equal(kinds(&c), 0);
    c.release = "a\n*\n*\n"; /* a blank more than needed */
    c.original = "a\n0\n1\n";
    assert_int_equal(kinds(&c), 0);
    c.release = "a\n*\n1\n";
    c.original = "a\n0\n1\n2\n"; /* three values: one is excluded, two are left */
    c.promise.suppressed_dropped = true;
    tacit_verdict *v = judge(&c);
    assert_int_equal(verdict_kinds(v), 0);
    assert_int_equal(v->minimality.narrowed, 1);
    tacit_verdict_free(v);
}

/* ---- alpha ---- */

static void test_alpha_found(void **state)
{
    (void)state;
    audit_case c = letters("ab", 2, "a,b\nx,1\nx,1\ny,*\nz,2\n*,*\n");
    assert_int_equal(kinds(&c), 0);
    c.promise.k = 3;
    tacit_verdict *v = judge(&c);
    const tacit_finding *finding = verdict_finding(v, TACIT_FINDING_ALPHA);
    assert_int_equal(v->finding_count, 1);
    assert_int_equal(finding->row, 3);
    assert_int_equal(finding->count, 2);
    assert_string_equal(finding->message, "2 rows agree with fewer than k = 3 rows, itself counted "
                                          "and \"*\" as anything; the first is row 3 (line 4)");
    assert_int_equal(v->sets[0].smallest, 1); /* for information */
    tacit_verdict_free(v);
    c.promise.k = 2;
    c.promise.mean_alpha = true; /* 15 over 5 rows */
    c.promise.k = 3;
    assert_int_equal(kinds(&c), 0);
    c.promise.k = 4;
    assert_int_equal(kinds(&c), KIND(ALPHA));
    c.promise.ambiguous = c.promise.mean_alpha = false;
    assert_int_equal(kinds(&c), KIND(K) | KIND(SUPPRESSED));
}

static void test_edges(void **state)
{
    (void)state;
    audit_case c = letters("ab", 5, "a,b\n");
    assert_int_equal(kinds(&c), 0); /* no rows */
    c.release = "a,b\nx,*\n";
    assert_int_equal(kinds(&c), KIND(ALPHA));
    c.promise.k = 1;
    c.promise.resists_minimality = true;
    tacit_verdict *v = judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->minimality.removable, 1);
    tacit_verdict_free(v);
    c.release = "a,b\nx,\ny,*\nx,*\n"; /* missing is a value */
    c.promise.k = 2;
    assert_int_equal(kinds(&c), KIND(ALPHA));
}

/* ---- dependencies and limits ---- */

static unsigned hides(const char *release, const char *const *left, int32_t count,
                      const char *right)
{
    audit_case c = letters("a", 1, release);
    tacit_promise_dependency hidden = {left, count, right};
    c.promise.ambiguous = false;
    c.promise.hidden = &hidden;
    c.promise.hidden_count = 1;
    return kinds(&c);
}

static void test_dependencies(void **state)
{
    (void)state;
    static const char *const A[] = {"a"}, *const AB[] = {"a", "b"};
    unsigned found = KIND(DEPENDENCY);
    assert_int_equal(hides("a,b,r\nx,1,u\ny,2,v\n", A, 1, "r"), found);
    assert_int_equal(hides("a,b,r\n*,1,u\ny,2,v\n", A, 1, "r"), 0);
    assert_int_equal(hides("a,b,r\n*,1,u\ny,2,*\n", A, 1, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\ny,2,*\n", A, 1, "r"), found);
    assert_int_equal(hides("a,b,r\nx,1,u\nx,2,*\n", A, 1, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,*\nx,1,*\n", AB, 2, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,*\n", AB, 2, "r"), found);
    assert_int_equal(hides("a,b,r\n*,1,u\ny,2,v\n", AB, 2, "r"), found);
    assert_int_equal(hides("a,b,r\n*,1,u\ny,*,v\n", AB, 2, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\nx,1,v\n", AB, 2, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\nx,1,\n", AB, 2, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\ny,2,v\n", NULL, 0, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\ny,2,u\n", NULL, 0, "r"), found);
    assert_int_equal(hides("a,b,r\nx,1,u\n", A, 1, "r"), found);
    assert_int_equal(hides("a,b,r\n", A, 1, "r"), 0);
    assert_int_equal(hides("a,b,r\nx,1,u\nx,1,v\n", A, 1, "s"), found);
}

/* One pair among many rows: a row of the larger group that agrees with two of the smaller,
 * which do not agree with each other, and differs from the second. */
static void test_dependency_of_many(void **state)
{
    (void)state;
    enum { EACH = 200 };
    static const char *const ABC[] = {"a", "b", "c"};
    for (int last = 0; last < 2; last++) {
        char *csv = malloc(EACH * 64), *at = csv;
        at += sprintf(at, "a,b,c,r\n");
        for (int i = 0; i < EACH; i++)
            at += sprintf(at, "1,*,s%d,u\n*,5,l%d,u\n", i, i);
        sprintf(at, "2,*,s7,v\n*,5,more,u\n*,5,%s7,u\n", last ? "s" : "t");
        assert_int_equal(hides(csv, ABC, 3, "r"), last ? 0 : KIND(DEPENDENCY));
        free(csv);
    }
}

static void test_limits(void **state)
{
    (void)state;
    audit_case c = letters("abc", 1, "a,b,c\nx,*,*\nx,*,1\n*,*,1\n");
    c.promise.max_row_blanks = 2;
    c.promise.most_column_blanks = 3;
    assert_int_equal(kinds(&c), 0);
    c.promise.max_row_blanks = 1;
    c.promise.most_column_blanks = 2;
    tacit_verdict *v = judge(&c);
    assert_int_equal(v->finding_count, 2);
    assert_string_equal(v->findings[0].message,
                        "2 rows have more than 1 blank; the first is row 1 (line 2)");
    assert_string_equal(v->findings[1].message, "attribute \"b\" has 3 blanks, more than 2");
    tacit_verdict_free(v);
    c.original = "a,b,c\nx,*,2\nx,y,1\n*,y,1\n"; /* two were there before */
    c.same_order = true;
    assert_int_equal(kinds(&c), 0);
    c.promise.ambiguous = false; /* limits by themselves */
    v = judge(&c);
    assert_false(v->alpha.checked);
    assert_int_equal(v->alpha.blanks, 3);
    assert_int_equal(v->alpha.rows_blanked, 3);
    tacit_verdict_free(v);
}

/* ---- many rows ---- */

static char *many_rows(int rows)
{
    char *csv = malloc((size_t)rows * 24 + 16), *at = csv;
    uint64_t random = 7;
    at += sprintf(at, "a,b,c,d\n");
    for (int i = 0; i < rows; i++) {
        for (int c = 0; c < 4; c++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
            uint32_t bits = (uint32_t)(random >> 40);
            if (bits % 97 < 2)
                at += sprintf(at, "*,");
            else
                at += sprintf(at, "%u,", bits / 97 % (c == 0 ? 40 : 12));
        }
        at[-1] = '\n';
    }
    return csv;
}

static void test_threads(void **state)
{
    (void)state;
    char *csv = many_rows(30000);
    audit_case c = letters("abcd", 2, csv);
    c.promise.mean_alpha = c.promise.resists_minimality = true;
    tacit_verdict *first = NULL;
    for (c.threads = 1; c.threads < 8; c.threads += 3) {
        tacit_verdict *v = judge(&c);
        assert_true(v->minimality.checked && v->minimality.narrowed + v->minimality.removable > 0);
        if (first) {
            assert_memory_equal(&v->alpha, &first->alpha, sizeof v->alpha);
            assert_memory_equal(v->findings, first->findings, sizeof v->findings);
            assert_int_equal(v->minimality.narrowed, first->minimality.narrowed);
            assert_int_equal(v->minimality.removable, first->minimality.removable);
            assert_int_equal(v->minimality.cell_count, first->minimality.cell_count);
            for (int64_t i = 0; i < v->minimality.cell_count; i++)
                assert_int_equal(v->minimality.cells[i].row, first->minimality.cells[i].row);
        }
        tacit_verdict_free(first);
        first = v;
    }
    tacit_verdict_free(first);
    free(csv);
}

/* 70 000 different rows, half of which agree with all of the other half. */
static void test_too_many(void **state)
{
    (void)state;
    enum { EACH = 35000 };
    char *csv = malloc(EACH * 32), *at = csv;
    at += sprintf(at, "a,b\n");
    for (int i = 0; i < EACH; i++)
        at += sprintf(at, "%d,*\n*,%d\n", i, i);
    audit_case c = letters("ab", EACH, csv);
    tacit_verdict *v = judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->alpha.least, EACH + 1);
    assert_false(v->minimality.checked);
    tacit_verdict_free(v);
    c.promise.resists_minimality = true;
    assert_int_equal(kinds(&c), KIND(REVEALED));
    free(csv);
}

/* ---- promises ---- */

static void refused(audit_case *c, const char *message)
{
    tacit_verdict *v = NULL;
    tacit_error err = {0};
    c->promise.attributes = c->attributes;
    assert_int_equal(case_try(&v, c, &err), TACIT_INVALID);
    assert_string_equal(err.message, message);
    assert_null(v);
}

static void test_invalid(void **state)
{
    (void)state;
    static const uint64_t sets[] = {1, 2}, whole[] = {3};
    static const char *const AB[] = {"a", "b"};
    tacit_promise_dependency hidden = {AB, 2, "b"};
    audit_case c = letters("ab", 1, "a,b\nx,y\n");
    c.promise.person = "a";
    refused(&c,
            "a promise of ambiguity cannot be judged: it is counted over rows, not over people");
    c.promise.person = NULL;
    c.promise.sets = sets;
    c.promise.set_count = 2;
    refused(&c, "a promise of ambiguity cannot be judged: it is counted over one "
                "quasi-identifier, not over several");
    c.promise.set_count = 1;
    refused(&c, "a promise of ambiguity cannot be judged: it is counted over all attributes, not "
                "over some of them");
    c.promise.sets = whole;
    assert_int_equal(kinds(&c), 0);
    c.promise.most_column_blanks = -1;
    refused(&c, "a limit on blanks is below 0");
    c.promise.most_column_blanks = 0;
    c.promise.hidden = &hidden;
    c.promise.hidden_count = 1;
    refused(&c, "column \"b\" depends on itself, which nobody can hide");
    hidden.left_count = 64;
    refused(&c, "a dependency of 64 columns is to be hidden; up to 63 can be judged");
    c.promise.hidden_count = 0;
    c.promise.ambiguous = false;
    c.promise.mean_alpha = true;
    refused(&c, "nothing is promised of alpha unless the release is to be ambiguous");
    c.promise.mean_alpha = false;
    c.promise.both_ways = true;
    refused(&c, "nothing is promised of alpha unless the release is to be ambiguous");
    c.promise.ambiguous = c.promise.mean_alpha = true;
    refused(&c, "k that holds both ways is promised of every row, not of the mean");
}

/* ---- both ways ---- */

/* Five people are a1,b1 and one is a1,b2, who as published fits a single row. */
static const char SIX[] = "a,b,s\na1,b1,t\na1,b1,u\na1,b1,v\na1,b1,w\na1,b1,x\na1,b2,SECRET\n";
static const char SIX_PUBLISHED[] =
    "a,b,s\na1,b1,t\na1,b1,u\na1,b1,v\na1,b1,w\na1,b1,x\na1,*,SECRET\n";
static const char SIX_BOTH[] = "a,b,s\na1,b1,t\na1,*,u\na1,*,v\na1,*,w\na1,*,x\na1,*,SECRET\n";

static void test_one_of_six(void **state)
{
    (void)state;
    audit_case c = letters("ab", 5, SIX_PUBLISHED);
    c.original = SIX;
    tacit_verdict *v = judge(&c); /* as published: said, and not found */
    assert_true(v->holds && v->fits.exact && !v->fits.checked);
    assert_int_equal(v->fits.least_people, 5);
    assert_int_equal(v->fits.least_rows, 1);
    assert_int_equal(v->fits.people_below, 1);
    assert_int_equal(v->fits.people_with_one, 1);
    tacit_verdict_free(v);
    c.promise.both_ways = true;
    assert_int_equal(kinds(&c), KIND(FITS));
    c.original = NULL; /* nobody can tell */
    v = judge(&c);
    assert_true(v->holds && v->fits.checked && !v->fits.exact);
    assert_int_equal(v->fits.rows_sure, 6);
    assert_int_equal(v->fits.people_sure, 5);
    tacit_verdict_free(v);
    c = letters("ab", 5, SIX_BOTH);
    c.promise.both_ways = true;
    c.original = SIX;
    v = judge(&c);
    assert_true(v->holds && v->fits.exact);
    assert_int_equal(v->fits.least_people, 5);
    assert_int_equal(v->fits.least_rows, 5);
    tacit_verdict_free(v);
}

/* A column on one level, and on two, where who fits is not counted. */
static void test_fits_levels(void **state)
{
    (void)state;
    static const char ORIGINAL[] = "a,s\n10,p\n11,q\n20,r\n21,s\n";
    audit_case c = {.promise = {.k = 2, .ambiguous = true, .both_ways = true},
                    .original = ORIGINAL,
                    .same_order = true};
    tacit_hierarchy_spec pairs = {.kind = TACIT_HIERARCHY_MASK};
    case_attribute(&c, "a", &pairs);
    c.release = "a,s\n1*,p\n1*,q\n2*,r\n2*,s\n";
    assert_int_equal(kinds(&c), 0);
    c.release = "a,s\n1*,p\n11,q\n2*,r\n2*,s\n";
    assert_int_equal(kinds(&c), KIND(ALPHA) | KIND(FITS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),    cmocka_unit_test(test_two_rows),
        cmocka_unit_test(test_alpha_found),  cmocka_unit_test(test_edges),
        cmocka_unit_test(test_dependencies), cmocka_unit_test(test_dependency_of_many),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_too_many),     cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_one_of_six),   cmocka_unit_test(test_fits_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
