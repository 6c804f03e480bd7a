/*
 * table_page.h - a protected table on a page that may be shown with the release.
 */
#ifndef TACIT_CLI_TABLE_PAGE_H
#define TACIT_CLI_TABLE_PAGE_H

#include <tacit.h>

/* How much is suppressed by level, and the table itself with its cells drawn by status; of cells
 * without dimensions a list of those that are suppressed. status NULL: the cells' own. audit: of
 * all intervals (not `primaries` alone), with the cells' bounds; NULL: it is made here.
 *
 * Of a suppressed cell the page tells its status, as the release does, and what follows from
 * the release; see table_intervals.h. */
void cli_table_page(tacit_page *page, const tacit_cells *cells, const char *status,
                    const tacit_cells_audit *audit);

#endif
