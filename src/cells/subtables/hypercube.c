/*
 * hypercube.c - every suppressed cell gets a cuboid of suppressed cells around it (Repsilber
 * 2002; Meindl, section 2.3).
 *
 * Subtable by subtable, from the top down: for each suppressed cell the cheapest cuboid that
 * hides it as far as it needs (cuboid.c); its corners are suppressed too. Corners on margins
 * belong to other subtables, so these are looked at again until nothing changes. Primary cells
 * come first, the hardest to hide before the others; secondary ones must not be known exactly.
 *
 * A contributor who is alone in a cell knows its value, and with it that of every cell whose only
 * cuboid holds it. So a primary cell's cuboid has no other cell of one contributor where
 * that can be had; where not, or where asked for in any case, it gets a second cuboid.
 *
 * One cuboid after the other is greedy, and greed for small prices spreads cuboids over many
 * cells where dearer ones would share corners. Going by the logarithm of the price instead
 * shares more. Both are tried; the pattern with the lower price is kept.
 *
 * Safe within subtables only; suppress/suppress.c has the whole table judged. Linear in the places
 * of all subtables, and a search a suppressed cell for each round; two or three rounds are usual.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/subtables/hypercube.h"

/* Cells of a large subtable between two looks at whether to go on. */
enum { TARGETS_A_STEP = 16 };

double tacit__hypercube_price(const tacit__hypercube *h, int32_t cell)
{
    double size = fabs(h->cells->value[cell]);
    switch (h->options->cuboid) {
    case TACIT_CUBOID_COST: return h->cells->cost[cell];
    case TACIT_CUBOID_COUNT: return 1;
    case TACIT_CUBOID_VALUE: return size;
    case TACIT_CUBOID_LOG: return log1p(size);
    }
    return 1;
}

/* The search goes by the price or by its logarithm, see above. */
static double corner_price(const tacit__hypercube *h, int32_t cell)
{
    double price = tacit__hypercube_price(h, cell);
    return h->logarithm ? log1p(price) : price;
}

/* A place without a cell is a zero that everybody knows. */
static tacit__corner corner_of(const tacit__hypercube *h, int32_t cell)
{
    const tacit_cells *cells = h->cells;
    if (cell < 0)
        return (tacit__corner){.price = INFINITY, .barred = true};
    bool published = !tacit__suppressed(h->status[cell]);
    bool fixed = h->status[cell] == TACIT_CELL_FIXED ||
                 (!h->options->zeros && cells->value[cell] == 0 && published);
    return (tacit__corner){.price = fixed       ? INFINITY
                                    : published ? corner_price(h, cell)
                                                : 0,
                           .up = cells->upper[cell] - cells->value[cell],
                           .down = cells->value[cell] - cells->lower[cell],
                           .fresh = published,
                           .alone = cells->freq && cells->freq[cell] == 1,
                           .barred = fixed};
}

/* Primary cells first, largest first: they have the least choice. */
static int by_hardness(const void *left, const void *right)
{
    const tacit__target *a = left, *b = right;
    if (a->primary != b->primary)
        return a->primary ? -1 : 1;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void tacit__hypercube_load(tacit__hypercube *h, int32_t index)
{
    tacit__subtables_view *view = &h->cuboids.view;
    tacit__view_fill(view, h->subtables, index);
    h->target_count = 0;
    for (int32_t i = 0; i < view->count; i++) {
        int32_t cell = view->cells[i];
        if (cell >= 0 && tacit__suppressed(h->status[cell]))
            h->targets[h->target_count++] =
                (tacit__target){.place = i,
                                .primary = h->status[cell] == TACIT_CELL_PRIMARY,
                                .value = h->cells->value[cell]};
    }
}

static tacit__need need_of(const tacit__hypercube *h, int32_t cell)
{
    const tacit_cells *cells = h->cells;
    tacit__need need = tacit__need_of(cells, h->status, cell, h->largest);
    if (h->options->cuboid_level > 0 && h->status[cell] == TACIT_CELL_PRIMARY) {
        double level = h->options->cuboid_level / 100 * fabs(cells->value[cell]);
        need.up = fmin(level, cells->upper[cell] - cells->value[cell]);
        need.down = fmin(level, cells->value[cell] - cells->lower[cell]);
    }
    return need;
}

static void suppress_corners(tacit__hypercube *h)
{
    for (int32_t i = 0; i < h->cuboids.best_count; i++) {
        int32_t place = h->cuboids.best[i], cell = h->cuboids.view.cells[place];
        if (tacit__suppressed(h->status[cell]))
            continue;
        h->status[cell] = TACIT_CELL_SECONDARY;
        h->cuboids.corners[place].price = 0;
        h->cuboids.corners[place].fresh = false;
    }
}

/* Whether the best cuboid has a cell of one contributor besides the first corner. */
static bool best_has_alone(const tacit__hypercube *h)
{
    bool has = false;
    for (int32_t i = 1; i < h->cuboids.best_count; i++)
        has |= h->cuboids.corners[h->cuboids.best[i]].alone;
    return has;
}

/* Another cuboid that shares no corner but the first with the best one; with those of one
 * contributor only, where it is because of them. */
static bool find_second(tacit__hypercube *h, int32_t place, const tacit__need *need, bool all)
{
    int32_t count = h->cuboids.best_count;
    memcpy(h->first, h->cuboids.best, (size_t)count * sizeof *h->first);
    for (int32_t i = 1; i < count; i++) {
        tacit__corner *corner = &h->cuboids.corners[h->first[i]];
        corner->barred = all || corner->alone;
    }
    bool found = tacit__cuboid_find(&h->cuboids, place, need);
    if (found)
        suppress_corners(h);
    for (int32_t i = 1; i < count; i++)
        h->cuboids.corners[h->first[i]].barred = false;
    return found;
}

tacit__hiding tacit__hypercube_hide(tacit__hypercube *h, const tacit__target *target)
{
    tacit__need need = need_of(h, h->cuboids.view.cells[target->place]);
    bool twice = h->options->second_cuboid;
    h->cuboids.avoid_alone = target->primary && !twice;
    bool found = tacit__cuboid_find(&h->cuboids, target->place, &need);
    if (!found && h->cuboids.avoid_alone) {
        h->cuboids.avoid_alone = false;
        found = tacit__cuboid_find(&h->cuboids, target->place, &need);
    }
    if (!found)
        return TACIT__HIDING_NONE;
    suppress_corners(h);
    bool second =
        target->primary && (twice ? h->cuboids.corners[target->place].alone : best_has_alone(h));
    if (second && !find_second(h, target->place, &need, twice))
        return TACIT__HIDING_ONE;
    return TACIT__HIDING_WHOLE;
}

void tacit__hypercube_corners(tacit__hypercube *h, bool suppressed_only)
{
    for (int32_t i = 0; i < h->cuboids.view.count; i++) {
        tacit__corner *corner = &h->cuboids.corners[i];
        *corner = corner_of(h, h->cuboids.view.cells[i]);
        corner->barred |= suppressed_only && corner->fresh;
    }
}

static int32_t count_suppressed(const tacit__hypercube *h)
{
    int32_t count = 0;
    for (int32_t i = 0; i < h->cuboids.view.count; i++) {
        int32_t cell = h->cuboids.view.cells[i];
        count += cell >= 0 && tacit__suppressed(h->status[cell]);
    }
    return count;
}

/* Cells only ever become suppressed: a subtable with as many as before is done. */
static tacit_status do_subtable(tacit__hypercube *h, int32_t index, bool *changed,
                                const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__hypercube_load(h, index);
    if (h->target_count == h->settled[index])
        return TACIT_OK;
    tacit__hypercube_corners(h, false);
    qsort(h->targets, (size_t)h->target_count, sizeof *h->targets, by_hardness);
    for (int32_t i = 0; i < h->target_count && status == TACIT_OK; i++) {
        if (!tacit__hypercube_hide(h, &h->targets[i]) && h->targets[i].primary &&
            h->unprotected < 0)
            h->unprotected = h->cuboids.view.cells[h->targets[i].place];
        if (i % TARGETS_A_STEP == TARGETS_A_STEP - 1)
            status = tacit__progress(run, "hypercube", index, h->subtables->count, err);
    }
    h->settled[index] = count_suppressed(h);
    *changed |= h->settled[index] > h->target_count;
    return status;
}

static tacit_status do_rounds(tacit__hypercube *h, tacit_pattern *pattern, const tacit_run *run,
                              tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool changed = true;
    while (changed && status == TACIT_OK) {
        changed = false;
        h->unprotected = -1;
        for (int32_t i = 0; i < h->subtables->count && status == TACIT_OK; i++) {
            status = do_subtable(h, i, &changed, run, err);
            if (status == TACIT_OK)
                status = tacit__progress(run, "hypercube", i + 1, h->subtables->count, err);
        }
        pattern->rounds++;
    }
    return status;
}

static tacit_status work_init(tacit__hypercube *h, const tacit_cells *cells, tacit_error *err)
{
    tacit_status status = tacit__subtables_new(&h->subtables, cells, err);
    if (status != TACIT_OK)
        return status;
    h->settled = tacit__alloc_array((size_t)h->subtables->count, sizeof *h->settled);
    h->targets = tacit__alloc_array((size_t)h->subtables->most, sizeof *h->targets);
    if (!h->settled || !h->targets)
        return tacit__nomem(err);
    status = tacit__cuboids_init(&h->cuboids, h->subtables, err);
    h->first = h->cuboids.spare;
    h->largest = tacit__largest_value(cells);
    return status;
}

static void work_clear(tacit__hypercube *h)
{
    tacit__subtables_free(h->subtables);
    tacit__cuboids_clear(&h->cuboids);
    tacit__free(h->settled);
    tacit__free(h->targets);
}

static double total_price(const tacit__hypercube *h, const char *status)
{
    double total = 0;
    for (int32_t i = 0; i < h->cells->count; i++)
        if (status[i] == TACIT_CELL_SECONDARY)
            total += tacit__hypercube_price(h, i);
    return total;
}

/* One pattern, from the letters to begin with. */
static tacit_status attempt(tacit_pattern *out, tacit__hypercube *h, const char *status,
                            const tacit_run *run, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit_status result = tacit__pattern_init(&pattern, h->cells, status, err);
    if (result == TACIT_OK) {
        h->status = pattern.status;
        for (int32_t i = 0; i < h->subtables->count; i++)
            h->settled[i] = -1;
        result = do_rounds(h, &pattern, run, err);
    }
    if (result == TACIT_OK)
        result = tacit__hypercube_trim(h, status, run, err);
    pattern.unprotected = h->unprotected;
    if (result == TACIT_OK)
        *out = pattern;
    else
        tacit_pattern_clear(&pattern);
    return result;
}

/* The better of two attempts. */
static tacit_status attempt_both(tacit_pattern *out, tacit__hypercube *h, const char *status,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_pattern plain = {0}, other = {0};
    tacit_status result = attempt(&plain, h, status, run, err);
    if (result == TACIT_OK) {
        h->logarithm = true;
        result = attempt(&other, h, status, run, err);
    }
    if (result != TACIT_OK) {
        tacit_pattern_clear(&plain);
        return result;
    }
    bool better = (other.unprotected < 0) == (plain.unprotected < 0)
                      ? total_price(h, other.status) < total_price(h, plain.status)
                      : other.unprotected < 0;
    tacit_pattern_clear(better ? &plain : &other);
    *out = better ? other : plain;
    return TACIT_OK;
}

tacit_status tacit__hypercube_solve(tacit_pattern *out, const tacit_cells *cells,
                                    const char *status, const tacit_suppress_options *options,
                                    const tacit_run *run, tacit_error *err)
{
    tacit__hypercube h = {.cells = cells, .options = options};
    tacit_status result = work_init(&h, cells, err);
    if (result == TACIT_OK)
        result = attempt_both(out, &h, status, run, err);
    if (result == TACIT_OK) {
        out->subtables = h.subtables->count;
        tacit__pattern_finish(out, cells);
    }
    work_clear(&h);
    return result;
}
