/*
 * beyond.c - adjusted tables: which primary cells can be on the side that they are not on.
 *
 * A primary cell that was published far enough from its value is below one limit or above another,
 * and the adversary knows both. Tables that keep this for all primary cells at once are no
 * convex set: every combination of sides is a program of its own. So for each primary cell the
 * program is asked with that cell on its other side and all others where they truly are; if there
 * is no such table the others may be anywhere, and one that ends up in its gap is put on either
 * side in turn, as far as NODES programs go. Before that a few programs push many cells over
 * at once: their solution says a side for each, and the program with these sides shows a
 * table in which all of that holds.
 *
 * Only tables with every primary cell on a side count. A cell for which none was found counts as
 * known to be on its own side, though a combination that was not looked at may allow the other.
 *
 * The blocks are those of the table with gaps left out, which is wider than what
 * tables/audit_cells.c looked at: relations imply less of it. Infinite bounds are cut at FAR times
 * the largest number of the block, which shows no less but for ends further out.
 *
 * Cost: at most some 2 NODES programs for each primary cell, mostly one or none. Tasks are so many
 * primary cells of a block and write to places of their own.
 */
#include <math.h>
#include <string.h>

#include "audit/altered/altered.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { NODES = 64, TARGETS = 128, SWEEPS = 4, LEAST_SWEPT = 4 };
#define FAR 1000

typedef enum place { OWN, OTHER, ANY } place;

/* A primary cell in the block's terms: its variable is not between low and high. */
typedef struct gap {
    int32_t cell, variable; /* the latter counted from the block's first */
    int8_t sign;            /* of the cell beside its variable */
    int8_t way;             /* from its own side to the other */
    double low, high;
} gap;

typedef struct piece {
    int32_t block, first, count; /* of gaps, its targets */
    int64_t programs;
} piece;

typedef struct plan {
    tacit__changes *changes;
    const char *status;
    tacit__system *system;
    gap *gaps;       /* by block, then by variable */
    int32_t *starts; /* of a block's gaps: blocks + 1 */
    piece *pieces;
    int32_t piece_count;
} plan;

/* One task's program. */
typedef struct crossing {
    const plan *plan;
    tacit__tables_block *block;
    tacit__prober *prober;
    const gap *gaps, *targets;
    int32_t count, target_count;
    place *places; /* a gap each */
    double close;
    bool exact;   /* ends as far as they go; else no further than asked */
    int nodes;    /* left to look at */
    double *last; /* solution */
} crossing;

/* ---- bounds ---- */

/* The room that a gap's place leaves its variable. */
static void narrow_place(double *low, double *high, const gap *g, place where)
{
    if (where == ANY)
        return;
    if ((g->way > 0) == (where == OWN))
        *high = fmin(*high, g->low);
    else
        *low = fmax(*low, g->high);
}

/* Gives the variable of gap i the bounds that its gaps leave; whether there are any. */
static bool apply(crossing *c, int32_t i)
{
    int32_t v = c->gaps[i].variable, from = i, to = i;
    double low = c->block->lower[v], high = c->block->upper[v];
    while (from > 0 && c->gaps[from - 1].variable == v)
        from--;
    while (to < c->count && c->gaps[to].variable == v)
        to++;
    for (int32_t g = from; g < to; g++)
        narrow_place(&low, &high, &c->gaps[g], c->places[g]);
    if (low > high)
        return false;
    tacit__prober_bounds(c->prober, v, low, high);
    return true;
}

static bool put(crossing *c, int32_t i, place where)
{
    c->places[i] = where;
    return apply(c, i);
}

static bool put_all(crossing *c, place where)
{
    bool all = true;
    for (int32_t i = 0; i < c->count; i++)
        c->places[i] = where;
    for (int32_t i = 0; i < c->count; i++)
        all &= apply(c, i);
    return all;
}

/* ---- witnesses ---- */

static double inside(const crossing *c, const gap *g, double value)
{
    double depth = fmin(value - g->low, g->high - value);
    return depth > c->close ? depth : 0;
}

/* The gap that the last solution is deepest in; -1: none. */
static int32_t deepest(const crossing *c)
{
    int32_t found = -1;
    double most = 0;
    for (int32_t i = 0; i < c->count; i++) {
        double depth = inside(c, &c->gaps[i], c->last[c->gaps[i].variable]);
        if (depth > most) {
            most = depth;
            found = i;
        }
    }
    return found;
}

static bool is_over(const crossing *c, const gap *g, double value)
{
    return g->way > 0 ? value >= g->high - c->close : value <= g->low + c->close;
}

/* Takes note of where the last solution, which is in no gap, has the targets. */
static void take_witness(crossing *c)
{
    tacit__changes *s = c->plan->changes;
    for (int32_t t = 0; t < c->target_count; t++) {
        const gap *g = &c->targets[t];
        double value = c->last[g->variable], deviation = g->sign * value;
        s->shown[0][g->cell] = fmin(s->shown[0][g->cell], deviation);
        s->shown[1][g->cell] = fmax(s->shown[1][g->cell], deviation);
        c->plan->changes->crossed[g->cell] |= is_over(c, g, value);
    }
}

/* Solves; whether there is a solution, in last then. */
static tacit_status solve(bool *found, crossing *c, tacit_error *err)
{
    tacit__tables_verdict verdict;
    const double *values = NULL;
    tacit_status status = tacit__prober_solve(&verdict, &values, c->prober, err);
    *found = status == TACIT_OK && values;
    if (*found)
        memcpy(c->last, values, (size_t)c->block->variables * sizeof *values);
    return status;
}

/* ---- many at once ---- */

static bool is_open(const crossing *c, const gap *g)
{
    return c->plan->changes->asked[g->cell] && !c->plan->changes->crossed[g->cell];
}

static int32_t count_open(const crossing *c)
{
    int32_t count = 0;
    for (int32_t t = 0; t < c->target_count; t++)
        count += is_open(c, &c->targets[t]);
    return count;
}

static void push_open(crossing *c)
{
    for (int32_t t = 0; t < c->target_count; t++)
        tacit__prober_cost(c->prober, c->targets[t].variable, 0);
    for (int32_t t = 0; t < c->target_count; t++)
        if (is_open(c, &c->targets[t]))
            tacit__prober_cost(c->prober, c->targets[t].variable, -c->targets[t].way);
}

/* Every cell to the side that the last solution has it nearer to. */
static bool take_sides(crossing *c)
{
    bool all = true;
    for (int32_t i = 0; i < c->count; i++) {
        const gap *g = &c->gaps[i];
        bool above = c->last[g->variable] > (g->low + g->high) / 2;
        c->places[i] = above == (g->way > 0) ? OTHER : OWN;
    }
    for (int32_t i = 0; i < c->count; i++)
        all &= apply(c, i);
    return all;
}

static tacit_status sweep(crossing *c, tacit_error *err)
{
    bool found = false;
    push_open(c);
    put_all(c, ANY);
    tacit_status status = solve(&found, c, err);
    if (status == TACIT_OK && found && deepest(c) >= 0) {
        found = take_sides(c);
        if (found)
            status = solve(&found, c, err);
    }
    if (status == TACIT_OK && found)
        take_witness(c);
    return status;
}

static tacit_status sweep_all(crossing *c, tacit_error *err)
{
    int32_t before = INT32_MAX, now = count_open(c);
    for (int i = 0; i < SWEEPS && now < before && now >= LEAST_SWEPT; i++) {
        tacit_status status = sweep(c, err);
        if (status != TACIT_OK)
            return status;
        before = now;
        now = count_open(c);
    }
    for (int32_t t = 0; t < c->target_count; t++)
        tacit__prober_cost(c->prober, c->targets[t].variable, 0);
    return TACIT_OK;
}

/* ---- one by one ---- */

/* What is looked for: the target as far as it goes one way, and how far that must be. */
typedef struct quest {
    const gap *target;
    int32_t index; /* of its gap */
    int way;       /* of its variable */
    double best;   /* seen; in that way */
    double enough;
} quest;

/* The solution with these places: too near, a table, or one to split. Recursion is bounded by
 * NODES. */
static tacit_status explore(crossing *c, quest *q, tacit_error *err)
{
    bool found;
    if (c->nodes-- <= 0 || q->best >= q->enough)
        return TACIT_OK;
    tacit_status status = solve(&found, c, err);
    if (status != TACIT_OK || !found || q->way * c->last[q->target->variable] <= q->best + c->close)
        return status;
    int32_t split = deepest(c);
    if (split < 0) {
        q->best = q->way * c->last[q->target->variable];
        take_witness(c);
        return TACIT_OK;
    }
    const gap *g = &c->gaps[split];
    bool above = c->last[g->variable] > (g->low + g->high) / 2;
    place near = above == (g->way > 0) ? OTHER : OWN;
    if (put(c, split, near))
        status = explore(c, q, err);
    if (status == TACIT_OK && put(c, split, near == OWN ? OTHER : OWN))
        status = explore(c, q, err);
    put(c, split, ANY);
    return status;
}

static tacit_status pursue(crossing *c, quest *q, tacit_error *err)
{
    bool over = q->way == q->target->way;
    tacit_status status = TACIT_OK;
    tacit__prober_cost(c->prober, q->target->variable, -q->way);
    c->nodes = NODES;
    if (put_all(c, OWN) && put(c, q->index, over ? OTHER : OWN))
        status = explore(c, q, err);
    put_all(c, ANY);
    if (status == TACIT_OK && q->best < q->enough && put(c, q->index, over ? OTHER : ANY))
        status = explore(c, q, err);
    tacit__prober_cost(c->prober, q->target->variable, 0);
    return status;
}

/* How far its levels want the target's variable to go that way. */
static double wanted(const crossing *c, const gap *g, int way)
{
    const tacit_cells *cells = c->plan->changes->cells;
    return way * g->sign > 0 ? cells->upl[g->cell] : cells->lpl[g->cell];
}

static double seen(const crossing *c, const gap *g, int way)
{
    const tacit__changes *s = c->plan->changes;
    return way * g->sign > 0 ? s->shown[1][g->cell] : -s->shown[0][g->cell];
}

static tacit_status look_one(crossing *c, int32_t t, tacit_error *err)
{
    const gap *g = &c->targets[t];
    int32_t index = (int32_t)(g - c->gaps);
    tacit_status status = TACIT_OK;
    quest over = {.target = g, .index = index, .way = g->way, .enough = INFINITY};
    over.best = c->plan->changes->crossed[g->cell] ? seen(c, g, g->way) : -INFINITY;
    if (!c->exact)
        over.enough = g->way > 0 ? g->low : -g->high;
    if (over.best < over.enough)
        status = pursue(c, &over, err);
    quest back = {.target = g, .index = index, .way = -g->way, .enough = INFINITY};
    back.best = seen(c, g, -g->way);
    if (!c->exact)
        back.enough = wanted(c, g, -g->way) * (1 - TACIT__LEVEL_CLOSE);
    if (status == TACIT_OK && back.best < back.enough)
        status = pursue(c, &back, err);
    return status;
}

/* ---- a task ---- */

static void cut_infinite(tacit__tables_block *b, const gap *gaps, int32_t count)
{
    double largest = 1;
    for (int32_t i = 0; i < b->variables; i++) {
        largest = isfinite(b->lower[i]) ? fmax(largest, -b->lower[i]) : largest;
        largest = isfinite(b->upper[i]) ? fmax(largest, b->upper[i]) : largest;
    }
    for (int32_t i = 0; i < count; i++)
        largest = fmax(largest, fmax(fabs(gaps[i].low), fabs(gaps[i].high)));
    for (int32_t i = 0; i < b->variables; i++) {
        b->lower[i] = fmax(b->lower[i], -FAR * largest);
        b->upper[i] = fmin(b->upper[i], FAR * largest);
    }
}

static tacit_status crossing_new(crossing *c, const piece *mine, tacit_error *err)
{
    const plan *p = c->plan;
    c->gaps = p->gaps + p->starts[mine->block];
    c->count = p->starts[mine->block + 1] - p->starts[mine->block];
    c->targets = p->gaps + mine->first;
    c->target_count = mine->count;
    c->exact = p->changes->exact;
    tacit_status status = tacit__block_new(&c->block, p->system, mine->block, err);
    if (status != TACIT_OK)
        return status;
    cut_infinite(c->block, c->gaps, c->count);
    c->places = tacit__alloc_zeroed((size_t)c->count, sizeof *c->places);
    c->last = tacit__alloc_zeroed((size_t)c->block->variables, sizeof *c->last);
    if (!c->places || !c->last)
        return tacit__nomem(err);
    status = tacit__prober_new(&c->prober, p->changes->adversary, c->block, false, err);
    if (status == TACIT_OK)
        c->close = tacit__prober_close(c->prober);
    return status;
}

static void crossing_clear(crossing *c)
{
    tacit__prober_free(c->prober);
    tacit__block_free(c->block);
    tacit__free(c->places);
    tacit__free(c->last);
}

static int32_t count_asked(const plan *p, const piece *mine)
{
    int32_t count = 0;
    for (int32_t t = 0; t < mine->count; t++)
        count += p->changes->asked[p->gaps[mine->first + t].cell];
    return count;
}

static tacit_status look_piece(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker;
    plan *p = context;
    piece *mine = &p->pieces[task];
    crossing c = {.plan = p};
    if (count_asked(p, mine) == 0)
        return TACIT_OK;
    tacit_status status = crossing_new(&c, mine, err);
    if (status == TACIT_OK)
        status = sweep_all(&c, err);
    for (int32_t t = 0; t < mine->count && status == TACIT_OK; t++)
        if (p->changes->asked[c.targets[t].cell])
            status = look_one(&c, t, err);
    mine->programs = c.prober ? tacit__prober_programs(c.prober) : 0;
    crossing_clear(&c);
    return status;
}

/* ---- the plan ---- */

static gap gap_of(const plan *p, int32_t k, int32_t first)
{
    const tacit__changes *s = p->changes;
    int32_t cell = p->system->cells[k];
    double value = s->cells->value[cell];
    double low = s->side[0][cell] - value, high = s->side[1][cell] - value;
    int8_t sign = p->system->sign[k];
    bool below = s->published[cell] > value;
    return (gap){.cell = cell,
                 .variable = p->system->variable[k] - first,
                 .sign = sign,
                 .way = below == (sign > 0) ? 1 : -1,
                 .low = sign > 0 ? low : -high,
                 .high = sign > 0 ? high : -low};
}

/* Cells with a gap that can move, in the order of their variables: next has room for a number a
 * variable, and one more. */
static void list_gaps(plan *p, int32_t *next)
{
    const tacit__system *s = p->system;
    memset(next, 0, ((size_t)s->variables + 1) * sizeof *next);
    for (int32_t k = 0; k < s->count; k++)
        if (s->variable[k] >= 0 && tacit__has_sides(p->changes, s->cells[k]))
            next[s->variable[k] + 1]++;
    for (int32_t v = 0; v < s->variables; v++)
        next[v + 1] += next[v];
    for (int32_t b = 0; b <= s->blocks; b++)
        p->starts[b] = next[s->block_variables[b]];
    for (int32_t k = 0; k < s->count; k++)
        if (s->variable[k] >= 0 && tacit__has_sides(p->changes, s->cells[k])) {
            int32_t v = s->variable[k];
            p->gaps[next[v]++] = gap_of(p, k, s->block_variables[s->block_of[v]]);
        }
}

static void cut_pieces(plan *p)
{
    for (int32_t b = 0; b < p->system->blocks; b++)
        for (int32_t at = p->starts[b]; at < p->starts[b + 1]; at += TARGETS) {
            int32_t left = p->starts[b + 1] - at;
            p->pieces[p->piece_count++] =
                (piece){.block = b, .first = at, .count = left < TARGETS ? left : TARGETS};
        }
}

static tacit_status plan_new(plan *p, tacit_error *err)
{
    tacit_cells hull = *p->changes->cells;
    hull.lower = p->changes->low;
    hull.upper = p->changes->high;
    tacit_status status = tacit__system_new(&p->system, &hull, p->status, err);
    if (status != TACIT_OK)
        return status;
    size_t n = (size_t)p->system->variables, cells = (size_t)p->system->count;
    int32_t *next = tacit__alloc_array(n + 1, sizeof *next);
    p->gaps = tacit__alloc_array(cells, sizeof *p->gaps);
    p->starts = tacit__alloc_array((size_t)p->system->blocks + 1, sizeof *p->starts);
    p->pieces = tacit__alloc_array(cells, sizeof *p->pieces);
    if (next && p->gaps && p->starts && p->pieces) {
        list_gaps(p, next);
        cut_pieces(p);
    } else {
        status = tacit__nomem(err);
    }
    tacit__free(next);
    return status;
}

static void plan_clear(plan *p)
{
    tacit__system_free(p->system);
    tacit__free(p->gaps);
    tacit__free(p->starts);
    tacit__free(p->pieces);
}

tacit_status tacit__look_beyond(tacit__changes *changes, const char *status, tacit_error *err)
{
    plan p = {.changes = changes, .status = status};
    tacit_status done = plan_new(&p, err);
    if (done == TACIT_OK) {
        tacit_run run = tacit__asking_run(changes->adversary->asking);
        done = tacit__parallel(&run, "auditing sides", p.piece_count, look_piece, &p, err);
    }
    for (int32_t i = 0; i < p.piece_count && done == TACIT_OK; i++)
        changes->programs += p.pieces[i].programs;
    plan_clear(&p);
    return done;
}
