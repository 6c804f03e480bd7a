/*
 * test_xlsx.c - workbooks: what openpyxl has written is read with its types, and goes out with
 * them; what is damaged is an error. tests/scripts/test_formats.py compares with openpyxl.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/xlsx.h"
#include "formats_case.h"

static void reads_people(void **state)
{
    (void)state;
    tacit_table *table = read_file(CORPUS "people.xlsx#people");
    assert_int_equal(tacit_table_rows(table), 4);
    says(table, "house", 1, "h1"); /* merged with the cell above */
    says(table, "house", 2, "");
    says(table, "name", 1, "a, \"b\"\nc");
    says(table, "born", 0, "1965-09-20");
    says(table, "born", 3, "2020-02-29T23:59:59");
    has_type(table, "name", TACIT__TYPE_TEXT);
    has_type(table, "born", TACIT__TYPE_TEXT); /* of dates and moments */
    has_type(table, "x", TACIT__TYPE_REAL);
    has_type(table, "yes", TACIT__TYPE_BOOLEAN);
    tacit_table *copy = again(table, "x.xlsx");
    assert_true(tacit_strview_equal(tacit_table_schema(copy)->detail, tacit_strview_of("people")));
    has_type(copy, "x", TACIT__TYPE_REAL);
    has_type(copy, "yes", TACIT__TYPE_BOOLEAN);
    tacit_table_free(copy);
    tacit_table_free(table);
}

static void counts_since_1904(void **state)
{
    (void)state;
    tacit_table *table = read_file(CORPUS "since1904.xlsx");
    says(table, "day", 0, "1904-01-02");
    says(table, "day", 1, "05:06:07");
    tacit_table_free(table);
}

static void takes_any(void **state)
{
    (void)state;
    tacit_table *table = read_text(ANY);
    tacit_table *copy = again(table, "x.xlsx");
    has_type(copy, "huge", TACIT__TYPE_TEXT);
    has_type(copy, "mixed", TACIT__TYPE_TEXT);
    has_type(copy, "day", TACIT__TYPE_TEXT); /* one is of year 1 */
    has_type(copy, "tiny", TACIT__TYPE_INTEGER);
    has_type(copy, "real", TACIT__TYPE_REAL);
    tacit_table_free(copy);
    tacit_table_free(table);
}

static void refuses_long_cells(void **state)
{
    (void)state;
    static char text[32770 + 8] = "a\n";
    memset(text + 2, 'x', 32768);
    tacit_table *table = read_text(text);
    refuses(table, "x.xlsx", "column \"a\"");
    tacit_table_free(table);
}

static void places(void **state)
{
    (void)state;
    static const int32_t columns[] = {0, 25, 26, 701, 702, 16383};
    static const char *const letters[] = {"A", "Z", "AA", "ZZ", "AAA", "XFD"};
    int32_t row = 0, column = 0;
    for (size_t i = 0; i < COUNT(columns); i++) {
        assert_string_equal(tacit__xlsx_column(columns[i]).text, letters[i]);
        assert_int_equal(tacit__xlsx_place(&row, &column, letters[i]), strlen(letters[i]));
        assert_int_equal(row, -1);
        assert_int_equal(column, columns[i]);
    }
    assert_int_equal(tacit__xlsx_place(&row, &column, "$BC$23:x"), 6);
    assert_int_equal(row, 22);
    assert_int_equal(tacit__xlsx_place(&row, &column, "XFE1"), 0);
    assert_int_equal(tacit__xlsx_place(&row, &column, "A1048577"), 0);
    assert_int_equal(tacit__xlsx_place(&row, &column, "12"), 0);
}

static void escapes(void **state)
{
    (void)state;
    char text[] = "_x0041__x00e9__x20AC__xD83D__x0000__x12_";
    size_t len = tacit__xlsx_unescape(text, sizeof text - 1);
    assert_int_equal(len, strlen("A\xC3\xA9\xE2\x82\xAC_xD83D__x0000__x12_"));
    assert_memory_equal(text, "A\xC3\xA9\xE2\x82\xAC_xD83D__x0000__x12_", len);
}

static void damage(void **state)
{
    (void)state;
    damage_file(CORPUS "stored.xlsx", 3);
    damage_file(CORPUS "people.xlsx", 3);
}

static void starves(void **state)
{
    (void)state;
    starve_some(hungry, &(hungry_case){CORPUS "people.xlsx#people", "x.xlsx"}, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_people), cmocka_unit_test(counts_since_1904),
        cmocka_unit_test(takes_any),    cmocka_unit_test(refuses_long_cells),
        cmocka_unit_test(places),       cmocka_unit_test(escapes),
        cmocka_unit_test(damage),       cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
