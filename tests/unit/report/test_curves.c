/*
 * test_curves.c - curves on a page: where lines, points and names stand, what
 * is left out, and that no name stands on another.
 */
#include <math.h>
#include <stdlib.h>

#include "pages.h"

static const double TENS[] = {1, 10, 100};

static char *draw(const tacit_curves *curves)
{
    tacit_page *page = new_page("t");
    tacit_page_curves(page, curves);
    char *html = html_of(page);
    assert_sound(html);
    return html;
}

/* A chart of curves that are all called after their places. */
static char *draw_values(const double *const *values, int count, const double *x, int x_count,
                         bool ordered)
{
    static char names[TACIT_MAX_CURVES][16];
    tacit_curve curves[TACIT_MAX_CURVES];
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "curve %d", i);
        curves[i] = (tacit_curve){names[i], values[i], false};
    }
    return draw(&(tacit_curves){.title = "Prec",
                                .x_label = "k",
                                .y_label = "Prec",
                                .x = x,
                                .x_count = x_count,
                                .curves = curves,
                                .curve_count = count,
                                .ordered = ordered,
                                .decimals = 3});
}

/* 0.2 to 0.6 takes marks of 0.1 (0.4 / 5 = 0.08) over 260 pixels that end at
 * 294, so 0.4 stands at 164; 10 is half way from 1 to 100. */
static void test_places(void **state)
{
    (void)state;
    const double values[] = {0.6, 0.4, 0.2};
    const tacit_curve curve = {"datafly", values, false};
    char *html = draw(&(tacit_curves){.title = "Prec by k",
                                      .x_label = "k",
                                      .y_label = "Prec",
                                      .x = TENS,
                                      .x_count = 3,
                                      .curves = &curve,
                                      .curve_count = 1,
                                      .decimals = 4,
                                      .marker = 10,
                                      .marker_name = "k = 10"});
    assert_has(html, "<figcaption>Prec by k</figcaption>");
    assert_has(html, "<desc id=\"part1-text\">A chart of curves of Prec by k; its numbers stand in "
                     "the table below it.</desc>");
    assert_int_equal(count_of(html, "class=\"grid\""), 4);
    assert_has(html, "y1=\"164.0\" y2=\"164.0\"/><text x=\"-8\" y=\"168.0\" "
                     "text-anchor=\"end\">0.4</text>");
    assert_has(html, "<line x1=\"0.000%\" y1=\"34.0\" x2=\"50.000%\" y2=\"164.0\"/>\n"
                     "<line x1=\"50.000%\" y1=\"164.0\" x2=\"100.000%\" y2=\"294.0\"/>");
    assert_has(html, "<svg x=\"50.000%\" y=\"164.0\"><path d=");
    assert_has(html, "<title>datafly, k 10: 0.4000</title>");
    assert_has(html, "<text x=\"100.000%\" y=\"312\" text-anchor=\"middle\">100</text>");
    assert_has(html, "<line class=\"marker\" x1=\"50.000%\"");
    assert_has(html, ">k = 10</text>");
    assert_has(html, "<text x=\"34\" y=\"298.0\">datafly</text>");
    assert_has(html, "<th scope=\"col\" class=\"number\">k</th>"
                     "<th scope=\"col\" class=\"number\">datafly</th>");
    assert_has(html, "<tr><th scope=\"row\" class=\"number\">10</th>"
                     "<td class=\"number\">0.4000</td></tr>");
    tacit_text_free(html);
}

/* What is not known has no point, a line passes it, and it is a dash in the
 * table; a curve of which nothing is known has no name in the chart. */
static void test_gaps(void **state)
{
    (void)state;
    const double gap[] = {0.6, NAN, 0.2}, early[] = {0.5, 0.4, INFINITY}, none[] = {NAN, NAN, NAN};
    const double *const values[] = {gap, early, none};
    char *html = draw_values(values, 3, TENS, 3, false);
    assert_has(html, "<line x1=\"0.000%\" y1=\"34.0\" x2=\"100.000%\" y2=\"294.0\"/>");
    assert_int_equal(count_of(html, "<title>curve 0, "), 2);
    assert_int_equal(count_of(html, "<title>curve 1, "), 2);
    assert_int_equal(count_of(html, "<title>curve 2, "), 0);
    assert_int_equal(count_of(html, "class=\"lead\""), 1); /* the other one ends before */
    assert_has(html, ">curve 1</text>");
    assert_null(strstr(html, ">curve 2</text>"));
    assert_has(html, "<td class=\"number\">\xE2\x80\x93</td><td class=\"number\">0.400</td>");
    assert_null(strstr(html, "class=\"marker\""));
    tacit_text_free(html);
}

/* Heights of the names, in the order of the curves. */
static int label_heights(double *heights, const char *html)
{
    const char *mark = "<text x=\"34\" y=\"";
    int count = 0;
    for (const char *at = html; (at = strstr(at, mark)); count++)
        heights[count] = strtod(at += strlen(mark), NULL) - 4;
    return count;
}

static void assert_apart(const char *html, int count)
{
    double heights[TACIT_MAX_CURVES];
    assert_int_equal(label_heights(heights, html), count);
    for (int i = 0; i < count; i++) {
        assert_true(heights[i] >= 34 - 0.1 && heights[i] <= 294 + 0.1);
        for (int j = 0; j < i; j++)
            assert_true(fabs(heights[i] - heights[j]) > 15.8);
    }
}

/* However the curves end, their names stand apart and inside the plot, and in
 * the order of the ends. */
static void test_names_apart(void **state)
{
    (void)state;
    static const double ends[][TACIT_MAX_CURVES] = {
        {1, 1, 1, 1, 1, 1, 1, 1},
        {0, 0, 0, 0, 1, 1, 1, 1},
        {0, 0.01, 0.02, 0.5, 0.51, 0.99, 0.995, 1},
        {1, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
    };
    for (size_t c = 0; c < sizeof ends / sizeof ends[0]; c++)
        for (int count = 1; count <= TACIT_MAX_CURVES; count++) {
            double values[TACIT_MAX_CURVES][2];
            const double *curves[TACIT_MAX_CURVES];
            for (int i = 0; i < count; i++) {
                values[i][0] = i % 2;
                values[i][1] = ends[c][i];
                curves[i] = values[i];
            }
            char *html = draw_values(curves, count, TENS, 2, false);
            assert_apart(html, count);
            tacit_text_free(html);
        }
}

/* Of curves that end alike, the one that comes from above is named above. */
static void test_names_in_order(void **state)
{
    (void)state;
    const double low[] = {1, 2, 3}, high[] = {1, 3, 3};
    const double *const values[] = {low, high};
    double heights[TACIT_MAX_CURVES];
    char *html = draw_values(values, 2, TENS, 3, false);
    assert_int_equal(label_heights(heights, html), 2);
    assert_true(heights[1] < heights[0]);
    tacit_text_free(html);
}

/* Steps of a scale take shades from the first to the last. */
static void test_shades(void **state)
{
    (void)state;
    const double low[] = {1, 2}, middle[] = {2, 3}, high[] = {3, 4};
    const double *const values[] = {low, middle, high};
    char *html = draw_values(values, 3, TENS, 2, true);
    assert_has(html, "<g class=\"curve shade0\">");
    assert_has(html, "<g class=\"curve shade3\">");
    assert_has(html, "<g class=\"curve shade7\">");
    tacit_text_free(html);
    html = draw_values(values, 3, TENS, 2, false);
    assert_has(html, "<g class=\"curve hue2\">");
    tacit_text_free(html);
    html = draw_values(values, 1, TENS, 2, true);
    assert_has(html, "<g class=\"curve shade7\">");
    tacit_text_free(html);
}

/* A bound goes with the curve before it; the next curve has the next colour. */
static void test_bounds(void **state)
{
    (void)state;
    const double values[] = {1, 2}, bounds[] = {2, 3};
    const tacit_curve curves[] = {
        {"a", values, false}, {"a, at best", bounds, true}, {"b", values, false}};
    char *html = draw(&(tacit_curves){.title = "t",
                                      .x_label = "x",
                                      .y_label = "y",
                                      .x = TENS,
                                      .x_count = 2,
                                      .curves = curves,
                                      .curve_count = 3});
    assert_has(html, "<g class=\"curve hue0\">");
    assert_has(html, "<g class=\"curve hue0 bound\">");
    assert_has(html, "<g class=\"curve hue1\">");
    assert_null(strstr(html, "<g class=\"curve hue2"));
    assert_has(html, "<title>a, at best, x 10: 3</title>");
    tacit_text_free(html);
}

/* One point, equal values, no values, large and negative values: all are drawn. */
static void test_edges(void **state)
{
    (void)state;
    static const double rows[][3] = {{0.5, 0.5, 0.5},   {0, 0, 0},     {NAN, NAN, NAN},
                                     {1e15, 1e15, 1},   {-5, 3, 1000}, {1e-9, 2e-9, 0},
                                     {-1e7, -1e7, -1e7}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int points = 1; points <= 3; points++) {
            const double *values = rows[i];
            char *html = draw_values(&values, 1, TENS, points, false);
            assert_true(count_of(html, "class=\"grid\"") >= 1);
            assert_true(count_of(html, "class=\"grid\"") <= 10);
            tacit_text_free(html);
        }
}

/* Points too close for their numbers keep their ticks. */
static void test_many_points(void **state)
{
    (void)state;
    double x[TACIT_MAX_CURVE_POINTS], values[TACIT_MAX_CURVE_POINTS];
    for (int i = 0; i < TACIT_MAX_CURVE_POINTS; i++) {
        x[i] = 1000 + i;
        values[i] = i;
    }
    const double *curve = values;
    char *html = draw_values(&curve, 1, x, TACIT_MAX_CURVE_POINTS, false);
    int numbers = count_of(html, "y=\"312\"");
    assert_true(numbers >= 4 && numbers <= 7);
    assert_int_equal(count_of(html, "<title>curve 0, k 1 0"), TACIT_MAX_CURVE_POINTS);
    tacit_text_free(html);
}

static void test_escapes(void **state)
{
    (void)state;
    const char *nasty = "<b a=\"1\">&\x01", *shown = "&lt;b a=&quot;1&quot;&gt;&amp;\xEF\xBF\xBD";
    const double one = 1;
    const tacit_curve curve = {nasty, &one, false};
    char *html = draw(&(tacit_curves){.title = nasty,
                                      .x_label = nasty,
                                      .y_label = nasty,
                                      .x = &one,
                                      .x_count = 1,
                                      .curves = &curve,
                                      .curve_count = 1,
                                      .marker = 1,
                                      .marker_name = nasty});
    assert_null(strstr(html, "<b a"));
    assert_null(strstr(html, "\x01"));
    /* caption, title, desc 2, y label, marker, a point of 2, name, x label; the table: label,
     * caption, 2 heads */
    assert_int_equal(count_of(html, shown), 10 + 4);
    tacit_text_free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),      cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_names_apart), cmocka_unit_test(test_names_in_order),
        cmocka_unit_test(test_shades),      cmocka_unit_test(test_edges),
        cmocka_unit_test(test_many_points), cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
