/*
 * minimal.c - all k-minimal generalizations: nodes that will do while no node
 * below them will (Computational Disclosure Control, 5.3).
 *
 * Boxes are cut as in the search for the best node, but no metric does away with any.
 * A box is done with if its highest node rules out those below; if its lowest node will
 * do, since it then lies below all others; or if that lies above a node found before.
 * Lower parts come first, so that what is found does away with as much as it can. A
 * highest node above one that was found rules nothing out and need not be counted. In
 * the end nodes that lie above others are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/mingen/search.h"

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

static tacit_status push(listing *l, tacit__box *box, tacit_error *err)
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
static tacit_status settle(listing *l, tacit__box *box, const tacit__mingen_node *low,
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
    status = push(l, box, err);
    if (status == TACIT_OK)
        return push(l, lower, err);
    tacit__box_free(&l->yard, lower);
    return status;
}

static void gather(listing *l)
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
static tacit_status look_above(listing *l, tacit_error *err)
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
        if (counted && tacit__node_rules_out(box->ceiling, l->g))
            tacit__box_free(&l->yard, box);
        else
            l->batch[left++] = box;
    }
    l->batch_count = left;
    return TACIT_OK;
}

/* Takes notice of lowest nodes that are known, and cuts the boxes. */
static tacit_status look_below(listing *l, tacit_error *err)
{
    const tacit__mingen_node *low[TACIT__BATCH];
    int count = l->batch_count;
    tacit_status status = tacit__box_list(&l->yard, l->batch, low, count, err);
    if (status != TACIT_OK)
        return status;
    l->batch_count = 0;
    for (int i = count - 1; i >= 0; i--) { /* the first shall be on top again */
        if (status == TACIT_OK)
            status = settle(l, l->batch[i], low[i], err);
        else
            tacit__box_free(&l->yard, l->batch[i]);
    }
    return status;
}

/* Nodes that are neither found nor a box's ceiling are of no more use; the best node is
 * the search's. */
static void forget(listing *l, const tacit__mingen_node *best)
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

static tacit_status work(listing *l, const tacit__mingen_node *best, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && l->count > 0) {
        status = tacit__progress(l->g->run, "listing", l->yard.counter->checked, 0, err);
        if (status == TACIT_OK) {
            gather(l);
            status = look_above(l, err);
        }
        if (status == TACIT_OK)
            status = look_below(l, err);
        if (status == TACIT_OK)
            forget(l, best);
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
        status = push(&l, first, err);
    if (status == TACIT_OK)
        status = work(&l, best, err);
    if (status == TACIT_OK && l.found_count > 0) {
        leave_out_upper(&l);
        *out = (tacit__minimal){l.found, (int64_t)l.found_count};
        l.found = NULL;
    }
    listing_clear(&l);
    return status;
}
