/*
 * page.c - the account for people: one HTML file that needs nothing else, no
 * script, no font, no picture from anywhere.
 *
 * Parts are rendered as they are added, into one buffer; the writer puts the
 * head before it and the foot behind. Headings open sections, so the outline
 * a screen reader announces is the page's own. Linear in what is added.
 */
#include "report/page.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit_page_new(tacit_page **out, const char *title, tacit_error *err)
{
    tacit_page *page = tacit__alloc_zeroed(1, sizeof *page);
    if (!page || !(page->title = tacit__copy_bytes(title, strlen(title)))) {
        tacit_page_free(page);
        return tacit__nomem(err);
    }
    *out = page;
    return TACIT_OK;
}

void tacit_page_free(tacit_page *page)
{
    if (!page)
        return;
    tacit__free(page->title);
    tacit__strbuf_clear(&page->body);
    tacit__free(page);
}

void tacit_page_heading(tacit_page *page, const char *text)
{
    int id = ++page->parts;
    if (page->section_open)
        tacit__strbuf_text(&page->body, "</section>\n");
    page->section_open = true;
    tacit__strbuf_format(&page->body, "<section aria-labelledby=\"part%d\">\n<h2 id=\"part%d\">",
                         id, id);
    tacit__html_join(&page->body, "", text, "</h2>\n", NULL);
}

void tacit_page_paragraph(tacit_page *page, const char *text)
{
    tacit__html_join(&page->body, "<p>", text, "</p>\n", NULL);
}

void tacit_page_banner(tacit_page *page, bool good, const char *text)
{
    tacit__html_join(&page->body, "<p class=\"banner ", good ? "good" : "bad",
                     "\"><span aria-hidden=\"true\">", good ? "\xE2\x9C\x93" : "\xE2\x9C\x95",
                     "</span><span>", text, "</span></p>\n", NULL);
}

void tacit_page_tiles(tacit_page *page, const char *const *names, const char *const *values,
                      int count)
{
    tacit__strbuf_text(&page->body, "<dl class=\"tiles\">\n");
    for (int i = 0; i < count; i++)
        tacit__html_join(&page->body, "<div><dt>", names[i], "</dt><dd>", values[i],
                         "</dd></div>\n", NULL);
    tacit__strbuf_text(&page->body, "</dl>\n");
}

/* Whether a cell is a number, with a unit of one short word at most ("12.5 %",
 * "0.3 s", "5.1e+11"), or a dash that stands for none. */
static bool is_page_number(const char *cell)
{
    if (strcmp(cell, "-") == 0 || strcmp(cell, "\xE2\x80\x93") == 0)
        return true;
    cell += *cell == '-' || *cell == '+';
    size_t digits = strspn(cell, "0123456789");
    if (!digits)
        return false;
    cell += strspn(cell, "0123456789.");
    while (cell[0] == ' ' && strspn(cell + 1, "0123456789") == 3)
        cell += 4 + strspn(cell + 4, ".0123456789");
    if (*cell == 'e')
        cell += 1 + strspn(cell + 1, "+-0123456789");
    if (*cell == ' ')
        cell++;
    return strcmp(cell, "") == 0 || strcmp(cell, "%") == 0 || strcmp(cell, "s") == 0;
}

static bool is_number_column(const char *const *cells, int columns, int rows, int column)
{
    int numbers = 0;
    for (int row = 0; row < rows; row++) {
        const char *cell = cells[(size_t)row * (size_t)columns + (size_t)column];
        if (!*cell)
            continue;
        if (!is_page_number(cell))
            return false;
        numbers++;
    }
    return numbers > 0;
}

static void add_table_head(tacit__strbuf *out, const char *caption, const char *const *header,
                           const bool *numbers, int columns)
{
    tacit__html_join(
        out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", caption,
        columns <= 3 ? "\">\n<table class=\"short\">\n<caption>" : "\">\n<table>\n<caption>",
        caption, "</caption>\n<thead><tr>", NULL);
    for (int i = 0; i < columns; i++)
        tacit__html_join(out,
                         numbers[i] ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">",
                         header[i], "</th>", NULL);
    tacit__strbuf_text(out, "</tr></thead>\n<tbody>\n");
}

static void add_table_row(tacit__strbuf *out, const char *const *cells, const bool *numbers,
                          int columns)
{
    tacit__strbuf_text(out, "<tr>");
    for (int i = 0; i < columns; i++) {
        const char *class = numbers[i] ? " class=\"number\">" : ">";
        tacit__html_join(out, i == 0 ? "<th scope=\"row\"" : "<td", "", class, cells[i],
                         i == 0 ? "</th>" : "</td>", NULL);
    }
    tacit__strbuf_text(out, "</tr>\n");
}

void tacit_page_fail(tacit_page *page)
{
    page->body.failed = true;
}

void tacit_page_table(tacit_page *page, const char *caption, const char *const *header, int columns,
                      const char *const *cells, int rows)
{
    assert(columns > 0 && rows >= 0);
    bool *numbers = tacit__alloc_array((size_t)columns, sizeof *numbers);
    if (!numbers) {
        page->body.failed = true;
        return;
    }
    for (int i = 0; i < columns; i++)
        numbers[i] = is_number_column(cells, columns, rows, i);
    add_table_head(&page->body, caption, header, numbers, columns);
    for (int row = 0; row < rows; row++)
        add_table_row(&page->body, cells + (size_t)row * (size_t)columns, numbers, columns);
    tacit__strbuf_text(&page->body, "</tbody>\n</table>\n</div>\n");
    tacit__free(numbers);
}

tacit_status tacit_page_html(char **out, const tacit_page *page, tacit_error *err)
{
    tacit__strbuf html = {.failed = page->body.failed};
    tacit__html_join(&html,
                     "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
                     page->title, "</title>\n<style>", NULL);
    tacit__strbuf_text(&html, tacit__page_style);
    tacit__strbuf_text(&html, tacit__facts_style);
    tacit__strbuf_text(&html, tacit__curve_style);
    tacit__strbuf_text(&html, tacit__heat_style);
    tacit__strbuf_text(&html, tacit__cells_style);
    tacit__strbuf_text(&html, tacit__graph_style);
    tacit__strbuf_text(&html, tacit__marked_style);
    tacit__html_join(&html, "</style>\n</head>\n<body>\n<main>\n<h1>", page->title, "</h1>\n",
                     NULL);
    tacit__strbuf_add(&html, page->body.bytes, page->body.len);
    tacit__html_join(&html, page->section_open ? "</section>\n" : "", "",
                     "</main>\n<footer><p>Made by tacit ", tacit_version(),
                     ".</p></footer>\n</body>\n</html>\n", NULL);
    if (html.failed) {
        tacit__strbuf_clear(&html);
        return tacit__nomem(err);
    }
    *out = html.bytes;
    return TACIT_OK;
}
