/*
 * test_classes.c - classes against a count of pairs of rows, straight from the
 * definition: on random tables with missing values, people with several rows
 * and keys of more than 64 bits, from rows and from other classes, with
 * different numbers of threads.
 */
#include "records.h"

#include "records/classes/classes.h"

/* A random table of `columns` attributes a0, a1, ... and a column p. */
static void random_fixture(fixture *f, uint64_t *state, int rows, int columns, uint32_t values)
{
    uint32_t people = rows < 4000 ? (uint32_t)rows / 2 + 1 : 2000;
    size_t size = (size_t)(rows + 1) * (size_t)(columns + 1) * 8 + 64, at = 0;
    char *text = malloc(size), name[16];
    for (int c = 0; c < columns; c++)
        at += (size_t)sprintf(text + at, "a%d,", c);
    at += (size_t)sprintf(text + at, "p\n");
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            if (next_number(state, 8) == 0)
                text[at++] = ',';
            else
                at += (size_t)sprintf(text + at, "%03u,", next_number(state, values));
        }
        at += (size_t)sprintf(text + at, "p%u\n", next_number(state, people));
    }
    text[at] = '\0';
    fixture_open(f, text);
    free(text);
    for (int c = 0; c < columns; c++) {
        sprintf(name, "a%d", c);
        fixture_mask(f, name);
    }
}

static void random_levels(const fixture *f, uint64_t *state, int *levels)
{
    for (int32_t i = 0; i < f->frame.attribute_count; i++)
        levels[i] =
            (int)next_number(state, (uint32_t)tacit_hierarchy_height(f->hierarchies[i]) + 1);
}

static tacit_classes *count(const fixture *f, const int *levels, int threads)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_classes *classes = NULL;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_classes_new(&classes, &f->frame, levels, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return classes;
}

static tacit_classes *roll_up(const fixture *f, const tacit_classes *from, const int *levels)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_classes *classes = NULL;
    tacit_run_init(&run);
    if (tacit_classes_roll_up(&classes, &f->frame, from, levels, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return classes;
}

static uint32_t *assign(const fixture *f, const tacit_classes *classes)
{
    tacit_run run;
    tacit_error err = {0};
    uint32_t *class_of = malloc((size_t)tacit_table_rows(f->table) * sizeof *class_of + 1);
    tacit_run_init(&run);
    if (tacit_classes_assign(classes, &f->frame, class_of, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return class_of;
}

/* Rows and people that agree with a row. */
static void matches(const fixture *f, int64_t row, const int *levels, int64_t *rows,
                    int64_t *people)
{
    int64_t all = tacit_table_rows(f->table);
    *rows = *people = 0;
    for (int64_t i = 0; i < all; i++) {
        if (!same_on(f, row, i, UINT64_MAX, levels))
            continue;
        bool known = false;
        for (int64_t j = 0; j < i; j++)
            known |= person_of(f, i) == person_of(f, j) && same_on(f, row, j, UINT64_MAX, levels);
        ++*rows;
        *people += !known;
    }
}

static void check(const fixture *f, const tacit_classes *classes, const int *levels)
{
    int64_t rows = tacit_table_rows(f->table), sum = 0;
    uint32_t *class_of = assign(f, classes);
    assert_int_equal(tacit_classes_rows(classes), rows);
    assert_memory_equal(tacit_classes_levels(classes), levels,
                        (size_t)f->frame.attribute_count * sizeof *levels);
    for (int64_t r = 0; r < rows; r++) {
        int64_t same_rows, same_people, c = class_of[r];
        matches(f, r, levels, &same_rows, &same_people);
        assert_int_equal(tacit_classes_size(classes, c), same_rows);
        assert_int_equal(tacit_classes_people(classes, c), same_people);
        for (int32_t i = 0; i < f->frame.attribute_count; i++)
            assert_int_equal(tacit_classes_code(classes, c, i), value_on(f, r, i, levels[i]));
    }
    for (int64_t c = 0; c < tacit_classes_count(classes); c++) {
        assert_true(tacit_classes_size(classes, c) > 0);
        sum += tacit_classes_size(classes, c);
    }
    assert_int_equal(sum, rows); /* so no class is there twice */
    free(class_of);
}

static void check_same(const tacit_classes *a, const tacit_classes *b)
{
    assert_int_equal(tacit_classes_count(a), tacit_classes_count(b));
    for (int64_t c = 0; c < tacit_classes_count(a); c++) {
        assert_int_equal(a->groups.keys[c], b->groups.keys[c]);
        assert_int_equal(tacit_classes_size(a, c), tacit_classes_size(b, c));
        assert_int_equal(tacit_classes_people(a, c), tacit_classes_people(b, c));
    }
}

static void test_empty_single_identical(void **state)
{
    (void)state;
    const char *texts[] = {"a,b\n", "a,b\n1,2\n", "a,b\n1,2\n1,2\n1,2\n"};
    const int64_t sizes[] = {0, 1, 3};
    for (int t = 0; t < 3; t++) {
        fixture f;
        int levels[2] = {0, 0};
        fixture_open(&f, texts[t]);
        fixture_none(&f, "a");
        fixture_none(&f, "b");
        tacit_classes *classes = count(&f, levels, 1);
        assert_int_equal(tacit_classes_count(classes), t > 0);
        if (t > 0)
            assert_int_equal(tacit_classes_size(classes, 0), sizes[t]);
        check(&f, classes, levels);
        tacit_classes_free(classes);
        fixture_close(&f);
    }
    tacit_classes_free(NULL);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        fixture f;
        int levels[TACIT_MAX_ATTRIBUTES], higher[TACIT_MAX_ATTRIBUTES];
        int columns = 1 + (int)next_number(&seed, 5);
        random_fixture(&f, &seed, (int)next_number(&seed, 40), columns,
                       1 + next_number(&seed, 300));
        if (round % 2)
            f.frame.person = columns;
        random_levels(&f, &seed, levels);
        random_levels(&f, &seed, higher);
        for (int i = 0; i < columns; i++)
            higher[i] = higher[i] > levels[i] ? higher[i] : levels[i];
        tacit_classes *classes = count(&f, levels, 2), *rolled = roll_up(&f, classes, higher);
        check(&f, classes, levels);
        check(&f, rolled, higher);
        tacit_classes_free(rolled);
        tacit_classes_free(classes);
        fixture_close(&f);
    }
}

/* Twenty attributes of up to 120 values are 138 bits: three stages. */
static void test_wide_keys(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 4; round++) {
        fixture f;
        int ground[20] = {0}, levels[20];
        random_fixture(&f, &seed, 120, 20, 1000);
        if (round % 2)
            f.frame.person = 20;
        random_levels(&f, &seed, levels);
        tacit_classes *classes = count(&f, ground, 1), *threads = count(&f, ground, 7);
        tacit_classes *rolled = roll_up(&f, classes, levels);
        assert_true(classes->groups.coder.stages > 1);
        check(&f, classes, ground);
        check(&f, rolled, levels);
        check_same(classes, threads);
        tacit_classes_free(rolled);
        tacit_classes_free(threads);
        tacit_classes_free(classes);
        fixture_close(&f);
    }
}

static void test_most_attributes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fixture f;
    int levels[TACIT_MAX_ATTRIBUTES] = {0};
    enum { ALL_BUT_THE_PERSON = TACIT_MAX_COLUMNS - 1 };
    random_fixture(&f, &seed, 50, ALL_BUT_THE_PERSON, 1000);
    f.frame.person = ALL_BUT_THE_PERSON;
    tacit_classes *classes = count(&f, levels, 2);
    check(&f, classes, levels);
    tacit_classes_free(classes);
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    f.frame.attribute_count = TACIT_MAX_ATTRIBUTES + 1;
    assert_int_equal(tacit_classes_new(&classes, &f.frame, levels, &run, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "not 4097"));
    f.frame.attribute_count = ALL_BUT_THE_PERSON;
    fixture_close(&f);
}

/* Enough rows for several blocks and partitions; each class is checked by its
 * rows, and the number of classes by sorting. */
static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int64_t count_distinct(const fixture *f, const int *levels)
{
    int64_t rows = tacit_table_rows(f->table), distinct = 0;
    uint64_t *keys = malloc((size_t)rows * sizeof *keys);
    for (int64_t r = 0; r < rows; r++) {
        keys[r] = 0;
        for (int32_t i = 0; i < f->frame.attribute_count; i++)
            keys[r] = keys[r] * 1000 + value_on(f, r, i, levels[i]);
    }
    qsort(keys, (size_t)rows, sizeof *keys, compare_keys);
    for (int64_t r = 0; r < rows; r++)
        distinct += r == 0 || keys[r] != keys[r - 1];
    free(keys);
    return distinct;
}

static void check_large(const fixture *f, const tacit_classes *classes, const int *levels)
{
    int64_t rows = tacit_table_rows(f->table);
    uint32_t *class_of = assign(f, classes);
    int64_t *sizes = calloc((size_t)tacit_classes_count(classes), sizeof *sizes);
    for (int64_t r = 0; r < rows; r++) {
        sizes[class_of[r]]++;
        for (int32_t i = 0; i < f->frame.attribute_count; i++)
            assert_int_equal(tacit_classes_code(classes, class_of[r], i),
                             value_on(f, r, i, levels[i]));
    }
    assert_int_equal(tacit_classes_count(classes), count_distinct(f, levels));
    for (int64_t c = 0; c < tacit_classes_count(classes); c++)
        assert_int_equal(tacit_classes_size(classes, c), sizes[c]);
    free(sizes);
    free(class_of);
}

static void test_large_tables_and_threads(void **state)
{
    (void)state;
    uint64_t seed = 4;
    const int nodes[][4] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {1, 1, 1, 1}, {3, 3, 3, 3}};
    fixture f;
    random_fixture(&f, &seed, 150000, 4, 90);
    for (int person = 0; person < 2; person++)
        for (int n = 0; n < 4; n++) {
            f.frame.person = person ? 4 : -1;
            tacit_classes *one = count(&f, nodes[n], 1);
            tacit_classes *two = count(&f, nodes[n], 2), *seven = count(&f, nodes[n], 7);
            check_large(&f, one, nodes[n]);
            check_same(one, two);
            check_same(one, seven);
            tacit_classes_free(two);
            two = roll_up(&f, one, nodes[3]);
            assert_int_equal(tacit_classes_count(two), 1);
            assert_int_equal(tacit_classes_size(two, 0), 150000);
            assert_int_equal(tacit_classes_people(two, 0), tacit__people_of(&f.frame));
            tacit_classes_free(one);
            tacit_classes_free(two);
            tacit_classes_free(seven);
        }
    fixture_close(&f);
}

/* With k = 3, sizes 1, 2 and 5 fall into bins 0, 1 and 2, and 6 into bin 3. */
static void test_bins(void **state)
{
    (void)state;
    fixture f;
    int levels[1] = {0};
    tacit_size_bins bins;
    fixture_open(&f, "a,b\nx,1\ny,1\ny,1\nz,1\nz,1\nz,1\nz,1\nz,1\n");
    fixture_none(&f, "a");
    tacit_classes *classes = count(&f, levels, 1);
    tacit_size_bins_init(&bins, 3);
    tacit_size_bins_add_classes(&bins, classes);
    assert_int_equal(bins.rows[0], 1);
    assert_int_equal(bins.rows[1], 2);
    assert_int_equal(bins.rows[2], 5);
    assert_int_equal(bins.classes[0] + bins.classes[1] + bins.classes[2], 3);
    tacit_size_bins_add(&bins, 3, 7);
    tacit_size_bins_add(&bins, 6, 8);
    tacit_size_bins_add(&bins, 11, 9);
    tacit_size_bins_add(&bins, INT64_MAX, 1);
    assert_int_equal(bins.rows[2], 12);
    assert_int_equal(bins.rows[3], 17);
    tacit_classes_free(classes);
    fixture_close(&f);
}

static void test_bin_ranges(void **state)
{
    (void)state;
    const struct {
        int64_t k;
        int bin;
        int64_t from, to; /* from 0: no such sizes */
    } cases[] = {{5, 0, 1, 1}, {5, 1, 2, 4}, {5, 2, 5, 9}, {5, 3, 10, 19}, {5, 4, 20, 39},
                 {2, 0, 1, 1}, {2, 1, 0, 0}, {2, 2, 2, 3}, {1, 0, 0, 0},   {1, 1, 0, 0},
                 {1, 2, 1, 1}, {1, 3, 2, 3}, {3, 1, 2, 2}, {5, 63, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t from, to;
        bool any = tacit_size_bin_range(&from, &to, cases[i].k, cases[i].bin);
        assert_int_equal(any, cases[i].from > 0);
        if (any) {
            assert_int_equal(from, cases[i].from);
            assert_int_equal(to, cases[i].to);
        }
    }
}

/* Rows without a person count as one person's, within a class and beyond. */
static void test_missing_person(void **state)
{
    (void)state;
    fixture f;
    int ground[1] = {0}, top[1] = {1};
    fixture_open(&f, "a,p\nx,\nx,\nx,1\ny,\ny,1\n");
    fixture_none(&f, "a");
    f.frame.person = 1;
    tacit_classes *classes = count(&f, ground, 1), *all = roll_up(&f, classes, top);
    assert_int_equal(tacit_classes_count(classes), 2);
    assert_int_equal(tacit_classes_people(classes, 0), 2);
    assert_int_equal(tacit_classes_people(classes, 1), 2);
    assert_int_equal(tacit_classes_people(all, 0), 2);
    assert_int_equal(tacit__people_of(&f.frame), 2);
    tacit_classes_free(all);
    tacit_classes_free(classes);
    fixture_close(&f);
}

static bool refuse(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_cancelled(void **state)
{
    (void)state;
    fixture f;
    int levels[1] = {0};
    tacit_run run;
    tacit_error err = {0};
    tacit_classes *classes = NULL;
    fixture_open(&f, "a,b\nx,1\ny,2\n");
    fixture_none(&f, "a");
    tacit_run_init(&run);
    run.progress = refuse;
    assert_int_equal(tacit_classes_new(&classes, &f.frame, levels, &run, &err), TACIT_CANCELLED);
    assert_null(classes);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_single_identical),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_wide_keys),
        cmocka_unit_test(test_most_attributes),
        cmocka_unit_test(test_large_tables_and_threads),
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_bin_ranges),
        cmocka_unit_test(test_missing_person),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
