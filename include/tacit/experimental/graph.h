/*
 * graph.h - a two-dimensional table as a sparse list of cells, which is all that total
 * protection (total.h, audit_total.h) needs of it.
 *
 * Row sums and column sums are published. Rows and columns are the two sides of a bipartite
 * graph and suppressed cells its edges: undirected where the value is strictly between the
 * cell's bounds, directed to the column where it is the lower one and to the row where it is the
 * upper one (Kao, Total Protection, section 2). A table of a million by a million with a few
 * million suppressed cells is a list of those; no array here has room for all cells.
 */
#ifndef TACIT_GRAPH_H
#define TACIT_GRAPH_H

#include <tacit/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TACIT_MAX_FLAT_LINES = (1 << 28) - 1, /* rows and columns together */
    TACIT_MAX_FLAT_CELLS = (1 << 30) - 1  /* listed */
};

/* What the cells are that the list leaves out. All of them are published. */
typedef enum tacit_flat_rest {
    TACIT_REST_INSIDE = 0, /* strictly between their bounds, may be suppressed at cost 1 */
    TACIT_REST_LOWER,      /* on their lower bound, as zeros are; may be suppressed at cost 1 */
    TACIT_REST_FIXED       /* must be published */
} tacit_flat_rest;

/* Zero-initialized: an empty table. Arrays have an entry a listed cell and are borrowed; those
 * that may be NULL stand for what is said. */
typedef struct tacit_flat_view {
    int32_t rows, columns;
    int32_t count;               /* cells listed, in any order, none twice */
    const int32_t *row;          /* from 0 */
    const int32_t *column;       /* from 0 */
    const char *status;          /* `u` and `x` are suppressed, `s` may be, `z` never; NULL: `u` */
    const double *value;         /* NAN, or NULL: unknown, strictly between the bounds */
    const double *lower, *upper; /* that everybody knows; NULL: 0 and no upper bound */
    const double *cost;          /* of suppressing it, 0 or more; NULL: 1 */
    const bool *secret;          /* the set Q, suppressed cells only; NULL: those with status `u` */
    tacit_flat_rest rest;
    /* What a row or column is called in messages; NULL: its number, from 1. */
    tacit_strview (*name)(const void *named, bool row, int32_t number);
    const void *named;
} tacit_flat_view;

#ifdef __cplusplus
}
#endif
#endif
