/*
 * search.c - the best node of the lattice by branch and bound over boxes (box.c), the box of the
 * lowest bound first.
 *
 * A box is first tightened: levels of its highest node that no node better than the best so far
 * can have are taken away. Then the highest node is counted. If even that one has too many
 * outliers, so has every node of the box, and all of it is done with. Otherwise the node is a
 * candidate itself; its outliers raise the bound of the box (node.c), and what may still hold a
 * better node is cut in two. A lowest node that was counted and keeps k without suppression is the
 * best of its box, whatever the metric and the preference.
 *
 * What is never assumed: that a node above a feasible one is feasible. Complementary suppression,
 * and models beyond k, can take more rows there. Only without suppression does one hold, and a
 * node that breaks a model then rules out those below.
 *
 * Boxes are worked on in batches whose size is fixed, and what is learned is taken in in the order
 * of the batch, so that the search and its number of nodes are the same for any number of threads.
 * When boxes become too many, those at hand are finished first, depth before bound, and memory
 * grows no further.
 *
 * A good node to begin with, so that the search has something to compare bounds with. First a
 * chain of nodes is laid from the lowest to the top, as Datafly climbs: the attribute with the
 * most values goes up next. The lowest node of the chain that will do is looked for in strides and
 * by bisection, starting where classes could hold k rows on average. From there it goes down
 * again, one attribute at a time by one level, the one first that saves the most, for as long as
 * that makes the release better.
 *
 * A search that takes long polishes the best node now and then: it raises one attribute and goes
 * down again from there, by whatever attributes that allows. Costs a counting for each stride, and
 * one for each step down or step refused.
 *
 * All k-minimal generalizations: nodes that will do while no node below them will (Computational
 * Disclosure Control, 5.3). Boxes are cut as in the search for the best node, but no metric does
 * away with any. A box is done with if its highest node rules out those below; if its lowest node
 * will do, since it then lies below all others; or if that lies above a node found before. Lower
 * parts come first, so that what is found does away with as much as it can. A highest node above
 * one that was found rules nothing out and need not be counted. In the end nodes that lie above
 * others are left out.
 */
#include "records/mingen/mingen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/classes/strides.h"

/* Nodes from the lowest to the top. */
typedef struct chain {
    const tacit__mingen *g;
    int32_t *steps; /* the attribute that goes up from node i to node i + 1 */
    int32_t count;
} chain;

static int32_t next_attribute(const tacit__mingen *g, const uint8_t *levels)
{
    int32_t best = -1;
    uint32_t most = 0;
    for (int32_t a = 0; a < g->frame->attribute_count; a++)
        if (levels[a] < g->high[a] && g->ladders.values[a][levels[a]] > most) {
            most = g->ladders.values[a][levels[a]];
            best = a;
        }
    return best;
}

static void chain_node(uint8_t *levels, const chain *c, int32_t node)
{
    memcpy(levels, c->g->low, (size_t)c->g->frame->attribute_count);
    for (int32_t i = 0; i < node; i++)
        levels[c->steps[i]]++;
}

/* The first node that could have k rows in every class. */
static tacit_status chain_init(chain *c, int32_t *guess, const tacit__mingen *g, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    size_t most = 0;
    int32_t attribute;
    *c = (chain){.g = g};
    for (int32_t a = 0; a < g->frame->attribute_count; a++)
        most += (size_t)(g->high[a] - g->low[a]);
    c->steps = tacit__alloc_array(most, sizeof *c->steps);
    if (!c->steps)
        return tacit__nomem(err);
    *guess = -1;
    chain_node(levels, c, 0);
    while ((attribute = next_attribute(g, levels)) >= 0) {
        double combinations = tacit__combinations(&g->ladders, levels);
        if (*guess < 0 && combinations * (double)g->options->k <= (double)g->rows)
            *guess = c->count;
        c->steps[c->count++] = attribute;
        levels[attribute]++;
    }
    if (*guess < 0)
        *guess = c->count;
    return TACIT_OK;
}

static int sum_of(const uint8_t *levels, int32_t count)
{
    int sum = 0;
    for (int32_t a = 0; a < count; a++)
        sum += levels[a];
    return sum;
}

/* Whether node a is a better answer than b, which may be NULL. */
static bool is_better(const tacit__mingen_node *a, const tacit__mingen_node *b,
                      const tacit__mingen *g)
{
    int32_t width = g->frame->attribute_count;
    if (!b || a->cost != b->cost)
        return !b || a->cost < b->cost;
    int levels = sum_of(a->levels, width) - sum_of(b->levels, width);
    int64_t distinct = b->distinct - a->distinct;
    if (g->options->prefer == TACIT_PREFER_DISTINCT && distinct != 0)
        return distinct < 0;
    if (g->options->prefer != TACIT_PREFER_ORDER && levels != 0)
        return levels < 0;
    if (g->options->prefer == TACIT_PREFER_LEVELS && distinct != 0)
        return distinct < 0;
    return memcmp(a->levels, b->levels, (size_t)width) < 0;
}

/* Counts a node and takes it if it is better. */
static tacit_status try_node(const tacit__mingen_node **node, tacit__mingen_found *found,
                             tacit__counter *counter, const uint8_t *levels, tacit__list *root,
                             tacit_error *err)
{
    tacit__job job = {.levels = levels, .source = root};
    tacit_status status = tacit__progress(counter->g->run, "searching", counter->checked, 0, err);
    if (status == TACIT_OK)
        status = tacit__count_nodes(counter, &job, 1, err);
    if (status != TACIT_OK)
        return status;
    if (job.node->feasible && is_better(job.node, found->best, counter->g))
        found->best = job.node;
    *node = job.node;
    return TACIT_OK;
}

/* Looks along the chain for the lowest node that will do. */
static tacit_status climb(tacit__mingen_found *found, tacit__counter *counter, tacit__list *root,
                          const chain *c, int32_t guess, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit__strides way = tacit__strides_from(guess, c->count);
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && tacit__strides_on(&way)) {
        const tacit__mingen_node *node = NULL;
        chain_node(levels, c, way.next);
        status = try_node(&node, found, counter, levels, root, err);
        tacit__strides_tell(&way, node && node->feasible);
    }
    return status;
}

/* The attribute whose step down saves the most, of those not refused yet; -1: none. */
static int32_t next_down(const tacit__mingen *g, const uint8_t *levels, const uint64_t *refused)
{
    int32_t best = -1;
    double most = -1;
    for (int32_t a = 0; a < g->frame->attribute_count; a++) {
        if (levels[a] == g->low[a] || tacit__bit_get(refused, a))
            continue;
        double saved = g->prices.mean[a][levels[a]] - g->prices.mean[a][levels[a] - 1];
        if (saved > most) {
            most = saved;
            best = a;
        }
    }
    return best;
}

/* Goes down from these levels, which change, for as long as cost, that of the node
 * above, gets less. */
static tacit_status descend(tacit__mingen_found *found, tacit__counter *counter, uint8_t *levels,
                            double cost, tacit__list *root, tacit_error *err)
{
    uint64_t refused[(TACIT_MAX_ATTRIBUTES + 63) / 64] = {0};
    tacit_status status = TACIT_OK;
    int32_t a;
    while (status == TACIT_OK && (a = next_down(counter->g, levels, refused)) >= 0) {
        const tacit__mingen_node *node = NULL;
        levels[a]--;
        status = try_node(&node, found, counter, levels, root, err);
        if (status == TACIT_OK && node->feasible && node->cost < cost) {
            cost = node->cost;
            continue;
        }
        levels[a]++;
        tacit__bit_set(refused, a);
    }
    return status;
}

/* Looks around the best node for a better one. */
static tacit_status polish_best(tacit__mingen_found *found, tacit__counter *counter,
                                tacit__list *root, tacit_error *err)
{
    const tacit__mingen *g = counter->g;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; status == TACIT_OK && a < g->frame->attribute_count; a++) {
        const tacit__mingen_node *node = NULL, *best = found->best;
        memcpy(levels, best->levels, (size_t)g->frame->attribute_count);
        if (levels[a] == g->high[a])
            continue;
        levels[a]++;
        status = try_node(&node, found, counter, levels, root, err);
        if (status == TACIT_OK && node->feasible)
            status = descend(found, counter, levels, node->cost, root, err);
        if (found->best != best)
            a = -1; /* from the new one, all over again */
    }
    return status;
}

static tacit_status make_root(tacit__list **root, tacit__counter *counter, tacit_error *err)
{
    bool worth = false;
    tacit_status status = tacit__is_worth_listing(&worth, counter->g, counter->g->low, err);
    tacit__job job = {.levels = counter->g->low, .keep = true};
    if (status == TACIT_OK && worth)
        status = tacit__count_nodes(counter, &job, 1, err);
    if (status == TACIT_OK)
        *root = job.list;
    return status;
}

tacit_status tacit__mingen_start(tacit__mingen_found *found, tacit__list **root,
                                 tacit__counter *counter, tacit_error *err)
{
    const tacit__mingen_node *top = NULL;
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    int32_t guess = 0;
    chain c = {0};
    tacit_status status = make_root(root, counter, err);
    if (status == TACIT_OK)
        status = try_node(&top, found, counter, counter->g->high, *root, err);
    if (status == TACIT_OK)
        status = chain_init(&c, &guess, counter->g, err);
    if (status == TACIT_OK)
        status = climb(found, counter, *root, &c, guess, err);
    if (status == TACIT_OK && found->best) {
        memcpy(levels, found->best->levels, (size_t)counter->g->frame->attribute_count);
        status = descend(found, counter, levels, found->best->cost, *root, err);
    }
    tacit__free(c.steps);
    return status;
}

/* Nodes after which the best so far is polished, and again when they have doubled. */
enum { FIRST_POLISH = 1 << 10 };

typedef struct search {
    tacit__yard yard;
    const tacit__mingen *g;
    tacit__mingen_found *found;
    tacit__box **heap;
    size_t heap_count, heap_capacity;
    tacit__box **stack; /* boxes that found no room in the heap */
    size_t stack_count, stack_capacity;
    double least;   /* what a feasible node could cost at best */
    int64_t polish; /* nodes at which the best so far is polished */
    tacit__box *batch[TACIT__BATCH];
    int batch_count;
} search;

/* Whether no node from low upward can be a better answer than the best so far, given
 * what they cost at least. */
static bool is_hopeless(const search *s, double bound, const uint8_t *low)
{
    const tacit__mingen_node *best = s->found->best;
    int32_t width = s->g->frame->attribute_count;
    if (!best)
        return false;
    if (bound != best->cost || s->g->options->prefer == TACIT_PREFER_DISTINCT)
        return bound > best->cost;
    int order = memcmp(low, best->levels, (size_t)width);
    if (s->g->options->prefer == TACIT_PREFER_ORDER)
        return order >= 0;
    int levels = sum_of(low, width) - sum_of(best->levels, width);
    return levels > 0 || (levels == 0 && order == 0);
}

/* ---- open boxes ---- */

static bool comes_first(const void *left, const void *right)
{
    const tacit__box *a = *(tacit__box *const *)left, *b = *(tacit__box *const *)right;
    return a->bound != b->bound ? a->bound < b->bound : a->age < b->age;
}

/* Takes the box, which is freed if there is no memory. */
static tacit_status push(search *s, tacit__box *box, tacit_error *err)
{
    bool full = s->heap_count >= s->yard.counter->max_boxes;
    bool room = full ? TACIT__RESERVE_ONE(s->stack, s->stack_capacity, s->stack_count)
                     : TACIT__RESERVE_ONE(s->heap, s->heap_capacity, s->heap_count);
    if (!room) {
        tacit__box_free(&s->yard, box);
        return tacit__nomem(err);
    }
    if (full)
        s->stack[s->stack_count++] = box;
    else
        tacit__heap_push(s->heap, &s->heap_count, &box, sizeof box, comes_first);
    return TACIT_OK;
}

static tacit__box *pop_heap(search *s)
{
    tacit__box *first;
    tacit__heap_pop(&first, s->heap, &s->heap_count, sizeof first, comes_first);
    return first;
}

/* The next box, or NULL. */
static tacit__box *pop(search *s)
{
    if (s->stack_count > 0)
        return s->stack[--s->stack_count];
    return s->heap_count > 0 ? pop_heap(s) : NULL;
}

/* The least that a node of an open box can cost. */
static double open_bound(const search *s)
{
    double bound = s->heap_count > 0 ? s->heap[0]->bound : INFINITY;
    for (size_t i = 0; i < s->stack_count; i++)
        bound = fmin(bound, s->stack[i]->bound);
    for (int i = 0; i < s->batch_count; i++)
        bound = fmin(bound, s->batch[i]->bound);
    return bound;
}

/* ---- a box ---- */

/* Takes away the highest levels that no better node can have. */
static void tighten(const search *s, tacit__box *box)
{
    const tacit__prices *p = &s->g->prices;
    uint8_t raised[TACIT_MAX_ATTRIBUTES];
    double terms = 0;
    memcpy(raised, box->low, (size_t)p->attributes);
    for (int32_t a = 0; a < p->attributes; a++)
        terms += tacit__bound_term(p, box->ceiling, a, box->low[a]);
    for (int32_t a = 0; a < p->attributes; a++) {
        double others = terms - tacit__bound_term(p, box->ceiling, a, box->low[a]);
        for (; box->high[a] > box->low[a]; box->high[a]--) {
            raised[a] = box->high[a];
            double known = tacit__bound_known(p, &s->g->ladders, raised, NULL);
            double all = others + tacit__bound_term(p, box->ceiling, a, raised[a]);
            double bound = tacit__bound(p, all, fmax(known, box->known), box->ceiling);
            if (!is_hopeless(s, bound, raised))
                break;
        }
        raised[a] = box->low[a];
    }
}

static void consider(search *s, const tacit__mingen_node *node)
{
    if (!node->feasible)
        return;
    s->least = fmin(s->least, node->least);
    if (is_better(node, s->found->best, s->g))
        s->found->best = node;
}

/* Cuts the box and keeps the parts that may hold a better node. */
static tacit_status divide(search *s, tacit__box *box, tacit_error *err)
{
    tacit__box *lower = NULL;
    tacit_status status = tacit__box_split(&lower, &s->yard, box, err);
    if (status == TACIT_OK)
        status = push(s, lower, err);
    if (status == TACIT_OK && !is_hopeless(s, box->bound, box->low))
        return push(s, box, err);
    tacit__box_free(&s->yard, box);
    return status;
}

/* Whether every node below this one is infeasible too. Bounds on the whole release that are not
 * monotone say nothing of other nodes (records/models/risks.h). */
static bool rules_out_below(const tacit__mingen_node *node, const tacit__mingen *g)
{
    bool exact = !tacit_risk_bounds_any(&g->frame->risks) || tacit__risks_monotone(g->frame);
    return node->doomed || node->outliers > g->limit || (g->limit == 0 && !node->feasible && exact);
}

/* Goes on with a box whose highest node is now known. */
static tacit_status settle(search *s, tacit__box *box, const tacit__mingen_node *high,
                           tacit_error *err)
{
    consider(s, high);
    box->ceiling = high;
    bool done = rules_out_below(high, s->g) || tacit__box_is_single(&s->yard, box);
    if (!done)
        tacit__box_rate(&s->yard, box, NULL);
    if (!done && !is_hopeless(s, box->bound, box->low))
        return divide(s, box, err);
    tacit__box_free(&s->yard, box);
    return TACIT_OK;
}

/* ---- a batch ---- */

/* Fills the batch with boxes whose highest node has to be counted. */
static tacit_status gather(search *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__box *box;
    while (status == TACIT_OK && s->batch_count < TACIT__BATCH && (box = pop(s))) {
        if (is_hopeless(s, box->bound, box->low)) {
            tacit__box_free(&s->yard, box);
            continue;
        }
        tighten(s, box);
        const tacit__mingen_node *high = tacit__node_find(s->yard.counter, box->high);
        if (high)
            status = settle(s, box, high, err);
        else
            s->batch[s->batch_count++] = box;
    }
    return status;
}

/* Counts lowest nodes for their lists, and does away with boxes that these decide. */
static tacit_status look_below(search *s, tacit_error *err)
{
    const tacit__mingen_node *nodes[TACIT__BATCH];
    int left = 0;
    tacit_status status = tacit__box_source(&s->yard, s->batch, nodes, s->batch_count, err);
    if (status != TACIT_OK)
        return status;
    for (int i = 0; i < s->batch_count; i++) {
        tacit__box *box = s->batch[i];
        if (nodes[i]) {
            consider(s, nodes[i]);
            tacit__box_rate(&s->yard, box, nodes[i]);
        }
        bool best = nodes[i] && nodes[i]->feasible && nodes[i]->suppressed == 0;
        if (best || is_hopeless(s, box->bound, box->low))
            tacit__box_free(&s->yard, box);
        else
            s->batch[left++] = box;
    }
    s->batch_count = left;
    return TACIT_OK;
}

static tacit_status look_above(search *s, tacit_error *err)
{
    const tacit__mingen_node *nodes[TACIT__BATCH];
    int count = s->batch_count;
    tacit_status status = tacit__box_count(&s->yard, s->batch, nodes, count, err);
    if (status != TACIT_OK)
        return status;
    s->batch_count = 0;
    for (int i = 0; i < count; i++) {
        if (status == TACIT_OK)
            status = settle(s, s->batch[i], nodes[i], err);
        else
            tacit__box_free(&s->yard, s->batch[i]);
    }
    return status;
}

static tacit_status polish(search *s, tacit__list *root, tacit_error *err)
{
    if (!s->found->best || s->yard.counter->checked < s->polish)
        return TACIT_OK;
    tacit_status status = polish_best(s->found, s->yard.counter, root, err);
    s->least = fmin(s->least, s->found->best->least);
    s->polish = 2 * s->yard.counter->checked;
    return status;
}

/* Nodes that are neither the best nor a box's ceiling are of no more use. */
static void forget(search *s)
{
    tacit__counter *counter = s->yard.counter;
    if (!tacit__counter_is_full(counter))
        return;
    tacit__node_mark(counter, s->found->best);
    tacit__node_mark(counter, tacit__node_find(counter, s->g->high));
    for (size_t i = 0; i < s->heap_count; i++)
        tacit__node_mark(counter, s->heap[i]->ceiling);
    for (size_t i = 0; i < s->stack_count; i++)
        tacit__node_mark(counter, s->stack[i]->ceiling);
    tacit__counter_forget(counter);
}

static tacit_status work(search *s, tacit__list *root, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && (s->heap_count > 0 || s->stack_count > 0)) {
        status = tacit__progress(s->g->run, "searching", s->yard.counter->checked, 0, err);
        if (status == TACIT_OK)
            status = gather(s, err);
        if (status == TACIT_OK)
            status = look_below(s, err);
        if (status == TACIT_OK)
            status = look_above(s, err);
        if (status == TACIT_OK)
            status = polish(s, root, err);
        if (status == TACIT_OK)
            forget(s);
    }
    return status;
}

static void search_clear(search *s)
{
    tacit__box *box;
    while ((box = pop(s)))
        tacit__box_free(&s->yard, box);
    for (int i = 0; i < s->batch_count; i++)
        tacit__box_free(&s->yard, s->batch[i]);
    tacit__free(s->heap);
    tacit__free(s->stack);
}

tacit_status tacit__mingen_search(tacit__mingen_found *found, tacit__counter *counter,
                                  tacit__list *root, tacit_error *err)
{
    search s = {
        .yard = {.counter = counter}, .g = counter->g, .found = found, .polish = FIRST_POLISH};
    const tacit__mingen_node *top = tacit__node_find(counter, counter->g->high);
    tacit__box *first = NULL;
    s.least = found->best ? found->best->least : INFINITY;
    tacit_status status = tacit__box_first(&first, &s.yard, root, top, err);
    if (status == TACIT_OK)
        status = push(&s, first, err);
    if (status == TACIT_OK)
        status = work(&s, root, err);
    found->bound = fmin(s.least, open_bound(&s));
    if (found->best)
        found->bound = fmin(found->bound, found->best->cost);
    search_clear(&s);
    return status;
}

typedef struct listing {
    tacit__yard yard;
    const tacit__mingen *g;
    tacit__box **stack;
    size_t count, capacity;
    const tacit__mingen_node **found;
    size_t found_count, found_capacity;
    tacit__box *batch[TACIT__BATCH];
    int batch_count;
} listing;

static bool lies_above(const uint8_t *levels, const tacit__mingen_node *node, int32_t width)
{
    for (int32_t a = 0; a < width; a++)
        if (levels[a] < node->levels[a])
            return false;
    return true;
}

static bool is_above_found(const listing *l, const uint8_t *levels)
{
    for (size_t i = 0; i < l->found_count; i++)
        if (lies_above(levels, l->found[i], l->g->frame->attribute_count))
            return true;
    return false;
}

static tacit_status listing_push(listing *l, tacit__box *box, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(l->stack, l->capacity, l->count)) {
        tacit__box_free(&l->yard, box);
        return tacit__nomem(err);
    }
    l->stack[l->count++] = box;
    return TACIT_OK;
}

static tacit_status note(listing *l, const tacit__mingen_node *node, tacit_error *err)
{
    return TACIT__PUSH(l->found, l->found_capacity, l->found_count, node) ? TACIT_OK
                                                                          : tacit__nomem(err);
}

/* Goes on with a box that is not ruled out; low is NULL where it is not known. */
static tacit_status listing_settle(listing *l, tacit__box *box, const tacit__mingen_node *low,
                                   tacit_error *err)
{
    tacit__box *lower = NULL;
    tacit_status status = TACIT_OK;
    if (low && low->feasible && !is_above_found(l, low->levels))
        status = note(l, low, err);
    if (status == TACIT_OK && !(low && low->feasible) && !tacit__box_is_single(&l->yard, box))
        status = tacit__box_split(&lower, &l->yard, box, err);
    if (!lower) {
        tacit__box_free(&l->yard, box);
        return status;
    }
    status = listing_push(l, box, err);
    if (status == TACIT_OK)
        return listing_push(l, lower, err);
    tacit__box_free(&l->yard, lower);
    return status;
}

static void listing_gather(listing *l)
{
    while (l->batch_count < TACIT__BATCH && l->count > 0) {
        tacit__box *box = l->stack[--l->count];
        if (is_above_found(l, box->low))
            tacit__box_free(&l->yard, box);
        else
            l->batch[l->batch_count++] = box;
    }
}

/* Counts highest nodes, but for those that rule nothing out, and drops the boxes that
 * are ruled out. */
static tacit_status listing_look_above(listing *l, tacit_error *err)
{
    tacit__box *boxes[TACIT__BATCH];
    const tacit__mingen_node *nodes[TACIT__BATCH];
    int count = 0, left = 0;
    for (int i = 0; i < l->batch_count; i++)
        if (!is_above_found(l, l->batch[i]->high))
            boxes[count++] = l->batch[i];
    tacit_status status = tacit__box_count(&l->yard, boxes, nodes, count, err);
    if (status != TACIT_OK)
        return status;
    for (int i = 0, next = 0; i < l->batch_count; i++) {
        tacit__box *box = l->batch[i];
        bool counted = next < count && boxes[next] == box;
        if (counted)
            box->ceiling = nodes[next++];
        if (counted && rules_out_below(box->ceiling, l->g))
            tacit__box_free(&l->yard, box);
        else
            l->batch[left++] = box;
    }
    l->batch_count = left;
    return TACIT_OK;
}

/* Takes notice of lowest nodes that are known, and cuts the boxes. */
static tacit_status listing_look_below(listing *l, tacit_error *err)
{
    const tacit__mingen_node *low[TACIT__BATCH];
    int count = l->batch_count;
    tacit_status status = tacit__box_source(&l->yard, l->batch, low, count, err);
    if (status != TACIT_OK)
        return status;
    l->batch_count = 0;
    for (int i = count - 1; i >= 0; i--) { /* the first shall be on top again */
        if (status == TACIT_OK)
            status = listing_settle(l, l->batch[i], low[i], err);
        else
            tacit__box_free(&l->yard, l->batch[i]);
    }
    return status;
}

/* Nodes that are neither found nor a box's ceiling are of no more use; the best node is
 * the search's. */
static void listing_forget(listing *l, const tacit__mingen_node *best)
{
    tacit__counter *counter = l->yard.counter;
    if (!tacit__counter_is_full(counter))
        return;
    tacit__node_mark(counter, best);
    for (size_t i = 0; i < l->count; i++)
        tacit__node_mark(counter, l->stack[i]->ceiling);
    for (size_t i = 0; i < l->found_count; i++)
        tacit__node_mark(counter, l->found[i]);
    tacit__counter_forget(counter);
}

static tacit_status listing_work(listing *l, const tacit__mingen_node *best, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && l->count > 0) {
        status = tacit__progress(l->g->run, "listing", l->yard.counter->checked, 0, err);
        if (status == TACIT_OK) {
            listing_gather(l);
            status = listing_look_above(l, err);
        }
        if (status == TACIT_OK)
            status = listing_look_below(l, err);
        if (status == TACIT_OK)
            listing_forget(l, best);
    }
    return status;
}

static int ascending(const void *a, const void *b, void *width)
{
    const tacit__mingen_node *const *x = a, *const *y = b;
    return memcmp((*x)->levels, (*y)->levels, (size_t) * (int32_t *)width);
}

/* A node above another comes behind it in the order of levels. */
static void leave_out_upper(listing *l)
{
    int32_t width = l->g->frame->attribute_count;
    size_t all = l->found_count;
    qsort_r(l->found, all, sizeof *l->found, ascending, &width);
    l->found_count = 0;
    for (size_t i = 0; i < all; i++)
        if (!is_above_found(l, l->found[i]->levels))
            l->found[l->found_count++] = l->found[i];
}

static void listing_clear(listing *l)
{
    while (l->count > 0)
        tacit__box_free(&l->yard, l->stack[--l->count]);
    for (int i = 0; i < l->batch_count; i++)
        tacit__box_free(&l->yard, l->batch[i]);
    tacit__free(l->stack);
    tacit__free(l->found);
}

tacit_status tacit__mingen_minimal(tacit__minimal *out, const tacit__mingen_node *best,
                                   tacit__counter *counter, tacit__list *root, tacit_error *err)
{
    listing l = {.yard = {.counter = counter}, .g = counter->g};
    tacit__box *first = NULL;
    const tacit__mingen_node *top = tacit__node_find(counter, counter->g->high);
    tacit_status status = tacit__box_first(&first, &l.yard, root, top, err);
    if (status == TACIT_OK)
        status = listing_push(&l, first, err);
    if (status == TACIT_OK)
        status = listing_work(&l, best, err);
    if (status == TACIT_OK && l.found_count > 0) {
        leave_out_upper(&l);
        *out = (tacit__minimal){l.found, (int64_t)l.found_count};
        l.found = NULL;
    }
    listing_clear(&l);
    return status;
}
