/*
 * total_verdict.h - what is known exactly about a two-dimensional table: the judge's answer, its
 * facts, and the graph of suppressed cells.
 */
#ifndef TACIT_ENGINE_TABLES_TOTAL_VERDICT_H
#define TACIT_ENGINE_TABLES_TOTAL_VERDICT_H

#include <tacit/experimental.h>

typedef struct engine_total_verdict {
    const tacit_flat_view *view; /* borrowed */
    tacit_total_audit *audit;
    tacit_total_levels levels;
} engine_total_verdict;

/* The view must have names, and stay. k: rows or columns of the third level; 0: levels are not
 * looked at. */
tacit_status engine_total_verdict_init(engine_total_verdict *verdict, const tacit_flat_view *view,
                                       int32_t k, const tacit_run *run, tacit_error *err);
void engine_total_verdict_clear(engine_total_verdict *verdict);

/* All of it. The terminal has cells and counts, no values. */
void engine_total_verdict_facts(tacit_report *report, const engine_total_verdict *verdict);

/* A list of places for the JSON, and each of them: a row and a column. */
void engine_report_places(tacit_report *report, const char *name);
void engine_report_place(tacit_report *report, const tacit_flat_view *view, int32_t row,
                         int32_t column);

/* The cells that are known, as such a list. */
void engine_total_invariant_facts(tacit_report *report, const tacit_flat_view *view,
                                  const tacit_total_audit *audit);

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
