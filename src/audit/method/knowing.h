/*
 * knowing.h - what the files share that say what knowing the method gives away: trees of values
 * as plain arrays, and released classes on them.
 */
#ifndef TACIT_AUDIT_METHOD_KNOWING_H
#define TACIT_AUDIT_METHOD_KNOWING_H

#include <tacit/experimental/audit_method.h>

#include "audit/rows/ladder.h"

/* The values of a column, numbered from the top down, a value before what is under it: those
 * under a are a + 1 ... ends[a] - 1. Ground values have nothing under them. Owned arrays;
 * zero-initialized is empty. */
typedef struct tacit__known_tree {
    uint32_t count;
    uint32_t *ends;
    uint32_t *before; /* ground values before a node, and all of them at the end */
    double *costs;    /* of a cell, a node each; NAN: not known */
} tacit__known_tree;

/* Values of a release as nodes (knowing_trees.c). */
typedef struct tacit__known_column {
    tacit__known_tree tree;
    uint32_t *node_of; /* code of the release, missing last -> node */
} tacit__known_column;

/* From the hierarchy on the original's values, from a level up, where `ground` has a table; what
 * a release has beside these is a ground value that nobody else has. Otherwise from the released
 * values alone: whatever has finer ones among them has one more, which nobody has seen. */
tacit_status tacit__known_column_init(tacit__known_column *column, const tacit_hierarchy_spec *spec,
                                      tacit__rows_place ground, tacit__rows_place released,
                                      int floor, tacit_known_cost cost, tacit_error *err);
void tacit__known_column_clear(tacit__known_column *column);

/* Room for count nodes, and what follows from the ends once they are in. */
tacit_status tacit__known_tree_init(tacit__known_tree *tree, uint32_t count, tacit_error *err);
void tacit__known_tree_close(tacit__known_tree *tree);
void tacit__known_tree_clear(tacit__known_tree *tree);

/* Ground values under a node. */
static inline uint32_t tacit__known_leaves(const tacit__known_tree *tree, uint32_t node)
{
    return tree->before[tree->ends[node]] - tree->before[node];
}

static inline bool tacit__known_holds(const tacit__known_tree *tree, uint32_t a, uint32_t b)
{
    return a <= b && b < tree->ends[a];
}

/* What is known of the values of a class in a column, as bits. */
enum { TACIT__KNOWN_NARROWED = 1, TACIT__KNOWN_CERTAIN = 2, TACIT__KNOWN_SETTLED = 4 };

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

/* Adds up what follows for all classes (knowing_boxes.c): into hidden, bits, exact, narrowed,
 * certain, settled and impossible of `known`, and into `found`, bits for each class and column,
 * zeroed before. */
tacit_status tacit__known_sum(tacit_known *known, uint8_t *found, const tacit__known_boxes *boxes,
                              tacit_error *err);

/* What a class's rows cannot be because they would have been in a cheaper box
 * (knowing_rows.c). Zero-initialized is empty; used again and again. */
typedef struct tacit__known_rows {
    const tacit__known_boxes *boxes;
    double *costs;     /* of a row, a class each */
    uint32_t *regions; /* region by region, a node for each column */
    int64_t count;
    size_t region_room;
    uint32_t *owner; /* a ground value of a column each, see knowing_rows.c */
    uint32_t *cuts;
    double *weights;
    double *terms;
    size_t owner_room, cut_room, weight_room, term_room;
} tacit__known_rows;

tacit_status tacit__known_rows_init(tacit__known_rows *rows, const tacit__known_boxes *boxes,
                                    tacit_error *err);
void tacit__known_rows_clear(tacit__known_rows *rows);

/* What is gained on a class. */
typedef struct tacit__known_gain {
    double spread[TACIT__MAX_PROMISED]; /* a column each: by its values alone */
    double bits;                        /* of the class; at least, where not exact */
    bool exact;
    bool impossible;
} tacit__known_gain;

/* Takes cheaper boxes into account: raises what is gained and says what is narrowed. */
tacit_status tacit__known_rows_weigh(tacit__known_gain *gain, uint8_t *found,
                                     tacit__known_rows *rows, int64_t class_index,
                                     tacit_error *err);

#endif
