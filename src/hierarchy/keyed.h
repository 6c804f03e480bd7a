/*
 * keyed.h - levels of rules that compute: a value above is a number first (a
 * month, the index of an interval) and gets its label once.
 */
#ifndef TACIT_SRC_HIERARCHY_KEYED_H
#define TACIT_SRC_HIERARCHY_KEYED_H

#include "hierarchy/hierarchy.h"

enum { TACIT__LABEL_SIZE = 128 };

typedef struct tacit__hierarchy_keyed {
    int levels; /* above the ground */
    /* The key on a level (2 or higher) of what has this key on the level below. */
    int64_t (*above)(const void *context, int level, int64_t key);
    /* Writes at most TACIT__LABEL_SIZE bytes; returns the length. */
    size_t (*label)(char *buffer, const void *context, int level, int64_t key);
    const void *context;
} tacit__hierarchy_keyed;

/* Adds the levels. keys holds the key on level 1 of every code of the column,
 * and is used up. */
tacit_status tacit__keyed_grow(tacit_hierarchy *hierarchy, const tacit__hierarchy_keyed *rule,
                               int64_t *keys, tacit_error *err);

#endif
