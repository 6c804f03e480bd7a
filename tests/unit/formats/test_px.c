/*
 * test_px.c - PC-Axis files: what others write is read, whole tables go out and come back, and what
 * is no whole table or no such file is refused. tests/scripts/test_forms.py reads them with a
 * parser of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "formats_case.h"

#define HEAD "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\n"
#define SEX  "VALUES(\"sex\")=\"men\",\"women\";\n"

static tacit_table *px(const char *text)
{
    tacit_csv_options options = converting();
    tacit_table *table = NULL;
    tacit_error err = {0};
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", &options, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static void reads_files(void **state)
{
    (void)state;
    tacit_table *table =
        px(HEAD "LANGUAGE=\"en\";\nTITLE[sv]=\"a;b\";\nTITLE=\"long \"\n\"title\";\n"
                "CONTENTS=\"People\";STUB=\"area\",\"sex\";HEADING=\"year\";\n"
                "VALUES(\"area\")=\"North \"\n\"East\",\"South\";\n" SEX
                "VALUES(\"year\")=\"2019\",\"2020\";\n"
                "CODES(\"area\")=\"1\",\"2\";\nTIMEVAL(\"year\")=TLIST(A1),\"2019\","
                "\"2020\";\nDATA=\n1 2.5 \n\"..\" - \n-5 6\n7 \"...\";\n");
    assert_int_equal(tacit_table_rows(table), 8);
    says(table, "area", 0, "1");
    says(table, "area", 7, "2");
    says(table, "sex", 2, "women");
    says(table, "year", 3, "2020");
    says(table, "People", 1, "2.5");
    says(table, "People", 2, "..");
    says(table, "People", 3, "0");
    says(table, "People", 4, "-5");
    says(table, "People", 7, "...");
    tacit_table_free(table);
}

static void reads_old_letters(void **state)
{
    (void)state;
    tacit_table *table = px("CHARSET=\"ANSI\";HEADING=\"l\xE4n\";VALUES(\"l\xE4n\")=\"\xD6rebro\";"
                            "DATA=3;");
    says(table, "l\xC3\xA4n", 0, "\xC3\x96rebro");
    says(table, "value", 0, "3");
    tacit_table_free(table);
}

static void refuses_files(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {HEAD, "KEYWORD=value is expected"},
        {HEAD "DATA=1;", "STUB and HEADING are missing"},
        {HEAD "STUB=\"sex\";DATA=1;", "a variable of STUB or HEADING has no VALUES"},
        {HEAD "STUB=\"sex\";HEADING=\"sex\";" SEX "DATA=1 2 3 4;",
         "a variable stands twice in STUB and HEADING"},
        {HEAD "STUB=\"sex\";" SEX "DATA=1;", "DATA has fewer cells than VALUES make up"},
        {HEAD "STUB=\"sex\";" SEX "DATA=1 2 3;", "DATA has more cells than VALUES make up"},
        {HEAD "STUB=\"sex\";" SEX "CODES(\"sex\")=\"m\";DATA=1 2;",
         "a variable has not as many CODES as VALUES"},
        {HEAD "STUB=\"sex;", "a text has no closing quote"},
        {HEAD "STUB=sex;", "a list of texts in quotes is expected"},
        {HEAD "TITLE=\"t\"", "a semicolon is missing"},
        {HEAD "KEYS(\"sex\")=CODES;", "files with KEYS, which leave rows out, are not read"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_table *table = NULL;
        tacit_error err = {0};
        tacit_csv_options options;
        tacit_csv_options_init(&options);
        options.convert = tacit_formats_convert;
        assert_int_equal(tacit_table_read_memory(&table, tacit_strview_of(CASES[i][0]), "f",
                                                 &options, NULL, &err),
                         TACIT_PARSE);
        assert_string_equal(err.message, CASES[i][1]);
        assert_true(err.line > 0);
    }
}

static void whole_tables_come_back(void **state)
{
    (void)state;
    static const char *const TABLES[] = {
        "a,v\nx,1\n",
        "a,b,v\nx,p,1\nx,q,..\ny,p,-3.25\ny,q,0\n",
        "a,b,c,v\nx,p,1,1\nx,p,2,2\nx,q,1,3\nx,q,2,4\n\xC3\xA9; y,p,1,5\n\xC3\xA9; y,p,2,6\n"
        "\xC3\xA9; y,q,1,7\n\xC3\xA9; y,q,2,......\n",
    };
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        tacit_table *table = read_text(TABLES[i]);
        tacit_table_free(again(table, "x.px"));
        tacit_table_free(table);
    }
}

static void refuses_tables(void **state)
{
    (void)state;
    static const char *const TABLES[] = {
        "v\n1\n",                              /* no variable */
        "a,v\nx,1\nx,2\n",                     /* a code twice */
        "a,b,v\nx,p,1\nx,q,2\ny,p,3\n",        /* a combination is missing */
        "a,b,v\nx,p,1\ny,p,2\nx,q,3\ny,q,4\n", /* in another order */
        "a,v\nx,1e5\n",                        /* no such number */
        "a,v\nx,.......\n",                    /* too many dots */
        "a,v\nx,5.\n",
        "a,v\nx,\n",
        "a,v\n\"x\"\"y\",1\n",
        "a,v\n\"x\ny\",1\n",
        "a,v\n,1\n",
        "\"a\"\"b\",v\nx,1\n",
    };
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        tacit_table *table = read_text(TABLES[i]);
        tacit_error err = {0};
        FILE *file = tmpfile();
        assert_int_equal(tacit_format_write(fileno(file), "x.px", tacit_format_of_name("x.px"),
                                            NULL, table, NULL, &err),
                         TACIT_INVALID);
        fclose(file);
        tacit_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_files),    cmocka_unit_test(reads_old_letters),
        cmocka_unit_test(refuses_files),  cmocka_unit_test(whole_tables_come_back),
        cmocka_unit_test(refuses_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
