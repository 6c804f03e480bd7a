/*
 * directions.c - parallel relations of a table without dimensions; see directions.h.
 *
 * In a table of two dimensions and more, the relation A that sums up some codes is repeated for
 * every code of the other dimensions. Take a crossing relation B through each cell of A: the
 * totals of these B lie on a relation A' that sums up the same codes one level up elsewhere. So
 * A' is parallel to A where every cell of A has exactly one crossing relation whose total is in A',
 * the total of A one whose total is that of A'. Then the cells of A are matched with cells of A'
 * one to one, and the relations between them cross A.
 *
 * Joining all that is parallel gives the directions, and joining all that is matched the codes.
 * Zeros that were left out do no harm: where a cell is not zero its totals are not either.
 * Tables that share cells come apart, since what is not in both has no partner. Whatever does
 * not fit (a relation in which two cells got one code, a cell in two relations of a direction, a
 * direction that crosses itself) is no direction: its relations are left alone.
 *
 * Relations that repeat earlier ones are left out first. Costs for every term as many steps as
 * its cell and the totals above it have relations, squared; cells in more than TACIT__MOST_USES
 * are left out.
 *
 * A direction's level: where a cell is the total of one relation and a part of another, and the two
 * do not cross, the first sums up what is a code of the second: it is below. The level is the
 * longest way up. Where relations go round in a circle there is none, and the level is what was
 * counted until there.
 */
#include "cells/subtables/directions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vector.h"
#include "graph/graph.h"

/* ---- pairs ---- */

static tacit_status pairs_add(tacit__pairs *pairs, int32_t first, int32_t second, tacit_error *err)
{
    return TACIT__PUSH(pairs->list, pairs->room, pairs->count, tacit__pair(first, second))
               ? TACIT_OK
               : tacit__nomem(err);
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void pairs_sort(tacit__pairs *pairs)
{
    int64_t kept = 0;
    if (pairs->count == 0)
        return;
    qsort(pairs->list, (size_t)pairs->count, sizeof *pairs->list, ascending);
    for (int64_t i = 0; i < pairs->count; i++)
        if (i == 0 || pairs->list[i] != pairs->list[kept - 1])
            pairs->list[kept++] = pairs->list[i];
    pairs->count = kept;
}

/* Whether a pair is among sorted ones. */
static bool pairs_have(const tacit__pairs *pairs, int32_t first, int32_t second)
{
    uint64_t pair = tacit__pair(first, second);
    return pairs->count > 0 &&
           bsearch(&pair, pairs->list, (size_t)pairs->count, sizeof pair, ascending) != NULL;
}

/* ---- levels ---- */

bool tacit__directions_cross(const tacit__directions *directions, int32_t one, int32_t other)
{
    return pairs_have(&directions->crossings, one, other);
}

/* Pairs (above, below) at a cell. */
static tacit_status rank_cell(tacit__pairs *pairs, const tacit__directions *d,
                              const tacit__terms *t, int32_t cell, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1]; k++) {
        int32_t below = d->of[t->relation[t->list[k]]];
        if (below < 0 || d->code[t->list[k]] != 0)
            continue;
        for (int32_t m = t->starts[cell]; m < t->starts[cell + 1] && status == TACIT_OK; m++) {
            int32_t above = d->of[t->relation[t->list[m]]];
            if (above >= 0 && d->code[t->list[m]] > 0 && above != below &&
                !tacit__directions_cross(d, above, below))
                status = pairs_add(pairs, above, below, err);
        }
    }
    return status;
}

/* Room for going through directions from the top. */
typedef struct descent {
    int64_t *starts;  /* of each direction's pairs, which are sorted by it */
    int32_t *waiting; /* directions above that were not looked at yet */
    int32_t *queue;
} descent;

static void descend(tacit__directions *d, const tacit__pairs *pairs, descent *down)
{
    int32_t queued = 0;
    for (int64_t i = 0; i < pairs->count; i++) {
        down->starts[(pairs->list[i] >> 32) + 1]++;
        down->waiting[(uint32_t)pairs->list[i]]++;
    }
    for (int32_t i = 0; i < d->count; i++) {
        down->starts[i + 1] += down->starts[i];
        d->level[i] = 0;
        if (down->waiting[i] == 0)
            down->queue[queued++] = i;
    }
    for (int32_t next = 0; next < queued; next++) {
        int32_t above = down->queue[next];
        for (int64_t i = down->starts[above]; i < down->starts[above + 1]; i++) {
            int32_t below = (int32_t)(uint32_t)pairs->list[i];
            if (d->level[below] <= d->level[above])
                d->level[below] = d->level[above] + 1;
            if (--down->waiting[below] == 0)
                down->queue[queued++] = below;
        }
    }
}

/* Fills in the levels; terms as above. */
static tacit_status rank_directions(tacit__directions *directions, const tacit_cells *cells,
                                    const tacit__terms *terms, tacit_error *err)
{
    size_t count = (size_t)directions->count;
    tacit__pairs pairs = {0};
    descent down = {.starts = tacit__alloc_zeroed(count + 1, sizeof *down.starts),
                    .waiting = tacit__alloc_zeroed(count, sizeof *down.waiting),
                    .queue = tacit__alloc_array(count, sizeof *down.queue)};
    tacit_status status = down.starts && down.waiting && down.queue ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++)
        if (tacit__uses(terms, i) <= TACIT__MAX_USES)
            status = rank_cell(&pairs, directions, terms, i, err);
    if (status == TACIT_OK) {
        pairs_sort(&pairs);
        descend(directions, &pairs, &down);
    }
    tacit__free(pairs.list);
    tacit__free(down.starts);
    tacit__free(down.waiting);
    tacit__free(down.queue);
    return status;
}

/* ---- work ---- */

/* What is known of a relation while another is matched. */
typedef struct candidate {
    int32_t seen; /* by this relation; */
    int32_t hits; /* its cells that have a partner here; */
    int32_t last; /* the last of them, by its term */
} candidate;

typedef struct matching {
    const tacit_relations *relations;
    const tacit__terms *terms;
    int32_t *total;        /* a relation each: the term of its total; -1: none, or a repeat */
    bool *repeats;         /* a relation each */
    int32_t *parallel;     /* a relation each: another of its direction (a forest) */
    int32_t *matched;      /* a term each: another of its code */
    candidate *candidates; /* a relation each */
    bool *broken;          /* roots of the forest that are no direction */
    int32_t *stamp;        /* a term or relation each */
    size_t stamp_count;
    int32_t *number;      /* roots: of the direction; -1: not yet */
    tacit__pairs crossed; /* relations */
} matching;

static int32_t first_term(const matching *w, int32_t relation)
{
    return (int32_t)w->relations->starts[relation];
}

static int32_t end_term(const matching *w, int32_t relation)
{
    return (int32_t)w->relations->starts[relation + 1];
}

static int32_t size_of(const matching *w, int32_t relation)
{
    return end_term(w, relation) - first_term(w, relation);
}

/* The term with a sign of its own, preferably minus, among terms of 1 and -1; -1: none. */
static int32_t find_total(const matching *w, int32_t relation)
{
    int32_t count[2] = {0, 0}, last[2] = {-1, -1};
    for (int32_t j = first_term(w, relation); j < end_term(w, relation); j++) {
        double coef = w->relations->coefs[j];
        if (coef != 1 && coef != -1)
            return -1;
        count[coef > 0]++;
        last[coef > 0] = j;
    }
    if (count[0] + count[1] < 2)
        return -1;
    return count[0] == 1 ? last[0] : count[1] == 1 ? last[1] : -1;
}

/* ---- repeats ---- */

/* Equal digests, equal relations; sums over the terms, so that their order does not count. */
typedef struct digest {
    uint64_t sums[2];
    int32_t relation;
} digest;

static int by_sums(const void *left, const void *right)
{
    const digest *a = left, *b = right;
    for (int i = 0; i < 2; i++)
        if (a->sums[i] != b->sums[i])
            return a->sums[i] < b->sums[i] ? -1 : 1;
    return a->relation < b->relation ? -1 : a->relation > b->relation;
}

static digest digest_of(const matching *w, int32_t relation)
{
    digest d = {.relation = relation};
    for (int32_t j = first_term(w, relation); j < end_term(w, relation); j++) {
        uint64_t item = (uint64_t)w->relations->items[j] << 1 | (j == w->total[relation]);
        d.sums[0] += tacit__mix(item + 1);
        d.sums[1] += tacit__mix(~item);
    }
    return d;
}

static tacit_status find_repeats(matching *w, tacit_error *err)
{
    size_t count = 0;
    digest *digests = tacit__alloc_array((size_t)w->relations->count, sizeof *digests);
    if (!digests)
        return tacit__nomem(err);
    for (int32_t r = 0; r < w->relations->count; r++)
        if (w->total[r] >= 0)
            digests[count++] = digest_of(w, r);
    qsort(digests, count, sizeof *digests, by_sums);
    for (size_t i = 1; i < count; i++)
        if (!memcmp(digests[i].sums, digests[i - 1].sums, sizeof digests->sums)) {
            w->repeats[digests[i].relation] = true;
            w->total[digests[i].relation] = -1;
        }
    tacit__free(digests);
    return TACIT_OK;
}

/* ---- matching ---- */

/* Whether a number is stamped for the first time by this one. */
static bool first_stamp(int32_t *stamp, int32_t number, int32_t by)
{
    bool first = stamp[number] != by;
    stamp[number] = by;
    return first;
}

static void unstamp(matching *w)
{
    for (size_t i = 0; i < w->stamp_count; i++)
        w->stamp[i] = -1;
}

/* A cell of relation `a` by its term, the crossing relation by the term of its total's relation:
 * `partner` is that total's term in another relation. */
typedef struct meeting {
    int32_t term;
    int32_t crossing;
    int32_t partner;
} meeting;

typedef tacit_status (*meet_fn)(matching *w, int32_t relation, const meeting *m, tacit_error *err);

/* Counts a partner of a cell; a second one in the same relation spoils it, and so does one that is
 * another cell's partner already, or a total matched with a part. */
static tacit_status count_meeting(matching *w, int32_t relation, const meeting *m, tacit_error *err)
{
    int32_t other = w->terms->relation[m->partner];
    candidate *c = &w->candidates[other];
    (void)err;
    if (c->seen != relation)
        *c = (candidate){.seen = relation, .last = -1};
    bool fits = (m->term == w->total[relation]) == (m->partner == w->total[other]) &&
                c->last != m->term && w->stamp[m->partner] != relation;
    w->stamp[m->partner] = relation;
    c->hits = fits ? c->hits + 1 : INT32_MIN / 2;
    c->last = m->term;
    return TACIT_OK;
}

static tacit_status take_meeting(matching *w, int32_t relation, const meeting *m, tacit_error *err)
{
    int32_t other = w->terms->relation[m->partner];
    if (w->candidates[other].hits != size_of(w, relation))
        return TACIT_OK;
    tacit__sets_join(w->parallel, relation, other);
    tacit__sets_join(w->matched, m->term, m->partner);
    return m->term == first_term(w, relation) ? pairs_add(&w->crossed, relation, m->crossing, err)
                                              : TACIT_OK;
}

/* Calls for every relation through the total of a crossing relation. */
static tacit_status meet_above(matching *w, int32_t relation, meeting m, meet_fn meet,
                               tacit_error *err)
{
    const tacit__terms *t = w->terms;
    tacit_status status = TACIT_OK;
    int32_t above = w->relations->items[w->total[m.crossing]];
    if (tacit__uses(t, above) > TACIT__MAX_USES)
        return TACIT_OK;
    for (int32_t k = t->starts[above]; k < t->starts[above + 1] && status == TACIT_OK; k++) {
        int32_t other = t->relation[t->list[k]];
        m.partner = t->list[k];
        if (other != m.crossing && other != relation && w->total[other] >= 0)
            status = meet(w, relation, &m, err);
    }
    return status;
}

static tacit_status meet_all(matching *w, int32_t relation, meet_fn meet, tacit_error *err)
{
    const tacit__terms *t = w->terms;
    tacit_status status = TACIT_OK;
    for (int32_t j = first_term(w, relation); j < end_term(w, relation); j++) {
        int32_t cell = w->relations->items[j];
        if (tacit__uses(t, cell) > TACIT__MAX_USES)
            return TACIT_OK;
        for (int32_t k = t->starts[cell]; k < t->starts[cell + 1] && status == TACIT_OK; k++) {
            int32_t crossing = t->relation[t->list[k]];
            if (crossing != relation && w->total[crossing] >= 0 && w->total[crossing] != t->list[k])
                status =
                    meet_above(w, relation, (meeting){.term = j, .crossing = crossing}, meet, err);
        }
    }
    return status;
}

static tacit_status match_all(matching *w, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    unstamp(w);
    for (int32_t r = 0; r < w->relations->count; r++)
        w->candidates[r].seen = -1;
    for (int32_t r = 0; r < w->relations->count && status == TACIT_OK; r++) {
        if (w->total[r] < 0)
            continue;
        meet_all(w, r, count_meeting, err);
        status = meet_all(w, r, take_meeting, err);
    }
    return status;
}

/* ---- what does not fit ---- */

static void find_broken(matching *w, const tacit_cells *cells)
{
    const tacit__terms *t = w->terms;
    int32_t relations = w->relations->count, terms = relations ? end_term(w, relations - 1) : 0;
    unstamp(w);
    for (int32_t j = 0; j < terms; j++) /* two cells of one code */
        if (!first_stamp(w->stamp, tacit__sets_find(w->matched, j), t->relation[j]))
            w->broken[tacit__sets_find(w->parallel, t->relation[j])] = true;
    unstamp(w);
    for (int32_t i = 0; i < cells->count; i++) /* a cell twice in a direction */
        for (int32_t k = t->starts[i]; k < t->starts[i + 1]; k++) {
            int32_t root = tacit__sets_find(w->parallel, t->relation[t->list[k]]);
            if (!first_stamp(w->stamp, root, i))
                w->broken[root] = true;
        }
    for (int64_t i = 0; i < w->crossed.count; i++) {
        int32_t one = tacit__sets_find(w->parallel, (int32_t)(w->crossed.list[i] >> 32));
        if (one == tacit__sets_find(w->parallel, (int32_t)(uint32_t)w->crossed.list[i]))
            w->broken[one] = true;
    }
}

/* ---- numbers ---- */

/* A relation that is alone numbers its cells as they come. */
static void number_alone(tacit__directions *d, const matching *w, int32_t relation)
{
    int32_t next = 1;
    for (int32_t j = first_term(w, relation); j < end_term(w, relation); j++)
        d->code[j] = j == w->total[relation] ? 0 : next++;
    d->sums[d->count] = w->total[relation] >= 0;
    d->of[relation] = d->count++;
}

/* Codes are numbered as they are met; the stamp of a code's root is its number, next has
 * the number of the next code of each direction. */
static void number_joined(tacit__directions *d, matching *w, int32_t relation, int32_t *next)
{
    int32_t root = tacit__sets_find(w->parallel, relation);
    if (w->number[root] < 0) {
        w->number[root] = d->count;
        d->sums[d->count] = true;
        next[d->count++] = 1;
    }
    int32_t own = d->of[relation] = w->number[root];
    for (int32_t j = first_term(w, relation); j < end_term(w, relation); j++) {
        int32_t code = tacit__sets_find(w->matched, j);
        if (w->stamp[code] < 0)
            w->stamp[code] = j == w->total[relation] ? 0 : next[own]++;
        d->code[j] = w->stamp[code];
    }
}

static void number_all(tacit__directions *d, matching *w, int32_t *next)
{
    int32_t relations = w->relations->count;
    unstamp(w);
    for (int32_t r = 0; r < relations; r++) {
        bool joined = w->total[r] >= 0 && !w->broken[tacit__sets_find(w->parallel, r)];
        w->number[r] = -1;
        if (w->repeats[r])
            d->of[r] = -1;
        else if (joined)
            number_joined(d, w, r, next);
        else
            number_alone(d, w, r);
    }
}

/* Which directions cross, from the relations that do; not those that were found broken. */
static tacit_status take_crossings(tacit__directions *d, matching *w, tacit_error *err)
{
    tacit__pairs *pairs = &d->crossings;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; i < w->crossed.count && status == TACIT_OK; i++) {
        int32_t one = (int32_t)(w->crossed.list[i] >> 32);
        int32_t other = (int32_t)(uint32_t)w->crossed.list[i];
        if (w->broken[tacit__sets_find(w->parallel, one)] ||
            w->broken[tacit__sets_find(w->parallel, other)])
            continue;
        status = pairs_add(pairs, d->of[one], d->of[other], err);
        if (status == TACIT_OK)
            status = pairs_add(pairs, d->of[other], d->of[one], err);
    }
    pairs_sort(pairs);
    return status;
}

/* ---- the whole ---- */

static tacit_status matching_init(tacit__directions *d, matching *w, tacit_error *err)
{
    size_t relations = (size_t)w->relations->count;
    size_t terms = relations ? (size_t)end_term(w, w->relations->count - 1) : 0;
    w->stamp_count = terms > relations ? terms : relations;
    w->total = tacit__alloc_array(relations, sizeof *w->total);
    w->repeats = tacit__alloc_zeroed(relations, sizeof *w->repeats);
    w->parallel = tacit__alloc_array(relations, sizeof *w->parallel);
    w->matched = tacit__alloc_array(terms, sizeof *w->matched);
    w->candidates = tacit__alloc_array(relations, sizeof *w->candidates);
    w->broken = tacit__alloc_zeroed(relations, sizeof *w->broken);
    w->stamp = tacit__alloc_array(w->stamp_count, sizeof *w->stamp);
    w->number = tacit__alloc_array(relations, sizeof *w->number);
    d->of = tacit__alloc_array(relations, sizeof *d->of);
    d->code = tacit__alloc_array(terms, sizeof *d->code);
    d->sums = tacit__alloc_array(relations, sizeof *d->sums);
    d->level = tacit__alloc_zeroed(relations, sizeof *d->level);
    if (!w->total || !w->repeats || !w->parallel || !w->matched || !w->candidates || !w->broken ||
        !w->stamp || !w->number || !d->of || !d->code || !d->sums || !d->level)
        return tacit__nomem(err);
    for (int32_t r = 0; r < w->relations->count; r++) {
        w->total[r] = find_total(w, r);
        w->parallel[r] = r;
    }
    for (size_t j = 0; j < terms; j++)
        w->matched[j] = (int32_t)j;
    return TACIT_OK;
}

static void matching_clear(matching *w)
{
    tacit__free(w->total);
    tacit__free(w->repeats);
    tacit__free(w->parallel);
    tacit__free(w->matched);
    tacit__free(w->candidates);
    tacit__free(w->broken);
    tacit__free(w->stamp);
    tacit__free(w->number);
    tacit__free(w->crossed.list);
}

static tacit_status find_directions(tacit__directions *d, matching *w, const tacit_cells *cells,
                                    tacit_error *err)
{
    tacit_status status = matching_init(d, w, err);
    if (status == TACIT_OK)
        status = find_repeats(w, err);
    if (status == TACIT_OK)
        status = match_all(w, err);
    if (status != TACIT_OK)
        return status;
    find_broken(w, cells);
    number_all(d, w, d->level); /* which is needed as room for now */
    status = take_crossings(d, w, err);
    return status == TACIT_OK ? rank_directions(d, cells, w->terms, err) : status;
}

tacit_status tacit__directions_new(tacit__directions **out, const tacit_cells *cells,
                                   const tacit__terms *terms, tacit_error *err)
{
    matching w = {.relations = &cells->relations, .terms = terms};
    tacit__directions *d = tacit__alloc_zeroed(1, sizeof *d);
    if (!d)
        return tacit__nomem(err);
    tacit_status status = find_directions(d, &w, cells, err);
    matching_clear(&w);
    if (status == TACIT_OK)
        *out = d;
    else
        tacit__directions_free(d);
    return status;
}

void tacit__directions_free(tacit__directions *directions)
{
    if (!directions)
        return;
    tacit__free(directions->of);
    tacit__free(directions->code);
    tacit__free(directions->sums);
    tacit__free(directions->level);
    tacit__free(directions->crossings.list);
    tacit__free(directions);
}
