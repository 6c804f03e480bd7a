/*
 * sums.c - how well the sum of a relation's primary cells must be hidden; see sums.h.
 *
 * The sum of two cells that are hidden well may be known all the same: the total less all others.
 * It is to be hidden like a cell with the contributors of both. A primary cell with level l and
 * the rest R of its contributions, those beyond its two largest contributors, keeps its largest
 * contributor hidden by l + R (Handbook on Statistical Disclosure Control, 4.2). The sum has a
 * rest of its own, of whoever contributes to any of its cells, which counts towards that; what is
 * missing of the most that any of its cells asks for is its level. Where contributions are not
 * known a cell is one contributor's; counts are made of ones.
 *
 * Cost: a sort of the contributors of every relation with two primary cells or more.
 */
#include "cells/suppress/sums.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

/* What one gave to one cell. */
typedef struct gift {
    int64_t giver;
    double amount;
} gift;

/* The sum in hand. */
typedef struct summing {
    const tacit_cells *cells;
    const char *status;
    tacit__demand_term *terms;
    int32_t term_count;
    gift *gifts; /* of all its cells */
    int32_t gift_count;
    gift *sorted;
} summing;

static int by_giver(const void *left, const void *right)
{
    const gift *a = left, *b = right;
    return a->giver < b->giver ? -1 : a->giver > b->giver;
}

/* What is left of a total without its two largest givers. */
static double rest_of(const summing *s, int32_t first, double total)
{
    int32_t count = s->gift_count - first;
    double largest = 0, second = 0, own = 0;
    for (int32_t i = 0; i < count; i++)
        s->sorted[i] = s->gifts[first + i];
    if (count > 0)
        qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_giver);
    for (int32_t i = 0; i < count; i++) {
        own += s->sorted[i].amount;
        if (i + 1 < count && s->sorted[i + 1].giver == s->sorted[i].giver)
            continue;
        second = fmax(second, fmin(largest, own));
        largest = fmax(largest, own);
        own = 0;
    }
    return fmax(0, total - largest - second);
}

static void give(summing *s, int32_t cell, int32_t r, int32_t owner, double amount)
{
    int64_t nobody = ((int64_t)1 << 32) + (int64_t)cell * TACIT_MAX_TOP + r;
    s->gifts[s->gift_count++] = (gift){owner < 0 ? nobody : owner, amount};
}

/* Lists what was given to a cell; returns its total. */
static double list_gifts(summing *s, int32_t cell)
{
    const tacit_cells *c = s->cells;
    double size = fabs(c->value[cell]);
    if (c->top_count >= 2 && !c->shadow && c->freq && c->freq[cell] > 0) {
        for (int32_t r = 0; r < c->top_count; r++) {
            int64_t at = (int64_t)cell * c->top_count + r;
            give(s, cell, r, c->top_owner ? c->top_owner[at] : -1, c->top[at]);
        }
        return c->gross ? c->gross[cell] : size;
    }
    if (!c->counts) {
        give(s, cell, 0, -1, size);
        return size;
    }
    for (int32_t r = 0; r < 2 && r < size; r++)
        give(s, cell, r, -1, 1);
    return size;
}

static double more(double most, double level, double rest)
{
    return level > 0 ? fmax(most, level + rest) : most;
}

/* What the cells of a side of a relation ask for together; zeros: nothing. */
static tacit__need need_of_side(summing *s, int32_t relation, double side)
{
    const tacit_cells *c = s->cells;
    const tacit_relations *all = &c->relations;
    tacit__need most = {0};
    double total = 0;
    s->term_count = s->gift_count = 0;
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        int32_t cell = all->items[j], before = s->gift_count;
        if (s->status[cell] != TACIT_CELL_PRIMARY || all->coefs[j] * side <= 0)
            continue;
        double own = list_gifts(s, cell), rest = rest_of(s, before, own);
        most.up = more(most.up, c->upl[cell], rest);
        most.down = more(most.down, c->lpl[cell], rest);
        most.spread = more(most.spread, c->spl[cell], 2 * rest);
        total += own;
        s->terms[s->term_count++] = (tacit__demand_term){cell, fabs(all->coefs[j])};
    }
    if (s->term_count < 2)
        return (tacit__need){0};
    double rest = rest_of(s, 0, total);
    return (tacit__need){.up = fmax(0, most.up - rest),
                         .down = fmax(0, most.down - rest),
                         .spread = fmax(0, most.spread - 2 * rest)};
}

static tacit_status add_side(tacit__demands *demands, summing *s, int32_t relation, double side,
                             tacit_error *err)
{
    tacit__demand demand = {.need = need_of_side(s, relation, side)};
    demand.terms = s->terms;
    demand.term_count = s->term_count;
    return tacit__needs_any(demand.need) ? tacit__demands_add(demands, &demand, err) : TACIT_OK;
}

tacit_status tacit__sums_add(tacit__demands *demands, const tacit_cells *cells, const char *status,
                             tacit_error *err)
{
    const tacit_relations *all = &cells->relations;
    size_t longest = 0, top = cells->top_count > 2 ? (size_t)cells->top_count : 2;
    for (int32_t r = 0; r < all->count; r++) {
        size_t terms = (size_t)(all->starts[r + 1] - all->starts[r]);
        longest = terms > longest ? terms : longest;
    }
    summing s = {.cells = cells,
                 .status = status,
                 .terms = tacit__alloc_array(longest, sizeof *s.terms),
                 .gifts = tacit__alloc_array(longest * top, sizeof *s.gifts),
                 .sorted = tacit__alloc_array(longest * top, sizeof *s.sorted)};
    tacit_status done = s.terms && s.gifts && s.sorted ? TACIT_OK : tacit__nomem(err);
    for (int32_t r = 0; r < all->count && done == TACIT_OK; r++) {
        done = add_side(demands, &s, r, 1, err);
        if (done == TACIT_OK)
            done = add_side(demands, &s, r, -1, err);
    }
    tacit__free(s.terms);
    tacit__free(s.gifts);
    tacit__free(s.sorted);
    return done;
}
