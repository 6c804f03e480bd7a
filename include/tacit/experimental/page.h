/*
 * page.h - a self-contained page of HTML: headings, tables and charts.
 *
 * Adding to a page can only fail for lack of memory. The failure is kept and returned by the
 * writer, so callers need not check each call.
 */
#ifndef TACIT_EXPERIMENTAL_PAGE_H
#define TACIT_EXPERIMENTAL_PAGE_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A self-contained page. Sections are added in the order they are shown; all
 * text is escaped here, and is a paragraph's, a cell's or a label's words. */
typedef struct tacit_page tacit_page;

tacit_status tacit_page_new(tacit_page **out, const char *title, tacit_error *err);
void tacit_page_free(tacit_page *page);
void tacit_page_heading(tacit_page *page, const char *text);
/* The first paragraph after the title is set as its subtitle. */
void tacit_page_paragraph(tacit_page *page, const char *text);
/* A verdict as a coloured banner. */
void tacit_page_banner(tacit_page *page, bool good, const char *text);
/* Key numbers in large type, a name under each. */
void tacit_page_tiles(tacit_page *page, const char *const *names, const char *const *values,
                      int count);
/* Something that belongs on the page could not be made for want of memory: tacit_page_html will
 * say so, and there is no page. */
void tacit_page_fail(tacit_page *page);
/* A table: header cells, then rows * columns cells, the first of a row naming
 * it. A column of numbers is aligned right. */
void tacit_page_table(tacit_page *page, const char *caption, const char *const *header, int columns,
                      const char *const *cells, int rows);

enum { TACIT_MAX_BARS = 40 };

/* Two series of bars side by side, drawn as SVG, with the numbers in a table
 * that unfolds. Values are finite and not negative. */
typedef struct tacit_bars {
    const char *title;
    const char *x_label;
    const char *y_label;
    const char *const *names; /* one a group of bars */
    const double *first;
    const double *second; /* NULL: one series */
    const char *first_name;
    const char *second_name;
    int count;       /* groups, 1 to TACIT_MAX_BARS */
    bool root_scale; /* heights by square root, so that small values are seen; the axis says so */
    double marker;   /* a line in front of this group, 0 to count, or within it: 5.5; -1: none */
    const char *marker_name;
} tacit_bars;
void tacit_page_bars(tacit_page *page, const tacit_bars *bars);

enum { TACIT_MAX_CURVES = 8, TACIT_MAX_CURVE_POINTS = 40 };

/* Curves over the same points, drawn as SVG with the x on a logarithmic scale,
 * each named where it ends, with the numbers in a table that unfolds. */
typedef struct tacit_curve {
    const char *name;
    const double *values; /* one a point; what is not finite is left out */
    bool is_bound;        /* on the curve before it: in its colour, dashed */
} tacit_curve;

typedef struct tacit_curves {
    const char *title;
    const char *x_label;
    const char *y_label;
    const double *x; /* the points: whole numbers above 0, ascending */
    int x_count;     /* 1 to TACIT_MAX_CURVE_POINTS */
    const tacit_curve *curves;
    int curve_count; /* 1 to TACIT_MAX_CURVES */
    bool ordered;    /* the curves are steps of one thing: one hue, from light to strong */
    int decimals;    /* of the numbers in the table */
    double marker;   /* a line down at this x, from the first to the last; 0: none */
    const char *marker_name;
} tacit_curves;
void tacit_page_curves(tacit_page *page, const tacit_curves *curves);

enum { TACIT_MAX_SCATTER = 32 };

/* Points of two numbers that are better the smaller they are, such as loss and risk, drawn as SVG
 * with the frontier of those that no other beats, and the numbers in a table that unfolds. */
typedef struct tacit_scatter {
    const char *title;
    const char *x_label;
    const char *y_label;
    const char *const *names; /* a point each */
    const double *x;          /* not negative; what is not finite is left out */
    const double *y;
    const bool *best; /* a point each: on the frontier */
    int count;        /* 1 to TACIT_MAX_SCATTER */
} tacit_scatter;
void tacit_page_scatter(tacit_page *page, const tacit_scatter *scatter);

enum { TACIT_MAX_HEAT = 64 };

/* Shares by pairs of names and, on the diagonal, by single ones: a triangle of
 * fields, the darker (on a dark page, the lighter) the larger the share, drawn as
 * SVG, with the numbers in a table that unfolds. */
typedef struct tacit_heat {
    const char *title;
    const char *x_label; /* what the names are of: "column" */
    const char *y_label; /* what the shares are of: "records that are alone" */
    const char *const *names;
    int count;            /* 1 to TACIT_MAX_HEAT */
    const double *shares; /* 0 to 1 at [row * count + column] for column <= row; the others are
                             not looked at, and what is not finite is left out */
} tacit_heat;
void tacit_page_heat(tacit_page *page, const tacit_heat *heat);

/* How a cell of a statistical table is drawn. */
typedef enum tacit_grid_kind {
    TACIT_GRID_PUBLISHED = 0,
    TACIT_GRID_PRIMARY,   /* suppressed, confidential */
    TACIT_GRID_SECONDARY, /* suppressed to protect others */
    TACIT_GRID_FIXED,     /* must be published */
    TACIT_GRID_ZERO       /* published, and 0 */
} tacit_grid_kind;

typedef struct tacit_grid_cell {
    tacit_grid_kind kind;
    const char *text;  /* NULL: the kind's mark */
    const char *hover; /* what there is to say of it; NULL: nothing */
} tacit_grid_cell;

typedef struct tacit_grid_heading {
    const char *name;
    int depth; /* in its hierarchy: 0 or more; shown by indentation */
} tacit_grid_heading;

/* A statistical table, as HTML: it scrolls inside a box where it is large, and its headings
 * stay in view. What there is to say of a cell appears under the pointer, and of suppressed ones
 * on focus too. Cells are asked for one by one, row by row. */
typedef struct tacit_cell_grid {
    const char *title;
    const char *row_name; /* above the rows' names; may be empty */
    const tacit_grid_heading *rows;
    int row_count; /* 1 or more */
    const tacit_grid_heading *columns;
    int column_count; /* 1 or more */
    /* Texts are borrowed until the next call. */
    tacit_grid_cell (*cell)(void *subject, int row, int column);
    void *subject;
    bool legend; /* what the kinds look like, above the table */
} tacit_cell_grid;
void tacit_page_cells(tacit_page *page, const tacit_cell_grid *grid);

enum { TACIT_MAX_GRAPH_LINES = 120, TACIT_MAX_GRAPH_EDGES = 600 };

/* A row or a column of a table, as a vertex of its suppressed graph. */
typedef struct tacit_page_vertex {
    const char *name;
    int group; /* ascending on each side; a group's rows face its columns, on a band of their own */
} tacit_page_vertex;

typedef enum tacit_edge_kind {
    TACIT_EDGE_SECRET = 0, /* in Q: to be protected */
    TACIT_EDGE_SUPPRESSED, /* and not in Q */
    TACIT_EDGE_ADDED       /* suppressed to protect Q */
} tacit_edge_kind;

typedef enum tacit_edge_way {
    TACIT_EDGE_BOTH_WAYS = 0,
    TACIT_EDGE_TO_COLUMN, /* on its lower bound: can only rise */
    TACIT_EDGE_TO_ROW     /* on its upper bound: can only fall */
} tacit_edge_way;

/* A suppressed cell, as an edge. Who learns of a way learns that the value is on its bound. */
typedef struct tacit_page_edge {
    int row, column; /* of the vertices, from 0 */
    tacit_edge_kind kind;
    tacit_edge_way way;
    bool known;        /* follows from what is published */
    const char *hover; /* what there is to say of it besides; NULL: nothing */
} tacit_page_edge;

/* The suppressed graph of a table with two dimensions, drawn as SVG: rows on the left, columns
 * on the right, in the order given, lines between them. Pointing at a name or a line makes the
 * others fade; the cells stand in a table that unfolds. */
typedef struct tacit_page_bipartite {
    const char *title;
    const char *row_name; /* what the rows are of: "region"; may be empty */
    const char *column_name;
    const tacit_page_vertex *rows;
    int row_count; /* 1 to TACIT_MAX_GRAPH_LINES */
    const tacit_page_vertex *columns;
    int column_count; /* 1 to TACIT_MAX_GRAPH_LINES */
    const tacit_page_edge *edges;
    int edge_count; /* 1 to TACIT_MAX_GRAPH_EDGES */
} tacit_page_bipartite;
void tacit_page_graph(tacit_page *page, const tacit_page_bipartite *graph);

enum { TACIT_PAGE_GROUPS = 5 };

/* A part of a text: as it is, or marked because something else stood there. */
typedef struct tacit_page_part {
    tacit_strview text;
    tacit_strview before; /* what stood there; bytes NULL: not to be told */
    int group;            /* 0: not marked; 1 to TACIT_PAGE_GROUPS: coloured so */
    const char *hover;    /* under the pointer; NULL: nothing */
    const char *print;    /* in small print, where the reader wants it; NULL: nothing */
} tacit_page_part;

typedef struct tacit_page_marked {
    const char *title;
    const tacit_page_part *parts;
    size_t count;
    const char *note; /* below it; NULL: nothing */
} tacit_page_marked;

/* What the groups are called, and how the reader chooses what the marks of the texts that follow
 * in this section show; both: they have what stood there before. */
void tacit_page_marks(tacit_page *page, const char *const *groups, int count, bool both);

/* A text with its marks, as it is written: line by line, in a box where it is long. */
void tacit_page_text(tacit_page *page, const tacit_page_marked *text);

/* The page's HTML, terminated; the caller frees it with tacit_text_free. */
tacit_status tacit_page_html(char **out, const tacit_page *page, tacit_error *err);

/* A number for people: digits in groups of three ("1 234 567.5"), rounded to
 * decimals; what is not finite is a dash. Cut to size; returns buffer. */
const char *tacit_number_text(char *buffer, size_t size, double value, int decimals);

#ifdef __cplusplus
}
#endif
#endif
