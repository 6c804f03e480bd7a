/*
 * html.c - a report for people, as a page: facts in their order, and those that belong together in
 * one part: tiles that follow each other, labelled values, labelled sentences.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "report/facts.h"
#include "report/page.h"

static const report_fact *shown_at(const tacit_report *report, size_t i)
{
    return report->facts[i].where & TACIT_SHOW_PAGE ? &report->facts[i] : NULL;
}

/* What facts that follow each other become together. */
typedef enum html_group { ALONE = 0, TILES, VALUES, SENTENCES } html_group;

static html_group group_of(const report_fact *fact)
{
    switch (fact->type) {
    case REPORT_TILE: return TILES;
    case REPORT_INTEGER:
    case REPORT_REAL:
    case REPORT_BOOL: return VALUES;
    case REPORT_LINE: return *fact->label ? SENTENCES : ALONE;
    default: return ALONE;
    }
}

/* Without the marks of a terminal. */
static const char *print_sentence(char *buffer, size_t size, tacit_strview text)
{
    size_t len = 0;
    for (size_t i = 0; i < text.len && len + 1 < size; i++)
        if ((unsigned char)text.bytes[i] > (unsigned char)TACIT_MARK_PLAIN[0])
            buffer[len++] = text.bytes[i];
    buffer[len] = '\0';
    return buffer;
}

static const char *print_percent(char *buffer, size_t size, const report_fact *fact)
{
    char text[32];
    tacit_number_text(text, sizeof text, 100 * fact->real, fact->decimals);
    snprintf(buffer, size, isfinite(fact->real) ? "%s %%" : "%s", text);
    return buffer;
}

static const char *print_value(char *buffer, size_t size, const report_fact *fact)
{
    if (fact->percent)
        return print_percent(buffer, size, fact);
    switch (fact->type) {
    case REPORT_INTEGER: return tacit_number_text(buffer, size, (double)fact->integer, 0);
    case REPORT_REAL: return tacit_number_text(buffer, size, fact->real, fact->decimals);
    case REPORT_BOOL: return fact->integer ? "yes" : "no";
    default: return print_sentence(buffer, size, fact->text);
    }
}

/* Facts first to last - 1 of one group: a name and a value each. */
static void add_group(tacit_page *page, const tacit_report *report, size_t first, size_t last)
{
    html_group group = group_of(&report->facts[first]);
    tacit__strbuf *body = &page->body;
    tacit__strbuf_text(body, group == TILES ? "<dl class=\"tiles\">\n" : "<dl class=\"facts\">\n");
    for (size_t i = first; i < last; i++) {
        const report_fact *fact = shown_at(report, i);
        char value[4096];
        if (fact)
            tacit__html_join(body, "<div><dt>", fact->label, "</dt><dd>",
                             print_value(value, sizeof value, fact), "</dd></div>\n", NULL);
    }
    tacit__strbuf_text(body, "</dl>\n");
}

static void add_banner(tacit_page *page, const report_fact *fact)
{
    char text[4096], banner[4200];
    print_sentence(text, sizeof text, fact->text);
    snprintf(banner, sizeof banner, "%s: %s", fact->label, text);
    if (tacit__is_lower(banner[0]))
        banner[0] ^= 0x20;
    tacit_page_banner(page, fact->good, *fact->label ? banner : text);
}

/* The texts of a table's cells that are on the page, row by row, in an arena; false when out of
 * memory. */
static bool print_cells(const char **cells, tacit__arena *arena, const report_grid *grid,
                        size_t rows)
{
    const tacit_report_table *table = &grid->table;
    char buffer[REPORT_MAX_CELL];
    for (size_t i = 0; i < rows * (size_t)table->column_count; i++) {
        const tacit_report_column *column = &table->columns[i % (size_t)table->column_count];
        if (!report_column_shown(column, TACIT_SHOW_PAGE))
            continue;
        const char *text = report_cell_print(buffer, column, &grid->cells[i]);
        if (!(*cells++ = tacit__arena_copy(arena, tacit_strview_of(text)).bytes))
            return false;
    }
    return true;
}

/* Nothing where there are no rows. */
static void add_html_table(tacit_page *page, const report_grid *grid)
{
    const tacit_report_table *table = &grid->table;
    size_t rows = report_grid_rows(grid, table->page_rows);
    const char *header[TACIT_MAX_PAGE_COLUMNS];
    tacit__arena arena = {0};
    int columns = 0;
    for (int i = 0; i < table->column_count; i++)
        if (report_column_shown(&table->columns[i], TACIT_SHOW_PAGE))
            header[columns++] = table->columns[i].heading;
    if (rows == 0)
        return;
    const char **cells = tacit__arena_alloc(&arena, rows * (size_t)columns * sizeof *cells);
    if (cells && print_cells(cells, &arena, grid, rows))
        tacit_page_table(page, table->title, header, columns, cells, (int)rows);
    else
        tacit_page_fail(page);
    tacit__arena_clear(&arena);
}

static void add_alone(tacit_page *page, const report_fact *fact)
{
    char text[4096];
    switch (fact->type) {
    case REPORT_VERDICT: add_banner(page, fact); break;
    case REPORT_SECTION: tacit_page_heading(page, fact->text.bytes); break;
    case REPORT_LINE:
    case REPORT_PARAGRAPH:
        tacit_page_paragraph(page, print_sentence(text, sizeof text, fact->text));
        break;
    case REPORT_TABLE: add_html_table(page, fact->grid); break;
    case REPORT_DRAWING: fact->draw(page, fact->subject); break;
    default: break;
    }
}

/* The end of a group that begins here: what is not on the page does not end it. */
static size_t group_end(const tacit_report *report, size_t first)
{
    html_group group = group_of(&report->facts[first]);
    size_t end = first + 1;
    for (size_t i = end; i < report->count; i++)
        if (shown_at(report, i) && group_of(&report->facts[i]) != group)
            return i;
        else if (shown_at(report, i))
            end = i + 1;
    return end;
}

tacit_status tacit_report_html(char **out, const tacit_report *report, tacit_error *err)
{
    tacit_page *page = NULL;
    tacit_status status = tacit_page_new(&page, report->title, err);
    if (status != TACIT_OK)
        return status;
    if (report->failed)
        tacit_page_fail(page);
    for (size_t i = 0; !report->failed && i < report->count;) {
        size_t end = i + 1;
        if (shown_at(report, i) && group_of(&report->facts[i]) == ALONE)
            add_alone(page, &report->facts[i]);
        else if (shown_at(report, i))
            add_group(page, report, i, end = group_end(report, i));
        i = end;
    }
    status = tacit_page_html(out, page, err);
    tacit_page_free(page);
    return status;
}
