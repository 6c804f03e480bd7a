/*
 * demander.h - which demands a pattern fails that are too many to be written down: every primary
 * cell against every contributor who knows what he gave, and sums of primary cells.
 */
#ifndef TACIT_CELLS_SUPPRESS_DEMANDER_H
#define TACIT_CELLS_SUPPRESS_DEMANDER_H

#include "cells/suppress/flow.h"

typedef struct tacit__demander tacit__demander;

/* Of a whole table. *out is NULL where the options ask for nothing of the kind. */
tacit_status tacit__demander_new(tacit__demander **out, const tacit_cells *cells,
                                 const char *status, const tacit_suppress_options *options,
                                 tacit_error *err);
void tacit__demander_free(tacit__demander *demander);

/* Adds to the demands of the patch, which is the whole table, those that the cells in `chosen` do
 * not keep and that are not among them. Of cells that are exposed to everybody nothing is said. A
 * demand that is kept stays kept when more cells are chosen. Adds to the iterations. */
tacit_status tacit__demander_find(int32_t *added, int64_t *iterations, tacit__demander *demander,
                                  tacit__patch *patch, const bool *chosen, const tacit_run *run,
                                  tacit_error *err);

/* Adds cells to `chosen` until the last demands of the patch are kept, by flows of that patch;
 * TACIT_INFEASIBLE names the cell of one that nothing keeps. */
tacit_status tacit__demander_grow(bool *chosen, int64_t *iterations,
                                  const tacit__demander *demander, const tacit__patch *patch,
                                  tacit__flow *flow, int32_t last, const tacit_run *run,
                                  tacit_error *err);

#endif
