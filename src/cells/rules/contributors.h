/*
 * contributors.h - who contributes to which cell, and how much.
 */
#ifndef TACIT_CELLS_RULES_CONTRIBUTORS_H
#define TACIT_CELLS_RULES_CONTRIBUTORS_H

#include "cells/cells/inside.h"

/* A record as contribution: its cell on the ground, and what it brings. */
typedef struct tacit__contribution {
    int32_t cell;
    double amount; /* of the variable that rules look at */
    double weight; /* units that the record stands for; 1 where there are no weights */
    bool asked;    /* for protection */
} tacit__contribution;

/* Counts the contributors of every cell, subtotals included, keeps the largest, and sums
 * sizes. Cells have freq, top with owners, asked and gross already, all zero. */
typedef struct tacit__contributors tacit__contributors;

tacit_status tacit__contributors_new(tacit__contributors **out, tacit_cells *cells, bool weighted,
                                     tacit_error *err);
void tacit__contributors_free(tacit__contributors *contributors);

/* A part of what an owner contributes; all of his come before the next owner's. Of an owner
 * with several parts all weights are 1. */
void tacit__contributors_add(tacit__contributors *contributors,
                             const tacit__contribution *contribution);
/* The owner's parts are all there. */
void tacit__contributors_close(tacit__contributors *contributors, int32_t owner);

/* The largest are found; turns them into contributions of single units. */
void tacit__contributors_finish(tacit__contributors *contributors);

/* Merges the largest contributors of cells with different owners: the largest of all, in
 * `top` of `cell`. */
void tacit__top_merge(tacit_cells *cells, int32_t cell, const int32_t *parts, int32_t count);

#endif
