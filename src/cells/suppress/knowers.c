/*
 * knowers.c - contributors who know what they gave; see knowers.h.
 *
 * The only contributor of a cell knows its value. One of two knows that it is no less than what he
 * gave. An owner knows that of all his cells at once (a multi-singleton). Whoever is not numbered
 * has one cell only; of two such contributors of a cell the larger knows all that the other knows.
 *
 * A sort of the facts: cells with one or two contributors, twice at most.
 */
#include "cells/suppress/knowers.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

/* A fact and whose it is: a number, or beyond all numbers the cell. */
typedef struct whose {
    int64_t knower;
    tacit__fact fact;
} whose;

static int by_knower(const void *left, const void *right)
{
    const whose *a = left, *b = right;
    if (a->knower != b->knower)
        return a->knower < b->knower ? -1 : 1;
    return a->fact.cell < b->fact.cell ? -1 : a->fact.cell > b->fact.cell;
}

/* The number of the r-th contributor; -1: he has none. */
static int32_t owner_of(const tacit_cells *cells, int32_t cell, int32_t r)
{
    bool numbered = cells->top_owner && r < cells->top_count;
    return numbered ? cells->top_owner[(int64_t)cell * cells->top_count + r] : -1;
}

/* What the r-th of two gave for sure: nothing where that is not known, or not of the value. */
static double given_by(const tacit_cells *cells, int32_t cell, int32_t r)
{
    if (cells->shadow || cells->negative)
        return 0;
    if (cells->counts)
        return 1;
    return r < cells->top_count ? cells->top[(int64_t)cell * cells->top_count + r] : 0;
}

/* Facts of a cell's contributors; returns how many, 2 at most. */
static int list_cell(whose *list, const tacit_cells *cells, int32_t cell)
{
    int count = 0, freq = (int)cells->freq[cell];
    for (int r = 0; r < freq; r++) {
        int32_t owner = owner_of(cells, cell, r);
        if (r > 0 && owner < 0 && owner_of(cells, cell, 0) < 0)
            continue;
        whose *w = &list[count++];
        w->knower = owner < 0 ? ((int64_t)1 << 32) + 2 * (int64_t)cell + r : owner;
        w->fact = (tacit__fact){.cell = cell};
        if (freq == 2) {
            w->fact.up = INFINITY;
            w->fact.down = fmax(0, cells->value[cell] - given_by(cells, cell, r));
        }
    }
    return count;
}

/* Whether a fact says more than everybody knows. */
static bool informs(const tacit_cells *cells, const tacit__fact *fact)
{
    double value = cells->value[fact->cell];
    return fact->up < cells->upper[fact->cell] - value ||
           fact->down < value - cells->lower[fact->cell];
}

/* Takes over one knower's facts, if any says something. */
static void take_knower(tacit__knowers *to, const tacit_cells *cells, const whose *list,
                        int32_t count)
{
    bool any = false;
    int32_t at = to->starts[to->count];
    for (int32_t i = 0; i < count; i++) {
        to->facts[at++] = list[i].fact;
        any |= informs(cells, &list[i].fact);
    }
    if (any)
        to->starts[++to->count] = at;
}

static void group(tacit__knowers *to, const tacit_cells *cells, const whose *list, int32_t count)
{
    to->starts[0] = 0;
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && list[end].knower == list[first].knower;)
            end++;
        take_knower(to, cells, list + first, end - first);
    }
}

tacit_status tacit__knowers_check(const tacit_cells *cells, tacit_error *err)
{
    if (cells->freq)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "what contributors find out needs their number for every cell (column "
                        "freq)");
}

tacit_status tacit__knowers_init(tacit__knowers *knowers, const tacit_cells *cells,
                                 const char *status, tacit_error *err)
{
    int32_t count = 0, few = 0;
    for (int32_t i = 0; i < cells->count; i++)
        few += cells->freq[i] == 1 || cells->freq[i] == 2;
    whose *list = tacit__alloc_array(2 * (size_t)few, sizeof *list);
    *knowers =
        (tacit__knowers){.starts = tacit__alloc_array(2 * (size_t)few + 1, sizeof *knowers->starts),
                         .facts = tacit__alloc_array(2 * (size_t)few, sizeof *knowers->facts)};
    bool ready = list && knowers->starts && knowers->facts;
    for (int32_t i = 0; ready && i < cells->count; i++)
        if (cells->freq[i] >= 1 && cells->freq[i] <= 2 && status[i] != TACIT_CELL_FIXED)
            count += list_cell(list + count, cells, i);
    if (ready && count > 0)
        qsort(list, (size_t)count, sizeof *list, by_knower);
    if (ready)
        group(knowers, cells, list, count);
    tacit__free(list);
    return ready ? TACIT_OK : tacit__nomem(err);
}

void tacit__knowers_clear(tacit__knowers *knowers)
{
    tacit__free(knowers->starts);
    tacit__free(knowers->facts);
    *knowers = (tacit__knowers){0};
}

tacit__part_in tacit__knower_part(const tacit__fact *facts, int32_t count, int32_t cell)
{
    for (int32_t f = 0; f < count; f++)
        if (facts[f].cell == cell)
            return facts[f].up > 0 ? TACIT__ONE_OF_TWO : TACIT__ALONE;
    return TACIT__NO_PART;
}
