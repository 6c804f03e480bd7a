/*
 * nest.c - finds out whether every cell of a table is a sum of ground cells.
 *
 * A relation with one cell of one sign and all others of the other, coefficients of 1 and nothing
 * on the right, says that the one is the sum of the others. A ground cell is the sum of nothing;
 * what it is part of is found by following relations up. A table is nested if of every relation
 * that a ground cell reaches it reaches the total, and exactly one of its parts: then changing the
 * ground cell and all that it is part of by the same amount keeps every relation.
 *
 * Linear in the pairs of a ground cell and a cell that it is part of, times the relations of a
 * cell.
 */
#include "cells/round/round.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { GROUNDS_A_STEP = 1 << 14 };

typedef struct nesting {
    const tacit_cells *cells;
    tacit_cell_uses *uses;
    int32_t *total; /* a relation each: the cell that is its sum */
    tacit__nest *nest;
    size_t room;    /* of nest->above */
    int32_t *met;   /* a relation each: the last ground cell that reached a part of it */
    int32_t *stamp; /* a cell each: the last ground cell that reached it, from 1 */
} nesting;

/* ---- totals ---- */

/* The cell that is the sum of the others; -1: none. */
static int32_t total_of(const tacit_relations *relations, int32_t r)
{
    int64_t first = relations->starts[r], end = relations->starts[r + 1];
    int64_t negative = 0, last[2] = {-1, -1};
    for (int64_t j = first; j < end; j++) {
        if (fabs(relations->coefs[j]) != 1)
            return -1;
        bool below = relations->coefs[j] < 0;
        negative += below;
        last[below] = j;
    }
    if (relations->rhs[r] != 0 || end - first < 2)
        return -1;
    if (negative == 1)
        return relations->items[last[1]];
    return negative == end - first - 1 ? relations->items[last[0]] : -1;
}

static bool find_totals(nesting *n)
{
    const tacit_relations *relations = &n->cells->relations;
    int32_t *defining = n->nest->defining;
    for (int32_t r = 0; r < relations->count; r++) {
        int32_t total = n->total[r] = total_of(relations, r);
        if (total < 0)
            return false;
        int32_t other = defining[total];
        if (other < 0 || relations->starts[r + 1] - relations->starts[r] <
                             relations->starts[other + 1] - relations->starts[other])
            defining[total] = r;
    }
    return true;
}

/* ---- what a ground cell is part of ---- */

static bool push(nesting *n, int64_t *end, int32_t cell)
{
    if (!TACIT__RESERVE(n->nest->above, n->room, (size_t)*end + 1))
        return false;
    n->nest->above[(*end)++] = cell;
    return true;
}

/* Relations that a cell is part of: their totals are reached too. *nested: no relation twice. */
static bool climb(nesting *n, bool *nested, int64_t *end, int32_t cell, int32_t mark)
{
    for (int64_t j = n->uses->starts[cell]; j < n->uses->starts[cell + 1]; j++) {
        int32_t r = n->uses->relations[j], total = n->total[r];
        if (total == cell)
            continue;
        *nested &= n->met[r] != mark;
        n->met[r] = mark;
        if (n->stamp[total] == mark)
            continue;
        n->stamp[total] = mark;
        if (!push(n, end, total))
            return false;
    }
    return true;
}

/* Whether every relation whose total was reached has a part that was. */
static bool covered(const nesting *n, int64_t from, int64_t end, int32_t mark)
{
    for (int64_t k = from; k < end; k++) {
        int32_t cell = n->nest->above[k];
        for (int64_t j = n->uses->starts[cell]; j < n->uses->starts[cell + 1]; j++) {
            int32_t r = n->uses->relations[j];
            if (n->total[r] == cell && n->met[r] != mark)
                return false;
        }
    }
    return true;
}

static tacit_status follow(bool *nested, nesting *n, int32_t g, tacit_error *err)
{
    tacit__nest *nest = n->nest;
    int64_t from = nest->starts[g], end = from;
    int32_t mark = g + 1;
    if (!push(n, &end, nest->ground[g]))
        return tacit__nomem(err);
    for (int64_t k = from; k < end && *nested; k++)
        if (!climb(n, nested, &end, nest->above[k], mark))
            return tacit__nomem(err);
    nest->starts[g + 1] = end;
    *nested = *nested && covered(n, from, end, mark) && end <= TACIT__MAX_NESTED;
    return TACIT_OK;
}

static tacit_status follow_all(bool *nested, nesting *n, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    n->nest->starts[0] = 0;
    for (int32_t g = 0; g < n->nest->count && *nested && status == TACIT_OK; g++) {
        if (g % GROUNDS_A_STEP == 0)
            status = tacit__progress(run, "nesting", g, n->nest->count, err);
        if (status == TACIT_OK)
            status = follow(nested, n, g, err);
    }
    return status;
}

/* ---- the other way round ---- */

static tacit_status turn(tacit__nest *nest, int32_t cells, tacit_error *err)
{
    int64_t pairs = nest->starts[nest->count];
    nest->under_starts = tacit__alloc_zeroed((size_t)cells + 1, sizeof *nest->under_starts);
    nest->under = tacit__alloc_array((size_t)pairs, sizeof *nest->under);
    if (!nest->under_starts || !nest->under)
        return tacit__nomem(err);
    for (int64_t k = 0; k < pairs; k++)
        nest->under_starts[nest->above[k]]++;
    int64_t sum = 0;
    for (int32_t i = 0; i <= cells; i++) {
        int64_t own = nest->under_starts[i];
        nest->under_starts[i] = sum;
        sum += own;
    }
    for (int32_t g = 0; g < nest->count; g++)
        for (int64_t k = nest->starts[g]; k < nest->starts[g + 1]; k++)
            nest->under[nest->under_starts[nest->above[k]]++] = g;
    for (int32_t i = cells; i > 0; i--)
        nest->under_starts[i] = nest->under_starts[i - 1];
    nest->under_starts[0] = 0;
    return TACIT_OK;
}

/* Whether every cell is the sum of some: sums that go round in circles are of none. */
static bool founded(const tacit__nest *nest, int32_t cells)
{
    for (int32_t i = 0; i < cells; i++)
        if (nest->under_starts[i] == nest->under_starts[i + 1])
            return false;
    return true;
}

/* ---- all of it ---- */

static tacit_status nesting_init(nesting *n, bool *nested, tacit_error *err)
{
    const tacit_cells *cells = n->cells;
    size_t count = (size_t)cells->count, relations = (size_t)cells->relations.count;
    n->total = tacit__alloc_array(relations, sizeof *n->total);
    n->met = tacit__alloc_zeroed(relations, sizeof *n->met);
    n->stamp = tacit__alloc_zeroed(count, sizeof *n->stamp);
    n->nest = tacit__alloc_zeroed(1, sizeof *n->nest);
    if (!n->total || !n->met || !n->stamp || !n->nest)
        return tacit__nomem(err);
    int32_t *defining = n->nest->defining = tacit__alloc_array(count, sizeof *defining);
    for (size_t i = 0; defining && i < count; i++)
        defining[i] = -1;
    *nested = defining && find_totals(n);
    for (size_t i = 0; defining && i < count; i++)
        n->nest->count += defining[i] < 0;
    n->nest->ground = tacit__alloc_array((size_t)n->nest->count, sizeof *n->nest->ground);
    n->nest->starts = tacit__alloc_array((size_t)n->nest->count + 1, sizeof *n->nest->starts);
    if (!defining || !n->nest->ground || !n->nest->starts)
        return tacit__nomem(err);
    for (int32_t i = 0, g = 0; i < cells->count; i++)
        if (defining[i] < 0)
            n->nest->ground[g++] = i;
    return tacit_cell_uses_new(&n->uses, cells, err);
}

void tacit__nest_free(tacit__nest *nest)
{
    if (!nest)
        return;
    tacit__free(nest->ground);
    tacit__free(nest->starts);
    tacit__free(nest->above);
    tacit__free(nest->under_starts);
    tacit__free(nest->under);
    tacit__free(nest->defining);
    tacit__free(nest);
}

tacit_status tacit__nest_new(tacit__nest **out, const tacit_cells *cells, const tacit_run *run,
                             tacit_error *err)
{
    nesting n = {.cells = cells};
    bool nested = true;
    tacit_status status = nesting_init(&n, &nested, err);
    if (status == TACIT_OK && nested)
        status = follow_all(&nested, &n, run, err);
    if (status == TACIT_OK && nested)
        status = turn(n.nest, cells->count, err);
    nested = nested && status == TACIT_OK && founded(n.nest, cells->count);
    if (status != TACIT_OK || !nested) {
        tacit__nest_free(n.nest);
        n.nest = NULL;
    }
    tacit_cell_uses_free(n.uses);
    tacit__free(n.total);
    tacit__free(n.met);
    tacit__free(n.stamp);
    if (status == TACIT_OK)
        *out = n.nest;
    return status;
}
