/*
 * repair.h - what a method left exposed over the whole table, protected.
 */
#ifndef TACIT_CELLS_SUPPRESS_REPAIR_H
#define TACIT_CELLS_SUPPRESS_REPAIR_H

#include "cells/suppress/methods.h"

typedef struct tacit__repair tacit__repair;

/* For several rounds. status: the letters, which are changed. Borrows all three. */
tacit_status tacit__repair_new(tacit__repair **out, const tacit_cells *cells, char *status,
                               const tacit_run *run, tacit_error *err);
void tacit__repair_free(tacit__repair *repair);

/* One round: publishes exposed secondary cells again and protects the others. TACIT_INFEASIBLE
 * names a cell for which nothing can be done. */
tacit_status tacit__repair_round(tacit__repair *repair, const int32_t *exposed, int32_t count,
                                 tacit_error *err);

/* The error of that. */
tacit_status tacit__repair_hopeless(const tacit_cells *cells, int32_t cell, tacit_error *err);

#endif
