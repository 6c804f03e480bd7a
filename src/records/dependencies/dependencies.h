/*
 * dependencies.h - rows as plain codes, and groups of rows that are the same in some columns:
 * what finding, judging and hiding dependencies are made of.
 */
#ifndef TACIT_RECORDS_DEPENDENCIES_DEPENDENCIES_H
#define TACIT_RECORDS_DEPENDENCIES_DEPENDENCIES_H

#include <tacit/experimental/dependencies.h>

#include "base/map.h"

/* Rows of codes. Zero-initialized is none. */
typedef struct tacit__dependencies_grid {
    int32_t columns; /* at most 64 */
    uint32_t rows;
    uint32_t *codes;  /* row by row */
    uint32_t *domain; /* a column each: codes are below it */
    uint32_t *counts; /* for refining: as many as the largest domain, zeros between calls */
    uint32_t *places;
} tacit__dependencies_grid;

/* Makes room for codes and domains, and, once these are filled in, for refining. */
tacit_status tacit__grid_init(tacit__dependencies_grid *grid, uint32_t rows, int32_t columns,
                              tacit_error *err);
tacit_status tacit__grid_ready(tacit__dependencies_grid *grid, tacit_error *err);
void tacit__grid_clear(tacit__dependencies_grid *grid);

/* These columns of a table, ready; a column that is -1 is all zeros. */
tacit_status tacit__grid_read(tacit__dependencies_grid *grid, const tacit_table *table,
                              const int32_t *columns, int32_t count, tacit_error *err);

static inline const uint32_t *tacit__grid_row(const tacit__dependencies_grid *grid, uint32_t row)
{
    return grid->codes + (size_t)row * (size_t)grid->columns;
}

/* The columns in which two rows differ. */
static inline uint64_t tacit__grid_differ(const tacit__dependencies_grid *grid, uint32_t a,
                                          uint32_t b)
{
    const uint32_t *x = tacit__grid_row(grid, a), *y = tacit__grid_row(grid, b);
    uint64_t differ = 0;
    for (int32_t c = 0; c < grid->columns; c++)
        differ |= (uint64_t)(x[c] != y[c]) << c;
    return differ;
}

/* Groups of at least two rows; rows that are alone are left out. Zero-initialized is none. */
typedef struct tacit__alike {
    uint32_t *rows;
    uint32_t *starts; /* count + 1 */
    uint32_t count;
} tacit__alike;

static inline uint32_t tacit__alike_rows(const tacit__alike *groups)
{
    return groups->count ? groups->starts[groups->count] : 0;
}

/* One group of all these rows, or of the grid's first `count` where rows is NULL. */
tacit_status tacit__alike_whole(tacit__alike *groups, const uint32_t *rows, uint32_t count,
                                tacit_error *err);

/* Of each group the rows that are the same in a column, in the order they had. */
tacit_status tacit__alike_refine(tacit__alike *out, const tacit__alike *from,
                                 tacit__dependencies_grid *grid, int32_t column, tacit_error *err);

/* The same by every column of a set; what `groups` held is replaced. */
tacit_status tacit__alike_refine_all(tacit__alike *groups, tacit__dependencies_grid *grid,
                                     uint64_t columns, tacit_error *err);
void tacit__alike_clear(tacit__alike *groups);

/* Rows by which columns of a set they have blank, those with none first, the others ascending by
 * the bits of these columns. Zero-initialized is none. */
typedef struct tacit__blanked {
    uint32_t *rows; /* ascending in each part */
    uint64_t *masks;
    uint32_t *starts; /* count + 1 */
    uint32_t count;
} tacit__blanked;

/* blanks[r] has the columns that row r has blank; rows with leave_out[r] (may be NULL) are left
 * out. */
tacit_status tacit__blanked_init(tacit__blanked *parts, const uint64_t *blanks,
                                 const bool *leave_out, uint32_t rows, uint64_t columns,
                                 tacit_error *err);
void tacit__blanked_clear(tacit__blanked *parts);

/* The rows of two parts, or of one, in one group. */
tacit_status tacit__blanked_group(tacit__alike *groups, const tacit__blanked *parts, uint32_t a,
                                  uint32_t b, tacit_error *err);

/* Columns are as many as there may be, coded, and none is named twice. */
tacit_status tacit__dependency_columns(const tacit_table *table, const int32_t *columns,
                                       int32_t count, tacit_error *err);

/* ---- finding: cover.c ---- */

/* Left sides of one column that no pair of rows seen so far speaks against. */
typedef struct tacit__lefts {
    uint64_t *sets;
    size_t count, capacity;
    uint64_t *effective; /* pairs that have changed them */
    size_t effective_count, effective_capacity;
} tacit__lefts;

/* The left sides of all columns: for each the minimal sets that hit every set in which two
 * rows differ that differ in it. Zero-initialized is none. */
typedef struct tacit__candidates {
    tacit__lefts of[TACIT_DEPENDENCY_COLUMNS];
    int32_t columns;
    int32_t cap;         /* larger ones are left out ... */
    bool cut;            /* and there were some */
    bool full;           /* cap was lowered, for there were too many */
    int64_t by_size[65]; /* of those up to cap */
    int64_t total;
    int64_t most;    /* of them */
    uint64_t *spare; /* room for one step */
    size_t spare_capacity;
} tacit__candidates;

/* The empty set for every column. */
tacit_status tacit__candidates_init(tacit__candidates *candidates, int32_t columns, int32_t cap,
                                    tacit_error *err);

/* Two rows differ in these columns and are the same in the others. */
tacit_status tacit__candidates_apply(tacit__candidates *candidates, uint64_t differ,
                                     const tacit_run *run, tacit_error *err);
void tacit__candidates_clear(tacit__candidates *candidates);

#endif
