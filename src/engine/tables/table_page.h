/*
 * table_page.h - a protected table on a page that may be shown with the release.
 */
#ifndef TACIT_ENGINE_TABLES_TABLE_PAGE_H
#define TACIT_ENGINE_TABLES_TABLE_PAGE_H

#include <tacit/experimental.h>

/* The table itself with its cells drawn by status; of cells
 * without dimensions a list of those that are suppressed. status NULL: the cells' own. audit: of
 * all intervals (not `primaries` alone), with the cells' bounds; NULL: it is made here.
 *
 * Of a suppressed cell the page tells its status, as the release does, and what follows from
 * the release; see table_intervals.h. */
void engine_table_page(tacit_page *page, const tacit_cells *cells, const char *status,
                       const tacit_cells_audit *audit);

/* How cells are drawn where their status is not what matters. */
typedef struct engine_table_look {
    tacit_grid_kind (*kind)(const void *subject, int32_t cell);
    /* What there is to say of a cell; cut to size, returns buffer. */
    const char *(*say)(char *buffer, size_t size, const void *subject, int32_t cell);
    const void *subject;
} engine_table_look;

/* The table alone, with its cells drawn that way, all values shown; of cells without dimensions a
 * list of those that are drawn as suppressed. words: above it. */
void engine_table_page_look(tacit_page *page, const tacit_cells *cells, const char *words,
                            const engine_table_look *look);

#endif
