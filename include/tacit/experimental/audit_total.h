/*
 * audit_total.h - what an adversary can work out exactly about a two-dimensional table:
 * single cells, sums of cells, and whether anything at all about a set of cells (Kao, Total
 * Protection, sections 2 and 3). Linear in the cells listed, whatever the size of the table. Shares
 * no code with the methods (total.h) but that of messages and memory.
 *
 * A cell is invariant, known exactly, if no change of the table that keeps all sums and bounds
 * moves it. A sum of cells with signs is known where the cells are a cut of the graph. A set Q is
 * totally protected if nothing is known about its cells, not even a sum, that does not follow from
 * the form of the table; then no other function of them is known either.
 */
#ifndef TACIT_AUDIT_TOTAL_H
#define TACIT_AUDIT_TOTAL_H

#include <tacit/experimental/audit_cells.h>
#include <tacit/experimental/graph.h>
#include <tacit/experimental/total.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialized: verdicts and invariant cells, no sums. */
typedef struct tacit_total_audit_options {
    int32_t sums;      /* how many sums to list at most: those over Q alone, and of all */
    bool no_invariant; /* the test of Q alone: invariant cells are not looked for */
} tacit_total_audit_options;

/* A sum with signs that is known, of cells of which no smaller sum is: a minimal cut. Or a
 * single cell. */
typedef struct tacit_known_sum {
    int32_t first, count;  /* of the terms, which are by row and column; the first has a plus */
    int32_t component;     /* the strong component that it cuts; -1: a cell between two of them */
    int32_t rows, columns; /* on one side of the cut: the sum is the difference of what they sum up
                              to, less what is published */
    double value;          /* NAN where the table has no values */
} tacit_known_sum;

typedef struct tacit_known_term {
    int32_t cell; /* in the list */
    int32_t sign; /* 1 or -1 */
} tacit_known_term;

typedef struct tacit_total_audit {
    int32_t suppressed;
    int32_t secret;          /* cells in Q */
    int32_t components;      /* connected ones, of two vertices at least */
    int32_t strong;          /* strong ones, likewise */
    int32_t invariant_count; /* cells that are known exactly, ascending */
    int32_t *invariant;
    bool total;         /* Q is totally protected */
    int32_t leaks;      /* independent sums over Q alone that are known; 0: total */
    int32_t known;      /* the same over all suppressed cells */
    int32_t leak_count; /* listed, shortest first */
    tacit_known_sum *leak;
    int32_t sum_count; /* listed of all minimal ones that a basis has, shortest first */
    tacit_known_sum *sum;
    int32_t term_count;
    tacit_known_term *terms;
} tacit_total_audit;

tacit_status tacit_audit_total(tacit_total_audit **out, const tacit_flat_view *table,
                               const tacit_total_audit_options *options, const tacit_run *run,
                               tacit_error *err);
void tacit_total_audit_free(tacit_total_audit *audit);

/* The four levels that the paper compares with (Kao, Data security equals graph connectivity),
 * which are about all suppressed cells: no cell is known; nor anything about a row or column, about
 * k rows or k columns, about the table, but what follows from the sums of these rows or columns
 * themselves. Total protection is about some of the cells, and hides even those sums of them. */
typedef struct tacit_total_levels {
    bool cells;          /* components are strong and have no bridge */
    int32_t cell;        /* a cell that is known: all levels fail by it; -1: none */
    bool lines;          /* no row or column is all that connects two parts of a component */
    int32_t row, column; /* one that is; -1 */
    bool several;        /* no k rows, or k columns, are */
    int32_t k;
    int32_t line_count; /* some that are: rows or columns */
    bool of_rows;
    int32_t *line_list;
    bool table; /* all cells between the rows and columns of a component are suppressed */
    int32_t open_row, open_column; /* a published one; -1 */
} tacit_total_levels;

/* k from 1. The first two levels and the last are linear; for k above 1 the time grows with k, the
 * cells, and the rows and columns. Cleared with tacit_total_levels_clear. */
tacit_status tacit_audit_levels(tacit_total_levels *out, const tacit_flat_view *table, int32_t k,
                                const tacit_run *run, tacit_error *err);
void tacit_total_levels_clear(tacit_total_levels *levels);

/* The second check of a release: `written` is what tacit_flat_write wrote, read back with all
 * columns coded; table is the file that the cells came from, which is compared itself and not what
 * was made of it. Its cells must stand in the release in their order, then those that the plan
 * adds, each once, and nothing else; published values must be exactly the table's, suppressed ones
 * empty; letters those of the table, and `x` for what the plan suppresses, which must have been `s`
 * or not listed. plan NULL: nothing was added. What is found is no error: look at `holds`. status
 * has a letter a row of the table. */
tacit_status tacit_audit_flat_written(tacit_cells_written **out, const tacit_table *table,
                                      const tacit_total_plan *plan, const tacit_flat_spec *spec,
                                      const tacit_table *written, const tacit_run *run,
                                      tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
