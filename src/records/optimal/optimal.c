/*
 * optimal.c - the true k-minimal distortion at cell level, with a proof.
 *
 * A release puts everybody into a box, a value for each attribute that covers his own, and every
 * box that is used has k people or more. What is lost depends on the boxes only: so the least loss
 * is the cheapest way to divide people into clusters of k or more, each released as the smallest
 * box around it. (Lower-bounded location over boxes; clusters are its boxes with those who use
 * them.) Clusters of 2k people or more need not be considered: divided, they cost no more.
 *   1. `local` finds a layout and a bound; where boxes are too many to be listed, that is all;
 *   2. boxes with k people are listed (clusters.c);
 *   3. the linear relaxation over all clusters, priced on demand, and triples give a better bound,
 *      and layouts by rounding;
 *   4. clusters that a better layout could have are listed, and branch and bound over them ends in
 *      the optimum (branch.c).
 * Stopped at any time, or when the work that is usual has been done without a proof, the method
 * gives the best layout found and its bound. No bound rests on a solver's word: solver.h.
 *
 * Sweeney 2001, 4.3 and 5.4 define the distortion; she knows no way to find the least.
 *
 * The relaxation: clusters are far too many to be written down: the program has those that were
 * worth opening at some prices, and ends when no cluster is worth opening at the last ones
 * (price.c). Then triples that its solution breaks are added, and so on until they no longer help.
 * Without triples this is the relaxation of the location problem of which the method's description
 * speaks: a box is used by as much as its clusters are.
 *
 * The bound does not rest on the program being solved to the end: if no cluster is worth more than
 * w at its prices, a layout costs at least the program's bound less w for each of the clusters it
 * can have.
 *
 * Rounding: clusters are taken whole, those first of which the program uses most, as long as all
 * their people are still there; then what is left of others, where k are left. Who is in none then
 * joins the cluster that this makes dearer least. Windows of the result are packed anew as `local`
 * does it, for a few rounds.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/apply/holdout.h"
#include "records/methods/methods.h"
#include "records/metrics/costs.h"
#include "records/optimal/optimal.h"

/* ---- what is known ---- */

static const double SAME = 1e-9; /* costs of a row that differ by less are the same */

/* What a bound may be off by, relatively; steps are far larger. */
static const double ROUNDING = 1e-8;

double tacit__quest_cutoff(const tacit__quest *quest)
{
    double rows = (double)quest->problem->local->classes->rows;
    return quest->cost - (quest->problem->step > 0 ? quest->problem->step / 2 : SAME * rows);
}

void tacit__quest_raise(tacit__quest *quest, double bound)
{
    double step = quest->problem->step;
    if (step > 0 && isfinite(bound))
        bound = ceil((bound - ROUNDING * (1 + fabs(bound))) / step) * step;
    if (bound > quest->cost)
        bound = quest->cost;
    if (!(quest->found->bound >= bound))
        quest->found->bound = bound;
}

tacit_status tacit__quest_solve(bool *solved, tacit__quest *quest, tacit__master *master,
                                tacit_error *err)
{
    int64_t before = master->iterations;
    tacit_status status = tacit__master_solve(solved, master, err);
    quest->work += (master->iterations - before) * tacit__solver_rows(master->solver);
    return status;
}

/* Keeps a layout that costs less than the one known, and leaves that in its place. */
static void keep_layout(tacit__quest *quest, tacit__local_layout *layout)
{
    double cost = tacit__layout_cost(layout, quest->problem->local, 0, layout->boxes);
    if (cost >= quest->cost)
        return;
    tacit__local_layout old = quest->found->layout;
    quest->found->layout = *layout;
    quest->cost = cost;
    *layout = old;
}

/* ---- the linear program over all clusters ---- */

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
static tacit_status add_best(tacit__master *master, const tacit__priced *priced, tacit_error *err)
{
    int64_t count = priced->clusters.count, added = 0;
    tacit__ranked_cluster *order = tacit__alloc_array((size_t)count, sizeof *order);
    uint8_t *uses = tacit__alloc_zeroed((size_t)master->prices.members, 1);
    tacit_status status = order && uses ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        order[i] = (tacit__ranked_cluster){priced->worth[i], i};
    if (status == TACIT_OK)
        tacit__rank_clusters(order, count);
    for (int64_t i = 0; status == TACIT_OK && i < count && added < ROOT_COLUMNS; i++)
        if (serves(uses, &priced->clusters, order[i].cluster)) {
            status = tacit__master_add(master, &priced->clusters, order[i].cluster, 1, err);
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
    tacit__priced_clear(&m->priced.found);
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
    for (int64_t c = 0; c < m->priced.found.clusters.count; c++)
        if (tacit__cluster_worth(&m->priced.found.clusters, c, &master->prices) >
            TACIT__CLUSTER_WORTH)
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
            if (m->priced.found.clusters.count == 0)
                return TACIT_OK;
        }
        if (status != TACIT_OK || quest->work > quest->limit)
            return status;
        status = add_best(master, &m->priced.found, err);
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

/* All clusters priced on demand, and triples: the first bound. *solved is
 * false where the solver could not. */
static tacit_status solve_root(bool *solved, tacit__quest *quest, tacit__master *master,
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

/* ---- layouts out of its solutions ---- */

typedef struct rounding {
    const tacit__problem *problem;
    const tacit__clusters *from;
    uint32_t *left;               /* a member each: people who are in no cluster yet */
    tacit__share *part;           /* what is left of a cluster */
    uint16_t *list;               /* members of a cluster */
    tacit__ranked_cluster *order; /* clusters that are used, most used first */
    int64_t order_count;
    tacit__clusters taken;
} rounding;

static void rank_used(rounding *r, const tacit__master *master)
{
    for (int64_t c = 0; c < master->clusters.count; c++)
        if (master->values[c] > TACIT__CLUSTER_FRACTION)
            r->order[r->order_count++] = (tacit__ranked_cluster){master->values[c], c};
    tacit__rank_clusters(r->order, r->order_count);
}

/* The people of a cluster who are still there; returns how many. */
static int64_t who_is_left(int64_t *parts, const rounding *r, int64_t cluster)
{
    int64_t people = 0;
    *parts = 0;
    for (int64_t i = r->from->starts[cluster]; i < r->from->starts[cluster + 1]; i++) {
        tacit__share share = r->from->shares[i];
        uint32_t left = r->left[share.class_index];
        share.people = share.people < left ? share.people : left;
        if (share.people > 0)
            r->part[(*parts)++] = share;
        people += share.people;
    }
    return people;
}

static tacit_status take_remaining(rounding *r, int64_t parts, tacit_error *err)
{
    for (int64_t i = 0; i < parts; i++)
        r->left[r->part[i].class_index] -= r->part[i].people;
    return tacit__clusters_add(&r->taken, r->part, parts, 0, err);
}

static int64_t people_of(const tacit__clusters *clusters, int64_t cluster)
{
    int64_t from = clusters->starts[cluster];
    return tacit__shares_people(clusters->shares + from, clusters->starts[cluster + 1] - from);
}

/* Takes clusters of which nobody is missing, or of which k are there. */
static tacit_status take_clusters(rounding *r, bool whole, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < r->order_count; i++) {
        int64_t cluster = r->order[i].cluster, parts;
        int64_t least = whole ? people_of(r->from, cluster) : r->problem->local->k;
        while (status == TACIT_OK && who_is_left(&parts, r, cluster) >= least)
            status = take_remaining(r, parts, err);
    }
    return status;
}

/* What a cluster costs, with one more of a member where that is not UINT32_MAX. */
static double cost_with(const rounding *r, int64_t cluster, uint32_t member)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    int64_t count = 0, people = people_of(&r->taken, cluster);
    for (int64_t i = r->taken.starts[cluster]; i < r->taken.starts[cluster + 1]; i++)
        r->list[count++] = (uint16_t)r->taken.shares[i].class_index;
    if (member != UINT32_MAX) {
        r->list[count++] = (uint16_t)member;
        people++;
    }
    return (double)people * tacit__group_span(levels, &r->problem->group, r->list, count);
}

/* The cluster to which one more of a member adds least. */
static int64_t cheapest_home(const rounding *r, uint32_t member)
{
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t c = 0; c < r->taken.count; c++) {
        double more = cost_with(r, c, member) - cost_with(r, c, UINT32_MAX);
        if (more < least) {
            least = more;
            best = c;
        }
    }
    return best;
}

/* A cluster as a box of the layout, with those who join it. */
static tacit_status lay_out(tacit__local_layout *layout, const rounding *r, int64_t cluster,
                            const int64_t *home, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    int64_t count = 0, from = r->taken.starts[cluster], to = r->taken.starts[cluster + 1];
    int32_t members = r->problem->group.count;
    for (int64_t i = from; i < to; i++)
        r->list[count++] = (uint16_t)r->taken.shares[i].class_index;
    for (int32_t m = 0; m < members; m++)
        if (r->left[m] > 0 && home[m] == cluster)
            r->list[count++] = (uint16_t)m;
    tacit__group_span(levels, &r->problem->group, r->list, count);
    tacit_status status = tacit__layout_open(layout, levels, r->problem->local->attributes, err);
    for (int64_t i = from; status == TACIT_OK && i < to; i++)
        status = tacit__layout_add(layout, r->taken.shares[i], err);
    for (int32_t m = 0; status == TACIT_OK && m < members; m++)
        if (r->left[m] > 0 && home[m] == cluster)
            status = tacit__layout_add(layout, (tacit__share){(uint32_t)m, r->left[m]}, err);
    return status;
}

/* Who is left joins others; without any others there is no layout. */
static tacit_status complete(tacit__local_layout *layout, rounding *r, tacit_error *err)
{
    int32_t members = r->problem->group.count;
    int64_t *home = tacit__alloc_zeroed((size_t)members, sizeof *home);
    tacit_status status = home ? TACIT_OK : tacit__nomem(err);
    for (int32_t m = 0; status == TACIT_OK && m < members; m++)
        if (r->left[m] > 0)
            home[m] = cheapest_home(r, (uint32_t)m);
    for (int64_t c = 0; status == TACIT_OK && c < r->taken.count; c++)
        status = lay_out(layout, r, c, home, err);
    tacit__free(home);
    return status;
}

static tacit_status rounding_init(rounding *r, const tacit__quest *quest,
                                  const tacit__master *master, tacit_error *err)
{
    size_t members = (size_t)quest->problem->group.count;
    *r = (rounding){.problem = quest->problem, .from = &master->clusters};
    r->left = tacit__alloc_array(members, sizeof *r->left);
    r->part = tacit__alloc_array(members, sizeof *r->part);
    r->list = tacit__alloc_array(2 * members, sizeof *r->list);
    r->order = tacit__alloc_array((size_t)master->clusters.count + 1, sizeof *r->order);
    if (!r->left || !r->part || !r->list || !r->order)
        return tacit__nomem(err);
    memcpy(r->left, quest->problem->local->people, members * sizeof *r->left);
    return TACIT_OK;
}

static void rounding_clear(rounding *r)
{
    tacit__free(r->left);
    tacit__free(r->part);
    tacit__free(r->list);
    tacit__free(r->order);
    tacit__clusters_clear(&r->taken);
}

/* Rounds of local's search, each different from those before. */
static tacit_status improve(tacit__local_layout *layout, tacit__quest *quest, int64_t rounds,
                            tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < rounds && layout->boxes > 1; i++)
        status = tacit__local_improve(layout, &quest->improving, err);
    return status;
}

tacit_status tacit__quest_round(tacit__quest *quest, const tacit__master *master, int64_t rounds,
                                tacit_error *err)
{
    rounding r;
    tacit__local_layout layout = {0};
    tacit_status status = rounding_init(&r, quest, master, err);
    if (status == TACIT_OK) {
        rank_used(&r, master);
        status = take_clusters(&r, true, err);
    }
    if (status == TACIT_OK)
        status = take_clusters(&r, false, err);
    if (status == TACIT_OK && r.taken.count > 0) {
        status = complete(&layout, &r, err);
        if (status == TACIT_OK)
            status = improve(&layout, quest, rounds, err);
        if (status == TACIT_OK || status == TACIT_CANCELLED)
            keep_layout(quest, &layout);
    }
    tacit__layout_clear(&layout);
    rounding_clear(&r);
    return status;
}

enum {
    MAX_MEMBERS = 3000,  /* for the linear program */
    ROOT_ROUNDS = 100,   /* of local's search on the root's layout */
    STEPS_OF_ONE = 20000 /* costs are looked at as fractions with denominators up to this */
};

static const int64_t USUAL_WORK = 150000000; /* of linear programs */

static bool is_integer(double value)
{
    return fabs(value - round(value)) < 1e-9 * (1 + fabs(value));
}

/* Whether all that a cell can cost are multiples of 1 / denominator. */
static bool divides(const tacit__local *local, int denominator)
{
    for (int32_t a = 0; a < local->attributes; a++)
        for (int level = local->floor[a]; level <= local->height[a]; level++)
            for (uint32_t v = 0; v < tacit__distinct_on(local->frame, a, level); v++)
                if (!is_integer(local->costs.of[a][level][v] * denominator))
                    return false;
    return true;
}

/* Layouts cost multiples of this, so that a bound between two is as good as the higher one. */
static double find_step(const tacit__local *local)
{
    for (int denominator = 1; denominator <= STEPS_OF_ONE; denominator++)
        if (divides(local, denominator))
            return 1.0 / denominator;
    return 0;
}

/* ---- the search ---- */

static tacit_status gather(tacit__problem *problem, tacit_error *err)
{
    const tacit__local *local = problem->local;
    tacit_status status = tacit__group_init(&problem->group, local, err);
    for (int64_t c = 0; status == TACIT_OK && c < local->classes->groups.count; c++)
        status =
            tacit__group_add(&problem->group, (tacit__share){(uint32_t)c, local->people[c]}, err);
    return status == TACIT_OK ? tacit__group_close(&problem->group, err) : status;
}

static tacit_status prove(tacit__quest *quest, tacit_error *err)
{
    tacit__master root = {0};
    bool solved = false;
    tacit_status status = tacit__improving_init(&quest->improving, quest->problem->local, err);
    quest->improving.rounds = 1; /* the first one is for layouts that were never packed */
    if (status == TACIT_OK)
        status = tacit__master_init(&root, quest->problem, err);
    if (status == TACIT_OK)
        status = solve_root(&solved, quest, &root, err);
    if (status == TACIT_OK && solved)
        status = tacit__quest_round(quest, &root, ROOT_ROUNDS, err);
    if (status == TACIT_OK && solved && quest->work <= quest->limit &&
        quest->found->bound < tacit__quest_cutoff(quest))
        status = tacit__quest_branch(quest, &root, err);
    tacit__improving_clear(&quest->improving);
    tacit__master_clear(&root);
    return status;
}

tacit_status tacit__optimal_search(tacit__local_found *found, const tacit__local *local,
                                   bool until_stopped, tacit_error *err)
{
    tacit__problem problem = {.local = local, .step = find_step(local)};
    tacit__quest quest = {.problem = &problem,
                          .found = found,
                          .cost = tacit__layout_cost(&found->layout, local, 0, found->layout.boxes),
                          .limit = until_stopped ? INT64_MAX : USUAL_WORK};
    tacit__quest_raise(&quest, found->bound);
    if (found->bound >= tacit__quest_cutoff(&quest) || local->classes->groups.count > MAX_MEMBERS)
        return TACIT_OK;
    tacit_status status = gather(&problem, err);
    if (status == TACIT_OK)
        status = tacit__closed_init(&problem.closed, &found->boxes, &problem.group, err);
    if (status == TACIT_OK)
        status = prove(&quest, err);
    if (found->bound >= tacit__quest_cutoff(&quest))
        found->bound = quest.cost;
    found->boxes += quest.nodes;
    tacit__closed_clear(&problem.closed);
    tacit__group_clear(&problem.group);
    return status == TACIT_LIMIT ? TACIT_OK : status;
}

static tacit_status check(const tacit_frame *frame, const tacit_records_options *options,
                          tacit_error *err)
{
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK && frame->person >= 0)
        return tacit__error(err, TACIT_INVALID,
                            "optimal is for tables where every row is a person, because people "
                            "with several rows change what is best; use local for this one");
    return status;
}

static tacit_status optimal_solve(tacit_solution **out, const tacit_frame *frame,
                                  const tacit_records_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    if (options->resist_minimality)
        return tacit__holdout_solve(out, frame, options, run, err);
    tacit__local local;
    tacit__local_found found = {0};
    tacit_error stop = {0};
    tacit_records_options start = *options;
    tacit_status status = check(frame, options, err);
    start.until_stopped = false; /* what time there is goes into the proof */
    if (status == TACIT_OK)
        status = tacit__local_init(&local, frame, &start, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__local_search(&found, &local, err);
    if (status == TACIT_OK && !found.stopped) {
        status =
            tacit__optimal_search(&found, &local, options->until_stopped && run->progress, &stop);
        found.stopped = status == TACIT_CANCELLED;
        if (status == TACIT_CANCELLED)
            status = TACIT_OK;
        else if (status != TACIT_OK && err)
            *err = stop;
    }
    if (status == TACIT_OK)
        status = tacit__local_conclude(out, &found, &local, err);
    tacit__layout_clear(&found.layout);
    tacit__local_clear(&local);
    return status;
}

const tacit_method tacit__method_optimal = {
    .name = "optimal",
    .summary =
        "the best cell-level release there is, proven, for small tables; otherwise the best found, "
        "and how far it may be from that",
    .solve = optimal_solve,
    .features =
        TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES | TACIT_METHOD_RESISTS | TACIT_METHOD_COUNTS,
    .metrics = TACIT__SUM_METRICS,
};
