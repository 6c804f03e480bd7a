/*
 * improve.c - groups of k to 2k - 1 points made closer: a local search in the space of all
 * partitions of that kind, from any of them.
 *
 * MDAV's groups all have k points, and the last ones are made of what others have left. Here a
 * point is looked at with its neighbours: it may go over to a group of theirs, be exchanged for a
 * member of it, its own group may be dissolved among the neighbouring ones, or it may found a group
 * with neighbours that theirs can spare. What lowers the sum of squares is done, and the points
 * around are looked at again, until nothing helps. Then places drawn at random are laid out anew -
 * the groups around a point are dissolved and gathered again from random points - and improved in
 * the same way; what does not lower the sum is undone.
 *
 * A look at a point costs about the neighbours times 2k times the columns. The number of places
 * laid out anew is bounded, so that the time beyond the local search is.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/micro/state.h"

enum {
    AROUND = 8, /* neighbouring groups looked at */
    FEWEST_RUINED = 2,
    MOST_RUINED = 5, /* groups laid out anew at once; below the spare numbers of the state */
    PLACES = 20000,  /* laid out anew at most */
    A_POINT = 40,    /* and for each point */
    OFTEN = 1 << 10
};

/* Comparisons after which no more places are laid out: a second or two. */
static const double ENOUGH = 1e8;

typedef struct work {
    tacit__micro_state state;
    tacit__random *random;
    const tacit_run *run;
    double least;    /* what counts as a gain */
    double spent;    /* in comparisons of a point with a point or a mean */
    uint32_t *queue; /* points to be looked at, a ring */
    bool *is_queued;
    uint32_t first, queued;
    double *off;     /* between two means */
    uint32_t *loose; /* points of groups that are laid out anew */
} work;

static void look_again(work *w, uint32_t point)
{
    if (w->is_queued[point])
        return;
    w->is_queued[point] = true;
    w->queue[((uint64_t)w->first + w->queued++) % w->state.points->count] = point;
}

static uint32_t next_point(work *w)
{
    uint32_t point = w->queue[w->first];
    w->first = w->first + 1 == w->state.points->count ? 0 : w->first + 1;
    w->queued--;
    w->is_queued[point] = false;
    return point;
}

/* The members of a group and their nearest neighbours have reason to be looked at. */
static void look_at_group(work *w, uint32_t group)
{
    const tacit__micro_state *s = &w->state;
    for (uint32_t i = 0; i < s->size[group]; i++) {
        uint32_t point = tacit__micro_members(s, group)[i];
        const uint32_t *near = s->near + (size_t)point * s->near_count;
        look_again(w, point);
        for (uint32_t j = 0; j < s->near_count && j < 4; j++)
            look_again(w, near[j]);
    }
}

/* Groups of a point's neighbours other than its own, the nearest first. */
static uint32_t groups_around(const tacit__micro_state *s, uint32_t point, uint32_t *around)
{
    uint32_t count = 0;
    const uint32_t *near = s->near + (size_t)point * s->near_count;
    for (uint32_t i = 0; i < s->near_count && count < AROUND; i++) {
        uint32_t group = s->group[near[i]], j = 0;
        while (j < count && around[j] != group)
            j++;
        if (j == count && group != s->group[point])
            around[count++] = group;
    }
    return count;
}

/* ---- one point ---- */

/* A move of a point to a group, and of one back for it where there is one. */
typedef struct change {
    double gain;
    uint32_t to, back; /* UINT32_MAX: none */
} change;

/* The best exchange with a member of a group: with v from the point to the member and m from its
 * mean to the group's, the sum of squares changes by 2 v m - v v (1 / a + 1 / b). */
static void try_exchange(work *w, change *best, uint32_t point, uint32_t to)
{
    const tacit__micro_state *s = &w->state;
    uint32_t width = s->points->width, own = s->group[point];
    const double *at = tacit__point(s->points, point);
    double a = s->size[own], b = s->size[to], shares = 1 / a + 1 / b;
    for (uint32_t i = 0; i < width; i++)
        w->off[i] = 2 * (tacit__micro_sum(s, to)[i] / b - tacit__micro_sum(s, own)[i] / a);
    w->spent += b;
    for (uint32_t j = 0; j < s->size[to]; j++) {
        uint32_t other = tacit__micro_members(s, to)[j];
        const double *there = tacit__point(s->points, other);
        double gain = 0;
        for (uint32_t i = 0; i < width; i++) {
            double v = there[i] - at[i];
            gain -= v * (w->off[i] - v * shares);
        }
        if (gain > best->gain)
            *best = (change){gain, to, other};
    }
}

/* The best of going over and being exchanged, where one is a gain. */
static tacit_status improve_point(work *w, uint32_t point, const uint32_t *around, uint32_t count,
                                  tacit_error *err)
{
    tacit__micro_state *s = &w->state;
    uint32_t own = s->group[point];
    double leaving = tacit__micro_leaving(s, point);
    change best = {w->least, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        if (s->size[own] > s->k && s->size[around[i]] < s->most) {
            double gain = leaving - tacit__micro_joining(s, point, around[i]);
            if (gain > best.gain)
                best = (change){gain, around[i], UINT32_MAX};
        }
        try_exchange(w, &best, point, around[i]);
    }
    if (best.to == UINT32_MAX)
        return TACIT_OK;
    if (!tacit__micro_move_to(s, point, best.to) ||
        (best.back != UINT32_MAX && !tacit__micro_move_to(s, best.back, own)))
        return tacit__nomem(err);
    look_at_group(w, own);
    look_at_group(w, best.to);
    return TACIT_OK;
}

/* ---- groups ---- */

/* The group around a point that it joins at the least cost, of those that have room. */
static uint32_t best_home(const tacit__micro_state *s, uint32_t point)
{
    uint32_t around[AROUND], count = groups_around(s, point, around), home = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (s->size[around[i]] >= s->most || s->size[around[i]] < s->k)
            continue;
        double cost = tacit__micro_joining(s, point, around[i]);
        if (cost < least) {
            least = cost;
            home = around[i];
        }
    }
    return home;
}

/* Takes back what was tried since a mark, or has the groups it has changed looked at. */
static void settle(work *w, tacit__micro_mark since, bool done)
{
    tacit__micro_state *s = &w->state;
    if (!done || s->change - since.change > -w->least) {
        tacit__micro_undo(s, since);
        return;
    }
    for (size_t i = since.moves; i < s->move_count; i++) {
        look_at_group(w, s->group[s->moves[i].point]);
        look_at_group(w, s->moves[i].from);
    }
}

/* The members of a group to the groups around, each to the best that has room. */
static tacit_status try_dissolving(work *w, uint32_t group, tacit_error *err)
{
    tacit__micro_state *s = &w->state;
    tacit__micro_mark since = tacit__micro_now(s);
    bool possible = true;
    w->spent += AROUND * (double)s->size[group];
    while (possible && s->size[group] > 0) {
        uint32_t point = tacit__micro_members(s, group)[s->size[group] - 1];
        uint32_t home = best_home(s, point);
        possible = home != UINT32_MAX;
        if (possible && !tacit__micro_move_to(s, point, home))
            return tacit__nomem(err);
    }
    settle(w, since, possible);
    return TACIT_OK;
}

/* A group of the point and the nearest points that their groups can spare. */
static tacit_status try_founding(work *w, uint32_t point, tacit_error *err)
{
    tacit__micro_state *s = &w->state;
    if (s->size[s->group[point]] == s->k)
        return TACIT_OK;
    tacit__micro_mark since = tacit__micro_now(s);
    uint32_t group = tacit__micro_bare(s);
    const uint32_t *near = s->near + (size_t)point * s->near_count;
    for (uint32_t i = 0; i <= s->near_count && s->size[group] < s->k; i++) {
        uint32_t each = i ? near[i - 1] : point;
        if (s->size[s->group[each]] > s->k && !tacit__micro_move_to(s, each, group))
            return tacit__nomem(err);
    }
    settle(w, since, s->size[group] == s->k);
    if (s->size[group] == 0)
        tacit__micro_give_back(s, group);
    return TACIT_OK;
}

static tacit_status look_at(work *w, uint32_t point, tacit_error *err)
{
    uint32_t around[AROUND], count = groups_around(&w->state, point, around);
    tacit_status status = improve_point(w, point, around, count, err);
    if (status == TACIT_OK && w->state.slot[point] == 0)
        status = try_dissolving(w, w->state.group[point], err);
    if (status == TACIT_OK)
        status = try_founding(w, point, err);
    return status;
}

static tacit_status improve_queued(work *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint64_t looks = 0; status == TACIT_OK && w->queued > 0; looks++) {
        status = look_at(w, next_point(w), err);
        if (status == TACIT_OK && looks % OFTEN == OFTEN - 1)
            status = tacit__progress(w->run, "improving groups", (int64_t)looks, 0, err);
    }
    return status;
}

/* ---- places laid out anew ---- */

/* The points of some groups around a point, its own among them. */
static uint32_t loosen(work *w, uint32_t point)
{
    tacit__micro_state *s = &w->state;
    uint32_t around[AROUND], count = groups_around(s, point, around), loose = 0;
    uint32_t some =
        FEWEST_RUINED - 1 + tacit__random_below(w->random, MOST_RUINED - FEWEST_RUINED + 1);
    count = count < some ? count : some;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t group = i ? around[i - 1] : s->group[point];
        memcpy(w->loose + loose, tacit__micro_members(s, group), s->size[group] * sizeof *w->loose);
        loose += s->size[group];
    }
    return loose;
}

/* The nearest of the loose points to one of them goes to the end. */
static void bring_nearest(work *w, uint32_t from, uint32_t count)
{
    const tacit__points *points = w->state.points;
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double distance = tacit__distance(tacit__point(points, w->loose[i]),
                                          tacit__point(points, from), points->width);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    uint32_t kept = w->loose[best];
    w->loose[best] = w->loose[count - 1];
    w->loose[count - 1] = kept;
}

/* Groups of k from random points; fewer points than that go to the groups around. */
static tacit_status lay_out(work *w, uint32_t loose, bool *possible, tacit_error *err)
{
    tacit__micro_state *s = &w->state;
    while (loose >= s->k) {
        uint32_t group = tacit__micro_bare(s);
        uint32_t from = w->loose[tacit__random_below(w->random, loose)];
        for (uint32_t i = 0; i < s->k; i++) {
            bring_nearest(w, from, loose);
            if (!tacit__micro_move_to(s, w->loose[--loose], group))
                return tacit__nomem(err);
        }
    }
    *possible = true;
    while (*possible && loose > 0) {
        uint32_t point = w->loose[--loose], home = best_home(s, point);
        *possible = home != UINT32_MAX;
        if (*possible && !tacit__micro_move_to(s, point, home))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status try_place(work *w, tacit_error *err)
{
    tacit__micro_state *s = &w->state;
    bool possible = false;
    tacit__micro_keep(s);
    uint32_t point = tacit__random_below(w->random, s->points->count);
    tacit_status status = lay_out(w, loosen(w, point), &possible, err);
    for (size_t i = 0; possible && status == TACIT_OK && i < s->move_count; i++)
        look_at_group(w, s->group[s->moves[i].point]);
    if (possible && status == TACIT_OK)
        status = improve_queued(w, err);
    if (status == TACIT_OK && (!possible || s->change > -w->least))
        tacit__micro_undo(s, (tacit__micro_mark){0, 0});
    return status;
}

/* ---- all ---- */

static bool start(work *w)
{
    const tacit__micro_state *s = &w->state;
    w->queue = tacit__alloc_array(s->points->count, sizeof *w->queue);
    w->is_queued = tacit__alloc_zeroed(s->points->count, sizeof *w->is_queued);
    w->off = tacit__alloc_array(s->points->width, sizeof *w->off);
    w->loose = tacit__alloc_array((size_t)MOST_RUINED * s->most, sizeof *w->loose);
    if (!w->queue || !w->is_queued || !w->off || !w->loose)
        return false;
    double total = 0, largest = 0;
    for (uint32_t i = 0; i < s->points->count; i++) {
        const double *at = tacit__point(s->points, i);
        double own = 0;
        for (uint32_t j = 0; j < s->points->width; j++)
            own += at[j] * at[j];
        largest = own > largest ? own : largest;
        total += tacit__micro_leaving(s, i);
        look_again(w, i);
    }
    /* What rounding could feign, and be followed in circles: it goes by the size of the points,
     * also where groups are so close that nothing else is left of their sum of squares. */
    w->least = (total + largest) * 1e-12;
    return true;
}

static tacit_status improve(work *w, tacit_error *err)
{
    tacit_status status = start(w) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK && w->least > 0)
        status = improve_queued(w, err);
    uint64_t places = (uint64_t)w->state.points->count * A_POINT;
    places = places < PLACES ? places : PLACES;
    double enough = w->spent + ENOUGH;
    for (uint64_t i = 0; status == TACIT_OK && w->least > 0 && i < places && w->spent < enough;
         i++) {
        status = try_place(w, err);
        if (status == TACIT_OK && i % OFTEN == 0)
            status =
                tacit__progress(w->run, "laying out places anew", (int64_t)i, (int64_t)places, err);
    }
    return status;
}

tacit_status tacit__micro_improve(uint32_t *group, uint32_t *groups, const tacit__points *points,
                                  uint32_t k, tacit__random *random, const tacit_run *run,
                                  tacit_error *err)
{
    work w = {.random = random, .run = run};
    tacit_status status = tacit__micro_state_init(&w.state, points, group, *groups, k, run, err);
    if (status != TACIT_OK)
        return status;
    status = improve(&w, err);
    if (status == TACIT_OK)
        *groups = tacit__micro_state_finish(&w.state);
    tacit__free(w.queue);
    tacit__free(w.is_queued);
    tacit__free(w.off);
    tacit__free(w.loose);
    tacit__micro_state_clear(&w.state);
    return status;
}
