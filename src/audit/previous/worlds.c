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
    uint32_t count = tacit__knot_degree(f->knot, giver);
    if (at < count)
        return f->knot->givers + tacit__knot_taker(f->knot, giver, at);
    return at == count && f->flow->left[giver] < tacit__knot_give(f->knot, giver) ? f->source
                                                                                  : NONE;
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
        if (f->flow->left_before[*at] < tacit__knot_take(f->knot, *at))
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
        for (uint32_t j = 0; j < tacit__knot_degree(knot, i); j++)
            if ((f->flow->rows[knot->first[i] + j] & ~TACIT__LISTED) ||
                f->number[i] == f->number[knot->givers + tacit__knot_taker(knot, i, j)])
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
    tacit_status status = tacit__row_flow_init(&flow, knot, run, err);
    if (status != TACIT_OK)
        return status;
    forest f = {.knot = knot, .flow = &flow, .run = run};
    worlds->same_rows += flow.total;
    status = find_worlds(worlds, &f, err);
    tacit__row_flow_clear(&flow);
    return status;
}

tacit_status tacit__row_worlds_init(tacit__row_worlds *worlds, const tacit__row_kinds *kinds,
                                    const tacit__row_pairs *pairs, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__row_knot knot = {0};
    tacit__row_worlds made = {0};
    tacit_status status = tacit__row_knot_init(&knot, kinds, pairs, err);
    if (status != TACIT_OK)
        return status;
    made.possible = tacit__alloc_zeroed(tacit__bitset_words(pairs->count), sizeof *made.possible);
    made.fresh = tacit__alloc_zeroed(tacit__bitset_words(kinds->count), sizeof *made.fresh);
    status = made.possible && made.fresh ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        mark_settled(&made, &knot);
        status = knot.givers > 0 ? untie(&made, &knot, run, err) : TACIT_OK;
    }
    tacit__row_knot_clear(&knot);
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
