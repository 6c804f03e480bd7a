/*
 * cells.h - what has become of the cells of a release.
 */
#ifndef TACIT_RECORDS_METRICS_CELLS_H
#define TACIT_RECORDS_METRICS_CELLS_H

#include <tacit/experimental/records.h>

#include "records/apply/box_counts.h"

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

/* Fills in the metrics that are about cells. */
tacit_status tacit__measure_cells(tacit_metrics *m, const tacit__metrics_measured *r,
                                  tacit_error *err);

#endif
