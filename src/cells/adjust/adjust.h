/*
 * adjust.h - the linear program of controlled adjustment (program.c), as the search for the
 * direction of every primary cell (adjust.c) uses it.
 */
#ifndef TACIT_CELLS_ADJUST_ADJUST_H
#define TACIT_CELLS_ADJUST_ADJUST_H

#include "cells/alter/alter.h"
#include "solver/solver.h"

/* A primary cell and how far it must go, in units. */
typedef struct tacit__mover {
    int32_t cell;
    double up, down;           /* at least, either */
    double most_up, most_down; /* below `up`, or `down`: that way is closed */
} tacit__mover;

/* Ways: what is decided of a primary cell. */
enum { TACIT__DOWN = -1, TACIT__OPEN = 0, TACIT__UP = 1 };

/* The program over changes. Changes are counted in units, of which all values are multiples. */
typedef struct tacit__adjust {
    const tacit_cells *cells;
    const tacit_run *run;
    double unit;
    bool whole;   /* changes are whole numbers of units; else unit is 1 */
    bool squares; /* weights are of squares */
    double *weight;
    double *room_up, *room_down; /* how far a cell can go; 0 both ways: it stays */
    int32_t *column;             /* of its first column; -1: it stays */
    int32_t count;
    tacit__mover *movers;
    int32_t *mover_of; /* by cell; -1: none */
    tacit__solver *solver;
    int32_t columns, rows;
    double constant;      /* what the program leaves out of the distance */
    int8_t *ways;         /* as the program has them */
    unsigned char *basis; /* where the program with all ways open ended; NULL: was not solved */
    int32_t basis_rows;
    /* the last solution */
    bool found, proven; /* there is one; or it is proven that there is none */
    double bound;       /* no table with these ways is nearer */
    double distance;    /* of its changes */
    bool fits;          /* changes are whole where they must be and open cells are on a side */
    double *change;     /* by cell */
    double *slope;      /* by mover: what another unit upwards would add, by the duals */
    int64_t work;       /* iterations times columns */
} tacit__adjust;

/* To a whole number of units, beside the size of the change. */
#define TACIT__UNIT_CLOSE 1e-6

/* Columns of a cell by their place behind its first; primary ones have a turn. */
enum { TACIT__PLUS, TACIT__MINUS, TACIT__TURN };

/* The column of a cell's square, behind those. */
static inline int32_t tacit__square_of(const tacit__adjust *a, int32_t cell)
{
    return a->column[cell] + (a->mover_of[cell] >= 0 ? TACIT__TURN + 1 : TACIT__TURN);
}

/* How the line through the costs of -down and up rises. */
static inline double tacit__rise_of(const tacit__adjust *a, const tacit__mover *m)
{
    double high = a->squares ? m->up * m->up : m->up;
    double low = a->squares ? m->down * m->down : m->down;
    return a->weight[m->cell] * (high - low) / (m->up + m->down);
}

tacit_status tacit__adjust_init(tacit__adjust *adjust, const tacit_cells *cells,
                                const tacit_alter_options *options, const tacit_run *run,
                                tacit_error *err);
void tacit__adjust_clear(tacit__adjust *adjust);

bool tacit__can_go(const tacit__mover *mover, int way);

/* The way of a cell that has no other; TACIT__OPEN: it has both. */
int tacit__only_way(const tacit__mover *mover);

/* Solves with these ways, a mover each, and fills in the last solution. */
tacit_status tacit__adjust_solve(tacit__adjust *adjust, const int8_t *ways, tacit_error *err);

/* The same in whole numbers, where the last solution, with every way decided, is not. */
tacit_status tacit__adjust_whole(tacit__adjust *adjust, tacit_error *err);

/* The last program, which must have had all ways open, with every primary cell pulled to the side
 * given, by so many times the largest weight: how far through its gap each is, 0 at the lower end
 * and 1 at the upper. Nothing is filled in unless found. */
tacit_status tacit__adjust_pull(double *parts, tacit__adjust *adjust, const int8_t *ways,
                                const double *force, tacit_error *err);

#endif
