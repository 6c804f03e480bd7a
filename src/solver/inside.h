/*
 * inside.h - a program as the solver room keeps it for itself, the backend that solves it, and one
 * solve of it, for the files of this room.
 *
 * The matrix is a list of entries in no order: all that is done with it is to run through it. A
 * backend is a table of functions over a model of its own, and only claims; linear.c checks every
 * claim. CLP is the real one; tests put others in its place that fail in every way a solver can.
 */
#ifndef TACIT_SRC_SOLVER_INSIDE_H
#define TACIT_SRC_SOLVER_INSIDE_H

#include "solver/solver.h"

typedef struct tacit__solver_entry {
    int32_t row;
    int32_t column;
    double value;
} tacit__solver_entry;

/* Zero-initialized is empty. */
typedef struct tacit__program {
    int32_t rows;
    int32_t columns;
    double *row_lower;
    double *row_upper;
    double *lower; /* of columns */
    double *upper;
    double *costs;
    bool *integers;
    int32_t integer_count;
    size_t row_capacity, column_capacity;
    tacit__solver_entry *entries;
    size_t entry_count, entry_capacity;
} tacit__program;

/* Cost of values, and the sum of its terms' sizes. */
double tacit__program_cost(const tacit__program *program, const double *values, double *size);

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

/* Space that checks need: a row each, and a column each. */
typedef struct tacit__scratch {
    double *row_sums;
    double *row_sizes;
    double *column_sums;
} tacit__scratch;

/* Whether values keep rows and bounds within the stated tolerance. */
bool tacit__check_feasible(const tacit__program *program, const double *values,
                           tacit__scratch *scratch);

struct tacit__solver {
    const tacit__solver_backend *backend;
    void *model;
    tacit__program program;
    bool changed;         /* bounds or costs that the model does not know yet */
    bool rows_changed;    /* since the last optimum: rows or bounds */
    bool columns_changed; /* columns or costs */
    double *values, *duals, *reduced, *ray;
    tacit__scratch scratch;
    size_t row_capacity, column_capacity; /* of these */
};

/* One call of tacit__solver_solve. */
typedef struct tacit__solver_call {
    tacit__solver *solver;
    const tacit__solver_options *options;
    const tacit_run *run;
    double end; /* by the clock; INFINITY: none */
    int64_t iterations;
    int64_t most;        /* iterations; INT64_MAX: no limit */
    tacit_status status; /* of the last pulse */
    tacit_error *err;
} tacit__solver_call;

/* Seconds by a clock that never goes back. */
double tacit__now(void);

/* Whether to go on. Otherwise call->status says why: TACIT_OK for the clock. */
bool tacit__pulse(tacit__solver_call *call);

/* Solves the program without regard to integers: fills in all of the answer but
 * its iterations, nodes, duals and reduced costs. */
void tacit__solve_linear(tacit__solver_answer *answer, tacit__solver_call *call);

/* From the answer without integers to that with them. */
tacit_status tacit__solve_integer(tacit__solver_answer *answer, tacit__solver_call *call);

#endif
