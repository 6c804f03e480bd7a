/*
 * search.h - the search for the cheapest pattern, as its parts share it: patterns
 * (exact.c), one node (node.c), and the tree (tree.c).
 */
#ifndef TACIT_CELLS_EXACT_SEARCH_H
#define TACIT_CELLS_EXACT_SEARCH_H

#include "cells/exact/adversary.h"
#include "cells/exact/exact.h"
#include "cells/exact/patch.h"
#include "cells/suppress/flow.h"
#include "solver/solver.h"

/* The program that chooses the pattern: a column for every cell that may be
 * suppressed, and the inequalities found so far. */

typedef struct tacit__chooser {
    const tacit__patch *patch;
    tacit__solver *solver;
    int32_t columns;
    int32_t *column_of; /* a cell each; -1: it is suppressed, or never will be */
    int32_t *cell_of;   /* a column each */
    double *pattern;    /* a cell each: the last solution */
    double *reduced;    /* a column each */
    double step;        /* costs are multiples of it, but for the little that is added; or 0 */
    double cost;        /* of the last solution */
    double little;      /* added to the cost of every cell, so that fewer are better */
    double scale;       /* costs in the program are divided by it */
    bool trouble;       /* the last solve failed: nothing is known */
    int64_t cuts;
    /* Inequalities that wait to be added: lines of items and values. */
    int32_t waiting;
    int32_t waiting_items;
    size_t line_room, item_room, value_room;
    int32_t *starts;
    int32_t *items;
    double *values;
    /* Scratch, a column each. */
    int32_t *order;
    double *share;
} tacit__chooser;

tacit_status tacit__chooser_init(tacit__chooser *chooser, const tacit__patch *patch,
                                 tacit_error *err);
void tacit__chooser_clear(tacit__chooser *chooser);

/* Takes sum of coefs[i] * x[i] >= rhs over all cells, strengthened, to be added with the next
 * solve if the pattern breaks it by more than `broken`; and a cover inequality that follows
 * from it likewise. */
tacit_status tacit__chooser_cut(tacit__chooser *chooser, const double *coefs, double rhs,
                                double broken, tacit_error *err);

/* Inequalities of single relations that the pattern breaks: a suppressed cell is not the only one,
 * and no other would be (bridge-less). */
tacit_status tacit__chooser_cut_relations(tacit__chooser *chooser, tacit_error *err);

/* Adds what waits, solves, and takes the solution over. feasible false: there is none. */
tacit_status tacit__chooser_solve(bool *feasible, int64_t *iterations, tacit__chooser *chooser,
                                  const tacit_run *run, tacit_error *err);

/* What the program costs with a column at 0 or 1, or a bound on it where that takes too many
 * iterations; INFINITY: nothing is feasible. The solution stays that of the last solve. */
tacit_status tacit__chooser_try(double *cost, int64_t *iterations, tacit__chooser *chooser,
                                int32_t column, int value, const tacit_run *run, tacit_error *err);

/* Bounds of a column: 0 or 1 for good or for now. */
void tacit__chooser_fix(tacit__chooser *chooser, int32_t column, double lower, double upper);

/* ---- */

/* By how much, as a share, a need may be missed: by fractions, and by patterns. */
#define TACIT__SLACK_FRACTION 1e-3
#define TACIT__SLACK_WHOLE    1e-6

typedef struct tacit__exact_search {
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
} tacit__exact_search;

/* What suppressing a column's cell costs. */
double tacit__exact_column_cost(const tacit__exact_search *s, int32_t column);

/* Whether nothing of this cost can lead to a better pattern; whether the limits are reached. */
bool tacit__exact_too_dear(const tacit__exact_search *s, double cost);
bool tacit__exact_exhausted(const tacit__exact_search *s);

/* Keeps the trial, which protects, if it is the best. */
void tacit__exact_keep(tacit__exact_search *s);

/* Takes over that no pattern costs less. */
void tacit__exact_bound(tacit__exact_search *s, double cost);

/* Publishes what the trial can do without, most weight first, and keeps it if it is the best. */
tacit_status tacit__exact_trim(tacit__exact_search *s, const double *weights, tacit_error *err);

/* Adds what it takes to hide a cell or a demand to the trial; hidden false: there is no way. */
tacit_status tacit__exact_hide(bool *hidden, tacit__exact_search *s, int32_t wish,
                               const double *weights, tacit_error *err);

/* A pattern from the solution in hand. */
tacit_status tacit__exact_round(tacit__exact_search *s, tacit_error *err);

/* What became of a node: to be branched on, closed, or given up with the whole search. */
typedef enum tacit__node_state {
    TACIT__NODE_BRANCH = 0,
    TACIT__NODE_CLOSED,
    TACIT__NODE_ENOUGH
} tacit__node_state;

/* Solves the chooser as it stands and adds inequalities, for at most so many rounds. */
tacit_status tacit__exact_look(tacit__node_state *out, tacit__exact_search *s, int rounds,
                               tacit_error *err);

/* All of it. */
tacit_status tacit__exact_tree(tacit__exact_search *s, tacit_error *err);

#endif
