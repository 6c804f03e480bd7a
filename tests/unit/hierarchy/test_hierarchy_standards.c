/*
 * test_hierarchy_standards.c - the shipped classifications: their numbers of entries as their
 * publishers state them, paths of codes, and what is no code.
 */
#include "../../support/hierarchy_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hierarchy/standard.h"

static void count_depths(const char *name, int counts[4], tacit__standard *standard)
{
    assert_int_equal(tacit__standard_open(standard, tacit_strview_of(name), NULL), TACIT_OK);
    memset(counts, 0, 4 * sizeof *counts);
    for (uint32_t i = 0; i < standard->count; i++)
        counts[standard->entries[i].depth]++;
}

/* Codes of so many characters over an alphabet that the standard has as codes. */
static int count_codes(const tacit__standard *standard, int digits)
{
    int known = 0, all = digits == 3 ? 1000 : 100;
    for (int i = 0; i < all; i++) {
        char code[8];
        tacit__arena arena = {0};
        tacit_strview labels[TACIT_MAX_LEVELS];
        snprintf(code, sizeof code, "%0*d", digits, i);
        known += tacit__standard_path(labels, standard, tacit_strview_of(code), &arena) >= 0;
        tacit__arena_clear(&arena);
    }
    return known;
}

static void test_counts(void **state)
{
    (void)state;
    int counts[4];
    tacit__standard s;
    count_depths("icd10", counts, &s);
    assert_int_equal(counts[1], 22);
    tacit__standard_close(&s);
    count_depths("isco08", counts, &s);
    assert_int_equal(counts[1], 10);
    assert_int_equal(counts[2], 43);
    assert_int_equal(count_codes(&s, 3), 130);
    tacit__standard_close(&s);
    count_depths("nace2", counts, &s);
    assert_int_equal(counts[1], 21);
    assert_int_equal(count_codes(&s, 2), 88);
    tacit__standard_close(&s);
    count_depths("us-states", counts, &s);
    assert_int_equal(counts[1], 5);
    assert_int_equal(counts[2], 10);
    assert_int_equal(count_codes(&s, 2), 56);
    tacit__standard_close(&s);
    count_depths("isced2011", counts, &s);
    assert_int_equal(counts[2], 10);
    tacit__standard_close(&s);
}

static void check_path(const char *name, const char *value, const char *expected)
{
    char text[512] = "";
    tacit__standard s;
    tacit__arena arena = {0};
    tacit_strview labels[TACIT_MAX_LEVELS];
    assert_int_equal(tacit__standard_open(&s, tacit_strview_of(name), NULL), TACIT_OK);
    if (tacit__standard_path(labels, &s, tacit_strview_of(value), &arena) >= 0)
        for (int i = 0; i <= tacit__standard_height(&s); i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", i ? ";" : "",
                     (int)labels[i].len, labels[i].bytes);
    assert_string_equal(text, expected);
    tacit__arena_clear(&arena);
    tacit__standard_close(&s);
}

static void test_paths(void **state)
{
    (void)state;
    check_path("icd10", "E11.9",
               "E11.9;E11;E10-E14;IV Endocrine, nutritional and metabolic "
               "diseases (E00-E90);*");
    check_path("icd10", "x70", "x70;X70;X60-X84;XX External causes (V01-Y98);*");
    check_path("isco08", "2221", "2221;222;22;2 Professionals;*");
    check_path("isco08", "2", "2;2;2;2 Professionals;*");
    check_path("nace2", "6201", "6201;62.0;62;J Information and communication;*");
    check_path("nace2", "J", "J;J;J;J Information and communication;*");
    check_path("nuts", "DE212", "DE212;DE21;DE2;DE;European Union;*");
    check_path("nuts", "DE2", "DE2;DE2;DE2;DE;European Union;*");
    check_path("us-states", "california", "california;Pacific;West;*");
    check_path("us-states", "6", "6;Pacific;West;*");
    check_path("age", "7", "7;5-9;0-14;0-14 years;*");
    check_path("age", "101", "101;85+;65+;65 years and over;*");
    check_path("age", "0-4", "0-4;0-4;0-14;0-14 years;*");
    check_path("isced2011", "344", "344;ISCED 3;medium (ISCED 3-4);*");
    static const char *const none[][2] = {
        {"icd10", "A29"},  {"icd10", "11"}, {"icd10", "E11.9.1"}, {"isco08", "110"},
        {"nace2", "620"},  {"nace2", "04"}, {"nuts", "US1"},      {"us-states", "New"},
        {"us-states", ""}, {"age", "131"},  {"age", "-1"},        {"age", "05"},
        {"age", "007"},    {"age", "1-3"}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check_path(none[i][0], none[i][1], "");
}

static void test_bound(void **state)
{
    (void)state;
    const char *values[] = {"DE2", "DE212", "", "FR101"};
    values_table table = values_table_new(values, 4);
    tacit_hierarchy_spec spec = {0};
    tacit_error err = {0};
    tacit_hierarchy *hierarchy = NULL;
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "standard:nuts", NULL, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_new(&hierarchy, &spec, table.table, VALUES_COLUMN, &err),
                     TACIT_OK);
    assert_null(hierarchy_problem(hierarchy, table.table, VALUES_COLUMN));
    assert_int_equal(tacit_hierarchy_height(hierarchy), 5);
    assert_int_equal(tacit_hierarchy_count(hierarchy, 2), 2); /* DE2 and FR1 */
    tacit_hierarchy_free(hierarchy);
    values_table_free(&table);
}

static void test_refused(void **state)
{
    (void)state;
    const char *values[] = {"DE2", "QQ1"};
    values_table table = values_table_new(values, 2);
    tacit_hierarchy_spec spec = {0};
    tacit_error err = {0};
    tacit_hierarchy *hierarchy = NULL;
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "standard:icd", NULL, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "icd10"));
    err = (tacit_error){0};
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "standard:nuts", NULL, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_new(&hierarchy, &spec, table.table, VALUES_COLUMN, &err),
                     TACIT_PARSE);
    assert_int_equal(err.line, 3);
    assert_null(strstr(err.message, "QQ1"));
    values_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
