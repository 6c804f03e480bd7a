/*
 * shelf.h - tables that nobody can rule out, a few for every thing that they show to be hidden.
 */
#ifndef TACIT_CELLS_EXACT_SHELF_H
#define TACIT_CELLS_EXACT_SHELF_H

#include "cells/exact/patch.h"

enum { TACIT__SHELF_TABLES = 8 };

/* Cells that move, ascending, and by how much; back: the share that they can the other way. */
typedef struct tacit__moving {
    int32_t *cells; /* NULL: none */
    double *by;
    int32_t count;
    double moved; /* what it is kept for */
    double back;
} tacit__moving;

typedef struct tacit__shelf {
    int32_t count;         /* of things that tables are kept for */
    tacit__moving *tables; /* TACIT__SHELF_TABLES each */
    int32_t *next;         /* of them to be replaced */
} tacit__shelf;

tacit_status tacit__shelf_init(tacit__shelf *shelf, int32_t count, tacit_error *err);
void tacit__shelf_clear(tacit__shelf *shelf);

/* Keeps a table for a thing that moves by `moved` in it: cells of the patch deviate by values[i] *
 * unit, those below noise not at all; the table has the numbers that the patch's cells have. */
tacit_status tacit__shelf_take(tacit__shelf *shelf, int32_t thing, const tacit__patch *patch,
                               const double *values, double unit, double noise, double moved,
                               tacit_error *err);

/* Whether its tables, but for those that move cell `but` (-1: none), show that a thing moves as
 * far as it must for somebody with these facts; by so much, as a share, it may miss that. */
bool tacit__shelf_shows(const tacit__shelf *shelf, int32_t thing, const tacit__demand *asked,
                        int32_t but, double slack);

/* Forgets tables that move a cell, or any that is not chosen. */
void tacit__shelf_without(tacit__shelf *shelf, int32_t cell);
void tacit__shelf_within(tacit__shelf *shelf, const bool *chosen);

#endif
