/*
 * ranges.c - how far variables of a block can go, by linear programs.
 *
 * Every solution is a witness for all variables: the lowest and highest seen of each are
 * kept. A side of a variable is settled where a witness reaches its bound, where it reaches
 * what is needed (if only that is asked), or by a program of its own. So first come sweeps:
 * programs that push all unsettled sides at once, as long as each settles a good part of
 * them; then programs that push variables which share no row, so that none is in another's
 * way, each side once; then those that need only move, all of them at once with odd weights.
 * Every side left has its own program, the one first whose
 * variable already is nearest to its bound in the last solution: the way from there is short.
 * Sweeps and that order are from Gleixner, Berthold, Müller and Weltge (2017), on tightening
 * bounds.
 *
 * A side whose program fails is unknown, which counts against the table.
 *
 * Cost: at most two programs a target and a few sweeps, each from where the last one ended.
 */
#include <math.h>
#include <string.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

/* Sweeps of all sides go on while they settle one in so many, those of variables apart while
 * they settle so many, which is about what their programs take longer than others. */
enum { SWEEP_YIELD = 8, LEAST_SWEPT = 16, LEAST_SETTLED = 8 };

typedef struct chase {
    const tacit__tables_block *block;
    const tacit__needs *needs;
    const int32_t *targets;
    int32_t count;
    tacit__tables_extent *extent;
    tacit__prober *prober;
    double close;
    bool sweeps;                /* and nothing else */
    bool *settled[2];           /* by side (0: low, 1: high) and target */
    bool *pushed[2];            /* the same: apart from others */
    double *last;               /* solution: by variable */
    int32_t *use_starts, *uses; /* rows by variable */
    bool *taken;                /* rows */
} chase;

bool tacit__reaches(double deviation, double level)
{
    return deviation >= level - TACIT__LEVEL_CLOSE * fabs(level) - TACIT_CELLS_EQUAL;
}

static bool met(const chase *c, int side, int32_t i)
{
    const tacit__tables_extent *e = c->extent;
    double range = e->high[i] - e->low[i];
    if (!c->needs || range <= c->needs->noise[i] || !tacit__reaches(range, c->needs->span[i]))
        return false;
    return side ? tacit__reaches(e->high[i], c->needs->high[i])
                : tacit__reaches(-e->low[i], -c->needs->low[i]);
}

/* Looks at what was reached; returns how many sides are newly settled. */
static int32_t settle(chase *c)
{
    int32_t fresh = 0;
    tacit__tables_extent *e = c->extent;
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
    tacit__tables_extent *e = c->extent;
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

static void push_none(chase *c)
{
    for (int32_t t = 0; t < c->count; t++)
        tacit__prober_cost(c->prober, c->targets[t], 0);
}

static tacit_status sweep(int32_t *fresh, tacit__tables_verdict *verdict, chase *c,
                          tacit_error *err)
{
    const double *values;
    tacit_status status = tacit__prober_solve(verdict, &values, c->prober, err);
    if (status != TACIT_OK)
        return status;
    if (values)
        take_witness(c, values);
    *fresh = values ? settle(c) : 0;
    return TACIT_OK;
}

static tacit_status sweep_all(chase *c, tacit_error *err)
{
    bool fruitful = true;
    for (int i = 0; fruitful && open_sides(c) >= LEAST_SWEPT; i++) {
        int32_t open = open_sides(c), fresh;
        tacit__tables_verdict verdict;
        push_all(c, i);
        tacit_status status = sweep(&fresh, &verdict, c, err);
        if (status != TACIT_OK)
            return status;
        fruitful = fresh > open / SWEEP_YIELD;
    }
    return TACIT_OK;
}

/* ---- apart from each other ---- */

static void fill_uses(chase *c)
{
    const tacit__tables_block *b = c->block;
    for (int32_t j = 0; j < b->starts[b->rows]; j++)
        c->use_starts[b->items[j] + 2]++;
    for (int32_t i = 0; i <= b->variables; i++)
        c->use_starts[i + 1] += c->use_starts[i];
    for (int32_t row = 0; row < b->rows; row++)
        for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++)
            c->uses[c->use_starts[b->items[j] + 1]++] = row;
}

/* Takes the rows of a variable, if none is taken. */
static bool take_rows(chase *c, int32_t i)
{
    for (int32_t j = c->use_starts[i]; j < c->use_starts[i + 1]; j++)
        if (c->taken[c->uses[j]])
            return false;
    for (int32_t j = c->use_starts[i]; j < c->use_starts[i + 1]; j++)
        c->taken[c->uses[j]] = true;
    return true;
}

static int32_t push_apart(chase *c)
{
    int32_t count = 0;
    memset(c->taken, 0, (size_t)c->block->rows * sizeof *c->taken);
    for (int32_t t = 0; t < c->count; t++) {
        double cost = 0;
        for (int side = 0; side < 2 && cost == 0; side++)
            if (!c->settled[side][t] && !c->pushed[side][t] && take_rows(c, c->targets[t])) {
                c->pushed[side][t] = true;
                cost = side ? -1 : 1;
                count++;
            }
        tacit__prober_cost(c->prober, c->targets[t], cost);
    }
    return count;
}

static tacit_status sweep_apart(chase *c, tacit_error *err)
{
    int32_t fresh = LEAST_SETTLED;
    fill_uses(c);
    while (fresh >= LEAST_SETTLED && push_apart(c) >= LEAST_SETTLED) {
        tacit__tables_verdict verdict;
        tacit_status status = sweep(&fresh, &verdict, c, err);
        if (status != TACIT_OK)
            return status;
    }
    push_none(c);
    return TACIT_OK;
}

/* ---- whatever moves ---- */

/* Whether nothing is asked of a target but that it moves, and it was not seen to. */
static bool is_still(const chase *c, int32_t t)
{
    int32_t i = c->targets[t];
    return c->needs && c->needs->low[i] == 0 && c->needs->high[i] == 0 && c->needs->span[i] == 0 &&
           !(c->settled[0][t] && c->settled[1][t]);
}

/* Weights of either sign that no solution is likely to balance. */
static double odd_weight(int32_t t)
{
    uint64_t bits = tacit__mix((uint64_t)t + 1);
    double size = 1 + (double)(bits >> 12) * 0x1p-52;
    return bits & 1 ? size : -size;
}

static int32_t push_still(chase *c, double way)
{
    int32_t count = 0;
    for (int32_t t = 0; t < c->count; t++) {
        bool still = is_still(c, t);
        tacit__prober_cost(c->prober, c->targets[t], still ? way * odd_weight(t) : 0);
        count += still;
    }
    return count;
}

static void settle_still(chase *c)
{
    for (int32_t t = 0; t < c->count; t++)
        if (is_still(c, t))
            c->settled[0][t] = c->settled[1][t] = true;
}

/* A sum of the targets that have not moved yet, with weights, is pushed both ways. While it moves
 * some of them do. Where it does not, none of them does, but for solutions that the weights
 * balance: to leave these out is on the safe side. */
static tacit_status sweep_still(chase *c, tacit_error *err)
{
    bool proven = true, moved = true;
    tacit_status status = TACIT_OK;
    while (moved && status == TACIT_OK) {
        moved = false;
        for (int way = -1; way <= 1 && status == TACIT_OK; way += 2) {
            tacit__tables_verdict verdict;
            int32_t fresh = 0;
            if (push_still(c, way) == 0)
                return TACIT_OK;
            status = sweep(&fresh, &verdict, c, err);
            proven &= status == TACIT_OK && verdict == TACIT__PROVEN;
            moved |= fresh > 0;
        }
    }
    if (proven)
        settle_still(c);
    push_none(c);
    return status;
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
    tacit__tables_verdict verdict;
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
    if (c->sweeps)
        return status;
    if (status == TACIT_OK)
        status = sweep_apart(c, err);
    if (status == TACIT_OK)
        status = sweep_still(c, err);
    while (status == TACIT_OK && choose(c, &target, &side))
        status = probe(c, target, side, err);
    return status;
}

static tacit_status chase_reserve(chase *c, tacit_error *err)
{
    const tacit__tables_block *b = c->block;
    size_t n = (size_t)c->count, variables = (size_t)b->variables;
    for (int side = 0; side < 2; side++) {
        c->settled[side] = tacit__alloc_zeroed(n, sizeof *c->settled[side]);
        c->pushed[side] = tacit__alloc_zeroed(n, sizeof *c->pushed[side]);
    }
    c->last = tacit__alloc_array(variables, sizeof *c->last);
    c->use_starts = tacit__alloc_zeroed(variables + 2, sizeof *c->use_starts);
    c->uses = tacit__alloc_array((size_t)b->starts[b->rows], sizeof *c->uses);
    c->taken = tacit__alloc_array((size_t)b->rows, sizeof *c->taken);
    bool all = c->settled[0] && c->settled[1] && c->pushed[0] && c->pushed[1] && c->last &&
               c->use_starts && c->uses && c->taken;
    return all ? TACIT_OK : tacit__nomem(err);
}

static void chase_clear(chase *c)
{
    tacit__prober_free(c->prober);
    for (int side = 0; side < 2; side++) {
        tacit__free(c->settled[side]);
        tacit__free(c->pushed[side]);
    }
    tacit__free(c->last);
    tacit__free(c->use_starts);
    tacit__free(c->uses);
    tacit__free(c->taken);
}

static tacit_status start_chase(chase *c, const tacit__tables_adversary *adversary,
                                tacit_error *err)
{
    tacit_status status = chase_reserve(c, err);
    if (status == TACIT_OK)
        settle(c);
    if (status == TACIT_OK && open_sides(c) > 0) {
        status = tacit__prober_new(&c->prober, adversary, c->block, false, err);
        if (status == TACIT_OK) {
            c->close = tacit__prober_close(c->prober);
            status = run_chase(c, err);
            c->extent->programs += tacit__prober_programs(c->prober);
        }
    }
    chase_clear(c);
    return status;
}

tacit_status tacit__find_ranges(tacit__tables_extent *extent,
                                const tacit__tables_adversary *adversary,
                                const tacit__tables_block *block, const tacit__needs *needs,
                                const int32_t *targets, int32_t count, tacit_error *err)
{
    chase c = {
        .block = block, .needs = needs, .targets = targets, .count = count, .extent = extent};
    return start_chase(&c, adversary, err);
}

tacit_status tacit__sweep_ranges(tacit__tables_extent *extent,
                                 const tacit__tables_adversary *adversary,
                                 const tacit__tables_block *block, const tacit__needs *needs,
                                 const int32_t *targets, int32_t count, tacit_error *err)
{
    chase c = {.block = block,
               .needs = needs,
               .targets = targets,
               .count = count,
               .sweeps = true,
               .extent = extent};
    return start_chase(&c, adversary, err);
}
