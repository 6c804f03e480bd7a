/*
 * test_dependencies_data.c - the dependencies of real tables, where these are at hand: what was
 * found holds and is minimal, and of sets of columns drawn by chance those and only those lead
 * to a column that have one of them within.
 */
#include "dependencies.h"

#define DATA TACIT_SOURCE_DIR "/../shared/data/"

typedef struct data {
    tacit_table *table;
    tacit_dependencies *found;
    int32_t columns;
} data;

static void data_open(data *d, const char *path, bool header)
{
    int32_t columns[TACIT_DEPENDENCY_COLUMNS];
    tacit_csv_options options;
    tacit_error err = {0};
    *d = (data){0};
    if (access(path, R_OK) != 0) {
        print_message("%s is not at hand\n", path);
        skip();
    }
    tacit_csv_options_init(&options);
    options.no_header = !header;
    options.pass_stray_end = true;
    if (tacit_table_read(&d->table, path, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    d->columns = first_columns(columns, tacit_table_columns(d->table));
    if (tacit_dependencies_find(&d->found, d->table, columns, d->columns, 0, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(d->found->end, TACIT_OK);
    assert_int_equal(d->found->complete, d->columns);
}

static void data_close(data *d)
{
    tacit_dependencies_free(d->found);
    tacit_table_free(d->table);
}

/* Rows sorted by the columns of a set tell whether it leads to another. */
static const data *sorted_data;
static uint64_t sorted_by;

static int compare_on(int64_t x, int64_t y, uint64_t set)
{
    for (; set; set &= set - 1) {
        tacit_codes_view codes = tacit_table_codes(sorted_data->table, __builtin_ctzll(set));
        uint32_t a = tacit_codes_at(codes, x), b = tacit_codes_at(codes, y);
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

static int compare_rows(const void *a, const void *b)
{
    return compare_on(*(const uint32_t *)a, *(const uint32_t *)b, sorted_by);
}

static bool leads(const data *d, uint64_t left, int32_t right)
{
    int64_t rows = tacit_table_rows(d->table);
    uint32_t *order = malloc((size_t)rows * sizeof *order);
    bool holds = true;
    for (int64_t i = 0; i < rows; i++)
        order[i] = (uint32_t)i;
    sorted_data = d;
    sorted_by = left;
    qsort(order, (size_t)rows, sizeof *order, compare_rows);
    for (int64_t i = 1; i < rows && holds; i++)
        holds = compare_on(order[i - 1], order[i], left) != 0 ||
                compare_on(order[i - 1], order[i], UINT64_C(1) << right) == 0;
    free(order);
    return holds;
}

static bool follows(const data *d, uint64_t left, int32_t right)
{
    for (int64_t i = 0; i < d->found->count; i++)
        if (d->found->list[i].right == right && !(d->found->list[i].left & ~left))
            return true;
    return false;
}

static void check(const data *d, int sets)
{
    uint64_t seed = 11;
    for (int i = 0; i < sets; i++) {
        int32_t right = (int32_t)next_number(&seed, (uint32_t)d->columns);
        uint64_t left = 0, share = 1 + next_number(&seed, 9);
        for (int32_t c = 0; c < d->columns; c++)
            left |= (uint64_t)(c != right && next_number(&seed, 10) < share) << c;
        assert_int_equal(leads(d, left, right), follows(d, left, right));
    }
    for (int i = 0; d->found->count && i < sets / 4; i++) {
        tacit_dependency one = d->found->list[next_number(&seed, (uint32_t)d->found->count)];
        assert_true(leads(d, one.left, one.right));
        for (uint64_t left = one.left; left; left &= left - 1)
            assert_false(leads(d, one.left & ~(left & -left), one.right));
    }
}

/* Nine columns and no dependency at all: for every column two people differ in it alone. */
static void adult(void **state)
{
    (void)state;
    data d;
    data_open(&d, DATA "adult/adult.csv", true);
    assert_int_equal(d.found->count, 0);
    for (int32_t right = 0; right < d.columns; right++)
        assert_false(leads(&d, ((UINT64_C(1) << d.columns) - 1) & ~(UINT64_C(1) << right), right));
    data_close(&d);
}

static void mushroom(void **state)
{
    (void)state;
    data d;
    data_open(&d, DATA "suda2/mushroom_int_8124x23.csv", false);
    assert_int_equal(d.found->count, 3584);
    check(&d, 100);
    data_close(&d);
}

static void testdata(void **state)
{
    (void)state;
    data d;
    data_open(&d, DATA "sdcmicro/testdata.csv", true);
    assert_int_equal(d.found->count, 78);
    check(&d, 200);
    data_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adult),
        cmocka_unit_test(mushroom),
        cmocka_unit_test(testdata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
