/*
 * plain_mdav.h - MDAV as it is told: all points are scanned for the mean, for the one furthest from
 * it, for the one furthest from that, and for neighbours. A yardstick; quadratic.
 */
#ifndef TACIT_TESTS_PLAIN_MDAV_H
#define TACIT_TESTS_PLAIN_MDAV_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "techniques/micro/micro.h"

typedef struct plain_mdav {
    const tacit__points *points;
    uint32_t *left; /* points that are in no group, ascending */
    uint32_t count;
    double *distance; /* of each of them */
    uint32_t *group;
    uint32_t groups;
} plain_mdav;

/* Distances from a place, and the point furthest from it. */
static inline uint32_t plain_furthest(plain_mdav *m, const double *from)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        m->distance[i] =
            tacit__distance(tacit__point(m->points, m->left[i]), from, m->points->width);
        if (m->distance[i] > m->distance[best])
            best = i;
    }
    return m->left[best];
}

static inline void plain_mean(const plain_mdav *m, double *mean)
{
    memset(mean, 0, m->points->width * sizeof *mean);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t j = 0; j < m->points->width; j++)
            mean[j] += tacit__point(m->points, m->left[i])[j];
    for (uint32_t j = 0; j < m->points->width; j++)
        mean[j] /= m->count;
}

/* The k points next to one of them: a scan that keeps the best so far in order. */
static inline void plain_gather(plain_mdav *m, uint32_t point, uint32_t k)
{
    uint32_t *best = malloc(k * sizeof *best), had = 0, kept = 0;
    plain_furthest(m, tacit__point(m->points, point));
    for (uint32_t i = 0; i < m->count; i++) {
        double own = m->left[i] == point ? -1 : m->distance[i];
        if (had == k && own >= m->distance[best[k - 1]])
            continue;
        m->distance[i] = own;
        uint32_t at = had < k ? had++ : k - 1;
        for (; at > 0 && own < m->distance[best[at - 1]]; at--)
            best[at] = best[at - 1];
        best[at] = i;
    }
    for (uint32_t i = 0; i < had; i++)
        m->group[m->left[best[i]]] = m->groups;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->group[m->left[i]] == UINT32_MAX)
            m->left[kept++] = m->left[i];
    m->count = kept;
    m->groups++;
    free(best);
}

static inline void plain_mdav_run(uint32_t *group, uint32_t *groups, const tacit__points *points,
                                  uint32_t k)
{
    plain_mdav m = {.points = points, .count = points->count, .group = group};
    double *mean = malloc(points->width * sizeof *mean);
    m.left = malloc(points->count * sizeof *m.left);
    m.distance = malloc(points->count * sizeof *m.distance);
    memset(group, 0xFF, points->count * sizeof *group);
    for (uint32_t i = 0; i < points->count; i++)
        m.left[i] = i;
    while (m.count >= 3 * k) {
        plain_mean(&m, mean);
        uint32_t r = plain_furthest(&m, mean), s = plain_furthest(&m, tacit__point(points, r));
        plain_gather(&m, r, k);
        if (group[s] != UINT32_MAX)
            s = plain_furthest(&m, tacit__point(points, r));
        plain_gather(&m, s, k);
    }
    if (m.count >= 2 * k) {
        plain_mean(&m, mean);
        plain_gather(&m, plain_furthest(&m, mean), k);
    }
    for (uint32_t i = 0; i < m.count; i++)
        group[m.left[i]] = m.groups;
    *groups = m.groups + (m.count > 0);
    free(mean);
    free(m.left);
    free(m.distance);
}

/* The sum of squared distances from the means of groups. */
static inline double plain_squares(const tacit__points *points, const uint32_t *group,
                                   uint32_t groups)
{
    uint32_t width = points->width;
    double *mean = calloc((size_t)groups * width, sizeof *mean), total = 0;
    uint32_t *size = calloc(groups, sizeof *size);
    for (uint32_t i = 0; i < points->count; i++) {
        size[group[i]]++;
        for (uint32_t j = 0; j < width; j++)
            mean[group[i] * width + j] += tacit__point(points, i)[j];
    }
    for (uint32_t i = 0; i < points->count; i++)
        for (uint32_t j = 0; j < width; j++) {
            double off = tacit__point(points, i)[j] - mean[group[i] * width + j] / size[group[i]];
            total += off * off;
        }
    free(mean);
    free(size);
    return total;
}

#endif
