/*
 * inside.h - the making of cells, for the files of this room.
 *
 * Readers make an empty tacit_cells, give it dimensions, have it laid out (cells numbered,
 * arrays made) and lowered (relations), and fill in what they read. Every array is a
 * block of its own; names live in the arena.
 */
#ifndef TACIT_CELLS_CELLS_INSIDE_H
#define TACIT_CELLS_CELLS_INSIDE_H

#include <tacit/experimental/cells.h>

#include "base/arena.h"

struct tacit__solver_backend; /* solver/solver.h */

struct tacit__cells_inside {
    tacit__arena arena;
    int32_t *table_of; /* linked tables: the first table that has each cell, */
    int32_t *place_of; /* and its place there; NULL: table 0, the cell's own number */
};

/* Empty, with a copy of the file's name, which may be NULL. */
tacit_status tacit__cells_new(tacit_cells **out, const char *file, tacit_error *err);

/* Arrays for so many cells, zeros all; status is `s`. */
tacit_status tacit__cells_allocate(tacit_cells *cells, int32_t count, tacit_error *err);

/* The arrays that only some cells have. */
tacit_status tacit__cells_allocate_freq(tacit_cells *cells, tacit_error *err);
tacit_status tacit__cells_allocate_top(tacit_cells *cells, int32_t count, bool owners,
                                       tacit_error *err);

/* One table of all combinations of the dimensions that the cells have: strides and number
 * of places. */
tacit_status tacit__table_lay_out(tacit_cells_table *table, const tacit_dimension *dimensions,
                                  tacit_error *err);

/* Lays out a single table over all dimensions, with arrays. */
tacit_status tacit__cells_lay_out(tacit_cells *cells, tacit_error *err);

/* The relations of all tables. */
tacit_status tacit__cells_lower(tacit_cells *cells, tacit_error *err);

/* Sums ground cells up to every other cell of a single table. */
void tacit__sum_up(double *values, const tacit_cells *cells);

/* How many decimals numbers have; those that are not finite do not count. TACIT__ANY_DECIMALS: more
 * than is sure. And numbers rounded to so many. */
enum { TACIT__ANY_DECIMALS = 100 };
int tacit__decimals_of(const double *numbers, size_t count);
void tacit__round_to(double *numbers, size_t count, int places);

/* The last decimal place that values have, 1 where they are whole numbers; 10^-9 at least. */
double tacit__last_unit(const tacit_cells *cells);

/* 1, or a cell's cost, over the size of its value, which counts as a unit at least. With the
 * default costs the second is 1. */
double tacit__share_of(const tacit_cells *cells, int32_t cell, double unit);
double tacit__cost_share_of(const tacit_cells *cells, int32_t cell, double unit);

/* Calls a function for every cell that has parts, after it was called for those: parts are
 * cells[0..count) in one dimension, which any of the cell's dimensions may be. */
typedef void (*tacit__merge_fn)(void *context, int32_t cell, const int32_t *parts, int32_t count);
tacit_status tacit__merge_up(const tacit_cells *cells, tacit__merge_fn merge, void *context,
                             tacit_error *err);

/* Values that are NAN become some that fit the relations and their bounds. Of these, cells that
 * no line gives are known where single relations say what they are; else they are suppressed
 * and unknown like those that were marked so before. TACIT_PARSE: published values do not add
 * up. TACIT_INVALID, naming a relation: nothing fits. TACIT_LIMIT: programs could not be solved.
 * backend NULL: CLP. */
tacit_status tacit__cells_complete(tacit_cells *cells, double tolerance,
                                   const struct tacit__solver_backend *backend,
                                   const tacit_run *run, tacit_error *err);

/* Relations and subtotals that are off, worst first. */
typedef struct tacit__off {
    double by;
    int64_t line;
} tacit__off;

tacit__off tacit__off_of(double by, int64_t line);

/* Whether sums may differ so much. size: sum of the sizes of the terms. */
bool tacit__within(double difference, double size, double tolerance);

/* An error that lists the worst; what: "subtotals do not add up". */
tacit_status tacit__off_error(tacit__off *off, int64_t count, const char *file, const char *what,
                              tacit_error *err);

/* Fills in decimals and residual when values and relations are there. Sums beyond what a
 * double holds are an error. */
tacit_status tacit__cells_finish(tacit_cells *cells, tacit_error *err);

/* The last step of a reader: gives the cells away, or frees them where anything failed.
 * Returns the status. */
tacit_status tacit__cells_give(tacit_cells **out, tacit_cells *cells, tacit_status status);

/* The level that a margin gives a cell, and the levels of a primary cell by it. */
void tacit__margin_apply(tacit_cells *cells, int32_t cell, const tacit_margin *margin);

/* TACIT_INVALID, naming the first, where values are not known: for all that needs them. */
tacit_status tacit__cells_known(const tacit_cells *cells, tacit_error *err);

/* Where a cell stands, for messages: an error at its file and line that names it. */
tacit_status tacit__cell_error(const tacit_cells *cells, int32_t cell, tacit_status status,
                               tacit_error *err, const char *reason);

/* Cells in more relations than this are not looked at: sixteen dimensions of two trees each,
 * with parts and totals, have no more. */
enum { TACIT__MAX_USES = 64 };

/* The terms of cell i are list[starts[i]] to list[starts[i + 1] - 1], ascending. */
typedef struct tacit__terms {
    int32_t *starts; /* cells + 1 */
    int32_t *list;
    int32_t *relation; /* a term each */
} tacit__terms;

/* TACIT_LIMIT for more than INT32_MAX terms. */
tacit_status tacit__terms_init(tacit__terms *terms, const tacit_cells *cells, tacit_error *err);
void tacit__terms_clear(tacit__terms *terms);

static inline int32_t tacit__uses(const tacit__terms *terms, int32_t cell)
{
    return terms->starts[cell + 1] - terms->starts[cell];
}

/* For qsort and bsearch over int32_t. */
int tacit__by_number(const void *left, const void *right);

#endif
