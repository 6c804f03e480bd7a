/*
 * total_graph.c - from a list of cells to the drawing of its graph: rows and columns that have a
 * suppressed cell, those of one component together, in the order of their first rows.
 */
#include "engine/tables/total_graph.h"
#include "base/alloc.h"
#include "engine/job/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tables/table_intervals.h"

enum { NAME_BYTES = 96, MOST_LINES = 2 * TACIT_MAX_GRAPH_LINES };

/* As the graph itself has it. */
static const double EQUAL = 1e-9;

/* One row or column. */
typedef struct line {
    int32_t number; /* in the table */
    int group;      /* the number of a line that it is connected with */
} line;

typedef struct drawing {
    const engine_total_graph *graph;
    line rows[TACIT_MAX_GRAPH_LINES], columns[TACIT_MAX_GRAPH_LINES];
    int row_count, column_count;
    tacit_page_edge edges[TACIT_MAX_GRAPH_EDGES];
    int32_t cells[TACIT_MAX_GRAPH_EDGES];
    int edge_count;
    tacit_page_vertex vertices[MOST_LINES]; /* rows, then columns */
    char names[MOST_LINES][NAME_BYTES];
} drawing;

static char letter_of(const engine_total_graph *g, int32_t cell)
{
    return g->letters ? g->letters[cell] : g->view->status ? g->view->status[cell] : 'u';
}

/* The place of a line among those that are drawn; taken in where it is new. -1: no room. */
static int find_line(line *lines, int *count, int32_t number)
{
    for (int i = 0; i < *count; i++)
        if (lines[i].number == number)
            return i;
    if (*count == TACIT_MAX_GRAPH_LINES)
        return -1;
    lines[*count] = (line){.number = number};
    return (*count)++;
}

static tacit_edge_kind kind_of(const engine_total_graph *g, int32_t cell)
{
    char before = g->view->status ? g->view->status[cell] : 'u';
    return letter_of(g, cell) == TACIT_CELL_PRIMARY ? TACIT_EDGE_SECRET
           : engine_is_suppressed(before)           ? TACIT_EDGE_SUPPRESSED
                                                    : TACIT_EDGE_ADDED;
}

static tacit_edge_way way_of(const tacit_flat_view *view, int32_t cell)
{
    double value = view->value ? view->value[cell] : NAN;
    double noise = EQUAL * fmax(1, fabs(value));
    if (isnan(value))
        return TACIT_EDGE_BOTH_WAYS;
    if (value - (view->lower ? view->lower[cell] : 0) <= noise)
        return TACIT_EDGE_TO_COLUMN;
    if (view->upper && view->upper[cell] - value <= noise)
        return TACIT_EDGE_TO_ROW;
    return TACIT_EDGE_BOTH_WAYS;
}

/* False: there are too many. */
static bool add_edge(drawing *d, int32_t cell)
{
    const tacit_flat_view *view = d->graph->view;
    int row = find_line(d->rows, &d->row_count, view->row[cell]);
    int column = find_line(d->columns, &d->column_count, view->column[cell]);
    if (row < 0 || column < 0 || d->edge_count == TACIT_MAX_GRAPH_EDGES)
        return false;
    d->cells[d->edge_count] = cell;
    d->edges[d->edge_count++] = (tacit_page_edge){
        .row = row, .column = column, .kind = kind_of(d->graph, cell), .way = way_of(view, cell)};
    return true;
}

static void mark_known(drawing *d)
{
    const tacit_total_audit *audit = d->graph->audit;
    for (int e = 0; e < d->edge_count; e++)
        for (int32_t i = 0; i < audit->invariant_count; i++)
            d->edges[e].known |= audit->invariant[i] == d->cells[e];
}

/* Every line gets the least number of its component: a drawing is small enough to go over its
 * edges until nothing changes. */
static void find_groups(drawing *d)
{
    bool changed = true;
    for (int i = 0; i < d->row_count; i++)
        d->rows[i].group = i;
    for (int i = 0; i < d->column_count; i++)
        d->columns[i].group = d->row_count + i;
    while (changed) {
        changed = false;
        for (int e = 0; e < d->edge_count; e++) {
            line *row = &d->rows[d->edges[e].row], *column = &d->columns[d->edges[e].column];
            int least = row->group < column->group ? row->group : column->group;
            changed |= row->group != least || column->group != least;
            row->group = column->group = least;
        }
    }
}

/* Vertices of one side by group; place[i] is where line i went. */
static void place_lines(drawing *d, const line *lines, int count, bool row, int *place)
{
    tacit_page_vertex *vertices = d->vertices + (row ? 0 : d->row_count);
    char(*names)[NAME_BYTES] = d->names + (row ? 0 : d->row_count);
    int next = 0;
    for (int group = 0; group < d->row_count; group++)
        for (int i = 0; i < count; i++) {
            if (lines[i].group != group)
                continue;
            engine_printable(names[next], NAME_BYTES,
                             d->graph->view->name(d->graph->view->named, row, lines[i].number));
            vertices[next] = (tacit_page_vertex){.name = names[next], .group = group};
            place[i] = next++;
        }
}

static void draw(tacit_page *page, drawing *d)
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
    drawing *d = tacit__alloc_zeroed(1, sizeof *d);
    bool fits = d != NULL;
    if (d)
        d->graph = graph;
    for (int32_t i = 0; fits && i < graph->view->count; i++)
        if (engine_is_suppressed(letter_of(graph, i)))
            fits = add_edge(d, i);
    if (!fits)
        tacit_page_paragraph(page, "The graph of suppressed cells is too large to be drawn.");
    else if (d->edge_count > 0) {
        mark_known(d);
        draw(page, d);
    }
    tacit__free(d);
}
