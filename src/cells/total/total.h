/*
 * total.h - the ways to total protection (total.c chooses among them).
 */
#ifndef TACIT_CELLS_TOTAL_TOTAL_H
#define TACIT_CELLS_TOTAL_TOTAL_H

#include <tacit/experimental/total.h>

#include "graph/graph.h"

/* Whether Q is protected (Theorem 3.2): *failed is an edge of it that is not, or -1. strong and
 * loose, a vertex each, become strong components and their parts without Q. */
tacit_status tacit__total_test(int32_t *failed, int32_t *strong, int32_t *loose,
                               const tacit__graph *graph, tacit_error *err);

/* Problem 5 on a graph without published edges; directions are not looked at. */
tacit_status tacit__total_count(tacit_total_plan *plan, tacit__places *added,
                                const tacit__graph *graph, bool as_published, const tacit_run *run,
                                tacit_error *err);

/* What Problem 7 is about: trees of vertices, each in one home. */
typedef struct tacit__forest {
    int32_t trees;
    int32_t homes;
    int32_t *row, *column; /* a tree each: its first row, its first column as a vertex; -1: none */
    tacit__groups of_home; /* trees by home */
    const tacit__graph *graph;
} tacit__forest;

/* Problem 7: cells between homes that connect the trees of each. */
tacit_status tacit__total_seven(tacit_total_plan *plan, tacit__places *added,
                                const tacit__forest *forest, bool as_published, tacit_error *err);

/* The cheapest spanning tree, where the suppressed cells connect all rows and columns and no edge
 * that could be used is directed. */
tacit_status tacit__total_tree(tacit_total_plan *plan, tacit__places *added,
                               const tacit_flat_view *table, const tacit__graph *graph,
                               tacit_error *err);

/* The answer to the easy problem, in which nothing is directed, fixed or has a cost: any answer
 * needs as many cells. */
tacit_status tacit__total_easy(tacit__places *added, const tacit_flat_view *table,
                               const tacit_run *run, tacit_error *err);

/* Tables that are too large for a search. */
tacit_status tacit__total_large(tacit_total_plan *plan, tacit__places *added,
                                const tacit_flat_view *table, const tacit__graph *graph,
                                const tacit_run *run, tacit_error *err);

/* Everything else. */
tacit_status tacit__total_search(tacit_total_plan *plan, tacit__places *added,
                                 const tacit_flat_view *table, const tacit_total_options *options,
                                 const tacit_run *run, tacit_error *err);

/* "row 3", "column 4", or "the part of row 3 and column 4", for messages; column is a vertex, -1
 * where there is none, as may be row. Returns buffer. */
const char *tacit__name_part(char buffer[256], const tacit__graph *graph, int32_t row,
                             int32_t column);

#endif
