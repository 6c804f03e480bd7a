/*
 * start.c - a good node to begin with, so that the search has something to
 * compare bounds with.
 *
 * First a chain of nodes is laid from the lowest to the top, as Datafly climbs: the
 * attribute with the most values goes up next. The lowest node of the chain that will
 * do is looked for in strides and by bisection, starting where classes could hold k
 * rows on average. From there it goes down again, one attribute at a time by one level,
 * the one first that saves the most, for as long as that makes the release better.
 *
 * A search that takes long polishes the best node now and then: it raises one attribute
 * and goes down again from there, by whatever attributes that allows.
 *
 * Costs a counting for each stride, and one for each step down or step refused.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/strides.h"
#include "records/mingen/search.h"

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
    if (job.node->feasible && tacit__node_before(job.node, found->best, counter->g))
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
static int32_t next_down(const tacit__mingen *g, const uint8_t *levels, uint64_t refused)
{
    int32_t best = -1;
    double most = -1;
    for (int32_t a = 0; a < g->frame->attribute_count; a++) {
        if (levels[a] == g->low[a] || refused >> a & 1)
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
    uint64_t refused = 0;
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
        refused |= UINT64_C(1) << a;
    }
    return status;
}

tacit_status tacit__mingen_polish(tacit__mingen_found *found, tacit__counter *counter,
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
