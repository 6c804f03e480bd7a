/*
 * total_verdict.c - what is known exactly about a two-dimensional table (Kao, Total Protection):
 * cells, sums, which levels of protection the table has, and the graph of its suppressed cells. In
 * the drawing, rows and columns of one component stand together, in the order of their first rows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/job/print.h"
#include "engine/tables/tables.h"

enum {
    MAX_SUMS = 1000,
    MAX_PRINTED = 20,
    LINE_BYTES = 200,
    SUM_BYTES = 600,
    VERTEX_BYTES = 96,
    MAX_LINES = 2 * TACIT_MAX_GRAPH_LINES
};

tacit_status engine_total_verdict_init(engine_total_verdict *verdict, const tacit_flat_view *view,
                                       int32_t k, const tacit_run *run, tacit_error *err)
{
    const tacit_total_audit_options options = {.sums = MAX_SUMS};
    *verdict = (engine_total_verdict){.view = view};
    tacit_status status = tacit_audit_total(&verdict->audit, view, &options, run, err);
    if (status == TACIT_OK && k > 0)
        status = tacit_audit_levels(&verdict->levels, view, k, run, err);
    return status;
}

void engine_total_verdict_clear(engine_total_verdict *verdict)
{
    tacit_total_audit_free(verdict->audit);
    tacit_total_levels_clear(&verdict->levels);
}

/* ---- names ---- */

static const char *name_line(char *buffer, size_t size, const engine_total_verdict *v, bool row,
                             int32_t number)
{
    return engine_printable(buffer, size, v->view->name(v->view->named, row, number));
}

/* "row, column"; by numbers, since a published cell may not be listed. */
static const char *name_place(char *buffer, size_t size, const engine_total_verdict *v, int32_t row,
                              int32_t column)
{
    char first[LINE_BYTES], second[LINE_BYTES];
    snprintf(buffer, size, "%s, %s", name_line(first, sizeof first, v, true, row),
             name_line(second, sizeof second, v, false, column));
    return buffer;
}

static const char *name_cell(char *buffer, size_t size, const engine_total_verdict *v, int32_t cell)
{
    return name_place(buffer, size, v, v->view->row[cell], v->view->column[cell]);
}

/* "(a, x) + (a, y) - (b, x)"; cut to size. */
static const char *name_sum(char *buffer, size_t size, const engine_total_verdict *v,
                            const tacit_known_sum *sum)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int32_t i = 0; i < sum->count && used + 8 < size; i++) {
        const tacit_known_term *term = &v->audit->terms[sum->first + i];
        char name[2 * LINE_BYTES + 4];
        int len = snprintf(buffer + used, size - used, "%s(%s)",
                           term->sign < 0 ? (i ? " - " : "-")
                           : i            ? " + "
                                          : "",
                           name_cell(name, sizeof name, v, term->cell));
        used += len < 0 ? 0 : (size_t)len;
    }
    if (used >= size)
        strcpy(buffer + size - 4, "...");
    return buffer;
}

/* ---- words ---- */

static const char *total_sentence(char *buffer, size_t size, const tacit_total_audit *a)
{
    if (a->secret == 0)
        snprintf(buffer, size, "no cell is primary, so there is nothing to protect");
    else if (a->total)
        snprintf(buffer, size, "nothing is known exactly about the %s, not even a sum",
                 engine_many(a->secret, "primary cell").text);
    else
        snprintf(buffer, size, "%s over the %s %s known exactly",
                 engine_many(a->leaks, "independent sum").text,
                 engine_many(a->secret, "primary cell").text, a->leaks == 1 ? "is" : "are");
    return buffer;
}

/* What protects, or what does not, for each of the four levels. */
static const char *level_words(char *buffer, size_t size, const engine_total_verdict *v, int level)
{
    const tacit_total_levels *l = &v->levels;
    char name[2 * LINE_BYTES + 4];
    if (l->cell >= 0)
        snprintf(buffer, size, "no: %s is known", name_cell(name, sizeof name, v, l->cell));
    else if (level == 1 && !l->lines)
        snprintf(buffer, size, "no: %s %s alone connects two parts", l->row >= 0 ? "row" : "column",
                 name_line(name, sizeof name, v, l->row >= 0, l->row >= 0 ? l->row : l->column));
    else if (level == 2 && !l->several)
        snprintf(buffer, size, "no: %d %s connect two parts, %s among them", l->line_count,
                 l->of_rows ? "rows" : "columns",
                 l->line_count > 0 ? name_line(name, sizeof name, v, l->of_rows, l->line_list[0])
                                   : "none");
    else if (level == 3 && !l->table)
        snprintf(buffer, size, "no: %s is published",
                 name_place(name, sizeof name, v, l->open_row, l->open_column));
    else
        snprintf(buffer, size, "yes");
    return buffer;
}

/* The third is the second where k is 1. */
static int next_level(const engine_total_verdict *v, int level)
{
    return level == 1 && v->levels.k == 1 ? 3 : level + 1;
}

static const char *level_name(char *buffer, size_t size, const engine_total_verdict *v, int level)
{
    static const char *const NAMES[] = {"single cells", "each row and column", NULL,
                                        "the whole table"};
    if (NAMES[level])
        return NAMES[level];
    snprintf(buffer, size, "any %d rows or columns", v->levels.k);
    return buffer;
}

/* ---- the graph ---- */

/* As the graph itself has it. */
static const double AT_BOUND = 1e-9;

/* One row or column. */
typedef struct graph_line {
    int32_t number; /* in the table */
    int group;      /* the number of a line that it is connected with */
} graph_line;

typedef struct graph_drawing {
    const engine_total_graph *graph;
    graph_line rows[TACIT_MAX_GRAPH_LINES], columns[TACIT_MAX_GRAPH_LINES];
    int row_count, column_count;
    tacit_page_edge edges[TACIT_MAX_GRAPH_EDGES];
    int32_t cells[TACIT_MAX_GRAPH_EDGES];
    int edge_count;
    tacit_page_vertex vertices[MAX_LINES]; /* rows, then columns */
    char names[MAX_LINES][VERTEX_BYTES];
} graph_drawing;

static char graph_letter(const engine_total_graph *g, int32_t cell)
{
    return g->letters ? g->letters[cell] : g->view->status ? g->view->status[cell] : 'u';
}

/* The place of a line among those that are drawn; taken in where it is new. -1: no room. */
static int find_line(graph_line *lines, int *count, int32_t number)
{
    for (int i = 0; i < *count; i++)
        if (lines[i].number == number)
            return i;
    if (*count == TACIT_MAX_GRAPH_LINES)
        return -1;
    lines[*count] = (graph_line){.number = number};
    return (*count)++;
}

static tacit_edge_kind edge_kind(const engine_total_graph *g, int32_t cell)
{
    char before = g->view->status ? g->view->status[cell] : 'u';
    return graph_letter(g, cell) == TACIT_CELL_PRIMARY ? TACIT_EDGE_SECRET
           : engine_is_suppressed(before)              ? TACIT_EDGE_SUPPRESSED
                                                       : TACIT_EDGE_ADDED;
}

static tacit_edge_way way_of(const tacit_flat_view *view, int32_t cell)
{
    double value = view->value ? view->value[cell] : NAN;
    double noise = AT_BOUND * fmax(1, fabs(value));
    if (isnan(value))
        return TACIT_EDGE_BOTH_WAYS;
    if (value - (view->lower ? view->lower[cell] : 0) <= noise)
        return TACIT_EDGE_TO_COLUMN;
    if (view->upper && view->upper[cell] - value <= noise)
        return TACIT_EDGE_TO_ROW;
    return TACIT_EDGE_BOTH_WAYS;
}

/* False: there are too many. */
static bool add_edge(graph_drawing *d, int32_t cell)
{
    const tacit_flat_view *view = d->graph->view;
    int row = find_line(d->rows, &d->row_count, view->row[cell]);
    int column = find_line(d->columns, &d->column_count, view->column[cell]);
    if (row < 0 || column < 0 || d->edge_count == TACIT_MAX_GRAPH_EDGES)
        return false;
    d->cells[d->edge_count] = cell;
    d->edges[d->edge_count++] = (tacit_page_edge){
        .row = row, .column = column, .kind = edge_kind(d->graph, cell), .way = way_of(view, cell)};
    return true;
}

static void mark_known_edges(graph_drawing *d)
{
    const tacit_total_audit *audit = d->graph->audit;
    for (int e = 0; e < d->edge_count; e++)
        for (int32_t i = 0; i < audit->invariant_count; i++)
            d->edges[e].known |= audit->invariant[i] == d->cells[e];
}

/* Every line gets the least number of its component: a graph_drawing is small enough to go over its
 * edges until nothing changes. */
static void find_groups(graph_drawing *d)
{
    bool changed = true;
    for (int i = 0; i < d->row_count; i++)
        d->rows[i].group = i;
    for (int i = 0; i < d->column_count; i++)
        d->columns[i].group = d->row_count + i;
    while (changed) {
        changed = false;
        for (int e = 0; e < d->edge_count; e++) {
            graph_line *row = &d->rows[d->edges[e].row], *column = &d->columns[d->edges[e].column];
            int least = row->group < column->group ? row->group : column->group;
            changed |= row->group != least || column->group != least;
            row->group = column->group = least;
        }
    }
}

/* Vertices of one side by group; place[i] is where line i went. */
static void place_lines(graph_drawing *d, const graph_line *lines, int count, bool row, int *place)
{
    tacit_page_vertex *vertices = d->vertices + (row ? 0 : d->row_count);
    char(*names)[VERTEX_BYTES] = d->names + (row ? 0 : d->row_count);
    int next = 0;
    for (int group = 0; group < d->row_count; group++)
        for (int i = 0; i < count; i++) {
            if (lines[i].group != group)
                continue;
            engine_printable(names[next], VERTEX_BYTES,
                             d->graph->view->name(d->graph->view->named, row, lines[i].number));
            vertices[next] = (tacit_page_vertex){.name = names[next], .group = group};
            place[i] = next++;
        }
}

static void draw_edges(tacit_page *page, graph_drawing *d)
{
    int rows[TACIT_MAX_GRAPH_LINES], columns[TACIT_MAX_GRAPH_LINES];
    find_groups(d);
    place_lines(d, d->rows, d->row_count, true, rows);
    place_lines(d, d->columns, d->column_count, false, columns);
    for (int e = 0; e < d->edge_count; e++) {
        d->edges[e].row = rows[d->edges[e].row];
        d->edges[e].column = columns[d->edges[e].column];
    }
    tacit_page_graph(page, &(tacit_page_bipartite){.title = "The graph of suppressed cells",
                                                   .row_name = d->graph->row_name,
                                                   .column_name = d->graph->column_name,
                                                   .rows = d->vertices,
                                                   .row_count = d->row_count,
                                                   .columns = d->vertices + d->row_count,
                                                   .column_count = d->column_count,
                                                   .edges = d->edges,
                                                   .edge_count = d->edge_count});
}

void engine_total_graph_draw(tacit_page *page, const engine_total_graph *graph)
{
    graph_drawing *d = tacit__alloc_zeroed(1, sizeof *d);
    bool fits = true;
    if (!d) {
        tacit_page_fail(page);
        return;
    }
    d->graph = graph;
    for (int32_t i = 0; fits && i < graph->view->count; i++)
        if (engine_is_suppressed(graph_letter(graph, i)))
            fits = add_edge(d, i);
    if (!fits)
        tacit_page_paragraph(page, "The graph of suppressed cells is too large to be drawn.");
    else if (d->edge_count > 0) {
        mark_known_edges(d);
        draw_edges(page, d);
    }
    tacit__free(d);
}

static void draw_suppressed(tacit_page *page, const void *subject)
{
    const engine_total_verdict *verdict = subject;
    engine_total_graph_draw(page, &(engine_total_graph){.view = verdict->view,
                                                        .row_name = "rows",
                                                        .column_name = "columns",
                                                        .audit = verdict->audit});
}

/* ---- facts ---- */

void engine_report_places(tacit_report *report, const char *name)
{
    static const tacit_report_column COLUMNS[] = {{.key = "row"}, {.key = "column"}};
    tacit_report_begin(report, &(tacit_report_table){.name = name, TACIT_COLUMNS(COLUMNS)});
}

void engine_report_place(tacit_report *report, const tacit_flat_view *view, int32_t row,
                         int32_t column)
{
    tacit_report_cell_view(report, view->name(view->named, true, row));
    tacit_report_cell_view(report, view->name(view->named, false, column));
}

void engine_total_invariant_facts(tacit_report *report, const tacit_flat_view *view,
                                  const tacit_total_audit *audit)
{
    if (!tacit_report_shows(report, TACIT_SHOW_JSON))
        return;
    engine_report_places(report, "invariant_cells");
    for (int32_t i = 0; i < audit->invariant_count; i++)
        engine_report_place(report, view, view->row[audit->invariant[i]],
                            view->column[audit->invariant[i]]);
}

static void add_known(tacit_report *report, const engine_total_verdict *v)
{
    const tacit_total_audit *a = v->audit;
    char text[SUM_BYTES];
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    for (int32_t i = 0; i < a->invariant_count && i < MAX_PRINTED; i++)
        tacit_report_line(report, "known", "%s", name_cell(text, sizeof text, v, a->invariant[i]));
    for (int32_t i = 0; i < a->leak_count && i < MAX_PRINTED; i++)
        if (a->leak[i].count > 1)
            tacit_report_line(report, "sum", "%s", name_sum(text, sizeof text, v, &a->leak[i]));
    if (a->invariant_count > MAX_PRINTED || a->leak_count > MAX_PRINTED)
        tacit_report_note(report, "  and more; --report lists them");
    tacit_report_gap(report);
    tacit_report_show(report, everywhere);
}

static void add_total_sums(tacit_report *report, const engine_total_verdict *v)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "sum", .heading = "sum"},
        {.key = "cells"},
        {.key = "component"},
        {.key = "value", .heading = "value", .format = "%.10g"},
    };
    const tacit_total_audit *a = v->audit;
    const char *title = a->leak_count ? "Sums over primary cells that are known exactly" : NULL;
    char text[SUM_BYTES];
    tacit_report_begin(report, &(tacit_report_table){
                                   .name = "known_sums", .title = title, TACIT_COLUMNS(COLUMNS)});
    for (int32_t i = 0; i < a->leak_count; i++) {
        tacit_report_cell(report, "%s", name_sum(text, sizeof text, v, &a->leak[i]));
        tacit_report_cell_integer(report, a->leak[i].count);
        tacit_report_cell_integer(report, a->leak[i].component);
        tacit_report_cell_real(report, a->leak[i].value);
    }
}

/* A line each on the terminal, a table on the page. */
static void add_total_levels(tacit_report *report, const engine_total_verdict *v)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_total_levels, cells, "cells", NULL, 0),
        TACIT_FIELD(tacit_total_levels, lines, "lines", NULL, 0),
        TACIT_FIELD(tacit_total_levels, several, "several", NULL, 0),
        TACIT_FIELD(tacit_total_levels, k, "k", NULL, 0),
        TACIT_FIELD(tacit_total_levels, table, "table", NULL, 0),
    };
    static const tacit_report_column COLUMNS[] = {{.heading = "nothing is known about"},
                                                  {.heading = "verdict"}};
    char text[SUM_BYTES], name[64];
    tacit_report_object(report, "levels_of_protection", FIELDS, TACIT_COUNT_OF(FIELDS), &v->levels);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    for (int level = next_level(v, -1); level < 4; level = next_level(v, level))
        tacit_report_line(report, level == 0 ? "levels" : "", "%s: %s",
                          level_name(name, sizeof name, v, level),
                          level_words(text, sizeof text, v, level));
    tacit_report_show(report, everywhere);
    tacit_report_begin(
        report, &(tacit_report_table){.title = "Levels of protection of all suppressed cells",
                                      TACIT_COLUMNS(COLUMNS)});
    for (int level = next_level(v, -1); level < 4; level = next_level(v, level)) {
        tacit_report_cell(report, "%s", level_name(name, sizeof name, v, level));
        tacit_report_cell(report, "%s", level_words(text, sizeof text, v, level));
    }
}

void engine_total_verdict_facts(tacit_report *report, const engine_total_verdict *verdict)
{
    const tacit_total_audit *a = verdict->audit;
    char text[SUM_BYTES];
    tacit_report_section(report, "Total protection");
    tacit_report_verdict(report, a->total, "total", "%s", total_sentence(text, sizeof text, a));
    tacit_report_bool(report, "total_protected", a->total);
    tacit_report_integer(report, "leaks", a->leaks);
    tacit_report_integer(report, "components", a->components);
    engine_total_invariant_facts(report, verdict->view, a);
    add_known(report, verdict);
    add_total_sums(report, verdict);
    if (verdict->levels.k > 0)
        add_total_levels(report, verdict);
    tacit_report_drawing(report, draw_suppressed, verdict);
}
