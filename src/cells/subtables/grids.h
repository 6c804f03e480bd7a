/*
 * grids.h - subtables of a table without dimensions, from its relations alone.
 */
#ifndef TACIT_CELLS_SUBTABLES_GRIDS_H
#define TACIT_CELLS_SUBTABLES_GRIDS_H

#include <tacit/cells.h>

/* A subtable: relations of several directions that cross, and all their cells. The cells that
 * have a relation of every direction stand on a grid, one axis a direction. */
typedef struct tacit__grid {
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
} tacit__grid;

/* All of them, from the top down: by layer, then by levels and directions. */
typedef struct tacit__grids {
    int32_t count;
    tacit__grid *list;
    int32_t *cells;     /* of each grid, ascending */
    int32_t *places;    /* the same: on the grid, last axis first; -1: not on it */
    int32_t *relations; /* of each grid, ascending */
    size_t grid_room, cell_room, place_room, relation_room;
    int64_t cells_used, relations_used;
} tacit__grids;

tacit_status tacit__grids_new(tacit__grids **out, const tacit_cells *cells, tacit_error *err);
void tacit__grids_free(tacit__grids *grids);

#endif
