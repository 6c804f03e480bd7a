/*
 * protect_total_page.c - total protection on a page: the table with what was known and what was
 * added.
 *
 * Unlike other pages of tables it is the data holder's alone: which cells were known before, and
 * which are on their bounds, is more than the release tells.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/records/verdict.h"
#include "engine/tables/protect.h"
#include "engine/tables/table_intervals.h"
#include "engine/tables/total_graph.h"

enum { MOST_CELLS = 40000, NAME_BYTES = 96 };

typedef struct drawing {
    const engine_protection *p;
    const tacit_flat_view *view;
    bool *known; /* a listed cell each: before */
    tacit_grid_heading *headings[2];
    char (*names[2])[NAME_BYTES];
    char text[64];
    char hover[3 * NAME_BYTES];
} drawing;

static const tacit_dimension *side(const drawing *d, int which)
{
    const tacit_cells *cells = d->p->cells;
    return &cells->dimensions[cells->tables[0].dimensions[which]];
}

static int count_of(const drawing *d, int which)
{
    return which == 0 ? d->view->rows : d->view->columns;
}

static bool name_side(drawing *d, int which)
{
    const tacit_flat_table *flat = d->p->total.flat;
    const int32_t *codes = which == 0 ? flat->row_code : flat->column_code;
    size_t count = (size_t)count_of(d, which);
    d->headings[which] = tacit__alloc_zeroed(count, sizeof *d->headings[which]);
    d->names[which] = tacit__alloc_zeroed(count, sizeof *d->names[which]);
    if (!d->headings[which] || !d->names[which])
        return false;
    for (size_t i = 0; i < count; i++)
        d->headings[which][i].name =
            engine_printable(d->names[which][i], NAME_BYTES, side(d, which)->codes[codes[i]]);
    return true;
}

static bool mark_known(drawing *d)
{
    const tacit_total_audit *before = d->p->total.before;
    d->known = tacit__alloc_zeroed((size_t)d->view->count + 1, sizeof *d->known);
    for (int32_t i = 0; d->known && i < before->invariant_count; i++)
        d->known[before->invariant[i]] = true;
    return d->known != NULL;
}

static tacit_grid_cell draw_cell(void *subject, int row, int column)
{
    drawing *d = subject;
    int32_t k = row * d->view->columns + column, cell = d->p->total.flat->cells[k];
    char letter = d->p->pattern.status[cell];
    bool added = engine_total_added(d->p, cell);
    const char *what = added ? "added" : d->known[k] ? "was known exactly" : NULL;
    snprintf(d->hover, sizeof d->hover, "%s, %s%s%s", d->names[0][row], d->names[1][column],
             what ? " \xE2\x80\x93 " : "", what ? what : "");
    tacit_grid_cell drawn = {.hover = d->hover};
    drawn.kind = letter == TACIT_CELL_PRIMARY     ? TACIT_GRID_PRIMARY
                 : letter == TACIT_CELL_SECONDARY ? TACIT_GRID_SECONDARY
                                                  : TACIT_GRID_PUBLISHED;
    if (engine_is_suppressed(letter)) {
        drawn.text = added ? "+" : d->known[k] ? "=" : NULL;
        return drawn;
    }
    snprintf(d->text, sizeof d->text, "%.10g", d->view->value[k]);
    drawn.text = d->text;
    return drawn;
}

static void draw_table(tacit_page *page, drawing *d)
{
    char corner[2 * NAME_BYTES + 16], rows[NAME_BYTES], columns[NAME_BYTES];
    snprintf(corner, sizeof corner, "%s\xC2\xA0\xE2\x86\x93 %s\xC2\xA0\xE2\x86\x92",
             engine_printable(rows, sizeof rows, side(d, 0)->name),
             engine_printable(columns, sizeof columns, side(d, 1)->name));
    tacit_page_paragraph(page, "Suppressed cells marked = were known exactly before; those "
                               "marked + were added.");
    tacit_page_cells(page, &(tacit_cell_grid){.title = "The table",
                                              .row_name = corner,
                                              .rows = d->headings[0],
                                              .row_count = d->view->rows,
                                              .columns = d->headings[1],
                                              .column_count = d->view->columns,
                                              .cell = draw_cell,
                                              .subject = d,
                                              .legend = true});
}

/* The letters of the release, a listed cell each. */
static char *final_letters(const drawing *d)
{
    char *letters = tacit__alloc((size_t)d->view->count + 1);
    for (int32_t k = 0; letters && k < d->view->count; k++)
        letters[k] = d->p->pattern.status[d->p->total.flat->cells[k]];
    return letters;
}

static void draw_graph(tacit_page *page, const drawing *d)
{
    char rows[NAME_BYTES], columns[NAME_BYTES], *letters = final_letters(d);
    if (letters)
        engine_total_graph_draw(
            page, &(engine_total_graph){
                      .view = d->view,
                      .row_name = engine_printable(rows, sizeof rows, side(d, 0)->name),
                      .column_name = engine_printable(columns, sizeof columns, side(d, 1)->name),
                      .letters = letters,
                      .audit = d->p->total.before});
    tacit__free(letters);
}

static void clear(drawing *d)
{
    tacit__free(d->known);
    for (int i = 0; i < 2; i++) {
        tacit__free(d->headings[i]);
        tacit__free(d->names[i]);
    }
}

void engine_total_page(tacit_page *page, const engine_protection *p)
{
    drawing d = {.p = p, .view = &p->total.flat->view};
    tacit_page_paragraph(page, "This page is for the data holder: what was known before, and "
                               "which cells are on their bounds, is more than the release tells.");
    if (d.view->count > MOST_CELLS)
        tacit_page_paragraph(page, "The table is too large to be drawn.");
    else if (name_side(&d, 0) && name_side(&d, 1) && mark_known(&d))
        draw_table(page, &d);
    draw_graph(page, &d);
    clear(&d);
}
