/*
 * minimals.c - for each tuple the sets of k tuples that are closest to
 * it, and which of them can be taken out of the rest: GenerateMinimums, Traverse
 * and FindComplements (Figures 98 to 100 of Sweeney, Computational Disclosure
 * Control).
 *
 * The text says that Traverse gives every set of k tuples around a tuple with the
 * least distance of its maximal vector; the listing, which compares a tuple with
 * later ones only and empties the list that all tuples share, does not. Here each
 * tuple's sets are found by branch and bound: candidates in the order of their
 * distance from the tuple, partial sets dropped when they are as far as the best
 * whole one, for a set's vector only grows; then once more to list all that tie.
 *
 * FindComplements as listed takes out of a set what is not in it, and so finds
 * every minimal; what the text wants, and both examples have, are minimals without
 * which every other tuple still has one (though not necessarily its own). Two of
 * them may share a tuple; the first is taken then.
 *
 * Combinatorial in k, as the thesis says; steps are counted against a bound.
 */
#include "records/ksimilar/ksimilar.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
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

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
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
    if (!TACIT__RESERVE(m->members, m->room, (size_t)(m->count + 1) * k))
        return tacit__nomem(err);
    uint32_t *added = m->members + (size_t)m->count * k;
    memcpy(added, s->set, k * sizeof *added);
    qsort(added, k, sizeof *added, by_number);
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
