/*
 * keeper.h - a pattern that also hides from those who know more, and hides sums: what it fails is
 * found and made good, whatever method it comes from.
 */
#ifndef TACIT_CELLS_SUPPRESS_KEEPER_H
#define TACIT_CELLS_SUPPRESS_KEEPER_H

#include "cells/exact/patch.h"

typedef struct tacit__keeper tacit__keeper;

/* Of a whole table and a patch of it, both borrowed. *out is NULL where the options ask for nothing
 * of the kind. */
tacit_status tacit__keeper_new(tacit__keeper **out, tacit__patch *patch, const tacit_cells *cells,
                               const char *status, const tacit_suppress_options *options,
                               tacit_error *err);
void tacit__keeper_free(tacit__keeper *keeper);

/* Adds cells to `chosen`, which hides primary cells from everybody, until no contributor finds out
 * another's and no sum is known too well; *changed: something had to be done. The patch has the
 * demands then that were found to fail. TACIT_INFEASIBLE names a cell for which nothing can be
 * done. */
tacit_status tacit__keeper_complete(bool *chosen, bool *changed, tacit__keeper *keeper,
                                    const tacit_run *run, tacit_error *err);

/* The same for letters, a table's own where it is published again. Nothing is done where the
 * options ask for nothing. */
tacit_status tacit__keeper_repair(bool *changed, tacit_pattern *pattern, const tacit_cells *cells,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err);

/* Letters of a pattern from what is chosen, and the other way round. */
void tacit__pattern_take(tacit_pattern *pattern, const char *status, const bool *chosen,
                         int32_t count);
void tacit__pattern_give(bool *chosen, const tacit_pattern *pattern, int32_t count);

#endif
