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
 * The corners of a cuboid are the cell and all places that differ from it, on some of the axes,
 * by one other code for each axis. If all are suppressed they can move together: by the same
 * amount everywhere, a corner against the corner next to it where both are parts of the same
 * total, with it where one of them is the total. So the cell can go up by the least that a
 * corner can move in its direction, and down likewise (Giessing and Repsilber 2002). The search
 * goes axis by axis. Each choice doubles the corners; price only grows and room only shrinks, so
 * what is dearer than the best or hides too little is left at once. With n codes on each of d axes
 * at most n^d cuboids of 2^d corners are looked at.
 *
 * Cuboids are chosen one after the other, so early ones often turn out to be needless once
 * later ones are there. The dearest secondary cell first: it is published if, in every
 * subtable that holds it, all suppressed cells are hidden by cuboids of the others as well as
 * they are with it. That ends after MOST_LOOKS corners.
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
#include "cells/subtables/subtables.h"
#include "cells/suppress/methods.h"

/* What is known of each place of a subtable. */
typedef struct corner_state {
    double price; /* of suppressing it; 0: it is already; INFINITY: it must not be */
    double up;    /* how far it can move */
    double down;
    bool fresh;  /* published so far */
    bool alone;  /* of one contributor */
    bool barred; /* not in the cuboid that is looked for */
} corner_state;

/* Room for searches; corners has a place each of the largest subtable. */
typedef struct cuboid_search {
    tacit__subtables_view view;
    corner_state *corners;
    int32_t *places; /* corners of the cuboid in hand, axis after axis: twice 2^axes */
    int8_t *signs;
    bool avoid_alone; /* no further corner of one contributor */
    int32_t *best;    /* corners of the best one: 2^axes, the cell itself first */
    int32_t *spare;   /* as large, for the caller */
    int32_t best_count;
    int32_t best_fresh;
    double best_price;
    int64_t looks; /* corners looked at so far */
} cuboid_search;

/* A suppressed cell of the subtable in hand. */
typedef struct hidden_cell {
    int32_t place;
    bool primary;
    double value;
} hidden_cell;

typedef struct hypercube {
    const tacit_cells *cells;
    const tacit_suppress_options *options;
    tacit__subtables *subtables;
    cuboid_search cuboids;
    hidden_cell *targets;
    int32_t target_count;
    int32_t *first;   /* corners of a first cuboid, while a second is looked for */
    int32_t *settled; /* suppressed cells of each subtable when it was last done; -1: never */
    char *status;
    double largest;
    bool logarithm; /* cuboids are chosen by the logarithm of the price */
    int32_t unprotected;
} hypercube;

/* How well cuboids hide a cell. Of a secondary cell the last says no more than the second. */
typedef enum hiding {
    HIDING_NONE = 0,
    HIDING_ONE,  /* but someone who is alone in another cell sees through it */
    HIDING_WHOLE /* as asked for: a cuboid without such cells, or two */
} hiding;

static tacit_status cuboids_init(cuboid_search *cuboids, const tacit__subtables *subtables,
                                 tacit_error *err)
{
    size_t most = (size_t)subtables->most, corners = (size_t)1 << subtables->most_axes;
    *cuboids = (cuboid_search){0};
    cuboids->view.cells = tacit__alloc_array(most, sizeof *cuboids->view.cells);
    cuboids->corners = tacit__alloc_array(most, sizeof *cuboids->corners);
    cuboids->places = tacit__alloc_array(corners, sizeof *cuboids->places);
    cuboids->signs = tacit__alloc_array(corners, sizeof *cuboids->signs);
    cuboids->best = tacit__alloc_array(corners, sizeof *cuboids->best);
    cuboids->spare = tacit__alloc_array(corners, sizeof *cuboids->spare);
    if (!cuboids->view.cells || !cuboids->corners || !cuboids->places || !cuboids->signs ||
        !cuboids->best || !cuboids->spare)
        return tacit__nomem(err);
    return TACIT_OK;
}

static void cuboids_clear(cuboid_search *cuboids)
{
    tacit__free(cuboids->view.cells);
    tacit__free(cuboids->corners);
    tacit__free(cuboids->places);
    tacit__free(cuboids->signs);
    tacit__free(cuboids->best);
    tacit__free(cuboids->spare);
}

/* What the corners so far come to. */
typedef struct sum {
    double price;
    int32_t fresh;
    double up; /* of the cell that the cuboid is for */
    double down;
} sum;

static sum add_corner(sum s, const corner_state *corner, int sign)
{
    s.price += corner->price;
    s.fresh += corner->fresh;
    s.up = fmin(s.up, sign > 0 ? corner->up : corner->down);
    s.down = fmin(s.down, sign > 0 ? corner->down : corner->up);
    return s;
}

/* Whether it hides enough and may still be the best. */
static bool worth(const cuboid_search *c, const sum *s, const tacit__need *need)
{
    return s->up >= need->up && s->down >= need->down && s->up + s->down >= need->spread &&
           (s->price < c->best_price ||
            (s->price == c->best_price && s->price < INFINITY && s->fresh < c->best_fresh));
}

static void keep(cuboid_search *c, const sum *s)
{
    c->best_price = s->price;
    c->best_fresh = s->fresh;
    c->best_count = 1 << c->view.axes;
    memcpy(c->best, c->places, (size_t)c->best_count * sizeof *c->best);
}

/* Doubles the corners by moving them to another code of an axis. False: no longer worth it. */
static bool move_corners(cuboid_search *c, sum *s, int32_t axis, int32_t step, int sign,
                         const tacit__need *need)
{
    int32_t count = 1 << axis;
    for (int32_t i = 0; i < count; i++) {
        int32_t place = c->places[i] + step;
        c->looks++;
        if (c->corners[place].barred || (c->avoid_alone && c->corners[place].alone))
            return false;
        c->places[count + i] = place;
        c->signs[count + i] = (int8_t)(sign * c->signs[i]);
        *s = add_corner(*s, &c->corners[place], c->signs[count + i]);
        if (!worth(c, s, need))
            return false;
    }
    return true;
}

static void choose(cuboid_search *c, int32_t axis, const sum *so_far, const tacit__need *need)
{
    if (axis == c->view.axes) {
        keep(c, so_far);
        return;
    }
    int32_t stride = c->view.strides[axis], size = c->view.sizes[axis];
    int32_t own = c->places[0] / stride % size;
    for (int32_t other = 0; other < size && c->best_fresh > 0; other++) {
        sum s = *so_far;
        int sign = own == 0 || other == 0 ? 1 : -1;
        if (other != own && move_corners(c, &s, axis, (other - own) * stride, sign, need))
            choose(c, axis + 1, &s, need);
    }
}

/* Looks for the cuboid at a place that hides as much as needed, at the least price, then with the
 * fewest fresh corners, then the first in order. False: there is none. */
static bool cuboid_find(cuboid_search *cuboids, int32_t place, const tacit__need *need)
{
    cuboids->best_price = INFINITY;
    cuboids->best_fresh = INT32_MAX;
    cuboids->places[0] = place;
    cuboids->signs[0] = 1;
    sum s = add_corner((sum){.up = INFINITY, .down = INFINITY}, &cuboids->corners[place], 1);
    if (worth(cuboids, &s, need))
        choose(cuboids, 0, &s, need);
    return cuboids->best_price < INFINITY;
}

/* Cells of a large subtable between two looks at whether to go on. */
enum { TARGETS_A_STEP = 16 };

static double price_of(const hypercube *h, int32_t cell)
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
static double corner_price(const hypercube *h, int32_t cell)
{
    double price = price_of(h, cell);
    return h->logarithm ? log1p(price) : price;
}

/* A place without a cell is a zero that everybody knows. */
static corner_state corner_of(const hypercube *h, int32_t cell)
{
    const tacit_cells *cells = h->cells;
    if (cell < 0)
        return (corner_state){.price = INFINITY, .barred = true};
    bool published = !tacit__suppressed(h->status[cell]);
    bool fixed = h->status[cell] == TACIT_CELL_FIXED ||
                 (!h->options->zeros && cells->value[cell] == 0 && published);
    return (corner_state){.price = fixed       ? INFINITY
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
    const hidden_cell *a = left, *b = right;
    if (a->primary != b->primary)
        return a->primary ? -1 : 1;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Takes up a subtable: its cells and the suppressed ones among them. */
static void load(hypercube *h, int32_t index)
{
    tacit__subtables_view *view = &h->cuboids.view;
    tacit__view_fill(view, h->subtables, index);
    h->target_count = 0;
    for (int32_t i = 0; i < view->count; i++) {
        int32_t cell = view->cells[i];
        if (cell >= 0 && tacit__suppressed(h->status[cell]))
            h->targets[h->target_count++] =
                (hidden_cell){.place = i,
                              .primary = h->status[cell] == TACIT_CELL_PRIMARY,
                              .value = h->cells->value[cell]};
    }
}

static tacit__need need_of(const hypercube *h, int32_t cell)
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

static void suppress_corners(hypercube *h)
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
static bool best_has_alone(const hypercube *h)
{
    bool has = false;
    for (int32_t i = 1; i < h->cuboids.best_count; i++)
        has |= h->cuboids.corners[h->cuboids.best[i]].alone;
    return has;
}

/* Another cuboid that shares no corner but the first with the best one; with those of one
 * contributor only, where it is because of them. */
static bool find_second(hypercube *h, int32_t place, const tacit__need *need, bool all)
{
    int32_t count = h->cuboids.best_count;
    memcpy(h->first, h->cuboids.best, (size_t)count * sizeof *h->first);
    for (int32_t i = 1; i < count; i++) {
        corner_state *corner = &h->cuboids.corners[h->first[i]];
        corner->barred = all || corner->alone;
    }
    bool found = cuboid_find(&h->cuboids, place, need);
    if (found)
        suppress_corners(h);
    for (int32_t i = 1; i < count; i++)
        h->cuboids.corners[h->first[i]].barred = false;
    return found;
}

/* Hides a cell of the subtable as well as it can be, suppressing what that takes. */
static hiding hide(hypercube *h, const hidden_cell *target)
{
    tacit__need need = need_of(h, h->cuboids.view.cells[target->place]);
    bool twice = h->options->second_cuboid;
    h->cuboids.avoid_alone = target->primary && !twice;
    bool found = cuboid_find(&h->cuboids, target->place, &need);
    if (!found && h->cuboids.avoid_alone) {
        h->cuboids.avoid_alone = false;
        found = cuboid_find(&h->cuboids, target->place, &need);
    }
    if (!found)
        return HIDING_NONE;
    suppress_corners(h);
    bool second =
        target->primary && (twice ? h->cuboids.corners[target->place].alone : best_has_alone(h));
    if (second && !find_second(h, target->place, &need, twice))
        return HIDING_ONE;
    return HIDING_WHOLE;
}

/* What the places of that subtable cost; suppressed_only: no other may be a corner. */
static void set_corners(hypercube *h, bool suppressed_only)
{
    for (int32_t i = 0; i < h->cuboids.view.count; i++) {
        corner_state *corner = &h->cuboids.corners[i];
        *corner = corner_of(h, h->cuboids.view.cells[i]);
        corner->barred |= suppressed_only && corner->fresh;
    }
}

static int32_t count_hidden(const hypercube *h)
{
    int32_t count = 0;
    for (int32_t i = 0; i < h->cuboids.view.count; i++) {
        int32_t cell = h->cuboids.view.cells[i];
        count += cell >= 0 && tacit__suppressed(h->status[cell]);
    }
    return count;
}

/* Cells only ever become suppressed: a subtable with as many as before is done. */
static tacit_status do_subtable(hypercube *h, int32_t index, bool *changed, const tacit_run *run,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    load(h, index);
    if (h->target_count == h->settled[index])
        return TACIT_OK;
    set_corners(h, false);
    qsort(h->targets, (size_t)h->target_count, sizeof *h->targets, by_hardness);
    for (int32_t i = 0; i < h->target_count && status == TACIT_OK; i++) {
        if (!hide(h, &h->targets[i]) && h->targets[i].primary && h->unprotected < 0)
            h->unprotected = h->cuboids.view.cells[h->targets[i].place];
        if (i % TARGETS_A_STEP == TARGETS_A_STEP - 1)
            status = tacit__progress(run, "hypercube", index, h->subtables->count, err);
    }
    h->settled[index] = count_hidden(h);
    *changed |= h->settled[index] > h->target_count;
    return status;
}

static tacit_status do_rounds(hypercube *h, tacit_pattern *pattern, const tacit_run *run,
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

static tacit_status work_init(hypercube *h, const tacit_cells *cells, tacit_error *err)
{
    tacit_status status = tacit__subtables_new(&h->subtables, cells, err);
    if (status != TACIT_OK)
        return status;
    h->settled = tacit__alloc_array((size_t)h->subtables->count, sizeof *h->settled);
    h->targets = tacit__alloc_array((size_t)h->subtables->most, sizeof *h->targets);
    if (!h->settled || !h->targets)
        return tacit__nomem(err);
    status = cuboids_init(&h->cuboids, h->subtables, err);
    h->first = h->cuboids.spare;
    h->largest = tacit__largest_value(cells);
    return status;
}

static void work_clear(hypercube *h)
{
    tacit__subtables_free(h->subtables);
    cuboids_clear(&h->cuboids);
    tacit__free(h->settled);
    tacit__free(h->targets);
}

/* ---- without what is needless ---- */

/* Corners that may be looked at: a second's work. */
enum { MAX_LOOKS = 100000000 };

typedef struct trimming {
    hypercube *h;
    tacit__cell_price *candidates;
    int32_t count;
    int64_t *starts; /* of each cell in homes; cells + 1 */
    int32_t *homes;  /* subtables that hold a candidate */
} trimming;

static void list_candidates(trimming *t, const char *kept)
{
    hypercube *h = t->h;
    for (int32_t i = 0; i < h->cells->count; i++)
        if (h->status[i] == TACIT_CELL_SECONDARY && kept[i] != TACIT_CELL_SECONDARY)
            t->candidates[t->count++] = (tacit__cell_price){price_of(h, i), i};
    qsort(t->candidates, (size_t)t->count, sizeof *t->candidates, tacit__dearest_first);
}

/* Counts the homes of every suppressed cell, or, with homes, lists them backwards. */
static void visit_homes(trimming *t)
{
    hypercube *h = t->h;
    for (int32_t s = h->subtables->count - 1; s >= 0; s--) {
        tacit__view_fill(&h->cuboids.view, h->subtables, s);
        for (int32_t i = 0; i < h->cuboids.view.count; i++) {
            int32_t cell = h->cuboids.view.cells[i];
            if (cell < 0 || h->status[cell] != TACIT_CELL_SECONDARY)
                continue;
            if (t->homes)
                t->homes[--t->starts[cell]] = s;
            else
                t->starts[cell]++;
        }
    }
}

static tacit_status find_homes(trimming *t, tacit_error *err)
{
    int32_t cells = t->h->cells->count;
    visit_homes(t);
    for (int32_t i = 1; i <= cells; i++)
        t->starts[i] += t->starts[i - 1]; /* the end of each cell's homes for now */
    t->homes = tacit__alloc_array((size_t)t->starts[cells], sizeof *t->homes);
    if (!t->homes)
        return tacit__nomem(err);
    visit_homes(t);
    return TACIT_OK;
}

/* Whether a subtable hides its cells without one of them as well as with it. */
static bool can_spare(hypercube *h, int32_t cell, int32_t subtable)
{
    bool spared = true;
    load(h, subtable);
    set_corners(h, true);
    int32_t place = 0;
    while (h->cuboids.view.cells[place] != cell)
        place++;
    corner_state *corner = &h->cuboids.corners[place];
    for (int32_t i = 0; i < h->target_count && spared; i++) {
        if (h->targets[i].place == place)
            continue;
        hiding with = hide(h, &h->targets[i]);
        corner->barred = true;
        spared = hide(h, &h->targets[i]) >= with;
        corner->barred = false;
    }
    return spared;
}

static void try_candidate(trimming *t, int32_t cell)
{
    bool spared = true;
    for (int64_t i = t->starts[cell]; i < t->starts[cell + 1] && spared; i++)
        spared = can_spare(t->h, cell, t->homes[i]);
    if (spared)
        t->h->status[cell] = TACIT_CELL_FREE;
}

/* Publishes secondary cells again, the dearest first, without which every suppressed cell is
 * hidden as well as with them. kept: letters that a cell must not fall behind. */
static tacit_status publish_needless(hypercube *h, const char *kept, const tacit_run *run,
                                     tacit_error *err)
{
    size_t cells = (size_t)h->cells->count;
    trimming t = {.h = h};
    t.candidates = tacit__alloc_array(cells, sizeof *t.candidates);
    t.starts = tacit__alloc_zeroed(cells + 1, sizeof *t.starts);
    tacit_status status = t.candidates && t.starts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        list_candidates(&t, kept);
        status = find_homes(&t, err);
    }
    int64_t enough = h->cuboids.looks + MAX_LOOKS;
    for (int32_t i = 0; i < t.count && status == TACIT_OK && h->cuboids.looks < enough; i++) {
        try_candidate(&t, t.candidates[i].cell);
        status = tacit__progress(run, "hypercube: trim", i + 1, t.count, err);
    }
    tacit__free(t.candidates);
    tacit__free(t.starts);
    tacit__free(t.homes);
    return status;
}

/* ---- patterns ---- */

static double total_price(const hypercube *h, const char *status)
{
    double total = 0;
    for (int32_t i = 0; i < h->cells->count; i++)
        if (status[i] == TACIT_CELL_SECONDARY)
            total += price_of(h, i);
    return total;
}

/* One pattern, from the letters to begin with. */
static tacit_status attempt(tacit_pattern *out, hypercube *h, const char *status,
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
        result = publish_needless(h, status, run, err);
    pattern.unprotected = h->unprotected;
    if (result == TACIT_OK)
        *out = pattern;
    else
        tacit_pattern_clear(&pattern);
    return result;
}

/* The better of two attempts. */
static tacit_status attempt_both(tacit_pattern *out, hypercube *h, const char *status,
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
    hypercube h = {.cells = cells, .options = options};
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
