/*
 * lower.c - tables over dimensions lowered to cells and relations.
 *
 * A table holds every combination of its dimensions' codes; its cells are numbered in
 * mixed radix, so a code of dimension d and the codes of all others give a cell by one sum.
 * For each dimension, each of its trees and each code with parts there is one relation for every
 * combination of the other dimensions' codes: the total is the sum of its parts.
 * Where a dimension has several trees, or tables are linked, the same relation can come twice and
 * is left out the second time. Linear in the terms; the second look sorts the relations.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "cells/cells/inside.h"

tacit_status tacit__table_lay_out(tacit_cells_table *table, const tacit_dimension *dimensions,
                                  tacit_error *err)
{
    int64_t places = 1;
    for (int32_t i = table->dimension_count - 1; i >= 0; i--) {
        table->strides[i] = places;
        places *= dimensions[table->dimensions[i]].code_count;
        if (places > TACIT_MAX_CELLS)
            return tacit__error(err, TACIT_LIMIT,
                                "the table has more than %d cells; leave out a dimension, or codes",
                                TACIT_MAX_CELLS);
    }
    table->place_count = (int32_t)places;
    return TACIT_OK;
}

tacit_status tacit__cells_lay_out(tacit_cells *cells, tacit_error *err)
{
    cells->tables = tacit__alloc_zeroed(1, sizeof *cells->tables);
    if (!cells->tables)
        return tacit__nomem(err);
    cells->table_count = 1;
    cells->tables[0].dimension_count = cells->dimension_count;
    for (int32_t d = 0; d < cells->dimension_count; d++)
        cells->tables[0].dimensions[d] = d;
    tacit_status status = tacit__table_lay_out(&cells->tables[0], cells->dimensions, err);
    if (status == TACIT_OK)
        status = tacit__cells_allocate(cells, cells->tables[0].place_count, err);
    return status;
}

/* A dimension of a table: places that differ in it only are stride apart. */
typedef struct slab {
    const tacit_dimension *dimension;
    int64_t stride;
    int64_t width; /* stride times codes */
    int64_t outer; /* combinations of the dimensions before it */
} slab;

static slab slab_of(const tacit_cells *cells, const tacit_cells_table *table, int32_t i)
{
    slab s = {.dimension = &cells->dimensions[table->dimensions[i]], .stride = table->strides[i]};
    s.width = s.stride * s.dimension->code_count;
    s.outer = table->place_count / s.width;
    return s;
}

/* How many relations and terms there are, or, with relations, each of them. */
typedef struct lowering {
    tacit_relations *to;
    int64_t count;
    int64_t terms;
} lowering;

static int32_t cell_at(const tacit_cells_table *table, int64_t place)
{
    return table->cells ? table->cells[place] : (int32_t)place;
}

static void write_relation(lowering *l, const tacit_cells_table *table, const slab *s,
                           const tacit_code_tree *tree, int32_t code, int64_t base)
{
    tacit_relations *to = l->to;
    int64_t at = l->terms;
    to->starts[l->count] = at;
    to->rhs[l->count] = 0;
    to->items[at] = cell_at(table, base + code * s->stride);
    to->coefs[at++] = -1;
    for (int32_t i = tree->child_starts[code]; i < tree->child_starts[code + 1]; i++) {
        to->items[at] = cell_at(table, base + tree->children[i] * s->stride);
        to->coefs[at++] = 1;
    }
}

static void lower_code(lowering *l, const tacit_cells_table *table, const slab *s,
                       const tacit_code_tree *tree, int32_t code)
{
    int64_t parts = tree->child_starts[code + 1] - tree->child_starts[code];
    int64_t each = s->outer * s->stride;
    if (!parts)
        return;
    if (!l->to) {
        l->count += each;
        l->terms += each * (parts + 1);
        return;
    }
    for (int64_t outer = 0; outer < s->outer; outer++)
        for (int64_t inner = 0; inner < s->stride; inner++) {
            write_relation(l, table, s, tree, code, outer * s->width + inner);
            l->count++;
            l->terms += parts + 1;
        }
}

static void lower_all(lowering *l, const tacit_cells *cells)
{
    for (int32_t t = 0; t < cells->table_count; t++)
        for (int32_t i = 0; i < cells->tables[t].dimension_count; i++) {
            slab s = slab_of(cells, &cells->tables[t], i);
            for (int32_t k = 0; k < s.dimension->tree_count; k++)
                for (int32_t code = 0; code < s.dimension->code_count; code++)
                    lower_code(l, &cells->tables[t], &s, &s.dimension->trees[k], code);
        }
}

static tacit_status allocate_relations(tacit_relations *to, int64_t count, int64_t terms,
                                       tacit_error *err)
{
    if (count > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "the table has more than %d relations", INT32_MAX);
    to->count = (int32_t)count;
    to->starts = tacit__alloc_array((size_t)count + 1, sizeof *to->starts);
    to->items = tacit__alloc_array((size_t)terms, sizeof *to->items);
    to->coefs = tacit__alloc_array((size_t)terms, sizeof *to->coefs);
    to->rhs = tacit__alloc_array((size_t)count, sizeof *to->rhs);
    if (!to->starts || !to->items || !to->coefs || !to->rhs)
        return tacit__nomem(err);
    to->starts[count] = terms;
    return TACIT_OK;
}

static bool can_repeat(const tacit_cells *cells)
{
    for (int32_t d = 0; d < cells->dimension_count; d++)
        if (cells->dimensions[d].tree_count > 1)
            return true;
    return cells->table_count > 1;
}

/* A relation by what it says, in no order of its terms. */
typedef struct digest {
    uint64_t hash[2];
    int32_t relation;
} digest;

static int by_hash(const void *left, const void *right)
{
    const digest *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->hash[i] != b->hash[i])
            return a->hash[i] < b->hash[i] ? -1 : 1;
    return a->relation < b->relation ? -1 : a->relation > b->relation;
}

static digest digest_of(const tacit_relations *relations, int32_t r)
{
    digest d = {.relation = r};
    for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++) {
        uint64_t item = (uint64_t)relations->items[j] << 1 | (relations->coefs[j] < 0);
        d.hash[0] += tacit__mix(item + 1);
        d.hash[1] += tacit__mix(tacit__mix(item + 1) ^ UINT64_C(0x5851F42D4C957F2D));
    }
    return d;
}

static void keep_marked(tacit_relations *relations, const bool *again)
{
    int32_t kept = 0;
    int64_t at = 0;
    for (int32_t r = 0; r < relations->count; r++) {
        int64_t from = relations->starts[r], to = relations->starts[r + 1];
        if (again[r])
            continue;
        memmove(relations->items + at, relations->items + from,
                (size_t)(to - from) * sizeof *relations->items);
        memmove(relations->coefs + at, relations->coefs + from,
                (size_t)(to - from) * sizeof *relations->coefs);
        relations->rhs[kept] = relations->rhs[r];
        relations->starts[kept++] = at;
        at += to - from;
    }
    relations->starts[kept] = at;
    relations->count = kept;
}

/* Leaves each relation once; the order stays. */
static tacit_status relations_unique(tacit_relations *relations, tacit_error *err)
{
    size_t count = (size_t)relations->count;
    digest *digests = tacit__alloc_array(count, sizeof *digests);
    bool *again = tacit__alloc_zeroed(count, sizeof *again);
    tacit_status status = digests && again ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (size_t r = 0; r < count; r++)
            digests[r] = digest_of(relations, (int32_t)r);
        qsort(digests, count, sizeof *digests, by_hash);
        for (size_t i = 1; i < count; i++)
            again[digests[i].relation] = digests[i].hash[0] == digests[i - 1].hash[0] &&
                                         digests[i].hash[1] == digests[i - 1].hash[1];
        keep_marked(relations, again);
    }
    tacit__free(digests);
    tacit__free(again);
    return status;
}

tacit_status tacit__cells_lower(tacit_cells *cells, tacit_error *err)
{
    lowering count = {0}, fill = {.to = &cells->relations};
    lower_all(&count, cells);
    tacit_status status = allocate_relations(&cells->relations, count.count, count.terms, err);
    if (status != TACIT_OK)
        return status;
    lower_all(&fill, cells);
    return can_repeat(cells) ? relations_unique(&cells->relations, err) : TACIT_OK;
}

/* One code of one dimension: the sum of its parts, a run of stride cells at a time. */
static void sum_code(double *values, const slab *s, int32_t code)
{
    const tacit_code_tree *tree = &s->dimension->trees[s->dimension->definition[code]];
    int32_t first = tree->child_starts[code], last = tree->child_starts[code + 1];
    for (int64_t outer = 0; outer < s->outer; outer++) {
        double *base = values + outer * s->width, *total = base + code * s->stride;
        memset(total, 0, (size_t)s->stride * sizeof *total);
        for (int32_t i = first; i < last; i++) {
            const double *part = base + tree->children[i] * s->stride;
            for (int64_t inner = 0; inner < s->stride; inner++)
                total[inner] += part[inner];
        }
    }
}

/* The last dimension first: when a dimension is summed, its cells are complete in those
 * after it. */
void tacit__sum_up(double *values, const tacit_cells *cells)
{
    assert(cells->table_count == 1);
    for (int32_t i = cells->dimension_count - 1; i >= 0; i--) {
        slab s = slab_of(cells, &cells->tables[0], i);
        for (int32_t k = 0; k < s.dimension->code_count; k++)
            if (s.dimension->definition[s.dimension->order[k]] >= 0)
                sum_code(values, &s, s.dimension->order[k]);
    }
}

/* Whether all codes of dimensions before the i-th are ground codes at an outer place. */
static bool ground_before(const tacit_cells *cells, int32_t i, int64_t outer)
{
    for (int32_t d = i - 1; d >= 0; d--) {
        const tacit_dimension *dimension = &cells->dimensions[d];
        if (dimension->definition[outer % dimension->code_count] >= 0)
            return false;
        outer /= dimension->code_count;
    }
    return true;
}

static void merge_code(const tacit_cells *cells, int32_t i, int32_t code, int32_t *parts,
                       tacit__merge_fn merge, void *context)
{
    slab s = slab_of(cells, &cells->tables[0], i);
    const tacit_code_tree *tree = &s.dimension->trees[s.dimension->definition[code]];
    int32_t first = tree->child_starts[code], count = tree->child_starts[code + 1] - first;
    for (int64_t outer = 0; outer < s.outer; outer++) {
        if (!ground_before(cells, i, outer))
            continue;
        for (int64_t inner = 0; inner < s.stride; inner++) {
            int64_t base = outer * s.width + inner;
            for (int32_t j = 0; j < count; j++)
                parts[j] = (int32_t)(base + tree->children[first + j] * s.stride);
            merge(context, (int32_t)(base + code * s.stride), parts, count);
        }
    }
}

tacit_status tacit__merge_up(const tacit_cells *cells, tacit__merge_fn merge, void *context,
                             tacit_error *err)
{
    assert(cells->table_count == 1);
    int32_t most = 0;
    for (int32_t d = 0; d < cells->dimension_count; d++)
        if (cells->dimensions[d].code_count > most)
            most = cells->dimensions[d].code_count;
    int32_t *parts = tacit__alloc_array((size_t)most, sizeof *parts);
    if (!parts)
        return tacit__nomem(err);
    for (int32_t i = cells->dimension_count - 1; i >= 0; i--) {
        const tacit_dimension *dimension = &cells->dimensions[i];
        for (int32_t k = 0; k < dimension->code_count; k++)
            if (dimension->definition[dimension->order[k]] >= 0)
                merge_code(cells, i, dimension->order[k], parts, merge, context);
    }
    tacit__free(parts);
    return TACIT_OK;
}
