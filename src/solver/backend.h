/*
 * backend.h - what stands behind solver.h: a table of functions over a model of
 * the backend's own. CLP is the real one; tests put others in its place that
 * fail in every way a solver can.
 *
 * A backend only claims; solver.c checks every claim.
 */
#ifndef TACIT_SRC_SOLVER_BACKEND_H
#define TACIT_SRC_SOLVER_BACKEND_H

#include "solver/program.h"

typedef enum tacit__claim {
    TACIT__CLAIM_OPTIMAL = 0,
    TACIT__CLAIM_INFEASIBLE,
    TACIT__CLAIM_UNBOUNDED,
    TACIT__CLAIM_STOPPED, /* by a limit */
    TACIT__CLAIM_FAILED
} tacit__claim;

/* How the simplex method goes on. */
typedef enum tacit__start {
    TACIT__START_DUAL = 0, /* from where it stands, after rows or bounds have changed */
    TACIT__START_PRIMAL,   /* the same after columns or costs have changed */
    TACIT__START_SCRATCH   /* from nothing, by the slower and safer way */
} tacit__start;

struct tacit__solver_backend {
    const char *name;
    void *(*open)(void); /* NULL: out of memory */
    void (*close)(void *model);

    /* Whether memory ran out in it: from then on it does nothing and claims nothing. NULL: never.
     */
    bool (*lost)(void *model);

    void (*add_rows)(void *model, const tacit__solver_lines *rows);
    void (*add_columns)(void *model, const tacit__solver_lines *columns);
    void (*remove_rows)(void *model, int32_t count, const int32_t *rows);
    void (*remove_columns)(void *model, int32_t count, const int32_t *columns);

    /* Takes over bounds and costs. */
    void (*update)(void *model, const tacit__program *program);

    /* At most so many iterations; adds those made to *made. */
    tacit__claim (*simplex)(void *model, tacit__start start, int32_t iterations, int64_t *made);

    /* Of the last simplex. Both have an entry for each column or row. */
    void (*point)(double *values, double *duals, void *model);

    /* The proof of the last claim: a weight for each row where it was infeasible,
     * a step for each column where it was unbounded. False: there is none. */
    bool (*ray)(double *ray, void *model, tacit__claim claim);

    void (*save)(unsigned char *basis, void *model);
    void (*restore)(void *model, const unsigned char *basis);
};

extern const tacit__solver_backend tacit__clp;

#endif
