/*
 * test_page_graph.c - suppressed graphs on a page: exact markup of a small one, where groups
 * and signs go, what is in the legend and the table, and the largest there may be.
 */
#include <math.h>

#include "pages.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static char *draw(const tacit_page_vertex *rows, int row_count, const tacit_page_vertex *columns,
                  int column_count, const tacit_page_edge *edges, int edge_count)
{
    tacit_page *page = new_page("t");
    tacit_page_graph(page, &(tacit_page_bipartite){.title = "Hidden cells",
                                                   .row_name = "region",
                                                   .column_name = "",
                                                   .rows = rows,
                                                   .row_count = row_count,
                                                   .columns = columns,
                                                   .column_count = column_count,
                                                   .edges = edges,
                                                   .edge_count = edge_count});
    char *html = html_of(page);
    assert_sound(html);
    return html;
}

/* One row and two columns: 212 wide, 32 a column from 24 on, so that the columns are at 40 and
 * 72 and the row between them. */
static void test_markup(void **state)
{
    (void)state;
    static const tacit_page_vertex rows[] = {{"north", 0}}, columns[] = {{"a", 0}, {"b", 0}};
    static const tacit_page_edge edges[] = {
        {0, 0, TACIT_EDGE_SECRET, TACIT_EDGE_TO_COLUMN, true, "9.5"},
        {0, 1, TACIT_EDGE_ADDED, TACIT_EDGE_BOTH_WAYS, false, NULL},
    };
    char *html = draw(rows, 1, columns, 2, edges, 2);
    assert_has(html, "<figure>\n<figcaption>Hidden cells</figcaption>\n<p class=\"legend kinds\">");
    assert_has(html, "height=\"94\" style=\"width:calc(100% - 84px);margin-left:59px;"
                     "min-width:212px;max-width:212px\">\n"
                     "<title id=\"part1-title\">Hidden cells</title>\n"
                     "<desc id=\"part1-text\">A graph of suppressed cells by row and column; its "
                     "cells stand in the table below it.</desc>\n<style>\n"
                     ".graph:has(.r0:hover) .edge:not(.r0){opacity:.1}\n"
                     ".graph:has(.c0:hover) .edge:not(.c0){opacity:.1}\n"
                     ".graph:has(.c1:hover) .edge:not(.c1){opacity:.1}\n</style>\n"
                     "<g class=\"graph\">\n"
                     "<text x=\"-12\" y=\"12.0\" text-anchor=\"end\">region</text>\n"
                     "<text x=\"224\" y=\"12.0\"></text>\n");
    assert_has(html, "<g class=\"edge edge2 r0 c1\"><title>north, b: added</title>"
                     "<path class=\"area\" d=\"M0.0,56.0L212.0,72.0\"/>"
                     "<path d=\"M0.0,56.0L212.0,72.0\"/></g>\n"
                     "<g class=\"edge edge0 known r0 c0\"><title>north, a: to be protected, "
                     "can only rise, known exactly; 9.5</title>"
                     "<path class=\"area\" d=\"M0.0,56.0L212.0,40.0\"/>"
                     "<path d=\"M0.0,56.0L212.0,40.0\"/>"
                     "<path class=\"head\" transform=\"translate(161.1,43.8) rotate(-4.3)\" "
                     "d=\"M7,0L-6,-5.5V5.5z\"/>"
                     "<g transform=\"translate(106.0,48.0)\"><circle r=\"7.5\"/>"
                     "<path class=\"sign\" d=\"M0,-3.8V0.6M0,3.7v0.1\"/></g></g>\n"
                     "<g class=\"vertex r0\"><title>north</title>"
                     "<circle cx=\"0\" cy=\"56.0\" r=\"4\"/>"
                     "<text x=\"-12\" y=\"60.0\" text-anchor=\"end\">north</text></g>\n"
                     "<g class=\"vertex c0\"><title>a</title>"
                     "<circle cx=\"212\" cy=\"40.0\" r=\"4\"/>"
                     "<text x=\"224\" y=\"44.0\">a</text></g>\n");
    assert_int_equal(count_of(html, "<rect "), 0); /* one group has no band */
    tacit_text_free(html);
}

/* The table has an edge a row, in the caller's order. */
static void test_table(void **state)
{
    (void)state;
    static const tacit_page_vertex rows[] = {{"north", 0}, {"south", 0}}, column = {"a", 0};
    static const tacit_page_edge edges[] = {
        {1, 0, TACIT_EDGE_SUPPRESSED, TACIT_EDGE_TO_ROW, true, NULL},
        {0, 0, TACIT_EDGE_SECRET, TACIT_EDGE_BOTH_WAYS, false, "3 to 9"},
    };
    static const tacit_page_edge plain = {0,     0,   TACIT_EDGE_ADDED, TACIT_EDGE_BOTH_WAYS,
                                          false, NULL};
    char *html = draw(rows, 2, &column, 1, edges, 2);
    assert_has(html, "<details><summary>The cells</summary>\n");
    assert_has(html, "<th scope=\"col\">region</th><th scope=\"col\">column</th>"
                     "<th scope=\"col\">kind</th><th scope=\"col\">can</th>"
                     "<th scope=\"col\">known</th><th scope=\"col\">remark</th></tr></thead>\n"
                     "<tbody>\n<tr><th scope=\"row\">south</th><td>a</td>"
                     "<td>otherwise suppressed</td><td>only fall</td><td>exactly</td><td></td>"
                     "</tr>\n<tr><th scope=\"row\">north</th><td>a</td><td>to be protected</td>"
                     "<td>rise and fall</td><td></td><td>3 to 9</td></tr>\n</tbody>");
    tacit_text_free(html);
    html = draw(rows, 1, &column, 1, &plain, 1); /* nothing of ways where there are none */
    assert_has(html, "<th scope=\"col\">kind</th></tr></thead>\n<tbody>\n"
                     "<tr><th scope=\"row\">north</th><td>a</td><td>added</td></tr>\n</tbody>");
    tacit_text_free(html);
}

/* The legend has what is drawn, and nothing else. */
static void test_legend(void **state)
{
    (void)state;
    static const struct {
        tacit_page_edge edge;
        const char *words; /* behind the kind's */
    } cases[] = {
        {{0, 0, TACIT_EDGE_SECRET, TACIT_EDGE_BOTH_WAYS, false, NULL}, "to be protected"},
        {{0, 0, TACIT_EDGE_SUPPRESSED, TACIT_EDGE_BOTH_WAYS, true, NULL}, "known exactly"},
        {{0, 0, TACIT_EDGE_ADDED, TACIT_EDGE_TO_COLUMN, false, NULL}, "can only rise"},
        {{0, 0, TACIT_EDGE_ADDED, TACIT_EDGE_TO_ROW, false, NULL}, "can only fall"},
    };
    static const char *const names[] = {"to be protected", "otherwise suppressed", "added"};
    static const tacit_page_vertex name = {"all", 0};
    for (int i = 0; i < COUNT(cases); i++) {
        char *html = draw(&name, 1, &name, 1, &cases[i].edge, 1), wanted[64];
        snprintf(wanted, sizeof wanted, "</svg>%s</span>", names[cases[i].edge.kind]);
        assert_int_equal(count_of(html, wanted), 1);
        snprintf(wanted, sizeof wanted, "</svg>%s</span></p>\n", cases[i].words);
        assert_int_equal(count_of(html, wanted), 1);
        assert_int_equal(count_of(html, "</svg>"), i == 0 ? 2 : 3);
        /* one in the drawing, one in the legend */
        assert_int_equal(count_of(html, "class=\"sign\""), cases[i].edge.known ? 2 : 0);
        assert_int_equal(count_of(html, "class=\"head\""),
                         cases[i].edge.way == TACIT_EDGE_BOTH_WAYS ? 0 : 2);
        tacit_text_free(html);
    }
}

/* Kinds differ without colour, and what is known is marked in every set of colours. */
static void test_looks(void **state)
{
    (void)state;
    static const tacit_page_vertex name = {"all", 0};
    static const tacit_page_edge edge = {0, 0, TACIT_EDGE_SECRET, TACIT_EDGE_BOTH_WAYS, true, NULL};
    char *html = draw(&name, 1, &name, 1, &edge, 1);
    assert_has(html, ".edge0{--edge:#b8720f;--wide:3}.edge1{--edge:var(--second)}"
                     ".edge2{--edge:#1b7f5c;--wide:2.2;--dash:6 4}");
    assert_has(html, ".known .area{stroke:var(--edge);opacity:.3}");
    assert_int_equal(count_of(html, ".edge.known{--edge:#"), 2);
    tacit_text_free(html);
}

/* Groups 2, 5 and 7: two rows and a column, a column alone, a row and three columns. */
static void test_groups(void **state)
{
    (void)state;
    static const tacit_page_vertex rows[] = {{"r0", 2}, {"r1", 2}, {"r2", 7}};
    static const tacit_page_vertex columns[] = {
        {"c0", 2}, {"c1", 5}, {"c2", 7}, {"c3", 7}, {"c4", 7}};
    static const tacit_page_edge edges[] = {
        {1, 0, TACIT_EDGE_SECRET, TACIT_EDGE_BOTH_WAYS, false, NULL},
        {2, 4, TACIT_EDGE_ADDED, TACIT_EDGE_BOTH_WAYS, false, NULL},
    };
    char *html = draw(rows, 3, columns, 5, edges, 2);
    static const char *const bands[] = {"y=\"24.0\" width=\"321\" height=\"64.0\"",
                                        "y=\"98.0\" width=\"321\" height=\"32.0\"",
                                        "y=\"140.0\" width=\"321\" height=\"96.0\""};
    static const char *const places[] = {
        "cx=\"0\" cy=\"40.0\"",    "cx=\"0\" cy=\"72.0\"",    "cx=\"0\" cy=\"188.0\"",
        "cx=\"230\" cy=\"56.0\"",  "cx=\"230\" cy=\"114.0\"", "cx=\"230\" cy=\"156.0\"",
        "cx=\"230\" cy=\"188.0\"", "cx=\"230\" cy=\"220.0\"",
    };
    assert_int_equal(count_of(html, "<rect class=\"band\" x=\"-59\""), COUNT(bands));
    for (int i = 0; i < COUNT(bands); i++)
        assert_has(html, bands[i]);
    for (int i = 0; i < COUNT(places); i++)
        assert_int_equal(count_of(html, places[i]), 1);
    assert_int_equal(count_of(html, "d=\"M0.0,188.0L230.0,220.0\""), 2);
    tacit_text_free(html);
}

/* Every other line of these crosses in the middle of the plot: signs must not hide each other,
 * and stay between the arrow heads. */
static void test_signs(void **state)
{
    (void)state;
    static const tacit_page_vertex lines[] = {{"1", 0}, {"2", 0}, {"3", 0}, {"4", 0}};
    tacit_page_edge edges[4];
    double x[4], y[4];
    for (int i = 0; i < 4; i++)
        edges[i] = (tacit_page_edge){.row = i, .column = 3 - i, .known = true};
    char *html = draw(lines, 4, lines, 4, edges, 4);
    const char *at = strstr(html, "<g class=\"graph\">");
    for (int i = 0; i < 4; i++) {
        assert_non_null(at = strstr(at + 1, "<g transform=\"translate("));
        assert_int_equal(sscanf(at, "<g transform=\"translate(%lf,%lf)", &x[i], &y[i]), 2);
        assert_true(x[i] > 0.3 * 224 && x[i] < 0.7 * 224);
        for (int j = 0; j < i; j++)
            assert_true(hypot(x[i] - x[j], y[i] - y[j]) > 15);
    }
    assert_true(fabs(x[0] - 112) < 0.1 && fabs(y[0] - 88) < 0.1);
    tacit_text_free(html);
}

/* Kao's Figure 1.2: 21 cells of Q, X2c, X3c and X6i known, the first two on their upper bounds,
 * and two cells that protect these three. */
static void test_figure(void **state)
{
    (void)state;
    static const char *const suppressed[6] = {"ab", "abcdefghi", "cde", "fg", "fghi", "i"};
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "a", "b",
                                        "c", "d", "e", "f", "g", "h", "i"};
    tacit_page_vertex lines[15];
    tacit_page_edge edges[23];
    int count = 0;
    for (int i = 0; i < 15; i++)
        lines[i] = (tacit_page_vertex){names[i], 0};
    for (int row = 0; row < 6; row++)
        for (const char *at = suppressed[row]; *at; at++)
            edges[count++] =
                (tacit_page_edge){.row = row,
                                  .column = *at - 'a',
                                  .way = *at == 'c' ? TACIT_EDGE_TO_ROW : TACIT_EDGE_BOTH_WAYS,
                                  .known = *at == 'c' || row == 5};
    edges[count++] = (tacit_page_edge){0, 2, TACIT_EDGE_ADDED, TACIT_EDGE_BOTH_WAYS, false, NULL};
    edges[count++] = (tacit_page_edge){5, 3, TACIT_EDGE_ADDED, TACIT_EDGE_BOTH_WAYS, false, NULL};
    char *html = draw(lines, 6, lines + 6, 9, edges, count);
    assert_int_equal(count_of(html, "<g class=\"edge edge0 r"), 18);
    assert_int_equal(count_of(html, "<g class=\"edge edge0 known r"), 3);
    assert_int_equal(count_of(html, "<g class=\"edge edge2 r"), 2);
    assert_int_equal(count_of(html, "class=\"head\""), 2 + 1);
    assert_has(html, "<title>2, c: to be protected, can only fall, known exactly</title>");
    assert_has(html, "<title>6, i: to be protected, known exactly</title>");
    /* known ones are on top of all others, vertices on top of them */
    const char *known = strstr(html, " known r"), *added = strstr(html, "<g class=\"edge edge2 r5");
    assert_true(added < known && known < strstr(html, "<g class=\"vertex"));
    tacit_text_free(html);
}

static void test_escapes(void **state)
{
    (void)state;
    const char *nasty = "\"></title><script>'&\x01\xFF";
    const char *shown = "&quot;&gt;&lt;/title&gt;&lt;script&gt;&#39;&amp;"
                        "\xEF\xBF\xBD\xEF\xBF\xBD";
    const tacit_page_vertex name = {nasty, -3};
    const tacit_page_edge edge = {0, 0, TACIT_EDGE_ADDED, TACIT_EDGE_TO_ROW, true, nasty};
    tacit_page *page = new_page("t");
    tacit_page_graph(page, &(tacit_page_bipartite){.title = nasty,
                                                   .row_name = nasty,
                                                   .column_name = nasty,
                                                   .rows = &name,
                                                   .row_count = 1,
                                                   .columns = &name,
                                                   .column_count = 1,
                                                   .edges = &edge,
                                                   .edge_count = 1});
    char *html = html_of(page);
    assert_sound(html);
    /* caption, title; sides 2; vertices 2 of title and name; edge 3; table: label, caption, 3
     * heads, row of 3 */
    assert_int_equal(count_of(html, shown), 2 + 2 + 4 + 3 + 2 + 2 + 3);
    tacit_text_free(html);
}

/* As many as there may be, in one group and each in its own; names are cut, their titles not. */
static void test_largest(void **state)
{
    (void)state;
    static tacit_page_vertex lines[TACIT_MAX_GRAPH_LINES];
    static tacit_page_edge edges[TACIT_MAX_GRAPH_EDGES];
    for (int own = 0; own <= 1; own++) {
        for (int i = 0; i < TACIT_MAX_GRAPH_LINES; i++)
            lines[i] = (tacit_page_vertex){"a name of twenty-six chars", own ? i : 0};
        for (int i = 0; i < TACIT_MAX_GRAPH_EDGES; i++)
            edges[i] = (tacit_page_edge){.row = i % TACIT_MAX_GRAPH_LINES,
                                         .column = i * 7 % TACIT_MAX_GRAPH_LINES,
                                         .way = TACIT_EDGE_TO_COLUMN,
                                         .known = true,
                                         .hover = "remark"};
        char *html = draw(lines, TACIT_MAX_GRAPH_LINES, lines, TACIT_MAX_GRAPH_LINES, edges,
                          TACIT_MAX_GRAPH_EDGES);
        assert_int_equal(count_of(html, "<g class=\"edge edge0 known r"), TACIT_MAX_GRAPH_EDGES);
        assert_int_equal(count_of(html, "<g class=\"vertex "), 2 * TACIT_MAX_GRAPH_LINES);
        assert_int_equal(count_of(html, ">a name of twenty-six ch\xE2\x80\xA6</text>"), 240);
        assert_int_equal(count_of(html, "<title>a name of twenty-six chars</title>"), 240);
        assert_int_equal(count_of(html, "<td>remark</td>"), TACIT_MAX_GRAPH_EDGES);
        assert_int_equal(count_of(html, "<rect "), own ? TACIT_MAX_GRAPH_LINES : 0);
        assert_has(html, "<g class=\"graph dense\">");
        assert_has(html, "max-width:520px");
        tacit_text_free(html);
    }
}

/* Two graphs on a page: ids differ. */
static void test_two(void **state)
{
    (void)state;
    static const tacit_page_vertex name = {"all", 0};
    static const tacit_page_edge edge = {0};
    const tacit_page_bipartite graph = {"g", "", "", &name, 1, &name, 1, &edge, 1};
    tacit_page *page = new_page("t");
    tacit_page_graph(page, &graph);
    tacit_page_graph(page, &graph);
    char *html = html_of(page);
    assert_sound(html);
    assert_int_equal(count_of(html, "id=\"part1-title\""), 1);
    assert_int_equal(count_of(html, "id=\"part2-title\""), 1);
    tacit_text_free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_legend),  cmocka_unit_test(test_looks),
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_signs),
        cmocka_unit_test(test_figure),  cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_largest), cmocka_unit_test(test_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
