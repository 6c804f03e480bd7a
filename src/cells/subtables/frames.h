/*
 * frames.h - which directions of a table without dimensions span subtables together.
 */
#ifndef TACIT_CELLS_SUBTABLES_FRAMES_H
#define TACIT_CELLS_SUBTABLES_FRAMES_H

#include "cells/subtables/directions.h"

/* Directions that all cross each other, ascending, as many as meet in a cell. */
typedef struct tacit__frame {
    int32_t axes;
    int32_t directions[TACIT_MAX_DIMENSIONS];
} tacit__frame;

typedef struct tacit__frames {
    int32_t count;
    tacit__frame *list;
    int64_t *starts; /* count + 1 */
    int32_t *cells;  /* of frame f: from starts[f] to starts[f + 1], ascending */
} tacit__frames;

tacit_status tacit__frames_init(tacit__frames *frames, const tacit_cells *cells,
                                const tacit__terms *terms, const tacit__directions *directions,
                                tacit_error *err);
void tacit__frames_clear(tacit__frames *frames);

#endif
