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
#include "base/hash.h"

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

static int64_t max_iterations(const tacit__prober *p)
{
    return ITERATIONS_LEAST + ITERATIONS_EACH * ((int64_t)p->block->rows + p->block->variables);
}

tacit_status tacit__prober_solve(tacit__tables_verdict *verdict, const double **values,
                                 tacit__prober *prober, tacit_error *err)
{
    static const char PHASE[] = "auditing cells";
    tacit__solver_answer answer;
    tacit__solver_options options = {.phase = PHASE, .iterations = max_iterations(prober)};
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

/* Which cells of a block the published table determines exactly.
 *
 * Whether a variable can deviate at all does not depend on how wide bounds are, only on where they
 * leave no room: if some d keeps M d = 0 and those signs, a small multiple of it keeps all bounds.
 * So the question is asked of a program with bounds of -1, 0 and 1, in which no value of the table
 * appears and answers are 0 or far from it, whatever the table's numbers are (Freund, Roundy and
 * Todd 1985 find implied equalities that way).
 *
 * A program moves all variables at once that were not seen to move: those with one way to go that
 * way, the others by random weights. When neither the weights nor their negatives move anything,
 * the variables left are 0 in every solution (but with the probability that random weights cancel,
 * which is 0).
 *
 * A variable moves only where that is proven: its value in a solution is 1/1000 at least, and the
 * solution holds exactly, in whole numbers over one denominator; where there is no small one, or
 * weights are no whole numbers, relations must hold to 10^-9. The solver's word is not enough, and
 * what is not proven counts as determined.
 *
 * Cost: a few programs a block, mostly three. */

#define MOVED    1e-3
#define WHOLE    1e-6 /* how near to whole a number must be to be taken for it */
#define RESIDUAL 1e-9
enum { LARGEST_FACTOR = 40, LARGEST_DENOMINATOR = 1 << 20, ROUNDS = 1000 };

typedef struct search {
    const tacit__tables_block *block;
    tacit__tables_extent *extent;
    tacit__prober *prober;
    double *point;  /* the solution, made exact where that was possible */
    bool unsettled; /* since something moved last, the solver failed, or the proof of a solution */
} search;

/* ---- proofs ---- */

static bool near_whole(double value)
{
    return fabs(value - nearbyint(value)) <= WHOLE;
}

/* A number that makes all values whole; 0: none that is small. */
static double denominator_of(const double *values, int32_t count)
{
    double all = 1;
    for (int32_t i = 0; i < count; i++) {
        int factor = 1;
        while (factor <= LARGEST_FACTOR && !near_whole(values[i] * all * factor))
            factor++;
        all *= factor;
        if (factor > LARGEST_FACTOR || all > LARGEST_DENOMINATOR)
            return 0;
    }
    return all;
}

/* Whether all rows are 0, but for that much of the sizes of their terms, of 1 at least. */
static bool holds(const tacit__tables_block *b, const double *values, double tolerance)
{
    bool all = true;
    for (int32_t row = 0; row < b->rows && all; row++) {
        double sum = 0, size = 0;
        for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++) {
            double term = b->coefs[j] * values[b->items[j]];
            sum += term;
            size += fabs(term);
        }
        all = fabs(sum) <= tolerance * fmax(1, size);
    }
    return all;
}

/* Fills in the point; whether it is a solution, as far as arithmetic can tell. Sums of whole
 * numbers below 2^53 are exact. */
static bool prove(search *s, const double *values)
{
    int32_t n = s->block->variables;
    double all = denominator_of(values, n);
    for (int32_t i = 0; i < n && all > 0; i++)
        s->point[i] = nearbyint(values[i] * all);
    bool exact = all > 0 && holds(s->block, s->point, 0);
    for (int32_t i = 0; i < n; i++)
        s->point[i] = exact ? s->point[i] / all : values[i];
    return exact || holds(s->block, s->point, RESIDUAL);
}

/* ---- the search ---- */

/* Ways to go: 1 up, 2 down, 3 both. */
static int ways(const tacit__tables_block *b, int32_t i)
{
    return (b->upper[i] > 0) + 2 * (b->lower[i] < 0);
}

/* Costs that make unmoved variables move; round and its successor have opposite signs for
 * those with two ways. */
static void set_costs(search *s, int round)
{
    for (int32_t i = 0; i < s->block->variables; i++) {
        uint64_t bits = tacit__mix(((uint64_t)(round / 2) << 32) + (uint64_t)i + 1);
        double weight = 1 + (double)(bits >> 11) * 0x1p-53;
        int way = ways(s->block, i);
        bool up = way == 3 ? (bits & 1) ^ (round & 1) : way == 1;
        bool wanted = way != 0 && !s->extent->moves[i];
        tacit__prober_cost(s->prober, i, !wanted ? 0 : up ? -weight : weight);
    }
}

/* How much of the point the real bounds allow. */
static double share(const tacit__tables_block *b, const double *point)
{
    double most = INFINITY;
    for (int32_t i = 0; i < b->variables; i++)
        if (point[i] != 0)
            most = fmin(most, (point[i] > 0 ? b->upper[i] : b->lower[i]) / point[i]);
    return isfinite(most) ? most : 1;
}

/* Takes note of what the point moves; returns how many are new. */
static int32_t take_point(search *s)
{
    int32_t fresh = 0;
    tacit__tables_extent *e = s->extent;
    double factor = share(s->block, s->point);
    for (int32_t i = 0; i < s->block->variables; i++) {
        double value = factor * s->point[i];
        e->low[i] = fmin(e->low[i], value);
        e->high[i] = fmax(e->high[i], value);
        if (fabs(s->point[i]) >= MOVED && !e->moves[i]) {
            e->moves[i] = true;
            fresh++;
        }
    }
    return fresh;
}

/* The point and its opposite, where signs allow that. */
static int32_t take_both(search *s)
{
    int32_t fresh = take_point(s);
    for (int32_t i = 0; i < s->block->variables; i++)
        if (s->point[i] != 0 && ways(s->block, i) != 3)
            return fresh;
    for (int32_t i = 0; i < s->block->variables; i++)
        s->point[i] = -s->point[i];
    return fresh + take_point(s);
}

static int32_t unmoved(const search *s)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->block->variables; i++)
        count += ways(s->block, i) != 0 && !s->extent->moves[i];
    return count;
}

static tacit_status seek(search *s, tacit_error *err)
{
    int still = 0;
    for (int round = 0; still < 2 && round < ROUNDS && unmoved(s) > 0; round++) {
        tacit__tables_verdict verdict;
        const double *values;
        set_costs(s, round);
        tacit_status status = tacit__prober_solve(&verdict, &values, s->prober, err);
        if (status != TACIT_OK)
            return status;
        bool proven = values && prove(s, values);
        bool failed = verdict != TACIT__PROVEN || !proven;
        int32_t fresh = proven ? take_both(s) : 0;
        still = fresh == 0 ? still + 1 : 0;
        s->unsettled = fresh == 0 && (failed || s->unsettled);
        if (fresh > 0)
            round |= 1; /* so that what follows begins a pair */
    }
    s->unsettled |= still < 2;
    return TACIT_OK;
}

/* Variables of no relation go as far as their bounds. */
static void move_alone(tacit__tables_extent *extent, const tacit__tables_block *block)
{
    for (int32_t i = 0; i < block->variables; i++) {
        extent->low[i] = block->lower[i];
        extent->high[i] = block->upper[i];
        extent->moves[i] = ways(block, i) != 0;
    }
}

tacit_status tacit__find_moves(tacit__tables_extent *extent,
                               const tacit__tables_adversary *adversary,
                               const tacit__tables_block *block, tacit_error *err)
{
    search s = {.block = block, .extent = extent};
    if (block->rows == 0) {
        move_alone(extent, block);
        return TACIT_OK;
    }
    if (unmoved(&s) == 0)
        return TACIT_OK;
    tacit_status status = TACIT_OK;
    s.point = tacit__alloc_array((size_t)block->variables, sizeof *s.point);
    if (!s.point)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__prober_new(&s.prober, adversary, block, true, err);
    if (status == TACIT_OK)
        status = seek(&s, err);
    if (status == TACIT_OK) {
        extent->programs += tacit__prober_programs(s.prober);
        for (int32_t i = 0; i < block->variables && s.unsettled; i++)
            extent->unknown[i] |= ways(block, i) != 0 && !extent->moves[i];
    }
    tacit__prober_free(s.prober);
    tacit__free(s.point);
    return status;
}
