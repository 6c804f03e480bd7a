/*
 * sums.c - sums of primary cells within a relation that are known too well.
 *
 * Two cells may be hidden well, and their sum be published in effect: the total less all the
 * others. The sum is judged like a cell that has the contributors of all its parts. A part
 * with level l whose contributions beyond the two largest come to R asks for l + R
 * around its largest contributor (that is what the p % rule's level is made of, Handbook on
 * Statistical Disclosure Control 4.2); the sum's own R counts towards that, and what is missing
 * is its level. Levels below, above and sliding are judged each for itself. Where contributions
 * are not known, every cell is taken to be one contributor's; counts are ones.
 *
 * Cost: where all suppressed cells of the relation are in the sum, it is known, without any
 * program. Else two programs a sum that has a level; sums of one block share their
 * program and blocks are independent tasks.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

typedef struct level {
    double low, high, span;
} level;

/* A sum, and how far it can deviate. */
typedef struct sum {
    int32_t relation;
    int32_t primaries;
    double value;
    level asked;
    double low, high;
    bool unknown;
} sum;

/* What of a sum lies in one block: terms of variables. */
typedef struct part {
    int32_t block;
    int32_t sum;
    int32_t first, count;
    double low, high;
    bool unknown;
} part;

typedef struct term {
    int32_t block, variable; /* counted from the block's first */
    double weight;
} term;

typedef struct owned_share {
    int64_t owner;
    double amount;
} owned_share;

typedef struct sums_work {
    const tacit__inquiry *q;
    int32_t *number; /* of a cell among the suppressed; -1 */
    sum *sums;
    size_t sum_count, sum_capacity;
    part *parts;
    size_t part_count, part_capacity;
    term *terms;
    size_t term_count, term_capacity;
    owned_share *shares;
    size_t share_count, share_capacity;
    int32_t *block_parts; /* blocks + 1, parts being sorted by block */
    int64_t *programs;    /* by block */
} sums_work;

/* ---- levels ---- */

static int compare_shares(const void *left, const void *right)
{
    const owned_share *a = left, *b = right;
    return a->owner < b->owner ? -1 : a->owner > b->owner;
}

/* All but the two largest of what the shares' owners gave. The rest of the total is
 * nobody's that is known. */
static double beyond_two(owned_share *shares, size_t count, double total)
{
    double first = 0, second = 0;
    qsort(shares, count, sizeof *shares, compare_shares);
    for (size_t i = 0; i < count;) {
        double amount = 0;
        int64_t owner = shares[i].owner;
        for (; i < count && shares[i].owner == owner; i++)
            amount += shares[i].amount;
        second = fmax(second, fmin(first, amount));
        first = fmax(first, amount);
    }
    return fmax(0, total - first - second);
}

/* Adds the largest contributions of a cell. Returns its total; NAN: out of memory. */
static double add_shares(sums_work *w, int32_t cell)
{
    const tacit_cells *c = w->q->cells;
    double total = fabs(c->value[cell]);
    bool known = c->top_count >= 2 && !c->shadow && c->freq && c->freq[cell] > 0;
    int32_t many = known ? c->top_count : c->counts ? 2 : 1;
    for (int32_t r = 0; r < many; r++) {
        int64_t at = (int64_t)cell * c->top_count + r;
        double amount = known ? c->top[at] : c->counts ? (total >= r + 1) : total;
        int64_t owner = known && c->top_owner ? c->top_owner[at] : -1;
        if (owner < 0)
            owner = ((int64_t)1 << 32) + (int64_t)cell * TACIT_MAX_TOP + r;
        if (!TACIT__RESERVE_ONE(w->shares, w->share_capacity, w->share_count))
            return NAN;
        w->shares[w->share_count++] = (owned_share){owner, amount};
    }
    return known && c->gross ? c->gross[cell] : total;
}

static void ask(double *most, double own, double beyond)
{
    if (own > 0)
        *most = fmax(*most, own + beyond);
}

/* ---- which sums ---- */

static bool in_sum(const sums_work *w, int64_t j, double side)
{
    const tacit_relations *all = &w->q->cells->relations;
    return w->q->status[all->items[j]] == TACIT_CELL_PRIMARY && all->coefs[j] * side > 0;
}

/* The level of a relation's sum on a side of it; false: out of memory. */
static bool asked_of(sums_work *w, sum *s, double side)
{
    const tacit_cells *c = w->q->cells;
    const tacit_relations *all = &c->relations;
    double total = 0;
    level most = {0};
    w->share_count = 0;
    for (int64_t j = all->starts[s->relation]; j < all->starts[s->relation + 1]; j++) {
        if (!in_sum(w, j, side))
            continue;
        int32_t cell = all->items[j];
        size_t before = w->share_count;
        double own = add_shares(w, cell);
        if (isnan(own))
            return false;
        double beyond = beyond_two(w->shares + before, w->share_count - before, own);
        ask(&most.low, c->lpl[cell], beyond);
        ask(&most.high, c->upl[cell], beyond);
        ask(&most.span, c->spl[cell], 2 * beyond);
        total += own;
        s->value += fabs(all->coefs[j]) * c->value[cell];
        s->primaries++;
    }
    double beyond = s->primaries ? beyond_two(w->shares, w->share_count, total) : 0;
    s->asked = (level){.low = fmax(0, most.low - beyond),
                       .high = fmax(0, most.high - beyond),
                       .span = fmax(0, most.span - 2 * beyond)};
    return true;
}

/* Whether all of the relation that is suppressed is in the sum. */
static bool is_whole(const sums_work *w, int32_t relation, double side)
{
    const tacit_relations *all = &w->q->cells->relations;
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++)
        if (tacit__suppressed(w->q->status[all->items[j]]) && !in_sum(w, j, side))
            return false;
    return true;
}

static int compare_terms(const void *left, const void *right)
{
    const term *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Terms of one variable become one. */
static void unite_terms(sums_work *w, size_t first)
{
    size_t kept = first;
    if (w->term_count == first)
        return;
    qsort(w->terms + first, w->term_count - first, sizeof *w->terms, compare_terms);
    for (size_t i = first; i < w->term_count; i++)
        if (kept > first && !compare_terms(&w->terms[kept - 1], &w->terms[i]))
            w->terms[kept - 1].weight += w->terms[i].weight;
        else
            w->terms[kept++] = w->terms[i];
    w->term_count = kept;
}

static bool add_terms(sums_work *w, int32_t relation, double side)
{
    const tacit__system *s = w->q->system;
    const tacit_relations *all = &w->q->cells->relations;
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        int32_t k = in_sum(w, j, side) ? w->number[all->items[j]] : -1;
        if (k < 0 || s->variable[k] < 0)
            continue;
        int32_t block = s->block_of[s->variable[k]];
        if (!TACIT__RESERVE_ONE(w->terms, w->term_capacity, w->term_count))
            return false;
        w->terms[w->term_count++] = (term){.block = block,
                                           .variable = s->variable[k] - s->block_variables[block],
                                           .weight = s->sign[k] * fabs(all->coefs[j])};
    }
    return true;
}

static bool add_parts(sums_work *w, size_t first)
{
    for (size_t i = first; i < w->term_count; i++) {
        if (i == first || w->terms[i].block != w->terms[i - 1].block) {
            if (!TACIT__RESERVE_ONE(w->parts, w->part_capacity, w->part_count))
                return false;
            w->parts[w->part_count++] = (part){
                .block = w->terms[i].block, .sum = (int32_t)w->sum_count - 1, .first = (int32_t)i};
        }
        w->parts[w->part_count - 1].count++;
    }
    return true;
}

static bool add_sum(sums_work *w, int32_t relation, double side)
{
    sum s = {.relation = relation};
    if (!asked_of(w, &s, side))
        return false;
    if (s.primaries < 2 || (s.asked.low <= 0 && s.asked.high <= 0 && s.asked.span <= 0))
        return true;
    if (!TACIT__PUSH(w->sums, w->sum_capacity, w->sum_count, s))
        return false;
    if (is_whole(w, relation, side))
        return true;
    size_t first = w->term_count;
    if (!add_terms(w, relation, side))
        return false;
    unite_terms(w, first);
    return add_parts(w, first);
}

/* ---- how far they go ---- */

static int compare_parts(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->sum < b->sum ? -1 : a->sum > b->sum;
}

static tacit_status measure_side(part *p, const sums_work *w, tacit__prober *prober, double side,
                                 tacit_error *err)
{
    tacit__tables_verdict verdict;
    const double *values;
    const term *terms = w->terms + p->first;
    double reached = 0;
    for (int32_t i = 0; i < p->count; i++)
        tacit__prober_cost(prober, terms[i].variable, -side * terms[i].weight);
    tacit_status status = tacit__prober_solve(&verdict, &values, prober, err);
    for (int32_t i = 0; i < p->count; i++)
        tacit__prober_cost(prober, terms[i].variable, 0);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < p->count && values; i++)
        reached += terms[i].weight * values[terms[i].variable];
    if (verdict == TACIT__UNBOUNDED)
        reached = side * INFINITY;
    p->unknown |= verdict == TACIT__UNKNOWN;
    p->low = fmin(p->low, reached);
    p->high = fmax(p->high, reached);
    return TACIT_OK;
}

static tacit_status measure_block(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    const sums_work *w = context;
    tacit__tables_block *block = NULL;
    tacit__prober *prober = NULL;
    if (w->block_parts[task] == w->block_parts[task + 1])
        return TACIT_OK;
    tacit_status status = tacit__block_new(&block, w->q->system, (int32_t)task, err);
    if (status == TACIT_OK)
        status = tacit__prober_new(&prober, &w->q->adversary, block, false, err);
    for (int32_t i = w->block_parts[task]; status == TACIT_OK && i < w->block_parts[task + 1];
         i++) {
        status = measure_side(&w->parts[i], w, prober, 1, err);
        if (status == TACIT_OK)
            status = measure_side(&w->parts[i], w, prober, -1, err);
    }
    if (status == TACIT_OK)
        w->programs[task] = tacit__prober_programs(prober);
    tacit__prober_free(prober);
    tacit__block_free(block);
    return status;
}

static tacit_status measure_all(sums_work *w, tacit_error *err)
{
    int32_t blocks = w->q->system->blocks;
    tacit_run run = tacit__asking_run(w->q->adversary.asking);
    w->block_parts = tacit__alloc_zeroed((size_t)blocks + 1, sizeof *w->block_parts);
    w->programs = tacit__alloc_zeroed((size_t)blocks, sizeof *w->programs);
    if (!w->block_parts || !w->programs)
        return tacit__nomem(err);
    if (w->part_count > 0)
        qsort(w->parts, w->part_count, sizeof *w->parts, compare_parts);
    for (size_t i = 0; i < w->part_count; i++)
        w->block_parts[w->parts[i].block + 1]++;
    for (int32_t b = 0; b < blocks; b++)
        w->block_parts[b + 1] += w->block_parts[b];
    return tacit__parallel(&run, "auditing sums", blocks, measure_block, w, err);
}

/* ---- the whole ---- */

static tacit_status prepare(sums_work *w, tacit_error *err)
{
    const tacit__system *s = w->q->system;
    int32_t cells = w->q->cells->count;
    w->number = tacit__alloc_array((size_t)cells, sizeof *w->number);
    if (!w->number)
        return tacit__nomem(err);
    for (int32_t i = 0; i < cells; i++)
        w->number[i] = -1;
    for (int32_t k = 0; k < s->count; k++)
        w->number[s->cells[k]] = k;
    for (int32_t r = 0; r < w->q->cells->relations.count; r++)
        if (!add_sum(w, r, 1) || !add_sum(w, r, -1))
            return tacit__nomem(err);
    return TACIT_OK;
}

static bool too_well(const sum *s)
{
    return s->unknown || !tacit__reaches(-s->low, s->asked.low) ||
           !tacit__reaches(s->high, s->asked.high) ||
           !tacit__reaches(s->high - s->low, s->asked.span);
}

static tacit_status report(tacit_cells_audit *audit, sums_work *w, tacit_error *err)
{
    for (size_t i = 0; i < w->part_count; i++) {
        sum *s = &w->sums[w->parts[i].sum];
        s->low += w->parts[i].low;
        s->high += w->parts[i].high;
        s->unknown |= w->parts[i].unknown;
    }
    for (int32_t b = 0; b < w->q->system->blocks; b++)
        audit->programs += w->programs[b];
    audit->sums = tacit__alloc_array(w->sum_count, sizeof *audit->sums);
    if (!audit->sums)
        return tacit__nomem(err);
    for (size_t i = 0; i < w->sum_count; i++) {
        const sum *s = &w->sums[i];
        if (too_well(s))
            audit->sums[audit->sum_count++] = (tacit_sum_finding){
                .relation = s->relation,
                .value = s->value,
                .low = s->value + s->low,
                .high = s->value + s->high,
                .disclosed = s->unknown || s->high - s->low <= tacit__value_noise(s->value),
                .primaries = s->primaries};
    }
    return TACIT_OK;
}

tacit_status tacit__audit_sums(tacit_cells_audit *audit, const tacit__inquiry *q, tacit_error *err)
{
    sums_work w = {.q = q};
    tacit_status status = prepare(&w, err);
    if (status == TACIT_OK)
        status = measure_all(&w, err);
    if (status == TACIT_OK)
        status = report(audit, &w, err);
    tacit__free(w.number);
    tacit__free(w.sums);
    tacit__free(w.parts);
    tacit__free(w.terms);
    tacit__free(w.shares);
    tacit__free(w.block_parts);
    tacit__free(w.programs);
    return status;
}
