/*
 * test_heat.c - heat maps on a page: which fields there are, what shade each has,
 * what is written on it, and how names and numbers give way when there are many.
 */
#include <math.h>
#include <stdlib.h>

#include "pages.h"

static char *draw(const char *const *names, int count, const double *shares)
{
    tacit_page *page = new_page("t");
    tacit_page_heat(page, &(tacit_heat){.title = "Pairs of columns",
                                        .x_label = "column",
                                        .y_label = "records alone",
                                        .names = names,
                                        .count = count,
                                        .shares = shares});
    char *html = html_of(page);
    assert_sound(html);
    return html;
}

/* Three names make six fields, each a third wide and 36 pixels high. */
static void test_places(void **state)
{
    (void)state;
    static const char *const names[] = {"sex", "age", "zip"};
    static const double shares[] = {0, 7, 7, 0.123, 0.004, 7, 0.5, 0.96, 1};
    char *html = draw(names, 3, shares);
    assert_has(html, "<figcaption>Pairs of columns</figcaption>");
    assert_has(html, "<desc id=\"part1-text\">A heat map of records alone by column; its "
                     "numbers stand in the table below it.</desc>");
    assert_int_equal(count_of(html, "<rect "), 6);
    assert_has(html, "<g class=\"heat0\"><title>sex: 0.0 %</title>"
                     "<rect x=\"0.000%\" y=\"4\" width=\"33.333%\" height=\"36\"></rect>"
                     "<text x=\"16.667%\" y=\"26\" text-anchor=\"middle\">0</text></g>");
    assert_has(html, "<g class=\"heat3\"><title>age and sex: 12.3 %</title>"
                     "<rect x=\"0.000%\" y=\"40\"");
    assert_has(html, "<g class=\"heat7\"><title>zip and age: 96.0 %</title>");
    assert_has(html, "max-width:252px");
    assert_has(html, "<th scope=\"row\">age</th><td class=\"number\">12.3 %</td>"
                     "<td class=\"number\">0.4 %</td><td class=\"number\"></td></tr>");
    tacit_text_free(html);
}

/* Shares at and around the edges of the steps, and how they are written. */
static void test_steps(void **state)
{
    (void)state;
    static const struct {
        double share;
        int step;
        const char *text;
    } cases[] = {
        {0, 0, "0"},           {1e-9, 1, "&lt;1"},      {0.0049, 1, "&lt;1"}, {0.01, 1, "1"},
        {0.0101, 2, "1"},      {0.05, 2, "5"},          {0.051, 3, "5"},      {0.2, 3, "20"},
        {0.201, 4, "20"},      {0.5, 4, "50"},          {0.51, 5, "51"},      {0.8, 5, "80"},
        {0.801, 6, "80"},      {0.95, 6, "95"},         {0.951, 7, "95"},     {0.9949, 7, "99"},
        {0.9951, 7, "&gt;99"}, {0.999999, 7, "&gt;99"}, {1, 7, "100"},
    };
    static const char *const name = "age";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char wanted[64];
        char *html = draw(&name, 1, &cases[i].share);
        snprintf(wanted, sizeof wanted, "<g class=\"heat%d\">", cases[i].step);
        assert_has(html, wanted);
        snprintf(wanted, sizeof wanted, "text-anchor=\"middle\">%s</text></g>", cases[i].text);
        assert_has(html, wanted);
        tacit_text_free(html);
    }
}

/* Every step is in the legend once, in order. */
static void test_legend(void **state)
{
    (void)state;
    static const char *const name = "age";
    static const double share = 0.3;
    char *html = draw(&name, 1, &share), wanted[32];
    const char *at = strstr(html, "<p class=\"legend\">");
    for (int step = 0; step < 8; step++) {
        snprintf(wanted, sizeof wanted, "<span class=\"heat%d\">", step);
        assert_int_equal(count_of(html, wanted), 1);
        assert_non_null(at = strstr(at, wanted));
    }
    tacit_text_free(html);
}

/* What is not known has no field, and nothing in the table. */
static void test_gaps(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    const double shares[] = {NAN, 0, 0.5, INFINITY};
    char *html = draw(names, 2, shares);
    assert_int_equal(count_of(html, "<rect "), 1);
    assert_has(html, "<title>b and a: 50.0 %");
    assert_int_equal(count_of(html, "<td class=\"number\">50.0 %</td>"), 1);
    tacit_text_free(html);
}

/* Many names: fields shrink, then lose their numbers; names turn. */
static void test_many(void **state)
{
    (void)state;
    static const struct {
        int count, height;
        bool numbered;
    } cases[] = {{14, 36, true}, {15, 26, true}, {26, 26, true}, {27, 14, false}, {64, 14, false}};
    static char texts[TACIT_MAX_HEAT][32];
    static const char *names[TACIT_MAX_HEAT];
    static double shares[TACIT_MAX_HEAT * TACIT_MAX_HEAT];
    for (int i = 0; i < TACIT_MAX_HEAT; i++) {
        snprintf(texts[i], sizeof texts[i], "a long name %d", i);
        names[i] = texts[i];
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int count = cases[i].count, fields = count * (count + 1) / 2;
        char wanted[32], *html = draw(names, count, shares);
        assert_int_equal(count_of(html, "<rect "), fields);
        snprintf(wanted, sizeof wanted, "height=\"%d\"></rect>", cases[i].height);
        assert_int_equal(count_of(html, wanted), fields);
        assert_int_equal(count_of(html, ">0</text></g>"), cases[i].numbered ? fields : 0);
        assert_int_equal(count_of(html, "rotate(-45)"), count);
        tacit_text_free(html);
    }
}

/* Names come from outside. */
static void test_escapes(void **state)
{
    (void)state;
    static const char *const names[] = {"<b a=\"1\">&", "a name of more than twenty-four letters"};
    static const double shares[] = {0.1, 0, 0.2, 0.3};
    char *html = draw(names, 2, shares);
    assert_null(strstr(html, "<b a"));
    /* two titles; beside and below the map; twice in the table */
    assert_int_equal(count_of(html, "&lt;b a=&quot;1&quot;&gt;&amp;"), 2 + 2 + 2);
    assert_int_equal(count_of(html, ">a name of more than twe\xE2\x80\xA6</text>"), 2);
    tacit_text_free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_steps), cmocka_unit_test(test_legend),
        cmocka_unit_test(test_gaps),   cmocka_unit_test(test_many),  cmocka_unit_test(test_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
