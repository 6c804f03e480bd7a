/*
 * test_metrics.c - metrics against values worked out by hand and those of
 * section 5.4 of Sweeney, Computational Disclosure Control.
 */
#include "figures.h"

#include <math.h>

/* A release with the given levels that suppresses so many of each class; NULL: nobody. */
static void release_suppressing(outcome *o, const fixture *f, const int *levels,
                                const int64_t *suppressed, int64_t k)
{
    tacit_error err = {0};
    tacit_run run;
    tacit_records_options options = {.k = k};
    tacit_apply_options apply = {.keep_order = true};
    size_t attributes = (size_t)f->frame.attribute_count;
    tacit_run_init(&run);
    *o = (outcome){.solution = calloc(1, sizeof *o->solution)};
    o->solution->attribute_count = f->frame.attribute_count;
    o->solution->levels = malloc(attributes * sizeof *levels);
    memcpy(o->solution->levels, levels, attributes * sizeof *levels);
    assert_int_equal(tacit_classes_new(&o->solution->classes, &f->frame, levels, &run, &err),
                     TACIT_OK);
    o->solution->suppressed =
        calloc((size_t)tacit_classes_count(o->solution->classes) + 1, sizeof(int64_t));
    for (int64_t c = 0; suppressed && c < tacit_classes_count(o->solution->classes); c++)
        o->solution->suppressed_rows += o->solution->suppressed[c] = suppressed[c];
    assert_int_equal(
        tacit_solution_apply(&o->application, o->solution, &f->frame, &apply, &run, &err),
        TACIT_OK);
    assert_int_equal(
        tacit_metrics_of(&o->metrics, o->solution, o->application, &f->frame, &options, &run, &err),
        TACIT_OK);
}

static void release_on(outcome *o, const fixture *f, const int *levels, int64_t k)
{
    release_suppressing(o, f, levels, NULL, k);
}

/* The guide's table: k, Prec to two digits, and Prec by Equation 3. */
static void test_figure_27(void **state)
{
    (void)state;
    const struct {
        int levels[2];
        int64_t k;
        double precision, weighted;
    } cases[] = {{{0, 0}, 1, 1, 1},         {{1, 0}, 3, 0.75, 0.8},    {{1, 1}, 6, 7.0 / 12, 0.6},
                 {{0, 2}, 4, 2.0 / 3, 0.6}, {{0, 1}, 2, 5.0 / 6, 0.8}, {{2, 3}, 12, 0, 0}};
    fixture f;
    figure_27(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome o;
        release_on(&o, &f, cases[i].levels, 1);
        assert_int_equal(o.metrics.smallest_class, cases[i].k);
        assert_float_equal(o.metrics.precision, cases[i].precision, 1e-12);
        assert_float_equal(o.metrics.precision_weighted, cases[i].weighted, 1e-12);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* Weights 3 and 1 become 3/2 and 1/2: GT[1,0] loses 1/2 * 3/2 of 2. */
static void test_given_weights(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_27(&f);
    f.attributes[0].weight = 3;
    f.attributes[1].weight = 1;
    release_on(&o, &f, (int[]){1, 0}, 1);
    assert_float_equal(o.metrics.precision, 0.75, 1e-12);
    assert_float_equal(o.metrics.precision_weighted, 0.625, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Heights 2 and 3: ZIP keeps 6/5 by Equation 3 beside a given 3, and both are
 * scaled to sum to 2. GT[1,0] loses 1/2 * 3 * 2 / 4.2 of 2, GT[0,1] 1/3 * 1.2 * 2 / 4.2. */
static void test_one_given_weight(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    figure_27(&f);
    f.attributes[0].weight = 3;
    release_on(&o, &f, (int[]){1, 0}, 1);
    assert_float_equal(o.metrics.precision_weighted, 1 - 1.5 / 4.2, 1e-12);
    outcome_clear(&o);
    release_on(&o, &f, (int[]){0, 1}, 1);
    assert_float_equal(o.metrics.precision_weighted, 1 - 0.4 / 4.2, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Six rows x x x y y z with k = 2 and loss 3: z goes, and y with it. */
static void test_suppressed_rows(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\nx,1\nx,1\ny,1\ny,1\nz,1\n");
    fixture_none(&f, "a");
    solve_figure(&o, &f, &(tacit_records_options){.k = 2, .max_suppressed = 3});
    const tacit_metrics *m = &o.metrics;
    assert_int_equal(m->rows, 6);
    assert_int_equal(m->suppressed_rows, 3);
    assert_int_equal(m->suppressed_cells, 3);
    assert_float_equal(m->precision, 0.5, 1e-12);
    assert_int_equal(m->classes, 2);
    assert_int_equal(m->smallest_class, 3);
    assert_int_equal(m->largest_class, 3);
    assert_float_equal(m->average_class, 3, 1e-12);
    assert_float_equal(m->average_class_ratio, 1.5, 1e-12);
    assert_float_equal(m->discernibility, 3 * 3 + 3 * 6, 1e-12);
    /* y y z lose 2 log2(6/2) + log2(6/1); x x x could have lost 3 log2(6/3) */
    double lost = 2 * log2(3) + log2(6);
    assert_float_equal(m->entropy, lost / (lost + 3), 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Part of a class: w w, x x x x x with k = 3 and loss 3 leaves four x. */
static void test_part_of_a_class(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nw,1\nw,1\nx,1\nx,1\nx,1\nx,1\nx,1\n");
    fixture_none(&f, "a");
    solve_figure(&o, &f, &(tacit_records_options){.k = 3, .max_suppressed = 3});
    assert_int_equal(o.metrics.suppressed_rows, 3);
    assert_int_equal(o.metrics.classes, 2);
    assert_int_equal(o.metrics.smallest_class, 3);
    assert_int_equal(o.metrics.largest_class, 4);
    assert_float_equal(o.metrics.discernibility, 4 * 4 + 3 * 7, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* The same of people: w is one person twice, x has five with two rows each. Two
 * of them go with w: 6 rows in all, and 6 rows of x are left. */
static void test_part_of_people(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,p\nw,0\nw,0\nx,1\nx,1\nx,2\nx,2\nx,3\nx,3\nx,4\nx,4\nx,5\nx,5\n");
    fixture_none(&f, "a");
    f.frame.person = 1;
    solve_figure(&o, &f, &(tacit_records_options){.k = 3, .max_suppressed = 6});
    assert_int_equal(o.metrics.suppressed_rows, 6);
    assert_int_equal(o.metrics.classes, 2);
    assert_int_equal(o.metrics.smallest_class, 3);
    assert_int_equal(o.metrics.largest_class, 3);
    assert_float_equal(o.metrics.discernibility, 6 * 6 + 6 * 12, 1e-12);
    assert_int_equal(o.metrics.complementary_rows, 4);
    assert_int_equal(o.metrics.suppressed_people, 3);
    outcome_clear(&o);
    fixture_close(&f);
}

/* z z and one of the four y go, and are left out: classes are those of the
 * release, x x x x x and y y y; what was lost is counted all the same. */
static void test_left_out(void **state)
{
    (void)state;
    const tacit_apply_options apply = {.drop_suppressed = true};
    tacit_error err = {0};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\nx,1\nx,1\nx,1\nx,1\ny,1\ny,1\ny,1\ny,1\nz,1\nz,1\n");
    fixture_none(&f, "a");
    tacit_records_options options = {.k = 3, .max_suppressed = 3};
    assert_int_equal(solve_with(&o, &f, &options, &apply, 1, 1, &err), TACIT_OK);
    assert_int_equal(o.metrics.suppressed_rows, 3);
    assert_int_equal(o.metrics.complementary_rows, 1);
    assert_int_equal(o.metrics.classes, 2);
    assert_int_equal(o.metrics.smallest_class, 3);
    assert_int_equal(o.metrics.largest_class, 5);
    assert_float_equal(o.metrics.average_class, 4, 1e-12);
    assert_float_equal(o.metrics.precision, 1 - 3.0 / 11, 1e-12);
    assert_float_equal(o.metrics.discernibility, 5 * 5 + 3 * 3 + 3 * 11, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* A column on its suppressed level: its cells are suppressed, rows are not;
 * all that could be lost of it is lost. */
static void test_suppressed_column(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\ny,1\nx,2\n,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    release_on(&o, &f, (int[]){1, 0}, 2);
    assert_int_equal(o.metrics.suppressed_rows, 0);
    assert_int_equal(o.metrics.suppressed_cells, 4);
    assert_float_equal(o.metrics.precision, 0.5, 1e-12);
    /* a: x x lose log2(4/2) each, y and missing log2(4); b could lose 4 * log2(4/2) */
    assert_float_equal(o.metrics.entropy, 6.0 / 10, 1e-12);
    assert_int_equal(o.metrics.smallest_class, 2);
    assert_float_equal(o.metrics.average_class_ratio, 1, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Missing stays missing below the top: on level 1 of a mask, 11 and 12 become
 * 1*, and the missing cell loses nothing. */
static void test_missing(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\n11,1\n12,1\n,1\n,1\n");
    fixture_mask(&f, "a");
    release_on(&o, &f, (int[]){1}, 2);
    assert_int_equal(o.metrics.classes, 2);
    assert_int_equal(o.metrics.suppressed_cells, 0);
    /* 11 and 12 lose log2(2/1) each of log2(4/1); missing could lose log2(4/2) */
    assert_float_equal(o.metrics.entropy, 2.0 / (4 + 2), 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Two quasi-identifiers: sizes are those of their groups, not of classes over
 * both. */
static void test_several_sets(void **state)
{
    (void)state;
    const uint64_t sets[] = {1, 2};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\nx,2\nx,1\ny,2\ny,1\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    f.frame.sets = sets;
    f.frame.set_count = 2;
    release_on(&o, &f, (int[]){0, 0}, 2);
    assert_int_equal(o.metrics.combinations, 4);
    assert_int_equal(o.metrics.classes, 4); /* x, y; 1, 2 */
    assert_int_equal(o.metrics.sets, 2);
    assert_int_equal(o.metrics.smallest_class, 2);
    assert_int_equal(o.metrics.largest_class, 3);
    assert_float_equal(o.metrics.average_class, 2.5, 1e-12);         /* 3, 2; 3, 2 */
    assert_float_equal(o.metrics.average_class_ratio, 0.625, 1e-12); /* 5 rows in 4, over 2 */
    outcome_clear(&o);
    release_on(&o, &f, (int[]){1, 0}, 2);
    assert_int_equal(o.metrics.classes, 3); /* "*"; 1, 2 */
    assert_int_equal(o.metrics.combinations, 2);
    assert_int_equal(o.metrics.largest_class, 5);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Of 1, 1, 2 the last is below k = 2 and suppressed; a is "*" anyway, so that its three rows
 * are one class on a, and two and one on b. */
static void test_suppressed_on_sets(void **state)
{
    (void)state;
    const uint64_t sets[] = {1, 2};
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\nx,1\ny,1\nz,2\n");
    fixture_none(&f, "a");
    fixture_none(&f, "b");
    f.frame.sets = sets;
    f.frame.set_count = 2;
    const int64_t suppressed[] = {0, 1};
    release_suppressing(&o, &f, (int[]){1, 0}, suppressed, 2);
    assert_int_equal(o.metrics.suppressed_rows, 1);
    assert_int_equal(o.metrics.classes, 3);
    assert_int_equal(o.metrics.smallest_class, 1);
    assert_int_equal(o.metrics.largest_class, 3);
    assert_float_equal(o.metrics.average_class, 2, 1e-12);
    outcome_clear(&o);
    fixture_close(&f);
}

static void test_empty(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    fixture_open(&f, "a,b\n");
    fixture_none(&f, "a");
    release_on(&o, &f, (int[]){0}, 2);
    assert_int_equal(o.metrics.rows, 0);
    assert_int_equal(o.metrics.classes, 0);
    assert_float_equal(o.metrics.precision, 1, 0);
    assert_float_equal(o.metrics.entropy, 0, 0);
    outcome_clear(&o);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_27),
        cmocka_unit_test(test_given_weights),
        cmocka_unit_test(test_suppressed_rows),
        cmocka_unit_test(test_part_of_a_class),
        cmocka_unit_test(test_part_of_people),
        cmocka_unit_test(test_suppressed_column),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_several_sets),
        cmocka_unit_test(test_suppressed_on_sets),
        cmocka_unit_test(test_suppressed_on_sets),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_one_given_weight),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
