/*
 * test_total_figures.c - Kao's Total Protection: the table of Figures 1.1 and 1.2.
 *
 * Bounds are infinite but for X2c and X3c, which lie between 0 and 9.5 and are 9.5. Rows and
 * columns count from 0 here: X2c is row 1, column 2.
 */
#include "tables.h"

#include "flat.h"

static flat figure_1_2(void)
{
    static const double values[6][9] = {
        {9.5, 4.5, 1.5, 7, 1.5, 1.5, 5.5, 2, 3}, {4.5, 9.5, 9.5, 4.5, 4.5, 9.5, 9.5, 9.5, 4.5},
        {6, 1.5, 9.5, 0, 9.5, 6, 5.5, 2, 5.5},   {2, 1.5, 4, 7, 1.5, 4.5, 9.5, 5.5, 2},
        {1.5, 5.5, 4, 6, 5.5, 0, 0, 4.5, 9.5},   {2, 3, 3, 4, 6, 5.5, 2, 2, 9.5},
    };
    static const char *const suppressed[6] = {"ab", "abcdefghi", "cde", "fg", "fghi", "i"};
    flat f = flat_of(6, 9);
    for (int i = 0; i < 54; i++) {
        bool hidden = strchr(suppressed[i / 9], 'a' + i % 9) != NULL;
        f.value[i] = values[i / 9][i % 9];
        f.lower[i] = -INFINITY;
        f.upper[i] = INFINITY;
        f.status[i] = hidden ? 'u' : 's';
        f.secret[i] = hidden;
    }
    f.lower[1 * 9 + 2] = f.lower[2 * 9 + 2] = 0;
    f.upper[1 * 9 + 2] = f.upper[2 * 9 + 2] = 9.5;
    return f;
}

static tacit_total_audit *audit_figure(const flat *f, int sums)
{
    tacit_flat_view view = flat_view(f);
    tacit_total_audit_options options = {.sums = sums};
    tacit_total_audit *audit = NULL;
    assert_int_equal(tacit_audit_total(&audit, &view, &options, NULL, NULL), TACIT_OK);
    return audit;
}

/* A listed sum as text: "2a+2b-3a", rows from 1. */
static void show_sum(char *text, const flat *f, const tacit_total_audit *audit,
                     const tacit_known_sum *sum)
{
    for (int k = sum->first; k < sum->first + sum->count; k++) {
        const tacit_known_term *term = &audit->terms[k];
        text += sprintf(text, "%s%d%c",
                        term->sign < 0   ? "-"
                        : k > sum->first ? "+"
                                         : "",
                        f->row[term->cell] + 1, 'a' + f->column[term->cell]);
    }
}

static void test_detection(void **state)
{
    (void)state;
    flat f = figure_1_2();
    tacit_total_audit *audit = audit_figure(&f, 3);
    static const int invariant[3] = {1 * 9 + 2, 2 * 9 + 2, 5 * 9 + 8};
    assert_int_equal(audit->suppressed, 21);
    assert_int_equal(audit->components, 1);
    assert_int_equal(audit->strong, 1); /* all but column c */
    assert_int_equal(audit->invariant_count, 3);
    for (int k = 0; k < 3; k++)
        assert_int_equal(audit->invariant[k], invariant[k]);
    assert_false(audit->total);
    assert_int_equal(audit->leaks, 15); /* two cells, and 14 vertices that only Q connects */
    assert_int_equal(audit->leak_count, 3);
    char text[256];
    static const char *const leaks[3] = {"2c", "3c", "6i"};
    for (int k = 0; k < 3; k++) {
        show_sum(text, &f, audit, &audit->leak[k]);
        assert_string_equal(text, leaks[k]);
        assert_true(audit->leak[k].value == 9.5);
    }
    tacit_total_audit_free(audit);
}

/* A basis of all that is known, the shortest first. */
static void test_sums(void **state)
{
    (void)state;
    static const char *const sums[] = {
        "2c",       "3c",       "6i",          "1a+1b",       "1a-2b",
        "2h+5h",    "2d+2e",    "2d-3e",       "2d+3d",       "1a+2a",
        "2f-4g+5f", "2f+4f+5f", "2f+2g+2h+2i", "2f+2g+2h-5i", "2f+2g+5f+5g",
    };
    static const double values[] = {9.5, 9.5, 9.5, 14, 0, 14, 9, -5, 4.5, 14, 0, 14, 33, 19, 19};
    flat f = figure_1_2();
    tacit_total_audit *audit = audit_figure(&f, 100);
    char text[256];
    assert_int_equal(audit->leak_count, 15);
    for (int k = 0; k < audit->leak_count; k++) {
        show_sum(text, &f, audit, &audit->leak[k]);
        assert_string_equal(text, sums[k]);
        assert_true(fabs(audit->leak[k].value - values[k]) < 1e-9);
    }
    tacit_total_audit_free(audit);
}

/* Whatever is added is published, and protects Q. */
static tacit_total_plan protect(const flat *f)
{
    tacit_flat_view view = flat_view(f);
    tacit_total_plan plan = {0};
    flat g = *f;
    assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, NULL), TACIT_OK);
    for (int k = 0; k < plan.count; k++) {
        assert_int_equal(g.status[plan.row[k] * 9 + plan.column[k]], 's');
        g.status[plan.row[k] * 9 + plan.column[k]] = 'x';
    }
    tacit_total_audit *audit = audit_figure(&g, 0);
    assert_true(audit->total && plan.optimal);
    tacit_total_audit_free(audit);
    return plan;
}

/* Row 2 is suppressed as a whole, and its sum is published: no further suppression hides that. */
static void test_all(void **state)
{
    (void)state;
    flat f = figure_1_2();
    tacit_flat_view view = flat_view(&f);
    tacit_total_plan plan = {0};
    tacit_error err = {0};
    assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, &err), TACIT_INFEASIBLE);
    assert_non_null(strstr(err.message, "between row 2 and the rest"));
}

/* Without X2h in Q there are 14 parts to connect, and 13 cells do. */
static void test_all_but_one(void **state)
{
    (void)state;
    flat f = figure_1_2();
    f.secret[1 * 9 + 7] = false;
    tacit_total_plan plan = protect(&f);
    assert_int_equal(plan.count, 13);
    assert_int_equal(plan.way, TACIT_TOTAL_COUNT);
    tacit_total_plan_clear(&plan);
}

/* The invariant cells alone: column c and row 6 are to be connected. */
static void test_invariant_cells(void **state)
{
    (void)state;
    flat f = figure_1_2();
    memset(f.secret, 0, sizeof f.secret);
    f.secret[1 * 9 + 2] = f.secret[2 * 9 + 2] = f.secret[5 * 9 + 8] = true;
    tacit_total_plan plan = protect(&f);
    assert_int_equal(plan.count, 2);
    tacit_total_plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_all_but_one),
        cmocka_unit_test(test_invariant_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
