/*
 * audit_cells.h - what an adversary can deduce from a statistical table with suppressed
 * cells.
 *
 * He knows the relations, every published value and the bounds of every cell. Linear
 * programs over the suppressed cells say how low and how high each of them can be. Shares
 * no code with the methods that chose them.
 */
#ifndef TACIT_AUDIT_CELLS_H
#define TACIT_AUDIT_CELLS_H

#include <tacit/cells.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialized: everything is looked at but singletons and sums. */
typedef struct tacit_cells_audit_options {
    bool primaries; /* only whether primary cells are hidden enough and the others at all: intervals
                       are as wide as shown, perhaps wider */
    bool singletons; /* what a contributor finds out who knows what he gave himself: cells of one
                        contributor, of two, several cells of one owner */
    bool sums;       /* sums of suppressed cells within a relation that are known exactly, or known
                        too well for what they hide */
} tacit_cells_audit_options;

/* One suppressed cell. */
typedef struct tacit_cell_finding {
    int32_t cell;
    double low, high;                   /* what it can be */
    double required_low, required_high; /* value - lpl, value + upl */
    bool disclosed;                     /* low and high are the same, but for rounding */
    bool underprotected;                /* an interval narrower than demanded, of a primary cell */
    bool unknown; /* a program could not be solved: counts as disclosed; the interval is what
                     was shown until then */
} tacit_cell_finding;

/* A contributor who can work out another's cell. */
typedef struct tacit_singleton_finding {
    int32_t knower; /* the cell that he knows */
    int32_t cell;   /* that he finds out, exactly or closer than it is protected */
    double low, high;
    bool disclosed;
} tacit_singleton_finding;

/* Suppressed cells of a relation whose sum is known. */
typedef struct tacit_sum_finding {
    int32_t relation;
    double value;
    int32_t primaries; /* of the cells in it */
} tacit_sum_finding;

typedef struct tacit_cells_audit {
    int32_t cell_count;
    tacit_cell_finding *cells; /* every suppressed cell, ascending */
    int32_t disclosed;         /* how many */
    int32_t underprotected;    /* the same; disclosed ones that are primary among them */
    int32_t singleton_count;
    tacit_singleton_finding *singletons;
    int32_t sum_count;
    tacit_sum_finding *sums;
    int32_t blocks;   /* that share no relation */
    int64_t programs; /* linear programs solved */
    int32_t unknown;  /* cells of which a program could not be solved: they count as disclosed */
} tacit_cells_audit;

/* status: a letter a cell; NULL: the cells' own. Fails closed: what could not be solved is
 * disclosed. */
tacit_status tacit_audit_cells(tacit_cells_audit **out, const tacit_cells *cells,
                               const char *status, const tacit_cells_audit_options *options,
                               const tacit_run *run, tacit_error *err);
void tacit_cells_audit_free(tacit_cells_audit *audit);

/* The judge of tacit_suppress (suppress.h); payload is not used. */
tacit_status tacit_audit_cells_judge(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                     const char *status, const tacit_run *run, void *payload,
                                     tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
