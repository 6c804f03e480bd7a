/*
 * solver.c - programs built, changed and given to be solved; see solver.h.
 *
 * Every change is made twice: in the backend's model, which keeps what a warm
 * start needs, and in the room's own copy, which answers are checked against.
 * Bounds and costs reach the model together, with the next solve.
 */
#include "solver/solver.h"

#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "solver/inside.h"

/* What a solver is likely to take. */
enum { LEAST_BYTES = 1 << 20, LINE_BYTES = 400, ENTRY_BYTES = 64 };

const char *tacit__solver_result_name(tacit__solver_result result)
{
    static const char *const NAMES[] = {
        [TACIT__SOLVER_OPTIMAL] = "optimal",
        [TACIT__SOLVER_INFEASIBLE] = "infeasible",
        [TACIT__SOLVER_UNBOUNDED] = "unbounded",
        [TACIT__SOLVER_LIMIT] = "stopped by a limit",
        [TACIT__SOLVER_TROUBLE] = "in numerical trouble",
    };
    return NAMES[result];
}

/* Asks for memory that the backend is about to take, and gives it back: what is
 * refused here would end the process there. lines (or NULL) are to be added. */
static tacit_status probe(const tacit__program *program, const tacit__solver_lines *lines,
                          tacit_error *err)
{
    size_t count = (size_t)(program->rows + program->columns), entries = program->entry_count;
    if (lines) {
        count += (size_t)lines->count;
        entries += lines->starts ? (size_t)(lines->starts[lines->count] - lines->starts[0]) : 0;
    }
    void *room = tacit__alloc(LEAST_BYTES + count * LINE_BYTES + entries * ENTRY_BYTES);
    if (!room)
        return tacit__nomem(err);
    tacit__free(room);
    return TACIT_OK;
}

tacit_status tacit__solver_new(tacit__solver **out, const tacit__solver_backend *backend,
                               tacit_error *err)
{
    tacit__solver *solver = tacit__alloc_zeroed(1, sizeof *solver);
    if (!solver)
        return tacit__nomem(err);
    solver->backend = backend ? backend : &tacit__clp;
    tacit_status status = probe(&solver->program, NULL, err);
    if (status == TACIT_OK) {
        solver->model = solver->backend->open();
        if (!solver->model)
            status = tacit__nomem(err);
    }
    if (status == TACIT_OK)
        *out = solver;
    else
        tacit__solver_free(solver);
    return status;
}

void tacit__solver_free(tacit__solver *solver)
{
    if (!solver)
        return;
    if (solver->model)
        solver->backend->close(solver->model);
    tacit__program_clear(&solver->program);
    tacit__free(solver->values);
    tacit__free(solver->duals);
    tacit__free(solver->reduced);
    tacit__free(solver->ray);
    tacit__free(solver->scratch.row_sums);
    tacit__free(solver->scratch.row_sizes);
    tacit__free(solver->scratch.column_sums);
    tacit__free(solver);
}

int32_t tacit__solver_rows(const tacit__solver *solver)
{
    return solver->program.rows;
}

int32_t tacit__solver_columns(const tacit__solver *solver)
{
    return solver->program.columns;
}

static tacit_status check_model(const tacit__solver *solver, tacit_error *err)
{
    const tacit__solver_backend *backend = solver->backend;
    return backend->lost && backend->lost(solver->model) ? tacit__nomem(err) : TACIT_OK;
}

static bool is_large(const double *numbers, int32_t count)
{
    bool large = false;
    for (int32_t i = 0; numbers && i < count; i++)
        large |= isfinite(numbers[i]) && fabs(numbers[i]) > TACIT__SOLVER_LARGE;
    return large;
}

/* Whether the unit that the backend counts in may have to change. */
static bool has_large(const tacit__solver_lines *lines)
{
    return is_large(lines->lower, lines->count) || is_large(lines->upper, lines->count) ||
           is_large(lines->costs, lines->count);
}

tacit_status tacit__solver_add_rows(tacit__solver *solver, const tacit__solver_lines *rows,
                                    tacit_error *err)
{
    tacit_status status = probe(&solver->program, rows, err);
    if (status == TACIT_OK)
        status = tacit__program_add_rows(&solver->program, rows, err);
    if (status != TACIT_OK)
        return status;
    solver->rows_changed = true;
    solver->changed |= has_large(rows);
    solver->backend->add_rows(solver->model, rows);
    return check_model(solver, err);
}

tacit_status tacit__solver_add_columns(tacit__solver *solver, const tacit__solver_lines *columns,
                                       tacit_error *err)
{
    tacit_status status = probe(&solver->program, columns, err);
    if (status == TACIT_OK)
        status = tacit__program_add_columns(&solver->program, columns, err);
    if (status != TACIT_OK)
        return status;
    solver->columns_changed = true;
    solver->changed |= has_large(columns);
    solver->backend->add_columns(solver->model, columns);
    return check_model(solver, err);
}

tacit_status tacit__solver_remove_rows(tacit__solver *solver, int32_t count, const int32_t *rows,
                                       tacit_error *err)
{
    tacit_status status = tacit__program_remove_rows(&solver->program, count, rows, err);
    if (status != TACIT_OK)
        return status;
    solver->rows_changed = true;
    solver->backend->remove_rows(solver->model, count, rows);
    return check_model(solver, err);
}

tacit_status tacit__solver_remove_columns(tacit__solver *solver, int32_t count,
                                          const int32_t *columns, tacit_error *err)
{
    tacit_status status = tacit__program_remove_columns(&solver->program, count, columns, err);
    if (status != TACIT_OK)
        return status;
    solver->columns_changed = true;
    solver->backend->remove_columns(solver->model, count, columns);
    return check_model(solver, err);
}

void tacit__solver_set_row(tacit__solver *solver, int32_t row, double lower, double upper)
{
    assert(row >= 0 && row < solver->program.rows && lower < INFINITY && upper > -INFINITY);
    solver->program.row_lower[row] = lower;
    solver->program.row_upper[row] = upper;
    solver->changed = solver->rows_changed = true;
}

void tacit__solver_set_column(tacit__solver *solver, int32_t column, double lower, double upper)
{
    assert(column >= 0 && column < solver->program.columns);
    assert(lower < INFINITY && upper > -INFINITY);
    solver->program.lower[column] = lower;
    solver->program.upper[column] = upper;
    solver->changed = solver->rows_changed = true;
}

void tacit__solver_set_cost(tacit__solver *solver, int32_t column, double cost)
{
    assert(column >= 0 && column < solver->program.columns && isfinite(cost));
    solver->program.costs[column] = cost;
    solver->changed = solver->columns_changed = true;
}

void tacit__solver_save(const tacit__solver *solver, unsigned char *basis)
{
    solver->backend->save(basis, solver->model);
}

void tacit__solver_restore(tacit__solver *solver, const unsigned char *basis)
{
    solver->backend->restore(solver->model, basis);
    solver->rows_changed = true;
}

/* ---- one solve ---- */

static bool make_room(double **array, size_t needed)
{
    double *larger = tacit__resize_array(*array, needed, sizeof *larger);
    if (larger)
        *array = larger;
    return larger;
}

static tacit_status reserve(tacit__solver *s, tacit_error *err)
{
    size_t rows = (size_t)s->program.rows, columns = (size_t)s->program.columns;
    if (rows > s->row_room || columns > s->column_room || !s->values) {
        rows += rows / 2; /* programs that grow, grow again */
        columns += columns / 2;
        if (!make_room(&s->values, columns) || !make_room(&s->reduced, columns) ||
            !make_room(&s->scratch.column_sums, columns) || !make_room(&s->duals, rows) ||
            !make_room(&s->scratch.row_sums, rows) || !make_room(&s->scratch.row_sizes, rows) ||
            !make_room(&s->ray, rows > columns ? rows : columns))
            return tacit__nomem(err);
        s->row_room = rows;
        s->column_room = columns;
    }
    return TACIT_OK;
}

static tacit_status solve(tacit__solver_answer *answer, tacit__solver_call *c)
{
    tacit_status status = TACIT_OK;
    tacit__solve_linear(answer, c);
    if (c->status == TACIT_OK && c->solver->program.integer_count > 0 && !c->options->relaxed)
        status = tacit__solve_integer(answer, c);
    return status == TACIT_OK ? c->status : status;
}

tacit_status tacit__solver_solve(tacit__solver_answer *out, tacit__solver *solver,
                                 const tacit__solver_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__solver_answer answer;
    tacit__solver_call call = {
        .solver = solver,
        .options = options,
        .run = run,
        .end = options->seconds > 0 ? tacit__now() + options->seconds : INFINITY,
        .most = options->iterations > 0 ? options->iterations : INT64_MAX,
        .err = err,
    };
    tacit_status status = reserve(solver, err);
    if (status == TACIT_OK)
        status = probe(&solver->program, NULL, err);
    if (status == TACIT_OK)
        status = solve(&answer, &call);
    if (status == TACIT_OK)
        status = check_model(solver, err);
    if (status != TACIT_OK)
        return status;
    answer.duals = solver->duals;
    answer.reduced = solver->reduced;
    answer.iterations = call.iterations;
    *out = answer;
    return TACIT_OK;
}
