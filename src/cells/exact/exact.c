/*
 * exact.c - the cheapest pattern that protects a patch (Fischetti and Salazar 2001).
 *
 *     minimize  sum of cost_i x_i,  x_i 0 or 1,  such that the adversary's programs leave every
 *     suppressed cell as much room as it needs
 *
 * The second half stands for more inequalities than could be written down. So the program starts
 * without any; its solution is shown to the adversary (adversary.c), who answers with those it
 * breaks, until it breaks none. What is fractional then is branched on, with inequalities found on
 * the way valid everywhere.
 *
 * A pattern to begin with is given, or comes from flows (suppress/flow.c), one for each need,
 * trimmed of what is not needed. It decides what need not be looked at. Further patterns come from
 * solutions in fractions (section 5): what the solution suppresses for certain is taken, and flows
 * see to the rest, with what a cell costs counting the less the more of it the solution suppresses.
 * The pattern is then trimmed, those first that cost most by the same count.
 *
 * A node is what is fixed on the way to it. From a node the search goes on to the branch that
 * suppresses the cell, which leads to patterns soon; where a node is closed, to the open one with
 * the lowest bound, which is the one that has to be closed in any case. Inequalities are valid
 * everywhere and stay.
 *
 * The cell to branch on is the one whose branches cost most, both of them: the program of the
 * chooser is small and its branches are solved for the most promising cells, until it is known from
 * experience what a cell's branches cost (pseudocosts). On Castro's TABLE1 that makes 26 nodes of
 * 220, and 2.3 seconds of 16.
 *
 * Cells whose reduced costs at the root are more than is left between its bound and the best
 * pattern are published for good, again whenever that has got better.
 *
 * Limits are on simplex iterations and nodes, so results do not depend on the clock. When one
 * is reached, or the run is cancelled, the best pattern so far is given, which protects all the
 * same.
 */
#include "cells/exact/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/suppress/flow.h"

/* By how much, as a share, a need may be missed: by fractions, and by patterns. */
#define SLACK_FRACTION 1e-3
#define SLACK_WHOLE    1e-6

typedef struct exact_search {
    tacit__patch *patch;
    const tacit__exact_limits *limits;
    const tacit_run *run;
    tacit__exact_result *result;
    tacit__chooser chooser;
    tacit__exact_adversary *adversary;
    tacit__flow *flow;
    tacit__exact_seen known; /* what suppressed cells show of themselves */
    tacit__exact_seen shown; /* and with those of the pattern to begin with */
    bool *best;
    bool rough;       /* the best is what flows made it */
    double best_cost; /* by the chooser's costs */
    bool *trial;
    int32_t *cell_order; /* cells of the chooser's columns, to be published in this order */
    int32_t *needy;      /* suppressed cells and demands, those that need most first */
    int32_t needy_count;
    double *whole; /* a pattern for the adversary */
    bool *hot;     /* suppressed cells and demands that a solution was found not to hide */
} exact_search;

/* What became of a node: to be branched on, closed, or given up with the whole search. */
typedef enum node_state { NODE_BRANCH = 0, NODE_CLOSED, NODE_ENOUGH } node_state;

/* Of costs, from the solver. */
#define ROUNDING 1e-4

/* What suppressing a column's cell costs. */
static double column_cost(const exact_search *s, int32_t column)
{
    const tacit__chooser *m = &s->chooser;
    return s->patch->cost[m->cell_of[column]] / m->scale + m->little;
}

static double cost_of(const exact_search *s, const bool *chosen)
{
    double cost = 0;
    for (int32_t c = 0; c < s->chooser.columns; c++)
        cost += chosen[s->chooser.cell_of[c]] ? column_cost(s, c) : 0;
    return cost;
}

/* Whether nothing of this cost can lead to a better pattern; whether the limits are reached. */
static bool is_too_dear(const exact_search *s, double cost)
{
    const tacit__chooser *m = &s->chooser;
    double gap = m->step > 0 ? 0.9 * m->little : 1e-9 * (1 + s->best_cost);
    return cost > s->best_cost - gap;
}

/* Whether nothing of this cost can lead to a better pattern; whether the limits are reached. */
static bool is_exhausted(const exact_search *s)
{
    return s->result->iterations * tacit__patch_size(s->patch) >= s->limits->work ||
           s->result->nodes >= s->limits->nodes;
}

/* ---- patterns ---- */

/* How many needs the suppressed cells leave to be met; what they show is known from now on. */
static tacit_status count_failed(int32_t *failed, exact_search *s, tacit_error *err)
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

/* Keeps the trial, which protects, if it is the best. */
static void keep_trial(exact_search *s)
{
    double cost = cost_of(s, s->trial);
    if (cost >= s->best_cost)
        return;
    s->best_cost = cost;
    s->result->cost = 0;
    for (int32_t i = 0; i < s->patch->count; i++) {
        s->best[i] = s->trial[i];
        s->result->cost += s->best[i] && !s->patch->suppressed[i] ? s->patch->cost[i] : 0;
    }
}

/* Costs are those of the chooser; where they are whole numbers, so is what a pattern costs. */
static void take_bound(exact_search *s, double cost)
{
    const tacit__chooser *m = &s->chooser;
    double bound = fmin(cost, s->best_cost) - m->little * m->columns;
    if (m->step > 0)
        bound = ceil(bound - ROUNDING);
    s->result->bound = fmax(s->result->bound, bound * m->scale);
}

/* Sorts a list and takes its cells over. */
static void put_in_order(int32_t *cells, tacit__cell_price *list, int32_t count)
{
    qsort(list, (size_t)count, sizeof *list, tacit__dearest_first);
    for (int32_t k = 0; k < count; k++)
        cells[k] = list[k].cell;
}

static tacit_status order_columns(exact_search *s, const double *weights, tacit_error *err)
{
    const tacit__chooser *m = &s->chooser;
    tacit__cell_price *list = tacit__alloc_array((size_t)m->columns, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t c = 0; c < m->columns; c++)
        list[c] = (tacit__cell_price){weights[m->cell_of[c]], m->cell_of[c]};
    put_in_order(s->cell_order, list, m->columns);
    tacit__free(list);
    return TACIT_OK;
}

/* As long as there is work left. Whenever it is stopped, what is left of the trial protects. */
static tacit_status trim_trial(exact_search *s, const double *weights, tacit_error *err)
{
    tacit__trimming trimming = {.patch = s->patch,
                                .adversary = s->adversary,
                                .known = &s->known,
                                .order = s->cell_order,
                                .count = s->chooser.columns,
                                .slack = SLACK_WHOLE,
                                .iterations = s->result->iterations,
                                .most = s->limits->work / tacit__patch_size(s->patch)};
    tacit_status status = order_columns(s, weights, err);
    if (status == TACIT_OK)
        status = tacit__trim(s->trial, &trimming, s->run, err);
    s->result->iterations = trimming.iterations;
    if (status == TACIT_OK || status == TACIT_CANCELLED)
        keep_trial(s);
    return status;
}

/* Adds what it takes to hide a cell or a demand to the trial; hidden false: there is no way. */
static tacit_status hide_wish(bool *hidden, exact_search *s, int32_t wish, const double *weights,
                              tacit_error *err)
{
    tacit__flow_answer answer = {.found = true};
    tacit_status status = TACIT_OK;
    if (tacit__needs_any(tacit__patch_need(s->patch, wish)))
        status = tacit__flow_protect(&answer, s->flow, wish, s->trial, weights, s->run, err);
    s->result->iterations += answer.iterations;
    *hidden = answer.found;
    return status;
}

/* What the pattern to begin with shows of cells. */
static tacit_status look_at_start(exact_search *s, tacit_error *err)
{
    int32_t failed;
    int64_t *iterations = &s->result->iterations;
    tacit__question question = {.pattern = s->whole, .slack = SLACK_WHOLE, .known = &s->known};
    for (int32_t i = 0; i < s->patch->count; i++)
        s->whole[i] = s->trial[i];
    tacit_status status = tacit__adversary_sweep(iterations, s->adversary, &question, s->run, err);
    if (status != TACIT_OK)
        return status;
    tacit__seen_copy(&s->shown, tacit__adversary_seen(s->adversary), s->patch);
    question.known = &s->shown;
    return tacit__adversary_ask(&failed, iterations, s->adversary, &question, s->run, err);
}

static void give_up(exact_search *s, int32_t wish)
{
    tacit__patch *p = s->patch;
    tacit__demand *demand = wish < p->count ? NULL : &p->demands.list[wish - p->count];
    *(demand ? &demand->need : &p->need[wish]) = (tacit__need){0};
    if (s->result->unprotected < 0)
        s->result->unprotected = demand ? demand->terms->cell : wish;
}

/* A flow for every need that the trial does not meet. What has none is given up. */
static tacit_status try_flows(exact_search *s, tacit_error *err)
{
    tacit__patch *p = s->patch;
    tacit_status status = TACIT_OK;
    for (int32_t k = 0; k < s->needy_count && status == TACIT_OK; k++) {
        int32_t i = s->needy[k];
        bool hidden = true;
        status = hide_wish(&hidden, s, i, p->cost, err);
        if (!hidden)
            give_up(s, i);
    }
    return status;
}

static bool is_whole(const exact_search *s)
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
    exact_search *s;
    double broken;
} cutting;

static tacit_status take_cut(void *context, const double *coefs, tacit_error *err)
{
    cutting *c = context;
    return tacit__chooser_cut(&c->s->chooser, coefs, 1, c->broken, err);
}

static tacit_status ask(int32_t *failed, exact_search *s, bool whole, bool modest, tacit_error *err)
{
    bool strict = whole && !modest;
    cutting c = {.s = s, .broken = strict ? 0 : SLACK_FRACTION};
    tacit__question question = {.pattern = s->chooser.pattern,
                                .slack = strict ? SLACK_WHOLE : SLACK_FRACTION,
                                .modest = modest,
                                .known = &s->known,
                                .asked = s->result->nodes > 0 && !whole ? s->hot : NULL,
                                .found = s->hot,
                                .cut = take_cut,
                                .context = &c};
    return tacit__adversary_ask(failed, &s->result->iterations, s->adversary, &question, s->run,
                                err);
}

/* Inequalities that the solution breaks: of single relations, else of a modest adversary, else of
 * the real one. Where a modest one has room enough in fractions, so has the real one. */
static tacit_status separate(int32_t *failed, exact_search *s, bool whole, tacit_error *err)
{
    tacit_status status = tacit__chooser_cut_relations(&s->chooser, err);
    bool asked = status == TACIT_OK && s->chooser.waiting.count == 0;
    if (asked)
        status = ask(failed, s, whole, true, err);
    if (asked && status == TACIT_OK && *failed == 0 && !whole)
        return TACIT_OK;
    if (status == TACIT_OK && s->chooser.waiting.count == 0)
        return ask(failed, s, whole, false, err);
    *failed = s->chooser.waiting.count;
    return status;
}

/* What such a pattern could do without is only what is fixed here, and that is found in the other
 * branch: it need not be trimmed. */
static void take_whole(exact_search *s)
{
    for (int32_t i = 0; i < s->patch->count; i++)
        s->trial[i] = s->chooser.pattern[i] > 0.5;
    keep_trial(s);
}

/* What is known once the chooser is solved: too dear, nothing feasible, trouble, or to be looked
 * at further. */
static node_state solved(const exact_search *s, bool feasible)
{
    if (!feasible)
        return s->chooser.trouble ? NODE_ENOUGH : NODE_CLOSED;
    if (is_too_dear(s, s->chooser.cost))
        return NODE_CLOSED;
    return is_exhausted(s) ? NODE_ENOUGH : NODE_BRANCH;
}

/* Solves the chooser as it stands and adds inequalities, for at most so many rounds. */
static tacit_status look_at_node(node_state *out, exact_search *s, int rounds, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK; round++) {
        bool feasible = false;
        int32_t failed = 0;
        status = tacit__chooser_solve(&feasible, &s->result->iterations, &s->chooser, s->run, err);
        *out = solved(s, feasible);
        bool whole = status == TACIT_OK && *out == NODE_BRANCH && is_whole(s);
        if (status != TACIT_OK || *out != NODE_BRANCH || (!whole && round >= rounds))
            return status;
        status = separate(&failed, s, whole, err);
        if (status == TACIT_OK && failed == 0) {
            *out = whole ? NODE_CLOSED : NODE_BRANCH;
            if (whole)
                take_whole(s);
            return TACIT_OK;
        }
        if (s->chooser.waiting.count == 0) { /* the adversary objects, but cannot say why */
            *out = whole ? NODE_ENOUGH : NODE_BRANCH;
            return status;
        }
    }
    return status;
}

/* False: a cell was found no way to hide, so the trial is nothing to go on with. */
static tacit_status hide_all(bool *hidden, exact_search *s, const double *weights, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *hidden = true;
    tacit__flow_forget(s->flow, &s->known);
    for (int32_t k = 0; k < s->needy_count && *hidden && status == TACIT_OK; k++)
        status = hide_wish(hidden, s, s->needy[k], weights, err);
    return status;
}

/* A pattern from the solution in hand. */
static tacit_status round_solution(exact_search *s, tacit_error *err)
{
    const tacit__chooser *m = &s->chooser;
    bool hidden = false;
    double *weights = tacit__alloc_array((size_t)s->patch->count, sizeof *weights);
    if (!weights)
        return tacit__nomem(err);
    for (int32_t i = 0; i < s->patch->count; i++) {
        weights[i] = s->patch->cost[i] * (1 - m->pattern[i]);
        s->trial[i] = m->pattern[i] >= 1;
    }
    tacit_status status = hide_all(&hidden, s, weights, err);
    if (status == TACIT_OK && hidden)
        status = trim_trial(s, weights, err);
    tacit__free(weights);
    return status;
}

/* Rounds of inequalities before it is branched, and before that is worth preparing for. */
enum { ROOT_ROUNDS = 100, NODE_ROUNDS = 4, EASY_ROUNDS = 10 };

/* Cells whose branches may be solved at a node; how many without a better one are enough; and how
 * often a cell's branches are solved before experience will do. */
enum { CANDIDATES = 12, IDLE = 4, TRUSTED = 4 };

/* Nodes after which a solution is made a pattern, unless the best is as near to the root's bound
 * as this. */
enum { ROUND_EVERY = 32 };
#define NEAR 0.05

#define FAR 0.25

/* What nothing costs: so that a branch that costs nothing does not hide the other. */
#define LEAST_GAIN 1e-7

typedef struct node {
    int32_t parent; /* -1: the root */
    int32_t column; /* fixed last */
    bool suppressed;
    bool open;
    double bound;
} node;

/* What the branches of a column cost for a whole step: published, suppressed. */
typedef struct experience {
    double sum[2];
    int32_t count[2];
} experience;

typedef struct tree {
    exact_search *s;
    node *nodes;
    size_t room;
    int32_t count;
    int32_t *fixed; /* columns fixed on the way to the node in hand */
    int32_t depth;
    bool *out; /* columns that are 0 for good */
    experience *columns, all;
    double *root_pattern; /* a column each, as the root left it */
    double *root_reduced;
    double root_cost;
    double out_at; /* the best cost that `out` was found with */
} tree;

static double value_of(const tree *t, int32_t column)
{
    const tacit__chooser *chooser = &t->s->chooser;
    return chooser->pattern[chooser->cell_of[column]];
}

/* ---- the column to branch on ---- */

static void learn(tree *t, int32_t column, int way, double gain, double step)
{
    if (!isfinite(gain))
        return;
    t->columns[column].sum[way] += gain / step;
    t->columns[column].count[way]++;
    t->all.sum[way] += gain / step;
    t->all.count[way]++;
}

static double expected(const tree *t, int32_t column, int way, double step)
{
    const experience *own = &t->columns[column];
    if (own->count[way])
        return step * own->sum[way] / own->count[way];
    if (t->all.count[way])
        return step * t->all.sum[way] / t->all.count[way];
    return step * column_cost(t->s, column);
}

static double score(const double gain[2])
{
    return fmax(gain[0], LEAST_GAIN) * fmax(gain[1], LEAST_GAIN);
}

typedef struct candidate {
    int32_t column;
    double value; /* of the solution that is branched on */
    double score;
} candidate;

/* The most promising fractional columns, best first; returns how many. */
static int list_candidates(candidate *list, const tree *t)
{
    int count = 0;
    for (int32_t c = 0; c < t->s->chooser.columns; c++) {
        double x = value_of(t, c);
        if (x <= 0 || x >= 1)
            continue;
        const double gain[] = {expected(t, c, 0, x), expected(t, c, 1, 1 - x)};
        candidate new = {c, x, score(gain)};
        int at = count < CANDIDATES ? count++ : CANDIDATES;
        for (; at > 0 && list[at - 1].score < new.score; at--)
            if (at < CANDIDATES)
                list[at] = list[at - 1];
        if (at < CANDIDATES)
            list[at] = new;
    }
    return count;
}

/* What both branches cost more than the node, by experience or by trying. */
static tacit_status measure(double gain[2], tree *t, const candidate *c, double cost,
                            tacit_error *err)
{
    const experience *own = &t->columns[c->column];
    const double step[] = {c->value, 1 - c->value};
    bool trusted = own->count[0] >= TRUSTED && own->count[1] >= TRUSTED;
    for (int way = 0; way < 2; way++) {
        if (trusted) {
            gain[way] = expected(t, c->column, way, step[way]);
            continue;
        }
        tacit_status status = tacit__chooser_try(&gain[way], &t->s->result->iterations,
                                                 &t->s->chooser, c->column, way, t->s->run, err);
        if (status != TACIT_OK)
            return status;
        gain[way] = fmax(gain[way] - cost, 0);
        learn(t, c->column, way, gain[way], step[way]);
    }
    return TACIT_OK;
}

static tacit_status choose_column(int32_t *out, tree *t, tacit_error *err)
{
    candidate list[CANDIDATES];
    int count = list_candidates(list, t);
    double cost = t->s->chooser.cost, best = -1;
    for (int i = 0, idle = 0; i < count && idle < IDLE; i++, idle++) {
        double gain[2];
        tacit_status status = measure(gain, t, &list[i], cost, err);
        if (status != TACIT_OK)
            return status;
        if (score(gain) > best) {
            best = score(gain);
            *out = list[i].column;
            idle = -1;
        }
    }
    return TACIT_OK;
}

/* ---- nodes ---- */

/* Inequalities that left since may have lowered the cost below the parent's bound. */
static tacit_status add_node(tree *t, int32_t parent, int32_t column, bool suppressed,
                             tacit_error *err)
{
    double bound = fmax(t->s->chooser.cost, parent < 0 ? t->root_cost : t->nodes[parent].bound);
    return TACIT__PUSH(t->nodes, t->room, t->count, (node){parent, column, suppressed, true, bound})
               ? TACIT_OK
               : tacit__nomem(err);
}

/* The open node with the lowest bound, or -1. */
static int32_t lowest(const tree *t)
{
    int32_t best = -1;
    for (int32_t i = 0; i < t->count; i++)
        if (t->nodes[i].open && (best < 0 || t->nodes[i].bound < t->nodes[best].bound))
            best = i;
    return best;
}

/* Fixes what leads to a node and nothing else. */
static void enter(tree *t, int32_t at)
{
    while (t->depth > 0) {
        int32_t column = t->fixed[--t->depth];
        tacit__chooser_fix(&t->s->chooser, column, 0, t->out[column] ? 0 : 1);
    }
    for (; at >= 0; at = t->nodes[at].parent) {
        const node *n = &t->nodes[at];
        t->fixed[t->depth++] = n->column;
        tacit__chooser_fix(&t->s->chooser, n->column, n->suppressed, n->suppressed);
    }
}

/* Branches on the node in hand; *at is then the one to go on with. */
static tacit_status branch(int32_t *at, tree *t, tacit_error *err)
{
    int32_t column = -1;
    tacit_status status = choose_column(&column, t, err);
    if (status == TACIT_OK)
        status = add_node(t, *at, column, false, err);
    if (status == TACIT_OK)
        status = add_node(t, *at, column, true, err);
    *at = t->count - 1;
    return status;
}

/* ---- cells that stay published ---- */

static void remember_root(tree *t)
{
    const tacit__chooser *chooser = &t->s->chooser;
    t->root_cost = chooser->cost;
    for (int32_t c = 0; c < chooser->columns; c++) {
        t->root_pattern[c] = value_of(t, c);
        t->root_reduced[c] = chooser->reduced[c];
    }
}

static void publish_dear(tree *t)
{
    if (t->s->best_cost >= t->out_at)
        return;
    t->out_at = t->s->best_cost;
    for (int32_t c = 0; c < t->s->chooser.columns; c++)
        if (!t->out[c] && t->root_pattern[c] == 0 &&
            is_too_dear(t->s, t->root_cost + t->root_reduced[c])) {
            t->out[c] = true;
            tacit__chooser_fix(&t->s->chooser, c, 0, 0);
        }
}

/* ---- all of it ---- */

/* A pattern that is nearly the best is bettered by branching soon enough. */
static bool is_worth_rounding(const tree *t)
{
    return t->s->result->nodes % ROUND_EVERY == 0 && t->root_cost < (1 - NEAR) * t->s->best_cost;
}

/* Whether the node in hand is near enough to the lowest to go on from there. */
static bool is_near(const tree *t)
{
    int32_t open = lowest(t);
    double least = open < 0 ? t->root_cost : t->nodes[open].bound;
    return t->s->chooser.cost < least + FAR * (t->s->best_cost - least);
}

/* What no pattern costs less than, with a node in hand. */
static void say_bound(tree *t, double in_hand)
{
    int32_t open = lowest(t);
    take_bound(t->s, open < 0 ? in_hand : fmin(in_hand, t->nodes[open].bound));
}

/* What is easy ends before the pattern to begin with is worth more than it took so far. */
static tacit_status look_at_root(node_state *state, tree *t, tacit_error *err)
{
    exact_search *s = t->s;
    tacit_status status = look_at_node(state, s, s->rough ? EASY_ROUNDS : ROOT_ROUNDS, err);
    if (status != TACIT_OK || *state != NODE_BRANCH || !s->rough)
        return status;
    for (int32_t i = 0; i < s->patch->count; i++)
        s->trial[i] = s->best[i];
    status = trim_trial(s, s->patch->cost, err);
    return status == TACIT_OK ? look_at_node(state, s, ROOT_ROUNDS, err) : status;
}

static tacit_status climb(tree *t, tacit_error *err)
{
    node_state state = NODE_ENOUGH;
    int32_t at = -1;
    tacit_status status = look_at_root(&state, t, err);
    remember_root(t);
    say_bound(t, t->root_cost);
    while (status == TACIT_OK && state != NODE_ENOUGH) {
        if (state == NODE_BRANCH && is_worth_rounding(t))
            status = round_solution(t->s, err);
        bool near = state == NODE_BRANCH && is_near(t);
        if (state == NODE_BRANCH && status == TACIT_OK)
            status = branch(&at, t, err);
        if (!near)
            at = lowest(t);
        if (status != TACIT_OK || at < 0)
            break;
        t->nodes[at].open = false;
        say_bound(t, t->nodes[at].bound);
        state = NODE_CLOSED;
        if (is_too_dear(t->s, t->nodes[at].bound))
            continue;
        publish_dear(t);
        enter(t, at);
        t->s->result->nodes++;
        status = look_at_node(&state, t->s, NODE_ROUNDS, err);
    }
    t->s->result->proven = status == TACIT_OK && state != NODE_ENOUGH;
    return status;
}

/* All of it. */
static tacit_status search_tree(exact_search *search, tacit_error *err)
{
    size_t columns = (size_t)search->chooser.columns;
    tree t = {.s = search, .out_at = INFINITY};
    t.fixed = tacit__alloc_array(columns, sizeof *t.fixed);
    t.out = tacit__alloc_zeroed(columns, sizeof *t.out);
    t.columns = tacit__alloc_zeroed(columns, sizeof *t.columns);
    t.root_pattern = tacit__alloc_array(columns, sizeof *t.root_pattern);
    t.root_reduced = tacit__alloc_array(columns, sizeof *t.root_reduced);
    bool ready = t.fixed && t.out && t.columns && t.root_pattern && t.root_reduced;
    tacit_status status = ready ? climb(&t, err) : tacit__nomem(err);
    tacit__free(t.nodes);
    tacit__free(t.fixed);
    tacit__free(t.out);
    tacit__free(t.columns);
    tacit__free(t.root_pattern);
    tacit__free(t.root_reduced);
    return status;
}

/* ---- setting up ---- */

static tacit_status order_needy(exact_search *s, tacit_error *err)
{
    const tacit__patch *p = s->patch;
    tacit__cell_price *list = tacit__alloc_array((size_t)tacit__patch_wishes(p), sizeof *list);
    if (!list)
        return tacit__nomem(err);
    for (int32_t i = 0; i < tacit__patch_wishes(p); i++) {
        tacit__need need = tacit__patch_need(p, i);
        if (i >= p->count || p->suppressed[i])
            list[s->needy_count++] =
                (tacit__cell_price){fmax(need.spread, fmax(need.up, need.down)), i};
    }
    put_in_order(s->needy, list, s->needy_count);
    tacit__free(list);
    return TACIT_OK;
}

static tacit_status search_allocate(exact_search *s, tacit_error *err)
{
    size_t count = (size_t)s->patch->count;
    s->best = tacit__alloc_array(count, sizeof *s->best);
    s->trial = tacit__alloc_array(count, sizeof *s->trial);
    s->cell_order = tacit__alloc_array(count, sizeof *s->cell_order);
    s->needy = tacit__alloc_array((size_t)tacit__patch_wishes(s->patch), sizeof *s->needy);
    s->whole = tacit__alloc_array(count, sizeof *s->whole);
    s->hot = tacit__alloc_zeroed((size_t)tacit__patch_wishes(s->patch), sizeof *s->hot);
    if (!s->hot || !s->best || !s->trial || !s->cell_order || !s->needy || !s->whole)
        return tacit__nomem(err);
    tacit_status status = tacit__seen_init(&s->known, s->patch, err);
    return status == TACIT_OK ? tacit__seen_init(&s->shown, s->patch, err) : status;
}

static tacit_status search_begin(exact_search *s, tacit_error *err)
{
    tacit_status status = tacit__flow_new(&s->flow, s->patch, err);
    if (status == TACIT_OK)
        status = tacit__chooser_init(&s->chooser, s->patch, err);
    if (status == TACIT_OK)
        status = order_needy(s, err);
    return status;
}

/* A pattern to be bettered. One that is given and protects is not rough: whoever made it has seen
 * to it that nothing in it is for nothing. */
static tacit_status find_start(exact_search *s, tacit_error *err)
{
    const bool *given = s->limits->start;
    size_t size = (size_t)s->patch->count * sizeof *s->trial;
    tacit_status status = TACIT_OK;
    s->best_cost = INFINITY;
    memcpy(s->trial, given ? given : s->patch->suppressed, size);
    tacit__flow_forget(s->flow, &s->known);
    if (given)
        status = look_at_start(s, err);
    if (status == TACIT_OK && given)
        tacit__flow_forget(s->flow, tacit__adversary_seen(s->adversary));
    if (status == TACIT_OK)
        status = try_flows(s, err);
    s->rough = !given || memcmp(s->trial, given, size) != 0;
    if (status == TACIT_OK)
        keep_trial(s);
    return status;
}

static void search_clear(exact_search *s)
{
    tacit__chooser_clear(&s->chooser);
    tacit__adversary_free(s->adversary);
    tacit__flow_free(s->flow);
    tacit__seen_clear(&s->known);
    tacit__seen_clear(&s->shown);
    tacit__free(s->best);
    tacit__free(s->trial);
    tacit__free(s->cell_order);
    tacit__free(s->needy);
    tacit__free(s->whole);
    tacit__free(s->hot);
}

/* Nothing to do where the suppressed cells protect each other already. */
static tacit_status solve_patch(exact_search *s, tacit_error *err)
{
    int32_t failed = 0;
    tacit_status status = search_allocate(s, err);
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
    status = search_begin(s, err);
    if (status == TACIT_OK)
        status = find_start(s, err);
    if (status == TACIT_OK)
        status = search_tree(s, err);
    s->result->stopped = status == TACIT_CANCELLED && isfinite(s->best_cost);
    return s->result->stopped ? TACIT_OK : status;
}

tacit_status tacit__exact_solve(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                                const tacit__exact_limits *limits, const tacit_run *run,
                                tacit_error *err)
{
    exact_search s = {.patch = patch, .limits = limits, .run = run, .result = result};
    *result = (tacit__exact_result){.unprotected = -1};
    tacit_status status = solve_patch(&s, err);
    if (status == TACIT_OK) {
        memcpy(chosen, s.best, (size_t)patch->count * sizeof *chosen);
        result->cuts = s.chooser.cuts;
        result->bound = result->proven ? result->cost : fmin(result->bound, result->cost);
    }
    search_clear(&s);
    return status;
}
