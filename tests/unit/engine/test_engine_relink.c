/*
 * test_engine_relink.c - re-linking in an account and on a page: what is there, and that no value
 * of the data is.
 */
#include "engine/masking/measured.h"
#include "pages.h"
#include "relinked.h"

static const char *const COLUMNS[] = {"income", "town"};
static const char ORIGINAL[] = "income,town\n51731,Zyxford\n61733,Zyxford\n71737,Qumbury\n";
static const char RELEASE[] = "income,town\n51732,Zyxford\n71736,Qumbury\n61739,*\n";

typedef tacit_status (*renderer)(char **out, const tacit_report *report, tacit_error *err);

static char *rendered(renderer render, const tacit_relink *found)
{
    tacit_report *report = NULL;
    char *text = NULL;
    assert_int_equal(tacit_report_new(&report, "release", NULL), TACIT_OK);
    engine_relink_facts(report, found);
    assert_int_equal(render(&text, report, NULL), TACIT_OK);
    tacit_report_free(report);
    return text;
}

static void shows_no_value(const char *text)
{
    static const char *const VALUES[] = {"5173", "6173", "7173", "Zyxford", "Qumbury"};
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++)
        assert_null(strstr(text, VALUES[i]));
}

static void test_account(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, ORIGINAL, RELEASE, COLUMNS, 2);
    char *json = rendered(tacit_report_json, relinked_run(&r, NULL));
    assert_has(json, "\"relinked\": {\n    \"records\": 3,\n    \"people\": 3,");
    assert_has(json, "\"by\": \"standardized distance\",\n        \"attacked\": 3,\n"
                     "        \"right\": 1.0,");
    assert_has(json, "\"column\": \"town\",\n        \"numeric\": false,");
    assert_has(json, "\"column\": \"income\",\n        \"percent\": 1.0,");
    assert_has(json, "\"model\": \"null-map\",\n        \"verdict\": \"holds\",");
    assert_has(json, "\"model\": \"k-map\",\n        \"verdict\": \"broken\",");
    assert_has(json, "\"fewest_people\": 0,");
    shows_no_value(json);
    tacit_text_free(json);
    relinked_close(&r);
}

static void test_page(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, ORIGINAL, RELEASE, COLUMNS, 2);
    char *html = rendered(tacit_report_html, relinked_run(&r, NULL));
    assert_sound(html);
    assert_has(html, "Re-linked to the original");
    assert_has(html, "33.3%");
    assert_has(html, "values unchanged");
    assert_has(html, "within 10%");
    assert_has(html, "wrong-map");
    shows_no_value(html);
    tacit_text_free(html);
    relinked_close(&r);
}

/* Names only, and nothing at all. */
static void test_little(void **state)
{
    (void)state;
    relinked r;
    relinked_open(&r, "town\na\nb\n", "town\na\nb\n", COLUMNS + 1, 1);
    char *html = rendered(tacit_report_html, relinked_run(&r, NULL));
    assert_sound(html);
    assert_null(strstr(html, "within 10%"));
    tacit_text_free(html);
    relinked_close(&r);
    relinked_open(&r, "town\n", "town\n", COLUMNS + 1, 1);
    html = rendered(tacit_report_html, relinked_run(&r, NULL));
    assert_sound(html);
    assert_null(strstr(html, "Re-linked"));
    tacit_text_free(html);
    char *json = rendered(tacit_report_json, r.found);
    assert_has(json, "\"records\": 0,");
    tacit_text_free(json);
    relinked_close(&r);
}

static void test_sample(void **state)
{
    (void)state;
    static const char *const ID[] = {"a"};
    char text[128];
    relinked r;
    relinked_open(&r, "a\n1\n2\n3\n4\n", "a\n1\n2\n3\n4\n", ID, 1);
    r.options.max_records = 3;
    const tacit_relink *found = relinked_run(&r, NULL);
    assert_string_equal(
        engine_relink_share(text, sizeof text, found, &found->attacks[TACIT_RELINK_STANDARD]),
        "100.0% of a sample of 3 of 4 records (95%: 43.9% to 100.0%)");
    relinked_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_account), cmocka_unit_test(test_page),
                                       cmocka_unit_test(test_little),
                                       cmocka_unit_test(test_sample)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
