/*
 * program.h - a linear program as the solver room keeps it for itself, to check
 * answers against.
 *
 * The matrix is a list of entries in no order: all that is done with it is to run
 * through it.
 */
#ifndef TACIT_SRC_SOLVER_PROGRAM_H
#define TACIT_SRC_SOLVER_PROGRAM_H

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
    size_t row_room, column_room;
    tacit__solver_entry *entries;
    size_t entry_count, entry_room;
} tacit__program;

/* Adding fails with everything as it was: for a number that is none, for sizes
 * that CLP cannot count, and where memory runs out. */
tacit_status tacit__program_add_rows(tacit__program *program, const tacit__solver_lines *rows,
                                     tacit_error *err);
tacit_status tacit__program_add_columns(tacit__program *program, const tacit__solver_lines *columns,
                                        tacit_error *err);
tacit_status tacit__program_remove_rows(tacit__program *program, int32_t count, const int32_t *rows,
                                        tacit_error *err);
tacit_status tacit__program_remove_columns(tacit__program *program, int32_t count,
                                           const int32_t *columns, tacit_error *err);
void tacit__program_clear(tacit__program *program);

/* Cost of values, and the sum of its terms' sizes. */
double tacit__program_cost(const tacit__program *program, const double *values, double *size);

/* The matrix column by column: entries of column j are at starts[j] to
 * starts[j + 1] - 1 of rows and values. starts has columns + 1 entries, the
 * others entry_count. */
void tacit__program_by_column(const tacit__program *program, int32_t *starts, int32_t *rows,
                              double *values);

#endif
