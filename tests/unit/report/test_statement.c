/*
 * test_statement.c - a statement holds what is sent to it and nothing of the data holder's report,
 * and no text of it is read as Markdown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <tacit/experimental/facts.h>

static void fill(tacit_report *report)
{
    tacit_report_title(report, "holder");
    tacit_report_integer(report, "seed", 17);
    tacit_report_line(report, "seed", "is 17");
    tacit_report_show(report, TACIT_SHOW_STATEMENT);
    tacit_report_title(report, "For recipients");
    tacit_report_section(report, "Variables");
    tacit_report_integer(report, "k", 5);
    tacit_report_line(report, "a|[x](y)\n# b", "<i>*told*</i> & `so`");
    tacit_report_show(report, TACIT_SHOW_ALL);
    tacit_report_section(report, "holder again");
    tacit_report_paragraph(report, "17");
}

static tacit_report *report_of(void)
{
    tacit_report *report = NULL;
    assert_int_equal(tacit_report_new(&report, "page", NULL), TACIT_OK);
    tacit_report_limit(report, TACIT_SHOW_ALL | TACIT_SHOW_STATEMENT);
    fill(report);
    return report;
}

static void statement_as_markdown(void **state)
{
    char *text = NULL;
    (void)state;
    tacit_report *report = report_of();
    assert_int_equal(tacit_report_statement_markdown(&text, report, NULL), TACIT_OK);
    assert_string_equal(text, "# For recipients\n\n## Variables\n\n"
                              "- **a\\|\\[x\\]\\(y\\) \\# b**: \\<i\\>\\*told\\*\\</i\\> \\& "
                              "\\`so\\`\n");
    tacit_text_free(text);
    tacit_report_free(report);
}

static void statement_as_json(void **state)
{
    char *text = NULL;
    (void)state;
    tacit_report *report = report_of();
    assert_int_equal(tacit_report_statement_json(&text, report, NULL), TACIT_OK);
    assert_non_null(strstr(text, "\"k\": 5"));
    assert_null(strstr(text, "17"));
    tacit_text_free(text);
    tacit_report_free(report);
}

/* What is for recipients is not in the report. */
static void report_without_statement(void **state)
{
    char *text = NULL;
    (void)state;
    tacit_report *report = report_of();
    assert_int_equal(tacit_report_json(&text, report, NULL), TACIT_OK);
    assert_null(strstr(text, "\"k\""));
    assert_non_null(strstr(text, "17"));
    tacit_text_free(text);
    tacit_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statement_as_markdown),
        cmocka_unit_test(statement_as_json),
        cmocka_unit_test(report_without_statement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
