/*
 * previous_worlds.c - what all largest matchings have in common: the decomposition of Dulmage and
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
 * Cost: every pair and link once; 12 bytes a kind and release, a bit a pair.
 */
#include "audit/previous.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"

/* Vertices: givers by their kinds, takers by their order behind them, source and sink. */
typedef struct forest {
    const tacit__row_kinds *kinds;
    const tacit__row_pairs *pairs;
    const tacit__row_flow *flow;
    const tacit_run *run;
    uint32_t *taker; /* kind of each taker, in their order */
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

static uint32_t vertex_of_taker(const forest *f, uint32_t kind)
{
    return f->kinds->count + f->kinds->olds[kind];
}

/* The arc at a place of a giver: a taker, or the source; NONE: there is no more. */
static uint32_t arc_of_giver(const forest *f, uint32_t kind, uint32_t at)
{
    uint32_t count = tacit__partner_count(f->pairs, kind);
    if (at < count)
        return vertex_of_taker(f, tacit__partners(f->pairs, kind)[at]);
    return at == count && f->flow->left[kind] < f->kinds->now[kind] ? f->source : NONE;
}

/* Of a taker the place is a link; behind the last one comes the sink, as place 0, then NONE. */
static uint32_t arc_of_taker(const forest *f, uint32_t kind, uint32_t *at)
{
    const tacit__row_flow *flow = f->flow;
    while (*at && *at != NONE && !(flow->rows[flow->links[*at].pair] & ~TACIT__LISTED))
        *at = flow->links[*at].next;
    if (*at == NONE)
        return NONE;
    return *at ? flow->links[*at].kind : flow->left_before[kind] ? f->sink : NONE;
}

/* The source leads to kinds with rows left, the sink to takers that take. */
static uint32_t arc_of_hub(const forest *f, bool source, uint32_t *at)
{
    const tacit__row_kinds *kinds = f->kinds;
    for (; source && *at < kinds->count; ++*at)
        if (f->flow->left[*at])
            return *at;
    for (; !source && *at < f->source - kinds->count; ++*at)
        if (f->flow->left_before[f->taker[*at]] < kinds->before[f->taker[*at]])
            return kinds->count + *at;
    return NONE;
}

static uint32_t arc(const forest *f, uint32_t vertex)
{
    if (vertex < f->kinds->count)
        return arc_of_giver(f, vertex, f->at[vertex]);
    if (vertex < f->source)
        return arc_of_taker(f, f->taker[vertex - f->kinds->count], &f->at[vertex]);
    return arc_of_hub(f, vertex == f->source, &f->at[vertex]);
}

static void pass_arc(const forest *f, uint32_t vertex)
{
    uint32_t *at = &f->at[vertex];
    if (vertex < f->kinds->count || vertex >= f->source)
        ++*at;
    else
        *at = *at ? f->flow->links[*at].next : NONE;
}

static void meet(forest *f, uint32_t vertex)
{
    f->number[vertex] = ++f->met;
    f->stack[f->path++] = vertex;
    bool taker = vertex >= f->kinds->count && vertex < f->source;
    f->at[vertex] = taker ? f->flow->first[f->taker[vertex - f->kinds->count]] : 0;
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
    for (uint32_t i = 0; i < f->kinds->count; i++)
        if (f->kinds->before[i])
            f->taker[f->kinds->olds[i]] = i;
    for (uint32_t v = 0; v < f->vertices && status == TACIT_OK; v++)
        if (!f->number[v] && (v >= f->kinds->count || f->kinds->now[v]))
            status = walk_from(f, v, err);
    return status;
}

static void mark_possible(tacit__row_worlds *worlds, const forest *f)
{
    for (uint32_t i = 0; i < f->kinds->count; i++) {
        if (!f->kinds->now[i])
            continue;
        const uint32_t *partners = tacit__partners(f->pairs, i);
        int64_t pair = f->pairs->starts[i];
        for (uint32_t j = 0; j < tacit__partner_count(f->pairs, i); j++, pair++)
            if ((f->flow->rows[pair] & ~TACIT__LISTED) ||
                f->number[i] == f->number[vertex_of_taker(f, partners[j])])
                tacit__bit_set(worlds->possible, pair);
        if (f->flow->left[i] || f->number[i] == f->number[f->source])
            tacit__bit_set(worlds->fresh, i);
    }
}

static tacit_status find_worlds(tacit__row_worlds *worlds, forest *f, tacit_error *err)
{
    uint32_t takers = f->kinds->olds[f->kinds->count];
    f->source = f->kinds->count + takers;
    f->sink = f->source + 1;
    f->vertices = f->sink + 1;
    f->taker = tacit__alloc_array(takers, sizeof *f->taker);
    f->number = tacit__alloc_zeroed(f->vertices, sizeof *f->number);
    f->at = tacit__alloc_array(f->vertices, sizeof *f->at);
    f->stack = tacit__alloc_array(f->vertices, sizeof *f->stack);
    f->inner = tacit__alloc_zeroed(tacit__bitset_words(f->vertices), sizeof *f->inner);
    bool whole = f->taker && f->number && f->at && f->stack && f->inner;
    tacit_status status = whole ? find_components(f, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        mark_possible(worlds, f);
    tacit__free(f->taker);
    tacit__free(f->number);
    tacit__free(f->at);
    tacit__free(f->stack);
    tacit__free(f->inner);
    return status;
}

tacit_status tacit__row_worlds_init(tacit__row_worlds *worlds, const tacit__row_kinds *kinds,
                                    const tacit__row_pairs *pairs, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__row_flow flow = {0};
    tacit__row_worlds made = {0};
    tacit_status status = tacit__row_flow_init(&flow, kinds, pairs, run, err);
    if (status != TACIT_OK)
        return status;
    made.same_rows = flow.total;
    made.possible = tacit__alloc_zeroed(tacit__bitset_words(pairs->count), sizeof *made.possible);
    made.fresh = tacit__alloc_zeroed(tacit__bitset_words(kinds->count), sizeof *made.fresh);
    forest f = {.kinds = kinds, .pairs = pairs, .flow = &flow, .run = run};
    status = made.possible && made.fresh ? find_worlds(&made, &f, err) : tacit__nomem(err);
    tacit__row_flow_clear(&flow);
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
