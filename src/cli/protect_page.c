/*
 * protect_page.c - the page for people of a protected table.
 *
 * It may be shown with the release: it says nothing of a suppressed cell that does not follow
 * from the release.
 */
#include <stdio.h>

#include "grid.h"
#include "protect.h"
#include "table_page.h"
#include "verdict.h"

/* Counts alone: a sum of suppressed values, and a cost that is one, would be a further equation
 * for the adversary. */
static void add_tiles(tacit_page *page, const cli_protection *p)
{
    static const char *const NAMES[] = {"cells", "primary", "secondary"};
    cli_counted cells = cli_count(p->cells->count),
                primary = cli_count(p->tally[TACIT_CELL_PRIMARY]),
                secondary = cli_count(p->pattern.secondary);
    const char *const values[] = {cells.text, primary.text, secondary.text};
    tacit_page_tiles(page, NAMES, values, 3);
}

static void add_seconds(tacit_page *page, const cli_protection *p)
{
    static const char *const HEADER[] = {"step", "seconds"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < CLI_PROTECT_STEPS; i++) {
        cli_grid_add(&grid, "%s", cli_protect_step(p, i));
        cli_grid_add(&grid, "%.3f", p->seconds[i]);
    }
    cli_grid_add(&grid, "total");
    cli_grid_add(&grid, "%.3f", p->total_time);
    cli_grid_show(&grid, page, "Time");
    cli_grid_clear(&grid);
}

static void show_suppressed(tacit_page *page, const cli_protection *p)
{
    tacit_page_banner(
        page, true,
        p->method->total
            ? "The audit: nothing is known exactly about primary cells, not even a sum."
            : "The audit: every suppressed cell is hidden, and primary cells by their levels, over "
              "the whole table.");
    add_tiles(page, p);
    if (p->method->total)
        cli_total_page(page, p);
    else
        cli_table_page(page, p->cells, p->pattern.status, p->audit);
}

void cli_protect_page(tacit_page *page, const void *subject)
{
    const cli_protection *p = subject;
    char text[256];
    snprintf(text, sizeof text, "Made by tacit %s with the method %s.", tacit_version(),
             cli_protect_method(p));
    tacit_page_paragraph(page, text);
    if (p->method)
        show_suppressed(page, p);
    else
        cli_alter_page(page, p);
    add_seconds(page, p);
}
