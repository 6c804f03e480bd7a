/*
 * audit_cells.h - what an adversary can deduce from a statistical table with suppressed
 * cells.
 *
 * He knows the relations, every published value and the bounds of every cell. Linear
 * programs over the suppressed cells say how low and how high each of them can be. Shares
 * the reader and the LP solver with the methods that chose them, and nothing that chooses.
 *
 * What is exact, and what is not:
 *   - a cell counts as hidden only where a solution is known that moves it and holds in whole
 *     numbers (to 10^-9 where its weights or its denominator do not allow that). The rest
 *     is disclosed, as are cells of which a program could not be solved, and cells whose
 *     interval is no wider than 10^-9 of their value, or of 1;
 *   - a level is kept where no more than a millionth of it and 10^-9 is missing;
 *   - ends of intervals are right to 10^-6, or to 10^-12 of the largest deviation that the
 *     cell's block allows.
 */
#ifndef TACIT_AUDIT_CELLS_H
#define TACIT_AUDIT_CELLS_H

#include <tacit/experimental/cells.h>
#include <tacit/experimental/intervals.h>
#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialized: everything is looked at but singletons and sums. */
typedef struct tacit_cells_audit_options {
    bool primaries; /* only whether primary cells are hidden enough and the others at all: intervals
                       are as wide as shown, perhaps wider */
    bool singletons; /* what a contributor finds out who knows what he gave himself: cells of one
                        contributor, of two, several cells of one owner. Needs freq */
    bool sums;       /* sums of a relation's primary cells that are known too well for what they
                        hide: judged like a cell with the contributors of all of them */
} tacit_cells_audit_options;

/* One suppressed cell. */
typedef struct tacit_cell_finding {
    int32_t cell;
    double low, high;                   /* what it can be */
    double required_low, required_high; /* value - lpl, value + upl; NAN: not known */
    bool disclosed;                     /* low and high are the same, but for rounding */
    bool underprotected;                /* an interval narrower than demanded, of a primary cell */
    bool unknown; /* a program could not be solved: counts as disclosed; the interval is what
                     was shown until then */
} tacit_cell_finding;

/* A contributor who can work out another's primary cell, which others cannot; or exactly what
 * the others gave to his own. */
typedef struct tacit_singleton_finding {
    int32_t insider; /* the cell that he knows, the first of several */
    int32_t cell;    /* that he finds out, exactly or closer than it is protected */
    double low, high;
    bool disclosed;
} tacit_singleton_finding;

/* Primary cells on one side of a relation whose sum is known too well. */
typedef struct tacit_sum_finding {
    int32_t relation;
    double value;
    double low, high; /* what it can be */
    bool disclosed;
    int32_t primaries; /* of the cells in it */
} tacit_sum_finding;

typedef struct tacit_cells_audit {
    int32_t cell_count;
    tacit_cell_finding *cells; /* every suppressed cell, ascending; of a release without the
                                  subtotals that it does not list */
    int32_t disclosed;         /* how many */
    int32_t underprotected;    /* the same; disclosed ones that are primary among them */
    int32_t singleton_count;
    tacit_singleton_finding *singletons; /* by insider */
    int32_t sum_count;
    tacit_sum_finding *sums; /* by relation */
    int32_t blocks;          /* that share no relation */
    int64_t programs;        /* linear programs solved */
    int32_t unknown; /* cells of which a program could not be solved: they count as disclosed */
} tacit_cells_audit;

/* status: a letter a cell; NULL: the cells' own. Fails closed: what could not be solved is
 * disclosed. Where values are not known (a release as outsiders have it) levels are not either,
 * and no cell is found underprotected; singletons and sums cannot be asked for. */
tacit_status tacit_audit_cells(tacit_cells_audit **out, const tacit_cells *cells,
                               const char *status, const tacit_cells_audit_options *options,
                               const tacit_run *run, tacit_error *err);
void tacit_cells_audit_free(tacit_cells_audit *audit);

/* For methods that repair what they left exposed: the cells that are disclosed or hidden too
 * little, ascending; exposed has room for every cell. payload is not used. */
tacit_status tacit_audit_cells_judge(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                     const char *status, const tacit_run *run, void *payload,
                                     tacit_error *err);

/* What anybody can tell of suppressed cells from a release alone: that values add up and, if so,
 * that none is negative. Bounds say more where they come from the values themselves, and are left
 * out; ends may then be open. Publishing these intervals, or wider ones, tells nobody anything.
 * status NULL: the cells' own. */
tacit_status tacit_audit_public(tacit_intervals *out, const tacit_cells *cells, const char *status,
                                const tacit_run *run, tacit_error *err);

/* ---- what was written ---- */

enum { TACIT_WRITTEN_LISTED = 10, TACIT_WRITTEN_BYTES = 400 };

/* Something in a file that is not as it should be. */
typedef struct tacit_written_problem {
    int64_t line;                      /* of the file; 0: none */
    char message[TACIT_WRITTEN_BYTES]; /* names the cell, never a value */
} tacit_written_problem;

/* A file that was written, compared with what should stand in it. */
typedef struct tacit_cells_written {
    bool holds;            /* nothing was found */
    int64_t problem_count; /* the first of them are listed */
    int32_t listed;
    tacit_written_problem problems[TACIT_WRITTEN_LISTED];
    char *status; /* a letter a cell as the file says it, for the audit of what is really out: a
                     cell with a value in any of its rows is published, one without is not,
                     whatever letter it was given */
    tacit_intervals intervals; /* as the file says them; NULL where they were not asked for */
} tacit_cells_written;

void tacit_cells_written_free(tacit_cells_written *written);

/* The second check of a release: `written` is what tacit_cells_write_csv wrote with these options
 * (release among them), read back with all columns coded. Every cell must stand in it under
 * every combination of its names, once; nothing else may; published values must be exactly the
 * cells', suppressed ones empty; letters must be those of the pattern, and the pattern
 * must follow from the cells' own letters: only `s` becomes `x`. Intervals, where options have
 * some, must be exactly those, hold the value, and be empty where it is published. status NULL: the
 * cells' own.
 * What is found is no error: look at `holds`. Linear in rows and cells. */
tacit_status tacit_audit_cells_written(tacit_cells_written **out, const tacit_cells *cells,
                                       const char *status, const tacit_table *written,
                                       const tacit_cells_csv_options *options, const tacit_run *run,
                                       tacit_error *err);

/* Notes intervals of the file that say more than the rest of it, for a release whose intervals are
 * to be what anybody can work out. */
tacit_status tacit_audit_intervals_public(tacit_cells_written *written, const tacit_cells *cells,
                                          const tacit_run *run, tacit_error *err);

/* The same for a .jj file, which has everything: `written` is the file read back. Cells, letters
 * and relations must be the same, in the same order. */
tacit_status tacit_audit_cells_same(tacit_cells_written **out, const tacit_cells *cells,
                                    const char *status, const tacit_cells *written,
                                    tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
