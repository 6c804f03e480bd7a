/*
 * exact.c - the cheapest pattern that protects a patch (Fischetti and Salazar 2001).
 *
 *     minimize  sum of cost_i x_i,  x_i 0 or 1,  such that the adversary's programs leave every
 *     suppressed cell as much room as it needs
 *
 * The second half stands for more inequalities than could be written down. So the program starts
 * without any; its solution is shown to the adversary (adversary.c), who answers with those it
 * breaks, until it breaks none. What is fractional then is branched on, depth first, the cell
 * suppressed before it is published, with inequalities found on the way valid everywhere.
 *
 * A pattern to begin with comes from flows (flow.c), one for each need, trimmed of what is not
 * needed; another once the first program is solved, with its solution for a guide. They decide
 * what need not be looked at: branches, and cells whose reduced costs say that they
 * are not in any better pattern.
 *
 * Limits are on simplex iterations and nodes, so results do not depend on the clock. When one
 * is reached the best pattern so far is given, which protects all the same.
 */
#include "cells/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/adversary.h"
#include "cells/chooser.h"
#include "cells/flow.h"
#include "cells/trim.h"

/* By how much, as a share, a need may be missed: by fractions, and by patterns. */
#define SLACK_FRACTION 1e-3
#define SLACK_WHOLE    1e-6

/* Rounds of inequalities before it is branched. */
enum { ROOT_ROUNDS = 100, NODE_ROUNDS = 4 };

/* A branch to look at: the column fixed last, and how many were fixed. */
typedef struct node {
    int32_t depth;
    int32_t column;
    double value;
    double bound;
} node;

typedef struct search {
    tacit__patch *patch;
    const tacit__exact_limits *limits;
    const tacit_run *run;
    tacit__exact_result *result;
    tacit__chooser chooser;
    tacit__adversary *adversary;
    tacit__flow *flow;
    tacit__seen known; /* what suppressed cells show of themselves */
    bool *best;
    double best_cost; /* by the chooser's costs */
    bool *trial;
    int32_t *order;      /* columns, dearest first */
    int32_t *cell_order; /* their cells */
    int32_t *needy;      /* suppressed cells, those that need most first */
    int32_t needy_count;
    double *weights;
    double *whole;  /* a pattern for the adversary */
    int32_t *fixed; /* columns fixed on the way to the node in hand */
    int32_t depth;
    bool *out; /* columns that are 0 for good */
    node *stack;
    size_t stack_room;
    int32_t stacked;
} search;

static double column_cost(const search *s, int32_t column)
{
    const tacit__chooser *m = &s->chooser;
    return s->patch->cost[m->cell_of[column]] / m->scale + m->little;
}

static double cost_of(const search *s, const bool *chosen)
{
    double cost = 0;
    for (int32_t c = 0; c < s->chooser.columns; c++)
        cost += chosen[s->chooser.cell_of[c]] ? column_cost(s, c) : 0;
    return cost;
}

/* Whether nothing of this cost can lead to a better pattern. */
static bool too_dear(const search *s, double cost)
{
    double gap = s->chooser.step > 0 ? 0.9 * s->chooser.little : 1e-9 * (1 + s->best_cost);
    return cost > s->best_cost - gap;
}

/* What an iteration counts for. */
static int64_t work_size(const search *s)
{
    return (int64_t)s->patch->count + s->patch->rows;
}

static bool exhausted(const search *s)
{
    return s->result->iterations * work_size(s) >= s->limits->work ||
           s->result->nodes >= s->limits->nodes;
}

/* ---- patterns ---- */

/* How many needs the suppressed cells leave to be met; what they show is known from now on. */
static tacit_status count_failed(int32_t *failed, search *s, tacit_error *err)
{
    int64_t *iterations = &s->result->iterations;
    tacit__question question = {.pattern = s->whole, .slack = SLACK_WHOLE};
    for (int32_t i = 0; i < s->patch->count; i++)
        s->whole[i] = s->patch->suppressed[i];
    tacit_status status = tacit__adversary_sweep(iterations, s->adversary, &question, s->run, err);
    if (status != TACIT_OK)
        return status;
    tacit__seen_copy(&s->known, tacit__adversary_seen(s->adversary), s->patch);
    question.known = &s->known;
    status = tacit__adversary_ask(failed, iterations, s->adversary, &question, s->run, err);
    tacit__seen_copy(&s->known, tacit__adversary_seen(s->adversary), s->patch);
    return status;
}

/* Publishes what the trial can do without, dearest first and as long as there is work left, and
 * keeps it if it is the best. */
static tacit_status trim_and_keep(search *s, tacit_error *err)
{
    tacit__trimming trimming = {.patch = s->patch,
                                .adversary = s->adversary,
                                .known = &s->known,
                                .order = s->cell_order,
                                .count = s->chooser.columns,
                                .slack = SLACK_WHOLE,
                                .iterations = s->result->iterations,
                                .most = s->limits->work / work_size(s)};
    tacit_status status = tacit__trim(s->trial, &trimming, s->run, err);
    s->result->iterations = trimming.iterations;
    double cost = cost_of(s, s->trial);
    if (status == TACIT_OK && cost < s->best_cost) {
        s->best_cost = cost;
        memcpy(s->best, s->trial, (size_t)s->patch->count * sizeof *s->best);
    }
    return status;
}

/* A flow for every need. What has none is given up. */
static tacit_status try_flows(search *s, tacit_error *err)
{
    tacit__patch *p = s->patch;
    tacit_status status = TACIT_OK;
    memcpy(s->trial, p->suppressed, (size_t)p->count * sizeof *s->trial);
    tacit__flow_forget(s->flow, &s->known);
    for (int32_t k = 0; k < s->needy_count && status == TACIT_OK; k++) {
        tacit__flow_answer answer = {.found = true};
        int32_t i = s->needy[k];
        if (p->need[i].spread > 0)
            status = tacit__flow_protect(&answer, s->flow, i, s->trial, s->weights, s->run, err);
        s->result->iterations += answer.iterations;
        if (answer.found)
            continue;
        p->need[i] = (tacit__need){0};
        if (s->result->unprotected < 0)
            s->result->unprotected = i;
    }
    return status == TACIT_OK ? trim_and_keep(s, err) : status;
}

/* The same with cells cheap that the chooser would suppress. */
static tacit_status try_guided_flows(search *s, tacit_error *err)
{
    for (int32_t c = 0; c < s->chooser.columns; c++) {
        int32_t cell = s->chooser.cell_of[c];
        s->weights[cell] = column_cost(s, c) * (1.001 - s->chooser.pattern[cell]);
    }
    return try_flows(s, err);
}

/* ---- one node ---- */

typedef enum verdict { BRANCH, CLOSED, ENOUGH } verdict;

static bool is_whole(const search *s)
{
    for (int32_t c = 0; c < s->chooser.columns; c++) {
        double x = s->chooser.pattern[s->chooser.cell_of[c]];
        if (x > 0 && x < 1)
            return false;
    }
    return true;
}

/* Where inequalities go, and by how much they must be broken. */
typedef struct cutting {
    search *s;
    double broken;
} cutting;

static tacit_status take_cut(void *context, const double *coefs, tacit_error *err)
{
    cutting *c = context;
    return tacit__chooser_cut(&c->s->chooser, coefs, 1, c->broken, err);
}

static tacit_status ask(int32_t *failed, search *s, bool whole, bool modest, tacit_error *err)
{
    cutting c = {.s = s, .broken = whole && !modest ? 0 : SLACK_FRACTION};
    tacit__question question = {.pattern = s->chooser.pattern,
                                .slack = whole && !modest ? SLACK_WHOLE : SLACK_FRACTION,
                                .modest = modest,
                                .known = &s->known,
                                .cut = take_cut,
                                .context = &c};
    return tacit__adversary_ask(failed, &s->result->iterations, s->adversary, &question, s->run,
                                err);
}

/* Inequalities that the solution breaks: of single relations, else of a modest adversary, else of
 * the real one. */
static tacit_status separate(int32_t *failed, search *s, bool whole, tacit_error *err)
{
    tacit_status status = tacit__chooser_cut_relations(&s->chooser, err);
    if (status == TACIT_OK && s->chooser.waiting == 0)
        status = ask(failed, s, whole, true, err);
    if (status == TACIT_OK && s->chooser.waiting == 0)
        return ask(failed, s, whole, false, err);
    *failed = s->chooser.waiting;
    return status;
}

static tacit_status take_whole(search *s, tacit_error *err)
{
    for (int32_t i = 0; i < s->patch->count; i++)
        s->trial[i] = s->chooser.pattern[i] > 0.5;
    return trim_and_keep(s, err);
}

/* What is known once the chooser is solved: too dear, nothing feasible, trouble, or to be looked
 * at further. */
static verdict solved(const search *s, bool feasible)
{
    if (!feasible)
        return s->chooser.trouble ? ENOUGH : CLOSED;
    if (too_dear(s, s->chooser.cost))
        return CLOSED;
    return exhausted(s) ? ENOUGH : BRANCH;
}

/* Inequalities for a node until it is closed, to be branched on, or given up (ENOUGH). */
static tacit_status look(verdict *out, search *s, int rounds, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK; round++) {
        bool feasible = false;
        int32_t failed = 0;
        status = tacit__chooser_solve(&feasible, &s->result->iterations, &s->chooser, s->run, err);
        *out = solved(s, feasible);
        bool whole = status == TACIT_OK && *out == BRANCH && is_whole(s);
        if (status != TACIT_OK || *out != BRANCH || (!whole && round >= rounds))
            return status;
        status = separate(&failed, s, whole, err);
        if (status == TACIT_OK && failed == 0) {
            *out = whole ? CLOSED : BRANCH;
            return whole ? take_whole(s, err) : TACIT_OK;
        }
        if (s->chooser.waiting == 0) { /* the adversary objects, but cannot say why */
            *out = whole ? ENOUGH : BRANCH;
            return status;
        }
    }
    return status;
}

/* ---- the tree ---- */

/* The column closest to a half, the dearest of them. */
static int32_t branching_column(const search *s)
{
    int32_t best = -1;
    double best_score = -1;
    for (int32_t k = 0; k < s->chooser.columns; k++) {
        int32_t column = s->order[k];
        double x = s->chooser.pattern[s->chooser.cell_of[column]];
        double score = x > 0 && x < 1 ? fmin(x, 1 - x) : -1;
        if (score > best_score + 1e-6) {
            best = column;
            best_score = score;
        }
    }
    return best;
}

static tacit_status push(search *s, int32_t column, double value, tacit_error *err)
{
    if (!tacit__reserve((void **)&s->stack, &s->stack_room, (size_t)s->stacked + 1,
                        sizeof *s->stack))
        return tacit__nomem(err);
    s->stack[s->stacked++] =
        (node){.depth = s->depth, .column = column, .value = value, .bound = s->chooser.cost};
    return TACIT_OK;
}

static tacit_status branch(search *s, tacit_error *err)
{
    int32_t column = branching_column(s);
    tacit_status status = push(s, column, 0, err);
    return status == TACIT_OK ? push(s, column, 1, err) : status;
}

/* Fixes what leads to a node and nothing else. */
static void enter(search *s, const node *n)
{
    while (s->depth > n->depth) {
        int32_t column = s->fixed[--s->depth];
        tacit__chooser_fix(&s->chooser, column, 0, s->out[column] ? 0 : 1);
    }
    s->fixed[s->depth++] = n->column;
    tacit__chooser_fix(&s->chooser, n->column, n->value, n->value);
}

/* Cells that cost more than is left between the bound and the best pattern stay published. */
static void fix_by_cost(search *s)
{
    for (int32_t c = 0; c < s->chooser.columns; c++)
        if (s->chooser.pattern[s->chooser.cell_of[c]] == 0 &&
            too_dear(s, s->chooser.cost + s->chooser.reduced[c])) {
            s->out[c] = true;
            tacit__chooser_fix(&s->chooser, c, 0, 0);
        }
}

/* The lowest bound of what was not looked at. */
static double open_bound(const search *s)
{
    double bound = s->best_cost;
    for (int32_t i = 0; i < s->stacked; i++)
        bound = fmin(bound, s->stack[i].bound);
    return bound;
}

static tacit_status look_at_all(search *s, tacit_error *err)
{
    verdict v = ENOUGH;
    tacit_status status = look(&v, s, ROOT_ROUNDS, err);
    double root = v == CLOSED ? s->best_cost : s->chooser.cost;
    if (status == TACIT_OK && v == BRANCH)
        status = try_guided_flows(s, err);
    if (status == TACIT_OK && v == BRANCH) {
        fix_by_cost(s);
        status = branch(s, err);
    }
    while (status == TACIT_OK && v != ENOUGH && s->stacked > 0) {
        node n = s->stack[--s->stacked];
        if (too_dear(s, n.bound))
            continue;
        enter(s, &n);
        s->result->nodes++;
        status = look(&v, s, NODE_ROUNDS, err);
        root = v == ENOUGH ? fmin(n.bound, open_bound(s)) : root;
        bool guided = v == BRANCH && (s->result->nodes & (s->result->nodes - 1)) == 0;
        if (status == TACIT_OK && guided) /* at nodes 1, 2, 4, 8, ... */
            status = try_guided_flows(s, err);
        if (status == TACIT_OK && v == BRANCH)
            status = branch(s, err);
    }
    s->result->proven = v != ENOUGH;
    s->result->bound = fmax(root - s->chooser.little * s->chooser.columns, 0) * s->chooser.scale;
    return status;
}

/* ---- setting up ---- */

/* A column and its cost, or a cell and its need. */
typedef struct priced {
    double cost;
    int32_t column;
} priced;

static int dearest_first(const void *left, const void *right)
{
    const priced *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static tacit_status order_all(search *s, tacit_error *err)
{
    const tacit__patch *p = s->patch;
    size_t count = (size_t)s->chooser.columns;
    priced *list = tacit__alloc_array((size_t)p->count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t c = 0; c < s->chooser.columns; c++)
        list[c] = (priced){column_cost(s, c), c};
    qsort(list, count, sizeof *list, dearest_first);
    for (size_t k = 0; k < count; k++) {
        s->order[k] = list[k].column;
        s->cell_order[k] = s->chooser.cell_of[list[k].column];
    }
    for (int32_t i = 0; i < p->count; i++)
        if (p->suppressed[i])
            list[s->needy_count++] =
                (priced){fmax(p->need[i].spread, fmax(p->need[i].up, p->need[i].down)), i};
    qsort(list, (size_t)s->needy_count, sizeof *list, dearest_first);
    for (int32_t k = 0; k < s->needy_count; k++)
        s->needy[k] = list[k].column;
    tacit__free(list);
    return TACIT_OK;
}

static tacit_status allocate(search *s, tacit_error *err)
{
    size_t count = (size_t)s->patch->count;
    s->best = tacit__alloc_array(count, sizeof *s->best);
    s->trial = tacit__alloc_array(count, sizeof *s->trial);
    s->order = tacit__alloc_array(count, sizeof *s->order);
    s->cell_order = tacit__alloc_array(count, sizeof *s->cell_order);
    s->needy = tacit__alloc_array(count, sizeof *s->needy);
    s->weights = tacit__alloc_array(count, sizeof *s->weights);
    s->whole = tacit__alloc_array(count, sizeof *s->whole);
    s->fixed = tacit__alloc_array(count + 1, sizeof *s->fixed);
    s->out = tacit__alloc_zeroed(count, sizeof *s->out);
    if (!s->best || !s->trial || !s->order || !s->cell_order || !s->needy || !s->weights ||
        !s->whole || !s->fixed || !s->out)
        return tacit__nomem(err);
    return tacit__seen_init(&s->known, s->patch, err);
}

static tacit_status begin(search *s, tacit_error *err)
{
    tacit_status status = tacit__flow_new(&s->flow, s->patch, err);
    if (status == TACIT_OK)
        status = tacit__chooser_init(&s->chooser, s->patch, err);
    if (status == TACIT_OK)
        status = order_all(s, err);
    for (int32_t i = 0; i < s->patch->count && status == TACIT_OK; i++)
        s->weights[i] = s->patch->cost[i];
    return status;
}

static void end(search *s)
{
    tacit__chooser_clear(&s->chooser);
    tacit__adversary_free(s->adversary);
    tacit__flow_free(s->flow);
    tacit__seen_clear(&s->known);
    tacit__free(s->best);
    tacit__free(s->trial);
    tacit__free(s->order);
    tacit__free(s->cell_order);
    tacit__free(s->needy);
    tacit__free(s->weights);
    tacit__free(s->whole);
    tacit__free(s->fixed);
    tacit__free(s->out);
    tacit__free(s->stack);
}

/* Nothing to do where the suppressed cells protect each other already. */
static tacit_status solve(search *s, tacit_error *err)
{
    int32_t failed = 0;
    tacit_status status = allocate(s, err);
    if (status == TACIT_OK)
        status = tacit__adversary_new(&s->adversary, s->patch, err);
    if (status == TACIT_OK)
        status = count_failed(&failed, s, err);
    if (status != TACIT_OK || failed == 0) {
        s->result->proven = true;
        if (s->best)
            memcpy(s->best, s->patch->suppressed, (size_t)s->patch->count * sizeof *s->best);
        return status;
    }
    status = begin(s, err);
    s->best_cost = INFINITY;
    if (status == TACIT_OK)
        status = try_flows(s, err);
    return status == TACIT_OK ? look_at_all(s, err) : status;
}

tacit_status tacit__exact_solve(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                                const tacit__exact_limits *limits, const tacit_run *run,
                                tacit_error *err)
{
    search s = {.patch = patch, .limits = limits, .run = run, .result = result};
    *result = (tacit__exact_result){.unprotected = -1};
    tacit_status status = solve(&s, err);
    if (status == TACIT_OK) {
        memcpy(chosen, s.best, (size_t)patch->count * sizeof *chosen);
        result->cuts = s.chooser.cuts;
        for (int32_t i = 0; i < patch->count; i++)
            result->cost += chosen[i] && !patch->suppressed[i] ? patch->cost[i] : 0;
        result->bound = result->proven ? result->cost : fmin(result->bound, result->cost);
    }
    end(&s);
    return status;
}
