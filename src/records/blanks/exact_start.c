/*
 * exact_start.c - solutions to begin with, and from fractions.
 *
 * Units in need are taken one after the other; each gets the helper that is the cheapest
 * for every row it agrees with, again and again until it agrees with k. What the two
 * differ in becomes blank where that costs less and limits leave room. With the prices of
 * cells that a linear program has all but blanked made low, the same rounds its solution.
 * Blanks that turn out not to be needed are filled again. A unit costs a pass over classes
 * and units for each helper.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/blanks/exact.h"

/* A helper and what is to become blank for it. */
typedef struct helper_offer {
    uint32_t class_index;
    int32_t helper;       /* a unit; -1: the class, for which only the unit's cells are blanked */
    bool fresh;           /* the helper is a row of the class that is no unit yet */
    uint64_t own, theirs; /* cells of the unit in need, and of the helper */
    double price;         /* a row that is agreed with */
} helper_offer;

typedef struct greedy {
    tacit__exact *exact;
    tacit__masks masks;
    const double *prices;
    int32_t priced; /* units that have prices */
} greedy;

static double cell_price(const greedy *g, int32_t unit, uint32_t class_index, int c)
{
    const tacit__tableau *t = g->exact->tableau;
    if (g->prices && unit >= 0 && unit < g->priced)
        return g->prices[(int64_t)unit * t->columns + c];
    return t->costs[(int64_t)class_index * t->columns + c];
}

/* Divides what is to become blank between a unit and a helper; false where limits forbid. */
static bool divide(helper_offer *o, const greedy *g, int32_t unit, uint64_t left,
                   uint64_t their_mask)
{
    const tacit__tableau *t = g->exact->tableau;
    int own_room = t->most_row - __builtin_popcountll(g->masks.mask[unit]);
    int room = o->helper >= 0 || o->fresh ? t->most_row - __builtin_popcountll(their_mask) : 0;
    for (; left; left &= left - 1) {
        int c = __builtin_ctzll(left);
        double own =
            own_room > 0 ? cell_price(g, unit, g->exact->units[unit].class_index, c) : INFINITY;
        double theirs = room > 0 ? cell_price(g, o->helper, o->class_index, c) : INFINITY;
        if (fmin(own, theirs) == INFINITY || g->masks.column[c] >= t->most_column)
            return false;
        o->price += fmin(own, theirs);
        if (own <= theirs) {
            o->own |= 1ull << c;
            own_room--;
        } else {
            o->theirs |= 1ull << c;
            room--;
        }
    }
    return true;
}

static void consider(helper_offer *best, const greedy *g, int32_t unit, helper_offer o,
                     uint64_t left, int64_t rows)
{
    uint64_t mask = o.helper >= 0 ? g->masks.mask[o.helper] : 0;
    left &= ~mask;
    if (!left || !divide(&o, g, unit, left, mask))
        return;
    o.price /= (double)rows;
    if (o.price < best->price)
        *best = o;
}

/* The best helper of a unit; price INFINITY: there is none. */
static helper_offer find_helper(const greedy *g, int32_t unit)
{
    const tacit__exact *e = g->exact;
    const tacit__tableau *t = e->tableau;
    helper_offer best = {.price = INFINITY};
    int64_t missing = t->k - g->masks.alpha[unit];
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t left =
            tacit__tableau_differ(t, e->units[unit].class_index, i) & ~g->masks.mask[unit];
        helper_offer o = {.class_index = (uint32_t)i, .helper = -1};
        if (!left)
            continue;
        consider(&best, g, unit, o, left, t->counts[i] < missing ? t->counts[i] : missing);
        for (o.helper = e->last[i]; o.helper >= 0; o.helper = e->units[o.helper].before)
            consider(&best, g, unit, o, left, 1);
        o.fresh = e->uses[i] < t->counts[i];
        if (o.fresh && t->most_row < t->columns)
            consider(&best, g, unit, o, left, 1);
    }
    return best;
}

static tacit_status use_helper(greedy *g, int32_t unit, helper_offer o, tacit_error *err)
{
    tacit__exact *e = g->exact;
    tacit_status status = TACIT_OK;
    if (o.fresh && o.theirs) {
        status = tacit__exact_add_unit(e, o.class_index, err);
        if (status == TACIT_OK)
            status = tacit__masks_fit(&g->masks, e, err);
        if (status != TACIT_OK)
            return status;
        o.helper = e->last[o.class_index];
    }
    tacit__masks_set(&g->masks, e, unit, g->masks.mask[unit] | o.own);
    if (o.helper >= 0)
        tacit__masks_set(&g->masks, e, o.helper, g->masks.mask[o.helper] | o.theirs);
    return TACIT_OK;
}

/* Helps every unit in need. *done is false where limits leave no way. */
static tacit_status help_units(bool *done, greedy *g, tacit_error *err)
{
    tacit__exact *e = g->exact;
    tacit_status status = TACIT_OK;
    *done = true;
    for (int32_t u = 0; status == TACIT_OK && *done && u < e->unit_count; u++) {
        status = tacit__progress(e->run, "ambiguate", u, e->unit_count, err);
        while (status == TACIT_OK && *done && e->units[u].need &&
               g->masks.alpha[u] < e->tableau->k) {
            helper_offer o = find_helper(g, u);
            *done = o.price < INFINITY;
            if (*done)
                status = use_helper(g, u, o, err);
        }
    }
    return status;
}

tacit_status tacit__exact_greedy(tacit__exact *e, const double *prices, tacit_error *err)
{
    greedy g = {.exact = e, .prices = prices, .priced = e->unit_count};
    bool done = false;
    tacit_status status = tacit__masks_fit(&g.masks, e, err);
    if (status == TACIT_OK) {
        tacit__masks_reset(&g.masks, e);
        status = help_units(&done, &g, err);
    }
    if (status == TACIT_OK && done) {
        tacit__masks_minimize(&g.masks, e);
        status = tacit__exact_offer(e, &g.masks, err);
    }
    tacit__masks_clear(&g.masks);
    return status;
}

/* ---- plans ---- */

/* Blanks rows of a class that have none, which become units where they are not. */
static tacit_status take_blank(tacit__masks *m, tacit__exact *e, const tacit__blank *blank,
                               int64_t *left, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t n = 0; status == TACIT_OK && n < blank->rows; n++) {
        if (left[blank->class_index] == 0) {
            status = tacit__exact_add_unit(e, blank->class_index, err);
            left[blank->class_index] = status == TACIT_OK;
        }
        if (status == TACIT_OK)
            status = tacit__masks_fit(m, e, err);
        int32_t unit = e->last[blank->class_index];
        for (int64_t skip = --left[blank->class_index]; status == TACIT_OK && skip > 0; skip--)
            unit = e->units[unit].before;
        if (status == TACIT_OK)
            tacit__masks_set(m, e, unit, blank->mask);
    }
    return status;
}

tacit_status tacit__exact_take(tacit__exact *e, const tacit__blanking *plan, tacit_error *err)
{
    size_t classes = (size_t)e->tableau->classes;
    tacit__masks m = {0};
    int64_t *left = tacit__alloc_array(classes, sizeof *left); /* units without blanks */
    tacit_status status = left ? tacit__masks_fit(&m, e, err) : tacit__nomem(err);
    for (size_t i = 0; left && i < classes; i++)
        left[i] = e->uses[i];
    if (status == TACIT_OK)
        tacit__masks_reset(&m, e);
    for (int64_t b = 0; status == TACIT_OK && b < plan->count; b++)
        status = take_blank(&m, e, &plan->blanks[b], left, err);
    if (status == TACIT_OK)
        status = tacit__exact_offer(e, &m, err);
    tacit__masks_clear(&m);
    tacit__free(left);
    return status;
}
