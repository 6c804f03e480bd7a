/*
 * total_verdict.h - what is known exactly about a two-dimensional table, in words, in an account
 * and on a page.
 */
#ifndef TACIT_CLI_TOTAL_VERDICT_H
#define TACIT_CLI_TOTAL_VERDICT_H

#include <tacit.h>

/* Which row or column a number stands for. */
typedef struct cli_line_names {
    tacit_strview (*name)(const void *subject, bool row, int32_t number);
    const void *subject;
} cli_line_names;

typedef struct cli_total_verdict {
    const tacit_flat_view *view; /* borrowed */
    cli_line_names names;
    tacit_total_audit *audit;
    tacit_total_levels levels;
} cli_total_verdict;

/* The names of a table's codes, from the following. */
tacit_strview cli_cells_line(const void *subject, bool row, int32_t number);
typedef struct cli_cells_lines {
    const tacit_cells *cells;
    const tacit_flat_table *flat;
} cli_cells_lines;

/* k: rows or columns of the third level. What names borrow must stay. */
tacit_status cli_total_verdict_init(cli_total_verdict *verdict, const tacit_flat_view *view,
                                    cli_line_names names, int32_t k, const tacit_run *run,
                                    tacit_error *err);
void cli_total_verdict_clear(cli_total_verdict *verdict);

/* Lines on standard output: cells and counts, no values. */
void cli_total_verdict_tell(const cli_total_verdict *verdict);

/* `total_protected`, `invariant_cells`, `known_sums` with their values, `levels_of_protection`. */
void cli_total_verdict_account(tacit_account *account, const cli_total_verdict *verdict);
void cli_total_verdict_page(tacit_page *page, const cli_total_verdict *verdict);

/* Into a list of the account: the cell's row and column. */
void cli_push_flat_cell(tacit_account *account, const char *list, const cli_total_verdict *verdict,
                        int32_t cell);

#endif
