/*
 * link.h - what the files of linking share (audit_link.h).
 *
 * Columns stand in an order of their own, the depth of the trees: those with few values first, and
 * those of which the register does not know everybody's value last. In the tree of classes
 * codes are nodes of the lineages. In the tree of people codes are marks (marks.c): two
 * values that meet the same released values have one mark, so that people whom the release
 * cannot tell apart are one bundle.
 */
#ifndef TACIT_AUDIT_LINK_LINK_H
#define TACIT_AUDIT_LINK_LINK_H

#include <tacit/experimental/audit_link.h>

#include "audit/rows/rows.h"

/* Combinations of codes as trees, and two of them gone through together.
 *
 * A tree has a depth for each column: a node is a combination of the first columns'
 * codes that occurs, its children are sorted by code, and the leaves are the
 * combinations in their order. Of two trees one is of people, the other of released
 * classes; what a person's code can meet among the codes of classes is said by
 * tacit__meets, a column each. */

/* ---- bundles: rows that are alike in some columns, in the order of their codes ---- */

typedef struct tacit__bundles {
    tacit__keys keys; /* its sorter has the key of every bundle, ascending */
    int64_t count;
    uint32_t *sizes; /* a bundle each: its rows */
} tacit__bundles;

/* Counts what is alike in the parts that were added to bundles->keys, which keeps its folds. */
tacit_status tacit__bundles_count(tacit__bundles *bundles, tacit_error *err);
void tacit__bundles_clear(tacit__bundles *bundles);

/* The codes of a bundle, a column each: a tacit__leaf_codes. */
void tacit__bundle_codes(uint32_t *codes, const void *bundles, int64_t bundle);

/* ---- trees ---- */

typedef struct tacit__code_tree_level {
    uint32_t *codes;    /* a node each: the column's code */
    uint32_t *children; /* where a node's children start one level down; one more at the end;
                           NULL on the last level */
    int64_t count;
} tacit__code_tree_level;

typedef struct tacit__code_tree {
    int32_t depth; /* 1 or more */
    int64_t leaves;
    tacit__code_tree_level levels[TACIT__MAX_PROMISED];
} tacit__code_tree;

/* The codes of a leaf, a depth each. Leaves are different, and ascend. */
typedef void (*tacit__leaf_codes)(uint32_t *codes, const void *of, int64_t leaf);

/* Cleared in any case. */
tacit_status tacit__code_tree_init(tacit__code_tree *tree, int32_t depth, int64_t leaves,
                                   tacit__leaf_codes codes, const void *of, const tacit_run *run,
                                   tacit_error *err);
void tacit__code_tree_clear(tacit__code_tree *tree);

/* ---- meetings ---- */

/* What a person's code meets: the codes of a list and, with stretches, those of a stretch that
 * has none of the list. Where there are stretches, code 0 meets everything. */
typedef struct tacit__meets {
    const size_t *start; /* by code: where its list starts; one more at the end */
    const uint32_t *list;
    const uint32_t *from, *to; /* by code: a stretch, the last code not in it; NULL: none */
} tacit__meets;

typedef struct tacit__descent {
    const tacit__code_tree *people, *classes;       /* of one depth */
    const tacit__meets *meets[TACIT__MAX_PROMISED]; /* a depth each */
    /* A leaf of people meets the classes from one up to but not another. It may be told of
     * several stretches, none of which overlap. */
    void (*meet)(void *context, int64_t leaf, int64_t from, int64_t to);
    void *context;
} tacit__descent;

/* Goes down from all people, in blocks of leaves that start at multiples of 64: `meet` is
 * called from several threads, but for one block from one. */
tacit_status tacit__descend(const tacit__descent *descent, const char *phase, const tacit_run *run,
                            tacit_error *err);

/* Goes down with one person's codes; he is called `leaf`. people may be NULL. */
void tacit__descend_with(const tacit__descent *descent, const uint32_t *codes, int64_t leaf,
                         void *context);

/* ---- marks ---- */

/* What a column's values in the register meet in the release. */
typedef struct tacit__link_marks {
    uint32_t *of_code; /* code of the register -> mark */
    uint32_t count;
    size_t *start; /* as in tacit__meets, by mark */
    uint32_t *list;
    uint32_t *from, *to;
    bool unknown; /* somebody's value is not known */
    bool agrees, says;
} tacit__link_marks;

tacit_status tacit__link_marks_init(tacit__link_marks *marks, const tacit_link_column *column,
                                    tacit_error *err);
void tacit__link_marks_clear(tacit__link_marks *marks);

#endif
