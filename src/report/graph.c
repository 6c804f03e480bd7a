/*
 * graph.c - the suppressed graph of a table with two dimensions, as SVG in the page.
 *
 * Rows stand on the left, columns on the right, suppressed cells are straight lines between them
 * (Kao, Total Protection, section 2). A group of rows and columns has a band of its own, as high as
 * its longer side; the shorter one is spread over it. The order is the caller's.
 *
 * Unlike charts the drawing has a width of its own, for arrow heads lie along their lines; a
 * window that is narrower scrolls. Kinds of cells differ by thickness and dashes as well
 * as by colour; a known one is red, lies on a band and has a sign near its middle, moved along
 * the line where another's would be under it. Known ones are drawn last, on top.
 *
 * In a graph with hundreds of lines one looks for those of a row or column. A rule a vertex, in
 * a style sheet inside the drawing, fades all lines that are not at it while the pointer is on it,
 * or on one of its lines; on a line, the rules of both ends leave that one. No script.
 *
 * Linear in vertices and edges, but for the signs: quadratic in the known edges.
 */
#include <assert.h>
#include <math.h>

#include "report/chart.h"

enum {
    GRAPH_TOP = 24, /* above it: what rows and columns are of */
    BAND_GAP = 10,
    NAME_GAP = 12,  /* from a vertex to its name */
    GRAPH_FEW = 12, /* lines a side that have ample room */
    GRAPH_SOME = 30,
    MANY = 60,
    DENSE = 150, /* edges: they are thinner */
    SIGN_WIDTH = 16,
    GRAPH_KINDS = TACIT_EDGE_ADDED + 1,
    WAYS = TACIT_EDGE_TO_ROW + 1,
    TABLE_COLUMNS = 6
};

#define DEGREES 57.29577951308232

typedef struct point {
    double x, y;
} point;

/* A line to draw, of an edge or in the legend. */
typedef struct stroke {
    point from, to;
    tacit_edge_way way;
    bool known;
    double sign; /* where the sign of a known one is, from 0 to 1 */
} stroke;

typedef struct graph_chart {
    const tacit_page_bipartite *what;
    int step; /* from a name to the next */
    double width, left, right, bottom;
    double row_y[TACIT_MAX_GRAPH_LINES], column_y[TACIT_MAX_GRAPH_LINES];
    double band_top[2 * TACIT_MAX_GRAPH_LINES], band_bottom[2 * TACIT_MAX_GRAPH_LINES];
    int bands;
    point signs[TACIT_MAX_GRAPH_EDGES]; /* of known edges drawn so far */
    int sign_count;
    bool kinds[GRAPH_KINDS], ways[WAYS], known, remarks; /* what there is in the graph */
} graph_chart;

static const struct {
    const char *name;
    const char *class;
} GRAPH_KIND[GRAPH_KINDS] = {
    {"to be protected", " edge0"},
    {"otherwise suppressed", " edge1"},
    {"added", " edge2"},
};

static const char *const WAY_NAMES[WAYS] = {"rise and fall", "only rise", "only fall"};

/* ---- places ---- */

static double name_width(const char *side, const tacit_page_vertex *vertices, int count)
{
    size_t letters = tacit__name_letters(&side, 1);
    for (int i = 0; i < count; i++) {
        size_t width = tacit__name_letters(&vertices[i].name, 1);
        letters = width > letters ? width : letters;
    }
    return (double)letters * TACIT__LETTER + NAME_GAP + 6;
}

static int end_of_group(const tacit_page_vertex *vertices, int from, int count, int group)
{
    while (from < count && vertices[from].group == group)
        from++;
    return from;
}

static void spread(double *y, int count, double top, double bottom)
{
    for (int i = 0; i < count; i++)
        y[i] = top + (bottom - top) * (i + 0.5) / count;
}

/* The group that comes next, of rows from `row` and columns from `column`; one is left. */
static int next_group(const tacit_page_bipartite *graph, int row, int column)
{
    if (row == graph->row_count)
        return graph->columns[column].group;
    if (column == graph->column_count)
        return graph->rows[row].group;
    int a = graph->rows[row].group, b = graph->columns[column].group;
    return a < b ? a : b;
}

static void place_groups(graph_chart *c)
{
    const tacit_page_bipartite *graph = c->what;
    double top = GRAPH_TOP;
    for (int row = 0, column = 0; row < graph->row_count || column < graph->column_count;) {
        int group = next_group(graph, row, column);
        int rows = end_of_group(graph->rows, row, graph->row_count, group) - row;
        int columns = end_of_group(graph->columns, column, graph->column_count, group) - column;
        double bottom = top + c->step * (rows > columns ? rows : columns);
        spread(c->row_y + row, rows, top, bottom);
        spread(c->column_y + column, columns, top, bottom);
        c->band_top[c->bands] = top;
        c->band_bottom[c->bands++] = c->bottom = bottom;
        top = bottom + BAND_GAP;
        row += rows;
        column += columns;
    }
}

static void lay_out_graph(graph_chart *c)
{
    const tacit_page_bipartite *graph = c->what;
    int lines = graph->row_count > graph->column_count ? graph->row_count : graph->column_count;
    c->step = lines <= GRAPH_FEW ? 32 : lines <= GRAPH_SOME ? 24 : lines <= MANY ? 19 : 16;
    c->width = fmin(200 + 6 * lines, 520);
    c->left = name_width(graph->row_name, graph->rows, graph->row_count);
    c->right = name_width(graph->column_name, graph->columns, graph->column_count);
    place_groups(c);
}

/* Checks the edges, and notes what there is among them. */
static void look_over(graph_chart *c)
{
    const tacit_page_bipartite *graph = c->what;
    for (int i = 0; i < graph->edge_count; i++) {
        const tacit_page_edge *edge = &graph->edges[i];
        assert(edge->row >= 0 && edge->row < graph->row_count);
        assert(edge->column >= 0 && edge->column < graph->column_count);
        assert(edge->kind <= TACIT_EDGE_ADDED && edge->way <= TACIT_EDGE_TO_ROW);
        c->kinds[edge->kind] = c->ways[edge->way] = true;
        c->known |= edge->known;
        c->remarks |= edge->hover != NULL;
    }
}

static bool is_directed(const graph_chart *c)
{
    return c->ways[TACIT_EDGE_TO_COLUMN] || c->ways[TACIT_EDGE_TO_ROW];
}

static point point_along(const stroke *s, double share)
{
    return (point){s->from.x + share * (s->to.x - s->from.x),
                   s->from.y + share * (s->to.y - s->from.y)};
}

static bool sign_fits(const graph_chart *c, point at)
{
    for (int i = 0; i < c->sign_count; i++)
        if (hypot(at.x - c->signs[i].x, at.y - c->signs[i].y) < SIGN_WIDTH)
            return false;
    return true;
}

/* Lines that cross in their middles would have their signs in the same place. */
static double place_sign(graph_chart *c, const stroke *s)
{
    static const double places[] = {0.5, 0.42, 0.58, 0.34, 0.66};
    double share = places[0];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (sign_fits(c, point_along(s, places[i]))) {
            share = places[i];
            break;
        }
    c->signs[c->sign_count++] = point_along(s, share);
    return share;
}

/* ---- lines ---- */

static void add_path(tacit__strbuf *out, const char *attribute, const stroke *s)
{
    tacit__strbuf_format(out, "<path%s d=\"M%.1f,%.1fL%.1f,%.1f\"/>", attribute, s->from.x,
                         s->from.y, s->to.x, s->to.y);
}

/* Not at the end, where the lines of a vertex are too close for their heads. */
static void add_graph_head(tacit__strbuf *out, const stroke *s)
{
    bool onward = s->way == TACIT_EDGE_TO_COLUMN;
    point at = point_along(s, onward ? 0.76 : 0.24);
    double angle = atan2(s->to.y - s->from.y, s->to.x - s->from.x) * DEGREES;
    tacit__strbuf_format(out,
                         "<path class=\"head\" transform=\"translate(%.1f,%.1f) rotate(%.1f)\" "
                         "d=\"M7,0L-6,-5.5V5.5z\"/>",
                         at.x, at.y, onward ? angle : angle + 180);
}

static void add_sign(tacit__strbuf *out, const stroke *s)
{
    point at = point_along(s, s->sign);
    tacit__strbuf_format(out,
                         "<g transform=\"translate(%.1f,%.1f)\"><circle r=\"7.5\"/>"
                         "<path class=\"sign\" d=\"M0,-3.8V0.6M0,3.7v0.1\"/></g>",
                         at.x, at.y);
}

/* First a wide line, which is easily pointed at and is the band of a known one. */
static void add_stroke(tacit__strbuf *out, const stroke *s)
{
    add_path(out, " class=\"area\"", s);
    add_path(out, "", s);
    if (s->way != TACIT_EDGE_BOTH_WAYS)
        add_graph_head(out, s);
    if (s->known)
        add_sign(out, s);
}

/* What a pointer shows. */
static void add_graph_words(tacit__strbuf *out, const tacit_page_bipartite *graph,
                            const tacit_page_edge *edge)
{
    bool directed = edge->way != TACIT_EDGE_BOTH_WAYS;
    tacit__html_join(out, "<title>", graph->rows[edge->row].name, ", ",
                     graph->columns[edge->column].name, ": ", GRAPH_KIND[edge->kind].name,
                     directed ? ", can " : "", directed ? WAY_NAMES[edge->way] : "",
                     edge->known ? ", known exactly" : "", "", edge->hover ? "; " : "",
                     edge->hover ? edge->hover : "", "</title>", NULL);
}

static void add_edge(tacit__strbuf *out, graph_chart *c, const tacit_page_edge *edge)
{
    stroke s = {.from = {0, c->row_y[edge->row]},
                .to = {c->width, c->column_y[edge->column]},
                .way = edge->way,
                .known = edge->known};
    if (s.known)
        s.sign = place_sign(c, &s);
    tacit__strbuf_format(out, "<g class=\"edge%s%s r%d c%d\">", GRAPH_KIND[edge->kind].class,
                         edge->known ? " known" : "", edge->row, edge->column);
    add_graph_words(out, c->what, edge);
    add_stroke(out, &s);
    tacit__strbuf_text(out, "</g>\n");
}

/* ---- what is around them ---- */

/* A text beside the plot: left of it, or right. */
static void open_name(tacit__strbuf *out, const graph_chart *c, bool is_row, double y)
{
    tacit__strbuf_format(out, "<text x=\"%.0f\" y=\"%.1f\"%s>",
                         is_row ? (double)-NAME_GAP : c->width + NAME_GAP, y,
                         is_row ? " text-anchor=\"end\"" : "");
}

static void add_side(tacit__strbuf *out, const graph_chart *c, bool is_row, const char *name)
{
    open_name(out, c, is_row, 12);
    tacit__add_name(out, name);
    tacit__strbuf_text(out, "</text>\n");
}

static void add_vertex(tacit__strbuf *out, const graph_chart *c, bool is_row, int line)
{
    const tacit_page_bipartite *graph = c->what;
    double y = is_row ? c->row_y[line] : c->column_y[line];
    const char *name = is_row ? graph->rows[line].name : graph->columns[line].name;
    tacit__strbuf_format(out, "<g class=\"vertex %c%d\">", is_row ? 'r' : 'c', line);
    tacit__html_join(out, "<title>", name, "</title>", NULL);
    tacit__strbuf_format(out, "<circle cx=\"%.0f\" cy=\"%.1f\" r=\"4\"/>", is_row ? 0 : c->width,
                         y);
    open_name(out, c, is_row, y + 4);
    tacit__add_name(out, name);
    tacit__strbuf_text(out, "</text></g>\n");
}

static void add_bands(tacit__strbuf *out, const graph_chart *c)
{
    for (int i = 0; i < c->bands && c->bands > 1; i++)
        tacit__strbuf_format(out,
                             "<rect class=\"band\" x=\"%.0f\" y=\"%.1f\" width=\"%.0f\" "
                             "height=\"%.1f\" rx=\"6\"></rect>\n",
                             -c->left, c->band_top[i], c->left + c->width + c->right,
                             c->band_bottom[i] - c->band_top[i]);
}

/* What fades when the pointer is on a vertex. */
static void add_rules(tacit__strbuf *out, char side, int count)
{
    for (int i = 0; i < count; i++)
        tacit__strbuf_format(out, ".graph:has(.%c%d:hover) .edge:not(.%c%d){opacity:.1}\n", side, i,
                             side, i);
}

static void add_parts(tacit__strbuf *out, graph_chart *c)
{
    const tacit_page_bipartite *graph = c->what;
    add_bands(out, c);
    add_side(out, c, true, graph->row_name);
    add_side(out, c, false, graph->column_name);
    for (int known = 0; known <= 1; known++)
        for (int i = 0; i < graph->edge_count; i++)
            if (graph->edges[i].known == known)
                add_edge(out, c, &graph->edges[i]);
    for (int i = 0; i < graph->row_count; i++)
        add_vertex(out, c, true, i);
    for (int i = 0; i < graph->column_count; i++)
        add_vertex(out, c, false, i);
}

static void draw_graph(tacit_page *page, graph_chart *c)
{
    const tacit__drawing drawing = {
        .kind = "A graph",
        .title = c->what->title,
        .x_label = "row and column",
        .y_label = "suppressed cells",
        .facts = "cells",
        .height = (int)c->bottom + 6,
        .left = c->left,
        .right = c->right,
        .least_width = c->width,
        .max_width = c->width,
    };
    tacit__drawing_open(page, &drawing);
    tacit__strbuf_text(&page->body, "<style>\n");
    add_rules(&page->body, 'r', c->what->row_count);
    add_rules(&page->body, 'c', c->what->column_count);
    tacit__strbuf_format(&page->body, "</style>\n<g class=\"graph%s\">\n",
                         c->what->edge_count > DENSE ? " dense" : "");
    add_parts(&page->body, c);
    tacit__strbuf_text(&page->body, "</g>\n</svg></div>\n");
}

static void add_sample(tacit__strbuf *out, const char *class, stroke look, const char *name)
{
    look.from = (point){0, 9};
    look.to = (point){48, 9};
    look.sign = 0.5;
    tacit__strbuf_format(out,
                         "<span><svg width=\"48\" height=\"18\" aria-hidden=\"true\">"
                         "<g class=\"edge%s\">",
                         class);
    add_stroke(out, &look);
    tacit__html_join(out, "</g></svg>", name, "</span>", NULL);
}

/* What there is in the graph, and only that. */
static void add_graph_legend(tacit__strbuf *out, const graph_chart *c)
{
    tacit__strbuf_text(out, "<p class=\"legend kinds\">");
    for (int kind = 0; kind < GRAPH_KINDS; kind++)
        if (c->kinds[kind])
            add_sample(out, GRAPH_KIND[kind].class, (stroke){0}, GRAPH_KIND[kind].name);
    if (c->known)
        add_sample(out, " known", (stroke){.known = true}, "known exactly");
    if (c->ways[TACIT_EDGE_TO_COLUMN])
        add_sample(out, "", (stroke){.way = TACIT_EDGE_TO_COLUMN}, "can only rise");
    if (c->ways[TACIT_EDGE_TO_ROW])
        add_sample(out, "", (stroke){.way = TACIT_EDGE_TO_ROW}, "can only fall");
    tacit__strbuf_text(out, "</p>\n");
}

/* The table's head, or an edge's row: what no edge has is left out. Returns the columns. */
static int fill_row(const char **cells, const graph_chart *c, const tacit_page_edge *edge)
{
    const tacit_page_bipartite *graph = c->what;
    int used = 0;
    cells[used++] = edge ? graph->rows[edge->row].name : *graph->row_name ? graph->row_name : "row";
    cells[used++] = edge                  ? graph->columns[edge->column].name
                    : *graph->column_name ? graph->column_name
                                          : "column";
    cells[used++] = edge ? GRAPH_KIND[edge->kind].name : "kind";
    if (is_directed(c))
        cells[used++] = edge ? WAY_NAMES[edge->way] : "can";
    if (c->known)
        cells[used++] = !edge ? "known" : edge->known ? "exactly" : "";
    if (c->remarks)
        cells[used++] = !edge ? "remark" : edge->hover ? edge->hover : "";
    return used;
}

static void add_graph_table(tacit_page *page, const graph_chart *c)
{
    const char *header[TABLE_COLUMNS], *cells[TACIT_MAX_GRAPH_EDGES * TABLE_COLUMNS];
    int columns = fill_row(header, c, NULL), edges = c->what->edge_count;
    for (int i = 0; i < edges; i++)
        fill_row(cells + i * columns, c, &c->what->edges[i]);
    tacit__chart_table(page, "The cells", c->what->title, header, columns, cells, edges);
}

static bool in_order(const tacit_page_vertex *vertices, int count)
{
    for (int i = 1; i < count; i++)
        if (vertices[i].group < vertices[i - 1].group)
            return false;
    return true;
}

void tacit_page_graph(tacit_page *page, const tacit_page_bipartite *graph)
{
    assert(graph->row_count >= 1 && graph->row_count <= TACIT_MAX_GRAPH_LINES);
    assert(graph->column_count >= 1 && graph->column_count <= TACIT_MAX_GRAPH_LINES);
    assert(graph->edge_count >= 1 && graph->edge_count <= TACIT_MAX_GRAPH_EDGES);
    assert(in_order(graph->rows, graph->row_count));
    assert(in_order(graph->columns, graph->column_count));
    graph_chart c = {.what = graph};
    look_over(&c);
    lay_out_graph(&c);
    tacit__html_join(&page->body, "<figure>\n<figcaption>", graph->title, "</figcaption>\n", NULL);
    add_graph_legend(&page->body, &c);
    draw_graph(page, &c);
    add_graph_table(page, &c);
    tacit__strbuf_text(&page->body, "</figure>\n");
}
