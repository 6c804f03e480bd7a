/*
 * complete.c - values for the cells of a release that keeps some to itself; see complete.h.
 *
 * The adversary's programs speak of deviations from a table that fits what is published, and
 * what they find does not depend on which (cells.h). So any such table will do. A relation of
 * which one value is not known says what it is; that may leave others with one, until
 * nothing changes. What is left is fitted by linear programs (fit.c).
 *
 * Subtotals that the release does not list are nobody's secret: where they follow, they are
 * known as if they stood there.
 *
 * Linear in the terms of relations, but for the programs.
 */
#include "cells/alter/complete.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

typedef struct completion {
    tacit_cells *cells;
    double tolerance;
    int decimals; /* of published values */
    tacit_cell_uses *uses;
    int32_t *gaps; /* a relation each: values in it that are not known */
    int32_t *queue;
    int32_t waiting;
    tacit__off *off;
    size_t off_room;
    int64_t off_count;
} completion;

tacit_status tacit__contradiction(const tacit_cells *cells, int32_t relation, tacit_error *err)
{
    return tacit__cell_error(cells, cells->relations.items[cells->relations.starts[relation]],
                             TACIT_INVALID, err,
                             "no values of the suppressed cells add up to it and keep their "
                             "bounds; the release contradicts itself");
}

/* What the known values of a relation come to, and the gap last met. */
typedef struct known {
    double sum, size;
    int64_t gap; /* -1: none */
} known;

static known known_of(const tacit_cells *cells, int32_t relation)
{
    const tacit_relations *all = &cells->relations;
    known k = {.sum = -all->rhs[relation], .size = fabs(all->rhs[relation]), .gap = -1};
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        double value = cells->value[all->items[j]];
        if (isnan(value)) {
            k.gap = j;
            continue;
        }
        k.sum += all->coefs[j] * value;
        k.size += fabs(all->coefs[j] * value);
    }
    return k;
}

/* ---- what is published ---- */

/* The line to name for a relation: its total's, or the first that has one. */
static int64_t line_of(const tacit_cells *cells, int32_t relation)
{
    const tacit_relations *all = &cells->relations;
    int64_t j = all->starts[relation];
    while (j + 1 < all->starts[relation + 1] && !cells->line[all->items[j]])
        j++;
    return cells->line[all->items[j]];
}

static tacit_status check_published(completion *c, int32_t relation, tacit_error *err)
{
    known k = known_of(c->cells, relation);
    if (tacit__within(k.sum, k.size, c->tolerance))
        return TACIT_OK;
    return TACIT__PUSH(c->off, c->off_room, c->off_count,
                       tacit__off_of(k.sum, line_of(c->cells, relation)))
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status count_gaps(completion *c, tacit_error *err)
{
    const tacit_relations *all = &c->cells->relations;
    tacit_status status = TACIT_OK;
    for (int32_t r = 0; status == TACIT_OK && r < all->count; r++) {
        c->gaps[r] = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            c->gaps[r] += isnan(c->cells->value[all->items[j]]);
        if (c->gaps[r] == 0)
            status = check_published(c, r, err);
        if (c->gaps[r] == 1)
            c->queue[c->waiting++] = r;
    }
    if (status == TACIT_OK && c->off_count)
        status =
            tacit__off_error(c->off, c->off_count, c->cells->file, "subtotals do not add up", err);
    return status;
}

/* ---- what follows ---- */

/* A value that is a bound but for rounding is that bound. False: it is beyond. */
static bool settle(double *value, const tacit_cells *cells, int32_t cell, double size,
                   double tolerance)
{
    const double bounds[] = {cells->lower[cell], cells->upper[cell]};
    for (int i = 0; i < 2; i++)
        if (tacit__within(*value - bounds[i], size, 0)) {
            *value = bounds[i];
            return true;
        }
    double inside = fmin(fmax(*value, bounds[0]), bounds[1]);
    if (!tacit__within(inside - *value, size, tolerance))
        return false;
    *value = inside;
    return true;
}

/* A cell is known now: relations that are left with one gap say more, with none must hold. */
static tacit_status spread(completion *c, int32_t cell, tacit_error *err)
{
    for (int64_t u = c->uses->starts[cell]; u < c->uses->starts[cell + 1]; u++) {
        int32_t r = c->uses->relations[u];
        c->gaps[r]--;
        if (c->gaps[r] == 1)
            c->queue[c->waiting++] = r;
        if (c->gaps[r] > 0)
            continue;
        known k = known_of(c->cells, r);
        if (!tacit__within(k.sum, k.size, c->tolerance))
            return tacit__contradiction(c->cells, r, err);
    }
    return TACIT_OK;
}

/* A difference with the decimals of what it was computed from, as far as that is rounding. */
static double neat(const completion *c, double value, double size)
{
    double rounded = value;
    tacit__round_to(&rounded, 1, c->decimals);
    return tacit__within(rounded - value, size, 0) ? rounded : value;
}

static tacit_status deduce(completion *c, tacit_error *err)
{
    const tacit_relations *all = &c->cells->relations;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && c->waiting > 0) {
        int32_t r = c->queue[--c->waiting];
        known k = known_of(c->cells, r);
        if (k.gap < 0)
            continue;
        int32_t cell = all->items[k.gap];
        double size = k.size / fabs(all->coefs[k.gap]),
               value = neat(c, -k.sum / all->coefs[k.gap], size);
        if (!settle(&value, c->cells, cell, size, c->tolerance))
            return tacit__contradiction(c->cells, r, err);
        c->cells->value[cell] = value;
        status = spread(c, cell, err);
    }
    return status;
}

/* ---- the whole ---- */

/* Subtotals that are not listed and do not follow. */
static void mark_rest(tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (isnan(cells->value[i]) && !cells->unknown[i]) {
            cells->unknown[i] = true;
            cells->status[i] = TACIT_CELL_SECONDARY;
        }
}

static tacit_status complete(completion *c, const tacit__solver_backend *backend,
                             const tacit_run *run, tacit_error *err)
{
    size_t relations = (size_t)c->cells->relations.count;
    tacit_status status = tacit_cell_uses_new(&c->uses, c->cells, err);
    if (status != TACIT_OK)
        return status;
    c->gaps = tacit__alloc_array(relations, sizeof *c->gaps);
    c->queue = tacit__alloc_array(relations, sizeof *c->queue);
    if (!c->gaps || !c->queue)
        return tacit__nomem(err);
    status = count_gaps(c, err);
    if (status == TACIT_OK)
        status = deduce(c, err);
    if (status != TACIT_OK)
        return status;
    mark_rest(c->cells);
    tacit__fit to = {.uses = c->uses,
                     .gaps = c->gaps,
                     .decimals = c->decimals,
                     .tolerance = c->tolerance,
                     .backend = backend};
    return tacit__fit_blocks(c->cells, &to, run, err);
}

tacit_status tacit__cells_complete(tacit_cells *cells, double tolerance,
                                   const tacit__solver_backend *backend, const tacit_run *run,
                                   tacit_error *err)
{
    completion c = {.cells = cells,
                    .tolerance = tolerance,
                    .decimals = tacit__decimals_of(cells->value, (size_t)cells->count)};
    tacit_status status = complete(&c, backend, run, err);
    tacit_cell_uses_free(c.uses);
    tacit__free(c.gaps);
    tacit__free(c.queue);
    tacit__free(c.off);
    return status;
}
