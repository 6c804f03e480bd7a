/*
 * test_apply.c - a solution on the rows: labels, suppressed rows and order.
 */
#include "figures.h"

#include "base/bitset.h"

static void apply_to(outcome *o, const fixture *f, tacit_records_options options,
                     tacit_apply_options apply)
{
    tacit_error err = {0};
    if (solve_with(o, f, &options, &apply, 3, 2, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

static void check_label(tacit_strview label, const char *expected)
{
    if (!expected)
        assert_null(label.bytes);
    else
        assert_true(tacit_strview_equal(label, tacit_strview_of(expected)));
}

/* Codes 0 and 1 are 11 and 12, 2 is missing. */
static void test_labels(void **state)
{
    (void)state;
    const struct {
        int64_t k;
        int level;
        const char *first, *second, *missing;
    } cases[] = {{1, 0, NULL, NULL, NULL}, {2, 1, "1*", "1*", NULL}, {4, 2, "*", "*", "*"}};
    fixture f;
    fixture_open(&f, "a,b\n11,1\n12,1\n,1\n,1\n");
    fixture_mask(&f, "a");
    for (int i = 0; i < 3; i++) {
        outcome o;
        apply_to(&o, &f, (tacit_records_options){.k = cases[i].k}, (tacit_apply_options){0});
        assert_int_equal(o.solution->levels[0], cases[i].level);
        check_label(o.application->labels[0][0], cases[i].first);
        check_label(o.application->labels[0][1], cases[i].second);
        check_label(o.application->labels[0][2], cases[i].missing);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* Rows 1 and 3 (y and z) are suppressed. */
static void test_order(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    tacit_records_options options = {.k = 2, .max_suppressed = 2};
    fixture_open(&f, "a,b\nx,1\ny,1\nx,1\nz,1\nx,1\n");
    fixture_none(&f, "a");
    apply_to(&o, &f, options, (tacit_apply_options){.keep_order = true});
    assert_null(o.application->order);
    assert_int_equal(o.application->row_count, 5);
    assert_int_equal(o.application->suppressed[0], 1 << 1 | 1 << 3);
    outcome_clear(&o);

    apply_to(&o, &f, options, (tacit_apply_options){.keep_order = true, .drop_suppressed = true});
    assert_int_equal(o.application->row_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(o.application->order[i], 2 * i);
    outcome_clear(&o);

    apply_to(&o, &f, options, (tacit_apply_options){.drop_suppressed = true});
    assert_int_equal(o.application->row_count, 3);
    assert_int_equal(o.application->order[0] + o.application->order[1] + o.application->order[2],
                     6);
    outcome_clear(&o);

    apply_to(&o, &f, options, (tacit_apply_options){0});
    assert_int_equal(o.application->row_count, 5);
    uint32_t seen = 0;
    for (int i = 0; i < 5; i++)
        seen |= 1u << o.application->order[i];
    assert_int_equal(seen, 31);
    outcome_clear(&o);

    options = (tacit_records_options){.k = 5};
    apply_to(&o, &f, options, (tacit_apply_options){.keep_order = true, .drop_suppressed = true});
    assert_null(o.application->order); /* nothing was dropped */
    outcome_clear(&o);
    fixture_close(&f);
}

/* Many rows: suppressed are exactly the rows of values that occur once, in any
 * number of threads. */
static void test_many_rows(void **state)
{
    (void)state;
    enum { ROWS = 140000, RARE = 50 };
    char *text = malloc(ROWS * 8 + 8), *at = text + sprintf(text, "a,b\n");
    for (int r = 0; r < ROWS; r++)
        at +=
            sprintf(at, "%d,%d\n", r % (ROWS / RARE) == 7 ? 1000 + r / (ROWS / RARE) : r % 900, 1);
    fixture f;
    fixture_open(&f, text);
    free(text);
    fixture_none(&f, "a");
    for (int threads = 1; threads < 8; threads += 3) {
        outcome o;
        tacit_error err = {0};
        tacit_records_options options = {.k = 3, .max_suppressed = RARE};
        tacit_apply_options apply = {.drop_suppressed = true};
        assert_int_equal(solve_with(&o, &f, &options, &apply, 1, threads, &err), TACIT_OK);
        assert_int_equal(o.application->suppressed_rows, RARE);
        assert_int_equal(o.application->row_count, ROWS - RARE);
        for (int64_t r = 0; r < ROWS; r++)
            assert_int_equal(tacit__bit_get(o.application->suppressed, r), r % (ROWS / RARE) == 7);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

static void test_free_nothing(void **state)
{
    (void)state;
    tacit_application_free(NULL);
    tacit_solution_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_free_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
