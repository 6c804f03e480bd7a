/*
 * tables.h - what jobs on statistical tables share: dimensions, counts by level, what a release
 * tells of suppressed cells, a table on a page, and what is known exactly about two dimensions.
 */
#ifndef TACIT_ENGINE_TABLES_TABLES_H
#define TACIT_ENGINE_TABLES_TABLES_H

#include "engine/job/session.h"

/* Whether the command line speaks of a table: a .jj file, or dimensions. */
bool engine_is_audit_of_table(const engine_settings *settings);

/* ---- dimensions, as the command line names them ---- */

enum { ENGINE_DIM_NAME = 256 };

typedef struct engine_dims {
    tacit_dimension_spec list[TACIT_MAX_DIMENSIONS];
    int32_t count;
    char names[TACIT_MAX_DIMENSIONS][ENGINE_DIM_NAME];
    const char *files[TACIT_MAX_DIMENSIONS][TACIT_MAX_TREES];
} engine_dims;

/* Reads every --dim COLUMN[=FILE], a further file for the same column being a further tree of
 * it, and --total. Points into itself and the settings. */
tacit_status engine_dims_init(engine_dims *dims, const engine_settings *settings, tacit_error *err);

/* Number of the dimension that a text of some length names; -1: none. */
int32_t engine_dims_find(const engine_dims *dims, const char *name, size_t len);

/* Whether a file is a .jj, by its name. */
bool engine_is_jj(const char *path);

/* ---- how much is suppressed, level by level ---- */

/* The cells whose code is on one level of one dimension. */
typedef struct engine_table_level {
    tacit_strview dimension; /* its name, borrowed from the cells */
    int32_t level;           /* in its first hierarchy; 0 is the total */
    int64_t cells;
    int64_t primary, secondary;            /* of them suppressed */
    double value_primary, value_secondary; /* sums of their sizes, without sign */
} engine_table_level;

/* By dimension, then by level. */
typedef struct engine_table_levels {
    engine_table_level *list;
    int count;
} engine_table_levels;

/* status NULL: the cells' own. A cell that linked tables share counts once a dimension. Codes
 * that only further hierarchies have are on no level. Empty for cells without dimensions. */
tacit_status engine_table_levels_init(engine_table_levels *levels, const tacit_cells *cells,
                                      const char *status, tacit_error *err);
void engine_table_levels_clear(engine_table_levels *levels);

/* A list `levels`, and on the page a chart and a table of the counts, which follow from the
 * release. The sums do not, and are the data holder's: they are in the JSON alone. The levels must
 * outlive the report. */
void engine_table_levels_facts(tacit_report *report, const engine_table_levels *levels);

/* ---- what anybody can tell of suppressed cells ---- */

typedef struct engine_table_intervals {
    const tacit_cells_audit *audit; /* NULL: nothing is said */
    tacit_cells_audit *own;         /* where the one given tells too much */
    int decimals;                   /* of what is published */
    bool not_negative;              /* no value is below 0, which everybody knows */
} engine_table_intervals;

/* Whether a status letter says that the cell is not published. */
static inline bool engine_is_suppressed(char status)
{
    return status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY;
}

/* audit: of all intervals, with the bounds of the cells; must outlive the intervals. Where those
 * bounds tell more than the release does, the intervals are worked out without them; where that
 * fails nothing is said of any cell. status NULL: the cells' own. */
void engine_table_intervals_init(engine_table_intervals *intervals, const tacit_cells *cells,
                                 const char *status, const tacit_cells_audit *audit);
void engine_table_intervals_clear(engine_table_intervals *intervals);

/* "anybody can tell that it is between 3 and 17"; cut to size, returns buffer. */
const char *engine_table_interval(char *buffer, size_t size,
                                  const engine_table_intervals *intervals, int32_t cell);

/* Decimals of what is published; and a published value as a page shows it. */
int engine_table_decimals(const tacit_cells *cells, const char *status);
const char *engine_table_value(char *buffer, size_t size, const engine_table_intervals *intervals,
                               double value);

/* ---- a table on a page ---- */

/* A table with its cells drawn by status; of cells without dimensions a list of those that are
 * suppressed. status NULL: the cells' own. audit: of all intervals (not `primaries` alone), with
 * the cells' bounds; NULL: it is made here.
 *
 * Of a suppressed cell the page tells its status, as the release does, and what follows from
 * the release. */
void engine_table_page(tacit_page *page, const tacit_cells *cells, const char *status,
                       const tacit_cells_audit *audit);

/* How cells are drawn where their status is not what matters. */
typedef struct engine_table_look {
    tacit_grid_kind (*kind)(const void *subject, int32_t cell);
    /* What there is to say of a cell; cut to size, returns buffer. */
    const char *(*say)(char *buffer, size_t size, const void *subject, int32_t cell);
    /* What stands in the cell; NULL: its value. Without this function all values are shown. */
    const char *(*text)(const void *subject, int32_t cell);
    const void *subject;
} engine_table_look;

/* A table with its cells drawn that way; of cells without dimensions a list of those that are drawn
 * as suppressed. words: above it. */
void engine_table_page_look(tacit_page *page, const tacit_cells *cells, const char *words,
                            const engine_table_look *look);

/* ---- what is known exactly about two dimensions ---- */

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
