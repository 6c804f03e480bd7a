/*
 * complete.h - values for the cells of a release that keeps some to itself.
 */
#ifndef TACIT_CELLS_ALTER_COMPLETE_H
#define TACIT_CELLS_ALTER_COMPLETE_H

#include "cells/cells/inside.h"
#include "solver/solver.h"

/* Values that are NAN become some that fit the relations and their bounds. Of these, cells that
 * no line gives are known where single relations say what they are; else they are suppressed
 * and unknown like those that were marked so before. TACIT_PARSE: published values do not add
 * up. TACIT_INVALID, naming a relation: nothing fits. TACIT_LIMIT: programs could not be solved.
 * backend NULL: CLP. */
tacit_status tacit__cells_complete(tacit_cells *cells, double tolerance,
                                   const tacit__solver_backend *backend, const tacit_run *run,
                                   tacit_error *err);

/* A release that contradicts itself, said at a relation. */
tacit_status tacit__contradiction(const tacit_cells *cells, int32_t relation, tacit_error *err);

/* What values are to be fitted to. */
typedef struct tacit__fit {
    const tacit_cell_uses *uses;
    const int32_t *gaps; /* a relation each: values that are NAN; none has one only */
    int decimals;        /* of published values */
    double tolerance;
    const tacit__solver_backend *backend;
} tacit__fit;

/* Values for all cells that are NAN, block by block. */
tacit_status tacit__fit_blocks(tacit_cells *cells, const tacit__fit *to, const tacit_run *run,
                               tacit_error *err);

#endif
