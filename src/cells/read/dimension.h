/*
 * dimension.h - a dimension in the making: names and trees as files and columns give them,
 * before codes are numbered.
 */
#ifndef TACIT_CELLS_READ_DIMENSION_H
#define TACIT_CELLS_READ_DIMENSION_H

#include <tacit/experimental/cells.h>

#include "base/arena.h"
#include "hierarchy/names.h"

/* A tree as its names depth first. */
typedef struct tacit__draft_tree {
    const char *file; /* borrowed, for messages; NULL: no file */
    int32_t *labels;  /* numbers of names */
    int32_t *depths;  /* the root's is 0; one more than the parent's */
    size_t label_capacity, depth_capacity;
    int32_t count;
} tacit__draft_tree;

/* Names are borrowed. Zero-initialized is empty. */
typedef struct tacit__draft {
    tacit__names names;
    tacit__draft_tree trees[TACIT_MAX_TREES];
    int32_t tree_count;
} tacit__draft;

void tacit__draft_clear(tacit__draft *draft);

/* A tree from a hierarchy file, names copied to the arena. */
tacit_status tacit__draft_bytes(tacit__draft *draft, tacit_strview bytes, const char *name,
                                tacit__arena *arena, tacit_error *err);

/* Numbers codes, folds those with a single part, and checks that the trees agree. name is
 * borrowed, as the draft's names are. */
tacit_status tacit__dimension_init(tacit_dimension *dimension, const tacit__draft *draft,
                                   tacit_strview name, tacit_error *err);
void tacit__dimension_clear(tacit_dimension *dimension);

/* A copy with names in another arena. */
tacit_status tacit__dimension_copy(tacit_dimension *to, const tacit_dimension *from,
                                   tacit__arena *arena, tacit_error *err);

/* A table's rows as places of cells: which column is which dimension, and which code each of
 * its values names. Zero-initialized is empty. */
typedef struct tacit__bound {
    const tacit_cells *cells;
    int32_t *codes[TACIT_MAX_DIMENSIONS]; /* by value of the column */
    tacit_codes_view views[TACIT_MAX_DIMENSIONS];
} tacit__bound;

/* Gives cells the dimensions of a specification and lays them out. An error names the line
 * of a value that no code has or, with ground, one that has parts. */
tacit_status tacit__bound_init(tacit__bound *bound, tacit_cells *cells, const tacit_table *table,
                               const tacit_cells_spec *spec, bool ground, tacit_error *err);
void tacit__bound_clear(tacit__bound *bound);

/* The cell that a row names. */
static inline int32_t tacit__bound_cell(const tacit__bound *bound, int64_t row)
{
    const tacit_cells_table *table = &bound->cells->tables[0];
    int64_t place = 0;
    for (int32_t d = 0; d < table->dimension_count; d++)
        place += bound->codes[d][tacit_codes_at(bound->views[d], row)] * table->strides[d];
    return (int32_t)place;
}

/* All names of a dimension, numbered as its labels; false when memory ran out. */
bool tacit__dimension_names(tacit__names *names, const tacit_dimension *dimension);

#endif
