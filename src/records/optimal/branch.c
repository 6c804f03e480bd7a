/*
 * branch.c - branch and bound over clusters.
 *
 * If a layout costs less than the best one known, none of its clusters is worth less at the root's
 * prices than the gap between that one and the root's bound: these clusters are listed once
 * (price.c), and from then on prices are looked up in the list. A node is a linear program over
 * them with some pairs of people kept together and others apart (Ryan and Foster 1981), so that a
 * decision only takes clusters away. Where classes of several people leave no such pair, a cluster
 * is used at most, or at least, as often as the next integer.
 *
 * The search goes down where people are kept together until a node is closed, then takes the open
 * node of lowest bound. If the list was cut short, bounds beyond what it is complete for mean
 * nothing, and the search ends there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/optimal/optimal.h"
#include "solver/nodes.h"

enum { LOOKUP_COLUMNS = 100, FIRST_COLUMNS = 1000, ROUNDS_A_NODE = 3, NODE_CUT_ROUNDS = 5 };

typedef enum kind { TOGETHER = 1, APART, AT_LEAST, AT_MOST } kind;

/* What a node demands beyond its parent. */
typedef struct decision {
    kind kind;
    uint16_t a, b;   /* members of one person each */
    int64_t cluster; /* of the master */
    double limit;
} decision;

typedef struct search {
    tacit__quest *quest;
    tacit__priced pool;
    double root_bound; /* at the prices that the pool was listed for */
    double limit;      /* layouts that cost less are made of the pool's clusters */
    int64_t listed;    /* clusters of the pool that matter still */
    uint64_t *taken;   /* bit a cluster of the pool: it is in the master */
    tacit__master master;
    tacit__solver_nodes open;
    decision *path; /* the decisions of the node looked at */
    int32_t path_count;
    size_t path_capacity;
    double unproven; /* the lowest bound of a node that had to be given up */
} search;

/* Nodes whose bound is this or more hold nothing of interest. */
static double closing_bound(const search *s)
{
    return fmin(tacit__quest_cutoff(s->quest), s->limit);
}

/* ---- one node's program ---- */

static bool allows(const search *s, const tacit__clusters *clusters, int64_t cluster)
{
    for (int32_t i = 0; i < s->path_count; i++) {
        const decision *d = &s->path[i];
        if (d->kind != TOGETHER && d->kind != APART)
            continue;
        bool a = tacit__cluster_people(clusters, cluster, d->a) > 0;
        bool b = tacit__cluster_people(clusters, cluster, d->b) > 0;
        if (d->kind == TOGETHER ? a != b : a && b)
            return false;
    }
    return true;
}

static tacit_status find_path(search *s, const tacit__open_node *node, tacit_error *err)
{
    s->path_count = 0;
    for (; node->parent; node = node->parent) {
        if (!TACIT__RESERVE_ONE(s->path, s->path_capacity, s->path_count))
            return tacit__nomem(err);
        memcpy(&s->path[s->path_count++], node->decision, sizeof *s->path);
    }
    return TACIT_OK;
}

static void hold_clusters(search *s)
{
    tacit__master *m = &s->master;
    for (int64_t c = 0; c < m->clusters.count; c++) {
        double least = 0, most = allows(s, &m->clusters, c) ? INFINITY : 0;
        for (int32_t i = 0; i < s->path_count; i++) {
            const decision *d = &s->path[i];
            if (d->kind == AT_LEAST && d->cluster == c)
                least = fmax(least, d->limit);
            if (d->kind == AT_MOST && d->cluster == c)
                most = fmin(most, d->limit);
        }
        tacit__master_hold(m, c, least, fmax(least, most));
    }
}

/* Keeps the clusters worth most, the least of them first. */
typedef struct shortlist {
    tacit__ranked_cluster best[LOOKUP_COLUMNS];
    int count;
    double most;
} shortlist;

static void enlist(shortlist *list, double worth, int64_t cluster)
{
    int at = 0;
    list->most = worth > list->most ? worth : list->most;
    if (list->count == LOOKUP_COLUMNS && worth <= list->best[0].value)
        return;
    if (list->count < LOOKUP_COLUMNS) {
        at = list->count++;
        for (; at > 0 && list->best[at - 1].value > worth; at--)
            list->best[at] = list->best[at - 1];
    } else {
        for (; at + 1 < list->count && list->best[at + 1].value < worth; at++)
            list->best[at] = list->best[at + 1];
    }
    list->best[at] = (tacit__ranked_cluster){worth, cluster};
}

/* Clusters of the pool that are worth opening. */
static void look_up(shortlist *list, search *s)
{
    *list = (shortlist){.most = TACIT__CLUSTER_WORTH};
    for (int64_t c = 0; c < s->listed; c++) {
        if (tacit__bit_get(s->taken, c))
            continue;
        double worth = tacit__cluster_worth(&s->pool.clusters, c, &s->master.prices);
        if (worth > TACIT__CLUSTER_WORTH && allows(s, &s->pool.clusters, c))
            enlist(list, worth, c);
    }
}

static tacit_status take_listed(search *s, int64_t cluster, tacit_error *err)
{
    tacit__bit_set(s->taken, cluster);
    return tacit__master_add(&s->master, &s->pool.clusters, cluster, 1, err);
}

/* Solves a node's program; its bound is proven whether or not that ends early. */
static tacit_status converge_node(bool *solved, search *s, tacit__open_node *node, tacit_error *err)
{
    const tacit__local *local = s->quest->problem->local;
    double clusters = floor((double)local->classes->rows / (double)local->k);
    for (;;) {
        shortlist list;
        tacit_status status = tacit__quest_solve(solved, s->quest, &s->master, err);
        if (status != TACIT_OK || !*solved)
            return status;
        if (isinf(s->master.bound)) {
            node->bound = INFINITY;
            return TACIT_OK;
        }
        look_up(&list, s);
        node->bound = fmax(node->bound, s->master.bound - clusters * list.most);
        if (list.count == 0 || node->bound >= closing_bound(s))
            return TACIT_OK;
        for (int i = 0; status == TACIT_OK && i < list.count; i++)
            status = take_listed(s, list.best[i].cluster, err);
        if (status == TACIT_OK)
            status = tacit__progress(local->run, "proof", s->quest->nodes, 0, err);
        if (status != TACIT_OK)
            return status;
    }
}

/* ---- where to branch ---- */

/* Two people, and how much of the clusters used has both. */
typedef struct pair {
    uint32_t name;
    double value;
} pair;

static int by_name(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

static tacit_status list_pairs(pair **pairs, int64_t *count, const search *s, tacit_error *err)
{
    const tacit__problem *problem = s->quest->problem;
    const tacit__clusters *c = &s->master.clusters;
    size_t room = 0;
    *count = 0;
    for (int64_t i = 0; i < c->count; i++)
        for (int64_t a = c->starts[i];
             s->master.values[i] > TACIT__CLUSTER_FRACTION && a < c->starts[i + 1]; a++)
            for (int64_t b = a + 1;
                 tacit__is_single(problem, c->shares[a].class_index) && b < c->starts[i + 1]; b++) {
                if (!tacit__is_single(problem, c->shares[b].class_index))
                    continue;
                if (!tacit__reserve((void **)pairs, &room, (size_t)*count + 1, sizeof **pairs))
                    return tacit__nomem(err);
                uint32_t name = c->shares[a].class_index << 16 | c->shares[b].class_index;
                (*pairs)[(*count)++] = (pair){name, s->master.values[i]};
            }
    return TACIT_OK;
}

/* The pair that is most undecided, if any is. */
static bool choose_pair(decision *d, pair *pairs, int64_t count)
{
    double best = TACIT__CLUSTER_FRACTION;
    if (count > 0)
        qsort(pairs, (size_t)count, sizeof *pairs, by_name);
    for (int64_t i = 0; i < count;) {
        double sum = 0;
        uint32_t name = pairs[i].name;
        for (; i < count && pairs[i].name == name; i++)
            sum += pairs[i].value;
        double undecided = fmin(sum, 1 - sum);
        if (undecided <= best)
            continue;
        best = undecided;
        *d = (decision){.kind = TOGETHER, .a = (uint16_t)(name >> 16), .b = (uint16_t)name};
    }
    return best > TACIT__CLUSTER_FRACTION;
}

static bool choose_cluster(decision *d, const search *s)
{
    for (int64_t c = 0; c < s->master.clusters.count; c++) {
        double value = s->master.values[c];
        if (fabs(value - round(value)) <= TACIT__CLUSTER_FRACTION)
            continue;
        *d = (decision){.kind = AT_LEAST, .cluster = c, .limit = ceil(value)};
        return true;
    }
    return false;
}

static tacit_status choose(bool *any, decision *d, const search *s, tacit_error *err)
{
    pair *pairs = NULL;
    int64_t count;
    tacit_status status = list_pairs(&pairs, &count, s, err);
    if (status == TACIT_OK)
        *any = choose_pair(d, pairs, count) || choose_cluster(d, s);
    tacit__free(pairs);
    return status;
}

static decision opposite(decision d)
{
    if (d.kind == TOGETHER) {
        d.kind = APART;
    } else {
        d.kind = AT_MOST;
        d.limit -= 1;
    }
    return d;
}

static tacit__open_node *grow(search *s, tacit__open_node *parent, decision d)
{
    tacit__open_node *node = tacit__nodes_grow(&s->open, parent);
    if (node)
        memcpy(node->decision, &d, sizeof d);
    return node;
}

/* ---- the search ---- */

/* Clusters that a better layout cannot have are looked up no more. */
static void shorten(search *s)
{
    double gap = tacit__quest_cutoff(s->quest) - s->root_bound;
    while (s->listed > 0 && s->pool.worth[s->listed - 1] <= -gap)
        s->listed--;
}

/* Bounds of what is not looked at yet: the open nodes, the node at hand, and what was given up. */
static void raise_bound(search *s, double at_hand)
{
    double bound = fmin(fmin(tacit__nodes_bound(&s->open), at_hand), s->unproven);
    tacit__quest_raise(s->quest, fmin(bound, s->limit));
}

/* Adds triples that the first node's solution breaks. With those of other nodes, too, each takes
 * longer than it gains. */
static tacit_status cut(bool *solved, search *s, tacit__open_node *node, tacit_error *err)
{
    int32_t added = 1;
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK && *solved && round < NODE_CUT_ROUNDS && added > 0 &&
                        node->bound < closing_bound(s);
         round++) {
        status = tacit__master_cut(&added, &s->master, err);
        if (status == TACIT_OK && added > 0)
            status = converge_node(solved, s, node, err);
    }
    return status;
}

/* Looks at a node. *d is where it is to be divided, if *divided. */
static tacit_status look(bool *divided, decision *d, search *s, tacit__open_node *node,
                         tacit_error *err)
{
    bool solved = false;
    *divided = false;
    tacit_status status = find_path(s, node, err);
    if (status != TACIT_OK)
        return status;
    s->quest->nodes++;
    hold_clusters(s);
    status = converge_node(&solved, s, node, err);
    if (status == TACIT_OK)
        status = node->parent ? TACIT_OK : cut(&solved, s, node, err);
    if (status == TACIT_OK && !solved)
        s->unproven = fmin(s->unproven, node->bound);
    if (status != TACIT_OK || !solved || node->bound >= closing_bound(s))
        return status;
    status = tacit__quest_round(s->quest, &s->master, ROUNDS_A_NODE, err);
    shorten(s);
    if (status == TACIT_OK && node->bound < closing_bound(s))
        status = choose(divided, d, s, err);
    if (status == TACIT_OK && !*divided && s->master.unserved > TACIT__CLUSTER_FRACTION)
        s->unproven = fmin(s->unproven, node->bound);
    return status;
}

/* Goes down from a node until one is closed; opens the others on the way. */
static tacit_status plunge(search *s, tacit__open_node *node, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (node && status == TACIT_OK) {
        bool divided;
        decision d;
        tacit__open_node *next = NULL;
        status = look(&divided, &d, s, node, err);
        if (status == TACIT_OK && divided) {
            tacit__open_node *other = grow(s, node, opposite(d));
            next = grow(s, node, d);
            if (!next || !other || !tacit__nodes_push(&s->open, other)) {
                tacit__nodes_release(other);
                status = tacit__nomem(err);
            }
        }
        tacit__nodes_release(node);
        node = next;
        if (status == TACIT_OK) {
            raise_bound(s, node ? node->bound : INFINITY);
            status =
                tacit__progress(s->quest->problem->local->run, "proof", s->quest->nodes, 0, err);
        }
    }
    tacit__nodes_release(node);
    return status;
}

static tacit_status explore(search *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__open_node *node = tacit__nodes_grow(&s->open, NULL);
    if (!node)
        return tacit__nomem(err);
    node->bound = s->root_bound;
    while (node && status == TACIT_OK) {
        status = plunge(s, node, err);
        node = NULL;
        if (status == TACIT_OK && s->quest->work <= s->quest->limit &&
            tacit__nodes_bound(&s->open) < closing_bound(s))
            node = tacit__nodes_pop(&s->open);
    }
    return status;
}

static tacit_status search_init(search *s, tacit__master *root, tacit_error *err)
{
    double wanted = tacit__quest_cutoff(s->quest) - s->root_bound, gap = wanted;
    tacit_status status = tacit__price_pool(&s->pool, &gap, s->quest->problem, &root->prices, err);
    if (status != TACIT_OK)
        return status;
    s->limit = gap < wanted ? s->root_bound + gap : INFINITY;
    s->listed = s->pool.clusters.count;
    s->taken = tacit__alloc_zeroed(tacit__bitset_words(s->listed) + 1, sizeof *s->taken);
    if (!s->taken)
        return tacit__nomem(err);
    status = tacit__master_init(&s->master, s->quest->problem, err);
    for (int32_t t = 0; status == TACIT_OK && t < root->prices.triple_count; t++)
        if (root->prices.fines[t] > 0)
            status = tacit__master_add_triples(&s->master, &root->prices.triples[t], 1, err);
    for (int64_t c = 0; status == TACIT_OK && c < s->listed && c < FIRST_COLUMNS; c++)
        status = take_listed(s, c, err);
    return status;
}

static void search_clear(search *s)
{
    tacit__priced_clear(&s->pool);
    tacit__free(s->taken);
    tacit__master_clear(&s->master);
    tacit__nodes_clear(&s->open);
    tacit__free(s->path);
}

tacit_status tacit__quest_branch(tacit__quest *quest, tacit__master *root, tacit_error *err)
{
    search s = {.quest = quest,
                .root_bound = root->proven,
                .open.decision_bytes = sizeof(decision),
                .unproven = INFINITY};
    tacit_status status = search_init(&s, root, err);
    if (status == TACIT_OK)
        status = explore(&s, err);
    search_clear(&s);
    return status == TACIT_LIMIT ? TACIT_OK : status;
}
