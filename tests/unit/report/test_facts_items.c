/*
 * test_facts_items.c - lists of objects that differ, headings that are copied, shares, and words
 * for what is not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include <tacit/experimental/facts.h>

static tacit_report *open_report(void)
{
    tacit_report *report = NULL;
    assert_int_equal(tacit_report_new(&report, "A title", NULL), TACIT_OK);
    return report;
}

typedef tacit_status (*renderer)(char **out, const tacit_report *report, tacit_error *err);

static void check_text(const tacit_report *report, renderer render, const char *expected)
{
    char *text = NULL;
    assert_int_equal(render(&text, report, NULL), TACIT_OK);
    if (!strstr(text, expected))
        fail_msg("not there: %s\nin: %s", expected, text);
    tacit_text_free(text);
}

static void items_hold_what_is_entered(void **state)
{
    (void)state;
    tacit_report *report = open_report();
    for (int i = 0; i < 2; i++) {
        tacit_report_item(report, "list");
        tacit_report_integer(report, "number", i);
        tacit_report_push_integer(report, "inner.numbers", 10 + i);
        tacit_report_leave(report);
    }
    tacit_report_bool(report, "after", true);
    check_text(report, tacit_report_json,
               "{\n  \"list\": [\n"
               "    {\n      \"number\": 0,\n      \"inner\": {\n        \"numbers\": [\n"
               "          10\n        ]\n      }\n    },\n"
               "    {\n      \"number\": 1,\n      \"inner\": {\n        \"numbers\": [\n"
               "          11\n        ]\n      }\n    }\n  ],\n  \"after\": true\n}\n");
    tacit_report_free(report);
}

/* Headings and paths of a table need not outlive its filling. */
static void columns_are_copied(void **state)
{
    (void)state;
    tacit_report *report = open_report();
    char heading[8] = "second";
    {
        const tacit_report_column columns[] = {
            {.key = "a", .heading = "first"},
            {.key = "b.c", .heading = heading, .format = "%.1f%%", .scale = 100}};
        tacit_report_begin(report, &(tacit_report_table){.name = "rows",
                                                         .title = "Rows",
                                                         .printed = true,
                                                         .columns = columns,
                                                         .column_count = 2});
    }
    tacit_report_cell(report, "x");
    tacit_report_cell_real(report, 0.125);
    memset(heading, '?', sizeof heading - 1);
    check_text(report, tacit_report_json, "\"b\": {\n        \"c\": 0.125\n      }");
    check_text(report, tacit_report_print, "  first  second\n  x       12.5%\n");
    check_text(report, tacit_report_html, ">second</th>");
    tacit_report_free(report);
}

static void what_is_not_there_has_words(void **state)
{
    (void)state;
    static const tacit_report_column COLUMNS[] = {
        {.key = "a", .heading = "a"}, {.key = "b", .heading = "b", .none = "not asked"}};
    tacit_report *report = open_report();
    tacit_report_line(report, "", "A sentence by itself.");
    tacit_report_begin(
        report,
        &(tacit_report_table){.name = "t", .title = "T", .columns = COLUMNS, .column_count = 2});
    tacit_report_cell_integer(report, 1);
    tacit_report_cell_none(report);
    check_text(report, tacit_report_json, "{\n      \"a\": 1\n    }");
    check_text(report, tacit_report_html, ">not asked</td>");
    check_text(report, tacit_report_html, ">A sentence by itself.</p>");
    tacit_report_free(report);
}

typedef struct measured {
    double share;
    int64_t count;
} measured;

static void shares_are_shown_in_percent(void **state)
{
    (void)state;
    static const tacit_field FIELDS[] = {
        TACIT_FIELD_SHARE(measured, share, "share", "share of all", 1),
        TACIT_FIELD(measured, count, "count", NULL, 0),
    };
    tacit_report *report = open_report();
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &(measured){0.5, 7});
    check_text(report, tacit_report_json, "{\n  \"share\": 0.5,\n  \"count\": 7\n}\n");
    check_text(report, tacit_report_html, "<dt>share of all</dt><dd>50.0 %</dd>");
    tacit_report_free(report);
    report = open_report();
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &(measured){NAN, 0});
    check_text(report, tacit_report_json, "\"share\": null");
    check_text(report, tacit_report_html, "<dd>\xE2\x80\x93</dd>");
    tacit_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_hold_what_is_entered),
        cmocka_unit_test(columns_are_copied),
        cmocka_unit_test(what_is_not_there_has_words),
        cmocka_unit_test(shares_are_shown_in_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
