/*
 * test_hierarchy_groups.c - groups by name and by frequency as files, what is refused, and every
 * allocation failed in turn.
 */
#include "starve.h"

#include "hierarchy_support.h"

static const char *const JOBS[] = {
    "nurse", "nurse, night", "nurse, night, ward 2", "driver (bus)", "driver (taxi)", "--",
    "",      "nurse",        "\xC3\xA4rztin"};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS };

/* The file that a grouping makes of values, or the message that refuses it. */
static void check_grouped(const char *const *values, size_t count, const char *by,
                          const char *expected)
{
    values_table table = values_table_new(values, count);
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    char *csv = NULL;
    tacit_status status = tacit_hierarchy_group(&h, by, table.table, VALUES_COLUMN, &err);
    if (status == TACIT_OK) {
        assert_null(hierarchy_problem(h, table.table, VALUES_COLUMN));
        assert_int_equal(tacit_hierarchy_text(&csv, h, &err), TACIT_OK);
    }
    assert_string_equal(status == TACIT_OK ? csv : err.message, expected);
    tacit_text_free(csv);
    tacit_hierarchy_free(h);
    values_table_free(&table);
}

static void test_by_name(void **state)
{
    (void)state;
    check_grouped(JOBS, JOB_COUNT, "name",
                  "\"--\";\"--\";\"--\";\"*\"\n"
                  "\"driver (bus)\";\"driver (bus)\";\"driver\";\"*\"\n"
                  "\"driver (taxi)\";\"driver (taxi)\";\"driver\";\"*\"\n"
                  "\"nurse\";\"nurse\";\"nurse\";\"*\"\n"
                  "\"nurse, night\";\"nurse, night\";\"nurse\";\"*\"\n"
                  "\"nurse, night, ward 2\";\"nurse, night\";\"nurse\";\"*\"\n"
                  "\"\xC3\xA4rztin\";\"\xC3\xA4rztin\";\"\xC3\xA4rztin\";\"*\"\n");
    /* Nothing shared, or all: a template. */
    static const char *const APART[] = {"a b", "c"}, *const ALIKE[] = {"a b", "a c"};
    check_grouped(APART, 2, "name", "\"a b\";\"a b\";\"*\"\n\"c\";\"c\";\"*\"\n");
    check_grouped(ALIKE, 2, "name", "\"a b\";\"a b\";\"*\"\n\"a c\";\"a c\";\"*\"\n");
}

static void test_by_frequency(void **state)
{
    (void)state;
    static const char *const VALUES[] = {"a",     "b",     "b", "c", "d", "d", "d", "",
                                         "other", "other", "d", "e", "e", "e", "e"};
    check_grouped(VALUES, 15, "frequency:2,3,4",
                  "\"a\";\"other\";\"other\";\"*\"\n\"b\";\"b\";\"other\";\"*\"\n"
                  "\"c\";\"other\";\"other\";\"*\"\n\"d\";\"d\";\"d\";\"*\"\n"
                  "\"e\";\"e\";\"e\";\"*\"\n\"other\";\"other\";\"other\";\"*\"\n");
    /* One rare value stays itself; all of them rare is no group but the top. */
    static const char *const ONE[] = {"a", "b", "b"};
    check_grouped(ONE, 3, "frequency:2,9", "\"a\";\"a\";\"*\"\n\"b\";\"b\";\"*\"\n");
}

/* Groups by name are as rare as their values together. */
static void test_by_both(void **state)
{
    (void)state;
    static const char *const VALUES[] = {"a x", "a y", "b", "c", "d", "d", "d"};
    check_grouped(VALUES, 7, "name+frequency:2,4",
                  "\"a x\";\"a\";\"a\";\"*\"\n\"a y\";\"a\";\"a\";\"*\"\n"
                  "\"b\";\"b\";\"other\";\"*\"\n\"c\";\"c\";\"other\";\"*\"\n"
                  "\"d\";\"d\";\"d\";\"*\"\n");
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"",
                                        "names",
                                        "frequency",
                                        "frequency:",
                                        "frequency:1",
                                        "frequency:5,5",
                                        "frequency:5,",
                                        "frequency:5 9",
                                        "frequency:-5",
                                        "frequency:9999999999999",
                                        "name+",
                                        "namefrequency:2",
                                        "name+frequency:"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char expected[256];
        snprintf(expected, sizeof expected,
                 "groups are made by name, by frequency:N,N,... (numbers of rows above 1 that "
                 "ascend, at most 16) or by name+frequency:N,N,..., not by \"%s\"",
                 WRONG[i]);
        check_grouped(JOBS, JOB_COUNT, WRONG[i], expected);
    }
    values_table table = values_table_new(JOBS, JOB_COUNT);
    tacit_hierarchy *h = NULL;
    static const char SIXTEEN[] = "frequency:2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17";
    static const char SEVENTEEN[] = "frequency:2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18";
    assert_int_equal(tacit_hierarchy_group(&h, SEVENTEEN, table.table, VALUES_COLUMN, NULL),
                     TACIT_INVALID);
    assert_int_equal(tacit_hierarchy_group(&h, SIXTEEN, table.table, VALUES_COLUMN, NULL),
                     TACIT_OK);
    tacit_hierarchy_free(h);
    values_table_free(&table);
}

static tacit_status attempt(void *context, tacit_error *err)
{
    static const char *const HOW[] = {"name", "frequency:2", "name+frequency:2"};
    const values_table *table = context;
    tacit_status status = TACIT_OK;
    for (int i = 0; i < 3 && status == TACIT_OK; i++) {
        tacit_hierarchy *h = STARVE_UNTOUCHED;
        char *csv = STARVE_UNTOUCHED;
        status = tacit_hierarchy_group(&h, HOW[i], table->table, VALUES_COLUMN, err);
        if (status != TACIT_OK) {
            assert_ptr_equal(h, STARVE_UNTOUCHED);
            return status;
        }
        status = tacit_hierarchy_text(&csv, h, err);
        tacit_hierarchy_free(h);
        if (status == TACIT_OK)
            tacit_text_free(csv);
        else
            assert_ptr_equal(csv, STARVE_UNTOUCHED);
    }
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    values_table table = values_table_new(JOBS, JOB_COUNT);
    assert_true(starve(attempt, &table) > 20);
    values_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_name), cmocka_unit_test(test_by_frequency),
        cmocka_unit_test(test_by_both), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
