/*
 * costs.h - what releasing a value costs, for the metrics that are sums over
 * cells: Prec, weighted Prec, granularity, entropy and those of the list in metrics.c.
 *
 * The cost of a release is the mean over its rows of the costs of a row's cells,
 * minus `offset`; a cell's cost depends on what it is released as only. Loss is
 * no such sum; here it has the costs of granularity, and tacit__costs_loss_bound
 * says what a bound on that sum means for it.
 */
#ifndef TACIT_RECORDS_METRICS_COSTS_H
#define TACIT_RECORDS_METRICS_COSTS_H

#include <tacit/experimental/records.h>

#include "records/apply/boxes.h"

typedef struct tacit__costs {
    double *(*of)[TACIT_MAX_LEVELS]; /* an attribute each, by the value's number; never falls from
                                        a level to the next */
    double *suppressed;              /* the same: of a cell of a suppressed row; no less than any */
    double offset;
    double *memory; /* that all costs lie in */
} tacit__costs;

/* A metric that is the mean of a cost over cells. One file defines tacit__cell_metric_NAME; its
 * name in the list of metrics.c does the rest. */
typedef struct tacit__cell_metric {
    const char *name;
    const char *summary;
    /* What it costs to release the value of that number on a level: 0 (nothing is lost) to 1,
     * and never less than a value below it. A cell of a suppressed row costs 1. */
    double (*cost)(const tacit_attribute *attribute, int level, uint32_t number);
} tacit__cell_metric;

/* NULL where the metric is none of the list. */
const tacit__cell_metric *tacit__cell_metric_of(tacit_metric metric);

/* Metrics that are such sums, those that can be asked for, and all, as bits. */
enum {
    TACIT__ALL_METRICS = (1 << TACIT_MAX_METRICS) - 1,
    TACIT__LISTED_METRICS = TACIT__ALL_METRICS & ~((1 << TACIT_METRIC_LISTED) - 1),
    TACIT__SUM_METRICS = 1 << TACIT_METRIC_PREC | 1 << TACIT_METRIC_WEIGHTED |
                         1 << TACIT_METRIC_GRANULARITY | 1 << TACIT_METRIC_ENTROPY |
                         TACIT__LISTED_METRICS,
    TACIT__CELL_METRICS = TACIT__SUM_METRICS | 1 << TACIT_METRIC_LOSS
};

tacit_status tacit__costs_init(tacit__costs *costs, const tacit_frame *frame, tacit_metric metric,
                               const tacit_run *run, tacit_error *err);
void tacit__costs_clear(tacit__costs *costs);

/* Share of the leaves that a value hides, 0 for a leaf to 1 for all of them. */
double tacit__hidden_leaves(const tacit_hierarchy *hierarchy, int level, uint32_t number);

/* Weights of the attributes for weighted Prec; they sum to their number. */
void tacit__weights(double *weights, const tacit_frame *frame);

/* How many rows have each ground value of an attribute, missing last; the caller
 * frees it with tacit__free. */
tacit_status tacit__ground_counts(uint32_t **out, const tacit_frame *frame, int32_t attribute,
                                  const tacit_run *run, tacit_error *err);

/* What loss is at least, where granularity costs at least this much. */
double tacit__costs_loss_bound(double granularity_cost, int32_t attributes);

/* A release that is being measured. */
typedef struct tacit__metrics_measured {
    const tacit_solution *solution;
    const tacit_application *application; /* NULL: no rows have been drawn */
    const tacit_frame *frame;
    const tacit_run *run;
    int64_t rows;
    int64_t suppressed;      /* rows */
    int64_t released;        /* rows, the suppressed ones among them unless they are left out */
    uint32_t *left;          /* rows of each class that are not suppressed; NULL with boxes */
    tacit__box_counts boxes; /* none where the solution has none */
} tacit__metrics_measured;

/* Whether a value is released as "*". */
bool tacit__is_star(const tacit_hierarchy *hierarchy, int level, uint32_t number);

#endif
