/*
 * test_engine_loss.c - the loss as the command tells it: every number of the
 * account, and a page that is sound and shows nobody.
 */
#include "loss.h"

#include "engine/masking/measured.h"
#include "pages.h"

typedef tacit_status (*renderer)(char **out, const tacit_report *report, tacit_error *err);

static char *rendered(renderer render, const tacit_loss *loss)
{
    tacit_report *report = NULL;
    char *text = NULL;
    assert_int_equal(tacit_report_new(&report, "t", NULL), TACIT_OK);
    engine_loss_facts(report, loss);
    assert_int_equal(render(&text, report, NULL), TACIT_OK);
    tacit_report_free(report);
    return text;
}

/* Forty records of three attributes, with somebody who is alone: aged 99, and of place q. */
static tacit_loss *some_loss(void)
{
    char before[2048] = "sex,age,place\n", after[2048] = "sex,age,place\n";
    for (int i = 0; i < 40; i++) {
        const char *place = i == 7 ? "q" : i % 2 ? "r" : "s";
        sprintf(before + strlen(before), "%s,%d,%s\n", i % 3 ? "f" : "m", i == 7 ? 99 : 20 + i,
                place);
        sprintf(after + strlen(after), "%s,%d,%s\n", i % 5 ? "f" : "m", 20 + i / 10 * 10,
                i == 7 ? "*" : place);
    }
    return loss_of(before, after, NULL);
}

static void test_account(void **state)
{
    (void)state;
    tacit_loss *loss = some_loss();
    char *json = rendered(tacit_report_json, loss);
    static const char *const PIECES[] = {
        "\"information_loss\": {",
        "\"attributes\": [",
        "\"name\": \"sex\"",
        "\"read_as_claims\": ",
        "\"margin_change\": ",
        "\"il1s\": ",
        "\"total\": {",
        "\"intact\": ",
        "\"eigen_first\": ",
        "\"covariance_change\": ",
        "\"margins\": {",
        "\"pairs\": 3",
        "\"told\": {",
        "\"discriminator\": {",
        "\"ratio\": ",
        "\"joint_entropy\": {",
        "\"correlation_change\": null",
    };
    for (size_t i = 0; i < sizeof PIECES / sizeof PIECES[0]; i++)
        assert_has(json, PIECES[i]);
    assert_int_equal(count_of(json, "\"rank_change\""), 2); /* one number, and the total */
    tacit_text_free(json);
    char *text = rendered(tacit_report_print, loss);
    assert_has(text, "  lost        ");
    tacit_text_free(text);
    tacit_loss_free(loss);
}

static void test_page(void **state)
{
    (void)state;
    tacit_loss *loss = some_loss();
    char *html = rendered(tacit_report_html, loss);
    assert_sound(html);
    assert_has(html, "What it costs");
    assert_has(html, "<figcaption>sex, before and after</figcaption>");
    assert_has(html, "<figcaption>age, before and after</figcaption>");
    assert_has(html, "<figcaption>How much columns tell of each other in the data");
    assert_has(html, "<figcaption>The same in the release");
    assert_has(html, "<figcaption>How far tables of two columns have changed");
    assert_has(html, "for the data holder");
    assert_null(strstr(html, ">99<"));
    assert_null(strstr(html, ">q<"));
    tacit_text_free(html);
    tacit_loss_free(loss);
}

/* Nothing at all, one record, nothing that is a number: the page stands. */
static void test_little(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"a,b\n", "a,b\nx,1\n", "a,b\n,\n,\n", "a,b\nx,y\nu,v\n"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        tacit_loss *loss = loss_of(TEXTS[i], TEXTS[i], NULL);
        char *html = rendered(tacit_report_html, loss), *json = rendered(tacit_report_json, loss);
        assert_sound(html);
        assert_null(strstr(json, "nan"));
        char *text = rendered(tacit_report_print, loss);
        assert_has(text, "  lost        ");
        tacit_text_free(text);
        tacit_text_free(html);
        tacit_text_free(json);
        tacit_loss_free(loss);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_account), cmocka_unit_test(test_page),
                                       cmocka_unit_test(test_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
