/*
 * program.c - the adversary's linear program over one block; see tables.h.
 *
 * Rows and bounds are given once; mostly only costs change, so that each program starts from
 * where the last one ended, at a point that is feasible still. Bounds beyond 2^20, or all
 * of them below 1, are scaled by a power of two: then the solver's tolerance, which
 * is absolute, stays small beside what is asked, and nothing is rounded.
 */
#include <math.h>
#include <string.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"

#define LARGEST_BOUND 0x1p20

/* Iterations after which a program is given up: so many for every row and column. */
enum { ITERATIONS_EACH = 100, ITERATIONS_LEAST = 100000 };

struct tacit__prober {
    const tacit__tables_adversary *adversary;
    const tacit__tables_block *block;
    bool unit;
    double scale; /* of the block's deviations to the program's */
    tacit__solver *solver;
    double *lower, *upper; /* the program's */
    double *values;        /* the last solution */
    int64_t programs;
};

/* ---- blocks ---- */

tacit_status tacit__block_new(tacit__tables_block **out, const tacit__system *system, int32_t block,
                              tacit_error *err)
{
    int32_t first = system->block_variables[block], row = system->block_rows[block];
    int32_t from = system->starts[row], to = system->starts[system->block_rows[block + 1]];
    tacit__tables_block *b = tacit__alloc_zeroed(1, sizeof *b);
    if (!b)
        return tacit__nomem(err);
    b->variables = system->block_variables[block + 1] - first;
    b->rows = system->block_rows[block + 1] - row;
    b->coefs = system->coefs + from;
    size_t bytes = (size_t)b->variables * sizeof *b->lower;
    b->lower = tacit__alloc(bytes);
    b->upper = tacit__alloc(bytes);
    b->starts = tacit__alloc_array((size_t)b->rows + 1, sizeof *b->starts);
    b->items = tacit__alloc_array((size_t)(to - from), sizeof *b->items);
    if (!b->lower || !b->upper || !b->starts || !b->items) {
        tacit__block_free(b);
        return tacit__nomem(err);
    }
    memcpy(b->lower, system->lower + first, bytes);
    memcpy(b->upper, system->upper + first, bytes);
    for (int32_t i = 0; i <= b->rows; i++)
        b->starts[i] = system->starts[row + i] - from;
    for (int32_t j = 0; j < to - from; j++)
        b->items[j] = system->items[from + j] - first;
    *out = b;
    return TACIT_OK;
}

void tacit__block_free(tacit__tables_block *block)
{
    if (!block)
        return;
    tacit__free(block->lower);
    tacit__free(block->upper);
    tacit__free(block->starts);
    tacit__free(block->items);
    tacit__free(block);
}

/* ---- programs ---- */

static double scale_of(const tacit__tables_block *block)
{
    double largest = 0;
    int exponent;
    for (int32_t i = 0; i < block->variables; i++) {
        if (isfinite(block->lower[i]))
            largest = fmax(largest, -block->lower[i]);
        if (isfinite(block->upper[i]))
            largest = fmax(largest, block->upper[i]);
    }
    if (largest > LARGEST_BOUND)
        frexp(largest / LARGEST_BOUND, &exponent);
    else if (largest > 0 && largest < 1)
        frexp(largest, &exponent);
    else
        exponent = 0;
    return ldexp(1, exponent);
}

double tacit__block_close(const tacit__tables_block *block)
{
    return TACIT__SOLVER_FEASIBLE * scale_of(block);
}

static double unit_of(double bound)
{
    return bound < 0 ? -1 : bound > 0 ? 1 : 0;
}

static tacit_status fill_solver(tacit__prober *p, tacit_error *err)
{
    const tacit__tables_block *b = p->block;
    for (int32_t i = 0; i < b->variables; i++) {
        p->lower[i] = p->unit ? unit_of(b->lower[i]) : b->lower[i] / p->scale;
        p->upper[i] = p->unit ? unit_of(b->upper[i]) : b->upper[i] / p->scale;
    }
    tacit__solver_lines columns = {.count = b->variables, .lower = p->lower, .upper = p->upper};
    tacit_status status = tacit__solver_add_columns(p->solver, &columns, err);
    double *zeros = tacit__alloc_zeroed((size_t)b->rows, sizeof *zeros);
    if (status == TACIT_OK && !zeros)
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        tacit__solver_lines rows = {.count = b->rows,
                                    .lower = zeros,
                                    .upper = zeros,
                                    .starts = b->starts,
                                    .items = b->items,
                                    .values = b->coefs};
        status = tacit__solver_add_rows(p->solver, &rows, err);
    }
    tacit__free(zeros);
    return status;
}

tacit_status tacit__prober_new(tacit__prober **out, const tacit__tables_adversary *adversary,
                               const tacit__tables_block *block, bool unit, tacit_error *err)
{
    size_t n = (size_t)block->variables;
    tacit__prober *p = tacit__alloc_zeroed(1, sizeof *p);
    if (!p)
        return tacit__nomem(err);
    p->adversary = adversary;
    p->block = block;
    p->unit = unit;
    p->scale = unit ? 1 : scale_of(block);
    p->lower = tacit__alloc_array(n, sizeof *p->lower);
    p->upper = tacit__alloc_array(n, sizeof *p->upper);
    p->values = tacit__alloc_array(n, sizeof *p->values);
    tacit_status status = p->lower && p->upper && p->values ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__solver_new(&p->solver, adversary->backend, err);
    if (status == TACIT_OK)
        status = fill_solver(p, err);
    if (status == TACIT_OK)
        *out = p;
    else
        tacit__prober_free(p);
    return status;
}

void tacit__prober_free(tacit__prober *prober)
{
    if (!prober)
        return;
    tacit__solver_free(prober->solver);
    tacit__free(prober->lower);
    tacit__free(prober->upper);
    tacit__free(prober->values);
    tacit__free(prober);
}

void tacit__prober_cost(tacit__prober *prober, int32_t variable, double cost)
{
    tacit__solver_set_cost(prober->solver, variable, cost);
}

void tacit__prober_bounds(tacit__prober *prober, int32_t variable, double lower, double upper)
{
    prober->lower[variable] = lower / prober->scale;
    prober->upper[variable] = upper / prober->scale;
    tacit__solver_set_column(prober->solver, variable, prober->lower[variable],
                             prober->upper[variable]);
}

int64_t tacit__prober_programs(const tacit__prober *prober)
{
    return prober->programs;
}

double tacit__prober_close(const tacit__prober *prober)
{
    return TACIT__SOLVER_FEASIBLE * prober->scale;
}

static const double *values_of(tacit__prober *p, const double *found)
{
    if (!found)
        return NULL;
    for (int32_t i = 0; i < p->block->variables; i++)
        p->values[i] = p->scale * fmin(fmax(found[i], p->lower[i]), p->upper[i]);
    return p->values;
}

static int64_t most_iterations(const tacit__prober *p)
{
    return ITERATIONS_LEAST + ITERATIONS_EACH * ((int64_t)p->block->rows + p->block->variables);
}

tacit_status tacit__prober_solve(tacit__tables_verdict *verdict, const double **values,
                                 tacit__prober *prober, tacit_error *err)
{
    static const char PHASE[] = "auditing cells";
    tacit__solver_answer answer;
    tacit__solver_options options = {.phase = PHASE, .iterations = most_iterations(prober)};
    tacit_run run = tacit__asking_quiet(prober->adversary->asking);
    tacit_status status = tacit__solver_solve(&answer, prober->solver, &options, &run, err);
    prober->programs++;
    if (status != TACIT_OK)
        return status;
    *values = values_of(prober, answer.values);
    *verdict = answer.result == TACIT__SOLVER_OPTIMAL     ? TACIT__PROVEN
               : answer.result == TACIT__SOLVER_UNBOUNDED ? TACIT__UNBOUNDED
                                                          : TACIT__UNKNOWN;
    return TACIT_OK;
}
