/*
 * total.h - the parts of the total protection audit (audit_total.h).
 */
#ifndef TACIT_AUDIT_TOTAL_TOTAL_H
#define TACIT_AUDIT_TOTAL_TOTAL_H

#include <tacit/audit_total.h>

#include "graph/graph.h"

/* A table as the audit sees it. */
typedef struct tacit__total {
    const tacit_flat_view *table;
    tacit__graph *graph;
    int32_t *strong; /* a vertex each: its strong component */
    int32_t strong_count;
    int32_t *loose; /* a vertex each: its part of the component when Q is taken out */
    int32_t loose_count;
    tacit__cuts *cuts; /* of the strong components; NULL: not asked for */
} tacit__total;

/* Suppressed edges inside strong components. */
static inline tacit__edge_filter tacit__inside(const tacit__total *total)
{
    return (tacit__edge_filter){TACIT__HIDDEN, TACIT__HIDDEN, total->strong};
}

/* Cells that are known by themselves, ascending: those between strong components, and their
 * bridges. Needs the cuts. The caller frees *cells. */
tacit_status tacit__known_cells(int32_t **cells, int32_t *count, const tacit__total *total,
                                tacit_error *err);

/* Lists sums that are known, up to so many of each kind. */
tacit_status tacit__list_sums(tacit_total_audit *audit, const tacit__total *total, int32_t most,
                              tacit_error *err);

/* Finds k rows at most, or columns, whose removal leaves two vertices of the other side apart that
 * were in one component. cut has room for k; *count is 0 where there are none. */
tacit_status tacit__separate(int32_t *cut, int32_t *count, const tacit__graph *graph,
                             const int32_t *component, bool rows, int32_t k, const tacit_run *run,
                             tacit_error *err);

#endif
