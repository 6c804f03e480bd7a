/*
 * lineage.h - values of any level as extents that nest, for the sources of this room.
 */
#ifndef TACIT_SRC_HIERARCHY_LINEAGE_H
#define TACIT_SRC_HIERARCHY_LINEAGE_H

#include <tacit/experimental/lineage.h>

#include "base/file.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

/* What a value holds. Of two extents with low, high, rank and text the same neither holds more
 * than the other, and they are one node. */
typedef struct tacit__hierarchy_extent {
    int64_t low, high;  /* whole numbers from low up to but not high; not of masks */
    int32_t rank;       /* 0: holds only itself; of two alike, the higher holds the other */
    tacit_strview text; /* of masks: what is kept; else what tells apart where numbers do not */
} tacit__hierarchy_extent;

/* How values of a hierarchy become extents. */
typedef struct tacit__extents {
    const tacit_hierarchy_spec *spec;
    tacit_date_order order;  /* of dates with slashes; the source's that is read, see lineage.c */
    tacit__interval numbers; /* of intervals */
    tacit__input file;       /* of hierarchy files */
    tacit__rows rows;        /* what the tree borrows from */
    tacit__tree tree;
    int64_t *low[TACIT_MAX_LEVELS];   /* a node each: the ground values under it are numbered */
    int64_t *under[TACIT_MAX_LEVELS]; /* from low on, and there are so many */
    tacit__names others;              /* texts by number, where there is no hierarchy */
} tacit__extents;

tacit_status tacit__extents_init(tacit__extents *extents, const tacit_hierarchy_spec *spec,
                                 tacit_error *err);
void tacit__extents_clear(tacit__extents *extents);

typedef enum tacit__extent_result {
    TACIT__EXTENT_OK = 0,
    TACIT__EXTENT_UNKNOWN, /* the hierarchy does not know the value */
    TACIT__EXTENT_TWICE,   /* the value stands for two */
    TACIT__EXTENT_NOMEM
} tacit__extent_result;

/* The extent of a label that is neither "*" nor, unless the hierarchy has a row for it, empty. */
tacit__extent_result tacit__extent_of(tacit__hierarchy_extent *out, tacit__extents *extents,
                                      tacit_strview label);

/* Below 0, 0 or above: so that what holds others comes before them. */
int tacit__extent_compare(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                          const tacit_hierarchy_spec *spec);

/* Of two in that order: whether the first holds the second, and whether they overlap. */
bool tacit__extent_holds(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                         const tacit_hierarchy_spec *spec);
bool tacit__extent_overlaps(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                            const tacit_hierarchy_spec *spec);

/* Whether a hierarchy file says what missing generalizes to. */
bool tacit__extents_know_missing(const tacit__extents *extents);

#endif
