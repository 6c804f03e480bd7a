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
 * Points move one at a time, with the change of the sum of squares kept in mind and every move on
 * record, so that it can be undone. A move costs the number of columns, a look at a point about the
 * neighbours times 2k times the columns. The number of places laid out anew is bounded, so that the
 * time beyond the local search is.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "techniques/micro/micro.h"

typedef struct point_move {
    uint32_t point, from;
} point_move;

/* Groups have a number each, and some numbers have no points now. */
typedef struct partition {
    const tacit__points *points;
    uint32_t k, most;  /* what a group has at least and at most */
    uint32_t capacity; /* numbers of groups */
    uint32_t *group;   /* of each point; the caller's */
    uint32_t *slot;    /* its place among the members */
    uint32_t *members; /* most + 1 for each group: one goes before another comes, or after */
    uint32_t *size;
    double *sum;    /* of the members, width for each group */
    uint32_t *bare; /* numbers without points, at least those that are listed */
    bool *is_listed;
    uint32_t bare_count;
    uint32_t near_count; /* neighbours of each point */
    uint32_t *near;      /* nearest first */
    point_move *moves;
    size_t move_count, move_capacity;
    double change; /* of the sum of squares by the moves on record */
} partition;

/* A place in the record. */
typedef struct record_mark {
    size_t moves;
    double change;
} record_mark;

static inline record_mark now(const partition *state)
{
    return (record_mark){state->move_count, state->change};
}

static inline const double *sum_of(const partition *state, uint32_t group)
{
    return state->sum + (size_t)group * state->points->width;
}

static inline const uint32_t *members_of(const partition *state, uint32_t group)
{
    return state->members + (size_t)group * (state->most + 1);
}

enum {
    SPARE = 8,        /* numbers of groups beyond those that there can be at once */
    NEAR = 16,        /* neighbours, */
    MAX_NEAR = 32,    /* more of them with larger groups, up to here */
    AT_ONCE = 1 << 10 /* points whose neighbours are a task */
};

/* ---- change of the sum of squares ---- */

/* Squared distance of a point from a group's mean. */
static double from_mean(const partition *state, uint32_t point, uint32_t group)
{
    const double *at = tacit__point(state->points, point), *sum = sum_of(state, group);
    double size = state->size[group], total = 0;
    for (uint32_t i = 0; i < state->points->width; i++) {
        double off = at[i] - sum[i] / size;
        total += off * off;
    }
    return total;
}

/* What the sum of squares of a group has more with the point in it, and has less without. */
static double cost_of_joining(const partition *state, uint32_t point, uint32_t group)
{
    double size = state->size[group];
    return size > 0 ? from_mean(state, point, group) * (size / (size + 1)) : 0;
}

static double gain_of_leaving(const partition *state, uint32_t point)
{
    uint32_t group = state->group[point];
    double size = state->size[group];
    return size > 1 ? from_mean(state, point, group) * (size / (size - 1)) : 0;
}

/* ---- moves ---- */

static void give_back(partition *state, uint32_t group)
{
    if (state->is_listed[group])
        return;
    state->is_listed[group] = true;
    state->bare[state->bare_count++] = group;
}

/* The number of a group without points, of which there are always some; one that was not used. */
static uint32_t bare_group(partition *state)
{
    for (;;) {
        assert(state->bare_count > 0);
        uint32_t group = state->bare[--state->bare_count];
        state->is_listed[group] = false;
        if (state->size[group] == 0)
            return group;
    }
}

static void take(partition *state, uint32_t point)
{
    uint32_t group = state->group[point], last = --state->size[group];
    uint32_t *members = state->members + (size_t)group * (state->most + 1);
    double *sum = state->sum + (size_t)group * state->points->width;
    members[state->slot[point]] = members[last];
    state->slot[members[last]] = state->slot[point];
    for (uint32_t i = 0; i < state->points->width; i++)
        sum[i] = last ? sum[i] - tacit__point(state->points, point)[i] : 0;
    if (last == 0)
        give_back(state, group);
}

static void add(partition *state, uint32_t point, uint32_t group)
{
    assert(state->size[group] <= state->most);
    double *sum = state->sum + (size_t)group * state->points->width;
    state->slot[point] = state->size[group];
    state->members[(size_t)group * (state->most + 1) + state->size[group]++] = point;
    state->group[point] = group;
    for (uint32_t i = 0; i < state->points->width; i++)
        sum[i] += tacit__point(state->points, point)[i];
}

/* The point to the group, which has room for it; false where memory runs out. */
static bool move_to(partition *state, uint32_t point, uint32_t to)
{
    if (!TACIT__PUSH(state->moves, state->move_capacity, state->move_count,
                     (point_move){point, state->group[point]}))
        return false;
    state->change -= gain_of_leaving(state, point);
    take(state, point);
    state->change += cost_of_joining(state, point, to);
    add(state, point, to);
    return true;
}

static void keep_moves(partition *state)
{
    state->move_count = 0;
    state->change = 0;
}

/* Undoes what was done since; takes all that was done for good. */
static void undo(partition *state, record_mark since)
{
    while (state->move_count > since.moves) {
        point_move move = state->moves[--state->move_count];
        take(state, move.point);
        add(state, move.point, move.from);
    }
    state->change = since.change;
}

/* ---- beginning and end ---- */

static bool allocate(partition *state)
{
    size_t count = state->points->count, width = state->points->width, room = state->capacity;
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
    partition *state;
    const tacit__micro_tree *tree;
} seeking;

static tacit_status seek(void *context, int64_t task, int worker, tacit_error *err)
{
    const seeking *s = context;
    partition *state = s->state;
    tacit__micro_near found[MAX_NEAR + 1];
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

static tacit_status find_neighbours(partition *state, const tacit_run *run, tacit_error *err)
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

static void clear_partition(partition *state)
{
    tacit__free(state->slot);
    tacit__free(state->members);
    tacit__free(state->size);
    tacit__free(state->sum);
    tacit__free(state->bare);
    tacit__free(state->is_listed);
    tacit__free(state->near);
    tacit__free(state->moves);
    *state = (partition){0};
}

/* Takes the partition over from group, where it stands for as long as the state is there. */
static tacit_status init_partition(partition *state, const tacit__points *points, uint32_t *group,
                                   uint32_t groups, uint32_t k, const tacit_run *run,
                                   tacit_error *err)
{
    uint32_t near = k < NEAR / 2 ? NEAR : k < MAX_NEAR / 2 ? 2 * k : MAX_NEAR;
    *state = (partition){.points = points, .k = k, .most = 2 * k - 1, .group = group};
    state->capacity = points->count / k + SPARE;
    state->near_count = near < points->count ? near : points->count - 1;
    assert(groups <= points->count / k);
    if (!allocate(state)) {
        clear_partition(state);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < points->count; i++)
        add(state, i, group[i]);
    for (uint32_t i = state->capacity; i > groups; i--)
        give_back(state, i - 1);
    tacit_status status = find_neighbours(state, run, err);
    if (status != TACIT_OK)
        clear_partition(state);
    return status;
}

/* Numbers the groups without gaps and returns how many there are. */
static uint32_t number_partition(partition *state)
{
    uint32_t count = 0;
    for (uint32_t group = 0; group < state->capacity; group++) {
        const uint32_t *members = members_of(state, group);
        for (uint32_t i = 0; i < state->size[group]; i++)
            state->group[members[i]] = count;
        count += state->size[group] > 0;
    }
    return count;
}

enum {
    AROUND = 8, /* neighbouring groups looked at */
    MIN_RUINED = 2,
    MAX_RUINED = 5, /* groups laid out anew at once; below the spare numbers of the state */
    PLACES = 20000, /* laid out anew at most */
    A_POINT = 40,   /* and for each point */
    OFTEN = 1 << 10
};

/* Comparisons after which no more places are laid out: a second or two. */
static const double ENOUGH = 1e8;

typedef struct improving {
    partition state;
    tacit__random *random;
    const tacit_run *run;
    double least;    /* what counts as a gain */
    double spent;    /* in comparisons of a point with a point or a mean */
    uint32_t *queue; /* points to be looked at, a ring */
    bool *is_queued;
    uint32_t first, queued;
    double *off;     /* between two means */
    uint32_t *loose; /* points of groups that are laid out anew */
} improving;

static void look_again(improving *w, uint32_t point)
{
    if (w->is_queued[point])
        return;
    w->is_queued[point] = true;
    w->queue[((uint64_t)w->first + w->queued++) % w->state.points->count] = point;
}

static uint32_t next_point(improving *w)
{
    uint32_t point = w->queue[w->first];
    w->first = w->first + 1 == w->state.points->count ? 0 : w->first + 1;
    w->queued--;
    w->is_queued[point] = false;
    return point;
}

/* The members of a group and their nearest neighbours have reason to be looked at. */
static void look_at_group(improving *w, uint32_t group)
{
    const partition *s = &w->state;
    for (uint32_t i = 0; i < s->size[group]; i++) {
        uint32_t point = members_of(s, group)[i];
        const uint32_t *near = s->near + (size_t)point * s->near_count;
        look_again(w, point);
        for (uint32_t j = 0; j < s->near_count && j < 4; j++)
            look_again(w, near[j]);
    }
}

/* Groups of a point's neighbours other than its own, the nearest first. */
static uint32_t groups_around(const partition *s, uint32_t point, uint32_t *around)
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
static void try_exchange(improving *w, change *best, uint32_t point, uint32_t to)
{
    const partition *s = &w->state;
    uint32_t width = s->points->width, own = s->group[point];
    const double *at = tacit__point(s->points, point);
    double a = s->size[own], b = s->size[to], shares = 1 / a + 1 / b;
    for (uint32_t i = 0; i < width; i++)
        w->off[i] = 2 * (sum_of(s, to)[i] / b - sum_of(s, own)[i] / a);
    w->spent += b;
    for (uint32_t j = 0; j < s->size[to]; j++) {
        uint32_t other = members_of(s, to)[j];
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
static tacit_status improve_point(improving *w, uint32_t point, const uint32_t *around,
                                  uint32_t count, tacit_error *err)
{
    partition *s = &w->state;
    uint32_t own = s->group[point];
    double leaving = gain_of_leaving(s, point);
    change best = {w->least, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        if (s->size[own] > s->k && s->size[around[i]] < s->most) {
            double gain = leaving - cost_of_joining(s, point, around[i]);
            if (gain > best.gain)
                best = (change){gain, around[i], UINT32_MAX};
        }
        try_exchange(w, &best, point, around[i]);
    }
    if (best.to == UINT32_MAX)
        return TACIT_OK;
    if (!move_to(s, point, best.to) || (best.back != UINT32_MAX && !move_to(s, best.back, own)))
        return tacit__nomem(err);
    look_at_group(w, own);
    look_at_group(w, best.to);
    return TACIT_OK;
}

/* ---- groups ---- */

/* The group around a point that it joins at the least cost, of those that have room. */
static uint32_t best_home(const partition *s, uint32_t point)
{
    uint32_t around[AROUND], count = groups_around(s, point, around), home = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (s->size[around[i]] >= s->most || s->size[around[i]] < s->k)
            continue;
        double cost = cost_of_joining(s, point, around[i]);
        if (cost < least) {
            least = cost;
            home = around[i];
        }
    }
    return home;
}

/* Takes back what was tried since a mark, or has the groups it has changed looked at. */
static void settle(improving *w, record_mark since, bool done)
{
    partition *s = &w->state;
    if (!done || s->change - since.change > -w->least) {
        undo(s, since);
        return;
    }
    for (size_t i = since.moves; i < s->move_count; i++) {
        look_at_group(w, s->group[s->moves[i].point]);
        look_at_group(w, s->moves[i].from);
    }
}

/* The members of a group to the groups around, each to the best that has room. */
static tacit_status try_dissolving(improving *w, uint32_t group, tacit_error *err)
{
    partition *s = &w->state;
    record_mark since = now(s);
    bool possible = true;
    w->spent += AROUND * (double)s->size[group];
    while (possible && s->size[group] > 0) {
        uint32_t point = members_of(s, group)[s->size[group] - 1];
        uint32_t home = best_home(s, point);
        possible = home != UINT32_MAX;
        if (possible && !move_to(s, point, home))
            return tacit__nomem(err);
    }
    settle(w, since, possible);
    return TACIT_OK;
}

/* A group of the point and the nearest points that their groups can spare. */
static tacit_status try_founding(improving *w, uint32_t point, tacit_error *err)
{
    partition *s = &w->state;
    if (s->size[s->group[point]] == s->k)
        return TACIT_OK;
    record_mark since = now(s);
    uint32_t group = bare_group(s);
    const uint32_t *near = s->near + (size_t)point * s->near_count;
    for (uint32_t i = 0; i <= s->near_count && s->size[group] < s->k; i++) {
        uint32_t each = i ? near[i - 1] : point;
        if (s->size[s->group[each]] > s->k && !move_to(s, each, group))
            return tacit__nomem(err);
    }
    settle(w, since, s->size[group] == s->k);
    if (s->size[group] == 0)
        give_back(s, group);
    return TACIT_OK;
}

static tacit_status look_at(improving *w, uint32_t point, tacit_error *err)
{
    uint32_t around[AROUND], count = groups_around(&w->state, point, around);
    tacit_status status = improve_point(w, point, around, count, err);
    if (status == TACIT_OK && w->state.slot[point] == 0)
        status = try_dissolving(w, w->state.group[point], err);
    if (status == TACIT_OK)
        status = try_founding(w, point, err);
    return status;
}

static tacit_status improve_queued(improving *w, tacit_error *err)
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
static uint32_t loosen(improving *w, uint32_t point)
{
    partition *s = &w->state;
    uint32_t around[AROUND], count = groups_around(s, point, around), loose = 0;
    uint32_t some = MIN_RUINED - 1 + tacit__random_below(w->random, MAX_RUINED - MIN_RUINED + 1);
    count = count < some ? count : some;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t group = i ? around[i - 1] : s->group[point];
        memcpy(w->loose + loose, members_of(s, group), s->size[group] * sizeof *w->loose);
        loose += s->size[group];
    }
    return loose;
}

/* The nearest of the loose points to one of them goes to the end. */
static void bring_nearest(improving *w, uint32_t from, uint32_t count)
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
static tacit_status lay_out(improving *w, uint32_t loose, bool *possible, tacit_error *err)
{
    partition *s = &w->state;
    while (loose >= s->k) {
        uint32_t group = bare_group(s);
        uint32_t from = w->loose[tacit__random_below(w->random, loose)];
        for (uint32_t i = 0; i < s->k; i++) {
            bring_nearest(w, from, loose);
            if (!move_to(s, w->loose[--loose], group))
                return tacit__nomem(err);
        }
    }
    *possible = true;
    while (*possible && loose > 0) {
        uint32_t point = w->loose[--loose], home = best_home(s, point);
        *possible = home != UINT32_MAX;
        if (*possible && !move_to(s, point, home))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status try_place(improving *w, tacit_error *err)
{
    partition *s = &w->state;
    bool possible = false;
    keep_moves(s);
    uint32_t point = tacit__random_below(w->random, s->points->count);
    tacit_status status = lay_out(w, loosen(w, point), &possible, err);
    for (size_t i = 0; possible && status == TACIT_OK && i < s->move_count; i++)
        look_at_group(w, s->group[s->moves[i].point]);
    if (possible && status == TACIT_OK)
        status = improve_queued(w, err);
    if (status == TACIT_OK && (!possible || s->change > -w->least))
        undo(s, (record_mark){0, 0});
    return status;
}

/* ---- all ---- */

static bool start(improving *w)
{
    const partition *s = &w->state;
    w->queue = tacit__alloc_array(s->points->count, sizeof *w->queue);
    w->is_queued = tacit__alloc_zeroed(s->points->count, sizeof *w->is_queued);
    w->off = tacit__alloc_array(s->points->width, sizeof *w->off);
    w->loose = tacit__alloc_array((size_t)MAX_RUINED * s->most, sizeof *w->loose);
    if (!w->queue || !w->is_queued || !w->off || !w->loose)
        return false;
    double total = 0, largest = 0;
    for (uint32_t i = 0; i < s->points->count; i++) {
        const double *at = tacit__point(s->points, i);
        double own = 0;
        for (uint32_t j = 0; j < s->points->width; j++)
            own += at[j] * at[j];
        largest = own > largest ? own : largest;
        total += gain_of_leaving(s, i);
        look_again(w, i);
    }
    /* What rounding could feign, and be followed in circles: it goes by the size of the points,
     * also where groups are so close that nothing else is left of their sum of squares. */
    w->least = (total + largest) * 1e-12;
    return true;
}

static tacit_status improve_all(improving *w, tacit_error *err)
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
    improving w = {.random = random, .run = run};
    tacit_status status = init_partition(&w.state, points, group, *groups, k, run, err);
    if (status != TACIT_OK)
        return status;
    status = improve_all(&w, err);
    if (status == TACIT_OK)
        *groups = number_partition(&w.state);
    tacit__free(w.queue);
    tacit__free(w.is_queued);
    tacit__free(w.off);
    tacit__free(w.loose);
    clear_partition(&w.state);
    return status;
}
