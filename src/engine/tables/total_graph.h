/*
 * total_graph.h - the suppressed graph of a two-dimensional table on a page.
 */
#ifndef TACIT_ENGINE_TABLES_TOTAL_GRAPH_H
#define TACIT_ENGINE_TABLES_TOTAL_GRAPH_H

#include <tacit/experimental.h>

typedef struct engine_total_graph {
    const tacit_flat_view *view; /* as it was given, with names */
    const char *row_name, *column_name;
    const char *letters;            /* a listed cell each, in the end; NULL: the view's */
    const tacit_total_audit *audit; /* says which cells were known */
} engine_total_graph;

/* Draws it, or says that it is too large. For the data holder: ways tell which cells are on their
 * bounds. */
void engine_total_graph_draw(tacit_page *page, const engine_total_graph *graph);

#endif
