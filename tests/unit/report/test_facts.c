/*
 * test_facts.c - a report that is filled once and rendered three ways: the JSON to the letter, the
 * text to the letter, and of the page that everything is there, in its order.
 */
#include <math.h>

#include <tacit/experimental/facts.h>

#include "pages.h"

#define VIEW(text) ((tacit_strview){text, sizeof(text) - 1})

static tacit_report *new_report(void)
{
    tacit_report *report = NULL;
    assert_int_equal(tacit_report_new(&report, "Facts", NULL), TACIT_OK);
    return report;
}

static void assert_json(tacit_report *report, const char *expected)
{
    char *json = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_report_json(&json, report, &err), TACIT_OK);
    assert_string_equal(json, expected);
    tacit_text_free(json);
    tacit_report_free(report);
}

static void test_empty(void **state)
{
    (void)state;
    assert_json(new_report(), "{}\n");
    tacit_report_free(NULL);
}

static void test_keeps_order(void **state)
{
    (void)state;
    tacit_report *report = new_report();
    tacit_report_text(report, "tacit", "0.1.0");
    tacit_report_integer(report, "rows", INT64_C(9007199254740993));
    tacit_report_real(report, "seconds.read", 0.25);
    tacit_report_bool(report, "holds", true);
    tacit_report_real(report, "seconds.write", 1);
    tacit_report_integer(report, "rows", 7); /* replaced, in its place */
    assert_json(report, "{\n"
                        "  \"tacit\": \"0.1.0\",\n"
                        "  \"rows\": 7,\n"
                        "  \"seconds\": {\n"
                        "    \"read\": 0.25,\n"
                        "    \"write\": 1.0\n"
                        "  },\n"
                        "  \"holds\": true\n"
                        "}\n");
}

static void test_reals(void **state)
{
    (void)state;
    tacit_report *report = new_report();
    tacit_report_real(report, "third", 1.0 / 3);
    tacit_report_real(report, "tenth", 0.1);
    tacit_report_real(report, "nan", NAN);
    tacit_report_real(report, "infinite", -INFINITY);
    assert_json(report, "{\n"
                        "  \"third\": 0.333333333333,\n"
                        "  \"tenth\": 0.1,\n"
                        "  \"nan\": null,\n"
                        "  \"infinite\": null\n"
                        "}\n");
}

static void test_lists(void **state)
{
    (void)state;
    tacit_report *report = new_report();
    tacit_report_push_text(report, "quasi", VIEW("ZIP"));
    tacit_report_push_text(report, "quasi", VIEW("sex"));
    tacit_report_list(report, "findings");
    static const tacit_report_column COLUMNS[] = {
        {.key = "name"}, {.key = "sizes"}, {.key = "low"}};
    tacit_report_begin(
        report, &(tacit_report_table){.name = "columns", .columns = COLUMNS, .column_count = 3});
    tacit_report_cell(report, "a");
    tacit_report_cell_integers(report, (const int64_t[]){1, -2}, 2);
    tacit_report_cell_none(report);
    tacit_report_cell_none(report);
    tacit_report_cell_texts(report, NULL, 0);
    tacit_report_cell_integer(report, 3);
    tacit_report_integer(report, "rows", 2);
    assert_json(report, "{\n"
                        "  \"quasi\": [\n"
                        "    \"ZIP\",\n"
                        "    \"sex\"\n"
                        "  ],\n"
                        "  \"findings\": [],\n"
                        "  \"columns\": [\n"
                        "    {\n"
                        "      \"name\": \"a\",\n"
                        "      \"sizes\": [\n"
                        "        1,\n"
                        "        -2\n"
                        "      ]\n"
                        "    },\n"
                        "    {\n"
                        "      \"sizes\": [],\n"
                        "      \"low\": 3\n"
                        "    }\n"
                        "  ],\n"
                        "  \"rows\": 2\n"
                        "}\n");
}

static void test_odd_text(void **state)
{
    (void)state;
    tacit_report *report = new_report();
    tacit_report_integer_in(report, "levels", VIEW("a.b \"c\""), 1);
    tacit_report_integer_in(report, "levels", VIEW(""), 2);
    tacit_report_integer_in(report, "levels",
                            VIEW("stra\xC3\x9F"
                                 "e\xFF"),
                            3);
    tacit_report_text(report, "empty", "");
    tacit_report_text(report, "bad", "\xC0\xAF \xED\xA0\x80 \n");
    assert_json(report, "{\n"
                        "  \"levels\": {\n"
                        "    \"a.b \\\"c\\\"\": 1,\n"
                        "    \"\": 2,\n"
                        "    \"stra\xC3\x9F"
                        "e\xEF\xBF\xBD\": 3\n"
                        "  },\n"
                        "  \"empty\": \"\",\n"
                        "  \"bad\": \"\xEF\xBF\xBD\xEF\xBF\xBD "
                        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD \\n\"\n"
                        "}\n");
}

typedef struct measures {
    int64_t rows;
    int32_t classes;
    double precision;
    bool proven;
} measures;

static void draw_paragraph(tacit_page *page, const void *subject)
{
    tacit_page_paragraph(page, subject);
}

/* Something of every kind. */
static tacit_report *fill_all(const measures *m)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(measures, rows, "rows", "rows", 0),
        TACIT_FIELD(measures, classes, "classes", NULL, 0),
        TACIT_FIELD(measures, precision, "precision", "Prec", 3),
        TACIT_FIELD(measures, proven, "proven", "proven", 0),
    };
    static const tacit_report_column COLUMNS[] = {
        {.key = "name", .heading = "column"},
        {.key = "share", .heading = "share", .format = "%.1f%%", .scale = 100},
        {.key = "count", .heading = "records"},
        {.heading = "on the page", .where = TACIT_SHOW_PAGE},
    };
    tacit_report *report = new_report();
    tacit_report_title(report, "out.csv: %d rows", 1234);
    tacit_report_section(report, "Verdict");
    tacit_report_verdict(report, true, "judge", "the promise holds");
    tacit_report_tile(report, "rows", "%d", 1234);
    tacit_report_enter(report, "measures");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), m);
    tacit_report_leave(report);
    tacit_report_begin(report, &(tacit_report_table){.name = "columns",
                                                     .title = "The columns",
                                                     .printed = true,
                                                     .columns = COLUMNS,
                                                     .column_count = 4,
                                                     .printed_rows = 1});
    for (int i = 0; i < 2; i++) {
        tacit_report_cell(report, i ? "sex" : "zip");
        tacit_report_cell_real(report, i ? 0.25 : 0.5);
        tacit_report_cell_integer(report, 12345);
        tacit_report_cell(report, "only <there>");
    }
    tacit_report_gap(report);
    tacit_report_line(report, "search",
                      "%s twenty words are more than a line of eighty columns "
                      "takes, even if 12 345 678 is one of them%s",
                      TACIT_MARK_BAD, TACIT_MARK_PLAIN);
    tacit_report_note(report, "  and one more");
    unsigned before = tacit_report_show(report, TACIT_SHOW_PAGE);
    tacit_report_line(report, "hint", "for the page");
    tacit_report_integer(report, "hidden", 1);
    assert_int_equal(tacit_report_show(report, before), TACIT_SHOW_PAGE);
    tacit_report_paragraph(report, "A paragraph.");
    tacit_report_drawing(report, draw_paragraph, "A drawing.");
    return report;
}

static const measures MEASURES = {.rows = 1234, .classes = 7, .precision = 0.5, .proven = true};

static void test_all_as_json(void **state)
{
    (void)state;
    assert_json(fill_all(&MEASURES), "{\n"
                                     "  \"measures\": {\n"
                                     "    \"rows\": 1234,\n"
                                     "    \"classes\": 7,\n"
                                     "    \"precision\": 0.5,\n"
                                     "    \"proven\": true\n"
                                     "  },\n"
                                     "  \"columns\": [\n"
                                     "    {\n"
                                     "      \"name\": \"zip\",\n"
                                     "      \"share\": 0.5,\n"
                                     "      \"count\": 12345\n"
                                     "    },\n"
                                     "    {\n"
                                     "      \"name\": \"sex\",\n"
                                     "      \"share\": 0.25,\n"
                                     "      \"count\": 12345\n"
                                     "    }\n"
                                     "  ]\n"
                                     "}\n");
}

static void test_all_as_text(void **state)
{
    (void)state;
    char *text = NULL, *plain = NULL, *coloured = NULL;
    tacit_report *report = fill_all(&MEASURES);
    assert_int_equal(tacit_report_print(&text, report, NULL), TACIT_OK);
    assert_int_equal(tacit_report_colours(&plain, text, false, NULL), TACIT_OK);
    assert_int_equal(tacit_report_colours(&coloured, text, true, NULL), TACIT_OK);
    assert_string_equal(
        plain, "out.csv: 1234 rows\n\n"
               "  judge       the promise holds\n"
               "  column  share  records\n"
               "  zip     50.0%   12 345\n"
               "\n"
               "  search       twenty words are more than a line of eighty columns takes, even\n"
               "              if 12 345 678 is one of them\n"
               "  and one more\n");
    assert_non_null(strstr(coloured, "\033[1;32m  judge       the promise holds\n\033[0m"));
    assert_non_null(strstr(coloured, "one of them\033[0m"));
    tacit_text_free(text);
    tacit_text_free(plain);
    tacit_text_free(coloured);
    tacit_report_free(report);
}

static void test_all_as_page(void **state)
{
    (void)state;
    static const char *const IN_ORDER[] = {"<h1>Facts</h1>",
                                           "Verdict</h2>",
                                           "Judge: the promise holds",
                                           "<dl class=\"tiles\">",
                                           "<dl class=\"facts\">",
                                           "<dt>rows</dt><dd>1 234</dd>",
                                           "<dt>Prec</dt><dd>0.500</dd>",
                                           "<dt>proven</dt><dd>yes</dd>",
                                           "The columns</caption>",
                                           "zip",
                                           "50.0%",
                                           "only &lt;there&gt;",
                                           "sex",
                                           "<dt>search</dt>",
                                           "<dt>hint</dt><dd>for the page</dd>",
                                           "A paragraph.",
                                           "A drawing."};
    char *html = NULL;
    tacit_report *report = fill_all(&MEASURES);
    assert_int_equal(tacit_report_html(&html, report, NULL), TACIT_OK);
    assert_sound(html);
    const char *at = html;
    for (size_t i = 0; i < TACIT_COUNT_OF(IN_ORDER); i++) {
        at = strstr(at, IN_ORDER[i]);
        assert_non_null(at);
    }
    assert_null(strchr(html, '\002'));
    tacit_text_free(html);
    tacit_report_free(report);
}

static void test_facts_one_by_one(void **state)
{
    (void)state;
    tacit_report *report = fill_all(&MEASURES);
    size_t rows = 0;
    double number = 0;
    while (strcmp(tacit_report_name(report, rows), "measures.rows") != 0)
        assert_true(++rows < tacit_report_count(report));
    assert_true(tacit_report_number(&number, report, rows) && number == 1234);
    assert_string_equal(tacit_report_label(report, rows), "rows");
    assert_string_equal(tacit_report_sentence(report, 2), "the promise holds");
    assert_string_equal(tacit_report_name(report, 2), "");
    assert_false(tacit_report_number(&number, report, 2));
    tacit_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_keeps_order),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_odd_text),
        cmocka_unit_test(test_all_as_json),
        cmocka_unit_test(test_all_as_text),
        cmocka_unit_test(test_all_as_page),
        cmocka_unit_test(test_facts_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
