/*
 * cart.h - classification and regression trees: rows split by what columns say, until those of a
 * leaf are alike in another column or few. The part of synthesis that knows nothing of tables.
 *
 * A tree's columns are *bins*: at most TACIT__CART_BINS of them, in the order of numbers or in
 * none. A split sends some bins of one column to the left, so that it is 64 bits whatever the
 * column is.
 */
#ifndef TACIT_TECHNIQUES_SYNTHETIC_CART_H
#define TACIT_TECHNIQUES_SYNTHETIC_CART_H

#include <tacit/base.h>

enum { TACIT__CART_BINS = 64 };

/* A column that splits, or is what leaves are to be alike in. */
typedef struct tacit__cart_column {
    const uint8_t *bins;  /* a row each, below TACIT__CART_BINS */
    bool ordered;         /* bins follow the order of what they stand for */
    const double *scores; /* a row each, of an ordered column: what a leaf has the mean of */
} tacit__cart_column;

typedef struct tacit__cart_node {
    uint64_t left;  /* bins of the column that go to the first child, the others to the second */
    int32_t column; /* of those that split; -1: a leaf */
    uint32_t child; /* the first, the second behind it */
    uint32_t from;  /* its rows in the tree's */
    uint32_t count;
} tacit__cart_node;

typedef struct tacit__cart {
    uint32_t *rows; /* leaf by leaf, in each in the order that they were given in */
    tacit__cart_node *nodes;
    size_t node_count, capacity;
    uint32_t leaves;
} tacit__cart;

/* What a tree is grown from. */
typedef struct tacit__cart_case {
    const tacit__cart_column *columns; /* that split */
    int32_t column_count;
    tacit__cart_column target;
    const uint32_t *rows; /* in the order that leaves are to have */
    uint32_t count;
    uint32_t least; /* rows of a leaf */
} tacit__cart_case;

tacit_status tacit__cart_grow(tacit__cart *tree, const tacit__cart_case *from, tacit_error *err);
void tacit__cart_clear(tacit__cart *tree);

/* The leaf of a row that has these bins, one for each column that splits. */
const tacit__cart_node *tacit__cart_leaf(const tacit__cart *tree, const uint8_t *bins);

#endif
