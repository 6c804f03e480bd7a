/*
 * check.h - what a solver's claims are worth, by arithmetic on the program alone.
 */
#ifndef TACIT_SRC_SOLVER_CHECK_H
#define TACIT_SRC_SOLVER_CHECK_H

#include "solver/program.h"

/* Space that checks need: a row each, and a column each. */
typedef struct tacit__scratch {
    double *row_sums;
    double *row_sizes;
    double *column_sums;
} tacit__scratch;

/* Whether values keep rows and bounds within the stated tolerance. */
bool tacit__check_feasible(const tacit__program *program, const double *values,
                           tacit__scratch *scratch);

/* Whether integer columns hold integers within tolerance. */
bool tacit__check_integer(const tacit__program *program, const double *values);

/* Sets weights to 0 that are no numbers, or point at a bound which is not there. */
void tacit__clean_weights(const tacit__program *program, double *weights);

/* What weak duality proves with cleaned duals: no solution costs less. reduced
 * gets the reduced costs. Where a column without a bound would make it minus
 * infinity for a reduced cost within tolerance of 0, it counts with its value. */
double tacit__check_bound(const tacit__program *program, const double *duals, const double *values,
                          double *reduced);

/* Whether weights of rows, which are cleaned, prove that nothing is feasible. */
bool tacit__check_infeasible(const tacit__program *program, double *ray, tacit__scratch *scratch);

/* Whether from any feasible point one can go in this direction for ever, and
 * costs fall. */
bool tacit__check_unbounded(const tacit__program *program, const double *ray,
                            tacit__scratch *scratch);

#endif
