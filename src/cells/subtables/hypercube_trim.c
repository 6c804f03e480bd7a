/*
 * hypercube_trim.c - secondary cells published again that the cuboids can do without.
 *
 * Cuboids are chosen one after the other, so early ones often turn out to be needless once
 * later ones are there. The dearest secondary cell first: it is published if, in every
 * subtable that holds it, all suppressed cells are hidden by cuboids of the others as well as
 * they are with it. Costs a search among suppressed corners for each suppressed cell of those
 * subtables, and ends after MOST_LOOKS of them.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/subtables/hypercube.h"

/* Corners that may be looked at: a second's work. */
enum { MOST_LOOKS = 100000000 };

/* A secondary cell and what it costs. */
typedef struct candidate {
    int32_t cell;
    double price;
} candidate;

typedef struct trim {
    tacit__hypercube *h;
    candidate *candidates;
    int32_t count;
    int64_t *starts; /* of each cell in homes; cells + 1 */
    int32_t *homes;  /* subtables that hold a candidate */
} trim;

static int dearest_first(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->price != b->price)
        return a->price > b->price ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static void list_candidates(trim *t, const char *kept)
{
    tacit__hypercube *h = t->h;
    for (int32_t i = 0; i < h->cells->count; i++)
        if (h->status[i] == TACIT_CELL_SECONDARY && kept[i] != TACIT_CELL_SECONDARY)
            t->candidates[t->count++] =
                (candidate){.cell = i, .price = tacit__hypercube_price(h, i)};
    qsort(t->candidates, (size_t)t->count, sizeof *t->candidates, dearest_first);
}

/* Counts the homes of every suppressed cell, or, with homes, lists them backwards. */
static void visit_homes(trim *t)
{
    tacit__hypercube *h = t->h;
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

static tacit_status find_homes(trim *t, tacit_error *err)
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
static bool can_spare(tacit__hypercube *h, int32_t cell, int32_t subtable)
{
    bool spared = true;
    tacit__hypercube_load(h, subtable);
    tacit__hypercube_corners(h, true);
    int32_t place = 0;
    while (h->cuboids.view.cells[place] != cell)
        place++;
    tacit__corner *corner = &h->cuboids.corners[place];
    for (int32_t i = 0; i < h->target_count && spared; i++) {
        if (h->targets[i].place == place)
            continue;
        tacit__hiding with = tacit__hypercube_hide(h, &h->targets[i]);
        corner->barred = true;
        spared = tacit__hypercube_hide(h, &h->targets[i]) >= with;
        corner->barred = false;
    }
    return spared;
}

static void try_candidate(trim *t, int32_t cell)
{
    bool spared = true;
    for (int64_t i = t->starts[cell]; i < t->starts[cell + 1] && spared; i++)
        spared = can_spare(t->h, cell, t->homes[i]);
    if (spared)
        t->h->status[cell] = TACIT_CELL_FREE;
}

tacit_status tacit__hypercube_trim(tacit__hypercube *h, const char *kept, const tacit_run *run,
                                   tacit_error *err)
{
    size_t cells = (size_t)h->cells->count;
    trim t = {.h = h};
    t.candidates = tacit__alloc_array(cells, sizeof *t.candidates);
    t.starts = tacit__alloc_zeroed(cells + 1, sizeof *t.starts);
    tacit_status status = t.candidates && t.starts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        list_candidates(&t, kept);
        status = find_homes(&t, err);
    }
    int64_t enough = h->cuboids.looks + MOST_LOOKS;
    for (int32_t i = 0; i < t.count && status == TACIT_OK && h->cuboids.looks < enough; i++) {
        try_candidate(&t, t.candidates[i].cell);
        status = tacit__progress(run, "hypercube: trim", i + 1, t.count, err);
    }
    tacit__free(t.candidates);
    tacit__free(t.starts);
    tacit__free(t.homes);
    return status;
}
