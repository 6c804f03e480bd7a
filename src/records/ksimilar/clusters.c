/*
 * clusters.c - clusters from minimals: kSimilarRun, kSimilarRunParts,
 * Partition, CommonTuples, AddTuple and AddTupleMin (Figures 92, 93, 95, 96, 101
 * and 102 of Sweeney, Computational Disclosure Control).
 *
 * A table of fewer than 2k tuples is a cluster. Otherwise complementary minimals
 * are clusters, and what is left falls apart into parts that minimals connect;
 * in a part of 2k tuples or more the tuples that all its minimals share are
 * withheld, the rest is clustered by itself, and then the withheld join where it
 * costs least. Tuples only ever leave a table, so the recursion is no deeper than
 * there are tuples (at most TACIT__KSIMILAR_TUPLES).
 *
 * Where the listings would lose tuples, run for ever or leave fewer than k in a
 * cluster, this is done instead; ksimilar.c has the list.
 */
#include "records/ksimilar/ksimilar.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Clusters in the making. */
typedef struct clustering {
    tacit__clique *clique;
    int32_t *cluster_of; /* a tuple each */
    int32_t count;
} clustering;

static void make_cluster(clustering *c, const uint32_t *tuples, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        c->cluster_of[tuples[i]] = c->count;
    c->count++;
}

/* dist() of a set times its size. */
static int64_t distortion(const clustering *c, const uint32_t *tuples, int64_t count)
{
    uint8_t vector[TACIT_MAX_ATTRIBUTES];
    tacit__clique_span(vector, c->clique, tuples, count);
    return tacit__clique_distance(c->clique, vector) * count;
}

/* ---- AddTuple ---- */

/* Where withheld tuples can go: into a cluster, or into a new one together with
 * tuples of a cluster that keeps k. */
typedef struct joining {
    clustering *c;
    const uint32_t *withheld;
    int64_t withheld_count;
    uint32_t *members; /* of the cluster in hand */
    int64_t count;
    uint32_t *set;   /* a cluster as it would be */
    int64_t *place;  /* a tuple each that moves: which of the members */
    int64_t best;    /* what the best place adds to the distortion */
    int32_t cluster; /* it */
    uint32_t *moved; /* tuples that leave it for the new one; none: withheld join it */
    int64_t moved_count;
} joining;

static void list_members(joining *j, int32_t cluster)
{
    j->count = 0;
    for (int32_t t = 0; t < j->c->clique->tuples; t++)
        if (j->c->cluster_of[t] == cluster)
            j->members[j->count++] = (uint32_t)t;
}

static void try_joining(joining *j, int32_t cluster, int64_t before)
{
    memcpy(j->set, j->members, (size_t)j->count * sizeof *j->set);
    memcpy(j->set + j->count, j->withheld, (size_t)j->withheld_count * sizeof *j->set);
    int64_t added = distortion(j->c, j->set, j->count + j->withheld_count) - before;
    if (added >= j->best)
        return;
    j->best = added;
    j->cluster = cluster;
    j->moved_count = 0;
}

/* One way of moving `moving` members, those at the places, into the new cluster. */
static void try_split(joining *j, int32_t cluster, int64_t before, int64_t moving)
{
    uint32_t *fresh = j->set, *rest = j->set + j->withheld_count + moving;
    int64_t at = 0, kept = 0;
    memcpy(fresh, j->withheld, (size_t)j->withheld_count * sizeof *fresh);
    for (int64_t i = 0; i < j->count; i++)
        if (at < moving && j->place[at] == i)
            fresh[j->withheld_count + at++] = j->members[i];
        else
            rest[kept++] = j->members[i];
    int64_t added =
        distortion(j->c, fresh, j->withheld_count + moving) + distortion(j->c, rest, kept) - before;
    if (added >= j->best)
        return;
    j->best = added;
    j->cluster = cluster;
    j->moved_count = moving;
    memcpy(j->moved, fresh + j->withheld_count, (size_t)moving * sizeof *fresh);
}

/* The next choice of places, or false after the last. */
static bool next_choice(int64_t *place, int64_t moving, int64_t count)
{
    int64_t i = moving - 1;
    while (i >= 0 && place[i] == count - moving + i)
        i--;
    if (i < 0)
        return false;
    place[i]++;
    for (int64_t next = i + 1; next < moving; next++)
        place[next] = place[next - 1] + 1;
    return true;
}

/* Every new cluster of k (AddTupleMin), where the old one keeps k. */
static tacit_status try_splits(joining *j, int32_t cluster, int64_t before, tacit_error *err)
{
    int64_t moving = j->c->clique->k - j->withheld_count;
    tacit_status status = TACIT_OK;
    if (j->count - moving < j->c->clique->k)
        return TACIT_OK;
    for (int64_t i = 0; i < moving; i++)
        j->place[i] = i;
    do {
        try_split(j, cluster, before, moving);
        status = tacit__clique_step(j->c->clique, j->count, err);
    } while (status == TACIT_OK && next_choice(j->place, moving, j->count));
    return status;
}

static void settle(joining *j)
{
    int32_t target = j->moved_count > 0 ? j->c->count++ : j->cluster;
    for (int64_t i = 0; i < j->moved_count; i++)
        j->c->cluster_of[j->moved[i]] = target;
    for (int64_t i = 0; i < j->withheld_count; i++)
        j->c->cluster_of[j->withheld[i]] = target;
}

/* Puts withheld tuples into the clusters from `first` on. */
static tacit_status add_withheld(clustering *c, const uint32_t *withheld, int64_t count,
                                 int32_t first, tacit_error *err)
{
    size_t tuples = (size_t)c->clique->tuples;
    joining j = {.c = c, .withheld = withheld, .withheld_count = count, .best = INT64_MAX};
    j.members = tacit__alloc_array(tuples, sizeof *j.members);
    j.set = tacit__alloc_array(tuples, sizeof *j.set);
    j.moved = tacit__alloc_array(tuples, sizeof *j.moved);
    j.place = tacit__alloc_array(tuples, sizeof *j.place);
    tacit_status status = j.members && j.set && j.moved && j.place ? TACIT_OK : tacit__nomem(err);
    for (int32_t cluster = first; status == TACIT_OK && cluster < c->count; cluster++) {
        list_members(&j, cluster);
        int64_t before = distortion(c, j.members, j.count);
        try_joining(&j, cluster, before);
        status = try_splits(&j, cluster, before, err);
    }
    if (status == TACIT_OK)
        settle(&j);
    tacit__free(j.members);
    tacit__free(j.set);
    tacit__free(j.moved);
    tacit__free(j.place);
    return status;
}

/* ---- Partition and CommonTuples ---- */

/* The parts of a table that minimals connect, and who is withheld in each. */
typedef struct parts {
    int32_t *part_of; /* a tuple of the clique each; -1: not in the table */
    bool *withheld;   /* the same */
    int32_t count;
} parts;

/* Joins two parts that a minimal connects: the later takes the name of the earlier. */
static void join(int32_t *part_of, const uint32_t *tuples, int32_t count, int32_t a, int32_t b)
{
    int32_t name = a < b ? a : b, other = a < b ? b : a;
    for (int32_t i = 0; i < count && a != b; i++)
        if (part_of[tuples[i]] == other)
            part_of[tuples[i]] = name;
}

/* Each part is called after its first tuple, then numbered in that order. */
static void find_parts(parts *p, const tacit__minimals *minimals, const uint32_t *tuples,
                       int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        p->part_of[tuples[i]] = i;
    for (int64_t m = 0; m < minimals->count; m++)
        for (int64_t i = 1; i < minimals->k; i++) {
            const uint32_t *set = minimals->members + m * minimals->k;
            join(p->part_of, tuples, count, p->part_of[set[0]], p->part_of[set[i]]);
        }
    for (int32_t i = 0; i < count; i++) {
        int32_t *part = &p->part_of[tuples[i]];
        *part = *part == i ? p->count++ : p->part_of[tuples[*part]];
    }
}

/* Withholds the tuples that all minimals of a part share, or, where there are
 * none, the one that most of them have. */
static void find_withheld(parts *p, const int64_t *sets_of, const uint32_t *tuples, int32_t count,
                          int32_t part, int64_t minimals)
{
    int64_t most = 0;
    uint32_t commonest = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t t = tuples[i];
        if (p->part_of[t] != part)
            continue;
        p->withheld[t] = sets_of[t] == minimals;
        if (sets_of[t] > most) {
            most = sets_of[t];
            commonest = t;
        }
    }
    p->withheld[commonest] = true;
}

static tacit_status parts_init(parts *p, const tacit__minimals *minimals, const uint32_t *tuples,
                               int32_t count, int32_t all, tacit_error *err)
{
    *p = (parts){0};
    p->part_of = tacit__alloc_array((size_t)all, sizeof *p->part_of);
    p->withheld = tacit__alloc_zeroed((size_t)all, sizeof *p->withheld);
    int64_t *sets_of = tacit__alloc_zeroed((size_t)all, sizeof *sets_of);
    int64_t *sets_in = tacit__alloc_zeroed((size_t)all, sizeof *sets_in);
    tacit_status status = TACIT_OK;
    if (p->part_of && p->withheld && sets_of && sets_in) {
        memset(p->part_of, 0xff, (size_t)all * sizeof *p->part_of);
        find_parts(p, minimals, tuples, count);
        for (int64_t i = 0; i < minimals->count * minimals->k; i++)
            sets_of[minimals->members[i]]++;
        for (int64_t m = 0; m < minimals->count; m++)
            sets_in[p->part_of[minimals->members[m * minimals->k]]]++;
        for (int32_t part = 0; part < p->count; part++)
            find_withheld(p, sets_of, tuples, count, part, sets_in[part]);
    } else {
        status = tacit__nomem(err);
    }
    tacit__free(sets_of);
    tacit__free(sets_in);
    return status;
}

static void parts_clear(parts *p)
{
    tacit__free(p->part_of);
    tacit__free(p->withheld);
    *p = (parts){0};
}

/* ---- kSimilarRun ---- */

/* A part is clustered like a table. */
static tacit_status run(clustering *c, uint32_t *tuples, int32_t count, tacit_error *err);

/* Splits the tuples of a part into those that stay, in front, and the withheld. */
static int32_t list_part(uint32_t *list, int32_t *withheld, const parts *p, const uint32_t *tuples,
                         int32_t count, int32_t part)
{
    int32_t size = 0;
    for (int held = 0; held < 2; held++) {
        *withheld = size;
        for (int32_t i = 0; i < count; i++)
            if (p->part_of[tuples[i]] == part && p->withheld[tuples[i]] == held)
                list[size++] = tuples[i];
    }
    *withheld = size - *withheld;
    return size;
}

/* kSimilarRunParts for one part, `stay` of whose tuples are not withheld. */
static tacit_status run_part(clustering *c, uint32_t *list, int32_t size, int32_t withheld,
                             tacit_error *err)
{
    int32_t stay = size - withheld, first = c->count;
    int64_t small = 2 * c->clique->k;
    tacit_status status = TACIT_OK;
    if (size < small) {
        make_cluster(c, list, size);
        return TACIT_OK;
    }
    if (stay < small)
        make_cluster(c, list, stay);
    else
        status = run(c, list, stay, err);
    return status == TACIT_OK ? add_withheld(c, list + stay, withheld, first, err) : status;
}

static tacit_status run_parts(clustering *c, const parts *p, const uint32_t *tuples, int32_t count,
                              tacit_error *err)
{
    uint32_t *list = tacit__alloc_array((size_t)count, sizeof *list);
    tacit_status status = list ? TACIT_OK : tacit__nomem(err);
    for (int32_t part = 0; status == TACIT_OK && part < p->count; part++) {
        int32_t withheld, size = list_part(list, &withheld, p, tuples, count, part);
        status = run_part(c, list, size, withheld, err);
    }
    tacit__free(list);
    return status;
}

/* Makes clusters of complementary minimals, as long as they leave nobody or k, and
 * takes their tuples out of the table. */
static tacit_status take_complements(clustering *c, const tacit__minimals *minimals,
                                     uint32_t *tuples, int32_t *count, tacit_error *err)
{
    int64_t found = 0, k = c->clique->k, left = *count;
    int64_t *chosen = tacit__alloc_array((size_t)minimals->count, sizeof *chosen);
    if (!chosen)
        return tacit__nomem(err);
    tacit_status status = tacit__complements(&found, chosen, minimals, c->clique, err);
    for (int64_t i = 0; status == TACIT_OK && i < found; i++)
        if (left == k || left >= 2 * k) {
            make_cluster(c, minimals->members + chosen[i] * k, k);
            left -= k;
        }
    int32_t kept = 0;
    for (int32_t i = 0; status == TACIT_OK && i < *count; i++)
        if (c->cluster_of[tuples[i]] < 0)
            tuples[kept++] = tuples[i];
    *count = kept;
    tacit__free(chosen);
    return status;
}

/* The minimals of the table, its complements taken out. */
static tacit_status prepare(tacit__minimals *minimals, clustering *c, uint32_t *tuples,
                            int32_t *count, tacit_error *err)
{
    int32_t before = *count;
    tacit_status status = tacit__minimals_init(minimals, c->clique, tuples, *count, err);
    if (status == TACIT_OK)
        status = take_complements(c, minimals, tuples, count, err);
    if (status != TACIT_OK || *count == before || *count == 0)
        return status;
    tacit__minimals_clear(minimals);
    return tacit__minimals_init(minimals, c->clique, tuples, *count, err);
}

/* Clusters of a table; the order of its tuples is not kept. */
static tacit_status run(clustering *c, uint32_t *tuples, int32_t count, tacit_error *err)
{
    if (count < 2 * c->clique->k) {
        make_cluster(c, tuples, count);
        return TACIT_OK;
    }
    tacit__minimals minimals = {.k = c->clique->k};
    parts p = {0};
    tacit_status status = prepare(&minimals, c, tuples, &count, err);
    if (status == TACIT_OK && count > 0)
        status = parts_init(&p, &minimals, tuples, count, c->clique->tuples, err);
    tacit__minimals_clear(&minimals);
    if (status == TACIT_OK && count > 0)
        status = run_parts(c, &p, tuples, count, err);
    parts_clear(&p);
    return status;
}

tacit_status tacit__ksimilar_clusters(int32_t *clusters, int32_t *cluster_of, tacit__clique *clique,
                                      tacit_error *err)
{
    clustering c = {.clique = clique, .cluster_of = cluster_of};
    uint32_t *tuples = tacit__alloc_array((size_t)clique->tuples, sizeof *tuples);
    if (!tuples)
        return tacit__nomem(err);
    for (int32_t t = 0; t < clique->tuples; t++) {
        tuples[t] = (uint32_t)t;
        cluster_of[t] = -1;
    }
    tacit_status status = run(&c, tuples, clique->tuples, err);
    if (status == TACIT_OK)
        *clusters = c.count;
    tacit__free(tuples);
    return status;
}
