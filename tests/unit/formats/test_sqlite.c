/*
 * test_sqlite.c - databases: what SQLite has written is read with the types of its values, and goes
 * out with them; what is damaged is an error. tests/scripts/test_formats.py compares with Python's
 * own module.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/sqlite.h"
#include "formats_case.h"

static void reads_people(void **state)
{
    (void)state;
    tacit_table *table = read_file(CORPUS "people.sqlite#PEOPLE");
    says(table, "id", 1, "9007199254740993");
    says(table, "name", 0, "\xC3\xA9");
    says(table, "born", 0, "1899-12-31");
    says(table, "born", 1, "");
    says(table, "x", 1, "3");
    says(table, "b", 0, "00FF");
    has_type(table, "id", TACIT__TYPE_INTEGER);
    has_type(table, "x", TACIT__TYPE_REAL);
    has_type(table, "born", TACIT__TYPE_TEXT);
    tacit_table *copy = again(table, "x.db");
    assert_true(tacit_strview_equal(tacit_table_schema(copy)->detail, tacit_strview_of("people")));
    assert_true(
        tacit_strview_equal(column_of(copy, "name")->format, tacit_strview_of("VARCHAR(20)")));
    has_type(copy, "id", TACIT__TYPE_INTEGER);
    tacit_table_free(copy);
    tacit_table_free(table);
}

static void takes_any(void **state)
{
    (void)state;
    tacit_table *table = read_text(ANY), *copy = again(table, "x.sqlite3");
    has_type(copy, "huge", TACIT__TYPE_INTEGER);
    has_type(copy, "real", TACIT__TYPE_REAL);
    has_type(copy, "mixed", TACIT__TYPE_TEXT);
    tacit_table_free(copy);
    tacit_table_free(table);
}

static void refuses_columns(void **state)
{
    (void)state;
    tacit_table *table = read_text("age,Age\n1,2\n");
    refuses(table, "x.sqlite", "duplicate column name");
    tacit_table_free(table);
}

static void affinities(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        tacit__affinity affinity;
    } cases[] = {
        {"INT", TACIT__AFFINITY_INTEGER},           {"varchar(3)", TACIT__AFFINITY_TEXT},
        {"CHARINT", TACIT__AFFINITY_INTEGER},       {"", TACIT__AFFINITY_BLOB},
        {"double precision", TACIT__AFFINITY_REAL}, {"DATE", TACIT__AFFINITY_NUMERIC},
        {"STRING", TACIT__AFFINITY_NUMERIC},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(tacit__affinity_of(tacit_strview_of(cases[i].words)), cases[i].affinity);
}

static void damage(void **state)
{
    (void)state;
    damage_file(CORPUS "people.sqlite", 1);
    damage_file(CORPUS "many.sqlite", 3);
}

static void starves(void **state)
{
    (void)state;
    starve_some(hungry, &(hungry_case){CORPUS "people.sqlite", "x.sqlite"}, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_people),    cmocka_unit_test(takes_any),
        cmocka_unit_test(refuses_columns), cmocka_unit_test(affinities),
        cmocka_unit_test(damage),          cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
