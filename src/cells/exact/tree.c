/*
 * tree.c - what is fractional once no inequality is broken any more is branched on.
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
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/exact/search.h"

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
    tacit__exact_search *s;
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
    return step * tacit__exact_column_cost(t->s, column);
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
            tacit__exact_too_dear(t->s, t->root_cost + t->root_reduced[c])) {
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
    tacit__exact_bound(t->s, open < 0 ? in_hand : fmin(in_hand, t->nodes[open].bound));
}

/* What is easy ends before the pattern to begin with is worth more than it took so far. */
static tacit_status look_at_root(tacit__node_state *state, tree *t, tacit_error *err)
{
    tacit__exact_search *s = t->s;
    tacit_status status = tacit__exact_look(state, s, s->rough ? EASY_ROUNDS : ROOT_ROUNDS, err);
    if (status != TACIT_OK || *state != TACIT__NODE_BRANCH || !s->rough)
        return status;
    for (int32_t i = 0; i < s->patch->count; i++)
        s->trial[i] = s->best[i];
    status = tacit__exact_trim(s, s->patch->cost, err);
    return status == TACIT_OK ? tacit__exact_look(state, s, ROOT_ROUNDS, err) : status;
}

static tacit_status climb(tree *t, tacit_error *err)
{
    tacit__node_state state = TACIT__NODE_ENOUGH;
    int32_t at = -1;
    tacit_status status = look_at_root(&state, t, err);
    remember_root(t);
    say_bound(t, t->root_cost);
    while (status == TACIT_OK && state != TACIT__NODE_ENOUGH) {
        if (state == TACIT__NODE_BRANCH && is_worth_rounding(t))
            status = tacit__exact_round(t->s, err);
        bool near = state == TACIT__NODE_BRANCH && is_near(t);
        if (state == TACIT__NODE_BRANCH && status == TACIT_OK)
            status = branch(&at, t, err);
        if (!near)
            at = lowest(t);
        if (status != TACIT_OK || at < 0)
            break;
        t->nodes[at].open = false;
        say_bound(t, t->nodes[at].bound);
        state = TACIT__NODE_CLOSED;
        if (tacit__exact_too_dear(t->s, t->nodes[at].bound))
            continue;
        publish_dear(t);
        enter(t, at);
        t->s->result->nodes++;
        status = tacit__exact_look(&state, t->s, NODE_ROUNDS, err);
    }
    t->s->result->proven = status == TACIT_OK && state != TACIT__NODE_ENOUGH;
    return status;
}

tacit_status tacit__exact_tree(tacit__exact_search *search, tacit_error *err)
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
