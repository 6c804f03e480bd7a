/*
 * round.h - what the methods that round share: values as multiples of a base (round.c), tables in
 * which every cell is a sum of ground cells (nest.c), and controlled rounding as a program
 * (program.c) and of tables that are too large for one (large.c).
 */
#ifndef TACIT_CELLS_ROUND_ROUND_H
#define TACIT_CELLS_ROUND_ROUND_H

#include "cells/alter/alter.h"

/* A base with a few decimals, as a fraction: 0.1 is 1 / 10. Its multiples are computed from that,
 * so that the third of them is 0.3, and not what three times the computer's 0.1 is. */
typedef struct tacit__base {
    double whole;
    double scale;
} tacit__base;

/* Every cell between two multiples. */
typedef struct tacit__multiples {
    const tacit_cells *cells;
    tacit__base base;
    double *low;  /* a cell each: the number of the multiple below it, or at it; a whole number */
    double *part; /* of a base that the value is above that: from 0 to less than 1 */
} tacit__multiples;

/* TACIT_INVALID where the base is none, or a value too large for it, which is named. */
tacit_status tacit__multiples_init(tacit__multiples *multiples, const tacit_cells *cells,
                                   double base, tacit_error *err);
void tacit__multiples_clear(tacit__multiples *multiples);

/* What is known of cells published at multiples, by their numbers: everything but what the method
 * knows of the distance (lower_bound, proven, stopped), and its reach. */
tacit_status tacit__multiples_finish(tacit_altered *out, const tacit__multiples *multiples,
                                     const double *number, const tacit_alter_options *options,
                                     tacit_error *err);

/* Ground cells are those that no relation is the sum of. Ground g is cell ground[g]; it is part of
 * cells above[starts[g]] to above[starts[g + 1] - 1], itself first. */
typedef struct tacit__nest {
    int32_t count;
    int32_t *ground;
    int64_t *starts; /* count + 1 */
    int32_t *above;
    int64_t *under_starts; /* a cell each, and one more: the ground cells that it is the sum of, */
    int32_t *under;        /* by their numbers g */
    int32_t *defining; /* a cell each: the shortest relation that it is the sum of, -1 for ground
                          cells; the other relations follow from these */
} tacit__nest;

/* *out NULL: the table is not like that, or has more than TACIT__MOST_NESTED such pairs, for which
 * the memory is 8 bytes each. */
enum { TACIT__MAX_NESTED = 1 << 28 };

tacit_status tacit__nest_new(tacit__nest **out, const tacit_cells *cells, const tacit_run *run,
                             tacit_error *err);
void tacit__nest_free(tacit__nest *nest);

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

/* Numbers of multiples that keep all relations: ground cells next to their values, the others next
 * to theirs as far as it went; task->steps is 1. stopped: the progress callback said so; the
 * numbers keep relations all the same. */
tacit_status tacit__round_flips(double *number, bool *stopped, const tacit__round_task *task,
                                const tacit__nest *nest, const tacit_run *run, tacit_error *err);

/* Numbers that keep all relations are made nearer, those of cells that are too far first of all;
 * task->steps is 1 and task->nest there. stopped: as in flips.h. */
tacit_status tacit__round_blocks(double *number, bool *stopped, const tacit__round_task *task,
                                 const tacit_run *run, tacit_error *err);

#endif
