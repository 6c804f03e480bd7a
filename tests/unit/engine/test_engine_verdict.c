/*
 * test_engine_verdict.c - a verdict on ambiguity in words, in an account and on a page.
 */
#include "audit_case.h"

#include "engine/records/verdict.h"
#include "pages.h"

static const char *const AB[] = {"a", "b"};
static const tacit_promise_dependency HIDDEN = {AB, 2, "r"};

/* The release of a case whose attributes are a and b, judged. */
static tacit_verdict *verdict_on(audit_case *c, const char *release, const char *original)
{
    c->release = release;
    c->original = original;
    c->same_order = original != NULL;
    case_attribute(c, "a", &CASE_NONE);
    case_attribute(c, "b", &CASE_NONE);
    return case_judge(c);
}

static void says(audit_case c, const char *release, const char *original, const char *sentence)
{
    char text[1024];
    tacit_verdict *v = verdict_on(&c, release, original);
    assert_string_equal(engine_verdict_sentence(text, sizeof text, v, &c.promise), sentence);
    tacit_verdict_free(v);
}

static void test_sentences(void **state)
{
    (void)state;
    static const char ORIGINAL[] = "a,b,r\nx,1,u\nx,2,v\n", RELEASE[] = "a,b,r\nx,*,u\nx,2,v\n";
    audit_case c = {.promise = {.k = 2, .ambiguous = true}};
    says(c, RELEASE, ORIGINAL,
         "the promise holds: every row agrees with at least 2 rows, itself counted and \"*\" as "
         "anything (k = 2), every value generalizes the original's, row by row; but 1 person fits "
         "fewer than 2 rows by their values, 1 of them a single one, which this promise does not "
         "cover; but knowing that no blank could be left out reveals 1 of 1");
    says(c, "a,b,r\nx,*,u\nx,*,v\n", ORIGINAL,
         "the promise holds: every row agrees with at least 2 rows, itself counted and \"*\" as "
         "anything (k = 2), every value generalizes the original's, row by row; knowing that "
         "no blank could be left out reveals none");
    says(c, ORIGINAL, ORIGINAL, "the promise is broken: 1 finding");
    c.promise.both_ways = true;
    says(c, RELEASE, ORIGINAL, "the promise is broken: 2 findings");
    says(c, RELEASE, NULL,
         "nothing shows that the promise is broken: every row agrees with at least 2 rows, itself "
         "counted and \"*\" as anything (k = 2), but whether 2 people fit every row and everybody "
         "fits 2 rows can only be checked with the original: of 2 rows that is certain for 1 and "
         "for the people of 1; values were not compared, because there was no original; knowing "
         "that no blank could be left out reveals none");
    says(c, "a,b,r\nx,*,u\nx,*,v\n", ORIGINAL,
         "the promise holds: at least 2 people fit every row, and everybody fits at least 2 rows, "
         "\"*\" as anything (k = 2), every value generalizes the original's, row by row; knowing "
         "that no blank could be left out reveals none");
    says(c, "a,b,r\nx,*,u\nx,*,v\n", NULL,
         "the promise holds: whatever \"*\" hides, at least 2 people fit every row, and everybody "
         "fits at least 2 rows; values were not compared, because there was no original; knowing "
         "that no blank could be left out reveals none");
    c.promise.both_ways = false;
    c.promise.mean_alpha = true;
    c.promise.max_row_blanks = 1;
    c.promise.most_column_blanks = 2;
    c.promise.hidden = &HIDDEN;
    c.promise.hidden_count = 1;
    says(c, "a,b,r\nx,*,u\nx,2,v\n*,2,u\n", NULL,
         "the promise holds: a row agrees with 3 rows in the mean, itself counted and \"*\" as "
         "anything (k = 2), no row has more than 1 blank, no column has more than 2 blanks, the "
         "hidden dependency cannot be proven; values were not compared, because there was no "
         "original; it is not promised that a person whose values are known fits 2 rows: it may be "
         "one only; knowing that no blank could be left out reveals none");
    says(c, "a,b,r\n", NULL,
         "the promise holds, because the release has no rows, no row has more than 1 blank, no "
         "column has more than 2 blanks, the hidden dependency cannot be proven; values were not "
         "compared, because there was no original");
}

typedef tacit_status (*renderer)(char **out, const tacit_report *report, tacit_error *err);

static char *rendered(renderer render, const tacit_verdict *verdict, const tacit_promise *promise)
{
    tacit_report *report = NULL;
    char *text = NULL;
    assert_int_equal(tacit_report_new(&report, "t", NULL), TACIT_OK);
    engine_verdict_facts(report, verdict, promise);
    assert_int_equal(render(&text, report, NULL), TACIT_OK);
    tacit_report_free(report);
    return text;
}

static void test_account(void **state)
{
    (void)state;
    static const char ORIGINAL[] = "a,b,r\nx,1,u\nx,2,v\n", RELEASE[] = "a,b,r\nx,*,u\nx,2,v\n";
    audit_case c = {.promise = {.k = 2, .ambiguous = true, .resists_minimality = true}};
    tacit_verdict *v = verdict_on(&c, RELEASE, ORIGINAL);
    char *json = rendered(tacit_report_json, v, &c.promise);
    assert_non_null(strstr(json, "\"alpha\": {\n      \"least\": 2,\n      \"mean\": 2.0,\n"
                                 "      \"rows_below\": 0,\n      \"blanks\": 1,\n"
                                 "      \"rows_blanked\": 1\n"));
    assert_non_null(strstr(json, "\"revealed\": 1,\n      \"narrowed\": 0,\n"
                                 "      \"removable\": 0,\n      \"cells\": [\n        {\n"
                                 "          \"row\": 1,\n          \"attribute\": 2\n"));
    assert_non_null(strstr(json, "\"kind\": \"revealed\""));
    tacit_text_free(json);
    tacit_verdict_free(v);
}

static void test_page(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2, .ambiguous = true}};
    tacit_verdict *v = verdict_on(&c, "a,b\nx,*\nx,2\n", NULL);
    char *html = rendered(tacit_report_html, v, &c.promise);
    assert_int_equal(count_of(html, "least alpha"), 1);
    assert_int_equal(count_of(html, "not tried"), 0);
    assert_int_equal(count_of(html, "revealed"), 1);
    tacit_text_free(html);
    v->minimality.checked = false;
    html = rendered(tacit_report_html, v, &c.promise);
    assert_int_equal(count_of(html, "was not tried"), 1);
    assert_int_equal(count_of(html, "revealed"), 0);
    tacit_text_free(html);
    tacit_verdict_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
