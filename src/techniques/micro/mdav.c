/*
 * mdav.c - maximum distance to average vector (Domingo-Ferrer and Torra 2005, MDAV-generic).
 *
 * While 3k points are left: r is the one furthest from the mean of those left, s the one furthest
 * from r; r and the k - 1 nearest to it are a group, and s and the k - 1 nearest to it of what is
 * left then. Of 2k to 3k - 1 points that remain, r's group is one and the others are another; fewer
 * than 2k are one group. Of equals the first point is taken.
 *
 * Done as it is told, that is a scan of all points four times for every two groups. Here neighbours
 * and s come from a tree that points are taken out of, and r from a list of the points by their
 * distance from where the mean was some time ago: the mean has moved by a little since, no distance
 * has changed by more, and so few points at the head of the list can be the furthest. The list is
 * made anew when reading its head has cost as much as that. The groups are those of the scans: in
 * few columns in about n log n, in many in n squared at worst.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/micro/micro.h"

/* A margin for rounding in bounds on distances. */
static const double MARGIN = 1e-9;

typedef struct mdav {
    const tacit__points *points;
    uint32_t k;
    tacit__micro_tree *tree;
    uint32_t *group; /* UINT32_MAX: not yet in one */
    uint32_t groups;
    uint32_t left;
    double *sum;             /* of the points that are left */
    double *mean, *past;     /* and where it was when the list was made */
    tacit__micro_near *list; /* by distance from past, the furthest first */
    uint32_t head, listed;
    double steps;             /* read of the list since */
    tacit__micro_near *found; /* k */
} mdav;

static bool is_left(const mdav *m, uint32_t point)
{
    return m->group[point] == UINT32_MAX;
}

/* ---- the point furthest from the mean ---- */

static int by_distance(const void *a, const void *b)
{
    const tacit__micro_near *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? 1 : -1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static void make_list(mdav *m)
{
    uint32_t width = m->points->width;
    m->head = m->listed = 0;
    memset(m->sum, 0, width * sizeof *m->sum);
    for (uint32_t i = 0; i < m->points->count; i++)
        for (uint32_t j = 0; is_left(m, i) && j < width; j++)
            m->sum[j] += tacit__point(m->points, i)[j];
    for (uint32_t j = 0; j < width; j++)
        m->mean[j] = m->past[j] = m->sum[j] / m->left;
    for (uint32_t i = 0; i < m->points->count; i++)
        if (is_left(m, i))
            m->list[m->listed++] =
                (tacit__micro_near){tacit__distance(tacit__point(m->points, i), m->past, width), i};
    qsort(m->list, m->listed, sizeof *m->list, by_distance);
    m->steps = 0;
}

static uint32_t furthest_of_list(mdav *m)
{
    uint32_t width = m->points->width, best = UINT32_MAX;
    double moved = sqrt(tacit__distance(m->mean, m->past, width)), distance = -1, least = 0;
    while (!is_left(m, m->list[m->head].point))
        m->head++;
    for (uint32_t i = m->head; i < m->listed && sqrt(m->list[i].distance) + moved >= least; i++) {
        uint32_t point = m->list[i].point;
        m->steps++;
        if (!is_left(m, point))
            continue;
        double own = tacit__distance(tacit__point(m->points, point), m->mean, width);
        if (own > distance || (own == distance && point < best)) {
            distance = own;
            best = point;
            least = sqrt(own) * (1 - MARGIN);
        }
    }
    return best;
}

static uint32_t furthest_from_mean(mdav *m)
{
    for (uint32_t j = 0; j < m->points->width; j++)
        m->mean[j] = m->sum[j] / m->left;
    if (m->steps > 16.0 * m->left)
        make_list(m);
    return furthest_of_list(m);
}

/* ---- groups ---- */

static void put(mdav *m, uint32_t point)
{
    const double *at = tacit__point(m->points, point);
    m->group[point] = m->groups;
    for (uint32_t j = 0; j < m->points->width; j++)
        m->sum[j] -= at[j];
    m->left--;
    tacit__micro_tree_remove(m->tree, point);
}

/* A point and the k - 1 next to it. */
static void gather(mdav *m, uint32_t point)
{
    put(m, point);
    uint32_t found =
        tacit__micro_tree_nearest(m->tree, tacit__point(m->points, point), m->k - 1, m->found);
    for (uint32_t i = 0; i < found; i++)
        put(m, m->found[i].point);
    m->groups++;
}

/* The points that are left: one group of fewer than 2k, or where all are equal several, which the
 * search would fill in the order of the points as well. */
static void gather_rest(mdav *m)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < m->points->count; i++) {
        if (!is_left(m, i))
            continue;
        m->group[i] = m->groups;
        m->left--;
        if (++size >= m->k && m->left >= m->k) {
            m->groups++;
            size = 0;
        }
    }
    m->groups += size > 0;
}

static tacit_status make_groups(mdav *m, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    make_list(m);
    while (status == TACIT_OK && m->left >= 3 * (uint64_t)m->k &&
           !tacit__micro_tree_is_one_place(m->tree)) {
        uint32_t r = furthest_from_mean(m);
        uint32_t s = tacit__micro_tree_furthest(m->tree, tacit__point(m->points, r));
        gather(m, r);
        if (!is_left(m, s)) /* only where all that is left is in one place */
            s = tacit__micro_tree_furthest(m->tree, tacit__point(m->points, r));
        gather(m, s);
        if (m->groups % 64 == 0)
            status = tacit__progress(run, "gathering groups", m->points->count - m->left,
                                     m->points->count, err);
    }
    if (status == TACIT_OK && m->left >= 2 * (uint64_t)m->k &&
        !tacit__micro_tree_is_one_place(m->tree))
        gather(m, furthest_from_mean(m));
    if (status == TACIT_OK)
        gather_rest(m);
    return status;
}

tacit_status tacit__micro_mdav(uint32_t *group, uint32_t *groups, const tacit__points *points,
                               uint32_t k, const tacit_run *run, tacit_error *err)
{
    mdav m = {.points = points, .k = k, .group = group, .left = points->count};
    m.sum = tacit__alloc_array((size_t)points->width * 3, sizeof *m.sum);
    m.list = tacit__alloc_array(points->count, sizeof *m.list);
    m.found = tacit__alloc_array(k, sizeof *m.found);
    tacit_status status = m.sum && m.list && m.found ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__micro_tree_new(&m.tree, points, err);
    if (status == TACIT_OK) {
        m.mean = m.sum + points->width;
        m.past = m.mean + points->width;
        memset(group, 0xFF, points->count * sizeof *group);
        status = make_groups(&m, run, err);
    }
    tacit__micro_tree_free(m.tree);
    tacit__free(m.sum);
    tacit__free(m.list);
    tacit__free(m.found);
    *groups = m.groups;
    return status;
}
