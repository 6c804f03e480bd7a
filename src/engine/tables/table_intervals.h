/*
 * table_intervals.h - what anybody can tell of suppressed cells from a release alone.
 */
#ifndef TACIT_ENGINE_TABLES_TABLE_INTERVALS_H
#define TACIT_ENGINE_TABLES_TABLE_INTERVALS_H

#include <tacit/experimental.h>

typedef struct engine_table_intervals {
    const tacit_cells_audit *audit; /* NULL: nothing is said */
    tacit_cells_audit *own;         /* where the one given tells too much */
    int decimals;                   /* of what is published */
    bool not_negative;              /* no value is below 0, which everybody knows */
} engine_table_intervals;

/* Whether a status letter says that the cell is not published. */
static inline bool engine_is_suppressed(char status)
{
    return status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY;
}

/* audit: of all intervals, with the bounds of the cells; must outlive the intervals. Where those
 * bounds tell more than the release does, the intervals are worked out without them; where that
 * fails nothing is said of any cell. status NULL: the cells' own. */
void engine_table_intervals_init(engine_table_intervals *intervals, const tacit_cells *cells,
                                 const char *status, const tacit_cells_audit *audit);
void engine_table_intervals_clear(engine_table_intervals *intervals);

/* "anybody can tell that it is between 3 and 17"; cut to size, returns buffer. */
const char *engine_table_interval(char *buffer, size_t size,
                                  const engine_table_intervals *intervals, int32_t cell);

/* A published value as a page shows it. */
const char *engine_table_value(char *buffer, size_t size, const engine_table_intervals *intervals,
                               double value);

#endif
