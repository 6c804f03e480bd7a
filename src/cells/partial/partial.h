/*
 * partial.h - intervals in place of blanks: what the files of the method share.
 *
 * A cell of the patch that may be hidden is a spot here; its interval reaches z.up above its
 * value and z.down below. Needs of a cell are one program each: by how much it must be able to go
 * up, and down. Where only both together matter (a spread) the master decides how much of it is
 * upwards. Everything is in units of the largest need.
 */
#ifndef TACIT_CELLS_PARTIAL_PARTIAL_H
#define TACIT_CELLS_PARTIAL_PARTIAL_H

#include "cells/exact/patch.h"
#include "solver/solver.h"

/* How far intervals reach, a spot each. */
typedef struct tacit__partial_reach {
    double *up;
    double *down;
} tacit__partial_reach;

/* One side of a cell that has to be hidden. */
typedef struct tacit__side {
    int32_t spot;
    int sign;      /* 1: upwards, -1: downwards */
    double amount; /* by which it must be able to move, as the master has it */
    int32_t
        split; /* the master's column for the upward part of a spread; -1: the amount is given */
    double spread; /* with it: what both sides make up */
    /* the last table that shows it */
    double shown; /* by how much the cell moves there; 0: none is known */
    int32_t count;
    int32_t *spots;
    double *moves;
    /* where its last program ended */
    int32_t columns;
    unsigned char *basis;
} tacit__side;

typedef struct tacit__partial {
    const tacit__patch *patch;
    double unit;                /* of all numbers here */
    int32_t spots;              /* cells that may be hidden */
    int32_t *cell_of;           /* a spot each: of the patch */
    int32_t *spot_of;           /* a cell each; -1: none */
    tacit__partial_reach room;  /* within the bounds, as far as that makes sense */
    tacit__partial_reach least; /* that a cell's own needs take */
    double *weight;             /* of a unit of width, as a share of the heaviest */
    double heaviest;
    int32_t side_count;
    tacit__side *sides;
    int32_t split_count;
} tacit__partial;

/* ---- what a side takes beyond the intervals ---- */

typedef struct tacit__pricer tacit__pricer;

tacit_status tacit__pricer_new(tacit__pricer **out, const tacit__partial *partial,
                               tacit_error *err);
void tacit__pricer_free(tacit__pricer *pricer);

/* What was found. The inequality, kept by all intervals that hide the side: sum of up[i] * z.up[i]
 * + down[i] * z.down[i] >= rhs + slope * (amount - that of now). */
typedef struct tacit__priced {
    bool solved;
    double lack;  /* of the amount, that no table within the bounds has */
    double extra; /* weight of what intervals lack for it; 0: the side is hidden */
    const double *up, *down;
    double rhs;
    double slope;
} tacit__priced;

/* The intervals that sides are asked about from now on; borrowed. */
tacit_status tacit__pricer_take(tacit__pricer *pricer, const tacit__partial_reach *reach,
                                tacit_error *err);

/* Keeps the table that was found with the side, unless something lacks. */
tacit_status tacit__pricer_ask(tacit__priced *out, int64_t *iterations, tacit__pricer *pricer,
                               tacit__side *side, const tacit_run *run, tacit_error *err);

/* ---- the intervals ---- */

typedef struct tacit__widths tacit__widths;

tacit_status tacit__widths_new(tacit__widths **out, const tacit__partial *partial,
                               tacit_error *err);
void tacit__widths_free(tacit__widths *widths);

/* Takes an inequality to be added with the next solve. */
tacit_status tacit__widths_cut(tacit__widths *widths, const tacit__side *side,
                               const tacit__priced *priced, tacit_error *err);

typedef struct tacit__widths_found {
    bool solved;
    bool infeasible;
    bool dropped; /* the inequalities that came last, which could not be solved with */
    double bound; /* no intervals weigh less */
} tacit__widths_found;

/* The lightest intervals that keep all inequalities so far; sets the amounts of sides that are
 * split. */
tacit_status tacit__widths_solve(tacit__widths_found *out, int64_t *iterations,
                                 tacit__widths *widths, tacit__partial_reach *reach,
                                 tacit__partial *partial, const tacit_run *run, tacit_error *err);

#endif
