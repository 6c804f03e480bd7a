/*
 * rules.h - what rules say of a cell, for those who tell why it is primary.
 */
#ifndef TACIT_CELLS_RULES_RULES_H
#define TACIT_CELLS_RULES_RULES_H

#include <tacit/experimental/cells.h>

/* Whether a rule finds a cell confidential, whose contributors it needs. */
bool tacit__rule_finds(const tacit_cells *cells, int32_t cell, const tacit_rule *rule);

/* What percent of a cell its so many largest contributors have; 0 where nothing is known of them.
 */
double tacit__largest_percent(const tacit_cells *cells, int32_t cell, int32_t count);

#endif
