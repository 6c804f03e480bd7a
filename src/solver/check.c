/*
 * check.c - proofs checked; see check.h. Each costs one pass through the program.
 *
 * Weak duality: for any weights y of the rows, every feasible x has
 *
 *     cost x = y (A x) + (cost - y A) x,
 *
 * and each term is at least its factor times the bound that makes it smallest. So
 * any y at all gives a bound; a solver's rounding errors make it a little worse,
 * never wrong (but for the last digits of its own sums). With costs of 0, a bound
 * above 0 means that there is no feasible x.
 */
#include "solver/check.h"

#include <math.h>

/* The least that factor times something between the bounds can be. */
static double least(double factor, double lower, double upper)
{
    return factor > 0 ? factor * lower : factor < 0 ? factor * upper : 0;
}

static bool within(double sum, double size, double lower, double upper)
{
    double slack = TACIT__SOLVER_FEASIBLE + TACIT__SOLVER_RELATIVE * size;
    return sum >= lower - slack && sum <= upper + slack; /* false for NAN */
}

static void sum_rows(const tacit__program *program, const double *values, tacit__scratch *scratch)
{
    for (int32_t i = 0; i < program->rows; i++)
        scratch->row_sums[i] = scratch->row_sizes[i] = 0;
    for (size_t i = 0; i < program->entry_count; i++) {
        const tacit__solver_entry *entry = &program->entries[i];
        double term = entry->value * values[entry->column];
        scratch->row_sums[entry->row] += term;
        scratch->row_sizes[entry->row] += fabs(term);
    }
}

static void subtract_rows(const tacit__program *program, const double *weights, double *sums)
{
    for (size_t i = 0; i < program->entry_count; i++) {
        const tacit__solver_entry *entry = &program->entries[i];
        sums[entry->column] -= entry->value * weights[entry->row];
    }
}

bool tacit__check_feasible(const tacit__program *program, const double *values,
                           tacit__scratch *scratch)
{
    bool feasible = true;
    sum_rows(program, values, scratch);
    for (int32_t i = 0; i < program->columns; i++)
        feasible &= within(values[i], fabs(values[i]), program->lower[i], program->upper[i]);
    for (int32_t i = 0; i < program->rows; i++)
        feasible &= within(scratch->row_sums[i], scratch->row_sizes[i], program->row_lower[i],
                           program->row_upper[i]);
    return feasible;
}

bool tacit__check_integer(const tacit__program *program, const double *values)
{
    for (int32_t i = 0; i < program->columns; i++)
        if (program->integers[i] && !(fabs(values[i] - round(values[i])) <= TACIT__SOLVER_INTEGER))
            return false;
    return true;
}

void tacit__clean_weights(const tacit__program *program, double *weights)
{
    for (int32_t i = 0; i < program->rows; i++)
        if (!isfinite(weights[i]) ||
            !isfinite(least(weights[i], program->row_lower[i], program->row_upper[i])))
            weights[i] = 0;
}

double tacit__check_bound(const tacit__program *program, const double *duals, const double *values,
                          double *reduced)
{
    double bound = 0;
    for (int32_t i = 0; i < program->columns; i++)
        reduced[i] = program->costs[i];
    subtract_rows(program, duals, reduced);
    for (int32_t i = 0; i < program->columns; i++) {
        double term = least(reduced[i], program->lower[i], program->upper[i]);
        if (term == -INFINITY && fabs(reduced[i]) <= TACIT__SOLVER_COST)
            term = reduced[i] * values[i];
        bound += term;
    }
    for (int32_t i = 0; i < program->rows; i++)
        bound += least(duals[i], program->row_lower[i], program->row_upper[i]);
    return isnan(bound) ? -INFINITY : bound;
}

static double largest(const double *numbers, int32_t count)
{
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
    return most;
}

/* Where sums over the rows cancel out, rounding leaves the like of this. */
static double noise_of(double scale)
{
    return TACIT__SOLVER_RELATIVE * scale;
}

bool tacit__check_infeasible(const tacit__program *program, double *ray, tacit__scratch *scratch)
{
    double bound = 0, size = 0, *sums = scratch->column_sums;
    tacit__clean_weights(program, ray);
    double noise = noise_of(largest(ray, program->rows));
    for (int32_t i = 0; i < program->columns; i++)
        sums[i] = 0;
    subtract_rows(program, ray, sums);
    for (int32_t i = 0; i < program->columns; i++) {
        double term = least(sums[i], program->lower[i], program->upper[i]);
        if (term == -INFINITY && fabs(sums[i]) <= noise)
            term = 0;
        bound += term;
        size += fabs(term);
    }
    for (int32_t i = 0; i < program->rows; i++) {
        double term = least(ray[i], program->row_lower[i], program->row_upper[i]);
        bound += term;
        size += fabs(term);
    }
    return bound > noise_of(size); /* false for NAN and for minus infinity */
}

/* Whether a step leads nowhere that a bound forbids. */
static bool open_ended(double step, double slack, double lower, double upper)
{
    return (step >= -slack || lower == -INFINITY) && (step <= slack || upper == INFINITY);
}

bool tacit__check_unbounded(const tacit__program *program, const double *ray,
                            tacit__scratch *scratch)
{
    double size, cost = tacit__program_cost(program, ray, &size);
    double noise = noise_of(largest(ray, program->columns));
    bool open = cost < -noise_of(size);
    sum_rows(program, ray, scratch);
    for (int32_t i = 0; i < program->columns; i++)
        open &= open_ended(ray[i], noise, program->lower[i], program->upper[i]);
    for (int32_t i = 0; i < program->rows; i++)
        open &= open_ended(scratch->row_sums[i], noise_of(scratch->row_sizes[i]),
                           program->row_lower[i], program->row_upper[i]);
    return open;
}
