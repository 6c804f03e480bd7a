/*
 * test_knowing_method.c - what the papers say of who knows the method.
 *
 * Vinterbo and Ohno-Machado, section 4: the column a of the rows 0 and 1, of which one is
 * suppressed; who knows that no cell is suppressed in vain knows its value. Sweeney's Figure 35
 * has no such number; what follows for it is counted by hand here: in GT1 all classes but {7, 9,
 * 10} and {3, 4, 8} are pairs.
 */
#include "audit_case.h"

#include <math.h>
#include <stdio.h>
#include <tacit/experimental/audit_method.h>

static tacit_known *judge(audit_case *c, const tacit_known_method *method)
{
    tacit_known *known = NULL;
    tacit_error err = {0};
    tacit_run run;
    tacit_table *release = case_table(c, c->release);
    tacit_table *original = case_table(c, c->original);
    const tacit_evidence evidence = {.release = release, .original = original, .same_order = true};
    tacit_run_init(&run);
    if (tacit_audit_method(&known, &c->promise, &evidence, method, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(original);
    tacit_table_free(release);
    return known;
}

static void test_section_4(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2, .ambiguous = true},
                    .original = "a,b\n0,x\n1,x\n",
                    .release = "a,b\n*,x\n1,x\n"};
    case_attribute(&c, "a", &CASE_NONE);
    tacit_known *known = judge(&c, &(tacit_known_method){.knows = TACIT_KNOWS_NEEDED});
    assert_int_equal(known->hidden, 1);
    assert_int_equal(known->certain, 1);
    assert_true(fabs(known->bits_hidden - 1) < 1e-6 && fabs(known->bits_gained - 1) < 1e-6);
    assert_int_equal(known->certain_cells[0].row, 1);
    assert_int_equal(known->certain_cells[0].attribute, 0);
    tacit_known_free(known);
}

/* Sex and ZIP of GT1, of which only ZIP is generalized: in the two classes of three. */
static void test_figure_35(void **state)
{
    (void)state;
    audit_case c = {
        .promise = {.k = 2},
        .original =
            "Gender,ZIP,Problem\nmale,02141,a\nmale,02141,b\nfemale,02138,c\nfemale,02138,d\n"
            "female,02138,e\nfemale,02138,f\nmale,02138,g\nfemale,02139,h\nmale,02139,i\n"
            "male,02139,j\nmale,02138,k\nmale,02138,l\n",
        .release = "Gender,ZIP,Problem\nmale,02141,a\nmale,02141,b\nfemale,0213*,c\n"
                   "female,0213*,d\nfemale,02138,e\nfemale,02138,f\nmale,0213*,g\nfemale,0213*,h\n"
                   "male,0213*,i\nmale,0213*,j\nmale,02138,k\nmale,02138,l\n"};
    case_attribute(&c, "Gender", &CASE_NONE);
    case_attribute(&c, "ZIP", &CASE_MASK);
    tacit_known *known = judge(&c, &(tacit_known_method){.knows = TACIT_KNOWS_TIGHT});
    assert_int_equal(known->hidden, 6);
    assert_true(fabs(known->bits_hidden - 6) < 1e-9);
    assert_true(fabs(known->bits_gained - 2 * log2(8.0 / 6)) < 1e-9); /* not all 02138, not all
                                                                          02139 */
    assert_int_equal(known->narrowed + known->certain + known->settled, 0);
    tacit_known_free(known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_section_4),
        cmocka_unit_test(test_figure_35),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
