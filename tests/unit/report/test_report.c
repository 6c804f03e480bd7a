/*
 * test_report.c - pages: exact text where it is short, and properties that hold for every page
 * (escaped, self-contained, balanced) where it is not.
 */
#include <math.h>

#include "pages.h"

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0, 0, "0"},
        {7, 0, "7"},
        {999, 0, "999"},
        {1000, 0, "1 000"},
        {1234567, 0, "1 234 567"},
        {-1234567, 0, "-1 234 567"},
        {-123, 0, "-123"},
        {1234.5678, 2, "1 234.57"},
        {0.5, 3, "0.500"},
        {-0.0001, 2, "0.00"},
        {NAN, 0, "\xE2\x80\x93"},
        {INFINITY, 2, "\xE2\x80\x93"},
    };
    char buffer[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(
            tacit_number_text(buffer, sizeof buffer, cases[i].value, cases[i].decimals),
            cases[i].text);
    assert_string_equal(tacit_number_text(buffer, 6, 1234567, 0), "1 234");
}

static void test_page_empty(void **state)
{
    (void)state;
    char *html = html_of(new_page(""));
    assert_sound(html);
    assert_has(html, "<main>\n<h1></h1>\n</main>");
    tacit_text_free(html);
    tacit_page_free(NULL);
}

static void test_page_escapes(void **state)
{
    (void)state;
    const char *nasty = "<b a=\"1\" c='2'>&\x01\xFF";
    const char *shown = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xEF\xBF\xBD\xEF\xBF\xBD";
    tacit_page *page = new_page(nasty);
    tacit_page_heading(page, nasty);
    tacit_page_paragraph(page, nasty);
    tacit_page_banner(page, false, nasty);
    tacit_page_tiles(page, &nasty, &nasty, 1);
    tacit_page_table(page, nasty, &nasty, 1, &nasty, 1);
    double one = 1;
    tacit_page_bars(page, &(tacit_bars){.title = nasty,
                                        .x_label = nasty,
                                        .y_label = nasty,
                                        .names = &nasty,
                                        .first = &one,
                                        .second = &one,
                                        .first_name = nasty,
                                        .second_name = nasty,
                                        .count = 1,
                                        .marker = 0,
                                        .marker_name = nasty});
    char *html = html_of(page);
    assert_sound(html);
    assert_null(strstr(html, "<b"
                             " a="));
    assert_null(strstr(html, "\x01"));
    /* title, h1, h2, p, banner, tile name and value; table: label, caption, head, cell; bars:
     * caption, legend 2, title, desc 2, y label, 2 bars of 2, name, marker, x label; its table:
     * label, caption, 3 heads, name */
    assert_int_equal(count_of(html, shown), 7 + 4 + 14 + 6);
    tacit_text_free(html);
}

static void test_page_parts(void **state)
{
    (void)state;
    tacit_page *page = new_page("Release");
    const char *const names[] = {"rows", "k"}, *const values[] = {"1 000", "5"};
    tacit_page_banner(page, true, "holds");
    tacit_page_tiles(page, names, values, 2);
    tacit_page_heading(page, "One");
    tacit_page_heading(page, "Two");
    tacit_page_paragraph(page, "words");
    char *html = html_of(page);
    assert_sound(html);
    assert_has(html, "<p class=\"banner good\"><span aria-hidden=\"true\">\xE2\x9C\x93</span>"
                     "<span>holds</span></p>\n");
    assert_has(html, "<dl class=\"tiles\">\n<div><dt>rows</dt><dd>1 000</dd></div>\n"
                     "<div><dt>k</dt><dd>5</dd></div>\n</dl>\n");
    assert_has(html, "<section aria-labelledby=\"part1\">\n<h2 id=\"part1\">One</h2>\n</section>\n"
                     "<section aria-labelledby=\"part2\">\n<h2 id=\"part2\">Two</h2>\n"
                     "<p>words</p>\n</section>\n</main>");
    tacit_text_free(html);
}

static void test_page_table(void **state)
{
    (void)state;
    tacit_page *page = new_page("t");
    const char *const header[] = {"name", "rows", "share", "note"};
    const char *const cells[] = {"a", "1 234", "99.5 %", "12 monkeys", "b", "-7", "", "3"};
    tacit_page_table(page, "caption", header, 4, cells, 2);
    tacit_page_table(page, "empty", header, 2, NULL, 0);
    char *html = html_of(page);
    assert_sound(html);
    assert_has(html, "<table>\n<caption>caption</caption>\n<thead><tr><th scope=\"col\">name</th>"
                     "<th scope=\"col\" class=\"number\">rows</th>"
                     "<th scope=\"col\" class=\"number\">share</th>"
                     "<th scope=\"col\">note</th></tr></thead>\n<tbody>\n"
                     "<tr><th scope=\"row\">a</th><td class=\"number\">1 234</td>"
                     "<td class=\"number\">99.5 %</td><td>12 monkeys</td></tr>\n"
                     "<tr><th scope=\"row\">b</th><td class=\"number\">-7</td>"
                     "<td class=\"number\"></td><td>3</td></tr>\n</tbody>\n</table>");
    assert_has(html, "<caption>empty</caption>\n<thead><tr><th scope=\"col\">name</th>"
                     "<th scope=\"col\">rows</th></tr></thead>\n<tbody>\n</tbody>");
    tacit_text_free(html);
}

static char *bars_of(const double *first, const double *second, int count, bool root_scale)
{
    static const char *names[TACIT_MAX_BARS];
    static char texts[TACIT_MAX_BARS][64];
    for (int i = 0; i < count; i++) {
        snprintf(texts[i], sizeof texts[i], "group %d", i);
        names[i] = texts[i];
    }
    tacit_page *page = new_page("t");
    tacit_page_bars(page, &(tacit_bars){.title = "Sizes",
                                        .x_label = "people",
                                        .y_label = "rows",
                                        .names = names,
                                        .first = first,
                                        .second = second,
                                        .first_name = "before",
                                        .second_name = "after",
                                        .count = count,
                                        .root_scale = root_scale,
                                        .marker = count / 2,
                                        .marker_name = "k = 5"});
    char *html = html_of(page);
    assert_sound(html);
    return html;
}

/* Top 8 rounds up to marks of 2 (8 / 5 = 1.6): 0 2 4 6 8 over 220 pixels that
 * end at 254, so 6 stands at 254 - 165 = 89 and a bar of 2 is 55 high. */
static void test_bars_linear(void **state)
{
    (void)state;
    double first[] = {8, 0}, second[] = {2, 6};
    char *html = bars_of(first, second, 2, false);
    assert_has(html, "y1=\"89.0\" y2=\"89.0\"/><text x=\"-8\" y=\"93.0\" "
                     "text-anchor=\"end\">6</text>");
    assert_has(html, "<rect class=\"first\" x=\"6.000%\" width=\"19.000%\" y=\"34.0\" "
                     "height=\"220.0\"><title>group 0: 8 before</title></rect>");
    assert_has(html, "<rect class=\"second\" x=\"25.000%\" width=\"19.000%\" y=\"199.0\" "
                     "height=\"55.0\"><title>group 0: 2 after</title></rect>");
    assert_int_equal(count_of(html, "<rect "), 3); /* no bar for zero */
    assert_int_equal(count_of(html, "class=\"grid\""), 4);
    assert_has(html, "<line class=\"marker\" x1=\"50.000%\"");
    assert_has(html, ">k = 5</text>");
    assert_has(html, "<tr><th scope=\"row\">group 1</th><td class=\"number\">0</td>"
                     "<td class=\"number\">6</td></tr>");
    assert_null(strstr(html, "square-root"));
    tacit_text_free(html);
}

/* Roots: 1 000 000 is the top, 10 000 a tenth of the height. */
static void test_bars_root(void **state)
{
    (void)state;
    double first[] = {1000000, 10000, 1};
    char *html = bars_of(first, NULL, 3, true);
    assert_has(html, "rows (square-root scale)</text>");
    assert_has(html, "text-anchor=\"end\">1 000 000</text>");
    assert_has(html, "y=\"232.0\" height=\"22.0\"><title>group 1: 10 000 before");
    assert_has(html, "height=\"1.5\"><title>group 2: 1 before"); /* seen, however small */
    assert_int_equal(count_of(html, "class=\"second\""), 3);     /* one series takes the blue */
    tacit_text_free(html);
}

static void test_bars_edges(void **state)
{
    (void)state;
    double zeros[TACIT_MAX_BARS] = {0}, many[TACIT_MAX_BARS];
    for (int i = 0; i < TACIT_MAX_BARS; i++)
        many[i] = 0.001 * i;
    char *html = bars_of(zeros, zeros, 1, true);
    assert_int_equal(count_of(html, "<rect "), 0);
    tacit_text_free(html);
    html = bars_of(zeros, NULL, 1, false);
    assert_has(html, "text-anchor=\"end\">1</text>");
    tacit_text_free(html);
    html = bars_of(many, many, TACIT_MAX_BARS, false);
    assert_int_equal(count_of(html, "rotate(-45)"), TACIT_MAX_BARS);
    assert_has(html, "text-anchor=\"end\">0.02</text>");
    assert_has(html, "min-width:800px");
    tacit_text_free(html);
    html = bars_of(many, NULL, TACIT_MAX_BARS, true);
    assert_has(html, "text-anchor=\"end\">0.020</text>");
    tacit_text_free(html);
}

static void test_bars_long_names(void **state)
{
    (void)state;
    const char *names[] = {
        "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC"
        "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC"
        "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC+++ and on",
        "exactly 24 letters, yes."};
    double values[] = {1, 2};
    tacit_page *page = new_page("t");
    tacit_page_bars(page, &(tacit_bars){.title = "",
                                        .x_label = "x",
                                        .y_label = "y",
                                        .names = names,
                                        .first = values,
                                        .first_name = "n",
                                        .count = 2,
                                        .marker = -1});
    char *html = html_of(page);
    assert_sound(html);
    /* 23 letters and the ellipsis */
    assert_has(html, "\xC3\xA4\xC3\xB6\xE2\x80\xA6</text>");
    assert_has(html, ">exactly 24 letters, yes.</text>");
    assert_null(strstr(html, "class=\"marker\""));
    tacit_text_free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_numbers),         cmocka_unit_test(test_page_empty),
        cmocka_unit_test(test_page_escapes),    cmocka_unit_test(test_page_parts),
        cmocka_unit_test(test_page_table),      cmocka_unit_test(test_bars_linear),
        cmocka_unit_test(test_bars_root),       cmocka_unit_test(test_bars_edges),
        cmocka_unit_test(test_bars_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
