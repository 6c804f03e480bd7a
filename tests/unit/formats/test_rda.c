/*
 * test_rda.c - data of tau-Argus and mu-Argus: variables at their places, types by their cells.
 * tests/scripts/test_formats.py compares with awk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/rda.h"
#include "formats_case.h"

#define DATA TACIT_SOURCE_DIR "/tests/data/"

static void reads_people(void **state)
{
    (void)state;
    tacit_table *table = read_file(DATA "people.asc");
    assert_int_equal(tacit_table_rows(table), 3);
    assert_int_equal(tacit_table_columns(table), 4);
    says(table, "name", 1, "Zo\xC3\xAB");
    says(table, "income", 1, "2.25");
    says(table, "income", 0, "01.5");
    says(table, "first", 1, "Z"); /* a part of another variable */
    says(table, "name", 2, "");
    has_type(table, "sex", TACIT__TYPE_INTEGER);
    has_type(table, "income", TACIT__TYPE_TEXT); /* 01.5 is no number's one form */
    tacit_table_free(again(table, "x.sav"));
    tacit_table_free(table);
}

static void starves(void **state)
{
    (void)state;
    starve_some(hungry, &(hungry_case){DATA "people.asc", "x.csv.gz"}, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_people),
        cmocka_unit_test(starves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
