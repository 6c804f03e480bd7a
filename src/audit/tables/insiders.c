/*
 * insiders.c - what contributors find out who know what they gave themselves.
 *
 * A cell's only contributor knows its value; a contributor of a cell with two knows that it
 * is no less than what he gave. An owner knows so much of all his cells at once. For every such
 * insider and every block he knows something of, the block's programs are solved once more
 * with his bounds: which primary cells of others, well enough hidden from everybody else, does
 * he know exactly or closer than their levels? Of his own cells with other contributors only
 * exact values count: how much he may know of those is a matter of the primary rule.
 *
 * Without owners' numbers every cell has contributors of its own.
 *
 * Cost: a few programs an insider and block. Insiders are independent tasks.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* One thing that somebody knows: the cell (by its number among the suppressed) is no less
 * than its value less room. */
typedef struct fact {
    int64_t insider;
    int32_t block;
    int32_t cell;
    double room;
    bool sole; /* nobody else contributes */
} fact;

/* Facts of one insider in one block, and what follows. */
typedef struct group {
    int32_t first, count;
    tacit_singleton_finding *list;
    size_t found, capacity;
    int64_t programs;
} group;

typedef struct work {
    const tacit__inquiry *q;
    const tacit_cells_audit *audit;
    fact *facts;
    size_t fact_count, fact_capacity;
    group *groups;
    int32_t group_count;
    int32_t *starts; /* blocks + 1 (and one to spare): where a block's cells start in members */
    int32_t *members;
} work;

/* ---- what is known to whom ---- */

static bool add_fact(work *w, fact f)
{
    if (!TACIT__PUSH(w->facts, w->fact_capacity, w->fact_count, f))
        return false;
    return true;
}

/* The r-th contributor; those without a number are their own, by cell. */
static int64_t contributor(const tacit_cells *cells, int32_t cell, int32_t r)
{
    int32_t owner = -1;
    if (cells->top_owner && r < cells->top_count)
        owner = cells->top_owner[(int64_t)cell * cells->top_count + r];
    return owner >= 0 ? owner : ((int64_t)1 << 32) + 2 * (int64_t)cell + r;
}

/* What the r-th gave; 0 where that is not known. */
static double contribution(const tacit_cells *cells, int32_t cell, int32_t r)
{
    if (cells->shadow || cells->negative)
        return 0;
    if (cells->counts)
        return 1;
    return r < cells->top_count ? cells->top[(int64_t)cell * cells->top_count + r] : 0;
}

static bool add_facts(work *w, int32_t k)
{
    const tacit__system *s = w->q->system;
    const tacit_cells *cells = w->q->cells;
    int32_t cell = s->cells[k];
    int64_t freq = cells->freq[cell];
    fact f = {.cell = k, .block = s->block_of[s->variable[k]], .sole = freq == 1};
    bool added = true;
    for (int32_t r = 0; r < freq && added; r++) {
        f.insider = contributor(cells, cell, r);
        f.room = f.sole ? 0 : fmax(0, cells->value[cell] - contribution(cells, cell, r));
        added = add_fact(w, f);
    }
    return added;
}

static int compare_facts(const void *left, const void *right)
{
    const fact *a = left, *b = right;
    if (a->insider != b->insider)
        return a->insider < b->insider ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static tacit_status list_facts(work *w, tacit_error *err)
{
    const tacit__system *s = w->q->system;
    for (int32_t k = 0; k < s->count; k++) {
        int64_t freq = w->q->cells->freq[s->cells[k]];
        if (s->variable[k] >= 0 && freq >= 1 && freq <= 2 && !add_facts(w, k))
            return tacit__nomem(err);
    }
    if (w->fact_count > 0)
        qsort(w->facts, w->fact_count, sizeof *w->facts, compare_facts);
    w->groups = tacit__alloc_zeroed(w->fact_count, sizeof *w->groups);
    if (!w->groups)
        return tacit__nomem(err);
    for (size_t i = 0; i < w->fact_count; i++) {
        const fact *f = &w->facts[i];
        if (i == 0 || f[-1].insider != f->insider || f[-1].block != f->block)
            w->groups[w->group_count++].first = (int32_t)i;
        w->groups[w->group_count - 1].count++;
    }
    return TACIT_OK;
}

/* Suppressed cells block by block. */
static tacit_status list_members(work *w, tacit_error *err)
{
    const tacit__system *s = w->q->system;
    w->starts = tacit__alloc_zeroed((size_t)s->blocks + 2, sizeof *w->starts);
    w->members = tacit__alloc_array((size_t)s->count, sizeof *w->members);
    if (!w->starts || !w->members)
        return tacit__nomem(err);
    for (int32_t k = 0; k < s->count; k++)
        if (s->variable[k] >= 0)
            w->starts[s->block_of[s->variable[k]] + 2]++;
    for (int32_t b = 0; b <= s->blocks; b++)
        w->starts[b + 1] += w->starts[b];
    for (int32_t k = 0; k < s->count; k++)
        if (s->variable[k] >= 0)
            w->members[w->starts[s->block_of[s->variable[k]] + 1]++] = k;
    return TACIT_OK;
}

/* ---- one insider in one block ---- */

typedef struct trial {
    const work *w;
    group *g;
    int32_t block_number, first; /* variable */
    tacit__tables_block *block;
    tacit__tables_extent extent;
    bool *wanted;
    int32_t *targets, target_count;
} trial;

static const fact *facts_of(const trial *t)
{
    return t->w->facts + t->g->first;
}

static void tighten(trial *t)
{
    const tacit__system *s = t->w->q->system;
    for (int32_t i = 0; i < t->g->count; i++) {
        const fact *f = &facts_of(t)[i];
        int32_t v = s->variable[f->cell] - t->first;
        double *low = &t->block->lower[v], *high = &t->block->upper[v];
        if (f->sole)
            *low = *high = 0;
        else if (s->sign[f->cell] > 0)
            *low = fmax(*low, -f->room);
        else
            *high = fmin(*high, f->room);
    }
}

/* Whether the insider contributes to the cell: 1 among others, 2 alone. */
static int own(const trial *t, int32_t k)
{
    for (int32_t i = 0; i < t->g->count; i++)
        if (facts_of(t)[i].cell == k)
            return 1 + facts_of(t)[i].sole;
    return 0;
}

/* Whether there is anything left for him to find out of the cell. */
static bool hidden(const trial *t, int32_t k)
{
    const tacit__inquiry *q = t->w->q;
    return q->status[q->system->cells[k]] == TACIT_CELL_PRIMARY &&
           !t->w->audit->cells[k].disclosed && own(t, k) != 2;
}

/* Variables of hidden cells that move, each once. */
static void choose_targets(trial *t)
{
    const tacit__system *s = t->w->q->system;
    const int32_t *starts = t->w->starts + t->block_number;
    for (int32_t i = starts[0]; i < starts[1]; i++)
        if (hidden(t, t->w->members[i]))
            t->wanted[s->variable[t->w->members[i]] - t->first] = true;
    for (int32_t v = 0; v < t->block->variables; v++)
        if (t->wanted[v] && t->extent.moves[v])
            t->targets[t->target_count++] = v;
}

static tacit_status judge_cell(trial *t, int32_t k, tacit_error *err)
{
    const tacit__inquiry *q = t->w->q;
    const tacit__system *s = q->system;
    const tacit_cells *cells = q->cells;
    int32_t cell = s->cells[k], v = s->variable[k] - t->first;
    const tacit__tables_extent *e = &t->extent;
    double low = s->sign[k] > 0 ? e->low[v] : -e->high[v], value = cells->value[cell];
    double high = s->sign[k] > 0 ? e->high[v] : -e->low[v];
    if (!e->moves[v])
        low = high = 0;
    bool disclosed = e->unknown[v] || high - low <= tacit__value_noise(value);
    bool kept = tacit__reaches(-low, cells->lpl[cell]) && tacit__reaches(high, cells->upl[cell]) &&
                tacit__reaches(high - low, cells->spl[cell]);
    bool known_before = t->w->audit->cells[k].underprotected || own(t, k);
    if (!disclosed && (kept || known_before))
        return TACIT_OK;
    group *g = t->g;
    return TACIT__PUSH(g->list, g->capacity, g->found,
                       (tacit_singleton_finding){.insider = s->cells[facts_of(t)->cell],
                                                 .cell = cell,
                                                 .low = value + low,
                                                 .high = value + high,
                                                 .disclosed = disclosed})
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status try_block(trial *t, tacit_error *err)
{
    const tacit__inquiry *q = t->w->q;
    tacit__needs needs = tacit__block_needs(q, t->block_number);
    tighten(t);
    tacit_status status = tacit__find_moves(&t->extent, &q->adversary, t->block, err);
    if (status != TACIT_OK)
        return status;
    choose_targets(t);
    status = tacit__find_ranges(&t->extent, &q->adversary, t->block, &needs, t->targets,
                                t->target_count, err);
    const int32_t *starts = t->w->starts + t->block_number;
    for (int32_t i = starts[0]; status == TACIT_OK && i < starts[1]; i++)
        if (hidden(t, t->w->members[i]))
            status = judge_cell(t, t->w->members[i], err);
    t->g->programs = t->extent.programs;
    return status;
}

static tacit_status trial_reserve(trial *t, tacit_error *err)
{
    size_t n = (size_t)t->block->variables;
    t->extent.low = tacit__alloc_zeroed(n, sizeof *t->extent.low);
    t->extent.high = tacit__alloc_zeroed(n, sizeof *t->extent.high);
    t->extent.moves = tacit__alloc_zeroed(n, sizeof *t->extent.moves);
    t->extent.unknown = tacit__alloc_zeroed(n, sizeof *t->extent.unknown);
    t->wanted = tacit__alloc_zeroed(n, sizeof *t->wanted);
    t->targets = tacit__alloc_array(n, sizeof *t->targets);
    bool all = t->extent.low && t->extent.high && t->extent.moves && t->extent.unknown &&
               t->wanted && t->targets;
    return all ? TACIT_OK : tacit__nomem(err);
}

static tacit_status run_group(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    const work *w = context;
    trial t = {.w = w, .g = &w->groups[task]};
    t.block_number = facts_of(&t)->block;
    t.first = w->q->system->block_variables[t.block_number];
    tacit_status status = tacit__block_new(&t.block, w->q->system, t.block_number, err);
    if (status == TACIT_OK)
        status = trial_reserve(&t, err);
    if (status == TACIT_OK)
        status = try_block(&t, err);
    tacit__block_free(t.block);
    tacit__free(t.extent.low);
    tacit__free(t.extent.high);
    tacit__free(t.extent.moves);
    tacit__free(t.extent.unknown);
    tacit__free(t.wanted);
    tacit__free(t.targets);
    return status;
}

/* ---- the whole ---- */

static tacit_status gather(tacit_cells_audit *audit, const work *w, tacit_error *err)
{
    size_t count = 0;
    for (int32_t i = 0; i < w->group_count; i++)
        count += w->groups[i].found;
    if (count > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "contributors find out more than can be listed");
    audit->singletons = tacit__alloc_array(count, sizeof *audit->singletons);
    if (!audit->singletons)
        return tacit__nomem(err);
    for (int32_t i = 0; i < w->group_count; i++) {
        for (size_t j = 0; j < w->groups[i].found; j++)
            audit->singletons[audit->singleton_count++] = w->groups[i].list[j];
        audit->programs += w->groups[i].programs;
    }
    return TACIT_OK;
}

static void work_clear(work *w)
{
    for (int32_t i = 0; i < w->group_count; i++)
        tacit__free(w->groups[i].list);
    tacit__free(w->groups);
    tacit__free(w->facts);
    tacit__free(w->starts);
    tacit__free(w->members);
}

tacit_status tacit__audit_insiders(tacit_cells_audit *audit, const tacit__inquiry *q,
                                   tacit_error *err)
{
    work w = {.q = q, .audit = audit};
    if (!q->cells->freq)
        return tacit__error(err, TACIT_INVALID,
                            "checking what contributors can work out needs their number for every "
                            "cell (column freq)");
    tacit_status status = list_members(&w, err);
    if (status == TACIT_OK)
        status = list_facts(&w, err);
    if (status == TACIT_OK) {
        tacit_run run = tacit__asking_run(q->adversary.asking);
        status =
            tacit__parallel(&run, "auditing for contributors", w.group_count, run_group, &w, err);
    }
    if (status == TACIT_OK)
        status = gather(audit, &w, err);
    work_clear(&w);
    return status;
}
