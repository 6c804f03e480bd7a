/*
 * table_levels.h - how much of a statistical table is suppressed, level by level of its
 * hierarchies.
 */
#ifndef TACIT_ENGINE_TABLES_TABLE_LEVELS_H
#define TACIT_ENGINE_TABLES_TABLE_LEVELS_H

#include <tacit/experimental.h>

/* The cells whose code is on one level of one dimension. */
typedef struct engine_table_level {
    tacit_strview dimension; /* its name, borrowed from the cells */
    int32_t level;           /* in its first hierarchy; 0 is the total */
    int64_t cells;
    int64_t primary, secondary;            /* of them suppressed */
    double value_primary, value_secondary; /* sums of their sizes, without sign */
} engine_table_level;

/* By dimension, then by level. */
typedef struct engine_table_levels {
    engine_table_level *list;
    int count;
} engine_table_levels;

/* status NULL: the cells' own. A cell that linked tables share counts once a dimension. Codes
 * that only further hierarchies have are on no level. Empty for cells without dimensions. */
tacit_status engine_table_levels_init(engine_table_levels *levels, const tacit_cells *cells,
                                      const char *status, tacit_error *err);
void engine_table_levels_clear(engine_table_levels *levels);

/* A list `levels`, and on the page a chart and a table of the counts, which follow from the
 * release. The sums do not, and are the data holder's: they are in the JSON alone. The levels must
 * outlive the report. */
void engine_table_levels_facts(tacit_report *report, const engine_table_levels *levels);

#endif
