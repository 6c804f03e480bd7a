/*
 * moves.c - which cells of a block the published table determines exactly.
 *
 * Whether a variable can deviate at all does not depend on how wide bounds are, only on
 * where they leave no room: if some d keeps M d = 0 and those signs, a small multiple of it
 * keeps all bounds. So the question is asked of a program with bounds of -1, 0 and 1, in
 * which no value of the table appears and answers are 0 or far from it, whatever the
 * table's numbers are (Freund, Roundy and Todd 1985 find implied equalities that way).
 *
 * A program moves all variables at once that were not seen to move: those with one
 * way to go that way, the others by random weights. When neither the weights nor their
 * negatives move anything, the variables left are 0 in every solution (but with the
 * probability that random weights cancel, which is 0).
 *
 * A variable moves only where that is proven: its value in a solution is 1/1000 at least,
 * and the solution holds exactly, in whole numbers over one denominator; where there is
 * no small one, or weights are no whole numbers, relations must hold to 10^-9. The solver's
 * word is not enough, and what is not proven counts as determined.
 *
 * Cost: a few programs a block, mostly three.
 */
#include <math.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

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
