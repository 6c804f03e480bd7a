/*
 * subtables.h - a table cut into parts without hierarchy: in every dimension one code and
 * the codes that it is the sum of. For methods that work part by part. Of a table without
 * dimensions they are found from its relations.
 */
#ifndef TACIT_CELLS_SUBTABLES_SUBTABLES_H
#define TACIT_CELLS_SUBTABLES_SUBTABLES_H

#include <tacit/experimental/cells.h>

/* Subtables of a table without dimensions, from its relations alone. */

/* A subtable: relations of several directions that cross, and all their cells. The cells that
 * have a relation of every direction stand on a grid, one axis a direction. */
typedef struct tacit__subtables_grid {
    int32_t layer; /* sum of the directions' levels */
    int32_t axes;
    int32_t directions[TACIT_MAX_DIMENSIONS];
    int32_t levels[TACIT_MAX_DIMENSIONS];
    int32_t sizes[TACIT_MAX_DIMENSIONS]; /* parts and the total */
    int32_t place_count;                 /* of the grid; 0: the cells do not stand on one */
    int64_t cells;                       /* where its cells begin */
    int32_t cell_count;
    int64_t relations; /* where its relations begin */
    int32_t relation_count;
} tacit__subtables_grid;

/* All of them, from the top down: by layer, then by levels and directions. */
typedef struct tacit__grids {
    int32_t count;
    tacit__subtables_grid *list;
    int32_t *cells;     /* of each grid, ascending */
    int32_t *places;    /* the same: on the grid, last axis first; -1: not on it */
    int32_t *relations; /* of each grid, ascending */
    size_t grid_capacity, cell_capacity, place_capacity, relation_capacity;
    int64_t cells_used, relations_used;
} tacit__grids;

tacit_status tacit__grids_new(tacit__grids **out, const tacit_cells *cells, tacit_error *err);
void tacit__grids_free(tacit__grids *grids);

/* ---- */

/* A code and its parts. */
typedef struct tacit__family {
    int32_t dimension;
    int32_t tree;
    int32_t level; /* of the code in its tree */
    int32_t code;
    int32_t part_count; /* 0: the dimension has this code only */
    const int32_t *parts;
} tacit__family;

/* One family for each dimension of a table. */
typedef struct tacit__subtable {
    int32_t table;
    int32_t layer; /* sum of the levels */
    int32_t families[TACIT_MAX_DIMENSIONS];
} tacit__subtable;

/* All of them, from the top down: by layer, then by table and by the trees and levels of the
 * dimensions. Those that agree in all that are a batch; unless a dimension has several trees, no
 * two of a batch share a cell. Without dimensions they are grids, and no two of a batch share
 * a cell. Borrows the cells. */
typedef struct tacit__subtables {
    const tacit_cells *cells;
    int32_t family_count;
    tacit__family *families;
    int32_t count;
    tacit__subtable *list; /* NULL: no dimensions, */
    tacit__grids *grids;   /* but these */
    int32_t batch_count;
    int32_t *batch_starts; /* batch_count + 1 */
    int32_t most;          /* places of the largest */
    int32_t most_axes;
} tacit__subtables;

/* TACIT_LIMIT for more than INT32_MAX subtables. */
tacit_status tacit__subtables_new(tacit__subtables **out, const tacit_cells *cells,
                                  tacit_error *err);
void tacit__subtables_free(tacit__subtables *subtables);

/* The cells of a subtable in mixed radix over its axes, which are the dimensions with parts;
 * the last axis has stride 1. Number 0 on an axis is the total, the others are its parts. Of a
 * table without dimensions there may be places without a cell, or no places at all. */
typedef struct tacit__subtables_view {
    int32_t axes;
    int32_t sizes[TACIT_MAX_DIMENSIONS];
    int32_t strides[TACIT_MAX_DIMENSIONS];
    int32_t count;
    int32_t *cells; /* the caller's, with room for subtables->most; -1: no cell */
} tacit__subtables_view;

/* Views for so many workers, each with room for the largest subtable. */
tacit_status tacit__views_new(tacit__subtables_view **out, const tacit__subtables *subtables,
                              int workers, tacit_error *err);
void tacit__views_free(tacit__subtables_view *views, int workers);

void tacit__view_fill(tacit__subtables_view *view, const tacit__subtables *subtables,
                      int32_t index);

/* The cells of a subtable, each once, whether they have a place or not; returns their number.
 * The list is the view's or the grids'. */
int32_t tacit__subtable_cells(const int32_t **out, tacit__subtables_view *view,
                              const tacit__subtables *subtables, int32_t index);

#endif
