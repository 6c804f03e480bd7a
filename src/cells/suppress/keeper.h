/*
 * keeper.h - a pattern that also hides from those who know more, and hides sums: what it fails is
 * found and made good, whatever method it comes from.
 *
 * Witnesses (witnesses.c) are tables that nobody can rule out, a few for every thing that they show
 * to be hidden. The demander (demander.c) finds which demands a pattern fails that are too many to
 * be written down: every primary cell against every contributor who knows what he gave, and sums of
 * primary cells.
 */
#ifndef TACIT_CELLS_SUPPRESS_KEEPER_H
#define TACIT_CELLS_SUPPRESS_KEEPER_H

#include "cells/suppress/flow.h"

enum { TACIT__WITNESS_TABLES = 8 };

/* Cells that move, ascending, and by how much; back: the share that they can the other way. */
typedef struct tacit__moving {
    int32_t *cells; /* NULL: none */
    double *by;
    int32_t count;
    double moved; /* what it is kept for */
    double back;
} tacit__moving;

typedef struct tacit__witnesses {
    int32_t count;         /* of things that tables are kept for */
    tacit__moving *tables; /* TACIT__WITNESS_TABLES each */
    int32_t *next;         /* of them to be replaced */
} tacit__witnesses;

tacit_status tacit__witnesses_init(tacit__witnesses *witnesses, int32_t count, tacit_error *err);
void tacit__witnesses_clear(tacit__witnesses *witnesses);

/* Keeps a table for a thing that moves by `moved` in it: cells of the patch deviate by values[i] *
 * unit, those below noise not at all; the table has the numbers that the patch's cells have. */
tacit_status tacit__witnesses_take(tacit__witnesses *witnesses, int32_t thing,
                                   const tacit__patch *patch, const double *values, double unit,
                                   double noise, double moved, tacit_error *err);

/* Whether its tables, but for those that move cell `but` (-1: none), show that a thing moves as
 * far as it must for somebody with these facts; by so much, as a share, it may miss that. */
bool tacit__witnesses_show(const tacit__witnesses *witnesses, int32_t thing,
                           const tacit__demand *asked, int32_t but, double slack);

/* Forgets tables that move a cell, or any that is not chosen. */
void tacit__witnesses_without(tacit__witnesses *witnesses, int32_t cell);
void tacit__witnesses_within(tacit__witnesses *witnesses, const bool *chosen);

/* ---- demands that fail ---- */

/* TACIT_INVALID where nothing is known of contributors. */
tacit_status tacit__insiders_check(const tacit_cells *cells, tacit_error *err);

typedef struct tacit__demander tacit__demander;

/* Of a whole table. *out is NULL where the options ask for nothing of the kind. */
tacit_status tacit__demander_new(tacit__demander **out, const tacit_cells *cells,
                                 const char *status, const tacit_suppress_options *options,
                                 tacit_error *err);
void tacit__demander_free(tacit__demander *demander);

/* Adds to the demands of the patch, which is the whole table, those that the cells in `chosen` do
 * not keep and that are not among them. Of cells that are exposed to everybody nothing is said. A
 * demand that is kept stays kept when more cells are chosen. Adds to the iterations. */
tacit_status tacit__demander_find(int32_t *added, int64_t *iterations, tacit__demander *demander,
                                  tacit__patch *patch, const bool *chosen, const tacit_run *run,
                                  tacit_error *err);

/* Adds cells to `chosen` until the last demands of the patch are kept, by flows of that patch;
 * TACIT_INFEASIBLE names the cell of one that nothing keeps. */
tacit_status tacit__demander_grow(bool *chosen, int64_t *iterations,
                                  const tacit__demander *demander, const tacit__patch *patch,
                                  tacit__flow *flow, int32_t last, const tacit_run *run,
                                  tacit_error *err);

/* ---- a pattern that keeps them ---- */

typedef struct tacit__keeper tacit__keeper;

/* Of a whole table and a patch of it, both borrowed. *out is NULL where the options ask for nothing
 * of the kind. */
tacit_status tacit__keeper_new(tacit__keeper **out, tacit__patch *patch, const tacit_cells *cells,
                               const char *status, const tacit_suppress_options *options,
                               tacit_error *err);
void tacit__keeper_free(tacit__keeper *keeper);

/* Adds cells to `chosen`, which hides primary cells from everybody, until no contributor finds out
 * another's and no sum is known too well; *changed: something had to be done. The patch has the
 * demands then that were found to fail. TACIT_INFEASIBLE names a cell for which nothing can be
 * done. */
tacit_status tacit__keeper_complete(bool *chosen, bool *changed, tacit__keeper *keeper,
                                    const tacit_run *run, tacit_error *err);

/* The same for letters, a table's own where it is published again. Nothing is done where the
 * options ask for nothing. */
tacit_status tacit__keeper_repair(bool *changed, tacit_pattern *pattern, const tacit_cells *cells,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err);

/* Letters of a pattern from what is chosen, and the other way round. */
void tacit__pattern_take(tacit_pattern *pattern, const char *status, const bool *chosen,
                         int32_t count);
void tacit__pattern_give(bool *chosen, const tacit_pattern *pattern, int32_t count);

#endif
