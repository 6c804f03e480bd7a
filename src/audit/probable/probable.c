/*
 * probable.c - records and people linked by probability: blocks, EM, posteriors, and everybody once
 * (audit_probable.h).
 *
 * Records that say the same are compared once. The people to compare are found in blocks: of the
 * columns in which a record can be the fewest people, the first few, and of each the people who can
 * have its value. A misspelling that keeps somebody out of one block leaves him in another; who
 * differs in all of these columns is missed.
 *
 * EM sees the records that come first in an order that is spread over the release, as patterns of
 * levels with the number of people who have each, so a round costs the patterns and not the pairs.
 * m starts where few values are wrong, and as if one record more had been seen that is so.
 *
 * Memory: people times columns, TACIT_PROBABLE_CANDIDATES for each record attacked, and the
 * patterns of at most EM_CLASSES records. Nothing is random, and one thread does it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/probable/probable.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/vector.h"

enum { EM_CLASSES = 2000, EM_PAIRS = 2000000, EM_ROUNDS = 500, CHECKED_PAIRS = 1 << 20 };
enum { LEVEL_BITS = 2, LEVEL_MASK = 3 };

static const double FIRST_M[TACIT_PROBABLE_LEVELS] = {0.90, 0.06, 0.04};
static const double EM_SETTLED = 1e-10;

/* So many people compare with a class of records like this. */
typedef struct pattern {
    uint64_t levels; /* two bits a column */
    double people;
} pattern;

/* Somebody who may be a record of a class. */
typedef struct candidate {
    uint32_t person;
    double likelihood; /* L, relative to anybody's */
} candidate;

/* Records that say the same. */
typedef struct group {
    uint32_t first; /* a record of it */
    double records;
    bool compared, scored;
    size_t candidates; /* where they start */
    int32_t candidate_count;
    double sum; /* of L over all people compared */
    size_t patterns;
    size_t pattern_count; /* of those that EM sees */
} group;

typedef struct linking {
    const tacit_probable_case *c;
    const tacit_probable_options *options;
    const tacit_run *run;
    tacit__probable_column columns[TACIT_MAX_PROBABLE_COLUMNS];
    int32_t count;
    tacit__partition classes;
    group *groups;
    uint32_t *order; /* records as they are attacked */
    int64_t attacked;
    int64_t pairs, checked;
    uint64_t *levels; /* of the people of a record, while they are compared */
    uint32_t *people;
    size_t level_count, level_capacity, people_capacity;
    pattern *patterns;
    size_t pattern_count, pattern_capacity;
    candidate *candidates;
    size_t candidate_count, candidate_capacity;
    double m[TACIT_MAX_PROBABLE_COLUMNS][TACIT_PROBABLE_LEVELS];
    double present;
    int32_t rounds;
} linking;

void tacit_probable_options_init(tacit_probable_options *options)
{
    *options = (tacit_probable_options){
        .passes = 3,
        .max_records = 100000,
        .max_pairs = 20000000,
        .certainty = 0.9,
        .likeness = 0.85,
        .days = 31,
        .near = 0.25,
    };
}

/* ---- who is compared ---- */

static uint32_t released_code(const linking *l, int32_t column, uint32_t record)
{
    return tacit_codes_at(l->columns[column].link->released, record);
}

static uint32_t known_code(const linking *l, int32_t column, uint32_t person)
{
    return tacit_codes_at(l->columns[column].link->known, person);
}

/* The share of the register that a released value can be. */
static double share_same(const linking *l, int32_t column, uint32_t record)
{
    const tacit__probable_column *of = &l->columns[column];
    return of->known > 0
               ? tacit__probable_compatible(of, released_code(l, column, record)) / of->known
               : 1;
}

/* Whether a column tells anything of a record: not everybody can have its value. */
static bool tells(const linking *l, int32_t column, uint32_t record)
{
    return share_same(l, column, record) < 1;
}

static uint64_t compare(linking *l, uint32_t record, uint32_t person)
{
    uint64_t levels = 0;
    for (int32_t i = 0; i < l->count; i++) {
        uint64_t level = tacit__probable_level(&l->columns[i], released_code(l, i, record),
                                               known_code(l, i, person));
        levels |= level << LEVEL_BITS * i;
    }
    return levels;
}

static tacit_status add_pair(linking *l, uint32_t record, uint32_t person, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(l->levels, l->level_capacity, l->level_count) ||
        !TACIT__RESERVE_ONE(l->people, l->people_capacity, l->level_count))
        return tacit__nomem(err);
    l->people[l->level_count] = person;
    l->levels[l->level_count++] = compare(l, record, person);
    l->pairs++;
    return TACIT_OK;
}

/* The columns that tell of a record, those first in which it can be the fewest. */
static int32_t list_blocks(int32_t *blocks, const linking *l, uint32_t record)
{
    double shares[TACIT_MAX_PROBABLE_COLUMNS];
    int32_t count = 0;
    for (int32_t i = 0; i < l->count; i++) {
        double share = share_same(l, i, record);
        int32_t at = count;
        if (share >= 1)
            continue;
        for (; at > 0 && shares[at - 1] > share; at--) {
            shares[at] = shares[at - 1];
            blocks[at] = blocks[at - 1];
        }
        shares[at] = share;
        blocks[at] = i;
        count++;
    }
    return count < l->options->passes ? count : l->options->passes;
}

static bool is_same(linking *l, int32_t column, uint32_t record, uint32_t person)
{
    return tacit__probable_level(&l->columns[column], released_code(l, column, record),
                                 known_code(l, column, person)) == TACIT_PROBABLE_SAME;
}

/* Compares people of a stretch who were in none of the blocks before. */
static tacit_status compare_stretch(linking *l, uint32_t record, const int32_t *blocks,
                                    int32_t pass, uint32_t from, uint32_t to, tacit_error *err)
{
    const uint32_t *order = l->columns[blocks[pass]].order;
    tacit_status status = TACIT_OK;
    for (uint32_t i = from; i < to && status == TACIT_OK; i++) {
        bool before = false;
        for (int32_t p = 0; p < pass && !before; p++)
            before = is_same(l, blocks[p], record, order[i]);
        if (!before)
            status = add_pair(l, record, order[i], err);
    }
    return status;
}

/* Everybody under the value, and those of whom only something more general is known. */
static tacit_status compare_block(linking *l, uint32_t record, const int32_t *blocks, int32_t pass,
                                  tacit_error *err)
{
    const tacit__probable_column *column = &l->columns[blocks[pass]];
    const tacit_link_column *link = column->link;
    uint32_t node = link->released_nodes[released_code(l, blocks[pass], record)];
    tacit_status status = compare_stretch(l, record, blocks, pass, column->starts[node],
                                          column->starts[link->ends[node]], err);
    while (status == TACIT_OK && (node = link->parents[node]) != 0)
        status = compare_stretch(l, record, blocks, pass, column->starts[node],
                                 column->starts[node + 1], err);
    return status;
}

static tacit_status compare_record(linking *l, uint32_t record, tacit_error *err)
{
    int32_t blocks[TACIT_MAX_PROBABLE_COLUMNS];
    tacit_status status = TACIT_OK;
    l->level_count = 0;
    if (l->options->passes == 0)
        for (uint32_t person = 0; person < l->c->link->people && status == TACIT_OK; person++)
            status = add_pair(l, record, person, err);
    int32_t count = list_blocks(blocks, l, record);
    for (int32_t pass = 0; pass < count && status == TACIT_OK; pass++)
        status = compare_block(l, record, blocks, pass, err);
    if (status == TACIT_OK && l->pairs - l->checked > CHECKED_PAIRS) {
        l->checked = l->pairs;
        status = tacit__progress(l->run, "linking", l->pairs, l->options->max_pairs, err);
    }
    return status;
}

/* ---- likelihoods ---- */

/* m / u of every level of a record, a column each; 1 where nothing is said. */
typedef struct ratios {
    double of[TACIT_MAX_PROBABLE_COLUMNS][LEVEL_MASK + 1];
} ratios;

static void make_ratios(ratios *out, const linking *l, uint32_t record)
{
    for (int32_t i = 0; i < l->count; i++) {
        double same = share_same(l, i, record), near = l->columns[i].near;
        const double *m = l->m[i];
        bool telling = tells(l, i, record);
        out->of[i][TACIT_PROBABLE_SAME] = telling && same > 0 ? m[TACIT_PROBABLE_SAME] / same : 1;
        out->of[i][TACIT_PROBABLE_NEAR] =
            telling ? m[TACIT_PROBABLE_NEAR] / ((1 - same) * near) : 1;
        out->of[i][TACIT_PROBABLE_APART] =
            telling ? m[TACIT_PROBABLE_APART] / ((1 - same) * (1 - near)) : 1;
        out->of[i][TACIT_PROBABLE_LEVELS] = 1;
    }
}

static double likelihood_of(uint64_t levels, const ratios *ratio, int32_t count)
{
    double product = 1;
    for (int32_t i = 0; i < count; i++)
        product *= ratio->of[i][levels >> LEVEL_BITS * i & LEVEL_MASK];
    return product;
}

/* The probability of one of the people compared. */
static double posterior_of(const linking *l, double likelihood, double sum)
{
    double prior = l->present / (double)l->c->link->people;
    return prior * likelihood / (1 - l->present + prior * sum);
}

/* ---- EM ---- */

/* The levels of the people compared, put together. */
static tacit_status keep_patterns(linking *l, group *g, tacit_error *err)
{
    g->patterns = l->pattern_count;
    if (l->level_count > 0)
        qsort(l->levels, l->level_count, sizeof *l->levels, tacit__by_uint64);
    for (size_t i = 0; i < l->level_count; i++) {
        if (i > 0 && l->levels[i] == l->levels[i - 1])
            l->patterns[l->pattern_count - 1].people++;
        else if (!TACIT__PUSH(l->patterns, l->pattern_capacity, l->pattern_count,
                              (pattern){l->levels[i], 1}))
            return tacit__nomem(err);
    }
    g->pattern_count = l->pattern_count - g->patterns;
    return TACIT_OK;
}

/* What a round has seen: as if there had been one record more. */
typedef struct tally {
    double m[TACIT_MAX_PROBABLE_COLUMNS][TACIT_PROBABLE_LEVELS];
    double present, records;
} tally;

static void tally_group(tally *t, const linking *l, const group *g)
{
    ratios ratio;
    double sum = 0;
    make_ratios(&ratio, l, g->first);
    for (size_t p = g->patterns; p < g->patterns + g->pattern_count; p++)
        sum += l->patterns[p].people * likelihood_of(l->patterns[p].levels, &ratio, l->count);
    for (size_t p = g->patterns; p < g->patterns + g->pattern_count; p++) {
        uint64_t levels = l->patterns[p].levels;
        double weight = g->records * l->patterns[p].people *
                        posterior_of(l, likelihood_of(levels, &ratio, l->count), sum);
        t->present += weight;
        for (int32_t i = 0; i < l->count; i++)
            if ((levels >> LEVEL_BITS * i & LEVEL_MASK) < TACIT_PROBABLE_LEVELS &&
                tells(l, i, g->first))
                t->m[i][levels >> LEVEL_BITS * i & LEVEL_MASK] += weight;
    }
    t->records += g->records;
}

/* Takes over what a round has found; returns how far it moved. */
static double settle_round(linking *l, tally *t)
{
    double present = (t->present + 0.5) / (t->records + 1), moved = fabs(present - l->present);
    l->present = present;
    for (int32_t i = 0; i < l->count; i++) {
        double all = 1;
        for (int level = 0; level < TACIT_PROBABLE_LEVELS; level++)
            all += t->m[i][level];
        for (int level = 0; level < TACIT_PROBABLE_LEVELS; level++) {
            double m = (t->m[i][level] + FIRST_M[level]) / all;
            moved = fmax(moved, fabs(m - l->m[i][level]));
            l->m[i][level] = m;
        }
    }
    return moved;
}

static tacit_status run_em(linking *l, const uint32_t *seen, size_t count, tacit_error *err)
{
    double moved = 1;
    tally *t = tacit__alloc(sizeof *t);
    tacit_status status = t ? TACIT_OK : tacit__nomem(err);
    l->present = 0.5;
    for (int32_t i = 0; i < l->count; i++)
        memcpy(l->m[i], FIRST_M, sizeof FIRST_M);
    for (l->rounds = 0; status == TACIT_OK && moved > EM_SETTLED && l->rounds < EM_ROUNDS;
         l->rounds++) {
        *t = (tally){.present = 0};
        for (size_t i = 0; i < count; i++)
            tally_group(t, l, &l->groups[seen[i]]);
        moved = settle_round(l, t);
        status = tacit__progress(l->run, "linking", l->pairs, l->options->max_pairs, err);
    }
    tacit__free(t);
    return status;
}

/* Compares the first records in their order, and learns from them. */
static tacit_status estimate(linking *l, tacit_error *err)
{
    uint32_t *seen = tacit__alloc_array(EM_CLASSES, sizeof *seen);
    size_t count = 0;
    tacit_status status = seen ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; i < l->attacked && status == TACIT_OK && count < EM_CLASSES &&
                        l->pairs < EM_PAIRS && l->pairs < l->options->max_pairs;
         i++) {
        uint32_t class = l->classes.class_of[l->order[i]];
        group *g = &l->groups[class];
        if (g->compared)
            continue;
        g->compared = true;
        status = compare_record(l, g->first, err);
        if (status == TACIT_OK)
            status = keep_patterns(l, g, err);
        if (status == TACIT_OK && g->pattern_count > 0)
            seen[count++] = class;
    }
    if (status == TACIT_OK)
        status = run_em(l, seen, count, err);
    tacit__free(seen);
    return status;
}

/* ---- posteriors ---- */

static int by_likelihood(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = TACIT__ORDER(y->likelihood, x->likelihood);
    return order ? order : TACIT__ORDER(x->person, y->person);
}

/* Puts somebody among the likeliest, which are sorted. */
static void offer(candidate *best, int32_t *count, candidate one)
{
    int32_t at = *count;
    if (at < TACIT_PROBABLE_CANDIDATES)
        ++*count;
    else if (by_likelihood(&best[--at], &one) <= 0)
        return;
    for (; at > 0 && by_likelihood(&one, &best[at - 1]) < 0; at--)
        best[at] = best[at - 1];
    best[at] = one;
}

static tacit_status score_group(linking *l, group *g, tacit_error *err)
{
    ratios ratio;
    candidate best[TACIT_PROBABLE_CANDIDATES];
    tacit_status status = compare_record(l, g->first, err);
    if (status != TACIT_OK)
        return status;
    make_ratios(&ratio, l, g->first);
    for (size_t i = 0; i < l->level_count; i++) {
        double likelihood = likelihood_of(l->levels[i], &ratio, l->count);
        g->sum += likelihood;
        offer(best, &g->candidate_count, (candidate){l->people[i], likelihood});
    }
    g->scored = true;
    g->candidates = l->candidate_count;
    for (int32_t i = 0; i < g->candidate_count; i++)
        if (!TACIT__PUSH(l->candidates, l->candidate_capacity, l->candidate_count, best[i]))
            return tacit__nomem(err);
    return TACIT_OK;
}

/* In the order of the attack, until enough pairs have been compared. */
static tacit_status score(linking *l, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t done = 0;
    l->pairs = l->checked = 0; /* those of EM come again */
    for (; done < l->attacked && status == TACIT_OK && l->pairs < l->options->max_pairs; done++) {
        group *g = &l->groups[l->classes.class_of[l->order[done]]];
        if (!g->scored)
            status = score_group(l, g, err);
    }
    l->attacked = done;
    return status;
}

/* ---- everybody once ---- */

typedef struct pairing {
    size_t *starts; /* a record each, one more */
    tacit_assignment_edge *edges;
    uint32_t *people; /* those that edges lead to, ascending */
    uint32_t people_count;
    uint32_t *match;
} pairing;

static bool is_edge(const linking *l, const group *g, int32_t i)
{
    const candidate *one = &l->candidates[g->candidates + (size_t)i];
    return posterior_of(l, one->likelihood, g->sum) >= 1.0 / TACIT_PROBABLE_CANDIDATES;
}

/* Edges with people as they are; returns how many, and counts them only where there are none yet.
 */
static size_t add_edges(pairing *p, const linking *l, const tacit_probable_link *links)
{
    size_t count = 0;
    for (int64_t r = 0; r < l->attacked; r++) {
        const group *g = &l->groups[l->classes.class_of[links[r].record]];
        p->starts[r] = count;
        for (int32_t i = 0; i < g->candidate_count && is_edge(l, g, i); i++, count++) {
            const candidate *one = &l->candidates[g->candidates + (size_t)i];
            double odds = l->present / (double)l->c->link->people * one->likelihood;
            if (p->edges)
                p->edges[count] =
                    (tacit_assignment_edge){one->person, log(odds) - log1p(-l->present)};
        }
    }
    p->starts[l->attacked] = count;
    return count;
}

/* People numbered from 0 on. */
static void number_people(pairing *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        p->people[i] = p->edges[i].column;
    if (count > 0)
        qsort(p->people, count, sizeof *p->people, tacit__by_uint32);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || p->people[i] != p->people[i - 1])
            p->people[p->people_count++] = p->people[i];
    for (size_t i = 0; i < count; i++) {
        const uint32_t *at = bsearch(&p->edges[i].column, p->people, p->people_count,
                                     sizeof *p->people, tacit__by_uint32);
        p->edges[i].column = (uint32_t)(at - p->people);
    }
}

static void take_matches(tacit_probable_link *links, const pairing *p, const linking *l)
{
    for (int64_t r = 0; r < l->attacked; r++) {
        const group *g = &l->groups[l->classes.class_of[links[r].record]];
        if (p->match[r] == TACIT_LINK_NOBODY)
            continue;
        links[r].assigned = p->people[p->match[r]];
        for (int32_t i = 0; i < g->candidate_count; i++) {
            const candidate *one = &l->candidates[g->candidates + (size_t)i];
            if (one->person == links[r].assigned)
                links[r].assigned_posterior = posterior_of(l, one->likelihood, g->sum);
        }
    }
}

static tacit_status assign(tacit_probable_link *links, const linking *l, tacit_error *err)
{
    pairing p = {.starts = tacit__alloc_array((size_t)l->attacked + 1, sizeof *p.starts)};
    tacit_status status = p.starts ? TACIT_OK : tacit__nomem(err);
    size_t count = p.starts ? add_edges(&p, l, links) : 0;
    if (status == TACIT_OK) {
        p.edges = tacit__alloc_array(count + 1, sizeof *p.edges);
        p.people = tacit__alloc_array(count + 1, sizeof *p.people);
        p.match = tacit__alloc_array((size_t)l->attacked + 1, sizeof *p.match);
        status = p.edges && p.people && p.match ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        add_edges(&p, l, links);
        number_people(&p, count);
        status = tacit_assignment_best(p.match, p.starts, p.edges, (uint32_t)l->attacked,
                                       p.people_count, err);
    }
    if (status == TACIT_OK)
        take_matches(links, &p, l);
    tacit__free(p.starts);
    tacit__free(p.edges);
    tacit__free(p.people);
    tacit__free(p.match);
    return status;
}

/* ---- all of it ---- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Records in an order that is spread over the release: steps of the golden section, none twice. */
static tacit_status make_order(linking *l, tacit_error *err)
{
    uint64_t records = (uint64_t)l->c->link->records;
    uint64_t step = (uint64_t)(0.618 * (double)records) + 1;
    while (records > 0 && greatest_divisor(records, step) > 1)
        step++;
    l->attacked =
        (int64_t)records < l->options->max_records ? (int64_t)records : l->options->max_records;
    l->order = tacit__alloc_array((size_t)l->attacked + 1, sizeof *l->order);
    if (!l->order)
        return tacit__nomem(err);
    for (int64_t i = 0; i < l->attacked; i++)
        l->order[i] = (uint32_t)((uint64_t)i * step % records);
    return TACIT_OK;
}

static tacit_status group_records(linking *l, tacit_error *err)
{
    tacit_status status =
        tacit__partition_init(&l->classes, l->c->release, l->c->released, l->count, l->run, err);
    if (status != TACIT_OK)
        return status;
    l->groups = tacit__alloc_zeroed((size_t)l->classes.count + 1, sizeof *l->groups);
    if (!l->groups)
        return tacit__nomem(err);
    for (int64_t i = 0; i < l->classes.count; i++) {
        l->groups[i].first = (uint32_t)l->classes.first[i];
        l->groups[i].records = (double)l->classes.sizes[i];
    }
    return TACIT_OK;
}

static void linking_clear(linking *l)
{
    for (int32_t i = 0; i < l->count; i++)
        tacit__probable_column_clear(&l->columns[i]);
    tacit__partition_clear(&l->classes);
    tacit__free(l->groups);
    tacit__free(l->order);
    tacit__free(l->levels);
    tacit__free(l->people);
    tacit__free(l->patterns);
    tacit__free(l->candidates);
}

static void fill_link(tacit_probable_link *link, const linking *l, uint32_t record)
{
    const group *g = &l->groups[l->classes.class_of[record]];
    *link = (tacit_probable_link){record, TACIT_LINK_NOBODY, 0, TACIT_LINK_NOBODY, 0};
    if (g->candidate_count > 0) {
        link->person = l->candidates[g->candidates].person;
        link->posterior = posterior_of(l, l->candidates[g->candidates].likelihood, g->sum);
    }
}

static void count_links(tacit_probable *out, const linking *l)
{
    const uint32_t *truth = l->c->link->truth;
    out->has_truth = truth != NULL;
    for (int64_t r = 0; r < out->records; r++) {
        const tacit_probable_link *link = &out->links[r];
        uint32_t own = truth ? truth[link->record] : TACIT_LINK_NOBODY;
        bool known = own != TACIT_LINK_NOBODY, linked = link->assigned != TACIT_LINK_NOBODY;
        bool declared = linked && link->assigned_posterior >= l->options->certainty;
        out->assigned += linked;
        out->declared += declared;
        out->expected += link->assigned_posterior;
        out->known += known;
        out->known_assigned += known && linked;
        out->known_declared += known && declared;
        out->right_assigned += known && link->assigned == own;
        out->right_declared += known && declared && link->assigned == own;
    }
}

static int by_record(const void *a, const void *b)
{
    const tacit_probable_link *x = a, *y = b;
    return TACIT__ORDER(x->record, y->record);
}

static tacit_status make_result(tacit_probable **result, const linking *l, tacit_error *err)
{
    tacit_probable *out = tacit__alloc_zeroed(1, sizeof *out);
    if (out)
        out->links = tacit__alloc_array((size_t)l->attacked + 1, sizeof *out->links);
    if (!out || !out->links) {
        tacit_probable_free(out);
        return tacit__nomem(err);
    }
    out->records = l->attacked;
    out->all = l->c->link->records;
    out->people = l->c->link->people;
    out->pairs = l->pairs;
    out->present = l->present;
    out->columns = l->count;
    out->rounds = l->rounds;
    for (int32_t i = 0; i < l->count; i++) {
        memcpy(out->m[i], l->m[i], sizeof out->m[i]);
        out->near[i] = l->columns[i].near;
    }
    for (int64_t r = 0; r < l->attacked; r++)
        fill_link(&out->links[r], l, l->order[r]);
    if (l->attacked > 0)
        qsort(out->links, (size_t)l->attacked, sizeof *out->links, by_record);
    tacit_status status = assign(out->links, l, err);
    if (status != TACIT_OK) {
        tacit_probable_free(out);
        return status;
    }
    count_links(out, l);
    *result = out;
    return TACIT_OK;
}

tacit_status tacit_probable_new(tacit_probable **out, const tacit_probable_case *c,
                                const tacit_probable_options *options, const tacit_run *run,
                                tacit_error *err)
{
    if (c->link->column_count > TACIT_MAX_PROBABLE_COLUMNS)
        return tacit__error(err, TACIT_LIMIT,
                            "linking by probability takes at most %d columns, not %d",
                            TACIT_MAX_PROBABLE_COLUMNS, (int)c->link->column_count);
    if (c->link->person)
        return tacit__error(err, TACIT_INVALID,
                            "linking by probability takes one register of one row for each person");
    linking *l = tacit__alloc_zeroed(1, sizeof *l);
    if (!l)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    l->c = c;
    l->options = options;
    l->run = run;
    while (l->count < c->link->column_count && status == TACIT_OK) {
        status = tacit__probable_column_init(&l->columns[l->count], c, l->count, options, err);
        l->count++;
    }
    if (status == TACIT_OK)
        status = make_order(l, err);
    if (status == TACIT_OK)
        status = group_records(l, err);
    if (status == TACIT_OK)
        status = estimate(l, err);
    if (status == TACIT_OK)
        status = score(l, err);
    if (status == TACIT_OK)
        status = make_result(out, l, err);
    linking_clear(l);
    tacit__free(l);
    return status;
}

void tacit_probable_free(tacit_probable *probable)
{
    if (!probable)
        return;
    tacit__free(probable->links);
    tacit__free(probable);
}
