/*
 * linear.c - one linear program solved, and the backend's claim checked before it is passed on.
 *
 * The simplex method runs in stretches of as many iterations as cost about the same for every size
 * of program. Between two stretches the clock and the run's progress are asked, so stopping is
 * quick and the way to a solution does not depend on the clock. A claim that does not hold is given
 * a second try from scratch.
 *
 * Checks are arithmetic on the program alone, a pass through it each. Weak duality: for any weights
 * y of the rows, every feasible x has
 *
 *     cost x = y (A x) + (cost - y A) x,
 *
 * and each term is at least its factor times the bound that makes it smallest. So any y at all
 * gives a bound; a solver's rounding errors make it a little worse, never wrong (but for the last
 * digits of its own sums). With costs of 0, a bound above 0 means that there is no feasible x.
 */
#include "solver/inside.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"

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

/* Sets weights to 0 that are no numbers, or point at a bound which is not there. */
static void clean_weights(const tacit__program *program, double *weights)
{
    for (int32_t i = 0; i < program->rows; i++)
        if (!isfinite(weights[i]) ||
            !isfinite(least(weights[i], program->row_lower[i], program->row_upper[i])))
            weights[i] = 0;
}

/* What weak duality proves with cleaned duals: no solution costs less. reduced
 * gets the reduced costs. Where a column without a bound would make it minus
 * infinity for a reduced cost within tolerance of 0, it counts with its value. */
static double check_bound(const tacit__program *program, const double *duals, const double *values,
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

/* Whether weights of rows, which are cleaned, prove that nothing is feasible. */
static bool check_infeasible(const tacit__program *program, double *ray, tacit__scratch *scratch)
{
    double bound = 0, size = 0, *sums = scratch->column_sums;
    clean_weights(program, ray);
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

/* Whether from any feasible point one can go in this direction for ever, and
 * costs fall. */
static bool check_unbounded(const tacit__program *program, const double *ray,
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

/* Entries that may be touched between two looks at the clock, and the fewest
 * iterations for which it is worth starting. */
enum { STRETCH_WORK = 200000000, STRETCH_LEAST = 200, STRETCH_MAX = 100000 };

double tacit__now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool tacit__pulse(tacit__solver_call *c)
{
    if (c->options->phase)
        c->status = tacit__progress(c->run, c->options->phase, c->iterations, 0, c->err);
    return c->status == TACIT_OK && tacit__now() < c->end;
}

/* Iterations of the next stretch; 0 where the limit is reached. */
static int32_t stretch(const tacit__solver_call *c)
{
    const tacit__program *program = &c->solver->program;
    int64_t work = program->rows + program->columns + (int64_t)program->entry_count;
    int64_t most = STRETCH_WORK / (work + 1);
    most = most < STRETCH_LEAST ? STRETCH_LEAST : most > STRETCH_MAX ? STRETCH_MAX : most;
    int64_t left = c->most - c->iterations;
    return (int32_t)(left < most ? left : most);
}

/* The simplex method until it claims something or is stopped. */
static tacit__claim iterate(tacit__solver_call *c, tacit__start start)
{
    tacit__solver *s = c->solver;
    for (;;) {
        int64_t before = c->iterations;
        int32_t most = stretch(c);
        if (most <= 0 || !tacit__pulse(c))
            return TACIT__CLAIM_STOPPED;
        tacit__claim claim = s->backend->simplex(s->model, start, most, &c->iterations);
        if (claim != TACIT__CLAIM_STOPPED)
            return claim;
        if (c->iterations == before)
            return TACIT__CLAIM_FAILED; /* it stands still */
        if (start == TACIT__START_SCRATCH)
            start = TACIT__START_PRIMAL;
    }
}

/* Whether two costs are the same, for terms of a size. */
static bool same_cost(double a, double b, double size)
{
    return fabs(a - b) <= TACIT__SOLVER_COST * (1 + size);
}

/* Takes over the point the simplex method has reached, with what can be said of
 * it; true if it is proven optimal. */
static bool take_point(tacit__solver_answer *answer, tacit__solver *s)
{
    double size;
    s->backend->point(s->values, s->duals, s->model);
    clean_weights(&s->program, s->duals);
    double bound = check_bound(&s->program, s->duals, s->values, s->reduced);
    bool feasible = tacit__check_feasible(&s->program, s->values, &s->scratch);
    double cost = tacit__program_cost(&s->program, s->values, &size);
    answer->bound = bound;
    answer->values = feasible ? s->values : NULL;
    answer->cost = feasible ? cost : NAN;
    return feasible && same_cost(cost, bound, size);
}

/* Whether the claim holds; fills in what is known. */
static bool confirm(tacit__solver_answer *answer, tacit__solver *s, tacit__claim claim)
{
    bool optimal = take_point(answer, s);
    switch (claim) {
    case TACIT__CLAIM_OPTIMAL: answer->result = TACIT__SOLVER_OPTIMAL; return optimal;
    case TACIT__CLAIM_INFEASIBLE:
        answer->result = TACIT__SOLVER_INFEASIBLE;
        return s->backend->ray(s->ray, s->model, claim) &&
               check_infeasible(&s->program, s->ray, &s->scratch);
    case TACIT__CLAIM_UNBOUNDED:
        answer->result = TACIT__SOLVER_UNBOUNDED;
        return answer->values && s->backend->ray(s->ray, s->model, claim) &&
               check_unbounded(&s->program, s->ray, &s->scratch);
    case TACIT__CLAIM_STOPPED:
        answer->result = optimal ? TACIT__SOLVER_OPTIMAL : TACIT__SOLVER_LIMIT;
        return true;
    case TACIT__CLAIM_FAILED: break;
    }
    return false;
}

/* Whether nothing is feasible, asked without costs: with them a program that is
 * neither feasible nor bounded gives no proof of either. */
static bool nothing_feasible(tacit__solver_call *c)
{
    tacit__solver *s = c->solver;
    tacit__program plain = s->program;
    memset(s->reduced, 0, (size_t)plain.columns * sizeof *s->reduced);
    plain.costs = s->reduced;
    s->backend->update(s->model, &plain);
    bool proven = iterate(c, TACIT__START_DUAL) == TACIT__CLAIM_INFEASIBLE &&
                  s->backend->ray(s->ray, s->model, TACIT__CLAIM_INFEASIBLE) &&
                  check_infeasible(&s->program, s->ray, &s->scratch);
    s->backend->update(s->model, &s->program);
    return proven;
}

static void run_simplex(tacit__solver_answer *answer, tacit__solver_call *c)
{
    tacit__solver *s = c->solver;
    tacit__start start =
        s->rows_changed || !s->columns_changed ? TACIT__START_DUAL : TACIT__START_PRIMAL;
    if (!confirm(answer, s, iterate(c, start)) &&
        !confirm(answer, s, iterate(c, TACIT__START_SCRATCH)))
        answer->result = nothing_feasible(c) ? TACIT__SOLVER_INFEASIBLE : TACIT__SOLVER_TROUBLE;
    if (answer->result == TACIT__SOLVER_OPTIMAL)
        s->rows_changed = s->columns_changed = false;
}

/* Bounds that exclude each other need no solver. */
static bool bounds_cross(const tacit__program *program)
{
    bool cross = false;
    for (int32_t i = 0; i < program->columns; i++)
        cross |= program->lower[i] > program->upper[i];
    for (int32_t i = 0; i < program->rows; i++)
        cross |= program->row_lower[i] > program->row_upper[i];
    return cross;
}

/* A program without coefficients: each column by itself. */
static void solve_alone(tacit__solver_answer *answer, tacit__solver *s)
{
    const tacit__program *p = &s->program;
    bool unbounded = false;
    double size;
    for (int32_t i = 0; i < p->rows; i++)
        s->duals[i] = 0;
    for (int32_t i = 0; i < p->columns; i++) {
        double near = p->lower[i] > 0 ? p->lower[i] : p->upper[i] < 0 ? p->upper[i] : 0;
        double best = p->costs[i] > 0 ? p->lower[i] : p->costs[i] < 0 ? p->upper[i] : near;
        unbounded |= !isfinite(best);
        s->values[i] = isfinite(best) ? best : near;
        s->reduced[i] = p->costs[i];
    }
    if (!tacit__check_feasible(p, s->values, &s->scratch)) {
        answer->result = TACIT__SOLVER_INFEASIBLE;
        return;
    }
    answer->result = unbounded ? TACIT__SOLVER_UNBOUNDED : TACIT__SOLVER_OPTIMAL;
    answer->values = s->values;
    answer->cost = tacit__program_cost(p, s->values, &size);
    answer->bound = unbounded ? -INFINITY : answer->cost;
}

void tacit__solve_linear(tacit__solver_answer *answer, tacit__solver_call *c)
{
    tacit__solver *s = c->solver;
    *answer = (tacit__solver_answer){.cost = NAN, .bound = -INFINITY};
    if (s->changed)
        s->backend->update(s->model, &s->program);
    s->changed = false;
    if (bounds_cross(&s->program))
        answer->result = TACIT__SOLVER_INFEASIBLE;
    else if (s->program.entry_count == 0)
        solve_alone(answer, s);
    else
        run_simplex(answer, c);
    if (answer->result == TACIT__SOLVER_INFEASIBLE) {
        answer->bound = INFINITY;
        answer->cost = NAN;
        answer->values = NULL;
    }
}
