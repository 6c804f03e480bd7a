/*
 * test_audit_items.c - the judge on sets of items: what somebody knows of them, in classes and over
 * people, against the original and without, and what cannot be judged. Random releases are in
 * tests/property.
 */
#include "audit_case.h"
#include "starve.h"

#include <stdio.h>
#include <unistd.h>

static const tacit_promise_items BOUGHT[] = {{"s", ";", &CASE_MASK}};

static audit_case items_case(const char *original, const char *release, int k, int km)
{
    audit_case c = {
        .promise = {.k = k, .km = km, .items = BOUGHT, .items_count = 1, .rows_are_people = true},
        .original = original,
        .release = release,
        .same_order = original != NULL,
        .threads = 1};
    return c;
}

/* The first finding about items, or about values of them; NULL: none. */
static void finds(audit_case *c, tacit_finding_kind kind, const char *message)
{
    if (c->promise.attribute_count == 0)
        case_attribute(c, "q", &CASE_NONE);
    tacit_verdict *v = case_judge(c);
    const char *found = NULL;
    for (int32_t i = 0; i < v->finding_count && !found; i++)
        if (v->findings[i].kind == kind)
            found = v->findings[i].message;
    if (!message)
        assert_null(found);
    else
        assert_string_equal(found ? found : "nothing", message);
    assert_int_equal(v->holds, v->finding_count == 0);
    tacit_verdict_free(v);
}

static void test_classes(void **state)
{
    (void)state;
    audit_case c = items_case(NULL, "q,s\nx,a;b\nx,b;a\nx,\ny,a\ny,a\n", 2, 2);
    finds(&c, TACIT_FINDING_ITEMS, NULL);
    c = items_case(NULL, "q,s\nx,a;b\nx,a\nx,b\ny,a\ny,a\n", 2, 1);
    finds(&c, TACIT_FINDING_ITEMS, NULL);
    c.promise.km = 2;
    c.promise.attribute_count = 0;
    finds(&c, TACIT_FINDING_ITEMS,
          "in a class of 3 rows, fewer than k = 2 rows (1) have a combination of 2 items of the "
          "sets of "
          "row 1 (line 2)");
    c = items_case(NULL, "q,s\nx,a;b\nx,a;b\ny,c\ny,\n", 2, 1); /* each class by itself */
    finds(&c, TACIT_FINDING_ITEMS,
          "in a class of 2 rows, fewer than k = 2 rows (1) have an item of the sets of row 3 (line "
          "4)");
    c = items_case(NULL, "q,s\n*,a\n*,a\n*,ab\n*,ab\n", 2, 8); /* an item and its generalization */
    finds(&c, TACIT_FINDING_ITEMS, NULL);
}

static void test_verdict(void **state)
{
    (void)state;
    audit_case c = items_case(NULL, "q,s\nx,a;b\nx,a;b\nx,a\ny,\ny,\n", 2, 2);
    case_attribute(&c, "q", &CASE_NONE);
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds && v->items.checked);
    assert_true(v->items.combinations == 7);
    assert_int_equal(v->items.smallest, 2);
    tacit_verdict_free(v);
}

static void test_twice(void **state)
{
    (void)state;
    audit_case c = items_case(NULL, "q,s\nx,a; a\nx,a\nx,a\n", 2, 1);
    finds(&c, TACIT_FINDING_ITEMS,
          "cells of \"s\" with an item twice, and how often tells people apart: 1; the first is in "
          "row 1 "
          "(line 2)");
}

/* Rows of one person are one. Whose they are the original says. */
static void test_people(void **state)
{
    (void)state;
    static const tacit_promise_identifier PERSON[] = {{.name = "p"}};
    audit_case c =
        items_case("p,q,s\n1,x,a\n1,x,a\n2,x,b\n3,x,b\n", "q,s\nx,a\nx,a\nx,b\nx,b\n", 2, 1);
    c.promise.person = "p";
    c.promise.rows_are_people = false;
    c.promise.identifiers = PERSON;
    c.promise.identifier_count = 1;
    finds(&c, TACIT_FINDING_ITEMS,
          "in a class of 4 rows, fewer than k = 2 people (1) have an item of the sets of row 1 "
          "(line 2)");
    c.original = NULL;
    c.promise.attribute_count = 0;
    finds(&c, TACIT_FINDING_ITEMS, NULL);
}

/* A column links rows if it says the same in several, whatever it is called. */
static void test_links(void **state)
{
    (void)state;
    static const char WHY[] = "column \"p\" links the rows of a person, whose items are then known "
                              "together, which km does not allow for";
    audit_case c = items_case(NULL, "p,q,s\n1,x,a\n1,x,a\n2,x,a\n2,x,a\n", 2, 1);
    c.promise.person = "p";
    finds(&c, TACIT_FINDING_ITEMS, WHY);
    c = items_case(NULL, "p,q,s\n1,x,a\n1,x,a\n2,x,a\n2,x,a\n", 2, 1);
    case_identifier(&c, "p", true);
    finds(&c, TACIT_FINDING_ITEMS, WHY);
    c = items_case(NULL, "p,q,s\n1,x,a\n2,x,a\n3,x,a\n", 2, 1);
    c.promise.person = "p";
    finds(&c, TACIT_FINDING_ITEMS, NULL);
}

/* What is shown has to be true of its row or, where nobody knows which that is, of any. */
static void test_original(void **state)
{
    (void)state;
    static const char DATA[] = "q,s\nx,a1;b1\nx,a2;b1\nx,\nx,c1\n";
    audit_case c = items_case(DATA, "q,s\nx,a*;b1\nx,a*;b1\nx,\nx,\n", 2, 2);
    finds(&c, TACIT_FINDING_VALUE, NULL);
    c.release = "q,s\nx,b1\nx,a*;b1\nx,a*\nx,\n"; /* the third has nothing */
    c.promise.attribute_count = 0;
    finds(
        &c, TACIT_FINDING_VALUE,
        "cells of \"s\" with an item that generalizes none of the original\'s: 1; the first is in "
        "row 3 (line 4)");
    c.same_order = false;
    c.promise.attribute_count = 0;
    finds(&c, TACIT_FINDING_VALUE, NULL);
    c.release = "q,s\nx,b*\nx,z*;b1\nx,b1\nx,b*\n";
    c.promise.attribute_count = 0;
    finds(
        &c, TACIT_FINDING_VALUE,
        "cells of \"s\" with an item that generalizes none of the original\'s: 1; the first is in "
        "row 2 (line 3)");
    c = items_case("q,s\nx,\nx,\n", "q,s\nx,a\nx,a\n", 2, 1); /* it has no items at all */
    finds(
        &c, TACIT_FINDING_VALUE,
        "cells of \"s\" with an item that generalizes none of the original\'s: 2; the first is in "
        "row 1 (line 2)");
}

static void test_gone(void **state)
{
    (void)state;
    audit_case c = items_case(NULL, "q,t\nx,a\nx,a\n", 2, 1);
    finds(&c, TACIT_FINDING_COLUMN, "column \"s\" of items is not in the release");
}

static void test_limit(void **state)
{
    (void)state;
    static char text[1 << 15];
    int at = sprintf(text, "q,s\nx,");
    for (int i = 0; i < 3000; i++)
        at += sprintf(text + at, "%d;", i);
    sprintf(text + at, "\nx,1\n");
    audit_case c = items_case(NULL, text, 2, 8);
    finds(&c, TACIT_FINDING_ITEMS,
          "the sets have about 1.6e+23 combinations of up to 8 items, more than the 1e+10 that can "
          "be judged");
}

static void test_nonsense(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        tacit_promise_items wrong = {"s", ";", &CASE_NONE};
        audit_case c = items_case(NULL, "q,s\nx,a\n", 1, i == 0 ? 0 : i == 1 ? 9 : 1);
        tacit_verdict *v = STARVE_UNTOUCHED;
        tacit_error err = {0};
        case_attribute(&c, "q", &CASE_NONE);
        wrong.separator = i == 2 ? "" : ";";
        wrong.hierarchy = i == 3 ? NULL : &CASE_NONE;
        wrong.column = i == 4 ? "q" : "s";
        c.promise.items = &wrong;
        assert_int_equal(case_try(&v, &c, &err), TACIT_INVALID);
        assert_ptr_equal(v, STARVE_UNTOUCHED);
    }
}

/* ---- memory ---- */

typedef struct two_tables {
    tacit_table *original, *release;
} two_tables;

static tacit_status attempt(void *context, tacit_error *err)
{
    static const tacit_promise_attribute ATTRIBUTE = {"q", &CASE_NONE};
    const two_tables *t = context;
    const tacit_promise promise = {.k = 2,
                                   .km = 3,
                                   .items = BOUGHT,
                                   .items_count = 1,
                                   .attributes = &ATTRIBUTE,
                                   .attribute_count = 1,
                                   .rows_are_people = true};
    const tacit_evidence evidence = {
        .release = t->release, .original = t->original, .same_order = true};
    tacit_verdict *v = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_audit_release(&v, &promise, &evidence, &run, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(v, STARVE_UNTOUCHED);
        return status;
    }
    assert_true(v->holds && v->items.smallest == 2);
    tacit_verdict_free(v);
    return TACIT_OK;
}

static void test_memory(void **state)
{
    (void)state;
    const audit_case none = {0};
    two_tables t = {case_table(&none, "q,s\nx,a1;b1;c1\nx,a2;b1;c1\nx,d1\n"),
                    case_table(&none, "q,s\nx,a*;b1;c1\nx,a*;b1;c1\nx,\n")};
    assert_true(starve(attempt, &t) > 20);
    tacit_table_free(t.original);
    tacit_table_free(t.release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),  cmocka_unit_test(test_verdict),
        cmocka_unit_test(test_twice),    cmocka_unit_test(test_people),
        cmocka_unit_test(test_links),    cmocka_unit_test(test_original),
        cmocka_unit_test(test_gone),     cmocka_unit_test(test_limit),
        cmocka_unit_test(test_nonsense), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
