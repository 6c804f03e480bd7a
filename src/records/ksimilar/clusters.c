/*
 * clusters.c - clusters of k or more of the closest tuples, from minimals: sets of k tuples that
 * are closest to one of them. GenerateMinimums, Traverse and FindComplements (Figures 98 to 100 of
 * Sweeney, Computational Disclosure Control), then kSimilarRun, kSimilarRunParts, Partition,
 * CommonTuples, AddTuple and AddTupleMin (Figures 92, 93, 95, 96, 101 and 102).
 *
 * The text says that Traverse gives every set of k tuples around a tuple with the least distance
 * of its maximal vector; the listing, which compares a tuple with later ones only and empties the
 * list that all tuples share, does not. Here each tuple's sets are found by branch and bound:
 * candidates in the order of their distance from the tuple, partial sets dropped when they are as
 * far as the best whole one, for a set's vector only grows; then once more to list all that tie.
 *
 * FindComplements as listed takes out of a set what is not in it, and so finds every minimal; what
 * the text wants, and both examples have, are minimals without which every other tuple still has
 * one (though not necessarily its own). Two of them may share a tuple; the first is taken then.
 * Combinatorial in k, as the thesis says; steps are counted against a bound.
 *
 * A table of fewer than 2k tuples is a cluster. Otherwise complementary minimals are clusters, and
 * what is left falls apart into parts that minimals connect; in a part of 2k tuples or more the
 * tuples that all its minimals share are withheld, the rest is clustered by itself, and then the
 * withheld join where it costs least. Tuples only ever leave a table, so the recursion is no
 * deeper than there are tuples (at most TACIT__KSIMILAR_TUPLES).
 *
 * Where the listings would lose tuples, run for ever or leave fewer than k in a cluster, this is
 * done instead; ksimilar.c has the list.
 */
#include "records/ksimilar/ksimilar.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/vector.h"
#include "records/classes/classes.h"

/* A tuple that could be in the sets of another. */
typedef struct neighbour {
    int64_t distance;
    uint32_t tuple;
} neighbour;

/* The search around one tuple. */
typedef struct search {
    tacit__clique *clique;
    tacit__minimals *minimals;
    tacit__map known;  /* sets by their tuples */
    neighbour *others; /* ascending by distance, then tuple */
    int32_t count;
    int32_t *place;   /* a depth each: which of the others is next */
    uint8_t *vectors; /* a depth each */
    uint32_t *set;    /* the tuple, then what was added */
    int64_t limit;    /* of the distance */
    int64_t nearest;
} search;

static int by_distance(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->tuple < y->tuple ? -1 : x->tuple > y->tuple;
}

/* Adds a set unless it is there. */
static tacit_status keep_set(search *s, tacit_error *err)
{
    size_t k = (size_t)s->minimals->k;
    tacit__minimals *m = s->minimals;
    if (m->count == TACIT__KSIMILAR_MINIMALS)
        return tacit__error(err, TACIT_LIMIT,
                            "more than %d groups of records are equally close, too many for "
                            "k-similar; use the method local, or optimal",
                            TACIT__KSIMILAR_MINIMALS);
    if (!TACIT__RESERVE(m->members, m->capacity, (size_t)(m->count + 1) * k))
        return tacit__nomem(err);
    uint32_t *added = m->members + (size_t)m->count * k;
    memcpy(added, s->set, k * sizeof *added);
    qsort(added, k, sizeof *added, tacit__by_uint32);
    uint64_t hash = tacit__hash_bytes((const char *)added, k * sizeof *added);
    size_t probe = 0;
    for (uint32_t set; (set = tacit__map_next(&s->known, hash, &probe)) != TACIT__NONE;)
        if (memcmp(m->members + set * k, added, k * sizeof *added) == 0)
            return TACIT_OK;
    if (!tacit__map_add(&s->known, hash))
        return tacit__nomem(err);
    m->count++;
    return TACIT_OK;
}

/* Puts a candidate at a depth; returns the distance of the set so far. */
static int64_t extend(search *s, int64_t depth, uint32_t tuple)
{
    int32_t attributes = s->clique->attributes;
    const uint8_t *edge = tacit__clique_vector(s->clique, s->set[0], tuple);
    const uint8_t *before = s->vectors + (depth - 1) * attributes;
    uint8_t *after = s->vectors + depth * attributes;
    for (int32_t a = 0; a < attributes; a++)
        after[a] = edge[a] > before[a] ? edge[a] : before[a];
    s->set[depth] = tuple;
    return tacit__clique_distance(s->clique, after);
}

/* Walks the sets around the tuple that are no farther than s->limit: to find a
 * nearest one, coming nearer all the time, or to keep them all. */
static tacit_status walk(search *s, bool keep, tacit_error *err)
{
    int64_t depth = 1, last = s->clique->k - 1;
    tacit_status status = TACIT_OK;
    s->place[1] = 0;
    while (status == TACIT_OK && depth > 0) {
        int32_t at = s->place[depth]++;
        if (s->count - at < last - depth + 1 || s->others[at].distance > s->limit) {
            depth--;
            continue;
        }
        status = tacit__clique_step(s->clique, 1, err);
        int64_t distance = extend(s, depth, s->others[at].tuple);
        if (status != TACIT_OK || distance > s->limit)
            continue;
        if (depth < last) {
            s->place[++depth] = at + 1;
        } else if (keep) {
            status = keep_set(s, err);
        } else {
            s->nearest = distance;
            s->limit = distance - 1;
        }
    }
    return status;
}

static void list_others(search *s, const uint32_t *tuples, int32_t count, uint32_t around)
{
    s->count = 0;
    for (int32_t i = 0; i < count; i++)
        if (tuples[i] != around)
            s->others[s->count++] =
                (neighbour){tacit__clique_distance(
                                s->clique, tacit__clique_vector(s->clique, around, tuples[i])),
                            tuples[i]};
    qsort(s->others, (size_t)s->count, sizeof *s->others, by_distance);
}

static tacit_status search_around(search *s, const uint32_t *tuples, int32_t count, uint32_t around,
                                  tacit_error *err)
{
    s->set[0] = around;
    if (s->clique->k == 1)
        return keep_set(s, err);
    list_others(s, tuples, count, around);
    s->limit = INT64_MAX;
    tacit_status status = walk(s, false, err);
    s->limit = s->nearest;
    return status == TACIT_OK ? walk(s, true, err) : status;
}

static tacit_status search_all(search *s, const uint32_t *tuples, int32_t count, tacit_error *err)
{
    size_t k = (size_t)s->clique->k, attributes = (size_t)s->clique->attributes;
    s->others = tacit__alloc_array((size_t)count, sizeof *s->others);
    s->place = tacit__alloc_array(k + 1, sizeof *s->place);
    s->set = tacit__alloc_array(k, sizeof *s->set);
    s->vectors = tacit__alloc_array(k, attributes);
    tacit_status status = TACIT_OK;
    if (!s->others || !s->place || !s->set || !s->vectors)
        status = tacit__nomem(err);
    else
        memcpy(s->vectors, s->clique->least, attributes);
    for (int32_t i = 0; status == TACIT_OK && i < count; i++)
        status = search_around(s, tuples, count, tuples[i], err);
    tacit__free(s->others);
    tacit__free(s->place);
    tacit__free(s->set);
    tacit__free(s->vectors);
    tacit__map_clear(&s->known);
    return status;
}

tacit_status tacit__minimals_init(tacit__minimals *minimals, tacit__clique *clique,
                                  const uint32_t *tuples, int32_t count, tacit_error *err)
{
    tacit__minimals made = {.k = clique->k};
    search s = {.clique = clique, .minimals = &made};
    tacit_status status = search_all(&s, tuples, count, err);
    if (status == TACIT_OK)
        *minimals = made;
    else
        tacit__minimals_clear(&made);
    return status;
}

void tacit__minimals_clear(tacit__minimals *minimals)
{
    tacit__free(minimals->members);
    *minimals = (tacit__minimals){.k = minimals->k};
}

/* Which sets a tuple is in, and the candidate in hand. */
typedef struct contacts {
    const tacit__minimals *minimals;
    tacit__clique *clique;
    tacit__lists places; /* of each tuple: where it stands in the members */
    bool *taken;         /* a tuple each: the candidate has it */
    bool *chosen;        /* a tuple each: a complement has it */
    int64_t *witness;    /* a tuple each: which of its sets was last seen untouched */
} contacts;

static void mark(bool *tuples, const tacit__minimals *minimals, int64_t set, bool value)
{
    for (int64_t i = 0; i < minimals->k; i++)
        tuples[minimals->members[set * minimals->k + i]] = value;
}

static bool is_untouched(const bool *tuples, const tacit__minimals *minimals, int64_t set)
{
    bool untouched = true;
    for (int64_t i = 0; i < minimals->k; i++)
        untouched &= !tuples[minimals->members[set * minimals->k + i]];
    return untouched;
}

/* Whether a tuple has a set that the candidate does not touch. The one that did
 * for the last candidate is tried first: it mostly does again. */
static tacit_status has_untouched(bool *out, contacts *c, int32_t tuple, tacit_error *err)
{
    const int64_t start = c->places.starts[tuple], count = c->places.starts[tuple + 1] - start;
    int64_t tried = 0;
    bool found = false;
    for (; tried < count && !found; tried++) {
        int64_t at = (c->witness[tuple] + tried) % count;
        found = is_untouched(c->taken, c->minimals, c->places.list[start + at] / c->minimals->k);
        if (found)
            c->witness[tuple] = at;
    }
    *out = found;
    return tacit__clique_step(c->clique, tried, err);
}

/* Whether every tuple that has a set has one that the candidate does not touch,
 * or is in the candidate. */
static tacit_status is_complement(bool *out, contacts *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool covered = true;
    for (int32_t t = 0; status == TACIT_OK && covered && t < c->clique->tuples; t++)
        if (!c->taken[t] && c->places.starts[t] < c->places.starts[t + 1])
            status = has_untouched(&covered, c, t, err);
    *out = covered;
    return status;
}

static tacit_status find_complements(int64_t *found, int64_t *chosen, contacts *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t count = 0;
    for (int64_t m = 0; status == TACIT_OK && m < c->minimals->count; m++) {
        bool complement = false;
        if (!is_untouched(c->chosen, c->minimals, m))
            continue;
        mark(c->taken, c->minimals, m, true);
        status = is_complement(&complement, c, err);
        mark(c->taken, c->minimals, m, false);
        if (!complement)
            continue;
        mark(c->chosen, c->minimals, m, true);
        chosen[count++] = m;
    }
    if (status == TACIT_OK)
        *found = count;
    return status;
}

tacit_status tacit__complements(int64_t *found, int64_t *chosen, const tacit__minimals *minimals,
                                tacit__clique *clique, tacit_error *err)
{
    contacts c = {.minimals = minimals, .clique = clique};
    size_t tuples = (size_t)clique->tuples;
    c.taken = tacit__alloc_zeroed(tuples, sizeof *c.taken);
    c.chosen = tacit__alloc_zeroed(tuples, sizeof *c.chosen);
    c.witness = tacit__alloc_zeroed(tuples, sizeof *c.witness);
    tacit_status status = TACIT_OK;
    if (!c.taken || !c.chosen || !c.witness)
        status = tacit__nomem(err);
    else
        status = tacit__lists_init(&c.places, minimals->members, minimals->count * minimals->k,
                                   clique->tuples, err);
    if (status == TACIT_OK)
        status = find_complements(found, chosen, &c, err);
    tacit__lists_clear(&c.places);
    tacit__free(c.taken);
    tacit__free(c.chosen);
    tacit__free(c.witness);
    return status;
}

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
