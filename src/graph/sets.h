/*
 * sets.h - disjoint sets. The leader of a set is its least member, so that answers do not depend
 * on the order of the unions; finds halve their paths, which keeps m of them below m log n steps
 * even without ranks.
 */
#ifndef TACIT_SRC_GRAPH_SETS_H
#define TACIT_SRC_GRAPH_SETS_H

#include <stdbool.h>
#include <stdint.h>

static inline void tacit__sets_init(int32_t *leader, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        leader[i] = i;
}

static inline int32_t tacit__sets_find(int32_t *leader, int32_t i)
{
    while (leader[i] != i)
        i = leader[i] = leader[leader[i]];
    return i;
}

/* Whether they were apart. */
static inline bool tacit__sets_join(int32_t *leader, int32_t i, int32_t j)
{
    int32_t a = tacit__sets_find(leader, i), b = tacit__sets_find(leader, j);
    if (a == b)
        return false;
    leader[a > b ? a : b] = a < b ? a : b;
    return true;
}

/* Leaders become numbers from 0, by their order; returns how many. */
static inline int32_t tacit__sets_number(int32_t *leader, int32_t count)
{
    int32_t sets = 0;
    for (int32_t i = 0; i < count; i++) /* a leader comes before its members */
        leader[i] = leader[i] == i ? sets++ : leader[leader[i]];
    return sets;
}

#endif
