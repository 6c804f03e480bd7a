/*
 * search.c - the best node of the lattice by branch and bound over boxes
 * (box.c), the box of the lowest bound first.
 *
 * A box is first tightened: levels of its highest node that no node better than the
 * best so far can have are taken away. Then the highest node is counted. If even that
 * one has too many outliers, so has every node of the box, and all of it is done with.
 * Otherwise the node is a candidate itself; its outliers raise the bound of the box
 * (price.c), and what may still hold a better node is cut in two. A lowest node
 * that was counted and keeps k without suppression is the best of its box, whatever the
 * metric and the preference.
 *
 * What is never assumed: that a node above a feasible one is feasible. Complementary
 * suppression, and models beyond k, can take more rows there. Only without suppression
 * does one hold, and a node that breaks a model then rules out those below.
 *
 * Boxes are worked on in batches whose size is fixed, and what is learned is taken in
 * in the order of the batch, so that the search and its number of nodes are the same
 * for any number of threads. When boxes become too many, those at hand are finished
 * first, depth before bound, and memory grows no further.
 */
#include "records/mingen/search.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/vector.h"

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

static int sum_of(const uint8_t *levels, int32_t count)
{
    int sum = 0;
    for (int32_t a = 0; a < count; a++)
        sum += levels[a];
    return sum;
}

bool tacit__node_before(const tacit__mingen_node *a, const tacit__mingen_node *b,
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
    bool full = s->heap_count >= s->yard.counter->most_boxes;
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
    if (tacit__node_before(node, s->found->best, s->g))
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

/* Goes on with a box whose highest node is now known. */
static tacit_status settle(search *s, tacit__box *box, const tacit__mingen_node *high,
                           tacit_error *err)
{
    consider(s, high);
    box->ceiling = high;
    bool done = tacit__node_rules_out(high, s->g) || tacit__box_is_single(&s->yard, box);
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
    tacit_status status = tacit__box_list(&s->yard, s->batch, nodes, s->batch_count, err);
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
    tacit_status status = tacit__mingen_polish(s->found, s->yard.counter, root, err);
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
