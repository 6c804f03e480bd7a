/*
 * protect_total.c - what is different where the method promises total protection: the judge, and
 * what is said of it. The audit is in linear time; its graph and its searches are its own.
 *
 * Unlike other pages of tables this one is the data holder's alone: which cells were known before,
 * and which are on their bounds, is more than the release tells.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/tables/protect.h"
#include "engine/tables/tables.h"

enum { MAX_DRAWN_CELLS = 40000, HEADING_BYTES = 96 };

/* What is known about the primary cells when letters are out; with a sum that is, to name. */
static tacit_status audit_letters(tacit_total_audit **out, tacit_flat_table **flat,
                                  engine_protection *p, const char *letters)
{
    const tacit_total_audit_options options = {.sums = 1};
    tacit_status status = tacit_flat_from_cells(flat, p->cells, letters, false, &p->session->error);
    if (status == TACIT_OK)
        status =
            tacit_audit_total(out, &(*flat)->view, &options, &p->session->run, &p->session->error);
    return status;
}

tacit_status engine_total_before(engine_protection *p)
{
    return p->method->total ? audit_letters(&p->total.before, &p->total.flat, p, NULL) : TACIT_OK;
}

tacit_status engine_total_judge(engine_protection *p)
{
    tacit_flat_table *flat = NULL;
    tacit_total_audit *after = NULL;
    char name[ENGINE_DIM_NAME];
    tacit_status status = audit_letters(&after, &flat, p, p->written->status);
    if (status == TACIT_OK && !after->total) {
        int32_t cell = flat->cells[after->terms[after->leak[0].first].cell];
        status = tacit__error(&p->session->error, TACIT_INFEASIBLE,
                              "%.255s: a sum that it is in is known; nothing is written",
                              tacit_cells_describe(p->cells, cell, name, sizeof name));
    }
    tacit_total_audit_free(after);
    tacit_flat_table_free(flat);
    return status;
}

static bool is_added(const engine_protection *p, int32_t cell)
{
    return p->pattern.status[cell] == TACIT_CELL_SECONDARY &&
           p->cells->status[cell] != TACIT_CELL_SECONDARY;
}

void engine_total_clear(engine_total *total)
{
    tacit_total_audit_free(total->before);
    tacit_flat_table_free(total->flat);
}

/* ---- facts ---- */

static void add_added(tacit_report *report, const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, pattern->added_cost, 0);
    tacit_number_text(bound, sizeof bound, pattern->lower_bound, 0);
    tacit_report_line(report, "secondary", "%s; %s added at cost %s%s%s",
                      engine_count(pattern->secondary).text, engine_count(pattern->added).text,
                      cost, pattern->proven ? ", the least there is" : "; it takes at least ",
                      pattern->proven ? "" : bound);
}

static void add_total_values(tacit_report *report, const engine_protection *p)
{
    const tacit_flat_view *view = &p->total.flat->view;
    if (!tacit_report_shows(report, TACIT_SHOW_JSON))
        return;
    tacit_report_bool(report, "total_protected", true);
    tacit_report_bool(report, "optimal", p->pattern.proven);
    engine_report_places(report, "added");
    for (int32_t i = 0; i < view->count; i++)
        if (is_added(p, p->total.flat->cells[i]))
            engine_report_place(report, view, view->row[i], view->column[i]);
    tacit_report_real(report, "added_cost", p->pattern.added_cost);
    engine_total_invariant_facts(report, view, p->total.before);
    tacit_report_bool(report, "before.total_protected", p->total.before->total);
    tacit_report_integer(report, "before.leaks", p->total.before->leaks);
}

/* Levels are no part of that promise, so what becomes of them is said. */
void engine_total_facts(tacit_report *report, const engine_protection *p)
{
    const tacit_total_audit *before = p->total.before;
    add_total_values(report, p);
    tacit_report_line(report, "before",
                      "%s cells were known exactly, and %s independent sums of primary cells",
                      engine_count(before->invariant_count).text, engine_count(before->leaks).text);
    add_added(report, p);
    tacit_report_line(
        report, "audit",
        TACIT_MARK_GOOD
        "nothing is known exactly about primary cells, not even a sum" TACIT_MARK_PLAIN);
    if (p->audit->underprotected > 0)
        tacit_report_line(report, "intervals",
                          "of %s primary cells are narrower than their levels, which total "
                          "protection does not promise; hitas does",
                          engine_count(p->audit->underprotected).text);
}

/* ---- the table and its graph ---- */

typedef struct total_drawing {
    const engine_protection *p;
    const tacit_flat_view *view;
    bool *known; /* a listed cell each: before */
    tacit_grid_heading *headings[2];
    char (*names[2])[HEADING_BYTES];
    char text[64];
    char hover[3 * HEADING_BYTES];
} total_drawing;

static const tacit_dimension *side(const total_drawing *d, int which)
{
    const tacit_cells *cells = d->p->cells;
    return &cells->dimensions[cells->tables[0].dimensions[which]];
}

static int count_of(const total_drawing *d, int which)
{
    return which == 0 ? d->view->rows : d->view->columns;
}

static bool name_side(total_drawing *d, int which)
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
            engine_printable(d->names[which][i], HEADING_BYTES, side(d, which)->codes[codes[i]]);
    return true;
}

static bool mark_known(total_drawing *d)
{
    const tacit_total_audit *before = d->p->total.before;
    d->known = tacit__alloc_zeroed((size_t)d->view->count + 1, sizeof *d->known);
    for (int32_t i = 0; d->known && i < before->invariant_count; i++)
        d->known[before->invariant[i]] = true;
    return d->known != NULL;
}

static tacit_grid_cell draw_total_cell(void *subject, int row, int column)
{
    total_drawing *d = subject;
    int32_t k = row * d->view->columns + column, cell = d->p->total.flat->cells[k];
    char letter = d->p->pattern.status[cell];
    bool added = is_added(d->p, cell);
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

static void draw_total_table(tacit_page *page, total_drawing *d)
{
    char corner[2 * HEADING_BYTES + 16], rows[HEADING_BYTES], columns[HEADING_BYTES];
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
                                              .cell = draw_total_cell,
                                              .subject = d,
                                              .legend = true});
}

/* The letters of the release, a listed cell each. */
static char *final_letters(const total_drawing *d)
{
    char *letters = tacit__alloc((size_t)d->view->count + 1);
    for (int32_t k = 0; letters && k < d->view->count; k++)
        letters[k] = d->p->pattern.status[d->p->total.flat->cells[k]];
    return letters;
}

static void draw_graph(tacit_page *page, const total_drawing *d)
{
    char rows[HEADING_BYTES], columns[HEADING_BYTES], *letters = final_letters(d);
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

static void clear_drawing(total_drawing *d)
{
    tacit__free(d->known);
    for (int i = 0; i < 2; i++) {
        tacit__free(d->headings[i]);
        tacit__free(d->names[i]);
    }
}

void engine_total_draw(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    total_drawing d = {.p = p, .view = &p->total.flat->view};
    tacit_page_paragraph(page, "This page is for the data holder: what was known before, and "
                               "which cells are on their bounds, is more than the release tells.");
    if (d.view->count > MAX_DRAWN_CELLS)
        tacit_page_paragraph(page, "The table is too large to be drawn.");
    else if (name_side(&d, 0) && name_side(&d, 1) && mark_known(&d))
        draw_total_table(page, &d);
    draw_graph(page, &d);
    clear_drawing(&d);
}
