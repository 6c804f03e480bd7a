/*
 * knowers.h - contributors who know what they gave: of which cells, and how well.
 */
#ifndef TACIT_CELLS_SUPPRESS_KNOWERS_H
#define TACIT_CELLS_SUPPRESS_KNOWERS_H

#include "cells/suppress/demands.h"

/* The facts of knower k are facts[starts[k]] to facts[starts[k + 1] - 1], by cell. */
typedef struct tacit__knowers {
    int32_t count;
    int32_t *starts;
    tacit__fact *facts;
} tacit__knowers;

/* TACIT_INVALID where nothing is known of contributors. */
tacit_status tacit__knowers_check(const tacit_cells *cells, tacit_error *err);

/* Those who know more than everybody of a cell that may be suppressed. The number of contributors
 * must be known. */
tacit_status tacit__knowers_init(tacit__knowers *knowers, const tacit_cells *cells,
                                 const char *status, tacit_error *err);
void tacit__knowers_clear(tacit__knowers *knowers);

/* What somebody with these facts has to do with a cell. */
typedef enum tacit__part_in {
    TACIT__NO_PART = 0,
    TACIT__ONE_OF_TWO, /* he is one of its contributors */
    TACIT__ALONE       /* he is the only one, and knows it */
} tacit__part_in;

tacit__part_in tacit__knower_part(const tacit__fact *facts, int32_t count, int32_t cell);

#endif
