/*
 * state.c - a partition that points are moved in: members, sums, neighbours and the record
 * of moves. A move costs the number of columns.
 */
#include "techniques/micro/state.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

enum {
    SPARE = 8,        /* numbers of groups beyond those that there can be at once */
    NEAR = 16,        /* neighbours, */
    MOST_NEAR = 32,   /* more of them with larger groups, up to here */
    AT_ONCE = 1 << 10 /* points whose neighbours are a task */
};

/* ---- change of the sum of squares ---- */

/* Squared distance of a point from a group's mean. */
static double from_mean(const tacit__micro_state *state, uint32_t point, uint32_t group)
{
    const double *at = tacit__point(state->points, point), *sum = tacit__micro_sum(state, group);
    double size = state->size[group], total = 0;
    for (uint32_t i = 0; i < state->points->width; i++) {
        double off = at[i] - sum[i] / size;
        total += off * off;
    }
    return total;
}

double tacit__micro_joining(const tacit__micro_state *state, uint32_t point, uint32_t group)
{
    double size = state->size[group];
    return size > 0 ? from_mean(state, point, group) * (size / (size + 1)) : 0;
}

double tacit__micro_leaving(const tacit__micro_state *state, uint32_t point)
{
    uint32_t group = state->group[point];
    double size = state->size[group];
    return size > 1 ? from_mean(state, point, group) * (size / (size - 1)) : 0;
}

/* ---- moves ---- */

void tacit__micro_give_back(tacit__micro_state *state, uint32_t group)
{
    if (state->is_listed[group])
        return;
    state->is_listed[group] = true;
    state->bare[state->bare_count++] = group;
}

uint32_t tacit__micro_bare(tacit__micro_state *state)
{
    for (;;) {
        assert(state->bare_count > 0);
        uint32_t group = state->bare[--state->bare_count];
        state->is_listed[group] = false;
        if (state->size[group] == 0)
            return group;
    }
}

static void take(tacit__micro_state *state, uint32_t point)
{
    uint32_t group = state->group[point], last = --state->size[group];
    uint32_t *members = state->members + (size_t)group * (state->most + 1);
    double *sum = state->sum + (size_t)group * state->points->width;
    members[state->slot[point]] = members[last];
    state->slot[members[last]] = state->slot[point];
    for (uint32_t i = 0; i < state->points->width; i++)
        sum[i] = last ? sum[i] - tacit__point(state->points, point)[i] : 0;
    if (last == 0)
        tacit__micro_give_back(state, group);
}

static void add(tacit__micro_state *state, uint32_t point, uint32_t group)
{
    assert(state->size[group] <= state->most);
    double *sum = state->sum + (size_t)group * state->points->width;
    state->slot[point] = state->size[group];
    state->members[(size_t)group * (state->most + 1) + state->size[group]++] = point;
    state->group[point] = group;
    for (uint32_t i = 0; i < state->points->width; i++)
        sum[i] += tacit__point(state->points, point)[i];
}

bool tacit__micro_move_to(tacit__micro_state *state, uint32_t point, uint32_t to)
{
    if (!TACIT__PUSH(state->moves, state->move_room, state->move_count,
                     (tacit__micro_move){point, state->group[point]}))
        return false;
    state->change -= tacit__micro_leaving(state, point);
    take(state, point);
    state->change += tacit__micro_joining(state, point, to);
    add(state, point, to);
    return true;
}

void tacit__micro_keep(tacit__micro_state *state)
{
    state->move_count = 0;
    state->change = 0;
}

void tacit__micro_undo(tacit__micro_state *state, tacit__micro_mark since)
{
    while (state->move_count > since.moves) {
        tacit__micro_move move = state->moves[--state->move_count];
        take(state, move.point);
        add(state, move.point, move.from);
    }
    state->change = since.change;
}

/* ---- beginning and end ---- */

static bool allocate(tacit__micro_state *state)
{
    size_t count = state->points->count, width = state->points->width, room = state->room;
    state->slot = tacit__alloc_array(count, sizeof *state->slot);
    state->members = tacit__alloc_array(room, (state->most + 1) * sizeof *state->members);
    state->size = tacit__alloc_zeroed(room, sizeof *state->size);
    state->sum = tacit__alloc_zeroed(room * width, sizeof *state->sum);
    state->bare = tacit__alloc_array(room, sizeof *state->bare);
    state->is_listed = tacit__alloc_zeroed(room, sizeof *state->is_listed);
    state->near = tacit__alloc_array(count, state->near_count * sizeof *state->near);
    return state->slot && state->members && state->size && state->sum && state->bare &&
           state->is_listed && state->near;
}

typedef struct seeking {
    tacit__micro_state *state;
    const tacit__micro_tree *tree;
} seeking;

static tacit_status seek(void *context, int64_t task, int worker, tacit_error *err)
{
    const seeking *s = context;
    tacit__micro_state *state = s->state;
    tacit__micro_near found[MOST_NEAR + 1];
    uint32_t wanted = state->near_count, from = (uint32_t)task * AT_ONCE, end = from + AT_ONCE;
    (void)worker, (void)err;
    for (uint32_t i = from; i < end && i < state->points->count; i++) {
        uint32_t *near = state->near + (size_t)i * wanted, count = 0;
        uint32_t had =
            tacit__micro_tree_nearest(s->tree, tacit__point(state->points, i), wanted + 1, found);
        for (uint32_t j = 0; j < had && count < wanted; j++)
            if (found[j].point != i)
                near[count++] = found[j].point;
    }
    return TACIT_OK;
}

static tacit_status find_neighbours(tacit__micro_state *state, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__micro_tree *tree = NULL;
    tacit_status status = tacit__micro_tree_new(&tree, state->points, err);
    if (status != TACIT_OK)
        return status;
    seeking s = {state, tree};
    status =
        tacit__parallel(run, "finding neighbours",
                        ((int64_t)state->points->count + AT_ONCE - 1) / AT_ONCE, seek, &s, err);
    tacit__micro_tree_free(tree);
    return status;
}

tacit_status tacit__micro_state_init(tacit__micro_state *state, const tacit__points *points,
                                     uint32_t *group, uint32_t groups, uint32_t k,
                                     const tacit_run *run, tacit_error *err)
{
    uint32_t near = k < NEAR / 2 ? NEAR : k < MOST_NEAR / 2 ? 2 * k : MOST_NEAR;
    *state = (tacit__micro_state){.points = points, .k = k, .most = 2 * k - 1, .group = group};
    state->room = points->count / k + SPARE;
    state->near_count = near < points->count ? near : points->count - 1;
    assert(groups <= points->count / k);
    if (!allocate(state)) {
        tacit__micro_state_clear(state);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < points->count; i++)
        add(state, i, group[i]);
    for (uint32_t i = state->room; i > groups; i--)
        tacit__micro_give_back(state, i - 1);
    tacit_status status = find_neighbours(state, run, err);
    if (status != TACIT_OK)
        tacit__micro_state_clear(state);
    return status;
}

void tacit__micro_state_clear(tacit__micro_state *state)
{
    tacit__free(state->slot);
    tacit__free(state->members);
    tacit__free(state->size);
    tacit__free(state->sum);
    tacit__free(state->bare);
    tacit__free(state->is_listed);
    tacit__free(state->near);
    tacit__free(state->moves);
    *state = (tacit__micro_state){0};
}

uint32_t tacit__micro_state_finish(tacit__micro_state *state)
{
    uint32_t count = 0;
    for (uint32_t group = 0; group < state->room; group++) {
        const uint32_t *members = tacit__micro_members(state, group);
        for (uint32_t i = 0; i < state->size[group]; i++)
            state->group[members[i]] = count;
        count += state->size[group] > 0;
    }
    return count;
}
