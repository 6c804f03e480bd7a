/*
 * round.c - layouts out of solutions of the linear program.
 *
 * Clusters are taken whole, those first of which the program uses most, as long as
 * all their people are still there; then what is left of others, where k are left. Who is in
 * none then joins the cluster that this makes dearer least. Windows of the result
 * are packed anew as `local` does it, for a few rounds.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/optimal/optimal.h"

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
            tacit__quest_keep(quest, &layout);
    }
    tacit__layout_clear(&layout);
    rounding_clear(&r);
    return status;
}
