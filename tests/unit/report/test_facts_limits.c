/*
 * test_facts_limits.c - a list of facts and its three renderings: what is shown where, in which
 * order, and every allocation failed in turn.
 */
#include "starve.h"

#include <string.h>

#include <tacit/experimental.h>

typedef struct figures {
    int32_t rows;
    double share;
    bool whole;
} figures;

static const figures FIGURES = {12345, 0.25, true};

static void draw(tacit_page *page, const void *subject)
{
    tacit_page_paragraph(page, subject);
}

static void add_table(tacit_report *report)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "name", .heading = "column"},
        {.key = "share", .heading = "share", .format = "%.1f%%", .scale = 100},
        {.heading = "seen", .where = TACIT_SHOW_PAGE},
        {.key = "parts"},
    };
    static const tacit_strview PARTS[] = {{"x", 1}, {"y", 1}};
    tacit_report_begin(report, &(tacit_report_table){.name = "columns",
                                                     .title = "The columns",
                                                     .printed = true,
                                                     .columns = COLUMNS,
                                                     .column_count = 4,
                                                     .printed_rows = 1});
    for (int i = 0; i < 2; i++) {
        tacit_report_cell(report, "c%d", i);
        tacit_report_cell_real(report, 0.5 * i);
        tacit_report_cell_integer(report, 1000 * i);
        tacit_report_cell_texts(report, PARTS, 2);
    }
}

static void fill(tacit_report *report)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(figures, rows, "rows", "rows read", 0),
        TACIT_FIELD(figures, share, "share", NULL, 2),
        TACIT_FIELD(figures, whole, "whole", NULL, 0),
    };
    tacit_report_title(report, "file: %d", 7);
    tacit_report_verdict(report, false, "verdict", "it leaks");
    tacit_report_enter(report, "table");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &FIGURES);
    tacit_report_leave(report);
    add_table(report);
    tacit_report_section(report, "More");
    tacit_report_line(report, "both", "for people");
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_line(report, "page", "for the page");
    unsigned page = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    tacit_report_line(report, "none", "for nobody");
    tacit_report_show(report, page);
    tacit_report_drawing(report, draw, "a drawing");
    tacit_report_show(report, everywhere);
}

typedef tacit_status (*render_fn)(char **out, const tacit_report *report, tacit_error *err);

static tacit_status render(char **out, render_fn renderer, unsigned where, tacit_error *err)
{
    tacit_report *report = NULL;
    tacit_status status = tacit_report_new(&report, "A title", err);
    if (status != TACIT_OK)
        return status;
    tacit_report_limit(report, where);
    fill(report);
    status = renderer(out, report, err);
    tacit_report_free(report);
    return status;
}

/* The same whether the other two are asked for or not. */
static char *rendered(render_fn renderer, unsigned where)
{
    char *text = NULL, *all = NULL;
    assert_int_equal(render(&text, renderer, where, NULL), TACIT_OK);
    assert_int_equal(render(&all, renderer, TACIT_SHOW_ALL, NULL), TACIT_OK);
    assert_string_equal(text, all);
    tacit_text_free(all);
    return text;
}

static void test_text(void **state)
{
    (void)state;
    char *text = rendered(tacit_report_print, TACIT_SHOW_TEXT);
    assert_string_equal(text, "file: 7\n\n\002  verdict     it leaks\n\003"
                              "  column  share\n  c0       0.0%\n"
                              "  both        for people\n");
    tacit_text_free(text);
}

static void test_json(void **state)
{
    (void)state;
    char *json = rendered(tacit_report_json, TACIT_SHOW_JSON);
    assert_non_null(strstr(json, "\"table\": {\n    \"rows\": 12345,\n    \"share\": 0.25,\n"
                                 "    \"whole\": true\n  }"));
    assert_non_null(strstr(json, "\"name\": \"c1\",\n      \"share\": 0.5,\n      \"parts\": [\n"
                                 "        \"x\",\n        \"y\"\n      ]"));
    assert_null(strstr(json, "people"));
    tacit_text_free(json);
}

static void test_page(void **state)
{
    (void)state;
    static const char *const PARTS[] = {
        "<h1>A title</h1>", "Verdict: it leaks",           "<dt>rows read</dt><dd>12 345</dd>",
        "The columns",      "<td class=\"number\">50.0%",  "<td class=\"number\">1 000</td>",
        "More</h2>",        "<dt>both</dt><dd>for people", "<dt>page</dt><dd>for the page",
        "<p>a drawing</p>"};
    char *html = rendered(tacit_report_html, TACIT_SHOW_PAGE);
    const char *at = html;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        at = strstr(at, PARTS[i]);
        if (!at)
            fail_msg("the page lacks, or has too early: %s", PARTS[i]);
    }
    assert_null(strstr(html, "nobody"));
    tacit_text_free(html);
}

static tacit_status render_all(void *context, tacit_error *err)
{
    (void)context;
    static const render_fn RENDERERS[] = {tacit_report_print, tacit_report_json, tacit_report_html};
    tacit_status status = TACIT_OK;
    for (int i = 0; i < 3 && status == TACIT_OK; i++) {
        char *text = NULL;
        status = render(&text, RENDERERS[i], TACIT_SHOW_ALL, err);
        tacit_text_free(text);
    }
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    starve(render_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_page), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
