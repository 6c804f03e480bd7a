/*
 * flow.c - as many rows as possible of two releases taken for the same records.
 *
 * Rows of one kind are interchangeable, so this is a flow from the kinds of the release, givers, to
 * those of the earlier one, takers: each kind gives and takes as many rows as it has, and a pair of
 * kinds carries any number. It starts from a greedy one, kinds with a single kind of partner first,
 * and is enlarged as Dinic's algorithm does: levels by breadth first from kinds with rows left,
 * then paths along them by depth first, until no path is left (Hopcroft and Karp's phases, with
 * capacities).
 *
 * What flows back from a kind of the earlier release is found in its list of links, the pairs that
 * ever carried rows to it; few pairs ever do.
 *
 * Cost: a phase reads each pair at most once; 4 bytes a pair, 12 a pair that carries rows, 16 a
 * giver and 16 a taker.
 */
#include "audit/previous/previous.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

#define NEVER UINT32_MAX

typedef struct search {
    const tacit__row_knot *knot;
    tacit__row_flow *flow;
    uint32_t *level;        /* of givers; NEVER: not reached */
    uint32_t *level_before; /* of takers */
    uint32_t *at;           /* the partner that is tried, of givers */
    uint32_t *link;         /* the link that is tried, of takers */
    uint32_t *queue;        /* breadth first; the path, depth first */
    uint32_t last;          /* level of the first takers with room */
} search;

static uint32_t carried(const tacit__row_flow *flow, uint32_t pair)
{
    return flow->rows[pair] & ~TACIT__LISTED;
}

/* Adds rows to a pair, and the pair to its taker's links. */
static bool carry(search *s, uint32_t giver, uint32_t at, uint32_t taker, uint32_t rows)
{
    tacit__row_flow *flow = s->flow;
    uint32_t pair = s->knot->first[giver] + at;
    flow->rows[pair] += rows;
    if (flow->rows[pair] & TACIT__LISTED)
        return true;
    if (!TACIT__RESERVE_ONE(flow->links, flow->link_room, flow->link_count))
        return false;
    flow->rows[pair] |= TACIT__LISTED;
    flow->links[flow->link_count] = (tacit__row_link){pair, giver, flow->first[taker]};
    flow->first[taker] = (uint32_t)flow->link_count++;
    return true;
}

/* Gives away what a kind can give without anybody else moving. */
static bool give(search *s, uint32_t giver)
{
    tacit__row_flow *flow = s->flow;
    uint32_t count = tacit__knot_degree(s->knot, giver);
    for (uint32_t i = 0; i < count && flow->left[giver]; i++) {
        uint32_t taker = tacit__knot_taker(s->knot, giver, i), room = flow->left_before[taker];
        uint32_t rows = room < flow->left[giver] ? room : flow->left[giver];
        if (rows && !carry(s, giver, i, taker, rows))
            return false;
        flow->left[giver] -= rows;
        flow->left_before[taker] -= rows;
    }
    return true;
}

static bool start_greedily(search *s)
{
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < s->knot->givers; i++)
            if (s->flow->left[i] && (round || tacit__knot_degree(s->knot, i) == 1))
                if (!give(s, i))
                    return false;
    return true;
}

/* Puts the givers of a taker that has no room into the queue. */
static uint32_t queue_givers(search *s, uint32_t taker, uint32_t end)
{
    const tacit__row_flow *flow = s->flow;
    for (uint32_t l = flow->first[taker]; l; l = flow->links[l].next) {
        uint32_t giver = flow->links[l].giver;
        if (!carried(flow, flow->links[l].pair) || s->level[giver] != NEVER)
            continue;
        s->level[giver] = s->level_before[taker] + 1;
        s->queue[end++] = giver;
    }
    return end;
}

/* The takers of a giver; those with room end the search at their level. */
static uint32_t reach_takers(search *s, uint32_t giver, uint32_t end)
{
    uint32_t count = tacit__knot_degree(s->knot, giver), level = s->level[giver] + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t taker = tacit__knot_taker(s->knot, giver, i);
        if (s->level_before[taker] != NEVER)
            continue;
        s->level_before[taker] = level;
        s->link[taker] = s->flow->first[taker];
        if (s->flow->left_before[taker])
            s->last = level;
        else if (level < s->last)
            end = queue_givers(s, taker, end);
    }
    return end;
}

/* Levels of all that can be reached from kinds with rows left; whether any taker has room. */
static bool find_levels(search *s)
{
    uint32_t end = 0;
    s->last = NEVER;
    for (uint32_t i = 0; i < s->knot->givers; i++) {
        s->level[i] = NEVER;
        s->at[i] = 0;
        if (s->flow->left[i] && tacit__knot_degree(s->knot, i)) {
            s->level[i] = 0;
            s->queue[end++] = i;
        }
    }
    for (uint32_t i = 0; i < s->knot->takers; i++)
        s->level_before[i] = NEVER;
    for (uint32_t i = 0; i < end && s->level[s->queue[i]] + 1 <= s->last; i++)
        end = reach_takers(s, s->queue[i], end);
    return s->last != NEVER;
}

static uint32_t taker_of(const search *s, uint32_t giver)
{
    return tacit__knot_taker(s->knot, giver, s->at[giver]);
}

/* Moves rows along the path, as many as it lets through. */
static bool enlarge(search *s, uint32_t length)
{
    tacit__row_flow *flow = s->flow;
    const uint32_t *path = s->queue;
    uint32_t end = taker_of(s, path[length - 1]), rows = flow->left[path[0]];
    if (flow->left_before[end] < rows)
        rows = flow->left_before[end];
    for (uint32_t i = 0; i + 1 < length; i++) {
        uint32_t back = carried(flow, flow->links[s->link[taker_of(s, path[i])]].pair);
        if (back < rows)
            rows = back;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint32_t taker = taker_of(s, path[i]);
        if (i + 1 < length)
            flow->rows[flow->links[s->link[taker]].pair] -= rows;
        if (!carry(s, path[i], s->at[path[i]], taker, rows))
            return false;
    }
    flow->left[path[0]] -= rows;
    flow->left_before[end] -= rows;
    return true;
}

/* The next giver on a way from a taker without room, or NEVER. */
static uint32_t giver_beyond(search *s, uint32_t taker)
{
    const tacit__row_flow *flow = s->flow;
    uint32_t *l = &s->link[taker];
    for (; *l; *l = flow->links[*l].next) {
        uint32_t giver = flow->links[*l].giver;
        if (carried(flow, flow->links[*l].pair) && s->level[giver] == s->level_before[taker] + 1)
            return giver;
    }
    return NEVER;
}

/* One step of the search from the end of the path; *length is 0 when it has ended. */
static bool step(search *s, uint32_t *length)
{
    uint32_t giver = s->queue[*length - 1];
    if (s->at[giver] == tacit__knot_degree(s->knot, giver)) {
        s->level[giver] = NEVER; /* and the link that led here is given up */
        if (--*length > 0) {
            uint32_t taker = taker_of(s, s->queue[*length - 1]);
            s->link[taker] = s->flow->links[s->link[taker]].next;
        }
        return true;
    }
    uint32_t taker = taker_of(s, giver), beyond = NEVER;
    if (s->level_before[taker] == s->level[giver] + 1) {
        if (s->flow->left_before[taker]) {
            bool moved = enlarge(s, *length);
            *length = s->flow->left[s->queue[0]] ? 1 : 0;
            return moved;
        }
        if (s->level_before[taker] < s->last)
            beyond = giver_beyond(s, taker);
    }
    if (beyond == NEVER)
        s->at[giver]++;
    else
        s->queue[(*length)++] = beyond;
    return true;
}

static tacit_status find_paths(search *s, const tacit_run *run, tacit_error *err)
{
    int64_t steps = 0;
    for (uint32_t i = 0; i < s->knot->givers; i++) {
        uint32_t length = s->flow->left[i] && s->level[i] == 0;
        s->queue[0] = i;
        while (length > 0) {
            if (!step(s, &length))
                return tacit__nomem(err);
            if ((++steps & ((1 << 20) - 1)) == 0) {
                tacit_status status = tacit__progress(run, "joining", i, s->knot->givers, err);
                if (status != TACIT_OK)
                    return status;
            }
        }
    }
    return TACIT_OK;
}

static tacit_status fill_flow(search *s, const tacit_run *run, tacit_error *err)
{
    tacit__row_flow *flow = s->flow;
    for (uint32_t i = 0; i < s->knot->givers; i++)
        flow->left[i] = tacit__knot_give(s->knot, i);
    for (uint32_t i = 0; i < s->knot->takers; i++)
        flow->left_before[i] = tacit__knot_take(s->knot, i);
    tacit_status status = start_greedily(s) ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && find_levels(s)) {
        status = find_paths(s, run, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "joining", 0, 0, err);
    }
    for (uint32_t i = 0; i < s->knot->givers; i++)
        flow->total += tacit__knot_give(s->knot, i) - flow->left[i];
    return status;
}

/* Link 0 is nobody's. */
static bool flow_room(tacit__row_flow *flow, const tacit__row_knot *knot)
{
    flow->rows = tacit__alloc_zeroed(knot->first[knot->givers], sizeof *flow->rows);
    flow->left = tacit__alloc_array(knot->givers, sizeof *flow->left);
    flow->left_before = tacit__alloc_array(knot->takers, sizeof *flow->left_before);
    flow->first = tacit__alloc_zeroed(knot->takers, sizeof *flow->first);
    flow->link_count = 1;
    return flow->rows && flow->left && flow->left_before && flow->first &&
           TACIT__RESERVE(flow->links, flow->link_room, 1);
}

tacit_status tacit__row_flow_init(tacit__row_flow *flow, const tacit__row_knot *knot,
                                  const tacit_run *run, tacit_error *err)
{
    tacit__row_flow made = {0};
    search s = {.knot = knot, .flow = &made};
    s.level = tacit__alloc_array(knot->givers, sizeof *s.level);
    s.at = tacit__alloc_array(knot->givers, sizeof *s.at);
    s.queue = tacit__alloc_array(knot->givers, sizeof *s.queue);
    s.level_before = tacit__alloc_array(knot->takers, sizeof *s.level_before);
    s.link = tacit__alloc_array(knot->takers, sizeof *s.link);
    bool whole = flow_room(&made, knot) && s.level && s.at && s.queue && s.level_before && s.link;
    tacit_status status = whole ? fill_flow(&s, run, err) : tacit__nomem(err);
    tacit__free(s.level);
    tacit__free(s.at);
    tacit__free(s.queue);
    tacit__free(s.level_before);
    tacit__free(s.link);
    if (status == TACIT_OK)
        *flow = made;
    else
        tacit__row_flow_clear(&made);
    return status;
}

void tacit__row_flow_clear(tacit__row_flow *flow)
{
    tacit__free(flow->rows);
    tacit__free(flow->left);
    tacit__free(flow->left_before);
    tacit__free(flow->first);
    tacit__free(flow->links);
    *flow = (tacit__row_flow){0};
}
