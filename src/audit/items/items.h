/*
 * items.h - sets of items before the judge: the cells of a column cut into items (items.c), and
 * whether k people of each class share whatever somebody may know of one (known.c).
 */
#ifndef TACIT_AUDIT_ITEMS_ITEMS_H
#define TACIT_AUDIT_ITEMS_ITEMS_H

#include "audit/rows/rows.h"

/* A column of items: those of its cells, one a line, as a table of their own, which codes them.
 * Zero-initialized is empty. */
typedef struct tacit__item_cells {
    char *text;
    tacit_table *table;
    uint32_t count;  /* distinct items */
    size_t *start;   /* a code of the column each, and missing: where its items are; one more */
    uint32_t *items; /* ascending in each cell */
    uint8_t *twice;  /* a code each: it has an item more than once */
} tacit__item_cells;

tacit_status tacit__item_cells_init(tacit__item_cells *cells, const tacit_table *table,
                                    int32_t column, const char *separator, const tacit_run *run,
                                    tacit_error *err);
void tacit__item_cells_clear(tacit__item_cells *cells);

/* All columns of items of the release. */
typedef struct tacit__item_release {
    const tacit_table *table;
    int32_t *columns; /* of the release, or -1 */
    tacit__item_cells *cells;
    int32_t count;
} tacit__item_release;

/* Checks every combination of up to km items in each class of the rows, and tells of it. */
tacit_status tacit__items_known(tacit__judge *judge, const tacit__item_release *release,
                                const tacit__partition *classes, tacit_error *err);

#endif
