/*
 * chooser.h - the program that chooses the pattern: a column for every cell that may be
 * suppressed, and the inequalities found so far.
 */
#ifndef TACIT_CELLS_EXACT_CHOOSER_H
#define TACIT_CELLS_EXACT_CHOOSER_H

#include "cells/exact/patch.h"
#include "solver/solver.h"

typedef struct tacit__chooser {
    const tacit__patch *patch;
    tacit__solver *solver;
    int32_t columns;
    int32_t *column_of; /* a cell each; -1: it is suppressed, or never will be */
    int32_t *cell_of;   /* a column each */
    double *pattern;    /* a cell each: the last solution */
    double *reduced;    /* a column each */
    double step;        /* costs are multiples of it, but for the little that is added; or 0 */
    double cost;        /* of the last solution */
    double little;      /* added to the cost of every cell, so that fewer are better */
    double scale;       /* costs in the program are divided by it */
    bool trouble;       /* the last solve failed: nothing is known */
    int64_t cuts;
    /* Inequalities that wait to be added: lines of items and values. */
    int32_t waiting;
    int32_t waiting_items;
    size_t line_room, item_room, value_room;
    int32_t *starts;
    int32_t *items;
    double *values;
    /* Scratch, a column each. */
    int32_t *order;
    double *share;
} tacit__chooser;

tacit_status tacit__chooser_init(tacit__chooser *chooser, const tacit__patch *patch,
                                 tacit_error *err);
void tacit__chooser_clear(tacit__chooser *chooser);

/* Takes sum of coefs[i] * x[i] >= rhs over all cells, strengthened, to be added with the next
 * solve if the pattern breaks it by more than `broken`; and a cover inequality that follows
 * from it likewise. */
tacit_status tacit__chooser_cut(tacit__chooser *chooser, const double *coefs, double rhs,
                                double broken, tacit_error *err);

/* Inequalities of single relations that the pattern breaks: a suppressed cell is not the only one,
 * and no other would be (bridge-less). */
tacit_status tacit__chooser_cut_relations(tacit__chooser *chooser, tacit_error *err);

/* Adds what waits, solves, and takes the solution over. feasible false: there is none. */
tacit_status tacit__chooser_solve(bool *feasible, int64_t *iterations, tacit__chooser *chooser,
                                  const tacit_run *run, tacit_error *err);

/* What the program costs with a column at 0 or 1, or a bound on it where that takes too many
 * iterations; INFINITY: nothing is feasible. The solution stays that of the last solve. */
tacit_status tacit__chooser_try(double *cost, int64_t *iterations, tacit__chooser *chooser,
                                int32_t column, int value, const tacit_run *run, tacit_error *err);

/* Bounds of a column: 0 or 1 for good or for now. */
void tacit__chooser_fix(tacit__chooser *chooser, int32_t column, double lower, double upper);

#endif
