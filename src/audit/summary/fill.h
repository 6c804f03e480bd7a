/*
 * fill.h - the program of one block of combinations.
 */
#ifndef TACIT_AUDIT_SUMMARY_FILL_H
#define TACIT_AUDIT_SUMMARY_FILL_H

#include "audit/summary/summary.h"
#include "solver/solver.h"

typedef struct tacit__block_program {
    tacit__combos *combos;
    tacit__joint *joint;
    const int32_t *items; /* variables of the block */
    int32_t count;
    tacit__solver *solver;
    int32_t rows;
    int32_t *table_of; /* a row of the program each; -1: a class */
    double *sums;      /* of these rows */
    double *upper;     /* a column each */
    double *last;      /* the last solution in whole numbers, from which searches start */
    bool has_last;
    bool whole;  /* solutions are whole numbers */
    bool linear; /* without asking for them */
    bool exact;
    int64_t asked; /* programs */
    int64_t nodes; /* left for searches */
} tacit__block_program;

/* combos, joint, items and count are given. Cleared in any case. */
tacit_status tacit__block_program_init(tacit__block_program *p, tacit_error *err);
void tacit__block_program_clear(tacit__block_program *p);

#endif
