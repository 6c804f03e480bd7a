/*
 * terms.h - the terms of all relations by cell, and what else is needed to find subtables in
 * them: pairs of numbers, and forests that join what belongs together.
 */
#ifndef TACIT_CELLS_CELLS_TERMS_H
#define TACIT_CELLS_CELLS_TERMS_H

#include <tacit/experimental/cells.h>

/* Cells in more relations than this are not looked at: sixteen dimensions of two trees each,
 * with parts and totals, have no more. */
enum { TACIT__MOST_USES = 64 };

/* The terms of cell i are list[starts[i]] to list[starts[i + 1] - 1], ascending. */
typedef struct tacit__terms {
    int32_t *starts; /* cells + 1 */
    int32_t *list;
    int32_t *relation; /* a term each */
} tacit__terms;

/* TACIT_LIMIT for more than INT32_MAX terms. */
tacit_status tacit__terms_init(tacit__terms *terms, const tacit_cells *cells, tacit_error *err);
void tacit__terms_clear(tacit__terms *terms);

static inline int32_t tacit__uses(const tacit__terms *terms, int32_t cell)
{
    return terms->starts[cell + 1] - terms->starts[cell];
}

/* Pairs of numbers, growing; sorted and each once when all are there. */
typedef struct tacit__pairs {
    uint64_t *list;
    size_t room;
    int64_t count;
} tacit__pairs;

static inline uint64_t tacit__pair(int32_t first, int32_t second)
{
    return (uint64_t)(uint32_t)first << 32 | (uint32_t)second;
}

tacit_status tacit__pairs_add(tacit__pairs *pairs, int32_t first, int32_t second, tacit_error *err);
void tacit__pairs_sort(tacit__pairs *pairs);

/* Whether a pair is among sorted ones. */
bool tacit__pairs_have(const tacit__pairs *pairs, int32_t first, int32_t second);

/* Numbers that belong together have the same root, the smallest of them. Each starts as its own. */
int32_t tacit__root_of(int32_t *forest, int32_t item);
void tacit__join(int32_t *forest, int32_t one, int32_t other);

/* For qsort and bsearch over int32_t. */
int tacit__by_number(const void *left, const void *right);

#endif
