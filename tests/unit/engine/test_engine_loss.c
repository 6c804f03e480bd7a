/*
 * test_engine_loss.c - the loss as the command tells it: every number of the
 * account, and a page that is sound and shows nobody.
 */
#include "loss.h"

#include "engine/masking/loss_account.h"
#include "pages.h"

static char *json_of(const tacit_loss *loss)
{
    tacit_account *account = NULL;
    char *json = NULL;
    assert_int_equal(tacit_account_new(&account, NULL), TACIT_OK);
    engine_loss_account(account, loss);
    assert_int_equal(tacit_account_json(&json, account, NULL), TACIT_OK);
    tacit_account_free(account);
    return json;
}

static char *page_of(const tacit_loss *loss)
{
    tacit_page *page = new_page("t");
    engine_loss_page(page, loss);
    return html_of(page);
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
    char *json = json_of(loss);
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
        "\"discriminator\": {",
        "\"ratio\": ",
        "\"joint_entropy\": {",
        "\"correlation_change\": null",
    };
    for (size_t i = 0; i < sizeof PIECES / sizeof PIECES[0]; i++)
        assert_has(json, PIECES[i]);
    assert_int_equal(count_of(json, "\"rank_change\""), 2); /* one number, and the total */
    tacit_text_free(json);
    engine_loss_tell(stderr, loss);
    tacit_loss_free(loss);
}

static void test_page(void **state)
{
    (void)state;
    tacit_loss *loss = some_loss();
    char *html = page_of(loss);
    assert_sound(html);
    assert_has(html, "What it costs");
    assert_has(html, "<figcaption>sex, before and after</figcaption>");
    assert_has(html, "<figcaption>age, before and after</figcaption>");
    assert_has(html, "for whoever holds it");
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
        char *html = page_of(loss), *json = json_of(loss);
        assert_sound(html);
        assert_null(strstr(json, "nan"));
        engine_loss_tell(stderr, loss);
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
