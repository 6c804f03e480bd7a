/*
 * more.h - one audit of a table as its files share it: the system, and what is known of
 * its variables; and the questions that go beyond single cells.
 */
#ifndef TACIT_AUDIT_TABLES_MORE_H
#define TACIT_AUDIT_TABLES_MORE_H

#include "audit/tables/tables.h"

typedef struct tacit__inquiry {
    const tacit_cells *cells;
    const char *status;
    const tacit_cells_audit_options *options;
    const bool *asked; /* whose ends are to be known, a cell each; NULL: all */
    const bool *alone; /* those of them that have programs of their own where others do not show
                          enough; NULL: all */
    bool wide;      /* a cell moves where its range is far wider than programs are off by: no other
                       proof is looked for, and none of cells that are not asked for */
    int32_t window; /* variables of the first windows into large blocks; 0: as it pleases */
    tacit__tables_adversary adversary;
    tacit__system *system;
    /* by variable */
    double *low, *high;
    bool *moves, *unknown;
    double *need_low, *need_high, *need_span; /* of the primary cells behind it */
    double *noise;                            /* the most of its cells' */
    bool *primary;                            /* there are some */
    bool *wanted;                             /* some of its cells are asked for */
    bool *chased;                             /* some of these may have programs of their own */
    int64_t *programs;                        /* by block */
} tacit__inquiry;

/* Fills in the system and what is known of its variables, from what is above them. */
tacit_status tacit__inquiry_look(tacit__inquiry *q, int64_t *programs, tacit_error *err);
void tacit__inquiry_clear(tacit__inquiry *q);

/* Whether programs may have to show more of a variable that was seen to go from low to high: it has
 * not gone as far as is needed of it, nor to its bounds. */
bool tacit__is_open(const tacit__inquiry *q, int32_t variable, double low, double high);

/* What small parts of large blocks show, of variables that are open or not known to move
 * (windows.c). */
tacit_status tacit__look_windows(tacit__inquiry *q, int64_t *programs, tacit_error *err);

/* How far the system's cell k was seen to deviate, and what it means that a cell can deviate so
 * far. */
void tacit__deviation(double *low, double *high, const tacit__inquiry *q, int32_t k);
tacit_cell_finding tacit__finding(const tacit__inquiry *q, int32_t cell, double low, double high,
                                  bool unknown);

/* The parts of the inquiry's arrays that belong to a block. */
tacit__needs tacit__block_needs(const tacit__inquiry *q, int32_t block);
tacit__tables_extent tacit__block_extent(const tacit__inquiry *q, int32_t block);

/* Fill in audit->singletons and audit->sums; audit->cells are there already. */
tacit_status tacit__audit_knowers(tacit_cells_audit *audit, const tacit__inquiry *q,
                                  tacit_error *err);
tacit_status tacit__audit_sums(tacit_cells_audit *audit, const tacit__inquiry *q, tacit_error *err);

#endif
