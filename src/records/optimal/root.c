/*
 * root.c - the linear program over all clusters, and the first bound.
 *
 * Clusters are far too many to be written down: the program has those that were worth
 * opening at some prices, and ends when no cluster is worth opening at the last ones
 * (price.c). Then triples that its solution breaks are added, and so on until
 * they no longer help. Without triples this is the relaxation of the location problem of which the
 * method's description speaks: a box is used by as much as its clusters are.
 *
 * The bound does not rest on the program being solved to the end: if no cluster is worth more
 * than w at its prices, a layout costs at least the program's bound less w for each of the
 * clusters it can have.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/optimal/optimal.h"

enum { ROOT_COLUMNS = 200, USES = 12, ROOT_CUT_ROUNDS = 40, LAZY_ROUNDS = 3 };

static const double SHARE = 0.85; /* of the best prices known, where clusters are priced */
static const double LAZY = 2e-5;  /* a round of cuts that raises the bound by less, relatively */

/* Whether a cluster has somebody who is in few of those taken; counts it then. */
static bool serves(uint8_t *uses, const tacit__clusters *clusters, int64_t cluster)
{
    bool any = false;
    int64_t from = clusters->starts[cluster], to = clusters->starts[cluster + 1];
    for (int64_t i = from; i < to; i++)
        any |= uses[clusters->shares[i].class_index] < USES;
    for (int64_t i = from; any && i < to; i++)
        if (uses[clusters->shares[i].class_index] < USES)
            uses[clusters->shares[i].class_index]++;
    return any;
}

/* Adds the clusters worth most, so that everybody has a few. */
static tacit_status add_best(tacit__master *master, const tacit__pricing *priced, tacit_error *err)
{
    int64_t count = priced->found.count, added = 0;
    tacit__ranked_cluster *order = tacit__alloc_array((size_t)count, sizeof *order);
    uint8_t *uses = tacit__alloc_zeroed((size_t)master->prices.members, 1);
    tacit_status status = order && uses ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        order[i] = (tacit__ranked_cluster){priced->worth[i], i};
    if (status == TACIT_OK)
        tacit__rank_clusters(order, count);
    for (int64_t i = 0; status == TACIT_OK && i < count && added < ROOT_COLUMNS; i++)
        if (serves(uses, &priced->found, order[i].cluster)) {
            status = tacit__master_add(master, &priced->found, order[i].cluster, 1, err);
            added++;
        }
    tacit__free(order);
    tacit__free(uses);
    return status;
}

/* ---- prices that do not jump ---- */

/* The program's prices jump from one extreme to another before they settle; clusters are
 * priced between them and the best prices known (Wentges 1997). */
typedef struct market {
    tacit__duals center; /* the best so far, with the triples that were there then */
    double bound;        /* that they prove */
    tacit__duals mixed;
    tacit__pricing priced;
    double clusters; /* that a layout can have */
} market;

static void market_clear(market *m)
{
    tacit__duals_clear(&m->center);
    tacit__duals_clear(&m->mixed);
    tacit__pricing_clear(&m->priced);
}

/* Begins with what everybody costs at least: the cheapest box that he is in. */
static tacit_status market_init(market *m, const tacit__problem *problem, tacit_error *err)
{
    const tacit__closed *closed = &problem->closed;
    *m = (market){.bound = 0,
                  .clusters =
                      floor((double)problem->local->classes->rows / (double)problem->local->k)};
    tacit_status status = tacit__duals_init(&m->center, problem->group.count, err);
    if (status == TACIT_OK)
        status = tacit__duals_init(&m->mixed, problem->group.count, err);
    for (int32_t i = 0; status == TACIT_OK && i < m->center.members; i++)
        m->center.of[i] = INFINITY;
    for (int64_t b = 0; status == TACIT_OK && b < closed->count; b++)
        for (int64_t i = closed->starts[b]; i < closed->starts[b + 1]; i++) {
            double *least = &m->center.of[closed->members[i]];
            *least = fmin(*least, closed->costs[b]);
        }
    return status;
}

/* Gives one set of prices the triples of another. */
static tacit_status follow(tacit__duals *prices, const tacit__duals *with, tacit_error *err)
{
    return tacit__duals_add(prices, with->triples + prices->triple_count,
                            with->triple_count - prices->triple_count, err);
}

/* `share` of the center's prices, the rest of the program's. */
static tacit_status mix(market *m, const tacit__duals *prices, double share, tacit_error *err)
{
    tacit_status status = follow(&m->center, prices, err);
    if (status == TACIT_OK)
        status = follow(&m->mixed, prices, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < prices->members; i++)
        m->mixed.of[i] = share * m->center.of[i] + (1 - share) * prices->of[i];
    for (int32_t t = 0; t < prices->triple_count; t++)
        m->mixed.fines[t] = share * m->center.fines[t] + (1 - share) * prices->fines[t];
    tacit__duals_list(&m->mixed);
    return TACIT_OK;
}

/* What prices prove: their sum, less what clusters are worth. Where there are no fines, a
 * box needs one cluster at most. */
static double worth_of_market(const market *m, const tacit__local *local)
{
    double sum = 0, less = m->clusters * m->priced.most;
    for (int32_t i = 0; i < m->mixed.members; i++)
        sum += m->mixed.of[i] * local->people[i];
    for (int32_t t = 0; t < m->mixed.triple_count; t++)
        sum -= m->mixed.fines[t];
    if (m->mixed.triple_count == 0)
        less = fmin(less, m->priced.sum);
    return sum - less;
}

/* Prices all boxes between the center and the program; better prices are the new center. */
static tacit_status trade(market *m, tacit__quest *quest, const tacit__master *master, double share,
                          tacit_error *err)
{
    tacit_status status = mix(m, &master->prices, share, err);
    if (status == TACIT_OK)
        status = tacit__price_boxes(&m->priced, quest->problem, &m->mixed, err);
    if (status != TACIT_OK)
        return status;
    double bound = worth_of_market(m, quest->problem->local);
    tacit__quest_raise(quest, bound);
    if (bound <= m->bound)
        return TACIT_OK;
    m->bound = bound;
    memcpy(m->center.of, m->mixed.of, (size_t)m->mixed.members * sizeof *m->mixed.of);
    if (m->mixed.triple_count > 0)
        memcpy(m->center.fines, m->mixed.fines,
               (size_t)m->mixed.triple_count * sizeof *m->mixed.fines);
    return TACIT_OK;
}

/* Whether one of the clusters found is worth opening at the program's own prices. */
static bool any_worth(const market *m, tacit__master *master)
{
    for (int64_t c = 0; c < m->priced.found.count; c++)
        if (tacit__cluster_worth(&m->priced.found, c, &master->prices) > TACIT__CLUSTER_WORTH)
            return true;
    return false;
}

/* Solves the program with the triples that it has. */
static tacit_status converge_root(bool *solved, tacit__quest *quest, tacit__master *master,
                                  market *m, tacit_error *err)
{
    for (;;) {
        tacit_status status = tacit__quest_solve(solved, quest, master, err);
        if (status != TACIT_OK || !*solved)
            return status;
        status = trade(m, quest, master, SHARE, err);
        if (status == TACIT_OK && !any_worth(m, master)) {
            status = trade(m, quest, master, 0, err);
            if (status != TACIT_OK)
                return status; /* what boxes were not priced may be worth more */
            master->proven = master->bound - m->clusters * m->priced.most;
            tacit__quest_raise(quest, master->proven);
            if (m->priced.found.count == 0)
                return TACIT_OK;
        }
        if (status != TACIT_OK || quest->work > quest->limit)
            return status;
        status = add_best(master, &m->priced, err);
        if (status != TACIT_OK)
            return status;
    }
}

/* The clusters of the layout that is known, so that the program begins with a solution. */
static tacit_status add_layout(tacit__master *master, const tacit__quest *quest, tacit_error *err)
{
    const tacit__local_layout *layout = &quest->found->layout;
    tacit__clusters clusters = {0};
    tacit_status status = TACIT_OK;
    for (int64_t b = 0; status == TACIT_OK && b < layout->boxes; b++)
        status =
            tacit__clusters_add(&clusters, layout->shares + layout->starts[b],
                                layout->starts[b + 1] - layout->starts[b],
                                tacit__layout_cost(layout, quest->problem->local, b, b + 1), err);
    if (status == TACIT_OK)
        status = tacit__master_add(master, &clusters, 0, clusters.count, err);
    tacit__clusters_clear(&clusters);
    return status;
}

/* Whether a layout may still be found that costs less. */
static bool is_open(const tacit__quest *quest)
{
    return quest->found->bound < tacit__quest_cutoff(quest) && quest->work <= quest->limit;
}

tacit_status tacit__quest_root(bool *solved, tacit__quest *quest, tacit__master *master,
                               tacit_error *err)
{
    market m;
    int32_t cuts = 1;
    int lazy = 0;
    tacit_status status = market_init(&m, quest->problem, err);
    if (status == TACIT_OK)
        status = add_layout(master, quest, err);
    if (status == TACIT_OK)
        status = converge_root(solved, quest, master, &m, err);
    for (int round = 0; status == TACIT_OK && *solved && is_open(quest) && cuts > 0; round++) {
        double before = quest->found->bound;
        if (round == ROOT_CUT_ROUNDS || lazy == LAZY_ROUNDS)
            break;
        status = tacit__master_cut(&cuts, master, err);
        if (status == TACIT_OK && cuts > 0)
            status = converge_root(solved, quest, master, &m, err);
        lazy = quest->found->bound < before * (1 + LAZY) ? lazy + 1 : 0;
    }
    market_clear(&m);
    return status;
}
