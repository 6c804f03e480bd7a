/*
 * test_missing_codes.c - cells that say a code of a missing value are read as empty ones, whatever
 * their quotes, and nothing else changes; beside the guard against spreadsheets, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "missing_case.h"
#include "random_cases.h"

static tacit_table *read_coded(const char *csv, tacit_csv_options *options)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    options->missing = missing_codes_of;
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), "f", options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

static void assert_row(const tacit_table *table, int64_t row, const char *a, const char *b)
{
    tacit_strview cells[2];
    assert_int_equal(tacit_table_columns(table), 2);
    tacit_table_row(table, row, cells);
    assert_true(tacit_strview_equal(cells[0], tacit_strview_of(a)));
    assert_true(tacit_strview_equal(cells[1], tacit_strview_of(b)));
}

/* The header stays, a column without codes stays, and so does what only looks like a code. */
static void test_reading(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_table *table =
        read_coded("NA;b\r\nNA;NA\r\n\"999\";\"\"\r\n\"\";.\r\n NA;1\r\n999.0;na\r\n.;-", &options);
    assert_true(tacit_strview_equal(tacit_table_name(table, 0), tacit_strview_of("NA")));
    assert_row(table, 0, "", "NA");
    assert_row(table, 1, "", "\"\"");
    assert_row(table, 2, "", ".");
    assert_row(table, 3, " NA", "1");
    assert_row(table, 4, "999.0", "na");
    assert_row(table, 5, "", "-");
    tacit_table_free(table);
}

/* A code that begins like a formula is missing; others get their apostrophe. */
static void test_guarded(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.guard = TACIT_GUARD_CELLS;
    tacit_table *table = read_coded("a,c\n-,=1\n-1,\"-\"\n", &options);
    assert_row(table, 0, "", "'=1");
    assert_row(table, 1, "-1", "");
    tacit_table_free(table);
}

/* A file of one column has no empty lines, and one without a header begins with its first cell. */
static void test_edges(void **state)
{
    (void)state;
    static const char *const files[] = {"NA",
                                        "NA\n",
                                        "a\nNA\n\"NA\"\n1\n",
                                        "NA,NA",
                                        "NA,1\n.,",
                                        "\"NA",
                                        "a,b\n\"NA\"x,1\n",
                                        "a\nNA\r",
                                        "",
                                        "a,b\nNA\n",
                                        "\"NA\"\r",
                                        "a\r\nNA\r\n",
                                        "a,b\n\"NA\",1,",
                                        "a,b\nNA,1,"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int header = 0; header < 2; header++) {
            tacit_csv_options options;
            tacit_csv_options_init(&options);
            options.no_header = !header;
            options.pass_stray_end = true;
            if (!missing_case_holds(tacit_strview_of(files[i]), &options))
                fail_msg("file %zu", i);
        }
}

static void test_random(void **state)
{
    static const char *const parts[] = {"NA", ".",  "-",  "999", "\"", "\"NA\"", ",",    ",",
                                        "\n", "\n", "\r", "x",   "b",  "n/a",    "\"\"", ";"};
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(5000); ++*seed) {
        tacit__random random;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "file", 0);
        char text[256] = "";
        if (tacit__random_below(&random, 2))
            strcpy(text, "a,b\n");
        for (uint32_t n = tacit__random_below(&random, 16); n > 0; n--)
            strcat(text, parts[tacit__random_below(&random, sizeof parts / sizeof *parts)]);
        tacit_csv_options options;
        tacit_csv_options_init(&options);
        options.no_header = tacit__random_below(&random, 2);
        options.delimiter = tacit__random_below(&random, 2) ? ',' : 0;
        options.pass_stray_end = tacit__random_below(&random, 2);
        if (!missing_case_holds(tacit_strview_of(text), &options))
            fail_msg("%s", text);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_edges),
        random_test(test_random, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
