/*
 * total_verdict.h - what is known exactly about a two-dimensional table, in words, in an account
 * and on a page.
 */
#ifndef TACIT_ENGINE_TABLES_TOTAL_VERDICT_H
#define TACIT_ENGINE_TABLES_TOTAL_VERDICT_H

#include <tacit/experimental.h>

typedef struct engine_total_verdict {
    const tacit_flat_view *view; /* borrowed */
    tacit_total_audit *audit;
    tacit_total_levels levels;
} engine_total_verdict;

/* The view must have names, and stay. k: rows or columns of the third level; 0: levels are not
 * looked at, and must not be shown. */
tacit_status engine_total_verdict_init(engine_total_verdict *verdict, const tacit_flat_view *view,
                                       int32_t k, const tacit_run *run, tacit_error *err);
void engine_total_verdict_clear(engine_total_verdict *verdict);

/* Lines on standard output: cells and counts, no values. */
void engine_total_verdict_tell(FILE *out, const engine_total_verdict *verdict);

/* `total_protected`, `invariant_cells`, `known_sums` with their values, `levels_of_protection`. */
void engine_total_verdict_account(tacit_account *account, const engine_total_verdict *verdict);
void engine_total_verdict_page(tacit_page *page, const engine_total_verdict *verdict);

/* Into a list of the account: a row and a column. */
void engine_push_place(tacit_account *account, const char *list, const tacit_flat_view *view,
                       int32_t row, int32_t column);

#endif
