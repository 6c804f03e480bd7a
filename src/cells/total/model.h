/*
 * model.h - a whole table in which cells are suppressed and published again, and Q is tested
 * (search.c).
 */
#ifndef TACIT_CELLS_TOTAL_MODEL_H
#define TACIT_CELLS_TOTAL_MODEL_H

#include <tacit/experimental/graph.h>

#include "graph/graph.h"

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

tacit_status tacit__model_init(tacit__model *model, const tacit_flat_view *table, tacit_error *err);
void tacit__model_clear(tacit__model *model);

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

/* What is suppressed by now of the offers. */
double tacit__model_cost(const tacit__model *model);

/* Suppresses what repairs Q, the cheapest way for one failing cell after the other; all offers
 * where that finds none. kept false: not even that is enough. */
tacit_status tacit__model_repair(bool *kept, tacit__model *model, const tacit_run *run,
                                 tacit_error *err);

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

/* Publishes all offers. */
tacit_status tacit__parting_init(tacit__parting *partition, tacit__model *model, tacit_error *err);
void tacit__parting_clear(tacit__parting *partition);

/* The classes that offers of a value of at least so much connect: items gets the places of the
 * offers between them, of which as many must be taken as is returned. */
int32_t tacit__parting_cut(tacit__parting *partition, int32_t *items, int32_t *count,
                           const tacit__model *model, const double *values, double least);

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
