/*
 * sums.h - how well the sum of a relation's primary cells must be hidden.
 */
#ifndef TACIT_CELLS_SUPPRESS_SUMS_H
#define TACIT_CELLS_SUPPRESS_SUMS_H

#include "cells/suppress/demands.h"

/* Adds a demand for every side of a relation whose primary cells ask for more than they give. */
tacit_status tacit__sums_add(tacit__demands *demands, const tacit_cells *cells, const char *status,
                             tacit_error *err);

#endif
