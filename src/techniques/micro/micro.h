/*
 * micro.h - points gathered into groups of at least k: the parts of microaggregation, which know
 * nothing of tables.
 *
 * Groups are numbered from 0 without gaps; `group` has that of each point. All of them take at
 * least k points, are the same for any number of threads, and ask now and then whether to go on.
 */
#ifndef TACIT_TECHNIQUES_MICRO_MICRO_H
#define TACIT_TECHNIQUES_MICRO_MICRO_H

#include <tacit/base.h>

#include "base/random.h"

/* Points of a space, one after the other. */
typedef struct tacit__points {
    const double *at; /* count times width */
    uint32_t count;
    uint32_t width;
} tacit__points;

static inline const double *tacit__point(const tacit__points *points, uint32_t index)
{
    return points->at + (size_t)index * points->width;
}

/* Squared, summed in the order of the columns. */
static inline double tacit__distance(const double *a, const double *b, uint32_t width)
{
    double sum = 0;
    for (uint32_t i = 0; i < width; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* ---- ways to make groups ---- */

/* The best partition of values on a line (Hansen and Mukherjee). */
tacit_status tacit__micro_optimal(uint32_t *group, uint32_t *groups, const double *values,
                                  uint32_t count, uint32_t k, const tacit_run *run,
                                  tacit_error *err);

/* Maximum distance to average vector: groups of k, the last two of up to 2k - 1. */
tacit_status tacit__micro_mdav(uint32_t *group, uint32_t *groups, const tacit__points *points,
                               uint32_t k, const tacit_run *run, tacit_error *err);

/* Moves points between groups, dissolves and founds groups, for as long as that lowers the sum of
 * squared distances to the groups' means; groups have k to 2k - 1 points then. */
tacit_status tacit__micro_improve(uint32_t *group, uint32_t *groups, const tacit__points *points,
                                  uint32_t k, tacit__random *random, const tacit_run *run,
                                  tacit_error *err);

/* ---- a tree that points can be taken out of ---- */

typedef struct tacit__micro_tree tacit__micro_tree;

/* Borrows the points. */
tacit_status tacit__micro_tree_new(tacit__micro_tree **out, const tacit__points *points,
                                   tacit_error *err);
void tacit__micro_tree_free(tacit__micro_tree *tree);
void tacit__micro_tree_remove(tacit__micro_tree *tree, uint32_t point);

/* A point and its squared distance from where it was looked for. */
typedef struct tacit__micro_near {
    double distance;
    uint32_t point;
} tacit__micro_near;

/* The `wanted` points next to `from`, nearest first and of equals the first; how many there are.
 */
uint32_t tacit__micro_tree_nearest(const tacit__micro_tree *tree, const double *from,
                                   uint32_t wanted, tacit__micro_near *found);

/* The point furthest from `from`, of equals the first. There must be one. */
uint32_t tacit__micro_tree_furthest(const tacit__micro_tree *tree, const double *from);

/* Whether all points that are left are equal. */
bool tacit__micro_tree_is_one_place(const tacit__micro_tree *tree);

#endif
