/*
 * method.c - total protection as a method of tables: of a table of two dimensions, what it
 * takes that nothing at all is known about its primary cells (total.h; Kao).
 *
 * Its promise is about what is known exactly, not about intervals, so nothing is repaired after
 * it: suppressing more never tells more, but the fewest would not stay the fewest.
 */
#include <tacit/experimental/total.h>

#include "cells/suppress/methods.h"

/* Suppresses what the plan adds. Ground cells are listed row by row. */
static void take_plan(tacit_pattern *pattern, const tacit_flat_table *flat,
                      const tacit_total_plan *plan)
{
    for (int32_t k = 0; k < plan->count; k++)
        pattern->status[flat->cells[plan->row[k] * flat->view.columns + plan->column[k]]] =
            TACIT_CELL_SECONDARY;
}

tacit_status tacit__total_solve(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, const tacit_run *run,
                                tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit_flat_table *flat = NULL;
    tacit_total_plan plan = {0};
    tacit_status result = tacit__pattern_init(&pattern, cells, status, err);
    if (result == TACIT_OK)
        result = tacit_flat_from_cells(&flat, cells, status, options->total_costs, err);
    if (result == TACIT_OK)
        result = tacit_total_protect(&plan, &flat->view, &options->total, run, err);
    if (result == TACIT_OK) {
        take_plan(&pattern, flat, &plan);
        tacit__pattern_finish(&pattern, cells);
        pattern.added = plan.count;
        pattern.added_cost = plan.cost;
        pattern.lower_bound = plan.lower_bound;
        pattern.proven = plan.optimal;
        pattern.stopped = plan.stopped;
        *out = pattern;
    } else {
        tacit_pattern_clear(&pattern);
    }
    tacit_total_plan_clear(&plan);
    tacit_flat_table_free(flat);
    return result;
}
