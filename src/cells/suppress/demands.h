/*
 * demands.h - what is to be hidden beyond single cells from everybody: a cell from somebody who
 * knows more, or a sum of cells.
 *
 * A demand is a sum of weights times deviations that must be able to move, for an adversary with
 * facts: cells that he knows to be closer to their values than everybody does. Numbers of cells
 * are those of the patch that has the demands.
 */
#ifndef TACIT_CELLS_SUPPRESS_DEMANDS_H
#define TACIT_CELLS_SUPPRESS_DEMANDS_H

#include "cells/suppress/methods.h"

/* A cell is above its value by no more than up, below by no more than down. */
typedef struct tacit__fact {
    int32_t cell;
    double up;
    double down;
} tacit__fact;

typedef struct tacit__demand_term {
    int32_t cell;
    double weight;
} tacit__demand_term;

typedef struct tacit__demand {
    tacit__need need;
    tacit__demand_term *terms;
    int32_t term_count;
    tacit__fact *facts;
    int32_t fact_count;
} tacit__demand;

/* Whose terms and facts live as long as the list. */
typedef struct tacit__demands {
    int32_t count;
    tacit__demand *list;
    size_t room;
} tacit__demands;

/* Adds a copy. */
tacit_status tacit__demands_add(tacit__demands *demands, const tacit__demand *demand,
                                tacit_error *err);

/* Adds a copy with the numbers that cells have elsewhere, an old number each; what has none (-1) is
 * left out, and so is a demand without terms. */
tacit_status tacit__demands_add_numbered(tacit__demands *demands, const tacit__demand *demand,
                                         const int32_t *number, tacit_error *err);

/* Frees all, or takes all out of it. */
void tacit__demands_clear(tacit__demands *demands);
void tacit__demands_empty(tacit__demands *demands);

/* How far a demand moves in a table, upwards and downwards, where cells deviate by values[i] *
 * unit, by noise where no further than that. The table is made smaller as far as the facts have it;
 * back is the share of it that is possible the other way round. pattern: the share of its room that
 * a cell has; NULL: all of it. */
typedef struct tacit__moved {
    double high;
    double low;
} tacit__moved;

tacit__moved tacit__demand_moved(const tacit__demand *demand, const double *values, double unit,
                                 double noise, double back, const double *pattern);

#endif
