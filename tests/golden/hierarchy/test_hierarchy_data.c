/*
 * test_hierarchy_data.c - every hierarchy of the real data sets bound to its
 * column, where the data is at hand. Heights are the number of columns of each
 * file less one: all end in `*`. The .hrc files of the cells' README have the
 * shapes given there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "hierarchy_support.h"

#define DATA         TACIT_SOURCE_DIR "/../shared/data/"
#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct column_case {
    const char *name;
    int height;
    uint32_t leaves;
} column_case;

static const column_case adult[] = {
    {"sex", 1, 2},        {"age", 4, 100},          {"race", 1, 5},
    {"education", 3, 16}, {"marital-status", 2, 7}, {"native-country", 2, 41},
    {"workclass", 2, 8},  {"occupation", 2, 14},    {"salary-class", 1, 2}};

static const column_case fars[] = {{"iage", 5, 100},     {"irace", 2, 20},  {"ideathmon", 3, 14},
                                   {"ideathday", 3, 33}, {"isex", 1, 3},    {"ihispanic", 2, 10},
                                   {"istatenum", 3, 57}, {"iinjury", 2, 10}};

/* Says so and skips where a file is absent. */
static void need(const char *path)
{
    if (access(path, R_OK) == 0)
        return;
    print_message("%s is not at hand\n", path);
    skip();
}

static void bind_columns(const char *table_path, const char *hierarchy_format,
                         const column_case *cases, size_t count)
{
    need(table_path);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_table *table = NULL;
    assert_int_equal(tacit_table_read(&table, table_path, &options, NULL, NULL), TACIT_OK);
    for (size_t i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, hierarchy_format, cases[i].name);
        tacit_hierarchy_spec spec = {0};
        tacit_hierarchy *h = NULL;
        tacit_error err = {0};
        int32_t column = tacit_table_find(table, tacit_strview_of(cases[i].name));
        assert_int_equal(tacit_hierarchy_spec_parse(&spec, path, NULL, &err), TACIT_OK);
        tacit_hierarchy_new(&h, &spec, table, column, &err);
        assert_string_equal(err.message, "");
        assert_null(hierarchy_problem(h, table, column));
        assert_int_equal(tacit_hierarchy_height(h), cases[i].height);
        assert_int_equal(tacit_hierarchy_leaves(h), cases[i].leaves);
        tacit_hierarchy_free(h);
        tacit_hierarchy_spec_clear(&spec);
    }
    tacit_table_free(table);
}

static void adult_columns(void **state)
{
    (void)state;
    bind_columns(DATA "adult/adult.csv", DATA "adult/adult_hierarchy_%s.csv", adult, COUNT(adult));
}

static void fars_columns(void **state)
{
    (void)state;
    bind_columns(DATA "fars_subset/fars_subset.csv", DATA "fars_subset/fars_hierarchy_%s.csv", fars,
                 COUNT(fars));
}

typedef struct hrc_case {
    const char *file;
    const char *leaf, *labels[3]; /* a leaf and its ancestors */
    int height;
    uint32_t leaves;
} hrc_case;

static void hrc_files(void **state)
{
    (void)state;
    const hrc_case cases[] = {{"meindl_a.dim1.hrc", "a305", {"a202", "a101", "Ta"}, 3, 47},
                              {"meindl_a.dim2.hrc", "b206", {"b102", "Tb"}, 2, 19},
                              {"meindl_a.dim3.hrc", "c205", {"c101", "Tc"}, 2, 15},
                              {"flat40x30.dim1.hrc", "a111", {"Ta"}, 1, 40}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[512], text[32];
        snprintf(path, sizeof path, DATA "cells/%s", cases[i].file);
        need(path);
        values_table values = values_table_new(&cases[i].leaf, 1);
        tacit_hierarchy_spec spec = {.no_suppression = true};
        tacit_hierarchy *h = NULL;
        assert_int_equal(tacit_hierarchy_spec_parse(&spec, path, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, NULL),
                         TACIT_OK);
        assert_int_equal(tacit_hierarchy_height(h), cases[i].height);
        assert_int_equal(tacit_hierarchy_leaves(h), cases[i].leaves);
        for (int level = 1; level <= cases[i].height; level++)
            assert_string_equal(label_of(h, level, 0, text, sizeof text),
                                cases[i].labels[level - 1]);
        tacit_hierarchy_free(h);
        tacit_hierarchy_spec_clear(&spec);
        values_table_free(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adult_columns),
        cmocka_unit_test(fars_columns),
        cmocka_unit_test(hrc_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
