/*
 * contributors.c - who contributes to which cell, and how much.
 *
 * An owner (a holding, or a single record) counts once in every cell that any of his records
 * lies in, with the sum of what they bring; so subtotals cannot be put together from their
 * parts' lists, and every record goes to all cells above it: as many as the product of the
 * depths of its codes. Sums of one owner are kept in an array over all cells with a mark whose
 * they are, so an owner costs the cells he touches and no sorting.
 *
 * With sampling weights a record of weight w stands for w units of the population, each
 * as large as itself. The r-th largest contribution is what the r-th unit adds, whole units or
 * not: S(r) - S(r - 1), S(r) the largest sum that r units make up. A weight below 1 counts as
 * 1: a record is at least itself. A holding is one contributor, whatever its records stand for:
 * they are put together with their weights multiplied in, which can only make it look larger, so
 * that one record of weight 3 and two of weights 2 and 1 are judged alike.
 */
#include "cells/rules/contributors.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* For each code of a dimension, itself and all that it is part of. */
typedef struct ups {
    int32_t *starts; /* codes + 1 */
    int32_t *codes;
    size_t room;
} ups;

struct tacit__contributors {
    tacit_cells *cells;
    ups ups[TACIT_MAX_DIMENSIONS];
    double *sums;     /* a cell each, of the present owner */
    int32_t *marks;   /* a cell each: the owner's serial number that sums is of */
    int32_t *touched; /* cells of the present owner */
    double *weights;  /* by place in top; NULL: no weights */
    int32_t touched_count;
    int32_t serial;
    double weight; /* of his part, or 1 */
    bool asked;
};

void tacit__contributors_free(tacit__contributors *contributors)
{
    if (!contributors)
        return;
    for (int32_t d = 0; d < TACIT_MAX_DIMENSIONS; d++) {
        tacit__free(contributors->ups[d].starts);
        tacit__free(contributors->ups[d].codes);
    }
    tacit__free(contributors->sums);
    tacit__free(contributors->marks);
    tacit__free(contributors->touched);
    tacit__free(contributors->weights);
    tacit__free(contributors);
}

static bool holds(const int32_t *codes, int32_t count, int32_t code)
{
    for (int32_t i = 0; i < count; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* A code and everything above it, by the trees that define what is above. */
static bool climb(ups *to, int32_t *count, const tacit_dimension *dimension, int32_t code)
{
    int32_t first = *count;
    for (int32_t at = first - 1; at < *count; at++) {
        int32_t from = at < first ? code : to->codes[at];
        size_t needed = (size_t)*count + (size_t)dimension->tree_count + 1;
        if (!TACIT__RESERVE(to->codes, to->room, needed))
            return false;
        if (at < first) {
            to->codes[(*count)++] = code;
            continue;
        }
        for (int32_t t = 0; t < dimension->tree_count; t++) {
            int32_t parent = dimension->trees[t].parent[from];
            if (parent >= 0 && dimension->definition[parent] == t &&
                !holds(to->codes + first, *count - first, parent))
                to->codes[(*count)++] = parent;
        }
    }
    return true;
}

static tacit_status find_ups(ups *to, const tacit_dimension *dimension, tacit_error *err)
{
    int32_t count = 0;
    to->starts = tacit__alloc_array((size_t)dimension->code_count + 1, sizeof *to->starts);
    if (!to->starts)
        return tacit__nomem(err);
    for (int32_t code = 0; code < dimension->code_count; code++) {
        to->starts[code] = count;
        if (dimension->definition[code] < 0 && !climb(to, &count, dimension, code))
            return tacit__nomem(err);
    }
    to->starts[dimension->code_count] = count;
    return TACIT_OK;
}

static tacit_status make(tacit__contributors *c, bool weighted, tacit_error *err)
{
    size_t count = (size_t)c->cells->count;
    tacit_status status = TACIT_OK;
    for (int32_t d = 0; status == TACIT_OK && d < c->cells->dimension_count; d++)
        status = find_ups(&c->ups[d], &c->cells->dimensions[d], err);
    if (status != TACIT_OK)
        return status;
    c->sums = tacit__alloc_array(count, sizeof *c->sums);
    c->marks = tacit__alloc_zeroed(count, sizeof *c->marks);
    c->touched = tacit__alloc_array(count, sizeof *c->touched);
    if (weighted)
        c->weights = tacit__alloc_zeroed(count * (size_t)c->cells->top_count, sizeof *c->weights);
    bool all = c->sums && c->marks && c->touched && (c->weights || !weighted);
    return all ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__contributors_new(tacit__contributors **out, tacit_cells *cells, bool weighted,
                                     tacit_error *err)
{
    tacit__contributors *c = tacit__alloc_zeroed(1, sizeof *c);
    if (!c)
        return tacit__nomem(err);
    c->cells = cells;
    c->serial = 1;
    tacit_status status = make(c, weighted, err);
    if (status == TACIT_OK)
        *out = c;
    else
        tacit__contributors_free(c);
    return status;
}

static void touch(tacit__contributors *c, int64_t cell, double amount)
{
    if (c->marks[cell] != c->serial) {
        c->marks[cell] = c->serial;
        c->sums[cell] = 0;
        c->touched[c->touched_count++] = (int32_t)cell;
    }
    c->sums[cell] += amount;
}

/* The contribution goes to every combination of what is above its codes: an odometer over
 * the dimensions. */
static void spread(tacit__contributors *c, int32_t cell, double amount)
{
    const tacit_cells_table *table = &c->cells->tables[0];
    const int32_t *list[TACIT_MAX_DIMENSIONS];
    int32_t length[TACIT_MAX_DIMENSIONS], at[TACIT_MAX_DIMENSIONS] = {0};
    int32_t dimensions = table->dimension_count, d;
    int64_t place = cell;
    for (d = 0; d < dimensions; d++) {
        int32_t code = (int32_t)(cell / table->strides[d] % c->cells->dimensions[d].code_count);
        list[d] = c->ups[d].codes + c->ups[d].starts[code];
        length[d] = c->ups[d].starts[code + 1] - c->ups[d].starts[code];
    }
    do {
        touch(c, place, amount);
        for (d = dimensions - 1; d >= 0; d--) {
            int32_t old = list[d][at[d]];
            bool round = ++at[d] == length[d];
            at[d] = round ? 0 : at[d];
            place += (list[d][at[d]] - old) * table->strides[d];
            if (!round)
                break;
        }
    } while (d >= 0);
}

void tacit__contributors_add(tacit__contributors *c, const tacit__contribution *contribution)
{
    c->asked |= contribution->asked;
    c->weight = contribution->weight;
    spread(c, contribution->cell, contribution->amount);
}

/* Puts an owner among the largest of a cell; equal sizes stay in the order of owners. */
static void rank(tacit__contributors *c, int32_t cell, double size, int32_t owner)
{
    tacit_cells *cells = c->cells;
    int64_t first = (int64_t)cell * cells->top_count;
    int32_t at = cells->top_count;
    double *top = cells->top + first;
    int32_t *owners = cells->top_owner + first;
    while (at > 0 && (owners[at - 1] < 0 || top[at - 1] < size))
        at--;
    if (at == cells->top_count)
        return;
    size_t behind = (size_t)(cells->top_count - 1 - at);
    memmove(top + at + 1, top + at, behind * sizeof *top);
    memmove(owners + at + 1, owners + at, behind * sizeof *owners);
    top[at] = size;
    owners[at] = owner;
    if (c->weights) {
        double *weights = c->weights + first;
        memmove(weights + at + 1, weights + at, behind * sizeof *weights);
        weights[at] = fmax(c->weight, 1);
    }
    if (at == 0 && cells->asked)
        cells->asked[cell] = c->asked;
}

void tacit__contributors_close(tacit__contributors *c, int32_t owner)
{
    for (int32_t i = 0; i < c->touched_count; i++) {
        int32_t cell = c->touched[i];
        double size = fabs(c->sums[cell]);
        c->cells->freq[cell]++;
        if (c->cells->gross)
            c->cells->gross[cell] += size * c->weight;
        rank(c, cell, size, owner);
    }
    c->touched_count = 0;
    c->asked = false;
    c->serial++;
}

/* Units instead of records: fills the places of a cell's list, one unit each, from the
 * records in it, each with as many units as its weight. */
static void spend_units(double *top, int32_t *owners, const double *weights, int32_t count)
{
    double sizes[TACIT_MAX_TOP], left[TACIT_MAX_TOP];
    int32_t whose[TACIT_MAX_TOP], from = 0;
    memcpy(sizes, top, (size_t)count * sizeof *sizes);
    memcpy(left, weights, (size_t)count * sizeof *left);
    memcpy(whose, owners, (size_t)count * sizeof *whose);
    for (int32_t r = 0; r < count; r++) {
        double room = 1;
        top[r] = 0;
        owners[r] = -1;
        for (; from < count && room > 0; from += left[from] <= 0) {
            double units = fmin(room, left[from]);
            top[r] += units * sizes[from];
            if (room == 1) {
                owners[r] = whose[from];
                whose[from] = -1; /* further units are others like him */
            }
            room -= units;
            left[from] -= units;
        }
    }
}

void tacit__contributors_finish(tacit__contributors *c)
{
    tacit_cells *cells = c->cells;
    int32_t count = cells->top_count;
    for (int32_t i = 0; c->weights && i < cells->count; i++)
        spend_units(cells->top + (int64_t)i * count, cells->top_owner + (int64_t)i * count,
                    c->weights + (int64_t)i * count, count);
}

void tacit__top_merge(tacit_cells *cells, int32_t cell, const int32_t *parts, int32_t count)
{
    int32_t kept = cells->top_count;
    double *top = cells->top + (int64_t)cell * kept;
    memset(top, 0, (size_t)kept * sizeof *top);
    for (int32_t i = 0; i < count; i++) {
        const double *part = cells->top + (int64_t)parts[i] * kept;
        for (int32_t r = 0; r < kept && part[r] > top[kept - 1]; r++) {
            int32_t at = kept - 1;
            for (; at > 0 && top[at - 1] < part[r]; at--)
                top[at] = top[at - 1];
            top[at] = part[r];
        }
    }
}
