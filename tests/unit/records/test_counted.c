/*
 * test_counted.c - a frame that keeps what was counted: classes are shared, made
 * from others, and never other than counted from the rows, and every method
 * solves as it does without.
 */
#include "figures.h"

#include "records/classes/classes.h"

/* A random table: two columns of two digits, one of letters, and a person. */
static void random_fixture(fixture *f, uint64_t *seed, int rows)
{
    char *text = malloc((size_t)rows * 16 + 32);
    size_t at = (size_t)sprintf(text, "a,b,c,p\n");
    for (int row = 0; row < rows; row++)
        at += (size_t)sprintf(text + at, "%02u,%02u,%c,%u\n", next_number(seed, 30),
                              next_number(seed, 12), "xyz"[next_number(seed, 3)],
                              next_number(seed, (uint32_t)rows / 2 + 1));
    fixture_open(f, text);
    free(text);
    fixture_mask(f, "a");
    fixture_mask(f, "b");
    fixture_none(f, "c");
}

static tacit_classes *count(const fixture *f, const int *levels)
{
    tacit_run run;
    tacit_classes *classes = NULL;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_new(&classes, &f->frame, levels, &run, NULL), TACIT_OK);
    return classes;
}

static tacit_counted *keep(fixture *f)
{
    assert_int_equal(tacit_counted_new(&f->frame.counted, NULL), TACIT_OK);
    return f->frame.counted;
}

static void test_shared(void **state)
{
    (void)state;
    uint64_t seed = 7;
    fixture f;
    random_fixture(&f, &seed, 500);
    const int levels[] = {1, 1, 0};
    tacit_counted *counted = keep(&f);
    tacit_classes *first = count(&f, levels), *again = count(&f, levels);
    assert_ptr_equal(first, again);
    tacit_classes_free(first);
    assert_int_equal(tacit_classes_rows(again), 500); /* still there for the other */
    tacit_counted_free(counted);
    assert_true(tacit_classes_count(again) > 1);
    tacit_classes_free(again);
    f.frame.counted = NULL;
    first = count(&f, levels), again = count(&f, levels);
    assert_ptr_not_equal(first, again);
    tacit_classes_free(first);
    tacit_classes_free(again);
    tacit_counted_free(NULL);
    fixture_close(&f);
}

/* The same classes in any order. */
static void assert_same(const tacit_classes *a, const tacit_classes *b, int32_t attributes)
{
    assert_int_equal(tacit_classes_count(a), tacit_classes_count(b));
    for (int64_t i = 0; i < tacit_classes_count(a); i++) {
        int64_t j = 0;
        bool equal = false;
        for (; j < tacit_classes_count(b) && !equal; j += !equal) {
            equal = true;
            for (int32_t c = 0; c < attributes; c++)
                equal &= tacit_classes_code(a, i, c) == tacit_classes_code(b, j, c);
        }
        assert_true(equal);
        assert_int_equal(tacit_classes_size(a, i), tacit_classes_size(b, j));
        assert_int_equal(tacit_classes_people(a, i), tacit_classes_people(b, j));
    }
}

/* Whatever was asked for before, and in whatever order, also beyond what is kept. */
static void test_any_order(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 40; round++) {
        fixture f;
        random_fixture(&f, &seed, 20 + (int)next_number(&seed, 600));
        f.frame.person = round % 2 ? 3 : -1;
        tacit_counted *counted = keep(&f);
        for (int i = 0; i < 30; i++) {
            int levels[3];
            for (int a = 0; a < 3; a++)
                levels[a] =
                    (int)next_number(&seed, (uint32_t)tacit_hierarchy_height(f.hierarchies[a]) + 1);
            f.frame.counted = counted;
            tacit_classes *kept = count(&f, levels);
            f.frame.counted = NULL;
            tacit_classes *plain = count(&f, levels);
            assert_same(kept, plain, 3);
            assert_memory_equal(tacit_classes_levels(kept), levels, sizeof levels);
            tacit_classes_free(kept);
            tacit_classes_free(plain);
        }
        tacit_counted_free(counted);
        fixture_close(&f);
    }
}

/* What a method finds is worth the same with what was counted before as without. */
static void compare(fixture *f, const tacit_method *method, const tacit_records_options *options,
                    tacit_counted *counted)
{
    const tacit_apply_options apply = {.keep_order = true};
    outcome kept, plain;
    tacit_error err = {0};
    f->frame.counted = NULL;
    tacit_status status = solve_by(&plain, f, method->name, options, &apply, 1, 2, &err);
    f->frame.counted = counted;
    assert_int_equal(solve_by(&kept, f, method->name, options, &apply, 1, 2, &err), status);
    if (status == TACIT_OK) {
        assert_memory_equal(kept.solution->levels, plain.solution->levels, 3 * sizeof(int));
        assert_memory_equal(&kept.metrics, &plain.metrics, sizeof kept.metrics);
    }
    outcome_clear(&kept);
    outcome_clear(&plain);
}

/* Cell by cell no row is suppressed, whatever may be; and few k say as much as many. */
static void compare_losses(fixture *f, const tacit_method *method, int64_t k,
                           tacit_counted *counted)
{
    bool cells = method->features & TACIT_METHOD_CELLS;
    if (!(method->features & TACIT_METHOD_EXPLORED) || (cells && k % 3 != 2))
        return;
    for (int64_t most = 0; most <= (cells ? 0 : 12); most += 6)
        compare(f, method, &(tacit_records_options){.k = k, .max_suppressed = most}, counted);
}

static void test_methods(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int round = 0; round < 12; round++) {
        fixture f;
        random_fixture(&f, &seed, round < 10 ? 30 : 400);
        f.frame.person = round % 3 ? -1 : 3;
        tacit_counted *counted = keep(&f);
        for (int64_t k = 2; k <= 9; k++)
            for (const tacit_method *const *each = tacit_methods(); *each; each++)
                compare_losses(&f, *each, k, counted);
        tacit_counted_free(counted);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
