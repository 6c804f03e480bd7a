/*
 * cover_start.c - donors to begin with: the best of a greedy by boxes, of grown
 * blanks and of whole rows.
 *
 * Where a column is used up and rows stay open, the greedy begins again with blanks there a
 * little dearer, a few times. Growing is for tables that have more sets of columns than can
 * be looked at. Whole rows, k - 1 of them, are the paper's bound (2.1): what is found
 * never costs more where limits allow them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/blanks/cover.h"

enum {
    ROUNDS = 16,        /* of the greedy while columns are used up */
    GROW_MOST = 1 << 28 /* classes looked at while blanks are grown */
};

static const double RISE = 1.1; /* of the price of blanks in a column that is used up */

static tacit_status remove_donors(tacit__covering *cover, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; status == TACIT_OK && i < cover->donor_count; i++)
        if (cover->donors[i].mask)
            status = tacit__covering_change(cover, i, 0, err);
    cover->cost = 0;
    cover->opened_count = 0;
    return status;
}

/* Dearer blanks where a column has no room left; whether there is one. */
static bool raise_prices(tacit__covering *cover)
{
    bool raised = false;
    for (int32_t c = 0; c < cover->tableau->columns; c++)
        if (cover->used[c] >= cover->tableau->most_column) {
            cover->price[c] *= RISE;
            cover->priced = raised = true;
        }
    return raised;
}

static tacit_status cover_once(tacit__covering *cover, double most, tacit_error *err)
{
    tacit__covering_queue queue = {0};
    tacit_status status = TACIT_OK;
    for (uint32_t b = 0; status == TACIT_OK && b < cover->boxes; b++)
        status = tacit__covering_offer(&queue, cover, b, err);
    if (status == TACIT_OK)
        status = tacit__covering_greedy(cover, &queue, most, err);
    tacit__free(queue.offers);
    return status;
}

/* Boxes, but for where they cost more than `most`. */
static tacit_status cover_boxes(tacit__covering *cover, double most, tacit_error *err)
{
    tacit_status status = cover_once(cover, most, err);
    for (int i = 1; status == TACIT_OK && i < ROUNDS && cover->open > 0 && raise_prices(cover);
         i++) {
        status = remove_donors(cover, err);
        if (status == TACIT_OK)
            status = cover_once(cover, most, err);
    }
    return status == TACIT_OK ? tacit__covering_fill_all(cover, err) : status;
}

/* Donors that are put aside while others are tried. */
typedef struct saved_start {
    tacit__donor *donors;
    uint32_t count;
    double cost;
    int64_t open;
} saved_start;

static tacit_status save_start(saved_start *s, const tacit__covering *cover, tacit_error *err)
{
    *s = (saved_start){.count = cover->donor_count, .cost = cover->cost, .open = cover->open};
    s->donors = tacit__alloc_array(s->count, sizeof *s->donors);
    if (!s->donors)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < s->count; i++)
        s->donors[i] = cover->donors[i];
    return TACIT_OK;
}

static tacit_status restore_start(tacit__covering *cover, const saved_start *s, tacit_error *err)
{
    tacit_status status = remove_donors(cover, err);
    for (uint32_t i = 0; status == TACIT_OK && i < s->count; i++)
        if (s->donors[i].mask)
            status = tacit__covering_add(cover, s->donors[i].class_index, s->donors[i].proxy,
                                         s->donors[i].mask, err);
    return status;
}

/* Grown donors instead, where they are better and cost no more than `most`. */
static tacit_status try_growing(tacit__covering *cover, double most, tacit_error *err)
{
    saved_start boxes;
    tacit_status status = save_start(&boxes, cover, err);
    if (status == TACIT_OK)
        status = remove_donors(cover, err);
    if (status == TACIT_OK)
        status = tacit__covering_grow(cover, GROW_MOST, boxes.open > 0 ? most : boxes.cost, err);
    if (status == TACIT_OK)
        status = tacit__covering_fill_all(cover, err);
    if (status == TACIT_OK &&
        (cover->open > boxes.open || (cover->open == boxes.open && cover->cost >= boxes.cost)))
        status = restore_start(cover, &boxes, err);
    tacit__free(boxes.donors);
    return status;
}

/* A class and what its rows cost as a whole. */
typedef struct whole {
    double cost;
    uint32_t class_index;
} whole;

static int by_cost(const void *a, const void *b)
{
    const whole *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

/* All classes, the cheapest first. */
static tacit_status order_wholes(whole **out, const tacit__tableau *t, tacit_error *err)
{
    uint64_t all = UINT64_MAX >> (64 - t->columns);
    whole *classes = tacit__alloc_array((size_t)t->classes, sizeof *classes);
    if (!classes)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < t->classes; i++)
        classes[i] = (whole){.cost = tacit__tableau_cost(t, i, all), .class_index = i};
    if (!t->unit)
        qsort(classes, (size_t)t->classes, sizeof *classes, by_cost);
    *out = classes;
    return TACIT_OK;
}

/* What the k - 1 cheapest rows cost; makes them donors where there is a cover. */
static double take_wholes(tacit__covering *cover, const tacit__tableau *t, const whole *classes,
                          tacit_status *status, tacit_error *err)
{
    uint64_t all = UINT64_MAX >> (64 - t->columns);
    double cost = 0;
    int64_t left = t->k - 1;
    for (const whole *w = classes; left > 0 && *status == TACIT_OK; w++)
        for (int64_t i = 0; i < t->counts[w->class_index] && left > 0 && *status == TACIT_OK;
             i++, left--) {
            cost += w->cost;
            if (cover)
                *status = tacit__covering_add(cover, w->class_index, TACIT__NONE, all, err);
        }
    return cost;
}

/* Whole rows instead, where they are better. */
static tacit_status try_whole(tacit__covering *cover, const whole *classes, double cost,
                              tacit_error *err)
{
    if (!classes || (cover->open == 0 && cover->cost <= cost))
        return TACIT_OK;
    tacit_status status = remove_donors(cover, err);
    if (status == TACIT_OK)
        take_wholes(cover, cover->tableau, classes, &status, err);
    return status == TACIT_OK ? tacit__covering_fill_all(cover, err) : status;
}

tacit_status tacit__covering_start(tacit__covering *cover, tacit_error *err)
{
    const tacit__tableau *t = cover->tableau;
    whole *classes = NULL;
    double most = HUGE_VAL;
    tacit_status status = TACIT_OK;
    if (tacit__covering_whole(t)) {
        status = order_wholes(&classes, t, err);
        if (status == TACIT_OK)
            most = take_wholes(NULL, t, classes, &status, err);
    }
    if (status == TACIT_OK)
        status = cover_boxes(cover, most, err);
    if (status == TACIT_OK && !cover->complete)
        status = try_growing(cover, most, err);
    if (status == TACIT_OK)
        status = try_whole(cover, classes, most, err);
    tacit__free(classes);
    return status;
}
