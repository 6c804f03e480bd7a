/*
 * tables_more.h - one audit of a table as its files share it: the system, and what is known of
 * its variables; and the questions that go beyond single cells.
 */
#ifndef TACIT_SRC_AUDIT_TABLES_MORE_H
#define TACIT_SRC_AUDIT_TABLES_MORE_H

#include "audit/tables.h"

typedef struct tacit__inquiry {
    const tacit_cells *cells;
    const char *status;
    const tacit_cells_audit_options *options;
    tacit__adversary adversary;
    tacit__system *system;
    /* by variable */
    double *low, *high;
    bool *moves, *unknown;
    double *need_low, *need_high, *need_span; /* of the primary cells behind it */
    double *noise;                            /* the most of its cells' */
    bool *primary;                            /* there are some */
    int64_t *programs;                        /* by block */
} tacit__inquiry;

/* The parts of the inquiry's arrays that belong to a block. */
tacit__needs tacit__block_needs(const tacit__inquiry *q, int32_t block);
tacit__extent tacit__block_extent(const tacit__inquiry *q, int32_t block);

/* Fill in audit->singletons and audit->sums; audit->cells are there already. */
tacit_status tacit__audit_knowers(tacit_cells_audit *audit, const tacit__inquiry *q,
                                  tacit_error *err);
tacit_status tacit__audit_sums(tacit_cells_audit *audit, const tacit__inquiry *q, tacit_error *err);

#endif
