/*
 * box.c - how the lattice is cut into boxes, and what the nodes of a box are
 * counted from.
 *
 * A box is cut through one attribute: the lower part has it on its lowest level,
 * where the highest node is likely to have too many outliers, which does away with
 * all of it; the upper part has it higher, which raises its bound. The attribute is
 * the one for which the product of the two is largest: how much the bound rises, and
 * the logarithm of how many values become one.
 *
 * Every node of a box can be rolled up from its lowest node. That one is counted, and
 * its list kept for the boxes cut from this one, when it promises to be several times
 * shorter than the list at hand. So lists shrink as boxes do, and no box goes back to
 * the rows: these are counted only while lists would be as long as the table. Lists
 * together stay within a budget; beyond it boxes do with the longer list they have.
 */
#include "records/mingen/search.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* How many times shorter a list must promise to be, and rows to find out by. */
enum { SHORTER = 8, SHORTER_THAN_ROWS = 4, SAMPLE = 1 << 15 };

static const size_t LIST_BYTES = (size_t)64 << 20;

static size_t width_of(const tacit__yard *yard)
{
    return (size_t)yard->counter->g->frame->attribute_count;
}

static tacit__box *box_new(tacit__yard *yard)
{
    tacit__box *box = tacit__alloc_zeroed(1, sizeof *box + 2 * width_of(yard));
    if (!box)
        return NULL;
    box->high = box->low + width_of(yard);
    box->age = yard->made++;
    return box;
}

tacit_status tacit__box_first(tacit__box **out, tacit__yard *yard, tacit__list *root,
                              const tacit__mingen_node *top, tacit_error *err)
{
    const tacit__mingen *g = yard->counter->g;
    tacit__box *box = box_new(yard);
    if (!box)
        return tacit__nomem(err);
    box->bound = -INFINITY;
    box->known = -INFINITY;
    box->ceiling = top;
    box->source = tacit__list_hold(root);
    memcpy(box->low, g->low, width_of(yard));
    memcpy(box->high, g->high, width_of(yard));
    tacit__box_rate(yard, box, NULL);
    *out = box;
    return TACIT_OK;
}

static void let_go(tacit__yard *yard, tacit__list *list)
{
    if (list && list->holders == 1)
        yard->bytes -= tacit__list_bytes(list);
    tacit__list_release(list);
}

void tacit__box_free(tacit__yard *yard, tacit__box *box)
{
    if (!box)
        return;
    let_go(yard, box->source);
    tacit__free(box);
}

bool tacit__box_is_single(const tacit__yard *yard, const tacit__box *box)
{
    return memcmp(box->low, box->high, width_of(yard)) == 0;
}

void tacit__box_rate(const tacit__yard *yard, tacit__box *box, const tacit__mingen_node *low)
{
    const tacit__mingen *g = yard->counter->g;
    double terms = 0, known = tacit__bound_known(&g->prices, &g->ladders, box->low, low);
    for (int32_t a = 0; a < g->prices.attributes; a++)
        terms += tacit__bound_term(&g->prices, box->ceiling, a, box->low[a]);
    box->known = fmax(box->known, known);
    box->bound = fmax(box->bound, tacit__bound(&g->prices, terms, box->known, box->ceiling));
}

/* The attribute to cut through; -1 if the box is a single node. */
static int32_t choose(const tacit__yard *yard, const tacit__box *box)
{
    const tacit__mingen *g = yard->counter->g;
    int32_t best = -1;
    double most = -1;
    for (int32_t a = 0; a < g->prices.attributes; a++) {
        int low = box->low[a], high = box->high[a];
        if (low == high)
            continue;
        double rise = tacit__bound_term(&g->prices, box->ceiling, a, low + 1) -
                      tacit__bound_term(&g->prices, box->ceiling, a, low);
        double joined = log((double)g->ladders.values[a][low] / g->ladders.values[a][high]);
        if (rise * joined > most) {
            most = rise * joined;
            best = a;
        }
    }
    return best;
}

tacit_status tacit__box_split(tacit__box **lower, tacit__yard *yard, tacit__box *box,
                              tacit_error *err)
{
    int32_t a = choose(yard, box);
    tacit__box *part = box_new(yard);
    if (!part)
        return tacit__nomem(err);
    part->bound = box->bound;
    part->known = box->known;
    part->ceiling = box->ceiling;
    part->source = tacit__list_hold(box->source);
    memcpy(part->low, box->low, 2 * width_of(yard));
    part->high[a] = box->low[a];
    box->low[a]++;
    box->age = yard->made++;
    tacit__box_rate(yard, box, NULL);
    *lower = part;
    return TACIT_OK;
}

tacit_status tacit__is_worth_listing(bool *worth, const tacit__mingen *g, const uint8_t *levels,
                                     tacit_error *err)
{
    tacit__list sample = {0};
    *worth = g->rows <= TACIT__LONG_LIST ||
             tacit__combinations(&g->ladders, levels) * SHORTER_THAN_ROWS <= (double)g->rows;
    if (*worth)
        return TACIT_OK;
    tacit_status status = tacit__list_rows(&sample, &g->ladders, levels, SAMPLE, g->run, err);
    *worth = status == TACIT_OK && sample.count * SHORTER_THAN_ROWS <= SAMPLE;
    tacit__list_clear(&sample);
    return status;
}

static tacit_status wants_list(bool *wants, const tacit__yard *yard, const tacit__box *box,
                               tacit_error *err)
{
    const tacit__mingen *g = yard->counter->g;
    *wants = false;
    if (tacit__box_is_single(yard, box))
        return TACIT_OK;
    if (!box->source)
        return tacit__is_worth_listing(wants, g, box->low, err);
    double here = tacit__combinations(&g->ladders, box->low);
    double there = tacit__combinations(&g->ladders, box->source->levels);
    bool room = yard->bytes < LIST_BYTES + 4 * (size_t)g->rows;
    *wants = room && here * (tacit__bound_needs_low(&g->prices) ? 1 : SHORTER) <= there &&
             memcmp(box->low, box->source->levels, width_of(yard)) != 0;
    return TACIT_OK;
}

static void take_list(tacit__yard *yard, tacit__box *box, tacit__list *list)
{
    let_go(yard, box->source);
    box->source = list;
    yard->bytes += tacit__list_bytes(list);
}

tacit_status tacit__box_list(tacit__yard *yard, tacit__box **boxes,
                             const tacit__mingen_node **nodes, int count, tacit_error *err)
{
    tacit__job jobs[TACIT__BATCH];
    int at[TACIT__BATCH], wanted = 0;
    for (int i = 0; i < count; i++) {
        bool list = false;
        tacit_status status = wants_list(&list, yard, boxes[i], err);
        if (status != TACIT_OK)
            return status;
        nodes[i] = tacit__node_find(yard->counter, boxes[i]->low);
        if (!list)
            continue;
        at[wanted] = i;
        jobs[wanted++] =
            (tacit__job){.levels = boxes[i]->low, .source = boxes[i]->source, .keep = true};
    }
    tacit_status status = tacit__count_nodes(yard->counter, jobs, wanted, err);
    for (int i = 0; status == TACIT_OK && i < wanted; i++) {
        nodes[at[i]] = jobs[i].node;
        take_list(yard, boxes[at[i]], jobs[i].list);
    }
    return status;
}

tacit_status tacit__box_count(tacit__yard *yard, tacit__box **boxes,
                              const tacit__mingen_node **nodes, int count, tacit_error *err)
{
    tacit__job jobs[TACIT__BATCH];
    for (int i = 0; i < count; i++)
        jobs[i] = (tacit__job){.levels = boxes[i]->high, .source = boxes[i]->source};
    tacit_status status = tacit__count_nodes(yard->counter, jobs, count, err);
    for (int i = 0; status == TACIT_OK && i < count; i++)
        nodes[i] = jobs[i].node;
    return status;
}
