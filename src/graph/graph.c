/*
 * graph.c - from a list of cells to their graph, and one in which further cells are suppressed.
 *
 * Two counting sorts, by column and then by row, leave every row's cells in the order of
 * columns, where a cell that is given twice stands beside itself; a third pass writes the
 * columns' side. A list that is in order already needs the last only, and no array of places.
 * Costs 5 bytes a cell besides the graph, for a while.
 *
 * The graph with more cells is a copy with room for them at the end of each vertex's neighbours, so
 * these are not in order any more: components and forests do not mind, tacit__graph_edge does, and
 * is not for such a graph.
 */
#include "graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* A value is on its bound where it is off by no more than this, relative to itself or to 1: sums of
 * decimals are not exact. */
#define EQUAL 1e-9

/* What is known of a cell while the graph is made: the flags of its edge at the row's end, in
 * the lower bits, or DROPPED: the same as the cells that are not listed. */
enum { OUT = 1, IN = 2, HIDDEN = 4, SECRET = 8, DROPPED = 16 };

typedef struct making {
    const tacit_flat_view *table;
    tacit__graph *graph;
    uint8_t *flags;  /* a cell each */
    int32_t *order;  /* cells by column; NULL: the list is in order */
    int32_t *filled; /* a vertex each: where its next neighbour goes */
} making;

/* ---- checking ---- */

static tacit_status wrong(const tacit_flat_view *t, int32_t cell, tacit_error *err,
                          const char *what)
{
    return tacit__error(err, TACIT_INVALID, "cell %d of the list (row %d, column %d): %s", cell + 1,
                        t->row[cell] + 1, t->column[cell] + 1, what);
}

static tacit_status check_size(const tacit_flat_view *t, tacit_error *err)
{
    if (t->rows < 0 || t->columns < 0 || t->count < 0)
        return tacit__error(err, TACIT_INVALID, "a table has no negative number of anything");
    if ((int64_t)t->rows + t->columns > TACIT_MAX_FLAT_LINES || t->count > TACIT_MAX_FLAT_CELLS)
        return tacit__error(err, TACIT_LIMIT,
                            "%d rows, %d columns and %d cells are more than the %d lines and %d "
                            "cells that a graph can have",
                            t->rows, t->columns, t->count, TACIT_MAX_FLAT_LINES,
                            TACIT_MAX_FLAT_CELLS);
    return TACIT_OK;
}

/* The directions that a cell's movements leave open, by its value and bounds. */
static tacit_status find_directions(uint8_t *flags, const tacit_flat_view *t, int32_t cell,
                                    tacit_error *err)
{
    double value = t->value ? t->value[cell] : NAN;
    double lower = t->lower ? t->lower[cell] : t->value ? 0 : -INFINITY;
    double upper = t->upper ? t->upper[cell] : INFINITY;
    double noise = EQUAL * fmax(1, fabs(value));
    if (!(upper > lower))
        return wrong(t, cell, err, "its upper bound is not above the lower one");
    *flags = OUT | IN;
    if (isnan(value))
        return TACIT_OK;
    if (!isfinite(value))
        return wrong(t, cell, err, "its value is no number");
    if (value < lower - noise || value > upper + noise)
        return wrong(t, cell, err, "its value is outside its bounds");
    if (value - lower <= noise)
        *flags &= (uint8_t)~IN;
    if (upper - value <= noise)
        *flags &= (uint8_t)~OUT;
    return *flags ? TACIT_OK : wrong(t, cell, err, "its bounds are no further apart than rounding");
}

/* Whether a published cell is what the cells left out are: no need to keep it. */
static bool is_ordinary(const tacit_flat_view *t, int32_t cell, uint8_t flags)
{
    static const uint8_t ordinary[] = {OUT | IN, OUT, 0};
    return flags == ordinary[t->rest] && (!flags || !t->cost || t->cost[cell] == 1);
}

static tacit_status find_flags(uint8_t *flags, const tacit_flat_view *t, int32_t cell,
                               tacit_error *err)
{
    char letter = t->status ? t->status[cell] : 'u';
    bool hidden = letter == 'u' || letter == 'x';
    bool secret = t->secret ? t->secret[cell] : letter == 'u';
    if (!hidden && letter != 's' && letter != 'z')
        return wrong(t, cell, err, "its status is none of s, u, x and z");
    if (secret && !hidden)
        return wrong(t, cell, err, "it is to be protected but is not suppressed");
    if (t->cost && !(t->cost[cell] >= 0 && isfinite(t->cost[cell])))
        return wrong(t, cell, err, "its cost is no number from 0");
    *flags = 0;
    tacit_status status = letter == 'z' ? TACIT_OK : find_directions(flags, t, cell, err);
    if (status != TACIT_OK)
        return status;
    if (hidden)
        *flags = (uint8_t)(*flags | HIDDEN | (secret ? SECRET : 0));
    else if (is_ordinary(t, cell, *flags))
        *flags = DROPPED;
    return TACIT_OK;
}

/* Flags of all cells, the numbers of each kind, and how many cells each line has, one ahead. */
static tacit_status look_at_cells(making *m, bool *ordered, tacit_error *err)
{
    const tacit_flat_view *t = m->table;
    tacit__graph *g = m->graph;
    *ordered = true;
    for (int32_t i = 0; i < t->count; i++) {
        if (t->row[i] < 0 || t->row[i] >= t->rows || t->column[i] < 0 || t->column[i] >= t->columns)
            return wrong(t, i, err, "it is outside the table");
        tacit_status status = find_flags(&m->flags[i], t, i, err);
        if (status != TACIT_OK)
            return status;
        bool both = (m->flags[i] & (OUT | IN)) == (OUT | IN), secret = m->flags[i] & SECRET;
        *ordered &= m->flags[i] != DROPPED &&
                    (i == 0 || t->row[i - 1] < t->row[i] ||
                     (t->row[i - 1] == t->row[i] && t->column[i - 1] <= t->column[i]));
        if (m->flags[i] == DROPPED)
            continue;
        g->edges++;
        g->hidden += (m->flags[i] & HIDDEN) != 0;
        g->secret += secret;
        g->directed += (m->flags[i] & HIDDEN) && !both;
        g->loose += (m->flags[i] & HIDDEN) && !both && !secret;
        g->starts[t->row[i] + 1]++;
        g->starts[t->rows + t->column[i] + 1]++;
    }
    return TACIT_OK;
}

/* ---- sorting ---- */

static void start_filling(making *m)
{
    for (int32_t v = 0; v < m->graph->vertices; v++)
        m->filled[v] = m->graph->starts[v];
}

/* Cells by column. */
static void sort_by_column(making *m)
{
    const tacit_flat_view *t = m->table;
    start_filling(m);
    for (int32_t i = 0; i < t->count; i++)
        if (m->flags[i] != DROPPED)
            m->order[m->filled[t->rows + t->column[i]]++ - m->graph->edges] = i;
}

/* The rows' side, each row's cells in the order of columns. */
static void write_rows(making *m)
{
    const tacit_flat_view *t = m->table;
    tacit__graph *g = m->graph;
    start_filling(m);
    for (int32_t k = 0; k < g->edges; k++) {
        int32_t cell = m->order ? m->order[k] : k, edge = m->filled[t->row[cell]]++;
        g->near[edge] = (uint32_t)(t->rows + t->column[cell]) | (uint32_t)m->flags[cell] << 28;
        if (g->cell)
            g->cell[edge] = cell;
    }
}

/* The columns' side, whose directions are the other way round. */
static void write_columns(making *m)
{
    tacit__graph *g = m->graph;
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++) {
            uint32_t word = g->near[e];
            g->near[m->filled[tacit__near(word)]++] = (uint32_t)row | tacit__turned(word);
        }
}

static tacit_status find_twice(const making *m, tacit_error *err)
{
    const tacit__graph *g = m->graph;
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row] + 1; e < g->starts[row + 1]; e++)
            if (tacit__near(g->near[e - 1]) == tacit__near(g->near[e]))
                return wrong(m->table, tacit__graph_cell(g, e), err, "it is given twice");
    return TACIT_OK;
}

/* ---- */

static tacit_status make(making *m, tacit_error *err)
{
    tacit__graph *g = m->graph;
    bool ordered;
    tacit_status status = look_at_cells(m, &ordered, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t v = 0; v < g->vertices; v++)
        g->starts[v + 1] += g->starts[v];
    g->near = tacit__alloc_array(2 * (size_t)g->edges, sizeof *g->near);
    if (!ordered) {
        m->order = tacit__alloc_array((size_t)g->edges, sizeof *m->order);
        g->cell = tacit__alloc_array((size_t)g->edges, sizeof *g->cell);
    }
    if (!g->near || (!ordered && (!m->order || !g->cell)))
        return tacit__nomem(err);
    if (!ordered)
        sort_by_column(m);
    write_rows(m);
    status = find_twice(m, err);
    if (status == TACIT_OK)
        write_columns(m);
    return status;
}

const char *tacit__name_line(char buffer[96], const tacit__graph *graph, int32_t vertex)
{
    bool row = vertex < graph->rows;
    int32_t number = row ? vertex : vertex - graph->rows;
    const char *side = row ? "row" : "column";
    if (graph->name)
        snprintf(buffer, 96, "%s %s", side,
                 tacit__show(graph->name(graph->named, row, number)).text);
    else
        snprintf(buffer, 96, "%s %d", side, number + 1);
    return buffer;
}

tacit_status tacit__graph_new(tacit__graph **out, const tacit_flat_view *table, tacit_error *err)
{
    making m = {.table = table};
    tacit_status status = check_size(table, err);
    if (status != TACIT_OK)
        return status;
    size_t vertices = (size_t)table->rows + (size_t)table->columns;
    m.graph = tacit__alloc_zeroed(1, sizeof *m.graph);
    m.flags = tacit__alloc_array((size_t)table->count, sizeof *m.flags);
    m.filled = tacit__alloc_array(vertices, sizeof *m.filled);
    if (m.graph) {
        m.graph->rows = table->rows;
        m.graph->name = table->name;
        m.graph->named = table->named;
        m.graph->vertices = (int32_t)vertices;
        m.graph->starts = tacit__alloc_zeroed(vertices + 1, sizeof *m.graph->starts);
    }
    if (!m.graph || !m.graph->starts || !m.flags || !m.filled)
        status = tacit__nomem(err);
    else
        status = make(&m, err);
    tacit__free(m.flags);
    tacit__free(m.order);
    tacit__free(m.filled);
    if (status == TACIT_OK)
        *out = m.graph;
    else
        tacit__graph_free(m.graph);
    return status;
}

void tacit__graph_free(tacit__graph *graph)
{
    if (!graph)
        return;
    tacit__free(graph->starts);
    tacit__free(graph->near);
    tacit__free(graph->cell);
    tacit__free(graph);
}

int32_t tacit__graph_edge(const tacit__graph *graph, int32_t row, int32_t column)
{
    int32_t low = graph->starts[row], high = graph->starts[row + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2, there = tacit__near(graph->near[middle]);
        if (there == column)
            return middle;
        if (there < column)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* One end of an edge that is there already becomes suppressed. */
static void hide_end(tacit__graph *g, int32_t vertex, int32_t there)
{
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1]; e++)
        if (tacit__near(g->near[e]) == there)
            g->near[e] |= TACIT__HIDDEN;
}

/* Where each vertex's neighbours start: one ahead while they are counted. */
static void count_neighbours(tacit__graph *g, const tacit__graph *old, const tacit__places *added)
{
    for (int32_t v = 0; v < g->vertices; v++)
        g->starts[v + 1] = old->starts[v + 1] - old->starts[v];
    for (int32_t k = 0; k < added->count; k++)
        if (tacit__graph_edge(old, added->row[k], old->rows + added->column[k]) < 0) {
            g->starts[added->row[k] + 1]++;
            g->starts[old->rows + added->column[k] + 1]++;
            g->edges++;
            g->hidden++;
        }
    for (int32_t v = 0; v < g->vertices; v++)
        g->starts[v + 1] += g->starts[v];
}

static void write_neighbours(tacit__graph *g, int32_t *filled, const tacit__graph *old,
                             const tacit__places *added)
{
    for (int32_t v = 0; v < g->vertices; v++) {
        int32_t many = old->starts[v + 1] - old->starts[v];
        memcpy(g->near + g->starts[v], old->near + old->starts[v], (size_t)many * sizeof *g->near);
        filled[v] = g->starts[v] + many;
    }
    for (int32_t k = 0; k < added->count; k++) {
        int32_t row = added->row[k], column = old->rows + added->column[k];
        int32_t edge = tacit__graph_edge(old, row, column);
        if (edge < 0) {
            g->near[filled[row]++] = (uint32_t)column | TACIT__HIDDEN | TACIT__BOTH;
            g->near[filled[column]++] = (uint32_t)row | TACIT__HIDDEN | TACIT__BOTH;
        } else {
            g->directed += (old->near[edge] & TACIT__BOTH) != TACIT__BOTH;
            g->hidden++;
            hide_end(g, row, column);
            hide_end(g, column, row);
        }
    }
}

tacit_status tacit__graph_extend(tacit__graph **out, const tacit__graph *graph,
                                 const tacit__places *added, tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    int32_t *filled = tacit__alloc_array(n, sizeof *filled);
    tacit__graph *g = tacit__alloc_zeroed(1, sizeof *g);
    if (g) {
        *g = *graph;
        g->near = NULL;
        g->cell = NULL;
        g->starts = tacit__alloc_zeroed(n + 1, sizeof *g->starts);
    }
    if (g && g->starts) {
        count_neighbours(g, graph, added);
        g->near = tacit__alloc_array(2 * (size_t)g->edges, sizeof *g->near);
    }
    if (!filled || !g || !g->near) {
        tacit__free(filled);
        tacit__graph_free(g);
        return tacit__nomem(err);
    }
    write_neighbours(g, filled, graph, added);
    tacit__free(filled);
    *out = g;
    return TACIT_OK;
}
