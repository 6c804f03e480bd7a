/*
 * tables_ranges.c - how far variables of a block can go, by linear programs.
 *
 * Every solution is a witness for all variables: the lowest and highest seen of each are
 * kept. A side of a variable is settled where a witness reaches its bound, where it reaches
 * what is needed (if only that is asked), or by a program of its own. So first come sweeps:
 * programs that push all unsettled sides at once, as long as each settles a good
 * part of them. Then every side left has its program, the one first whose variable
 * already is nearest to its bound in the last solution: the way from there is short. Sweeps and
 * that order are from Gleixner, Berthold, Müller and Weltge (2017), on tightening bounds.
 *
 * A side whose program fails is unknown, which counts against the table.
 *
 * Cost: at most two programs a target and a few sweeps, each from where the last one ended.
 */
#include <math.h>

#include "audit/tables.h"
#include "base/alloc.h"
#include "base/error.h"

/* Sweeps go on while they settle one side in so many. */
enum { SWEEP_YIELD = 8, LEAST_SWEPT = 16 };

typedef struct chase {
    const tacit__block *block;
    const tacit__needs *needs;
    const int32_t *targets;
    int32_t count;
    tacit__extent *extent;
    tacit__prober *prober;
    double close;
    bool *settled[2]; /* by side (0: low, 1: high) and target */
    double *last;     /* solution: by variable */
} chase;

bool tacit__reaches(double deviation, double level)
{
    return deviation >= level - TACIT__LEVEL_CLOSE * fmax(1, fabs(level));
}

static bool met(const chase *c, int side, int32_t i)
{
    const tacit__extent *e = c->extent;
    if (!c->needs || !tacit__reaches(e->high[i] - e->low[i], c->needs->span[i]))
        return false;
    return side ? tacit__reaches(e->high[i], c->needs->high[i])
                : tacit__reaches(-e->low[i], -c->needs->low[i]);
}

/* Looks at what was reached; returns how many sides are newly settled. */
static int32_t settle(chase *c)
{
    int32_t fresh = 0;
    tacit__extent *e = c->extent;
    for (int32_t t = 0; t < c->count; t++) {
        int32_t i = c->targets[t];
        double low = c->block->lower[i], high = c->block->upper[i];
        bool lowest = e->low[i] <= low + c->close, highest = e->high[i] >= high - c->close;
        if (lowest)
            e->low[i] = low;
        if (highest)
            e->high[i] = high;
        const bool now[2] = {lowest || met(c, 0, i), highest || met(c, 1, i)};
        for (int side = 0; side < 2; side++) {
            fresh += now[side] && !c->settled[side][t];
            c->settled[side][t] |= now[side];
        }
    }
    return fresh;
}

static void take_witness(chase *c, const double *values)
{
    tacit__extent *e = c->extent;
    for (int32_t i = 0; i < c->block->variables; i++)
        c->last[i] = values[i];
    for (int32_t t = 0; t < c->count; t++) {
        int32_t i = c->targets[t];
        e->low[i] = fmin(e->low[i], values[i]);
        e->high[i] = fmax(e->high[i], values[i]);
    }
}

static int32_t open_sides(const chase *c)
{
    int32_t count = 0;
    for (int32_t t = 0; t < c->count; t++)
        count += !c->settled[0][t] + !c->settled[1][t];
    return count;
}

/* ---- all at once ---- */

static void push_all(chase *c, int sweep)
{
    for (int32_t t = 0; t < c->count; t++) {
        bool low = !c->settled[0][t], high = !c->settled[1][t];
        double cost = low && high ? ((t ^ sweep) & 1 ? 1 : -1) : low ? 1 : high ? -1 : 0;
        tacit__prober_cost(c->prober, c->targets[t], cost);
    }
}

static tacit_status sweep_all(chase *c, tacit_error *err)
{
    bool fruitful = true;
    for (int sweep = 0; fruitful && open_sides(c) >= LEAST_SWEPT; sweep++) {
        tacit__verdict verdict;
        const double *values;
        int32_t open = open_sides(c);
        push_all(c, sweep);
        tacit_status status = tacit__prober_solve(&verdict, &values, c->prober, err);
        if (status != TACIT_OK)
            return status;
        if (values)
            take_witness(c, values);
        fruitful = values && settle(c) > open / SWEEP_YIELD;
    }
    for (int32_t t = 0; t < c->count; t++)
        tacit__prober_cost(c->prober, c->targets[t], 0);
    return TACIT_OK;
}

/* ---- one by one ---- */

/* How much of the way to its bound a variable still has to go. */
static double way_left(const chase *c, int side, int32_t i)
{
    double bound = side ? c->block->upper[i] : -c->block->lower[i];
    double now = side ? c->last[i] : -c->last[i];
    return isfinite(bound) ? (bound - now) / bound : 1;
}

static bool choose(const chase *c, int32_t *target, int *side)
{
    double least = INFINITY;
    for (int32_t t = 0; t < c->count; t++)
        for (int s = 0; s < 2; s++)
            if (!c->settled[s][t] && way_left(c, s, c->targets[t]) < least) {
                least = way_left(c, s, c->targets[t]);
                *target = t;
                *side = s;
            }
    return least < INFINITY;
}

static tacit_status probe(chase *c, int32_t target, int side, tacit_error *err)
{
    tacit__verdict verdict;
    const double *values;
    int32_t i = c->targets[target];
    tacit__prober_cost(c->prober, i, side ? -1 : 1);
    tacit_status status = tacit__prober_solve(&verdict, &values, c->prober, err);
    tacit__prober_cost(c->prober, i, 0);
    if (status != TACIT_OK)
        return status;
    if (values)
        take_witness(c, values);
    if (verdict == TACIT__UNBOUNDED)
        *(side ? &c->extent->high[i] : &c->extent->low[i]) = side ? INFINITY : -INFINITY;
    settle(c);
    c->extent->unknown[i] |= verdict == TACIT__UNKNOWN && !c->settled[side][target];
    c->settled[side][target] = true;
    return TACIT_OK;
}

static tacit_status run_chase(chase *c, tacit_error *err)
{
    int32_t target;
    int side;
    for (int32_t i = 0; i < c->block->variables; i++)
        c->last[i] = 0;
    tacit_status status = sweep_all(c, err);
    while (status == TACIT_OK && choose(c, &target, &side))
        status = probe(c, target, side, err);
    return status;
}

tacit_status tacit__find_ranges(tacit__extent *extent, const tacit__adversary *adversary,
                                const tacit__block *block, const tacit__needs *needs,
                                const int32_t *targets, int32_t count, tacit_error *err)
{
    chase c = {
        .block = block, .needs = needs, .targets = targets, .count = count, .extent = extent};
    size_t n = (size_t)count;
    tacit_status status = TACIT_OK;
    c.settled[0] = tacit__alloc_zeroed(n, sizeof *c.settled[0]);
    c.settled[1] = tacit__alloc_zeroed(n, sizeof *c.settled[1]);
    c.last = tacit__alloc_array((size_t)block->variables, sizeof *c.last);
    if (!c.settled[0] || !c.settled[1] || !c.last)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        settle(&c);
    if (status == TACIT_OK && open_sides(&c) > 0) {
        status = tacit__prober_new(&c.prober, adversary, block, false, err);
        if (status == TACIT_OK) {
            c.close = tacit__prober_close(c.prober);
            status = run_chase(&c, err);
            extent->programs += tacit__prober_programs(c.prober);
        }
    }
    tacit__prober_free(c.prober);
    tacit__free(c.settled[0]);
    tacit__free(c.settled[1]);
    tacit__free(c.last);
    return status;
}
