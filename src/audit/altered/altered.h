/*
 * altered.h - the judge of altered tables as its files share it. altered.c says whether
 * published values are what is said of them and what the true ones can be, nearby.c what few cells
 * show of it, and beyond.c what follows from every primary cell being on one of two sides.
 */
#ifndef TACIT_AUDIT_ALTERED_ALTERED_H
#define TACIT_AUDIT_ALTERED_ALTERED_H

#include <tacit/experimental/audit_altered.h>

#include "audit/tables/tables.h"

/* What is asked, and what the adversary knows of every cell. Arrays are by cell. */
typedef struct tacit__changes {
    const tacit_cells *cells;
    const double *published;
    const tacit_altered_known *known;
    double reach;       /* the known one, to the next difference that is possible */
    bool whole;         /* values and published ones are whole numbers */
    bool exact;         /* ends are wanted as far as they go */
    double *low, *high; /* what a true value can be at least and at most by bounds and reach */
    double *side[2];    /* beyond, primary cells: no higher than the first, or no lower than the
                           second; elsewhere infinite: no gap */
    bool *asked;        /* whose ends are wanted */
    const bool *alone;  /* those of them that have programs of their own; NULL: all */
    double *shown[2];   /* the lowest and highest deviation that some table has */
    bool *crossed;      /* beyond: some table has it on the side that it is not on */
    bool *unknown;      /* a program that was needed could not be solved */
    int64_t programs;
    const tacit__tables_adversary *adversary;
} tacit__changes;

tacit_status tacit__changes_capacity(tacit__changes *changes, tacit_error *err);
void tacit__changes_clear(tacit__changes *changes);

/* Whether there is a gap between the sides of the cell. */
static inline bool tacit__has_sides(const tacit__changes *changes, int32_t cell)
{
    return changes->side[0][cell] < changes->side[1][cell];
}

/* Widens shown of the cells that are asked for, and fills in unknown and crossed, by programs over
 * all cells. */
tacit_status tacit__changes_look(tacit__changes *changes, tacit_error *err);

/* The same by programs over few cells about each that is asked for, the rest as they are; then
 * asked is left of those that need more. parts: of a relation, and no totals then; INT32_MAX: all
 * of it. */
tacit_status tacit__look_nearby(tacit__changes *changes, int32_t most, int32_t parts,
                                tacit_error *err);

/* Looks for tables with primary cells on the side that they are not on, and for the levels that
 * nothing has shown yet: widens shown and fills in crossed. status: a letter a cell, all
 * suppressed. */
tacit_status tacit__look_beyond(tacit__changes *changes, const char *status, tacit_error *err);

#endif
