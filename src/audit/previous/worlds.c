/*
 * worlds.c - what all largest matchings have in common: the decomposition of Dulmage and
 * Mendelsohn, by strong components.
 *
 * From one largest flow all others follow by moving rows around cycles of what is left of the
 * capacities: along any pair from giver to taker, back along pairs that carry rows, from the
 * source to kinds with rows left and from kinds that give to the source, from takers with room to
 * the sink and from the sink to takers. A pair can carry rows if it does, or if both its ends lie
 * on a cycle, that is, in one strong component; a kind may have rows without a partner if it has,
 * or if it lies in the component of the source.
 *
 * Components are found with Pearce's form of Tarjan's algorithm, without recursion: a number
 * a vertex that is first the order of meeting, then the component's, the arc that is next, and a
 * stack that holds the path from one end and finished vertices from the other.
 *
 * Cost: every pair and link once; 12 bytes a giver and a taker, a bit a pair and a kind.
 */
#include "audit/previous/previous.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* The kinds whose partners are not settled at a glance. Most kinds have one kind of partner, whose
 * only partner they are; the others, givers of rows in the release and takers in the earlier one,
 * are numbered anew. Every partner of a giver is a taker. */
typedef struct tacit__row_knot {
    const tacit__row_kinds *kinds;
    const tacit__row_pairs *pairs;
    uint32_t givers, takers;
    uint32_t *giver_kind, *taker_kind;
    uint32_t *taker_of; /* a kind each; TACIT__SETTLED: none of them */
    uint32_t *first;    /* a giver each, and one more: numbers of its pairs among these */
} tacit__row_knot;

#define TACIT__SETTLED UINT32_MAX

static inline uint32_t knot_degree(const tacit__row_knot *knot, uint32_t giver)
{
    return knot->first[giver + 1] - knot->first[giver];
}

static inline uint32_t knot_taker(const tacit__row_knot *knot, uint32_t giver, uint32_t at)
{
    return knot->taker_of[tacit__partners(knot->pairs, knot->giver_kind[giver])[at]];
}

static inline uint32_t knot_give(const tacit__row_knot *knot, uint32_t giver)
{
    return knot->kinds->now[knot->giver_kind[giver]];
}

static inline uint32_t knot_take(const tacit__row_knot *knot, uint32_t taker)
{
    return knot->kinds->before[knot->taker_kind[taker]];
}

/* A pair between which rows were once matched, listed at its taker. */
typedef struct flow_link {
    uint32_t pair;
    uint32_t giver;
    uint32_t next; /* link of the same taker; 0: none, links count from 1 */
} flow_link;

/* A largest matching of a knot: how many rows of each pair are the same records. */
typedef struct tacit__row_flow {
    uint32_t *rows;        /* a pair each */
    uint32_t *left;        /* rows without a partner, a giver each */
    uint32_t *left_before; /* and a taker each */
    uint32_t *first;       /* link of each taker */
    flow_link *links;
    size_t link_count, link_capacity;
    int64_t total; /* rows that are the same */
} tacit__row_flow;

/* The top bit of flow.rows says that the pair is listed. */
#define TACIT__LISTED (UINT32_C(1) << 31)

/* As many rows as possible of two releases taken for the same records.
 *
 * Rows of one kind are interchangeable, so this is a flow from the kinds of the release, givers,
 * to those of the earlier one, takers: each kind gives and takes as many rows as it has, and a
 * pair of kinds carries any number. It starts from a greedy one, kinds with a single kind of
 * partner first, and is enlarged as Dinic's algorithm does: levels by breadth first from kinds
 * with rows left, then paths along them by depth first, until no path is left (Hopcroft and Karp's
 * phases, with capacities).
 *
 * What flows back from a kind of the earlier release is found in its list of links, the pairs that
 * ever carried rows to it; few pairs ever do.
 *
 * Cost: a phase reads each pair at most once; 4 bytes a pair, 12 a pair that carries rows, 16 a
 * giver and 16 a taker. */

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
    if (!TACIT__RESERVE_ONE(flow->links, flow->link_capacity, flow->link_count))
        return false;
    flow->rows[pair] |= TACIT__LISTED;
    flow->links[flow->link_count] = (flow_link){pair, giver, flow->first[taker]};
    flow->first[taker] = (uint32_t)flow->link_count++;
    return true;
}

/* Gives away what a kind can give without anybody else moving. */
static bool give(search *s, uint32_t giver)
{
    tacit__row_flow *flow = s->flow;
    uint32_t count = knot_degree(s->knot, giver);
    for (uint32_t i = 0; i < count && flow->left[giver]; i++) {
        uint32_t taker = knot_taker(s->knot, giver, i), room = flow->left_before[taker];
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
            if (s->flow->left[i] && (round || knot_degree(s->knot, i) == 1))
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
    uint32_t count = knot_degree(s->knot, giver), level = s->level[giver] + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t taker = knot_taker(s->knot, giver, i);
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
        if (s->flow->left[i] && knot_degree(s->knot, i)) {
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
    return knot_taker(s->knot, giver, s->at[giver]);
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
    if (s->at[giver] == knot_degree(s->knot, giver)) {
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
        flow->left[i] = knot_give(s->knot, i);
    for (uint32_t i = 0; i < s->knot->takers; i++)
        flow->left_before[i] = knot_take(s->knot, i);
    tacit_status status = start_greedily(s) ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && find_levels(s)) {
        status = find_paths(s, run, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "joining", 0, 0, err);
    }
    for (uint32_t i = 0; i < s->knot->givers; i++)
        flow->total += knot_give(s->knot, i) - flow->left[i];
    return status;
}

/* Link 0 is nobody's. */
static bool flow_capacity(tacit__row_flow *flow, const tacit__row_knot *knot)
{
    flow->rows = tacit__alloc_zeroed(knot->first[knot->givers], sizeof *flow->rows);
    flow->left = tacit__alloc_array(knot->givers, sizeof *flow->left);
    flow->left_before = tacit__alloc_array(knot->takers, sizeof *flow->left_before);
    flow->first = tacit__alloc_zeroed(knot->takers, sizeof *flow->first);
    flow->link_count = 1;
    return flow->rows && flow->left && flow->left_before && flow->first &&
           TACIT__RESERVE(flow->links, flow->link_capacity, 1);
}

static void flow_clear(tacit__row_flow *flow)
{
    tacit__free(flow->rows);
    tacit__free(flow->left);
    tacit__free(flow->left_before);
    tacit__free(flow->first);
    tacit__free(flow->links);
    *flow = (tacit__row_flow){0};
}

static tacit_status flow_init(tacit__row_flow *flow, const tacit__row_knot *knot,
                              const tacit_run *run, tacit_error *err)
{
    tacit__row_flow made = {0};
    search s = {.knot = knot, .flow = &made};
    s.level = tacit__alloc_array(knot->givers, sizeof *s.level);
    s.at = tacit__alloc_array(knot->givers, sizeof *s.at);
    s.queue = tacit__alloc_array(knot->givers, sizeof *s.queue);
    s.level_before = tacit__alloc_array(knot->takers, sizeof *s.level_before);
    s.link = tacit__alloc_array(knot->takers, sizeof *s.link);
    bool whole =
        flow_capacity(&made, knot) && s.level && s.at && s.queue && s.level_before && s.link;
    tacit_status status = whole ? fill_flow(&s, run, err) : tacit__nomem(err);
    tacit__free(s.level);
    tacit__free(s.at);
    tacit__free(s.queue);
    tacit__free(s.level_before);
    tacit__free(s.link);
    if (status == TACIT_OK)
        *flow = made;
    else
        flow_clear(&made);
    return status;
}

/* The part of the pairs that matching has to decide.
 *
 * A kind with a single kind of partner, which has no other either, is settled: as many of its rows
 * as both have are the same records. So is one without partners. What is left are givers and
 * takers with their own numbers, so that the search for largest matchings costs as much as there
 * is to decide, which in releases with a telling column in common is next to nothing.
 *
 * Cost: two readings of the pairs; 5 bytes a kind, and 12 for each giver and taker. */

/* How many kinds of rows of the release each kind of the earlier one is a partner of: 0, 1 or more.
 */
static uint8_t *count_suitors(const tacit__row_kinds *kinds, const tacit__row_pairs *pairs)
{
    uint8_t *suitors = tacit__alloc_zeroed(kinds->count, sizeof *suitors);
    for (uint32_t i = 0; suitors && i < kinds->count; i++) {
        const uint32_t *partners = tacit__partners(pairs, i);
        for (uint32_t j = 0; j < tacit__partner_count(pairs, i); j++)
            suitors[partners[j]] = suitors[partners[j]] ? 2 : 1;
    }
    return suitors;
}

static bool is_settled(const tacit__row_pairs *pairs, uint32_t kind, const uint8_t *suitors)
{
    uint32_t count = tacit__partner_count(pairs, kind);
    return count == 0 || (count == 1 && suitors[tacit__partners(pairs, kind)[0]] == 1);
}

/* Numbers takers as givers bring them up; a giver each, and one more, gets its first pair. */
static void number_takers(tacit__row_knot *knot)
{
    for (uint32_t i = 0; i < knot->givers; i++) {
        uint32_t kind = knot->giver_kind[i], count = tacit__partner_count(knot->pairs, kind);
        const uint32_t *partners = tacit__partners(knot->pairs, kind);
        knot->first[i + 1] = knot->first[i] + count;
        for (uint32_t j = 0; j < count; j++)
            if (knot->taker_of[partners[j]] == TACIT__SETTLED)
                knot->taker_of[partners[j]] = knot->takers++;
    }
}

static bool fill_knot(tacit__row_knot *knot, const uint8_t *suitors)
{
    uint32_t kinds = knot->kinds->count;
    for (uint32_t i = 0; i < kinds; i++) {
        knot->givers += !is_settled(knot->pairs, i, suitors);
        knot->taker_of[i] = TACIT__SETTLED;
    }
    knot->giver_kind = tacit__alloc_array(knot->givers, sizeof *knot->giver_kind);
    knot->first = tacit__alloc_zeroed((size_t)knot->givers + 1, sizeof *knot->first);
    if (!knot->giver_kind || !knot->first)
        return false;
    for (uint32_t i = 0, at = 0; i < kinds; i++)
        if (!is_settled(knot->pairs, i, suitors))
            knot->giver_kind[at++] = i;
    number_takers(knot);
    knot->taker_kind = tacit__alloc_array(knot->takers, sizeof *knot->taker_kind);
    for (uint32_t i = 0; knot->taker_kind && i < kinds; i++)
        if (knot->taker_of[i] != TACIT__SETTLED)
            knot->taker_kind[knot->taker_of[i]] = i;
    return knot->taker_kind != NULL;
}

static void knot_clear(tacit__row_knot *knot)
{
    tacit__free(knot->giver_kind);
    tacit__free(knot->taker_kind);
    tacit__free(knot->taker_of);
    tacit__free(knot->first);
    *knot = (tacit__row_knot){0};
}

static tacit_status knot_init(tacit__row_knot *knot, const tacit__row_kinds *kinds,
                              const tacit__row_pairs *pairs, tacit_error *err)
{
    tacit__row_knot made = {.kinds = kinds, .pairs = pairs};
    uint8_t *suitors = count_suitors(kinds, pairs);
    made.taker_of = tacit__alloc_array(kinds->count, sizeof *made.taker_of);
    bool whole = suitors && made.taker_of && fill_knot(&made, suitors);
    tacit__free(suitors);
    if (!whole) {
        knot_clear(&made);
        return tacit__nomem(err);
    }
    *knot = made;
    return TACIT_OK;
}

/* Vertices: givers, takers behind them, source and sink. */
typedef struct forest {
    const tacit__row_knot *knot;
    const tacit__row_flow *flow;
    const tacit_run *run;
    uint32_t source, sink, vertices;
    uint32_t *number; /* 0: not met */
    uint32_t *at;
    uint32_t *stack;
    uint64_t *inner;     /* bit a vertex: it reaches one that was met before it */
    uint32_t path, open; /* the path from the left, open vertices from the right */
    uint32_t met, component;
    int64_t steps;
} forest;

#define NONE UINT32_MAX

/* The arc at a place of a giver: a taker, or the source; NONE: there is no more. */
static uint32_t arc_of_giver(const forest *f, uint32_t giver, uint32_t at)
{
    uint32_t count = knot_degree(f->knot, giver);
    if (at < count)
        return f->knot->givers + knot_taker(f->knot, giver, at);
    return at == count && f->flow->left[giver] < knot_give(f->knot, giver) ? f->source : NONE;
}

/* Of a taker the place is a link; behind the last one comes the sink, as place 0, then NONE. */
static uint32_t arc_of_taker(const forest *f, uint32_t taker, uint32_t *at)
{
    const tacit__row_flow *flow = f->flow;
    while (*at && *at != NONE && !(flow->rows[flow->links[*at].pair] & ~TACIT__LISTED))
        *at = flow->links[*at].next;
    if (*at == NONE)
        return NONE;
    return *at ? flow->links[*at].giver : flow->left_before[taker] ? f->sink : NONE;
}

/* The source leads to givers with rows left, the sink to takers that take. */
static uint32_t arc_of_hub(const forest *f, bool source, uint32_t *at)
{
    for (; source && *at < f->knot->givers; ++*at)
        if (f->flow->left[*at])
            return *at;
    for (; !source && *at < f->knot->takers; ++*at)
        if (f->flow->left_before[*at] < knot_take(f->knot, *at))
            return f->knot->givers + *at;
    return NONE;
}

static uint32_t arc(const forest *f, uint32_t vertex)
{
    if (vertex < f->knot->givers)
        return arc_of_giver(f, vertex, f->at[vertex]);
    if (vertex < f->source)
        return arc_of_taker(f, vertex - f->knot->givers, &f->at[vertex]);
    return arc_of_hub(f, vertex == f->source, &f->at[vertex]);
}

static void pass_arc(const forest *f, uint32_t vertex)
{
    uint32_t *at = &f->at[vertex];
    if (vertex < f->knot->givers || vertex >= f->source)
        ++*at;
    else
        *at = *at ? f->flow->links[*at].next : NONE;
}

static void meet(forest *f, uint32_t vertex)
{
    f->number[vertex] = ++f->met;
    f->stack[f->path++] = vertex;
    bool taker = vertex >= f->knot->givers && vertex < f->source;
    f->at[vertex] = taker ? f->flow->first[vertex - f->knot->givers] : 0;
}

/* A vertex whose arcs are all followed: it closes its component, or waits for it. */
static void leave(forest *f, uint32_t vertex)
{
    f->path--;
    if (tacit__bit_get(f->inner, vertex)) {
        f->stack[--f->open] = vertex;
        return;
    }
    f->met--;
    while (f->open < f->vertices && f->number[f->stack[f->open]] >= f->number[vertex]) {
        f->number[f->stack[f->open++]] = f->component;
        f->met--;
    }
    f->number[vertex] = f->component--;
}

static tacit_status walk_from(forest *f, uint32_t root, tacit_error *err)
{
    meet(f, root);
    while (f->path > 0) {
        uint32_t vertex = f->stack[f->path - 1], there = arc(f, vertex);
        if (there == NONE) {
            leave(f, vertex);
        } else if (!f->number[there]) {
            meet(f, there); /* the arc is looked at again when it is done */
        } else {
            if (f->number[there] < f->number[vertex]) {
                f->number[vertex] = f->number[there];
                tacit__bit_set(f->inner, vertex);
            }
            pass_arc(f, vertex);
        }
        if ((++f->steps & ((1 << 20) - 1)) == 0) {
            tacit_status status = tacit__progress(f->run, "joining", 0, 0, err);
            if (status != TACIT_OK)
                return status;
        }
    }
    return TACIT_OK;
}

static tacit_status find_components(forest *f, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    f->open = f->component = f->vertices;
    for (uint32_t v = 0; v < f->vertices && status == TACIT_OK; v++)
        if (!f->number[v])
            status = walk_from(f, v, err);
    return status;
}

static void mark_knot(tacit__row_worlds *worlds, const forest *f)
{
    const tacit__row_knot *knot = f->knot;
    for (uint32_t i = 0; i < knot->givers; i++) {
        uint32_t kind = knot->giver_kind[i];
        for (uint32_t j = 0; j < knot_degree(knot, i); j++)
            if ((f->flow->rows[knot->first[i] + j] & ~TACIT__LISTED) ||
                f->number[i] == f->number[knot->givers + knot_taker(knot, i, j)])
                tacit__bit_set(worlds->possible, (int64_t)knot->pairs->starts[kind] + j);
        if (f->flow->left[i] || f->number[i] == f->number[f->source])
            tacit__bit_set(worlds->fresh, kind);
    }
}

/* Kinds without a partner, and those that are one another's only ones. */
static void mark_settled(tacit__row_worlds *worlds, const tacit__row_knot *knot)
{
    const tacit__row_kinds *kinds = knot->kinds;
    for (uint32_t i = 0; i < kinds->count; i++) {
        uint32_t count = tacit__partner_count(knot->pairs, i), take = 0;
        if (!kinds->now[i] ||
            (count && knot->taker_of[tacit__partners(knot->pairs, i)[0]] != TACIT__SETTLED))
            continue;
        if (count) {
            take = kinds->before[tacit__partners(knot->pairs, i)[0]];
            tacit__bit_set(worlds->possible, knot->pairs->starts[i]);
        }
        if (take < kinds->now[i])
            tacit__bit_set(worlds->fresh, i);
        worlds->same_rows += take < kinds->now[i] ? take : kinds->now[i];
    }
}

static tacit_status find_worlds(tacit__row_worlds *worlds, forest *f, tacit_error *err)
{
    f->source = f->knot->givers + f->knot->takers;
    f->sink = f->source + 1;
    f->vertices = f->sink + 1;
    f->number = tacit__alloc_zeroed(f->vertices, sizeof *f->number);
    f->at = tacit__alloc_array(f->vertices, sizeof *f->at);
    f->stack = tacit__alloc_array(f->vertices, sizeof *f->stack);
    f->inner = tacit__alloc_zeroed(tacit__bitset_words(f->vertices), sizeof *f->inner);
    bool whole = f->number && f->at && f->stack && f->inner;
    tacit_status status = whole ? find_components(f, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        mark_knot(worlds, f);
    tacit__free(f->number);
    tacit__free(f->at);
    tacit__free(f->stack);
    tacit__free(f->inner);
    return status;
}

/* What a largest flow through the knot says. */
static tacit_status untie(tacit__row_worlds *worlds, const tacit__row_knot *knot,
                          const tacit_run *run, tacit_error *err)
{
    tacit__row_flow flow = {0};
    tacit_status status = flow_init(&flow, knot, run, err);
    if (status != TACIT_OK)
        return status;
    forest f = {.knot = knot, .flow = &flow, .run = run};
    worlds->same_rows += flow.total;
    status = find_worlds(worlds, &f, err);
    flow_clear(&flow);
    return status;
}

tacit_status tacit__row_worlds_init(tacit__row_worlds *worlds, const tacit__row_kinds *kinds,
                                    const tacit__row_pairs *pairs, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__row_knot knot = {0};
    tacit__row_worlds made = {0};
    tacit_status status = knot_init(&knot, kinds, pairs, err);
    if (status != TACIT_OK)
        return status;
    made.possible = tacit__alloc_zeroed(tacit__bitset_words(pairs->count), sizeof *made.possible);
    made.fresh = tacit__alloc_zeroed(tacit__bitset_words(kinds->count), sizeof *made.fresh);
    status = made.possible && made.fresh ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        mark_settled(&made, &knot);
        status = knot.givers > 0 ? untie(&made, &knot, run, err) : TACIT_OK;
    }
    knot_clear(&knot);
    if (status == TACIT_OK)
        *worlds = made;
    else
        tacit__row_worlds_clear(&made);
    return status;
}

void tacit__row_worlds_clear(tacit__row_worlds *worlds)
{
    tacit__free(worlds->possible);
    tacit__free(worlds->fresh);
    *worlds = (tacit__row_worlds){0};
}
