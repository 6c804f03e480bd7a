/*
 * total.h - further suppressions in a two-dimensional table, so that nothing at all leaks about
 * a set Q of suppressed cells, not even a sum (Kao, Total Protection, sections 4 to 6).
 *
 *   - Where every published cell, and every suppressed one outside Q, is strictly between its
 *     bounds, and all cost the same: the fewest, in almost linear time (Problem 5), on tables of
 * any size.
 *   - The same with costs, or cells that must be published, where the suppressed graph connects all
 *     rows and columns: the cheapest, a spanning tree (section 6).
 *   - Else the problem is NP-complete: a heuristic, and an integer program that improves
 *     on it until it is proven or the run is stopped; for tables of TACIT_TOTAL_MIXED cells at
 * most. Larger ones get an answer where an easy problem beside theirs has one that serves.
 *
 * docs/methods/total.md derives the cases, and says where the paper is wrong.
 */
#ifndef TACIT_TOTAL_H
#define TACIT_TOTAL_H

#include <tacit/experimental/cells.h>
#include <tacit/experimental/graph.h>
#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_TOTAL_MIXED = 1 << 20 };

/* Zero-initialized: the best that is known. */
typedef struct tacit_total_options {
    bool as_published; /* Problem 7 as the paper has it, which may give more cells than needed, or
                          none where there is a solution */
    bool quick;        /* no integer program */
} tacit_total_options;

/* How the cells were found. */
typedef enum tacit_total_way {
    TACIT_TOTAL_NOTHING = 0, /* nothing had to be done */
    TACIT_TOTAL_COUNT,       /* Problem 5 */
    TACIT_TOTAL_TREE,        /* a spanning tree of least cost */
    TACIT_TOTAL_SEARCH       /* heuristic and integer program */
} tacit_total_way;

/* What to suppress. Owned arrays; cleared with tacit_total_plan_clear. */
typedef struct tacit_total_plan {
    int32_t count;
    int32_t *row, *column; /* from 0; by row, then by column */
    double cost;           /* their number, where no cell has a cost */
    double lower_bound;    /* no solution costs less */
    bool optimal;          /* and this one costs no more */
    bool stopped;          /* by the progress callback: this is the best so far */
    tacit_total_way way;
    int32_t good, bad; /* components that Problem 7 had to connect; COUNT only */
} tacit_total_plan;

/* TACIT_INFEASIBLE where nothing protects Q, with the reason: a sum over Q that is known whatever
 * else is suppressed. TACIT_LIMIT where a table that needs a search is too large for it and nothing
 * easier serves. */
tacit_status tacit_total_protect(tacit_total_plan *out, const tacit_flat_view *table,
                                 const tacit_total_options *options, const tacit_run *run,
                                 tacit_error *err);
void tacit_total_plan_clear(tacit_total_plan *plan);

/* A list that owns its arrays: the ground cells of one table of two dimensions without hierarchy,
 * or a file of cells. Margins are published, and none may be suppressed. Cell k of the view is cell
 * cells[k] of the table. Its names are those of the cells or the file it was made of, which must be
 * kept for them. Freed with tacit_flat_table_free. */
typedef struct tacit_flat_table {
    tacit_flat_view view;
    int32_t *cells;                  /* NULL: cell k is row k of the file */
    int32_t *row_code, *column_code; /* a row and a column each: its code in its dimension; NULL:
                                        the same number */
    const void *source;              /* what it was made of, borrowed for the view's names */
    int32_t source_columns[2];       /* of a file: those of rows and columns */
} tacit_flat_table;

/* status: a letter a cell; NULL: the cells' own. costs: the cells' own count, instead of the number
 * of suppressed cells. TACIT_INVALID where the cells are no such table, or a margin is suppressed.
 */
tacit_status tacit_flat_from_cells(tacit_flat_table **out, const tacit_cells *cells,
                                   const char *status, bool costs, tacit_error *err);
void tacit_flat_table_free(tacit_flat_table *table);

/* ---- a file of cells ---- */

/* What the columns of a file of cells are. Zero-initialized but for the names of the first two. */
typedef struct tacit_flat_spec {
    const char *row, *column; /* names of the columns that say where a cell is */
    const char *value;        /* name of the column of values; NULL: none is known */
    bool negative;            /* values may be negative: the lower bound of 0 falls */
    tacit_flat_rest rest;     /* what the cells are that the file leaves out */
} tacit_flat_spec;

/* The cells of a sparse table, a row of the file each, in the file's order. Besides what spec names
 * there may be columns `status` (none: all are `u`; empty: `s`), `lower` and `upper` (empty: as if
 * there were none) and `weight`, the cost (empty: 1). The value of a suppressed cell may be empty:
 * unknown, strictly between its bounds. Published cells need one, where there is a column of
 * values.
 *
 * Row and column numbers are the codes of their columns, and the table must be kept for their names
 * only. A row or column without a listed cell is not part of the
 * table: list one of its cells.
 *
 * The columns that spec names must have been coded; of the other four those that were not are
 * passed over, which is for the caller to decide. Coding no more than what is wanted, and
 * options.let_go, save most of the memory; the file's pages are let go. Linear; 8 bytes a cell and
 * what the columns given need, 1 for letters and 8 each for numbers, unless all are as if there was
 * no column; 4 more for a while. TACIT_PARSE names the line of what is wrong, TACIT_LIMIT where the
 * file has more than graph.h allows. */
tacit_status tacit_flat_from_table(tacit_flat_table **out, const tacit_table *table,
                                   const tacit_flat_spec *spec, const tacit_run *run,
                                   tacit_error *err);

/* The release of what was read from that table, with plan's cells suppressed as well (NULL: none),
 * in the same form: row, column, value (empty where suppressed; no such column where spec names
 * none) and status; no bounds or costs. The listed cells in their order, then the others of the
 * plan, by row and column, as `x`. delimiter 0: a semicolon. Written to fd from its start. */
tacit_status tacit_flat_write(int fd, const char *name, const tacit_table *table,
                              const tacit_flat_table *flat, const tacit_total_plan *plan,
                              const tacit_flat_spec *spec, char delimiter, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
