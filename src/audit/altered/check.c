/*
 * check.c - what is known of a table whose values were changed, cell by cell; and
 * whether its published values are what is said of them.
 *
 * Both come first: an adversary who is told something untrue finds nothing, or the wrong thing.
 * Comparisons allow for what rounding does to sums (TACIT_CELLS_EQUAL). Linear in cells and terms.
 */
#include <math.h>

#include "audit/altered/altered.h"

static bool is_whole(double value)
{
    return value == nearbyint(value);
}

static bool all_whole(const tacit__changes *s)
{
    bool all = true;
    for (int32_t i = 0; i < s->cells->count && all; i++)
        all = is_whole(s->cells->value[i]) && is_whole(s->published[i]);
    return all;
}

/* The largest difference that whole numbers can have. */
static double whole_reach(const tacit_altered_known *known)
{
    double most = floor(known->reach);
    return known->within && most == known->reach ? fmax(0, most - 1) : most;
}

tacit__least_move tacit__least_move_of(const tacit_cells *cells, int32_t cell)
{
    double upl = cells->upl[cell], lpl = cells->lpl[cell];
    tacit__least_move least = {.up = upl > 0 ? upl : lpl, .down = lpl > 0 ? lpl : upl};
    double lack = (cells->spl[cell] - least.up - least.down) / 2;
    if (lack > 0) {
        least.up += lack;
        least.down += lack;
    }
    return least;
}

/* ---- what is known ---- */

static void narrow_zeros(tacit__changes *s, int32_t i)
{
    if (s->published[i] == 0 && isinf(s->reach))
        s->low[i] = s->high[i] = 0;
    else if (s->published[i] > 0 && s->low[i] == 0 && s->whole)
        s->low[i] = 1;
}

static void fill_cell(tacit__changes *s, int32_t i)
{
    const tacit_cells *cells = s->cells;
    s->low[i] = fmax(cells->lower[i], s->published[i] - s->reach);
    s->high[i] = fmin(cells->upper[i], s->published[i] + s->reach);
    if (s->known->zero_stays)
        narrow_zeros(s, i);
    if (s->known->fixed_stays && cells->status[i] == TACIT_CELL_FIXED)
        s->low[i] = s->high[i] = s->published[i];
    s->side[0][i] = s->side[1][i] = INFINITY;
    if (s->known->beyond && cells->status[i] == TACIT_CELL_PRIMARY) {
        tacit__least_move least = tacit__least_move_of(cells, i);
        s->side[0][i] = s->published[i] - least.up;
        s->side[1][i] = s->published[i] + least.down;
    }
}

void tacit__changes_fill(tacit__changes *changes)
{
    changes->whole = all_whole(changes);
    changes->reach = changes->known->reach;
    if (changes->whole && isfinite(changes->reach))
        changes->reach = whole_reach(changes->known);
    for (int32_t i = 0; i < changes->cells->count; i++)
        fill_cell(changes, i);
}

/* ---- whether it is true ---- */

static bool is_multiple(double value, double base)
{
    double times = value / base;
    return fabs(times - nearbyint(times)) <= TACIT_CELLS_EQUAL * fmax(1, fabs(times));
}

static bool is_beyond(const tacit__changes *s, int32_t i)
{
    double value = s->cells->value[i], noise = tacit__value_noise(value);
    return !tacit__has_sides(s, i) || value <= s->side[0][i] + noise ||
           value >= s->side[1][i] - noise;
}

static bool is_true(const tacit__changes *s, int32_t i)
{
    double value = s->cells->value[i], noise = tacit__value_noise(value);
    const tacit_altered_known *known = s->known;
    if (!isfinite(s->published[i]) || !(value >= s->low[i] - noise && value <= s->high[i] + noise))
        return false;
    if (known->base > 0 && !is_multiple(s->published[i], known->base))
        return false;
    if (known->within && fabs(value - s->published[i]) >= known->reach)
        return false;
    if (known->zero_stays && value == 0 && s->published[i] != 0)
        return false;
    return is_beyond(s, i);
}

static bool relation_holds(const tacit__changes *s, int32_t r)
{
    const tacit_relations *all = &s->cells->relations;
    double sum = -all->rhs[r], size = fabs(all->rhs[r]);
    for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
        double term = all->coefs[j] * s->published[all->items[j]];
        sum += term;
        size += fabs(term);
    }
    return fabs(sum) <= TACIT_CELLS_EQUAL * fmax(1, size) + s->cells->residual;
}

void tacit__changes_check(tacit_altered_audit *audit, const tacit__changes *changes)
{
    audit->first_broken = -1;
    for (int32_t i = 0; i < changes->cells->count; i++)
        if (!is_true(changes, i)) {
            audit->first_broken = audit->broken == 0 ? i : audit->first_broken;
            audit->broken++;
        }
    for (int32_t r = 0; changes->known->additive && r < changes->cells->relations.count; r++)
        audit->broken += !relation_holds(changes, r);
}
