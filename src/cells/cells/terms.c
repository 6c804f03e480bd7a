/*
 * terms.c - the terms of all relations by cell, pairs and forests; see terms.h.
 */
#include "cells/cells/terms.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

tacit_status tacit__terms_init(tacit__terms *terms, const tacit_cells *cells, tacit_error *err)
{
    const tacit_relations *r = &cells->relations;
    int64_t count = r->count ? r->starts[r->count] : 0;
    *terms = (tacit__terms){0};
    if (count > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "relations have more than %d terms", INT32_MAX);
    terms->starts = tacit__alloc_zeroed((size_t)cells->count + 2, sizeof *terms->starts);
    terms->list = tacit__alloc_array((size_t)count, sizeof *terms->list);
    terms->relation = tacit__alloc_array((size_t)count, sizeof *terms->relation);
    if (!terms->starts || !terms->list || !terms->relation) {
        tacit__terms_clear(terms);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < r->count; i++)
        for (int64_t j = r->starts[i]; j < r->starts[i + 1]; j++)
            terms->relation[j] = i;
    int32_t *next = terms->starts + 1; /* where each cell's terms go on, until they are listed */
    for (int64_t j = 0; j < count; j++)
        next[r->items[j] + 1]++;
    for (int32_t i = 0; i < cells->count; i++)
        next[i + 1] += next[i];
    for (int64_t j = 0; j < count; j++)
        terms->list[next[r->items[j]]++] = (int32_t)j;
    return TACIT_OK;
}

void tacit__terms_clear(tacit__terms *terms)
{
    tacit__free(terms->starts);
    tacit__free(terms->list);
    tacit__free(terms->relation);
    *terms = (tacit__terms){0};
}

/* ---- pairs ---- */

tacit_status tacit__pairs_add(tacit__pairs *pairs, int32_t first, int32_t second, tacit_error *err)
{
    return TACIT__PUSH(pairs->list, pairs->room, pairs->count, tacit__pair(first, second))
               ? TACIT_OK
               : tacit__nomem(err);
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

void tacit__pairs_sort(tacit__pairs *pairs)
{
    int64_t kept = 0;
    if (pairs->count == 0)
        return;
    qsort(pairs->list, (size_t)pairs->count, sizeof *pairs->list, ascending);
    for (int64_t i = 0; i < pairs->count; i++)
        if (i == 0 || pairs->list[i] != pairs->list[kept - 1])
            pairs->list[kept++] = pairs->list[i];
    pairs->count = kept;
}

bool tacit__pairs_have(const tacit__pairs *pairs, int32_t first, int32_t second)
{
    uint64_t pair = tacit__pair(first, second);
    return pairs->count > 0 &&
           bsearch(&pair, pairs->list, (size_t)pairs->count, sizeof pair, ascending) != NULL;
}

/* ---- forests ---- */

int32_t tacit__root_of(int32_t *forest, int32_t item)
{
    while (forest[item] != item) {
        forest[item] = forest[forest[item]];
        item = forest[item];
    }
    return item;
}

void tacit__join(int32_t *forest, int32_t one, int32_t other)
{
    int32_t a = tacit__root_of(forest, one), b = tacit__root_of(forest, other);
    forest[a < b ? b : a] = a < b ? a : b;
}

int tacit__by_number(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}
