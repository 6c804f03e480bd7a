/*
 * total.h - the ways to total protection (total.c chooses among them), and the whole table in which
 * the search suppresses cells and publishes them again.
 */
#ifndef TACIT_CELLS_TOTAL_TOTAL_H
#define TACIT_CELLS_TOTAL_TOTAL_H

#include <tacit/experimental/total.h>

#include "graph/graph.h"

/* Whether Q is protected (Theorem 3.2): *failed is an edge of it that is not, or -1. strong and
 * loose, a vertex each, become strong components and their parts without Q. */
tacit_status tacit__total_test(int32_t *failed, int32_t *strong, int32_t *loose,
                               const tacit__graph *graph, tacit_error *err);

/* Problem 5 on a graph without published edges; directions are not looked at. */
tacit_status tacit__total_count(tacit_total_plan *plan, tacit__places *added,
                                const tacit__graph *graph, bool as_published, const tacit_run *run,
                                tacit_error *err);

/* What Problem 7 is about: trees of vertices, each in one home. */
typedef struct tacit__forest {
    int32_t trees;
    int32_t homes;
    int32_t *row, *column; /* a tree each: its first row, its first column as a vertex; -1: none */
    tacit__groups of_home; /* trees by home */
    const tacit__graph *graph;
} tacit__forest;

/* The answer to the easy problem, in which nothing is directed, fixed or has a cost: any answer
 * needs as many cells. */
tacit_status tacit__total_easy(tacit__places *added, const tacit_flat_view *table,
                               const tacit_run *run, tacit_error *err);

/* Tables that are too large for a search. */
tacit_status tacit__total_large(tacit_total_plan *plan, tacit__places *added,
                                const tacit_flat_view *table, const tacit__graph *graph,
                                const tacit_run *run, tacit_error *err);

/* Everything else. */
tacit_status tacit__total_search(tacit_total_plan *plan, tacit__places *added,
                                 const tacit_flat_view *table, const tacit_total_options *options,
                                 const tacit_run *run, tacit_error *err);

/* "row 3", "column 4", or "the part of row 3 and column 4", for messages; column is a vertex, -1
 * where there is none, as may be row. Returns buffer. */
const char *tacit__name_part(char buffer[256], const tacit__graph *graph, int32_t row,
                             int32_t column);

/* ---- the search (search.c, exact.c) ---- */

/* The graph of all cells but those that must be published. An edge is suppressed by its
 * flag alone. Offers are the edges that may be: those that were published. */
typedef struct tacit__model {
    tacit__graph *graph;
    int32_t *twin; /* of each entry of near: the entry at the other end */
    int32_t *row;  /* of each edge */
    int32_t *offer;
    double *cost; /* of each edge */
    int32_t offers;
    int32_t *strong, *loose; /* a vertex each, after a test */
    int32_t failed;          /* an edge of Q that the last test found wanting; -1: none */
    int64_t tests;
} tacit__model;

static inline bool tacit__model_hidden(const tacit__model *model, int32_t edge)
{
    return model->graph->near[edge] & TACIT__HIDDEN;
}

void tacit__model_set(tacit__model *model, int32_t edge, bool hidden);
void tacit__model_set_all(tacit__model *model, bool hidden);

/* Whether Q is protected (Theorem 3.2). */
tacit_status tacit__model_test(bool *kept, tacit__model *model, tacit_error *err);

/* Suppresses (or publishes) the edges of a list that leave the test at `want`, one after the other,
 * in blocks that grow and shrink with success, the first of so many. Since a suppression never
 * makes a protected set unprotected, that is the same as one by one. The list is changed: *count
 * edges are left at its start that had to stay as they were. */
tacit_status tacit__model_squeeze(tacit__model *model, int32_t *edges, int32_t *count,
                                  int32_t block, bool hidden, bool want, tacit_error *err);

/* Publishes again what Q can do without, dearest first. block as in squeeze. */
tacit_status tacit__model_prune(tacit__model *model, int32_t block, tacit_error *err);

/* Rows and columns in classes, for a count of what must be taken between them (parts.c). */
typedef struct tacit__parting {
    tacit__groups homes; /* vertices by component of the suppressed graph */
    int32_t home_count;
    int32_t *free_edges; /* suppressed, not in Q */
    int32_t free_count;
    int32_t *class_of; /* a vertex each */
    int32_t *seen;
} tacit__parting;

/* The best pattern known: which offers it suppresses, and what no pattern can undercut. */
typedef struct tacit__best {
    bool *taken;
    double cost;
    double bound;
} tacit__best;

/* Improves it by integer programs until it is proven. */
tacit_status tacit__model_exact(tacit__best *best, tacit__model *model, bool whole,
                                const tacit_run *run, tacit_error *err);

/* Takes over what the model suppresses if it costs less. */
void tacit__best_offer(tacit__best *best, const tacit__model *model);

#endif
