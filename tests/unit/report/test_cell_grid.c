/*
 * test_cell_grid.c - statistical tables on a page: exact markup of headings and of each kind
 * of cell, what can be tabbed to, the legend, and names that would break a page.
 */
#include "pages.h"

typedef struct sample {
    const tacit_grid_cell *cells;
    int columns;
    int asked; /* cells so far: they are asked for in order */
} sample;

static tacit_grid_cell cell_at(void *subject, int row, int column)
{
    sample *s = subject;
    assert_int_equal(s->asked++, row * s->columns + column);
    return s->cells[row * s->columns + column];
}

static char *draw(const tacit_grid_heading *rows, int row_count, const tacit_grid_heading *columns,
                  int column_count, const tacit_grid_cell *cells, bool legend)
{
    sample s = {cells, column_count, 0};
    tacit_page *page = new_page("t");
    tacit_page_cells(page, &(tacit_cell_grid){.title = "Turnover",
                                              .row_name = "region",
                                              .rows = rows,
                                              .row_count = row_count,
                                              .columns = columns,
                                              .column_count = column_count,
                                              .cell = cell_at,
                                              .subject = &s,
                                              .legend = legend});
    assert_int_equal(s.asked, row_count * column_count);
    char *html = html_of(page);
    assert_sound(html);
    return html;
}

static void test_markup(void **state)
{
    (void)state;
    static const tacit_grid_heading rows[] = {{"all", 0}, {"north", 1}, {"n1", 2}};
    static const tacit_grid_heading columns[] = {{"Total", 0}, {"m", 1}};
    static const tacit_grid_cell cells[] = {
        {TACIT_GRID_PUBLISHED, "1 234", "all, Total"},
        {TACIT_GRID_FIXED, "17", "must be published"},
        {TACIT_GRID_PRIMARY, NULL, "between 1 and 5"},
        {TACIT_GRID_SECONDARY, "x", "between 2 and 6"},
        {TACIT_GRID_ZERO, "0", NULL},
        {TACIT_GRID_SECONDARY, "x", NULL},
    };
    char *html = draw(rows, 3, columns, 2, cells, false);
    assert_has(html,
               "<figure>\n<figcaption>Turnover</figcaption>\n"
               "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Turnover\">\n"
               "<table class=\"cells\">\n<thead><tr><td>region</td>"
               "<th scope=\"col\">Total</th>"
               "<th scope=\"col\" style=\"--depth:1\">m</th></tr></thead>\n<tbody>\n"
               "<tr><th scope=\"row\">all</th><td title=\"all, Total\">1 234</td>"
               "<td class=\"kind3\" title=\"must be published\">17</td></tr>\n"
               "<tr><th scope=\"row\" style=\"--depth:1\">north</th>"
               "<td class=\"kind1\" tabindex=\"0\" title=\"between 1 and 5\">\xE2\x97\x8F</td>"
               "<td class=\"kind2\" tabindex=\"0\" title=\"between 2 and 6\">x</td></tr>\n"
               "<tr><th scope=\"row\" style=\"--depth:2\">n1</th>"
               "<td class=\"kind4\">0</td><td class=\"kind2\">x</td></tr>\n"
               "</tbody>\n</table>\n</div>\n</figure>\n");
    assert_null(strstr(html, "<p class=\"legend"));
    tacit_text_free(html);
}

/* Every kind is in the legend and drawn by the style, those that are suppressed differently
 * even without colour. */
static void test_legend(void **state)
{
    (void)state;
    static const tacit_grid_heading name = {"all", 0};
    static const tacit_grid_cell cell = {TACIT_GRID_PUBLISHED, "1", NULL};
    char *html = draw(&name, 1, &name, 1, &cell, true);
    assert_has(html, "<p class=\"legend kinds\"><span class=\"kind0\"><b>7</b>published</span>"
                     "<span class=\"kind1\"><b>\xE2\x97\x8F</b>primary (confidential)</span>"
                     "<span class=\"kind2\"><b>\xE2\x97\x8B</b>secondary (protects others)"
                     "</span><span class=\"kind3\"><b>7</b>must be published</span>"
                     "<span class=\"kind4\"><b>0</b>zero</span></p>\n<div class=\"box\"");
    assert_has(html, ".kind2{--kind:repeating-linear-gradient(");
    assert_has(html, ".cells .kind3,.kinds .kind3 b{text-decoration:underline dotted");
    assert_has(html, ".cells td:focus::after{content:attr(title)");
    tacit_text_free(html);
}

/* Headings that are long are broken into lines, by letters rather than bytes. */
static void test_long(void **state)
{
    (void)state;
    static const tacit_grid_heading names[] = {
        {"twelve chars", 0},
        {"thirteen char", 0},
        {"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 1},
    };
    static const tacit_grid_heading row = {"a row of twenty-nine letters.", 1};
    static const tacit_grid_cell cells[3] = {{TACIT_GRID_ZERO, NULL, NULL}};
    char *html = draw(&row, 1, names, 3, cells, false);
    assert_has(html, "<th scope=\"col\">twelve chars</th>"
                     "<th scope=\"col\" class=\"long\">thirteen char</th>"
                     "<th scope=\"col\" style=\"--depth:1\">\xC3\xA4");
    assert_has(html, "<th scope=\"row\" class=\"long\" style=\"--depth:1\">a row");
    tacit_text_free(html);
}

/* Names and texts come from outside. */
static void test_escapes(void **state)
{
    (void)state;
    const char *nasty = "\"><script>'&\x01\xFF\n", *shown = "&quot;&gt;&lt;script&gt;&#39;&amp;"
                                                            "\xEF\xBF\xBD\xEF\xBF\xBD\n";
    const tacit_grid_heading name = {nasty, -1};
    const tacit_grid_cell cell = {TACIT_GRID_PRIMARY, nasty, nasty};
    sample s = {&cell, 1, 0};
    tacit_page *page = new_page("t");
    tacit_page_cells(page, &(tacit_cell_grid){.title = nasty,
                                              .row_name = nasty,
                                              .rows = &name,
                                              .row_count = 1,
                                              .columns = &name,
                                              .column_count = 1,
                                              .cell = cell_at,
                                              .subject = &s});
    char *html = html_of(page);
    assert_sound(html);
    assert_null(strstr(html, "style=\"--depth"));
    /* caption, label, corner, column, row, hover, text */
    assert_int_equal(count_of(html, shown), 7);
    tacit_text_free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup),
        cmocka_unit_test(test_legend),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
