/*
 * witnesses.c - tables that nobody can rule out, a few for every thing that they show to be hidden;
 * see witnesses.h.
 *
 * A table holds for whoever does not know better of the cells that it moves, and as far as he
 * leaves them room for the rest of them too: made smaller in all cells, it still adds up. The
 * oldest of a thing's tables makes way for a new one.
 *
 * Memory: a number and an amount for every cell that a table moves.
 */
#include "cells/suppress/keeper.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"

tacit_status tacit__witnesses_init(tacit__witnesses *witnesses, int32_t count, tacit_error *err)
{
    size_t tables = (size_t)count * TACIT__WITNESS_TABLES;
    *witnesses =
        (tacit__witnesses){.count = count,
                           .tables = tacit__alloc_zeroed(tables, sizeof *witnesses->tables),
                           .next = tacit__alloc_zeroed((size_t)count, sizeof *witnesses->next)};
    return witnesses->tables && witnesses->next ? TACIT_OK : tacit__nomem(err);
}

static void drop(tacit__moving *table)
{
    tacit__free(table->cells);
    tacit__free(table->by);
    *table = (tacit__moving){0};
}

void tacit__witnesses_clear(tacit__witnesses *witnesses)
{
    for (int32_t i = 0; witnesses->tables && i < TACIT__WITNESS_TABLES * witnesses->count; i++)
        drop(&witnesses->tables[i]);
    tacit__free(witnesses->tables);
    tacit__free(witnesses->next);
    *witnesses = (tacit__witnesses){0};
}

tacit_status tacit__witnesses_take(tacit__witnesses *witnesses, int32_t thing,
                                   const tacit__patch *patch, const double *values, double unit,
                                   double noise, double moved, tacit_error *err)
{
    tacit__moving *t = &witnesses->tables[TACIT__WITNESS_TABLES * thing + witnesses->next[thing]];
    size_t count = 0;
    for (int32_t i = 0; i < patch->count; i++)
        count += fabs(values[i]) > noise;
    drop(t);
    t->cells = tacit__alloc_array(count, sizeof *t->cells);
    t->by = tacit__alloc_array(count, sizeof *t->by);
    if (!t->cells || !t->by)
        return tacit__nomem(err);
    for (int32_t i = 0; i < patch->count; i++)
        if (fabs(values[i]) > noise) {
            t->cells[t->count] = patch->cells[i];
            t->by[t->count++] = values[i] * unit;
        }
    t->moved = moved;
    t->back = tacit__way_back(patch, values, unit, noise, NULL);
    witnesses->next[thing] = (witnesses->next[thing] + 1) % TACIT__WITNESS_TABLES;
    return TACIT_OK;
}

/* How far a table moves a cell. */
static double by_of(const tacit__moving *t, int32_t cell)
{
    const int32_t *found =
        t->cells ? bsearch(&cell, t->cells, (size_t)t->count, sizeof cell, tacit__by_number) : NULL;
    return found ? t->by[found - t->cells] : 0;
}

/* How far what it is kept for moves in a table, or in its reverse, for somebody with facts. */
static tacit__moved moved_in(const tacit__moving *t, const tacit__demand *asked)
{
    double there = 1, back = t->back;
    for (int32_t f = 0; f < asked->fact_count; f++) {
        const tacit__fact *fact = &asked->facts[f];
        double by = by_of(t, fact->cell);
        if (by == 0)
            continue;
        there = fmin(there, (by > 0 ? fact->up : fact->down) / fabs(by));
        back = fmin(back, (by > 0 ? fact->down : fact->up) / fabs(by));
    }
    return (tacit__moved){.high = fmax(t->moved * there, -t->moved * back),
                          .low = fmax(-t->moved * there, t->moved * back)};
}

bool tacit__witnesses_show(const tacit__witnesses *witnesses, int32_t thing,
                           const tacit__demand *asked, int32_t but, double slack)
{
    double high = 0, low = 0, share = 1 - slack;
    for (int32_t i = 0; i < TACIT__WITNESS_TABLES; i++) {
        const tacit__moving *t = &witnesses->tables[TACIT__WITNESS_TABLES * thing + i];
        if (!t->cells || by_of(t, but) != 0)
            continue;
        tacit__moved moved = moved_in(t, asked);
        high = fmax(high, moved.high);
        low = fmax(low, moved.low);
    }
    return high >= asked->need.up * share && low >= asked->need.down * share &&
           high + low >= asked->need.spread * share;
}

void tacit__witnesses_without(tacit__witnesses *witnesses, int32_t cell)
{
    for (int32_t i = 0; i < TACIT__WITNESS_TABLES * witnesses->count; i++)
        if (by_of(&witnesses->tables[i], cell) != 0)
            drop(&witnesses->tables[i]);
}

void tacit__witnesses_within(tacit__witnesses *witnesses, const bool *chosen)
{
    for (int32_t i = 0; i < TACIT__WITNESS_TABLES * witnesses->count; i++) {
        const tacit__moving *t = &witnesses->tables[i];
        bool holds = true;
        for (int32_t k = 0; k < t->count && holds; k++)
            holds = chosen[t->cells[k]];
        if (!holds)
            drop(&witnesses->tables[i]);
    }
}
