/*
 * inside.h - a program and one solve of it, for the files of this room.
 */
#ifndef TACIT_SRC_SOLVER_INSIDE_H
#define TACIT_SRC_SOLVER_INSIDE_H

#include "solver/backend.h"
#include "solver/check.h"

struct tacit__solver {
    const tacit__solver_backend *backend;
    void *model;
    tacit__program program;
    bool changed;         /* bounds or costs that the model does not know yet */
    bool rows_changed;    /* since the last optimum: rows or bounds */
    bool columns_changed; /* columns or costs */
    double *values, *duals, *reduced, *ray;
    tacit__scratch scratch;
    size_t row_room, column_room; /* of these */
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
