/*
 * solver.h - linear and integer programs. CLP is behind this header; nothing else
 * in the project sees it.
 *
 *     minimize cost x,  row lower <= A x <= row upper,  column lower <= x <= column upper,
 *
 * some columns integer where asked for. A program is built, solved, changed in
 * place and solved again from where the last solution ended (a warm start).
 *
 * Nothing here takes a solver's word. Answers are checked against a copy of the
 * program that the solver never sees: one is optimal only if its values keep every
 * row and bound, and its duals prove by weak duality that no others cost less;
 * infeasible only with a combination of rows that proves it; unbounded only with a
 * direction. What fails its check, from scratch as well, is trouble. The search
 * for integers is this room's own (branch.c) and rests on the same proofs.
 *
 * Same program, same steps, same answer: one thread a program, fixed seeds, and no
 * decision by the clock unless a limit in seconds ends the work. Different
 * programs may be used from different threads at once. Nothing is ever printed.
 *
 * Memory: this room's own comes through base/alloc.h. Before CLP starts, room for
 * what it is likely to need is asked for and given back; where it runs out inside
 * CLP, what that throws is caught (clp.cpp). Both end as TACIT_NOMEM.
 */
#ifndef TACIT_SRC_SOLVER_SOLVER_H
#define TACIT_SRC_SOLVER_SOLVER_H

#include <tacit/base.h>

/* Rows and columns are kept where they are off by no more than this and
 * TACIT__SOLVER_RELATIVE times the sum of the terms' sizes. */
#define TACIT__SOLVER_FEASIBLE 1e-6
#define TACIT__SOLVER_RELATIVE 1e-9

/* Bounds and costs beyond this are scaled before a solver sees them. */
#define TACIT__SOLVER_LARGE 1e12

/* Values of integer columns are rounded where they are off by no more. */
#define TACIT__SOLVER_INTEGER 1e-6

/* Costs are equal that differ by no more than this, relative to the sum of the
 * sizes of their terms where that is above 1. */
#define TACIT__SOLVER_COST 1e-6

typedef struct tacit__solver tacit__solver;
typedef struct tacit__solver_backend tacit__solver_backend; /* see inside.h */

/* A program without rows and columns. backend NULL: CLP. */
tacit_status tacit__solver_new(tacit__solver **out, const tacit__solver_backend *backend,
                               tacit_error *err);
void tacit__solver_free(tacit__solver *solver);

/* Several rows or columns at once. Bounds may be infinite (INFINITY). The entries
 * of line i are items[starts[i]] to items[starts[i + 1] - 1], which name columns
 * (for rows) or rows (for columns) that are there already, none twice in a line.
 * starts NULL: no entries. */
typedef struct tacit__solver_lines {
    int32_t count;
    const double *lower;
    const double *upper;
    const double *costs;  /* of columns; NULL: 0 */
    const bool *integers; /* columns that are to be integer; NULL: none */
    const int32_t *starts;
    const int32_t *items;
    const double *values;
} tacit__solver_lines;

tacit_status tacit__solver_add_rows(tacit__solver *solver, const tacit__solver_lines *rows,
                                    tacit_error *err);
tacit_status tacit__solver_add_columns(tacit__solver *solver, const tacit__solver_lines *columns,
                                       tacit_error *err);

/* Rows or columns in the making, one after the other. Where memory runs out nothing more is taken,
 * and adding them says so. Zero-initialized is empty. */
typedef struct tacit__line_list {
    int32_t count;      /* of lines that have ended */
    int32_t item_count; /* of these and of the next one */
    double *lower, *upper, *costs;
    bool *integers;
    int32_t *starts; /* count + 1 */
    int32_t *items;
    double *values;
    size_t line_capacity, item_capacity;
    bool failed;
} tacit__line_list;

/* An entry of the next line, and its end. */
void tacit__lines_put(tacit__line_list *lines, int32_t item, double value);
void tacit__lines_end_row(tacit__line_list *lines, double lower, double upper);
void tacit__lines_end_column(tacit__line_list *lines, double lower, double upper, double cost,
                             bool integer);
void tacit__lines_clear(tacit__line_list *lines);

/* Adds them and empties the list. */
tacit_status tacit__solver_take_rows(tacit__solver *solver, tacit__line_list *rows,
                                     tacit_error *err);
tacit_status tacit__solver_take_columns(tacit__solver *solver, tacit__line_list *columns,
                                        tacit_error *err);

/* Removes lines, given in ascending order; those behind them move up. */
tacit_status tacit__solver_remove_rows(tacit__solver *solver, int32_t count, const int32_t *rows,
                                       tacit_error *err);
tacit_status tacit__solver_remove_columns(tacit__solver *solver, int32_t count,
                                          const int32_t *columns, tacit_error *err);

int32_t tacit__solver_rows(const tacit__solver *solver);
int32_t tacit__solver_columns(const tacit__solver *solver);

/* Changes in place; the next solve starts from the last solution. */
void tacit__solver_set_row(tacit__solver *solver, int32_t row, double lower, double upper);
void tacit__solver_set_column(tacit__solver *solver, int32_t column, double lower, double upper);
void tacit__solver_set_cost(tacit__solver *solver, int32_t column, double cost);

/* Where the simplex method stands: a byte a column, then a byte a row, for coming back to
 * it after other changes. The number of rows and columns must be the same; columns that were
 * added since may be put at their lower bounds. */
enum { TACIT__SOLVER_AT_LOWER = 3 };
void tacit__solver_save(const tacit__solver *solver, unsigned char *basis);
void tacit__solver_restore(tacit__solver *solver, const unsigned char *basis);

typedef enum tacit__solver_result {
    TACIT__SOLVER_OPTIMAL = 0,
    TACIT__SOLVER_INFEASIBLE,
    TACIT__SOLVER_UNBOUNDED, /* or, with integer columns, its relaxation is */
    TACIT__SOLVER_LIMIT,     /* of seconds, iterations or nodes */
    TACIT__SOLVER_TROUBLE    /* numerical: nothing is known but what the answer holds */
} tacit__solver_result;

/* Zero-initialized: no limits, no progress. */
typedef struct tacit__solver_options {
    double seconds;      /* of this call; 0: no limit */
    int64_t iterations;  /* of the simplex method; 0: no limit */
    int64_t nodes;       /* of the search for integers; 0: no limit */
    double gap;          /* as a share of the cost, between it and the bound: that will do */
    bool relaxed;        /* columns need not be integer */
    const double *start; /* a solution to begin the search for integers with, or NULL */
    const char *phase;   /* for the run's progress, which may cancel; NULL: is not asked */
} tacit__solver_options;

/* What was found, borrowed until the program is changed or solved again. */
typedef struct tacit__solver_answer {
    tacit__solver_result result;
    double cost;           /* of the values; NAN where there are none */
    double bound;          /* no solution costs less; -INFINITY where nothing is known */
    const double *values;  /* a column each: feasible and, if asked for, integer; or NULL */
    const double *duals;   /* a row each, of the last linear program; never NULL */
    const double *reduced; /* a column each: cost - duals x column */
    int64_t iterations;
    int64_t nodes;
} tacit__solver_answer;

/* Solves. TACIT_CANCELLED when the run's progress says so. */
tacit_status tacit__solver_solve(tacit__solver_answer *out, tacit__solver *solver,
                                 const tacit__solver_options *options, const tacit_run *run,
                                 tacit_error *err);

#endif
