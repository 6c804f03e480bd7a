/*
 * exact_units.c - rows whose cells may be blank, and how many rows they agree with.
 *
 * A unit in need agrees with all rows of a class where it has blank what it differs in, and
 * otherwise with those units of the class that have the rest blank. Looking a unit up costs a pass
 * over classes and units; a unit's blanks change what others agree with by itself only, so giving
 * it others costs such a pass too. Nothing is kept for pairs.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

enum {
    MAX_UNITS = 20000,
    MAX_UNIT_LOOKS = 400000000, /* units in need times classes */
    STEPS_OF_ONE = 1000         /* costs are looked at as fractions with denominators up to this */
};

/* ---- costs ---- */

static bool divides(const tacit__tableau *t, int denominator)
{
    for (int64_t i = 0; i < t->classes * t->columns; i++) {
        double parts = t->costs[i] * denominator;
        if (fabs(parts - round(parts)) > 1e-9 * (1 + parts))
            return false;
    }
    return true;
}

static double find_step(const tacit__tableau *t)
{
    for (int denominator = 1; denominator <= STEPS_OF_ONE; denominator++)
        if (divides(t, denominator))
            return 1.0 / denominator;
    return 0;
}

/* Costs are sums, with what rounding leaves of them. */
static double slack_of(double cost)
{
    return 1e-7 * (1 + fabs(cost));
}

double tacit__exact_cutoff(const tacit__exact *e)
{
    if (!e->found)
        return INFINITY;
    double slack = slack_of(e->best.cost);
    return e->step > 0 ? e->best.cost - e->step + slack : e->best.cost - slack;
}

double tacit__exact_lift(const tacit__exact *e, double bound)
{
    if (e->step <= 0 || !isfinite(bound))
        return bound;
    return e->step * ceil((bound - 1e-5 * (1 + fabs(bound) * 0.01)) / e->step);
}

void tacit__masks_fit(tacit__masks *m, tacit__exact *e)
{
    size_t had = m->mask_capacity < m->alpha_capacity ? m->mask_capacity : m->alpha_capacity;
    size_t units = (size_t)e->unit_count + 1;
    if (had >= units)
        return;
    e->failed |= !TACIT__RESERVE(m->mask, m->mask_capacity, units) ||
                 !TACIT__RESERVE(m->alpha, m->alpha_capacity, units);
    if (e->failed)
        return;
    size_t room = m->mask_capacity < m->alpha_capacity ? m->mask_capacity : m->alpha_capacity;
    memset(m->mask + had, 0, (room - had) * sizeof *m->mask);
    memset(m->alpha + had, 0, (room - had) * sizeof *m->alpha);
}

void tacit__masks_clear(tacit__masks *m)
{
    tacit__free(m->mask);
    tacit__free(m->alpha);
    *m = (tacit__masks){0};
}

/* ---- units ---- */

static int32_t need_of(const tacit__tableau *t, int64_t class_index)
{
    int64_t need = t->k - t->counts[class_index];
    return need > 0 ? (int32_t)need : 0;
}

void tacit__exact_add_unit(tacit__exact *e, uint32_t class_index)
{
    e->failed |= !TACIT__RESERVE_ONE(e->units, e->unit_capacity, e->unit_count);
    if (e->failed)
        return;
    e->units[e->unit_count] = (tacit__unit){.class_index = class_index,
                                            .need = need_of(e->tableau, class_index),
                                            .before = e->last[class_index],
                                            .first_link = -1};
    e->last[class_index] = e->unit_count++;
    e->uses[class_index]++;
    tacit__masks_fit(&e->best, e);
}

void tacit__exact_add_link(tacit__exact *e, int32_t unit, int32_t helper, uint64_t differ)
{
    e->failed |= !TACIT__RESERVE_ONE(e->links, e->link_capacity, e->link_count);
    if (e->failed)
        return;
    e->links[e->link_count] = (tacit__link){
        .unit = unit, .helper = helper, .differ = differ, .next = e->units[unit].first_link};
    e->units[unit].first_link = e->link_count++;
}

/* Rows of classes in need, where they and what they are compared with are not too many. */
static tacit_status check_size(const tacit__tableau *t, tacit_error *err)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < t->classes; i++)
        rows += t->counts[i] < t->k ? t->counts[i] : 0;
    if (rows <= MAX_UNITS && rows * t->classes <= MAX_UNIT_LOOKS && t->k <= INT32_MAX)
        return TACIT_OK;
    return tacit__error(err, TACIT_LIMIT,
                        "%lld rows agree with fewer than k: too many for the exact way; use cover",
                        (long long)rows);
}

tacit_status tacit__exact_init(tacit__exact *e, const tacit__tableau *tableau, const tacit_run *run,
                               tacit_error *err)
{
    *e = (tacit__exact){.tableau = tableau, .run = run, .step = find_step(tableau)};
    tacit_status status = check_size(tableau, err);
    if (status != TACIT_OK)
        return status;
    e->last = tacit__alloc_array((size_t)tableau->classes, sizeof *e->last);
    e->uses = tacit__alloc_zeroed((size_t)tableau->classes, sizeof *e->uses);
    e->failed = !e->last || !e->uses;
    for (int64_t i = 0; !e->failed && i < tableau->classes; i++)
        e->last[i] = -1;
    for (int64_t i = 0; i < tableau->classes; i++)
        for (int64_t n = 0; !e->failed && need_of(tableau, i) && n < tableau->counts[i]; n++)
            tacit__exact_add_unit(e, (uint32_t)i);
    if (!e->failed)
        return TACIT_OK;
    tacit__exact_clear(e);
    return tacit__nomem(err);
}

void tacit__exact_clear(tacit__exact *e)
{
    tacit__free(e->units);
    tacit__free(e->links);
    tacit__free(e->last);
    tacit__free(e->uses);
    tacit__masks_clear(&e->best);
    *e = (tacit__exact){0};
}

uint64_t tacit__exact_differ(const tacit__exact *e, int32_t unit, int32_t other)
{
    return tacit__tableau_differ(e->tableau, e->units[unit].class_index,
                                 e->units[other].class_index);
}

bool tacit__exact_may(const tacit__exact *e, int32_t unit, uint32_t helper_class, uint64_t differ)
{
    const tacit__tableau *t = e->tableau;
    double least = 0;
    if (__builtin_popcountll(differ) > 2 * t->most_row || t->most_column < 1)
        return false;
    for (uint64_t left = differ; left; left &= left - 1) {
        int c = __builtin_ctzll(left);
        least +=
            fmin(tacit__exact_cost(e, unit, c), t->costs[(int64_t)helper_class * t->columns + c]);
    }
    return least <= tacit__exact_cutoff(e);
}

/* ---- blanks ---- */

void tacit__masks_reset(tacit__masks *m, const tacit__exact *e)
{
    for (int32_t u = 0; u < e->unit_count; u++) {
        m->mask[u] = 0;
        m->alpha[u] = e->tableau->counts[e->units[u].class_index];
    }
    m->cost = 0;
    memset(m->column, 0, sizeof m->column);
}

static int64_t count_alpha(const tacit__masks *m, const tacit__exact *e, int32_t unit)
{
    const tacit__tableau *t = e->tableau;
    int64_t alpha = 0;
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t left = tacit__tableau_differ(t, e->units[unit].class_index, i) & ~m->mask[unit];
        if (!left)
            alpha += t->counts[i];
        for (int32_t u = left ? e->last[i] : -1; u >= 0; u = e->units[u].before)
            alpha += !(left & ~m->mask[u]);
    }
    return alpha;
}

void tacit__masks_set(tacit__masks *m, const tacit__exact *e, int32_t unit, uint64_t mask)
{
    const tacit__tableau *t = e->tableau;
    uint64_t old = m->mask[unit];
    uint32_t class_index = e->units[unit].class_index;
    if (old == mask)
        return;
    m->cost += tacit__tableau_cost(t, class_index, mask & ~old) -
               tacit__tableau_cost(t, class_index, old & ~mask);
    for (int32_t c = 0; c < t->columns; c++)
        m->column[c] += (int64_t)(mask >> c & 1) - (int64_t)(old >> c & 1);
    for (int32_t u = 0; u < e->unit_count; u++) {
        if (!e->units[u].need || e->units[u].class_index == class_index)
            continue;
        uint64_t left = tacit__exact_differ(e, u, unit) & ~m->mask[u];
        m->alpha[u] += (int64_t) !(left & ~mask) - (int64_t) !(left & ~old);
    }
    m->mask[unit] = mask;
    if (e->units[unit].need)
        m->alpha[unit] = count_alpha(m, e, unit);
}

static bool masks_keep(const tacit__masks *m, const tacit__exact *e)
{
    const tacit__tableau *t = e->tableau;
    for (int32_t c = 0; c < t->columns; c++)
        if (m->column[c] > t->most_column)
            return false;
    for (int32_t u = 0; u < e->unit_count; u++)
        if ((e->units[u].need && m->alpha[u] < t->k) ||
            __builtin_popcountll(m->mask[u]) > t->most_row)
            return false;
    return true;
}

static bool enough(const tacit__masks *m, const tacit__exact *e)
{
    for (int32_t u = 0; u < e->unit_count; u++)
        if (e->units[u].need && m->alpha[u] < e->tableau->k)
            return false;
    return true;
}

/* The highest cost below a limit that a blank has; 0: none. */
static double next_cost(const tacit__masks *m, const tacit__exact *e, double below)
{
    double next = 0;
    for (int32_t u = 0; u < e->unit_count; u++)
        for (uint64_t left = m->mask[u]; left; left &= left - 1) {
            double cost = tacit__exact_cost(e, u, __builtin_ctzll(left));
            next = cost < below && cost > next ? cost : next;
        }
    return next;
}

/* Fills those of a unit's blanks that cost so much and are not needed. */
static void fill_unit(tacit__masks *m, const tacit__exact *e, int32_t unit, double cost)
{
    for (uint64_t left = m->mask[unit]; left; left &= left - 1) {
        uint64_t bit = left & -left, mask = m->mask[unit];
        if (tacit__exact_cost(e, unit, __builtin_ctzll(left)) != cost)
            continue;
        tacit__masks_set(m, e, unit, mask & ~bit);
        if (!enough(m, e))
            tacit__masks_set(m, e, unit, mask);
    }
}

void tacit__masks_minimize(tacit__masks *m, const tacit__exact *e)
{
    for (double cost = INFINITY; (cost = next_cost(m, e, cost)) > 0;)
        for (int32_t u = 0; u < e->unit_count; u++)
            fill_unit(m, e, u, cost);
}

void tacit__exact_offer(tacit__exact *e, const tacit__masks *m)
{
    if (!masks_keep(m, e) || (e->found && m->cost >= e->best.cost - slack_of(m->cost)))
        return;
    tacit__masks_fit(&e->best, e);
    if (e->failed)
        return;
    memcpy(e->best.mask, m->mask, (size_t)e->unit_count * sizeof *m->mask);
    memcpy(e->best.alpha, m->alpha, (size_t)e->unit_count * sizeof *m->alpha);
    memcpy(e->best.column, m->column, sizeof m->column);
    e->best.cost = m->cost;
    e->found = true;
}
