/*
 * knowing.h - what the files share that say what knowing the method gives away: trees of values
 * as plain arrays, and released classes on them.
 */
#ifndef TACIT_AUDIT_METHOD_KNOWING_H
#define TACIT_AUDIT_METHOD_KNOWING_H

#include <tacit/experimental/audit_method.h>

#include "audit/rows/rows.h"

/* What is known of the values of a class in a column, as bits. */
enum { TACIT__KNOWN_NARROWED = 1, TACIT__KNOWN_CERTAIN = 2, TACIT__KNOWN_SETTLED = 4 };

/* The values of a column, numbered from the top down, a value before what is under it: those
 * under a are a + 1 ... ends[a] - 1. Ground values have nothing under them. Owned arrays;
 * zero-initialized is empty. */
typedef struct tacit__known_tree {
    uint32_t count;
    uint32_t *ends;
    uint32_t *before; /* ground values before a node, and all of them at the end */
    double *costs;    /* of a cell, a node each; NAN: not known */
} tacit__known_tree;

/* Room for count nodes, and what follows from the ends once they are in. */
tacit_status tacit__known_tree_init(tacit__known_tree *tree, uint32_t count, tacit_error *err);
void tacit__known_tree_close(tacit__known_tree *tree);
void tacit__known_tree_clear(tacit__known_tree *tree);

/* Released classes: a node for each column, and how many rows. Borrowed. */
typedef struct tacit__known_boxes {
    int32_t columns;
    const tacit__known_tree *trees;
    int64_t classes;
    const uint32_t *nodes; /* class by class, a column each */
    const int64_t *sizes;
    int64_t k;
    bool told; /* anything is known of the method; otherwise only what is hidden is counted */
    bool best; /* the release is the cheapest there is */
    const tacit_run *run;
} tacit__known_boxes;

/* Adds up what follows for all classes (knowing_rows.c): into hidden, bits, exact, narrowed,
 * certain, settled and impossible of `known`, and into `found`, bits for each class and column,
 * zeroed before. */
tacit_status tacit__known_sum(tacit_known *known, uint8_t *found, const tacit__known_boxes *boxes,
                              tacit_error *err);

#endif
