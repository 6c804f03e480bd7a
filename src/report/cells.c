/*
 * cells.c - a statistical table with its cells drawn by kind.
 *
 * The table scrolls inside a box of its own, its headings stay in view. Hierarchies are seen by
 * indentation: of rows to the right, of columns downwards, where it makes a staircase. Kinds
 * differ by mark and pattern as well as by colour: what is confidential is solid, with a disc,
 * what is suppressed for others hatched, with a circle, what must be published underlined, a
 * zero faint.
 *
 * What there is to say of a cell is its title, which a pointer shows. Suppressed cells can be
 * tabbed to, clicked and tapped; the style then shows their title at the foot of the window,
 * where no box cuts it off. No script.
 *
 * Cells are asked for one by one, so that a caller need not have all their texts at once.
 */
#include <assert.h>

#include "report/page.h"

enum { CELLS_KINDS = TACIT_GRID_ZERO + 1 };

static const struct {
    const char *name;
    const char *mark; /* of a cell that has no text of its own */
} CELLS_KIND[CELLS_KINDS] = {
    {"published", "7"},
    {"primary (confidential)", "\xE2\x97\x8F"},      /* a disc */
    {"secondary (protects others)", "\xE2\x97\x8B"}, /* a circle */
    {"must be published", "7"},
    {"zero", "0"},
};

/* Letters of a heading that is not broken into lines. */
enum { SHORT_ROW = 28, SHORT_COLUMN = 12 };

static bool is_suppressed(tacit_grid_kind kind)
{
    return kind == TACIT_GRID_PRIMARY || kind == TACIT_GRID_SECONDARY;
}

static void add_cells_legend(tacit__strbuf *out)
{
    tacit__strbuf_text(out, "<p class=\"legend kinds\">");
    for (int kind = 0; kind < CELLS_KINDS; kind++)
        tacit__strbuf_format(out, "<span class=\"kind%d\"><b>%s</b>%s</span>", kind,
                             CELLS_KIND[kind].mark, CELLS_KIND[kind].name);
    tacit__strbuf_text(out, "</p>\n");
}

static void add_heading(tacit__strbuf *out, const char *scope, const tacit_grid_heading *heading,
                        size_t letters)
{
    tacit__strbuf_format(out, "<th scope=\"%s\"", scope);
    if (tacit__text_width(heading->name) > letters)
        tacit__strbuf_text(out, " class=\"long\"");
    if (heading->depth > 0)
        tacit__strbuf_format(out, " style=\"--depth:%d\"", heading->depth);
    tacit__html_join(out, ">", heading->name, "</th>", NULL);
}

static void add_cells_head(tacit__strbuf *out, const tacit_cell_grid *grid)
{
    tacit__html_join(out, "<thead><tr><td>", grid->row_name, "</td>", NULL);
    for (int column = 0; column < grid->column_count; column++)
        add_heading(out, "col", &grid->columns[column], SHORT_COLUMN);
    tacit__strbuf_text(out, "</tr></thead>\n<tbody>\n");
}

static void add_cells_cell(tacit__strbuf *out, const tacit_grid_cell *cell)
{
    assert(cell->kind <= TACIT_GRID_ZERO);
    tacit__strbuf_text(out, "<td");
    if (cell->kind != TACIT_GRID_PUBLISHED)
        tacit__strbuf_format(out, " class=\"kind%d\"", (int)cell->kind);
    if (cell->hover && is_suppressed(cell->kind))
        tacit__strbuf_text(out, " tabindex=\"0\"");
    if (cell->hover)
        tacit__html_join(out, " title=\"", cell->hover, "\"", NULL);
    tacit__html_join(out, ">", cell->text ? cell->text : CELLS_KIND[cell->kind].mark, "</td>",
                     NULL);
}

static void add_cells_row(tacit__strbuf *out, const tacit_cell_grid *grid, int row)
{
    tacit__strbuf_text(out, "<tr>");
    add_heading(out, "row", &grid->rows[row], SHORT_ROW);
    for (int column = 0; column < grid->column_count; column++) {
        tacit_grid_cell cell = grid->cell(grid->subject, row, column);
        add_cells_cell(out, &cell);
    }
    tacit__strbuf_text(out, "</tr>\n");
}

void tacit_page_cells(tacit_page *page, const tacit_cell_grid *grid)
{
    assert(grid->row_count > 0 && grid->column_count > 0);
    tacit__strbuf *out = &page->body;
    tacit__html_join(out, "<figure>\n<figcaption>", grid->title, "</figcaption>\n", NULL);
    if (grid->legend)
        add_cells_legend(out);
    tacit__html_join(out, "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"",
                     grid->title, "\">\n<table class=\"cells\">\n", NULL);
    add_cells_head(out, grid);
    for (int row = 0; row < grid->row_count && !out->failed; row++)
        add_cells_row(out, grid, row);
    tacit__strbuf_text(out, "</tbody>\n</table>\n</div>\n</figure>\n");
}
