/*
 * ground.h - the records as the search for prime implicants sees them.
 *
 * Items are the distinct combinations, with their rows as weights. Columns are
 * in the order in which the search takes them, the most telling ones first, and
 * sets are in bits of this order until tacit__ground_columns brings them back. A
 * cell is a number that stands for one value of one column in the whole table,
 * so that counts of values of all columns lie in one array.
 *
 * Values that at most k rows have are not told apart: their column alone is a
 * prime implicant of these rows, which is known beforehand, and no other prime
 * implicant of them holds it. Such a cell is its column's `base`, and is not
 * equal to anything. Where missing matches anything it is `base + 1`.
 */
#ifndef TACIT_SRC_UNIQUES_GROUND_H
#define TACIT_SRC_UNIQUES_GROUND_H

#include "uniques/distinct.h"

typedef struct tacit__ground {
    const tacit_distinct *distinct;
    uint32_t k;
    int columns;
    uint32_t items;
    uint32_t *cells;                         /* item by item, a column each */
    uint32_t *weights;                       /* an item each: its rows */
    uint32_t base[TACIT_UNIQUES_COLUMNS];    /* a column each: its first value */
    uint32_t values;                         /* of all columns together */
    int32_t position[TACIT_UNIQUES_COLUMNS]; /* a column each: its place in the caller's list */
    bool wild;                               /* missing matches anything */
    uint32_t *counts[TACIT_UNIQUES_COLUMNS]; /* a column each: by code, the rows that have it */
} tacit__ground;

/* With a k of 0 all values are told apart. */
tacit_status tacit__ground_init(tacit__ground *ground, const tacit_distinct *distinct, int64_t k,
                                const tacit_run *run, tacit_error *err);
void tacit__ground_clear(tacit__ground *ground);

static inline const uint32_t *tacit__ground_cells(const tacit__ground *ground, uint32_t item)
{
    return ground->cells + (size_t)item * (size_t)ground->columns;
}

/* Whether a cell is missing and matches anything. */
static inline bool tacit__ground_wild(const tacit__ground *ground, int column, uint32_t cell)
{
    return ground->wild && cell == ground->base[column] + 1;
}

/* Whether sets may hold the column for items with that cell. */
static inline bool tacit__ground_usable(const tacit__ground *ground, int column, uint32_t cell)
{
    return cell - ground->base[column] > (uint32_t)ground->wild;
}

/* Rows that match an item in a column. */
static inline uint32_t tacit__ground_matches(const tacit__ground *ground, int column, uint32_t item)
{
    int32_t at = ground->position[column];
    uint32_t wild = tacit__distinct_wild(ground->distinct, at);
    const uint32_t *counts = ground->counts[column];
    return counts[tacit__distinct_code(ground->distinct, item, at)] +
           (wild == UINT32_MAX ? 0 : counts[wild]);
}

/* A set in the caller's columns. */
static inline uint64_t tacit__ground_columns(const tacit__ground *ground, uint64_t set)
{
    uint64_t columns = 0;
    for (; set; set &= set - 1)
        columns |= UINT64_C(1) << ground->position[__builtin_ctzll(set)];
    return columns;
}

#endif
