/*
 * demander.c - contributors who know what they gave, and which demands a pattern fails; see
 * keeper.h.
 *
 * Insiders: the only contributor of a cell knows its value. One of two knows that it is no less
 * than what he gave. An owner knows that of all his cells at once (a multi-singleton). Whoever is
 * not numbered has one cell only; of two such contributors of a cell the larger knows all that the
 * other knows. A sort of the facts: cells with one or two contributors, twice at most.
 *
 * For every primary cell, and every sum that is to be hidden, some tables are kept that
 * nobody can rule out and that show how far it moves. They come from flows through suppressed cells
 * only (flow.c), so they move few cells. A contributor who knows what he gave rules out
 * those that move cells of his; few primary cells have no table left then. For each of these a
 * flow with his facts finds another table or says that there is none: a demand that fails.
 *
 * Tables hold as long as all cells that they move are suppressed, so from one pattern to the next
 * only some are looked for anew.
 *
 * Cost: for the first pattern a flow or two for every primary cell and for every such pair; memory:
 * TACIT__WITNESS_TABLES lists of moved cells a primary cell.
 */
#include "cells/suppress/keeper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/cells/inside.h"
#include "cells/suppress/demands.h"

/* The facts of insider k are facts[starts[k]] to facts[starts[k + 1] - 1], by cell. */
typedef struct insiders_list {
    int32_t count;
    int32_t *starts;
    tacit__fact *facts;
} insiders_list;

/* What somebody with these facts has to do with a cell. */
typedef enum part_in {
    TACIT__NO_PART = 0,
    TACIT__ONE_OF_TWO, /* he is one of its contributors */
    TACIT__ALONE       /* he is the only one, and knows it */
} part_in;

/* A fact and whose it is: a number, or beyond all numbers the cell. */
typedef struct whose {
    int64_t insider;
    tacit__fact fact;
} whose;

static int by_insider(const void *left, const void *right)
{
    const whose *a = left, *b = right;
    if (a->insider != b->insider)
        return a->insider < b->insider ? -1 : 1;
    return a->fact.cell < b->fact.cell ? -1 : a->fact.cell > b->fact.cell;
}

/* The number of the r-th contributor; -1: he has none. */
static int32_t owner_of(const tacit_cells *cells, int32_t cell, int32_t r)
{
    bool numbered = cells->top_owner && r < cells->top_count;
    return numbered ? cells->top_owner[(int64_t)cell * cells->top_count + r] : -1;
}

/* What the r-th of two gave for sure: nothing where that is not known, or not of the value. */
static double given_by(const tacit_cells *cells, int32_t cell, int32_t r)
{
    if (cells->shadow || cells->negative)
        return 0;
    if (cells->counts)
        return 1;
    return r < cells->top_count ? cells->top[(int64_t)cell * cells->top_count + r] : 0;
}

/* Facts of a cell's contributors; returns how many, 2 at most. */
static int list_cell(whose *list, const tacit_cells *cells, int32_t cell)
{
    int count = 0, freq = (int)cells->freq[cell];
    for (int r = 0; r < freq; r++) {
        int32_t owner = owner_of(cells, cell, r);
        if (r > 0 && owner < 0 && owner_of(cells, cell, 0) < 0)
            continue;
        whose *w = &list[count++];
        w->insider = owner < 0 ? ((int64_t)1 << 32) + 2 * (int64_t)cell + r : owner;
        w->fact = (tacit__fact){.cell = cell};
        if (freq == 2) {
            w->fact.up = INFINITY;
            w->fact.down = fmax(0, cells->value[cell] - given_by(cells, cell, r));
        }
    }
    return count;
}

/* Whether a fact says more than everybody knows. */
static bool informs(const tacit_cells *cells, const tacit__fact *fact)
{
    double value = cells->value[fact->cell];
    return fact->up < cells->upper[fact->cell] - value ||
           fact->down < value - cells->lower[fact->cell];
}

/* Takes over one insider's facts, if any says something. */
static void take_insider(insiders_list *to, const tacit_cells *cells, const whose *list,
                         int32_t count)
{
    bool any = false;
    int32_t at = to->starts[to->count];
    for (int32_t i = 0; i < count; i++) {
        to->facts[at++] = list[i].fact;
        any |= informs(cells, &list[i].fact);
    }
    if (any)
        to->starts[++to->count] = at;
}

static void group(insiders_list *to, const tacit_cells *cells, const whose *list, int32_t count)
{
    to->starts[0] = 0;
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && list[end].insider == list[first].insider;)
            end++;
        take_insider(to, cells, list + first, end - first);
    }
}

tacit_status tacit__insiders_check(const tacit_cells *cells, tacit_error *err)
{
    if (cells->freq)
        return TACIT_OK;
    return tacit__error(
        err, TACIT_INVALID,
        "checking what contributors can work out needs their number for every cell (column freq)");
}

/* Those who know more than everybody of a cell that may be suppressed. The number of contributors
 * must be known. */
static tacit_status insiders_init(insiders_list *insiders, const tacit_cells *cells,
                                  const char *status, tacit_error *err)
{
    int32_t count = 0, few = 0;
    for (int32_t i = 0; i < cells->count; i++)
        few += cells->freq[i] == 1 || cells->freq[i] == 2;
    whose *list = tacit__alloc_array(2 * (size_t)few, sizeof *list);
    *insiders =
        (insiders_list){.starts = tacit__alloc_array(2 * (size_t)few + 1, sizeof *insiders->starts),
                        .facts = tacit__alloc_array(2 * (size_t)few, sizeof *insiders->facts)};
    bool ready = list && insiders->starts && insiders->facts;
    for (int32_t i = 0; ready && i < cells->count; i++)
        if (cells->freq[i] >= 1 && cells->freq[i] <= 2 && status[i] != TACIT_CELL_FIXED)
            count += list_cell(list + count, cells, i);
    if (ready && count > 0)
        qsort(list, (size_t)count, sizeof *list, by_insider);
    if (ready)
        group(insiders, cells, list, count);
    tacit__free(list);
    return ready ? TACIT_OK : tacit__nomem(err);
}

/* Those who know more than everybody of a cell that may be suppressed. The number of contributors
 * must be known. */
static void insiders_clear(insiders_list *insiders)
{
    tacit__free(insiders->starts);
    tacit__free(insiders->facts);
    *insiders = (insiders_list){0};
}

static part_in insider_part(const tacit__fact *facts, int32_t count, int32_t cell)
{
    for (int32_t f = 0; f < count; f++)
        if (facts[f].cell == cell)
            return facts[f].up > 0 ? TACIT__ONE_OF_TWO : TACIT__ALONE;
    return TACIT__NO_PART;
}

/* How well the sum of a relation's primary cells must be hidden.
 *
 * The sum of two cells that are hidden well may be known all the same: the total less all others.
 * It is to be hidden like a cell with the contributors of both. A primary cell with level l and
 * the rest R of its contributions, those beyond its two largest contributors, keeps its largest
 * contributor hidden by l + R (Handbook on Statistical Disclosure Control, 4.2). The sum has a
 * rest of its own, of whoever contributes to any of its cells, which counts towards that; what is
 * missing of the most that any of its cells asks for is its level. Where contributions are not
 * known a cell is one contributor's; counts are made of ones.
 *
 * Cost: a sort of the contributors of every relation with two primary cells or more. */

/* What one gave to one cell. */
typedef struct gift {
    int64_t giver;
    double amount;
} gift;

/* The sum in hand. */
typedef struct summing {
    const tacit_cells *cells;
    const char *status;
    tacit__demand_term *terms;
    int32_t term_count;
    gift *gifts; /* of all its cells */
    int32_t gift_count;
    gift *sorted;
} summing;

static int by_giver(const void *left, const void *right)
{
    const gift *a = left, *b = right;
    return a->giver < b->giver ? -1 : a->giver > b->giver;
}

/* What is left of a total without its two largest givers. */
static double rest_of(const summing *s, int32_t first, double total)
{
    int32_t count = s->gift_count - first;
    double largest = 0, second = 0, own = 0;
    for (int32_t i = 0; i < count; i++)
        s->sorted[i] = s->gifts[first + i];
    if (count > 0)
        qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_giver);
    for (int32_t i = 0; i < count; i++) {
        own += s->sorted[i].amount;
        if (i + 1 < count && s->sorted[i + 1].giver == s->sorted[i].giver)
            continue;
        second = fmax(second, fmin(largest, own));
        largest = fmax(largest, own);
        own = 0;
    }
    return fmax(0, total - largest - second);
}

static void give(summing *s, int32_t cell, int32_t r, int32_t owner, double amount)
{
    int64_t nobody = ((int64_t)1 << 32) + (int64_t)cell * TACIT_MAX_TOP + r;
    s->gifts[s->gift_count++] = (gift){owner < 0 ? nobody : owner, amount};
}

/* Lists what was given to a cell; returns its total. */
static double list_gifts(summing *s, int32_t cell)
{
    const tacit_cells *c = s->cells;
    double size = fabs(c->value[cell]);
    if (c->top_count >= 2 && !c->shadow && c->freq && c->freq[cell] > 0) {
        for (int32_t r = 0; r < c->top_count; r++) {
            int64_t at = (int64_t)cell * c->top_count + r;
            give(s, cell, r, c->top_owner ? c->top_owner[at] : -1, c->top[at]);
        }
        return c->gross ? c->gross[cell] : size;
    }
    if (!c->counts) {
        give(s, cell, 0, -1, size);
        return size;
    }
    for (int32_t r = 0; r < 2 && r < size; r++)
        give(s, cell, r, -1, 1);
    return size;
}

static double sums_more(double most, double level, double rest)
{
    return level > 0 ? fmax(most, level + rest) : most;
}

/* What the cells of a side of a relation ask for together; zeros: nothing. */
static tacit__need need_of_side(summing *s, int32_t relation, double side)
{
    const tacit_cells *c = s->cells;
    const tacit_relations *all = &c->relations;
    tacit__need most = {0};
    double total = 0;
    s->term_count = s->gift_count = 0;
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        int32_t cell = all->items[j], before = s->gift_count;
        if (s->status[cell] != TACIT_CELL_PRIMARY || all->coefs[j] * side <= 0)
            continue;
        double own = list_gifts(s, cell), rest = rest_of(s, before, own);
        most.up = sums_more(most.up, c->upl[cell], rest);
        most.down = sums_more(most.down, c->lpl[cell], rest);
        most.spread = sums_more(most.spread, c->spl[cell], 2 * rest);
        total += own;
        s->terms[s->term_count++] = (tacit__demand_term){cell, fabs(all->coefs[j])};
    }
    if (s->term_count < 2)
        return (tacit__need){0};
    double rest = rest_of(s, 0, total);
    return (tacit__need){.up = fmax(0, most.up - rest),
                         .down = fmax(0, most.down - rest),
                         .spread = fmax(0, most.spread - 2 * rest)};
}

static tacit_status add_side(tacit__demands *demands, summing *s, int32_t relation, double side,
                             tacit_error *err)
{
    tacit__demand demand = {.need = need_of_side(s, relation, side)};
    demand.terms = s->terms;
    demand.term_count = s->term_count;
    return tacit__needs_any(demand.need) ? tacit__demands_add(demands, &demand, err) : TACIT_OK;
}

/* Adds a demand for every side of a relation whose primary cells ask for sums_more than they give.
 */
static tacit_status sums_add(tacit__demands *demands, const tacit_cells *cells, const char *status,
                             tacit_error *err)
{
    const tacit_relations *all = &cells->relations;
    size_t longest = 0, top = cells->top_count > 2 ? (size_t)cells->top_count : 2;
    for (int32_t r = 0; r < all->count; r++) {
        size_t terms = (size_t)(all->starts[r + 1] - all->starts[r]);
        longest = terms > longest ? terms : longest;
    }
    summing s = {.cells = cells,
                 .status = status,
                 .terms = tacit__alloc_array(longest, sizeof *s.terms),
                 .gifts = tacit__alloc_array(longest * top, sizeof *s.gifts),
                 .sorted = tacit__alloc_array(longest * top, sizeof *s.sorted)};
    tacit_status done = s.terms && s.gifts && s.sorted ? TACIT_OK : tacit__nomem(err);
    for (int32_t r = 0; r < all->count && done == TACIT_OK; r++) {
        done = add_side(demands, &s, r, 1, err);
        if (done == TACIT_OK)
            done = add_side(demands, &s, r, -1, err);
    }
    tacit__free(s.terms);
    tacit__free(s.gifts);
    tacit__free(s.sorted);
    return done;
}

/* ---- */

/* By how much, as a share, a need may be missed. */
#define SLACK 1e-6

/* Nobody in particular. */
enum { EVERYBODY = -1 };

/* A demand that was found to fail. */
typedef struct pair {
    int32_t insider;
    int32_t quarry;
} pair;

struct tacit__demander {
    const tacit_cells *cells;
    double largest;
    insiders_list insiders;
    tacit__demands quarries; /* primary cells, then sums, without facts */
    int32_t primaries;
    tacit__witnesses witnesses; /* tables for every quarry */
    bool *lost;                 /* a quarry each: exposed to everybody */
    pair *pairs;
    size_t pair_count, pair_capacity;
    /* of the pattern in hand */
    tacit__patch part; /* suppressed cells */
    tacit__flow *flow; /* in it */
    int32_t *number;   /* a cell each: its number there; -1: none */
    bool *all;         /* its cells, chosen all */
    double *ones;
    int32_t quarry;                   /* that a flow is for */
    int32_t *movers, *mover_starts;   /* quarries with tables that move a cell, by cell */
    int32_t *candidates, *marked_for; /* quarries; and who looked at each last */
};

/* ---- setting up ---- */

static tacit_status list_primaries(tacit__demander *d, const char *status, tacit_error *err)
{
    tacit_status done = TACIT_OK;
    for (int32_t i = 0; i < d->cells->count && done == TACIT_OK; i++) {
        tacit__demand_term term = {i, 1};
        tacit__demand cell = {.need = tacit__need_of(d->cells, status, i, d->largest),
                              .terms = &term,
                              .term_count = 1};
        if (status[i] == TACIT_CELL_PRIMARY)
            done = tacit__demands_add(&d->quarries, &cell, err);
    }
    return done;
}

static tacit_status list_quarries(tacit__demander *d, const char *status,
                                  const tacit_suppress_options *options, tacit_error *err)
{
    tacit_status done = options->singletons ? tacit__insiders_check(d->cells, err) : TACIT_OK;
    if (done == TACIT_OK && options->singletons)
        done = insiders_init(&d->insiders, d->cells, status, err);
    if (done == TACIT_OK && options->singletons)
        done = list_primaries(d, status, err);
    d->primaries = d->quarries.count;
    if (done == TACIT_OK && options->sums)
        done = sums_add(&d->quarries, d->cells, status, err);
    return done;
}

static tacit_status demander_allocate(tacit__demander *d, tacit_error *err)
{
    size_t quarries = (size_t)d->quarries.count, cells = (size_t)d->cells->count;
    d->lost = tacit__alloc_zeroed(quarries, sizeof *d->lost);
    d->candidates = tacit__alloc_array(quarries, sizeof *d->candidates);
    d->marked_for = tacit__alloc_array(quarries, sizeof *d->marked_for);
    d->number = tacit__alloc_array(cells, sizeof *d->number);
    d->mover_starts = tacit__alloc_array(cells + 2, sizeof *d->mover_starts);
    bool ready = d->lost && d->candidates && d->marked_for && d->number && d->mover_starts;
    return ready ? tacit__witnesses_init(&d->witnesses, d->quarries.count, err) : tacit__nomem(err);
}

tacit_status tacit__demander_new(tacit__demander **out, const tacit_cells *cells,
                                 const char *status, const tacit_suppress_options *options,
                                 tacit_error *err)
{
    tacit__demander *d = NULL;
    *out = NULL;
    if (!options->singletons && !options->sums)
        return TACIT_OK;
    d = tacit__alloc_zeroed(1, sizeof *d);
    if (!d)
        return tacit__nomem(err);
    d->cells = cells;
    d->largest = tacit__largest_value(cells);
    tacit_status done = list_quarries(d, status, options, err);
    if (done == TACIT_OK)
        done = demander_allocate(d, err);
    if (done == TACIT_OK)
        *out = d;
    else
        tacit__demander_free(d);
    return done;
}

static void clear_pattern(tacit__demander *d)
{
    tacit__flow_free(d->flow);
    tacit__patch_clear(&d->part);
    tacit__free(d->all);
    tacit__free(d->ones);
    tacit__free(d->movers);
    d->flow = NULL;
    d->all = NULL;
    d->ones = NULL;
    d->movers = NULL;
}

void tacit__demander_free(tacit__demander *demander)
{
    tacit__demander *d = demander;
    if (!d)
        return;
    clear_pattern(d);
    tacit__witnesses_clear(&d->witnesses);
    tacit__free(d->lost);
    tacit__free(d->pairs);
    tacit__free(d->number);
    tacit__free(d->mover_starts);
    tacit__free(d->candidates);
    tacit__free(d->marked_for);
    insiders_clear(&d->insiders);
    tacit__demands_clear(&d->quarries);
    tacit__free(d);
}

/* ---- flows ---- */

/* Keeps a flow's table for the quarry in hand. */
static tacit_status take_table(void *context, const double *values, double unit, double noise,
                               tacit_error *err)
{
    tacit__demander *d = context;
    const tacit__demand *quarry = &d->quarries.list[d->quarry];
    double moved = 0;
    for (int32_t i = 0; i < quarry->term_count; i++) {
        int32_t cell = d->number[quarry->terms[i].cell];
        moved += cell < 0 ? 0 : quarry->terms[i].weight * values[cell] * unit;
    }
    return tacit__witnesses_take(&d->witnesses, d->quarry, &d->part, values, unit, noise, moved,
                                 err);
}

static tacit_status take_pattern(tacit__demander *d, const tacit__patch *patch, const bool *chosen,
                                 tacit_error *err)
{
    tacit_status status = tacit__patch_of_chosen(&d->part, patch, chosen, err);
    if (status != TACIT_OK)
        return status;
    size_t count = (size_t)d->part.count;
    d->all = tacit__alloc_array(count, sizeof *d->all);
    d->ones = tacit__alloc_array(count, sizeof *d->ones);
    if (!d->all || !d->ones)
        return tacit__nomem(err);
    for (int32_t i = 0; i < d->cells->count; i++)
        d->number[i] = -1;
    for (size_t i = 0; i < count; i++) {
        d->number[d->part.cells[i]] = (int32_t)i;
        d->all[i] = true;
        d->ones[i] = 1;
    }
    status = tacit__flow_new(&d->flow, &d->part, err);
    if (status == TACIT_OK)
        tacit__flow_tell(d->flow, take_table, d);
    return status;
}

/* Looks for tables that show it; found false: there are none. */
static tacit_status look_for(bool *found, int64_t *iterations, tacit__demander *d, int32_t quarry,
                             const tacit__demand *asked, const tacit_run *run, tacit_error *err)
{
    tacit__flow_answer answer = {0};
    *found = false;
    tacit__demands_empty(&d->part.demands);
    tacit_status status = tacit__demands_add_numbered(&d->part.demands, asked, d->number, err);
    if (status != TACIT_OK || d->part.demands.count == 0)
        return status;
    d->quarry = quarry;
    tacit__flow_forget(d->flow, NULL);
    status = tacit__flow_protect(&answer, d->flow, d->part.count, d->all, d->ones, run, err);
    *iterations += answer.iterations;
    *found = answer.found;
    return status;
}

/* ---- demands that fail ---- */

static bool was_added(const tacit__demander *d, pair p)
{
    for (size_t i = 0; i < d->pair_count; i++)
        if (d->pairs[i].insider == p.insider && d->pairs[i].quarry == p.quarry)
            return true;
    return false;
}

/* One that the programs of others find kept, and this one not, is not added again: rounding. */
static tacit_status add(int32_t *added, tacit__demander *d, tacit__patch *patch, pair p,
                        const tacit__demand *demand, tacit_error *err)
{
    if (was_added(d, p))
        return TACIT_OK;
    if (!TACIT__PUSH(d->pairs, d->pair_capacity, d->pair_count, p))
        return tacit__nomem(err);
    ++*added;
    return tacit__demands_add(&patch->demands, demand, err);
}

/* What everybody knows: tables for all quarries, and sums that fail. */
static tacit_status ask_everybody(int32_t *added, int64_t *iterations, tacit__demander *d,
                                  tacit__patch *patch, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < d->quarries.count && status == TACIT_OK; i++) {
        const tacit__demand *quarry = &d->quarries.list[i];
        bool found = tacit__witnesses_show(&d->witnesses, i, quarry, -1, SLACK);
        if (!found)
            status = look_for(&found, iterations, d, i, quarry, run, err);
        d->lost[i] = !found;
        if (status == TACIT_OK && !found && i >= d->primaries)
            status = add(added, d, patch, (pair){EVERYBODY, i}, quarry, err);
    }
    return status;
}

/* Which primary cells have tables that move a cell. */
static tacit_status list_movers(tacit__demander *d, tacit_error *err)
{
    int32_t *starts = d->mover_starts;
    memset(starts, 0, ((size_t)d->cells->count + 2) * sizeof *starts);
    for (int32_t i = 0; i < TACIT__WITNESS_TABLES * d->primaries; i++)
        for (int32_t k = 0; k < d->witnesses.tables[i].count; k++)
            starts[d->witnesses.tables[i].cells[k] + 2]++;
    for (int32_t i = 0; i <= d->cells->count; i++)
        starts[i + 1] += starts[i];
    d->movers = tacit__alloc_array((size_t)starts[d->cells->count + 1], sizeof *d->movers);
    if (!d->movers)
        return tacit__nomem(err);
    for (int32_t i = 0; i < TACIT__WITNESS_TABLES * d->primaries; i++)
        for (int32_t k = 0; k < d->witnesses.tables[i].count; k++)
            d->movers[starts[d->witnesses.tables[i].cells[k] + 1]++] = i / TACIT__WITNESS_TABLES;
    for (int32_t i = 0; i < d->primaries; i++)
        d->marked_for[i] = EVERYBODY;
    return TACIT_OK;
}

/* Primary cells that an insider's facts may say more of; returns how many. */
static int32_t list_candidates(tacit__demander *d, int32_t insider)
{
    int32_t count = 0;
    for (int32_t f = d->insiders.starts[insider]; f < d->insiders.starts[insider + 1]; f++) {
        int32_t cell = d->insiders.facts[f].cell;
        for (int32_t k = d->mover_starts[cell]; k < d->mover_starts[cell + 1]; k++) {
            int32_t quarry = d->movers[k];
            if (d->marked_for[quarry] == insider || d->lost[quarry])
                continue;
            d->marked_for[quarry] = insider;
            d->candidates[count++] = quarry;
        }
    }
    return count;
}

/* What an insider must not find out of a primary cell: as little as everybody, and of one that he
 * contributes to himself not all. */
static tacit__demand demand_of(const tacit__demander *d, int32_t insider, int32_t quarry)
{
    tacit__demand demand = d->quarries.list[quarry];
    int32_t cell = demand.terms->cell;
    demand.facts = d->insiders.facts + d->insiders.starts[insider];
    demand.fact_count = d->insiders.starts[insider + 1] - d->insiders.starts[insider];
    part_in part = insider_part(demand.facts, demand.fact_count, cell);
    double least = tacit__least_spread(d->cells, cell, d->largest);
    if (part != TACIT__NO_PART)
        demand.need = (tacit__need){.spread = part == TACIT__ALONE ? 0 : least};
    return demand;
}

static tacit_status ask_insider(int32_t *added, int64_t *iterations, tacit__demander *d,
                                tacit__patch *patch, int32_t insider, const tacit_run *run,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int32_t count = list_candidates(d, insider);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        int32_t quarry = d->candidates[i];
        tacit__demand demand = demand_of(d, insider, quarry);
        bool found = tacit__witnesses_show(&d->witnesses, quarry, &demand, -1, SLACK);
        if (!found)
            status = look_for(&found, iterations, d, quarry, &demand, run, err);
        if (status == TACIT_OK && !found)
            status = add(added, d, patch, (pair){insider, quarry}, &demand, err);
    }
    return status;
}

tacit_status tacit__demander_find(int32_t *added, int64_t *iterations, tacit__demander *demander,
                                  tacit__patch *patch, const bool *chosen, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__demander *d = demander;
    *added = 0;
    tacit__witnesses_within(&d->witnesses, chosen);
    tacit_status status = take_pattern(d, patch, chosen, err);
    if (status == TACIT_OK)
        status = ask_everybody(added, iterations, d, patch, run, err);
    if (status == TACIT_OK)
        status = list_movers(d, err);
    for (int32_t k = 0; k < d->insiders.count && status == TACIT_OK; k++)
        status = ask_insider(added, iterations, d, patch, k, run, err);
    clear_pattern(d);
    return status;
}

static tacit_status hopeless(const tacit__demander *d, const tacit__patch *patch,
                             const tacit__demand *lost, tacit_error *err)
{
    const char *reason =
        lost->fact_count > 0
            ? "a contributor can work it out from his own contribution, even if all cells that may "
              "be suppressed are; allow more cells to be suppressed, or require less protection"
            : "its sum with the other primary cells of a relation is known too well, even if all "
              "cells that may be suppressed are; allow more cells to be suppressed, or require "
              "less protection";
    return tacit__cell_error(d->cells, patch->cells[lost->terms->cell], TACIT_INFEASIBLE, err,
                             reason);
}

tacit_status tacit__demander_grow(bool *chosen, int64_t *iterations,
                                  const tacit__demander *demander, const tacit__patch *patch,
                                  tacit__flow *flow, int32_t last, const tacit_run *run,
                                  tacit_error *err)
{
    int32_t count = patch->demands.count;
    tacit_status status = TACIT_OK;
    tacit__flow_forget(flow, NULL);
    for (int32_t k = count - last; k < count && status == TACIT_OK; k++) {
        tacit__flow_answer answer = {0};
        status =
            tacit__flow_protect(&answer, flow, patch->count + k, chosen, patch->cost, run, err);
        *iterations += answer.iterations;
        if (status == TACIT_OK && !answer.found)
            status = hopeless(demander, patch, &patch->demands.list[k], err);
    }
    return status;
}
