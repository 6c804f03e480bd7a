/*
 * program.h - controlled rounding of a table, or of a piece of one, as an integer program.
 */
#ifndef TACIT_CELLS_ROUND_PROGRAM_H
#define TACIT_CELLS_ROUND_PROGRAM_H

#include "cells/round/multiples.h"
#include "cells/round/nest.h"

/* Some cells of a table, the others staying where they are. */
typedef struct tacit__round_piece {
    int32_t count;
    const int32_t *cells;
    const int32_t *place; /* a cell of the table each: its place in cells; -1: it stays */
    int32_t relation_count;
    const int32_t *relations; /* that say what the cells must keep */
} tacit__round_piece;

/* What is asked: every cell less than `steps` bases from its value, those at 0 there, all relations
 * kept, at the least sum of weight times distance. Primary cells below one base that must not be
 * told from 0 are published as 0. */
typedef struct tacit__round_task {
    const tacit__multiples *multiples;
    const double *weight;    /* a cell each: of a change by one base */
    const tacit__nest *nest; /* of the table; NULL: it has none */
    int32_t steps;           /* 1 or more; 1: multiples stay */
    bool fall;               /* primary cells that must not be told from 0 are published as 0 */
    double penalty; /* above 0: a cell may be as much further as it is at the start, at this
                       cost a base besides */
} tacit__round_task;

typedef enum tacit__round_result {
    TACIT__ROUND_PROVEN = 0, /* the numbers are the nearest */
    TACIT__ROUND_FOUND,      /* they keep what is asked; the bound says how near others could be */
    TACIT__ROUND_NONE,       /* there are none, which is proven */
    TACIT__ROUND_UNKNOWN     /* none were found */
} tacit__round_result;

/* number: a cell each, of multiples; where `started` it holds some that keep what is asked, and
 * what comes out is no further. bound: on the distance; as it was where nothing is known. work:
 * simplex iterations times columns that may be spent; what was spent is taken off. piece NULL: the
 * whole table. */
tacit_status tacit__round_program(tacit__round_result *out, double *number, double *bound,
                                  int64_t *work, const tacit__round_task *task,
                                  const tacit__round_piece *piece, bool started,
                                  const tacit_run *run, tacit_error *err);

/* What the cells of all tasks have in common: the largest weight, 1 where all are 0. */
double tacit__round_largest_weight(const tacit__round_task *task);

/* The numbers that a cell may have. */
double tacit__round_least(const tacit__round_task *task, int32_t cell);
double tacit__round_most(const tacit__round_task *task, int32_t cell);

/* How many bases a number is beyond them. */
double tacit__round_beyond(const tacit__round_task *task, int32_t cell, double number);

#endif
